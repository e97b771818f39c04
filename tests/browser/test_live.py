"""The interactive page: numbers opened down to the inputs, and inputs changed, against NumPy."""

import re

import katas
import pytest
from card_checks import covered
from conftest import ADDRESS, OPEN_LINES, SETTLED
from labs import text
from live_page import LOOK, change, open_card, replayed, sheets, written

from pencil.worked import Worked

EDITS = {"notebooks/06_look_across.html": ("params.query", 0, 0.5), "notebooks/10_block.html": ("params.attention.head1.query", 2, -0.5)}


@pytest.mark.parametrize("page, scheme", list(zip(EDITS, ["file", "http"], strict=True)))
def test_after_a_change_every_line_of_the_page_is_the_one_that_python_writes(book, page, scheme):
    name, place, value = EDITS[page]
    tab, log = book.visit(page, scheme=scheme)
    before = sheets(tab)
    change(tab, name, place, value)
    after, runs = sheets(tab), replayed(page, name, place, value)
    assert [[text(line) for line in lines] for _, lines in after] == [[text(line) for line in written(runs, shown)] for shown, _ in after]
    assert sum(a != b for a, b in zip(before, after, strict=True)) > 5
    assert log.wrong == []


@pytest.mark.parametrize("page", EDITS)
def test_the_page_goes_back_to_the_letter(book, page):
    name, place, value = EDITS[page]
    article = "document.querySelector('article').innerHTML"
    tab, _ = book.visit(page)
    before = tab.evaluate(article)
    change(tab, name, place, value)
    assert tab.evaluate(article) != before
    tab.get_by_role("button", name="Back to the pencil numbers").press("Enter")  # a mouse might then lie over lines, which open under it
    assert tab.evaluate(article) == before
    assert "#" not in tab.evaluate(ADDRESS)
    assert not tab.locator(".pencil-changed").is_visible()
    assert tab.locator(".pencil-said").inner_text() == "The pencil numbers are back."
    assert tab.evaluate("document.activeElement.className") == "pencil-door"


def test_the_tab_key_goes_round_in_the_card(book):
    tab, log = book.visit(LOOK)
    card = open_card(tab, "nolan.scores[ended]")
    card.evaluate("card => card.focus()")
    here = "(at => [at.closest('.pencil-card') !== null, at.dataset.value || at.textContent])(document.activeElement)"
    seen = []
    for _ in range(12):
        tab.keyboard.press("Tab")
        seen.append(tab.evaluate(here))
    assert all(inside for inside, _ in seen)
    assert "Close" in [text for _, text in seen] and seen[0] in seen[1:]
    assert "nolan.scores[ended]" not in [text for _, text in seen]  # the number itself leads nowhere
    tab.keyboard.press("Escape")
    assert not card.is_visible()
    assert log.wrong == []


def test_a_link_that_breaks_a_sum_leaves_the_reader_s_numbers_and_says_so(book):
    tab, log = book.visit(LOOK)
    change(tab, "params.query", 0, 0.5)
    mine = sheets(tab)
    tab.evaluate("location.hash = '#pencil:/params.query:0=99999'")
    tab.wait_for_function("document.querySelector('.pencil-said').textContent.includes('break a sum')")
    assert sheets(tab) == mine and tab.evaluate(ADDRESS).endswith("#pencil:/params.query:0=0.5")
    assert log.wrong == []


def test_a_number_opens_down_to_a_given_one_and_that_one_changes(book):
    tab, log = book.visit(LOOK)
    card = open_card(tab, "nolan.scores[ended]")
    assert "nolan.score[ended]" in card.inner_text() and "2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8" in text(card.inner_text())
    card.locator(".pencil-number[data-value='nolan.query[0]']").click()
    card.locator(".pencil-number[data-value='nolan.embedding[0]']").click()
    assert "given number" in card.inner_text()
    card.locator("input").fill("3")
    tab.evaluate(SETTLED)
    (trace, stored), shown = replayed(LOOK, "embedding", 0, 3)[""], tab.locator("article p > .pencil-number[data-value='nolan.scores']").first
    assert text(shown.inner_text()) == Worked(trace, stored["labels"]).row("nolan.scores") == "[3, 11]"
    card.get_by_role("button", name="Back", exact=True).click()
    assert "1·3 + 0·1 + 0·1 + 0·0 = 3" in text(card.inner_text())
    assert log.wrong == []


