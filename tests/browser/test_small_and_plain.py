"""A page at 400 %, in a small window, and in the colours of the system: nothing covers what is read, and nothing vanishes."""

from io import BytesIO

import pytest
from card_checks import covered
from conftest import CHAPTERS, OPEN_LINES
from gates import violations
from live_page import LOOK, change
from PIL import Image

SMALL = {"viewport": {"width": 320, "height": 256}}
STAYS = """() => [...document.querySelectorAll("body *")].filter(one => {
  const { position, top, bottom } = getComputedStyle(one) // a caption that stays at the left of a wide table has neither
  return (position === "fixed" || position === "sticky" && !(top === "auto" && bottom === "auto"))
    && !one.closest("dialog, [class*=bd-sidebar], .skip-link") && one.checkVisibility()
}).map(one => one.outerHTML.slice(0, 80))"""
BETWEEN = "one => { const { top, bottom } = one.getBoundingClientRect(); return [top, bottom] }"
NUMBERS = ("nolan.weights[ended]", "nolan.query[0]")


def test_nothing_stays_at_an_edge_of_a_low_window(book):
    with book.tab(**SMALL) as (tab, log):
        tab.goto(book.url(LOOK))
        change(tab, "params.query", 0, 3)
        tab.locator(".pencil-drawing [data-go='1']").first.click()
        tab.locator(".pencil-lab .pencil-heat caption").first.wait_for(state="attached")  # what its lab brings is there too
        assert tab.evaluate(STAYS) == [] and log.wrong == []


@pytest.mark.parametrize(
    "page", ["notebooks/14b_chatbot.html", *(pytest.param(page, marks=pytest.mark.slow) for page in CHAPTERS if "14b" not in page)]
)
def test_what_scrolls_in_a_small_window_takes_focus(book, page):
    with book.tab(**SMALL) as (tab, log):
        tab.goto(book.url(page))
        tab.locator("html.pencil-started").wait_for(state="attached")
        tab.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
        tab.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert violations(tab, runOnly=["scrollable-region-focusable"], rules={}) == [] and log.wrong == []


@pytest.mark.parametrize("size", [(320, 256), pytest.param((390, 844), marks=pytest.mark.slow)])
@pytest.mark.parametrize("reference", NUMBERS)
def test_a_card_is_whole_in_a_small_window_beside_a_reader_s_numbers(book, size, reference):
    with book.tab(viewport={"width": size[0], "height": size[1]}) as (tab, log):
        tab.goto(book.url(LOOK))
        change(tab, "params.query", 0, 3)
        tab.evaluate(OPEN_LINES)
        number = tab.locator(f"article .pencil-worked .pencil-number[data-value='{reference}']").first
        number.scroll_into_view_if_needed()
        number.click()
        card = tab.locator(".pencil-card")
        assert covered(tab, number.element_handle()) == []
        assert card.bounding_box()["height"] > 120
        close = card.get_by_role("button", name="Close")
        close.scroll_into_view_if_needed()  # the card scrolls where it is too small for all that it says
        close.click(timeout=5000)
        assert not card.is_visible() and log.wrong == []


@pytest.mark.parametrize("size", [(390, 500), *(pytest.param(size, marks=pytest.mark.slow) for size in ((390, 844), (1280, 720), (700, 600)))])
def test_the_bar_of_the_steps_lies_above_that_of_the_changes(book, size):
    with book.tab(viewport={"width": size[0], "height": size[1]}) as (tab, _):
        tab.goto(book.url(LOOK))
        change(tab, "params.query", 0, 3)
        drawing = tab.locator(".pencil-drawing:has(.pencil-steps)").first
        drawing.locator("[data-go='1']").click()
        for _ in range(4):
            tab.keyboard.press("ArrowRight")
            drawing.evaluate("one => scrollTo(0, one.getBoundingClientRect().top + scrollY - 20)")
            tab.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert drawing.locator(".pencil-steps").evaluate(BETWEEN)[1] <= tab.locator(".pencil-changed").evaluate(BETWEEN)[0] + 1


def inked(place):  # -> int
    """How many colours a part of the page shows."""
    return len(Image.open(BytesIO(place.screenshot())).convert("RGB").getcolors(100_000))


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_bars_and_signs_are_seen_in_the_colours_of_the_system(book, scheme):
    with book.tab(viewport={"width": 1280, "height": 900}, forced_colors="active", color_scheme=scheme) as (tab, log):
        tab.goto(book.url(LOOK))
        bar = tab.locator(".pencil-bars .bar span").last
        bar.scroll_into_view_if_needed()
        ink = {"light": "rgb(0, 0, 0)", "dark": "rgb(255, 255, 255)"}[scheme]
        assert bar.evaluate("one => getComputedStyle(one).backgroundColor") == ink
        signs = [one for one in tab.locator(".header-article__inner .btn:has(i, span.fa-solid, .theme-switch)").all() if one.is_visible()]
        assert len(signs) > 3
        for sign in signs:
            assert inked(sign) > 1, sign.evaluate("one => one.outerHTML")
        assert log.wrong == []
