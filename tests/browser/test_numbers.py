"""A number opens in the page's words. That every number of every chapter opens is checked in chapter_checks.py."""

from chapter_checks import OPENED
from conftest import OPEN_LINES


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


UNOPENED = """() => {
  const sheet = [...document.querySelectorAll("article .pencil-worked[data-show]")].find(sheet => sheet.querySelector("u"))
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
