"""Every page, opened once in each of two ways: axe, contrast, width, weight, and a log with nothing in it, with the network cut."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import PHONE

AXE = Path(find_spec("axe_playwright_python").origin).with_name("axe.min.js")
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(" | ")}`)"""
MEGABYTE = 1_000_000
WIDE = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
  return wide > 0 ? [`${wide} px wider than its window`] : []
}"""

# Every piece of text against what lies behind it (WCAG 2.1, 1.4.3). Colours are read off a canvas, which knows every notation.
PALE = """() => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data]
  }
  const over = ([r, g, b, a], under) => [r, g, b].map((x, i) => (x * a + under[i] * (255 - a)) / 255)
  const behind = (element) => {
    if (!element) return [255, 255, 255]
    const colour = rgba(getComputedStyle(element).backgroundColor)
    return colour[3] === 255 ? colour.slice(0, 3) : over(colour, behind(element.parentElement))
  }
  const light = (rgb) => {
    const [r, g, b] = rgb.map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const pale = []
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement
    if (!walk.currentNode.data.trim() || !element.checkVisibility({ opacityProperty: true })) continue
    const style = getComputedStyle(element), back = behind(element), front = over(rgba(style.color), back)
    const [low, high] = [light(front), light(back)].sort((x, y) => x - y)
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < (large ? 3 : 4.5)) pale.push(`${walk.currentNode.data.trim().slice(0, 40)}: ${contrast.toFixed(2)}`)
  }
  return pale
}"""

UNFOLD = "document.querySelectorAll('details').forEach(box => { box.open = true })"
WAYS = {
    "wide, light, over http": ("http", {"color_scheme": "light"}),
    "narrow, dark, from a file": ("file", {"color_scheme": "dark", **PHONE}),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_wrong_with_any_page(book, way):
    scheme, options = WAYS[way]
    wrong = {}
    for page in book.pages:
        with book.tab(reduced_motion="reduce", **options) as (tab, log):  # what unfolds would fade in
            answers = []
            tab.on("response", lambda answer, answers=answers: answers.append(answer))
            tab.goto(book.url(page, scheme))
            tab.wait_for_function(f"document.documentElement.dataset.theme === '{options['color_scheme']}'")
            read_to_the_end(tab)
            tab.wait_for_load_state("networkidle")  # what is fetched when it is seen counts as well
            found = [*log.wrong, *tab.evaluate(WIDE), *tab.evaluate(PALE), *too_heavy(answers)]
            if found := found + violations(tab):  # last, for axe asks a page in a file for its own style sheets, and may not have them
                wrong[page] = found
    assert wrong == {}
    assert len(book.pages) > len(book.chapters) > 0


def read_to_the_end(tab):
    """Do what a reader does: unfold, read to the end, point at numbers."""
    tab.evaluate(UNFOLD)
    tab.mouse.wheel(0, 100_000)
    for number in tab.locator(".pencil-number[data-exact]:visible").all()[:3]:
        number.scroll_into_view_if_needed()
        number.hover()
    tab.mouse.move(0, 0)


def too_heavy(answers):
    """All that a page asks for, unpacked, where it is more than a megabyte; a figure counts as well."""
    sizes = sorted((len(answer.body()), answer.url) for answer in answers if answer.ok)
    return [f"{sum(size for size, _ in sizes)} bytes, of them {sizes[-6:]}"] if sum(size for size, _ in sizes) > MEGABYTE else []


def violations(tab):
    """What axe finds wrong with a page as it stands."""
    tab.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    return tab.evaluate(RUN)


def test_axe_finds_nothing_on_a_changed_page_with_its_card_open(book):
    with book.tab() as (tab, _):
        tab.goto(book.url("notebooks/06_look_across.html", "http"))
        tab.evaluate("location.hash = '#pencil:/grid.query:0=0.5,AttentionLab/stick:0=3'")
        tab.locator(".pencil-changed").wait_for(state="visible")
        tab.locator("article .pencil-worked .pencil-number[data-value='nolan.scores[ended]']").first.click()
        tab.locator(".pencil-lab .pencil-cell").first.fill("x")
        assert violations(tab) == []


def test_each_gate_sees_what_is_wrong(book):
    with book.tab() as (tab, log):
        answers = []
        tab.on("response", lambda answer, answers=answers: answers.append(answer))
        tab.goto(book.url(book.chapters[0], "http"))
        assert too_heavy(answers) == [] and too_heavy(answers * 20)
        assert [tab.evaluate(WIDE), tab.evaluate(PALE), log.wrong] == [[], [], []]
        tab.evaluate("""document.querySelector("article").insertAdjacentHTML("beforeend",
          "<button></button><p style='color: #aaa; background: #fff; width: 5000px'>pale and wide</p>")""")
        tab.evaluate("new Image().src = 'https://example.org/outside.png'")
        with tab.expect_response("**/missing.svg"):
            tab.evaluate("new Image().src = 'missing.svg'")
        assert "wider than its window" in tab.evaluate(WIDE)[0]
        assert tab.evaluate(PALE)[0].startswith("pale and wide: ")
        assert any(found.startswith("button-name") for found in violations(tab))
        assert "asked for https://example.org/outside.png" in log.wrong and any(said.startswith("404: ") for said in log.wrong)
