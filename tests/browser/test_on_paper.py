"""A page on paper: light in any theme, legible, and without what only a screen can do. A drawing as wide as its column."""

import pytest
from conftest import SETTLED
from live_page import LOOK, change, open_card

# Of each kind: the contrast of its first with white paper, by the colours that it computes to
ON_WHITE = """kinds => {
  const light = (colour) => { const parts = colour.match(/[\\d.]+/g).map(Number)
    const [r, g, b] = parts.map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
    return (parts[3] ?? 1) === 0 ? 1 : 0.2126 * r + 0.7152 * g + 0.0722 * b }
  return Object.fromEntries(kinds.map(kind => { const one = document.querySelector(`article ${kind}`), style = getComputedStyle(one)
    return [kind, [1.05 / (light(one.closest("svg") ? style.fill : style.color) + 0.05), light(style.backgroundColor)]] }))
}"""
KINDS = [
    "p",
    "h2",
    ".pencil-worked p",
    ".pencil-drawing text",
    ".highlight pre",
    ".highlight .k",
    ".cell_output pre",
    "table.table td",
    ".pencil-box",
]


@pytest.mark.parametrize("page, kinds", [(LOOK, KINDS), ("book/machine.html", [".pencil-drawing text", ".pencil-drawing svg .given text"])])
def test_paper_is_light_whatever_the_theme(book, page, kinds):
    tab, _ = book.visit(page, "narrow")
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    tab.emulate_media(media="print", color_scheme="dark")
    for kind, (contrast, ground) in tab.evaluate(ON_WHITE, kinds).items():
        assert contrast > 4.5 and ground > 0.95, (kind, contrast, ground)
    sheet = "getComputedStyle(document.querySelector('.pencil-worked') ?? document.body).backgroundColor"
    assert tab.evaluate(sheet) in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert tab.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def test_no_switch_is_printed(book):
    tab, _ = book.visit(LOOK)
    tab.emulate_media(media="print")
    assert not any(
        one.is_visible() for one in tab.locator(":is(.pencil-track-switch, .pencil-switch, .pencil-track-switch a, #pst-back-to-top)").all()
    )


def test_the_text_begins_below_its_title(book):
    tab, _ = book.visit(LOOK)
    tab.emulate_media(media="print")
    left = "one => one.getBoundingClientRect().left"
    assert tab.locator("#jb-print-docs-body h1").evaluate(left) == tab.locator("article h2").first.evaluate(left)
    tab.emulate_media(media="screen")


def test_what_is_out_of_sight_is_printed_with_the_reader_s_numbers(book):
    """Printing does not wait until the browser is idle."""
    tab, log = book.visit(LOOK)
    tab.evaluate(SETTLED)
    of_all = "() => [...document.querySelectorAll('article .pencil-number.changed')].length"
    change_and_print = "pencil.change('', 'params.query[0, 0]', 2.5); dispatchEvent(new Event('beforeprint'))"
    at_once = tab.evaluate(f"() => {{ {change_and_print}; return ({of_all})() }}")
    tab.evaluate(SETTLED)
    assert at_once == tab.evaluate(of_all) > 20 and log.wrong == []
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    change(tab, "params.query", 0, 3)


WIDTHS = """() => [...document.querySelectorAll("article .pencil-drawing:not(.pencil-lab *, .pencil-machine *)")]
  .filter(one => one.checkVisibility()).map(one => {
    const box = part => one.querySelector(part).getBoundingClientRect(), svg = box("svg"), steps = box("ol"), column = one.parentElement
    const [, , wide, high] = one.querySelector("svg").getAttribute("viewBox").split(" ").map(Number)
    return { column: column.clientWidth, width: svg.width, wide, scale: Math.min(svg.width / wide, svg.height / high),
      below: steps.top >= svg.bottom, sticksOut: steps.right > column.getBoundingClientRect().right + 1 } })"""


@pytest.mark.parametrize("way", ["wide", "narrow"])
@pytest.mark.parametrize("page", [LOOK, "notebooks/10b_real_block.html"])
def test_a_drawing_fills_its_column_and_its_steps_stand_below(book, page, way):
    tab, _ = book.visit(page, way)
    drawn = tab.evaluate(WIDTHS)
    assert len(drawn) > 1
    for one in drawn:
        assert one["below"] and not one["sticksOut"]
        assert abs(one["width"] - min(one["column"], 1.6 * one["wide"])) < 2, one
        assert one["scale"] < 1.61
    assert way == "narrow" or max(one["scale"] for one in drawn) > 1.4


def test_the_name_of_a_number_is_not_printed(book):
    """It is fixed: it would stand on every sheet, over the text."""
    tab, _ = book.visit(LOOK)
    open_card(tab, "nolan.scores[ended]")
    tab.keyboard.press("Escape")
    look = "() => [getComputedStyle(document.activeElement, '::after').display, document.activeElement.dataset.value]"
    assert tab.evaluate(look) == ["block", "nolan.scores[ended]"]
    tab.emulate_media(media="print")
    assert tab.evaluate(look) == ["none", "nolan.scores[ended]"]


OF_THE_PAGE = "() => [document.querySelector('article').innerText, pencil.changes]"


@pytest.mark.parametrize("page", [LOOK, "book/machine.html"])
def test_the_bar_chooses_whose_numbers_are_printed(book, page):
    """The reader's by default; or the pencil's, without a note, and after it the reader's are back."""
    tab, log = book.visit(page)
    pencils = tab.evaluate(OF_THE_PAGE)
    name = "params.query" if page == LOOK else "params.attention.head1.query"
    change(tab, name, 0, 2.5)
    tab.evaluate(SETTLED)
    readers, address = tab.evaluate(OF_THE_PAGE), tab.evaluate("location.href")
    assert readers[0] != pencils[0]
    choice = tab.locator(".pencil-changed").get_by_label("On paper")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator(".pencil-printed").count() == 1 and tab.evaluate(OF_THE_PAGE)[1] == readers[1]
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    choice.select_option("pencil numbers")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.evaluate(OF_THE_PAGE) == pencils and tab.locator(".pencil-printed").count() == 0
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    tab.evaluate(SETTLED)
    assert tab.evaluate(OF_THE_PAGE) == readers and tab.evaluate("location.href") == address
    tab.locator(".pencil-changed").get_by_role("button", name="Undo").click()
    assert tab.evaluate(OF_THE_PAGE)[1] == [] and log.wrong == []
