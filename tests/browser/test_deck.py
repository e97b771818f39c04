"""A deck of slides in a browser: the keys, the full screen, and a sheet for each slide."""

from io import BytesIO
from unicodedata import normalize

from pypdf import PdfReader

from pencil.paths import ROOT, chapter_sources
from pencil.publish.deck import deck

A4 = (842, 595)
AT = "[...document.querySelectorAll('.pencil-deck > *')].findIndex((one) => Math.abs(one.getBoundingClientRect().top) < 5)"
SCROLLS = (
    "() => [...document.querySelectorAll('.pencil-deck > figure')].filter((one) => one.scrollHeight > one.clientHeight + 2).map((one) => one.id)"
)
STEPS = "() => [...document.querySelectorAll('.pencil-deck ol')].filter((one) => one.offsetParent).map((one) => getComputedStyle(one).fontSize)"


def opened(tab, folder, chapter="06"):
    page = folder / "deck.html"
    page.write_text(deck([path for path in chapter_sources(ROOT / "notebooks") if path.name.startswith(chapter)], ROOT), encoding="utf-8")
    tab.goto(page.as_uri())


def reached(tab, at):
    tab.wait_for_function(f"{AT} === {at}")
    return True


def test_the_keys_go_from_step_to_step_and_from_slide_to_slide(book, tmp_path):
    with book.tab(viewport={"width": 1280, "height": 800}) as (tab, log):
        opened(tab, tmp_path)
        assert reached(tab, 0)
        tab.keyboard.press("Space")
        assert reached(tab, 1)
        steps = tab.locator(".pencil-drawing").first.locator("ol li").count()
        for _ in range(steps):
            tab.keyboard.press("ArrowRight")
        assert reached(tab, 1), "the arrows play the steps first"
        assert tab.locator(".pencil-drawing").first.locator("li.now").count() == 1
        tab.keyboard.press("ArrowRight")
        assert reached(tab, 2)
        tab.keyboard.press("PageUp")
        assert reached(tab, 1)
        assert log.wrong == []


def test_the_text_of_a_step_is_large(book, tmp_path):
    with book.tab(viewport={"width": 1920, "height": 1080}) as (tab, log):
        opened(tab, tmp_path)
        tab.get_by_role("button", name="Next").first.click()
        size = tab.locator(".pencil-steps [role=status]").first.evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
        assert size >= 1080 / 32, "a thirtieth of the picture's height is read from the last row"
        assert tab.locator(".stepping > ol").is_hidden() and log.wrong == []


def test_every_slide_of_the_book_fits_its_window_in_type_for_a_hall(book, tmp_path):
    with book.tab(viewport={"width": 1280, "height": 720}) as (tab, log):
        opened(tab, tmp_path, chapter="")
        assert tab.evaluate(SCROLLS) == [] and log.wrong == []
        assert min(float(size.removesuffix("px")) for size in tab.evaluate(STEPS)) > 20


def test_each_slide_is_a_sheet(book, tmp_path):
    with book.tab(viewport={"width": 1280, "height": 800}) as (tab, _):
        opened(tab, tmp_path, "13_")
        printed = PdfReader(BytesIO(tab.pdf(prefer_css_page_size=True))).pages
        slides = tab.locator(".pencil-deck > *").count()
        ends = ["".join(normalize("NFKC", asks).split())[-20:] for asks in tab.locator(".pencil-deck .pencil-asks").all_inner_texts()]
    whole = "".join("".join(normalize("NFKC", page.extract_text()).split()) for page in printed)  # NFKC: the font joins f and i
    assert ends and [end for end in ends if end not in whole] == []
    assert len(printed) == slides and {(round(page.mediabox.width), round(page.mediabox.height)) for page in printed} == {A4}
