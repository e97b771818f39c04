"""Claims and prose after a change: which words are struck out or marked, and how far marks reach."""

from conftest import SETTLED
from live_page import LOOK, change

MARKED = "() => [...document.querySelectorAll('[data-untrue]')].map(words => words.textContent)"
BESIDE = """words => {
  const block = [...document.querySelectorAll("article :is(p, caption)")].find(one => one.textContent.includes(words))
  return [getComputedStyle(block, "::before").borderLeftStyle, getComputedStyle(block).borderLeftStyle].includes("dashed") }"""


def test_after_a_change_words_that_are_no_longer_true_say_so(book):
    """The verdict itself is crossed out; words with a number that has changed stand beside a line, and so do sums that cannot follow."""
    tab, log = book.visit(LOOK)
    near = (
        "so the score is",
        "The scores, a row for each word that asks",
        "Standardising looks at the data",
    )  # a number, a picture's title, a sum below
    far = ("The pile holds about", "and one for the empty slot", "Reviews differ in length", "A row belongs to the word that asks")
    assert tab.evaluate(MARKED) == [] and not any(tab.evaluate(BESIDE, words) for words in near)
    change(tab, "embedding", 6, -1)  # ended.embedding[2]
    tab.evaluate(SETTLED)
    marked = tab.evaluate(MARKED)
    assert "large" in marked and "mostly what ended handed over, because nolan listened mostly to ended" in marked
    said = tab.locator("[data-untrue]").first.evaluate("words => getComputedStyle(words, '::after').content")
    assert "not with your numbers" in said
    assert [words for words in (*near, *far) if tab.evaluate(BESIDE, words)] == [*near]
    tab.emulate_media(media="print")
    assert tab.evaluate(MARKED) == marked and all(tab.evaluate(BESIDE, words) for words in near)
    tab.emulate_media(media="screen")
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    assert tab.evaluate(MARKED) == [] and not any(tab.evaluate(BESIDE, words) for words in near)
    assert log.wrong == []


def test_a_claim_of_two_runs_follows_both(book):
    tab, log = book.visit("notebooks/05_soft_lookup.html")
    assert "has become" not in tab.evaluate(MARKED)
    change(tab, "scores", 0, 4, run="plain")  # its first share is now larger than that of the lowered scores
    tab.evaluate(SETTLED)
    assert "has become" in tab.evaluate(MARKED)
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    assert tab.evaluate(MARKED) == [] and log.wrong == []


def test_a_claim_of_moves_is_judged_by_the_moves(book):
    tab, log = book.visit("notebooks/13b_descent.html")
    change(tab, "lr", 0, 0.5)
    tab.evaluate(SETTLED)
    assert "Every parameter moved only a little." in tab.evaluate(MARKED)
    change(tab, "lr", 0, 0.012)
    tab.evaluate(SETTLED)
    assert "Every parameter moved only a little." not in tab.evaluate(MARKED)
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    assert tab.evaluate(MARKED) == [] and log.wrong == []


DASHED = """() => [...document.querySelectorAll("article .pencil-worked:not([data-show], .pencil-lab *)")]
  .map(sheet => getComputedStyle(sheet).borderLeftStyle === "dashed")"""


def test_lines_in_fractions_stand_beside_a_dashed_line_once_a_number_of_theirs_is_another(book):
    tab, log = book.visit("notebooks/21_speculative.html")
    assert len(tab.evaluate(DASHED)) > 5 and not any(tab.evaluate(DASHED))
    change(tab, "fair_parts", 0, 2, run="turn")
    tab.evaluate(SETTLED)
    assert not any(tab.evaluate(DASHED)), "no sheet shows this run"
    change(tab, "draft_parts", 0, 2)
    tab.evaluate(SETTLED)
    assert tab.evaluate(DASHED).count(False) == 1  # the residual is still all on face one
    assert "residual" in tab.locator(".pencil-worked:not([data-show], .pencil-lab *, [data-still])").inner_text()
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    tab.evaluate(SETTLED)
    assert not any(tab.evaluate(DASHED)) and log.wrong == []


STILL = """() => [...document.querySelectorAll(".tag_still .cell_output pre")].map(print => // seen, and heard
  getComputedStyle(print).borderLeftStyle === "dashed" && getComputedStyle(print, "::before").content.includes("Written for the pencil numbers"))"""


def test_what_a_cell_prints_of_given_numbers_says_so_where_nothing_before_it_follows(book):
    """Prints of the walker with empty slots, and the figures that the text quotes of them; a print of measured numbers says nothing."""
    tab, log = book.visit("notebooks/03_rnn.html")
    quoted, measured = "falls from", "It can read many reviews"
    assert len(tab.evaluate(STILL)) > 2 and not any(tab.evaluate(STILL)) and not tab.evaluate(BESIDE, quoted)
    change(tab, "params.weight_hh", 0, 2)
    tab.evaluate(SETTLED)
    assert all(tab.evaluate(STILL)) and tab.evaluate(BESIDE, quoted) and not tab.evaluate(BESIDE, measured)
    tab.emulate_media(media="print")
    assert all(tab.evaluate(STILL))
    tab.emulate_media(media="screen")
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    assert not any(tab.evaluate(STILL)) and not tab.evaluate(BESIDE, quoted) and log.wrong == []