def test_the_keyboard_alone_opens_changes_and_leaves(book):
    tab, log = book.visit(LOOK)
    tab.locator("article h1").evaluate("title => { title.tabIndex = -1; title.focus() }")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Tab")
    if "Open the numbers" not in tab.evaluate("document.activeElement.textContent"):
        tab.locator(".pencil-door").focus()
    tab.keyboard.press("Enter")
    first = tab.evaluate("document.activeElement.dataset.value")
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate("document.activeElement.dataset.value") != first
    number = tab.locator("article .pencil-worked .pencil-number[data-value='params.query[0, 0]']").first
    number.evaluate("number => { number.tabIndex = -1; number.focus() }")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.tagName") == "INPUT"
    tab.keyboard.press("ArrowUp")
    assert tab.locator(".pencil-card input").input_value() == "2"
    assert tab.locator(".pencil-changed").is_visible()
    tab.keyboard.press("Escape")
    assert not tab.locator(".pencil-card").is_visible()
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.className") == "pencil-door"
    assert log.wrong == []


def test_dust_is_shown_as_zero(book):
    """The sum of these three is 5.6e-17 in floats."""
    tab, _ = book.visit(LOOK)
    change(tab, "params.query", 0, "0.1,/params.query:1=0.2,/params.query:2=-0.3,/embedding:0=1")
    tab.evaluate(SETTLED)
    assert abs(tab.evaluate("pencil.value('', 'query').exact[0]")) > 1e-17
    card = open_card(tab, "nolan.query[0]")
    assert card.locator(".exact").inner_text() == "exactly 0" and text(card.locator(".pencil-worked").inner_text()).endswith("= 0")


def test_a_card_says_a_name_in_words(book):
    tab, _ = book.visit("notebooks/01_words_to_numbers.html")
    assert open_card(tab, "hot.king.one_hot[0]").locator(".name").inner_text() == "king.one-hot number 1"


def test_arrows_keep_the_digits_that_a_number_has(book):
    tab, _ = book.visit(LOOK)
    field = open_card(tab, "params.query[0, 0]").locator("input")
    for typed, key, shown in (
        ("0.25", "ArrowUp", "1.25"),
        ("0.25", "Shift+ArrowDown", "0.15"),
        ("0.2", "Shift+ArrowUp", "0.3"),
        ("0.5", "ArrowDown", "−0.5"),
    ):
        field.fill(typed)
        field.press(key)
        assert field.input_value() == shown


def test_the_button_back_leaves_the_focus_in_the_card_on_the_number_that_was_pressed(book):
    tab, _ = book.visit(LOOK)
    card = open_card(tab, "nolan.scores[ended]")
    pressed = card.locator(".pencil-number").first
    value = pressed.get_attribute("data-value")
    pressed.click()
    card.get_by_role("button", name="Back").click()
    assert card.evaluate("card => card.contains(document.activeElement) && document.activeElement.dataset.value") == value


@pytest.mark.slow
def test_a_link_carries_whatever_can_be_typed(book):
    tab, log = book.visit(LOOK)
    field = open_card(tab, "params.query[0, 0]").locator("input")
    made = []
    for typed in ("1/70", "1/700000", "1/70000000", "−1/3"):
        before = tab.evaluate("location.hash")
        field.fill(typed)
        tab.wait_for_function("before => location.hash !== before", arg=before)  # it is written a little later
        made.append((typed, tab.evaluate("location.hash"), sheets(tab)))
    for typed, link, after in made:
        tab, log = book.visit(LOOK + link)
        tab.locator(".pencil-changed").wait_for(state="visible")
        assert sheets(tab) == after, typed
    assert len({link for _, link, _ in made}) == len(made) and log.wrong == []


def test_outside_the_door_numbers_are_no_tab_stops(book):
    tab, _ = book.visit(LOOK)
    assert tab.locator("article .pencil-number[tabindex='0']").count() == 0
    change(tab, "params.query", 0, 0.5)
    assert tab.locator("article .pencil-number[tabindex='0']").count() == 0


