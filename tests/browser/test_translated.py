"""A page that the browser's translator has gone through: its numbers and sums stay whole, and its buttons do what they did."""

import pytest
from conftest import CHAPTERS, SETTLED
from live_page import LOOK, change, replayed, sheets, written

# Translators put each text into <font> elements of theirs. Here they heed nothing, not even translate="no"
WRAPPED = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), all = []
  while (walker.nextNode()) all.push(walker.currentNode)
  for (const text of all) {
    if (!text.data.trim() || text.parentElement.closest("script, style, textarea, select")) continue
    const [font, inside] = [0, 0].map(() => document.createElement("font"))
    font.append(inside)
    text.replaceWith(font)
    inside.append(text)
  }
}"""
FIRST_GIVEN = "() => { const [run] = pencil.runs.all, [[name, row]] = run.pencil; return [run.name, name, row[0]] }"
NUMBERS = (
    """() => [...document.querySelectorAll("article .pencil-number[data-value]:not(.pencil-lab *, .pencil-worked *)")].map(n => n.textContent)"""
)
UNMARKED = """() => [...document.querySelectorAll("article :is(.pencil-number, .pencil-worked, code, pre, svg text, math)")]
  .filter(one => one.checkVisibility() && !one.closest("[translate=no], .pencil-lab"))
  .map(one => one.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize("page", [page if page == LOOK else pytest.param(page, marks=pytest.mark.slow) for page in CHAPTERS])
def test_a_translated_page_states_no_false_sum(book, page):
    tab, log = book.visit(page)
    assert tab.evaluate(UNMARKED) == []
    tab.evaluate("pencil.binding.openAll()")
    run, name, value = tab.evaluate(FIRST_GIVEN)
    change(tab, name, 0, value + 1, run)
    expected, numbers = sheets(tab), tab.evaluate(NUMBERS)
    tab.evaluate("pencil.reset()")
    tab.evaluate(SETTLED)
    tab.evaluate(WRAPPED)
    change(tab, name, 0, value + 1, run)
    assert sheets(tab) == expected and tab.evaluate(NUMBERS) == numbers
    assert log.wrong == []


def test_the_lines_of_a_translated_page_are_those_of_python(book):
    tab, _ = book.visit(LOOK)
    tab.evaluate("pencil.binding.openAll()")
    tab.evaluate(WRAPPED)
    for place, value in ((3, 0.5), (0, -2)):  # the second time a sign comes in
        change(tab, "params.query", place, value)
    runs = replayed(LOOK, "params.query", 0, -2)
    for shown, lines in sheets(tab):
        assert [line.replace("\u00a0", " ") for line in lines] == [line.replace("\u00a0", " ") for line in written(runs, shown)], shown


@pytest.mark.slow
def test_the_buttons_of_a_translated_page_work(book):
    tab, log = book.visit(LOOK)
    tab.evaluate(WRAPPED)
    drawing = tab.locator(".pencil-drawing:has(.pencil-steps)").first
    drawing.locator("[data-go='1'] font font").click()
    assert drawing.locator("li.now").count() == 1
    tab.locator("article p > .pencil-number[data-value]").first.click()
    tab.evaluate(WRAPPED)
    tab.locator(".pencil-card [data-do=close] font").last.click()
    assert not tab.locator(".pencil-card").is_visible() and log.wrong == []
