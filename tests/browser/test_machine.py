"""The poster of the whole model: interactive on screen, one page in print; and no drawing has small type on a phone."""

from io import BytesIO
from unicodedata import normalize

import pytest
from number_checks import STANDING
from pypdf import PdfReader

from pencil.checker.library import Library
from pencil.paths import ROOT
from pencil.trace import Trace
from pencil.worked import Worked

MACHINE = "book/machine.html"
A4 = (595, 842)  # points
NUMBERS = "() => [...document.querySelectorAll('.pencil-drawing svg .pencil-number')].map(number => [number.dataset.value, number.textContent])"
STEP = 12  # pixels of a drag for one more
SMALL = """least => [...document.querySelectorAll(".pencil-drawing svg, .pencil-map svg")].filter(svg => svg.getClientRects().length).flatMap(svg => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
  return [...svg.querySelectorAll("text")].filter(text => parseFloat(getComputedStyle(text).fontSize) * scale < least)
    .map(text => `${(parseFloat(getComputedStyle(text).fontSize) * scale).toFixed(1)}: ${text.textContent}`)
})"""


def worked(changes):
    """Chapter 10's block with other given numbers, by Python."""
    stored = Library(ROOT / "notebooks").chapter("10").content["runs"][""]
    program = stored["program"]
    given = {}
    for name, place, value in changes:
        given[name] = Trace.load(program).names[name].exact.copy()
        given[name].flat[place] = value
    return Worked(Trace.load(program, given), stored["labels"], stored["whole"])


def test_a_dial_is_turned_on_the_sheet_and_every_number_follows(book):
    tab, log = book.visit(MACHINE, "wide")
    shown = tab.evaluate(NUMBERS)
    pencil = worked([])
    assert len(shown) > 200 and all(text == pencil.number(name) for name, text in shown)
    assert tab.evaluate(STANDING) == []
    dial = tab.locator("[data-value='params.attention.head1.query[0, 0]']")
    dial.scroll_into_view_if_needed()
    at = dial.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 2 * STEP + 3, y, steps=4)
    tab.mouse.up()
    after, turned = tab.evaluate(NUMBERS), worked([("params.attention.head1.query", 0, 2)])
    assert [text for _, text in after] == [turned.number(name) for name, _ in after]
    assert sum(before != now for before, now in zip(shown, after, strict=True)) > 20
    assert tab.locator(".pencil-drawing svg .changed").count() > 20
    tab.locator("svg [data-value='cat.weights[sat]']").click()
    card = tab.locator(".pencil-card")
    assert card.locator(".was").inner_text() == f"It was {pencil.number('cat.weights[sat]')} with the pencil numbers."
    assert turned.number("cat.weights[sat]") in card.locator(".pencil-worked").inner_text()
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    assert card.locator(".was").is_hidden() and tab.evaluate(NUMBERS) == shown
    assert log.wrong == []


@pytest.mark.parametrize("size", ["A4", pytest.param("Letter", marks=pytest.mark.slow)])
def test_the_sheet_is_one_page_of_paper(book, size):
    """Whatever paper the printer is set to: the page brings its own."""
    with book.tab(viewport={"width": 1280, "height": 900}) as (tab, _):
        tab.goto(book.url(MACHINE))
        printed = PdfReader(BytesIO(tab.pdf(format=size, prefer_css_page_size=True)))
    (page,) = printed.pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == A4
    text = page.extract_text()
    assert text.count("3.145") == 2 and "value" in text and "Next" not in text


@pytest.mark.parametrize("page", [MACHINE, "book/home.html", "notebooks/10_block.html"])
def test_no_type_of_a_drawing_is_small_on_a_phone(book, page):
    tab, _ = book.visit(page, "narrow")
    assert tab.evaluate(SMALL, 11) == []
    assert len(tab.evaluate(SMALL, 99)) > 5, "and type that is small is found"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["slides", "slides_today"])
def test_each_slide_is_a_sheet_in_landscape(book, page):
    with book.tab(viewport={"width": 1280, "height": 900}) as (tab, log):
        tab.goto(book.url(f"book/{page}.html"))
        slides = tab.locator(".pencil-slides figcaption").all_inner_texts()
        tab.locator(".pencil-slides").get_by_role("button", name="Next").first.click()  # what is later on the screen is there on paper
        printed = PdfReader(BytesIO(tab.pdf(format="Letter", prefer_css_page_size=True)))
        assert log.wrong == []
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in printed.pages} == {A4[::-1]}
    texts = ["".join(normalize("NFKC", page.extract_text()).split()) for page in printed.pages]  # NFKC: the font joins f and i
    assert [text.startswith("".join(slide.split())) for text, slide in zip(texts, slides, strict=True)] == [True] * len(slides)