BAD = {
    "": "Type a number",
    "abc": "is no number",
    "NaN": "is no number",
    "1 2 3": "a list of 3",
    "[1, 2]": "a list of 2",
    "1/0": "divided by 0",
    "1e308": "below a billion",
    "99999": "needs e to a power above 709",
    "<b>1</b>": "no number",
}


def test_what_is_refused_leaves_the_number_as_it_was(book):
    """Typed letter by letter, `4,096` is a number until its last digit."""
    tab, log = book.visit(LOOK)
    card = open_card(tab, "params.query[0, 0]")
    field, good = card.locator("input"), sheets(tab)
    for typed, answer in (("4,096", "can mean two numbers"), ("2e9", "below a billion"), ("3 2", "a list of 2")):
        field.fill("")
        field.press_sequentially(typed)
        assert sheets(tab) != good, typed
        field.press("Enter")
        assert answer in card.locator(".wrong").inner_text() and field.input_value() == typed
        assert sheets(tab) == good, typed
    field.fill("0.5")
    field.press("Enter")
    changed = sheets(tab)
    field.press_sequentially("e")
    field.press("Enter")
    assert sheets(tab) == changed != good and log.wrong == []


def test_the_text_of_a_step_has_the_numbers_of_now(book):
    tab, _ = book.visit("book/home.html")
    figure = tab.locator(".pencil-drawing").first
    for _ in range(3):
        figure.get_by_role("button", name="Next").click()
    said, line = figure.locator(".pencil-steps [role=status]"), figure.locator("li").nth(2)
    before = said.inner_text()
    open_card(tab, "ended.key[0]", inside=".pencil-drawing").locator("input").fill("0")
    tab.wait_for_function("before => document.querySelector('.pencil-steps [role=status]').innerText !== before", arg=before)
    assert said.inner_text().split() == line.inner_text().split()


def test_what_cannot_be_read_says_why_and_the_last_good_numbers_stay(book):
    tab, log = book.visit(LOOK)
    card = open_card(tab, "params.query[0, 0]")
    for typed, answer in BAD.items():
        card.locator("input").fill("0.5")
        good = sheets(tab)
        card.locator("input").fill("0,5")
        assert sheets(tab) == good and card.locator(".wrong").inner_text() == ""
        card.locator("input").fill(typed)
        assert answer in card.locator(".wrong").inner_text(), typed
        assert card.locator("input").get_attribute("aria-invalid") == "true", typed
        assert sheets(tab) == good, typed
        card.locator("input").fill("−0")
        assert card.locator(".wrong").inner_text() == "", typed
    assert log.wrong == []


def follow(tab, fragment):
    """Go to a place on the page; the page has answered. `fragment` is not where the page is already."""
    tab.evaluate(
        """fragment => new Promise(done => {
        addEventListener("hashchange", () => setTimeout(done), { once: true })
        if (location.hash === fragment) done()
        location.hash = fragment
    })""",
        fragment,
    )


HOSTILE = [
    "#pencil:",
    "#pencil:/params.query:0=1e999",
    "#pencil:/params.query:0=NaN",
    "#pencil:/params.query:99=1",
    "#pencil:/nothing:0=1",
    "#pencil:__proto__/constructor:0=1",
    "#pencil:/__proto__:0=1",
    "#pencil:/toString:0=1",
    "#pencil:/params.query:0=<script>alert(1)</script>",
    "#pencil:/params.query:0=1,",
    "#pencil:%",
    "#pencil:/params.query:0=999999",
    "#pencil:" + "/params.query:0=1," * 600 + "/params.query:0=1",
    "#no-such-place",
]


LOADED = ("#pencil:/__proto__:0=1", "#pencil:/params.query:0=<script>alert(1)</script>", "#pencil:/params.query:0=999999")


