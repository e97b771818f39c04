"""The address of a page holds a reader's numbers: of any count, and written once a change has come to rest."""

from contextlib import contextmanager

import pytest
from live_page import LOOK, open_card

LEAST_CHANGES = 100
ALL = "() => pencil.runs.all.flatMap(run => run.changes)"
CHANGE_MANY = """() => {
  const moved = ({ name: run, now }) => [...now].flatMap(([name, row]) =>
    [...row].map((value, place) => ({ run, name, place, value: value + (place % 3) / 64 })))
  pencil.runs.apply(pencil.runs.all.flatMap(moved))
  return [pencil.change("", "params.attention.output[0, 0]", 1.5), pencil.runs.changes.length]
}"""
COUNTED = """() => {
  window.written = 0
  const plain = history.replaceState
  history.replaceState = (...all) => { written++; plain.apply(history, all) }
}"""
TYPED = """(field, typed) => {
  for (const text of typed) {
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
  }
}"""


def test_the_address_is_not_written_on_each_key(book):
    tab, log = book.visit(LOOK)
    field = open_card(tab, "params.query[0, 0]").locator("input")
    tab.evaluate(COUNTED)
    field.evaluate(TYPED, ["2", "2.", "2.5", "2.57", "2.573"])
    tab.wait_for_url("**#pencil:/params.query:0=2.573")
    assert tab.evaluate("written") == 1 and log.wrong == []


@pytest.mark.slow
def test_a_link_of_more_than_a_hundred_changes_comes_back(book):
    tab, log = book.visit("notebooks/10_block.html")
    problem, count = tab.evaluate(CHANGE_MANY)
    assert problem == ""
    assert count > LEAST_CHANGES
    changed = tab.evaluate(ALL)
    tab.wait_for_function("location.hash")
    link = tab.evaluate("location.hash")
    tab, log = book.visit("notebooks/10_block.html" + link)
    tab.locator(".pencil-changed").wait_for(state="visible")
    assert tab.evaluate(ALL) == changed and log.wrong == []


FIRST, SECOND = "#pencil:/params.key:0=1", "#pencil:/embedding:4=2,/params.key:0=1"
HOLD_BACK = "addEventListener('hashchange', (event) => window.held && event.stopImmediatePropagation())"  # before any script of the page


@contextmanager
def without_time(book):  # -> tab, log
    """Chapter 06, in a fresh tab whose clock does not move by itself."""
    with book.tab() as (tab, log):
        tab.add_init_script(HOLD_BACK)
        tab.clock.install()
        tab.goto(book.url(LOOK))
        tab.clock.pause_at(tab.evaluate("Date.now() + 60_000"))
        yield tab, log


def test_a_newer_address_is_not_overwritten_before_it_is_read(book):
    """A busy browser tells of a new address late: after the numbers of the older one would be saved."""
    with without_time(book) as (tab, log):
        tab.evaluate("to => { location.hash = to }", FIRST)
        tab.wait_for_function("pencil.runs.changes.length === 1")
        tab.evaluate("window.held = true")
        tab.evaluate("to => { location.hash = to }", SECOND)
        tab.clock.run_for(1000)
        assert tab.evaluate("location.hash") == SECOND
        tab.evaluate("window.held = false")
        tab.evaluate("dispatchEvent(new Event('hashchange'))")
        assert tab.evaluate("pencil.runs.changes.length") == 2 and log.wrong == []


def test_a_change_is_in_the_address_before_a_click_leads_away(book):
    with without_time(book) as (tab, log):
        assert tab.evaluate("pencil.change('', 'params.query[0, 0]', 2.5)") == ""
        assert tab.evaluate("location.hash") == "", "it has not come to rest yet"
        tab.locator("a.right-next").first.click()
        tab.wait_for_url("**/07_heads.html")
        tab.go_back()
        tab.wait_for_function("location.hash === '#pencil:/params.query:0=2.5' && pencil.runs.changes.length === 1")
        assert log.wrong == []


CHANGED = "() => pencil.runs.changes.map(({ name, place, value }) => [name, place, value])"


def test_a_link_of_the_page_and_back_leave_the_numbers_as_they_are(book):
    """The address has both: the numbers, and the place that the link leads to."""
    with book.tab(viewport={"width": 1280, "height": 900}) as (tab, log):
        tab.goto(book.url(LOOK))
        assert tab.evaluate("pencil.change('', 'params.query[0, 0]', 2.5)") == ""
        tab.wait_for_function("location.hash === '#pencil:/params.query:0=2.5'")
        section = tab.locator(".bd-sidebar-secondary a[href^='#']:visible").nth(3)
        place = section.get_attribute("href")[1:]
        section.click()
        tab.wait_for_function("at => location.hash === `#pencil:/params.query:0=2.5@${at}`", arg=place)
        assert tab.evaluate("at => Math.abs(document.getElementById(at).getBoundingClientRect().top) < 200", place)
        assert tab.evaluate("pencil.change('', 'params.query[0, 0]', 0.5)") == ""
        tab.wait_for_function("at => location.hash === `#pencil:/params.query:0=0.5@${at}`", arg=place)
        link = tab.evaluate("location.href")
        tab.go_back()
        tab.wait_for_function("location.hash === '#pencil:/params.query:0=0.5'")
        assert tab.evaluate(CHANGED) == [["params.query", 0, 0.5]]
        tab.go_forward()
        tab.wait_for_function("at => location.hash.endsWith(`@${at}`)", arg=place)
        tab.get_by_role("button", name="Back to the pencil numbers").click()
        tab.wait_for_function("at => location.hash === `#${at}`", arg=place)
        assert tab.evaluate(CHANGED) == []
        tab.goto("about:blank")
        tab.goto(link)
        assert tab.evaluate(CHANGED) == [["params.query", 0, 0.5]]
        assert tab.evaluate("at => Math.abs(document.getElementById(at).getBoundingClientRect().top) < 200", place)
        assert log.wrong == []


def test_numbers_changed_after_a_link_of_the_page_are_there_when_one_goes_back(book):
    with book.tab(viewport={"width": 1280, "height": 900}) as (tab, log):
        tab.goto(book.url(LOOK))
        tab.locator(".bd-sidebar-secondary a[href^='#']").nth(2).click()
        assert tab.evaluate("pencil.change('', 'params.query[0, 0]', 2.5)") == ""
        tab.wait_for_function("location.hash.startsWith('#pencil:/params.query:0=2.5@')")
        tab.go_back()
        tab.wait_for_function("location.hash === '#pencil:/params.query:0=2.5'")
        assert tab.evaluate(CHANGED) == [["params.query", 0, 2.5]] and log.wrong == []
