"""The address of a page holds a reader's numbers: of any count, and written once a change has come to rest."""

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
