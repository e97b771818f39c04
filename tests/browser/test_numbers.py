"""The card of a number uses the page's words. That every number opens is tested in number_checks.py."""

from conftest import OPEN_LINES
from live_page import change
from number_checks import OPENED


def test_a_number_opens_in_the_page_s_words(book):
    """In a worked line as in prose; the box does not inherit the hanging line, or its first letters would be cut off."""
    tab, _ = book.visit("notebooks/06_look_across.html")
    tab.evaluate(OPEN_LINES)
    for where in (".pencil-worked", "p"):
        number = tab.locator(f"{where} .pencil-number[data-value='nolan.weights[ended]']").first
        number.scroll_into_view_if_needed()
        number.hover()
        assert number.evaluate(OPENED).replace('" "', "") == '"nolan.share[ended] = 0.952574"'  # in one string or in three
        assert number.evaluate("number => getComputedStyle(number, '::after').textIndent") == "0px"
        assert number.evaluate("number => getComputedStyle(number).cursor") == "pointer"  # it can be clicked open


SHOWS = "number => getComputedStyle(number, '::after').display !== 'none'"


def test_the_exact_value_of_the_pencil_number_does_not_stand_on_a_reader_s(book):
    """On a line it is worked out anew; in the prose it is silent, and beside an open card as well, where it says nothing new."""
    tab, _ = book.visit("notebooks/06_look_across.html")
    tab.evaluate(OPEN_LINES)
    prose, line = (
        tab.locator(f"{where} .pencil-number[data-value='nolan.weights[ended]']").first for where in ("p:not(.pencil-worked p)", ".pencil-worked")
    )

    def shows():
        found = []
        for number in (prose, line):
            number.scroll_into_view_if_needed()
            number.hover()
            found.append(number.evaluate(SHOWS))
        return found

    assert shows() == [True, True]
    change(tab, "params.query", 0, 0.5)
    assert shows() == [False, True]
    line.click()
    assert shows() == [False, False]
    tab.keyboard.press("Escape")
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    assert shows() == [True, True] and tab.locator(".mute").count() == 0


UNOPENED = """() => {
  const sheet = [...document.querySelectorAll("article .pencil-worked[data-show]")].find(sheet => sheet.checkVisibility() && sheet.querySelector("u"))
  sheet.scrollIntoView({ block: "center" })
  const { left, top, width, height } = sheet.querySelector("u").getBoundingClientRect()
  return [sheet.querySelectorAll(".pencil-number").length, sheet.querySelector("u").textContent, left + width / 2, top + height / 2]
}"""


def test_one_tap_opens_a_number_of_a_line_that_was_text_till_then(book):
    tab, log = book.visit("notebooks/13_backward.html", "narrow")
    numbers, digits, x, y = tab.evaluate(UNOPENED)
    assert numbers == 0
    tab.touchscreen.tap(x, y)
    assert tab.locator(".pencil-card .pencil-worked").inner_text().endswith(digits)
    assert log.wrong == []


def test_a_whole_number_of_a_sentence_that_becomes_none_is_not_cut_to_one(book):
    tab, _ = book.visit("notebooks/17_cache.html#pencil:/fifth.x:0=1,/fifth.x:1=-1,/fifth.x:2=2,/fifth.x:3=0")
    ask = tab.locator("p .pencil-number[data-value='my.fifth.query']", has_text="[1.386, −1.386, 2.773, 0]")
    ask.wait_for()


def test_the_card_of_a_number_is_exact_where_all_lines_of_the_page_are(book):
    tab, _ = book.visit("notebooks/14b_chatbot.html")
    tab.locator("p:not(.pencil-worked p) .pencil-number[data-value='every.loss']").first.click()
    tab.locator(".pencil-card", has_text="(0.433 + 1.133 + 1.573 + 0.573) / 4 ≈ 0.928").wait_for()
    tab, _ = book.visit("notebooks/21_speculative.html")
    tab.locator(".pencil-worked[data-track] .pencil-number", has_text="3/4").first.click()
    tab.locator(".pencil-card", has_text="≈ 0.750").wait_for()


def test_what_few_decimals_wrote_exactly_has_the_usual_ones_once_it_needs_them(book):
    tab, _ = book.visit("notebooks/18_flash_attention.html")
    context, exps = (tab.locator(f"[data-value='turn.{name}']").first for name in ("context[0]", "exps"))
    assert [context.text_content().split(), exps.text_content().split()] == [["[1.5,", "3]"], ["[2,", "4,", "8,", "2]"]]
    change(tab, "query", 0, 2, run="turn")
    tab.wait_for_function("number => number.textContent.includes('1.6')", arg=context.element_handle())
    assert [context.text_content().split(), exps.text_content().split()] == [["[1.636,", "2.543]"], ["[4,", "16,", "64,", "4]"]]
