"""What an open card must leave in sight: the number that it explains, and the field that was edited last."""

NUMBER = ".pencil-number[data-value]:not(.pencil-card *)"
SEEN = f"""() => [...document.querySelectorAll("article {NUMBER}")].filter(one => one.checkVisibility() && !one.closest("a"))"""
# Numbers of each kind of place, the first and the last
SOME = f"""() => {{
  const all = ({SEEN})()
  const kinds = ["p > ", "td > ", ".pencil-worked ", ".pencil-drawing svg ", ".pencil-lab "].map(kind => kind + ".pencil-number")
  return [...new Set(kinds.flatMap(kind => {{ const of = all.filter(one => one.matches(kind)); return [of.at(0), of.at(-1)] }}))]
    .filter(Boolean).map(one => all.indexOf(one))
}}"""
# After the frame in which a card is placed anew: what it lies upon, of the elements that it must not, and how it lies in the window
COVERED = """others => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
  const box = one => one.getBoundingClientRect()
  const card = document.querySelector(".pencil-card")
  const { left, right, top, bottom } = box(card)
  const under = others.filter(Boolean).map(one => [one, box(one)]).filter(([, at]) =>
    at.left < right && left < at.right && at.top < bottom && top < at.bottom).map(([one]) => one.outerHTML.slice(0, 90))
  const outside = left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1
  done([card.hidden ? "the card is closed" : "", ...under, outside ? `outside: ${[left, top, right, bottom]} of ${[innerWidth, innerHeight]}` : ""]
    .filter(Boolean))
})))"""


def covered(tab, *elements):  # -> list of str, empty if all is well
    """What an open card covers of these elements, and whether a part of it is out of the window."""
    return tab.evaluate(COVERED, list(elements))


def seen(tab, which):
    """A number of the page, by its place among those that can be seen."""
    return tab.evaluate_handle(f"k => ({SEEN})()[k]", which).as_element()


def a_card_covers_neither_its_number_nor_the_last_field(tab, page):
    tab.evaluate("pencil.binding.openAll()")
    field = tab.query_selector(".pencil-lab .pencil-cell")
    if field:
        field.fill(field.input_value())
    for which in tab.evaluate(SOME):
        number = seen(tab, which)
        number.scroll_into_view_if_needed()
        number.dispatch_event("click")  # the middle of a row of several lines may be between its numbers
        number = seen(tab, which)  # the line may have been written anew
        assert covered(tab, number, field) == [], number.get_attribute("data-value")
        tab.keyboard.press("Escape")
    tab.evaluate("scrollTo(0, 0)")
