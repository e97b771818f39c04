"""Every page, opened in each of two ways without network: the checks for all pages and chapters."""

import pytest
from chapter_checks import DRAWN, MUTE, ON_A_CHAPTER, ON_ANY_PAGE, READ_LAST
from conftest import CHAPTERS, OPEN_LINES, PAGES, WAYS
from gates import PALE, WIDE, read_to_the_end, too_heavy, violations

SCHEME = {"wide": "http", "narrow": "file"}
BY_AXE = ("book/home.html", "notebooks/06_look_across.html")  # in both ways: these two have every kind of element


QUICK = ("book/home.html", "notebooks/06_look_across.html")  # in both ways
EACH = [  # the other chapters are opened by the slow tests alone
    pytest.param(way, page, marks=() if page in QUICK or (way == "wide" and page not in CHAPTERS) else pytest.mark.slow)
    for way in WAYS
    for page in PAGES
]


@pytest.mark.parametrize("way, page", EACH)
def test_nothing_is_wrong_with(book, subtests, way, page):
    tab, log = book.visit(page, way, SCHEME[way])
    tab.wait_for_function(f"document.documentElement.dataset.theme === '{WAYS[way]['color_scheme']}'")
    for check in ON_ANY_PAGE[way] + (ON_A_CHAPTER[way] if page in CHAPTERS else ()):
        with subtests.test(check.__name__):
            check(tab, page)
    read_to_the_end(tab)
    with subtests.test("width, contrast, weight and log"):
        assert [*tab.evaluate(WIDE), *tab.evaluate(PALE), *too_heavy(book, log.asked)] == []
    for check in READ_LAST[way] if page in CHAPTERS else ():
        with subtests.test(check.__name__):
            check(tab, page)
    assert log.wrong == []
    # axe comes last: it asks a page in a file for its own style sheets, and may not have them
    if page in BY_AXE or (way == "wide" and page in CHAPTERS):
        assert violations(tab) == []


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if page not in (*BY_AXE, *CHAPTERS)])
def test_axe_finds_nothing_on(book, page):
    """As it stands once it was read; a chapter is looked at above, with all hints open and every question answered."""
    tab, _ = book.visit(page, "wide", "http")
    read_to_the_end(tab)
    assert violations(tab) == []


def test_these_are_all_pages(book):
    assert book.pages == PAGES and len(PAGES) > len(CHAPTERS) > 0


@pytest.mark.parametrize("way", WAYS)
def test_axe_finds_nothing_pale_on_the_first_page(book, way):
    """Contrast is measured on every page; here by axe too, so that the two agree."""
    tab, _ = book.visit("book/home.html", way, "http")
    assert violations(tab, runOnly=["color-contrast"], rules={}) == []


@pytest.mark.slow
def test_axe_finds_nothing_on_a_changed_page_with_its_card_open(book):
    tab, _ = book.visit("notebooks/06_look_across.html#pencil:/params.query:0=0.5,AttentionLab/embedding:0=3", scheme="http")
    tab.locator(".pencil-changed").wait_for(state="visible")
    tab.evaluate(OPEN_LINES)
    tab.locator("article .pencil-worked .pencil-number[data-value='nolan.scores[ended]']").first.click()
    tab.locator(".pencil-lab .pencil-cell").first.fill("x")
    assert tab.evaluate(PALE) == [] and violations(tab) == []


PALE_AND_WIDE = """() => document.querySelector("article").insertAdjacentHTML("beforeend", `<button></button>
  <button aria-label="another">Deal a sheet</button><svg role="img" aria-label="a map"></svg>
  <img alt="mute"><div class="pencil-picture"><table></table></div><div class="pencil-lab"><div class="pencil-drawing"><svg></svg></div></div>
  <p style="color: #aaa; background: #fff; width: 5000px">pale and wide</p><p style="color: #000; background: #fff; opacity: 0.4">let through</p>`)"""


def test_each_gate_sees_what_is_wrong(book):
    tab, log = book.visit(CHAPTERS[0], scheme="http")
    assert too_heavy(book, log.asked) == [] and log.wrong == []
    heavy = [f"{book.address}/_static/pencil-writer.js?{number}" for number in range(9)]
    assert "bytes, of them" in too_heavy(book, [*log.asked, *heavy])[0]
    tab.evaluate(PALE_AND_WIDE)
    tab.evaluate("new Image().src = 'https://example.org/outside.png'")
    with tab.expect_response("**/missing.svg"):
        tab.evaluate("new Image().src = 'missing.svg'")
    assert "wider than its window" in tab.evaluate(WIDE)[0]
    assert [said.split(": ")[0] for said in tab.evaluate(PALE)] == ["pale and wide", "let through"]
    assert [[found[:4] for found in tab.evaluate(MUTE, drawn)] for drawn in DRAWN] == [["<img"], ["<svg"], [], ["<svg"], ["<tab"]]
    assert {"button-name", "label-content-name-mismatch"} <= {found.partition(":")[0] for found in violations(tab)}
    assert "asked for https://example.org/outside.png" in log.wrong and any(said.startswith("404: ") for said in log.wrong)