@pytest.mark.slow
def test_a_hostile_link_changes_nothing(book):
    """Followed on the page, and three of them as the address that the page is opened by."""
    tab, log = book.visit(LOOK)
    before = sheets(tab)

    def changes_nothing(tab, fragment):
        assert sheets(tab) == before and not tab.evaluate("document.documentElement.matches('.pencil-yours')"), fragment
        bar = tab.locator(".pencil-changed")  # what is no link of numbers says nothing
        taken = fragment.removeprefix("#pencil:").split(",")[:500].count("/params.query:0=1")  # the number of the pencil
        assert not fragment.startswith("#pencil:") or re.match(rf"{taken} of \d+ numbers of the link|.* break a sum", bar.inner_text()), fragment

    for fragment in HOSTILE:
        follow(tab, fragment)
        changes_nothing(tab, fragment)
    assert log.wrong == []
    for fragment in LOADED:
        tab, log = book.visit(LOOK + fragment)
        changes_nothing(tab, fragment)
        assert log.wrong == []


def test_a_link_that_is_spoilt_in_places_says_once_how_much_was_taken(book):
    tab, log = book.visit(LOOK + "#pencil:/params.query:0=0.5,/params.query:1=half,/gone:0=1")
    bar = tab.locator(".pencil-changed")
    bar.locator("text=1 of 3 numbers of the link can be read.").wait_for()
    assert tab.evaluate(ADDRESS).endswith("#pencil:/params.query:0=0.5")
    open_card(tab, "params.query[0, 0]").locator("input").fill("2")
    assert bar.locator("span").first.inner_text().endswith("is yours, and all that follows from it.")
    tab, log = book.visit(LOOK + "#pencil:/params.query:0=half")
    bar = tab.locator(".pencil-changed")
    bar.locator("text=0 of 1 numbers of the link can be read.").wait_for()
    assert not bar.locator("span").last.is_visible()  # no word stands beside a dashed line
    follow(tab, "#pencil:/params.query:0=1,/params.query:0=1,/params.query:99=1")  # the number of the pencil, twice
    bar.locator("text=2 of 3 numbers of the link can be read.").wait_for()
    bar.get_by_role("button", name="Back to the pencil numbers").click()
    assert not bar.is_visible() and log.wrong == []


def test_a_link_carries_the_change(book):
    tab, _ = book.visit(LOOK)
    open_card(tab, "params.query[0, 0]").locator("input").fill("−1.5")
    tab.wait_for_function("location.hash === '#pencil:/params.query:0=-1.5'")
    changed, link = sheets(tab), tab.evaluate(ADDRESS)
    tab, log = book.visit(LOOK + "#" + link.partition("#")[2])
    tab.locator(".pencil-changed").wait_for(state="visible")
    assert sheets(tab) == changed and log.wrong == []


def test_in_print_the_reader_s_numbers_stand_and_say_whose_they_are_and_where(book):
    tab, _ = book.visit(LOOK)
    change(tab, "params.query", 0, 0.5)
    changed = sheets(tab)
    said = katas.answer(tab, "scale", "7")
    turn = katas.box(tab, "scale")
    turn.get_by_role("button", name="Hint").click()
    hint = turn.locator(".more").inner_text()
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert sheets(tab) == changed
    tab.emulate_media(media="print")
    note = tab.locator(".pencil-printed")
    assert "is yours, and all that follows from it." in note.inner_text()
    assert note.locator("a").inner_text() == note.locator("a").get_attribute("href") == tab.evaluate(ADDRESS)
    marked = tab.locator("article p > .pencil-number.changed").first
    assert marked.evaluate(
        "one => { const { fontWeight, textDecorationLine } = getComputedStyle(one); return [fontWeight, textDecorationLine] }"
    ) == ["700", "underline"]
    assert said and hint and [turn.locator(part).inner_text() for part in (".says", ".more")] == [said, hint]  # on the paper, too
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert sheets(tab) == changed and note.count() == 0
    assert [turn.locator(part).inner_text() for part in (".says", ".more")] == [said, hint]


def test_on_a_phone_the_card_is_as_wide_as_the_page_and_its_number_stays_in_sight(book):
    tab, _ = book.visit(LOOK, "narrow")
    tab.evaluate(OPEN_LINES)
    number = tab.locator("article .pencil-worked .pencil-number[data-value='nolan.weights[ended]']").first
    number.scroll_into_view_if_needed()
    number.tap()
    assert tab.locator(".pencil-card").bounding_box()["width"] == 390 and covered(tab, number.element_handle()) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
