"""The oldest browsers that the page is written for: what newer ones brought is taken away, and the chapters work still."""

import pytest
from chapter_checks import (
    every_question_takes_the_right_answer_its_mistakes_and_nonsense,
    labs_follow_and_go_back_to_the_letter,
    labs_that_carry_their_numbers_find_them,
)
from labs import STYLES
from number_checks import all_numbers_of_a_run_follow_save_sizes
from old_browsers import take_away, too_new, used

from pencil.cli import web
from pencil.paths import ROOT

CHECKS = (
    all_numbers_of_a_run_follow_save_sizes,
    labs_follow_and_go_back_to_the_letter,
    labs_that_carry_their_numbers_find_them,
    every_question_takes_the_right_answer_its_mistakes_and_nonsense,
)


@pytest.fixture(scope="module")
def old(book):
    """A tab in which nothing newer is left."""
    with book.tab(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as (tab, log):
        tab.add_init_script(take_away())
        yield tab, log


LATER = [pytest.param(name, marks=pytest.mark.slow) for name in ("06_look_across", "14_tiny_gpt")]


@pytest.mark.parametrize("chapter", ["19_experts", *LATER])
def test_a_chapter_works_without_what_newer_browsers_brought(book, old, chapter):
    tab, log = old
    page = f"notebooks/{chapter}.html"
    tab.goto(book.url(page, "http"))
    assert {"Array.toSorted", "Array.with", "Object.groupBy", "Document.adoptedStyleSheets", "requestIdleCallback"} <= {
        one.removeprefix("Window.") for one in tab.evaluate("taken")
    }
    for check in CHECKS:
        check(tab, page)
    assert log.wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["file", "http"])
def test_the_search_works_without_what_newer_browsers_brought(book, old, scheme):
    tab, log = old
    tab.goto(book.url("search.html", scheme) + "?q=layer+norm")
    assert "/book/glossary.html#" in tab.locator("#search-results li a").first.evaluate("link => link.href")
    assert log.wrong == []


SKIPPED = {  # what some of the oldest browsers skip in a style sheet: what their reader sees instead
    "function color-mix": "no shade; tables.css has another one for the numbers of a table",
    "property box-decoration-break": "a border that is open where a number is broken over two lines",
    "property break-after": "a print that may part a picture from its text",
    "property break-before": "a print that may part a picture from its text",
    "property content-visibility": "a page that is laid out in one go",
    "property cursor": "no pointer on a phone",
    "property field-sizing": "a field of fixed width in a card",
    "property font-family": "the formulas' own font, which is named before",
    "property forced-color-adjust": "no high contrast in Safari, so nothing to leave out",
    "property hyphens": "words that are not divided",
    "property mask-image": "the same with -webkit-",
    "property orphans": "a print with single lines",
    "property print-color-adjust": "the same with -webkit-",
    "property scrollbar-gutter": "a field that grows narrower once it scrolls",
    "property scrollbar-width": "a scroll bar below the matrices",
    "property text-decoration": "the same with -webkit-",
    "property text-wrap": "headings with a short last line",
    "property user-select": "the same with -webkit-",
    "property widows": "a print with single lines",
    "rule media forced-colors": "no high contrast in Safari",
    "rule page": "a print of the browser's own size",
    "selector details-content": "folded boxes that stay folded in print",
    "selector has": "wider cells, closer labels, a picture whose page in print is upright",
}


def test_what_the_style_sheets_use_is_there_in_the_oldest_browsers_or_can_be_missed():
    lacking = {name for name, browsers in too_new()["styles"].items() if browsers}
    found = set().union(*(used(path.read_text(encoding="utf-8")) for path in STYLES)) & lacking
    whole = {name if name in SKIPPED else " ".join(name.split(" ")[:2]) for name in found}
    assert whole == set(SKIPPED)
    assert used("a:has(b) { color: color-mix(in srgb, red, blue); @media (scripting: none) { c { d: e } } }") >= {
        "selector has",
        "function color-mix",
        "selector nesting",
    }


@pytest.mark.parametrize("page", ["README.md", "book/how_to_use.md"])
def test_readers_are_told_the_oldest_browsers_that_the_scripts_are_written_for(page):
    oldest = web.OLDEST
    assert oldest["chrome"] == oldest["edge"] and oldest["safari"] == oldest["ios"]
    said = "Chrome or Edge {chrome}, Firefox {firefox} and Safari {safari}".format(**oldest)
    assert said in (ROOT / page).read_text(encoding="utf-8")


UNSCRIPTED = "The script of this page does not run here"


@pytest.mark.parametrize("way", ["without scripts", "with a script that cannot be read", "with a script that fails"])
def test_where_the_script_does_not_run_the_page_says_so_and_can_be_read(book, way):
    with book.tab(java_script_enabled=way != "without scripts") as (tab, log):
        broken = {"with a script that cannot be read": "const a = /(?<", "with a script that fails": "[].nothingLikeIt()"}
        if way in broken:
            tab.route("**/_static/pencil.js*", lambda route: route.fulfill(body=broken[way], content_type="text/javascript"))
        tab.goto(book.url("notebooks/06_look_across.html", "http"))
        line = tab.locator("article p.pencil-unscripted")
        assert line.is_visible() and UNSCRIPTED in line.text_content()
        oldest = {name.capitalize(): version for name, version in web.OLDEST.items()}
        assert f"Edge {oldest['Edge']}, Firefox {oldest['Firefox']}, Safari {oldest['Safari']} or newer" in line.text_content()
        assert tab.locator("article .pencil-worked p").first.is_visible() and tab.locator(".your-turn").first.is_visible()
        tab.emulate_media(media="print")
        assert not line.is_visible()
        assert sum(said.startswith("script error: ") for said in log.wrong) == (way in broken)


def test_a_reader_with_scripts_sees_no_such_line(book):
    tab, log = book.visit("notebooks/06_look_across.html", scheme="http")
    assert tab.locator("p.pencil-unscripted").count() == 0 and tab.locator("noscript.pencil-unscripted").count() == 1
    assert not tab.get_by_text(UNSCRIPTED).first.is_visible() and log.wrong == []
