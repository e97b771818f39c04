"""A reader finds the way: a number to change at once on the first page, the search, the path, and the page for an address that leads nowhere."""

import re
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from conftest import PHONE
from labs import cell, expected, put, shown

from pencil.clone import ROOT
from pencil.widgets import RowLab

both_schemes = pytest.mark.parametrize("scheme", ["file", "http"])
HOME = "book/home.html"
DEEP = "notebooks/no/such/page.html"
CHAPTERS = list(yaml.safe_load((ROOT / "book/path.yml").read_text(encoding="utf-8")))
SITE = "https://transformers-by-pencil.github.io/transformers-by-pencil"
FOUND = [("softmax", "05_soft_lookup"), ("WANT", "06_look_across"), ("portion", "06_look_across"), ("patch", "15_vit")]


@both_schemes
@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}], ids=["wide", "narrow"])
def test_a_row_of_attention_is_live_on_the_first_page(book, scheme, options):
    lab = RowLab()
    with book.tab(**options) as (tab, log):
        tab.goto(book.url(HOME, scheme))
        box = tab.locator(".pencil-lab")
        assert shown(box) == expected(lab)
        cell(box, "key", 4).fill("0")
        put(lab, "key", 4, 0)
        assert shown(box) == expected(lab)
        tab.wait_for_url("**/home.html#pencil:RowLab/key:4=0")
        assert log.wrong == []


def test_the_first_page_reads_without_a_script(book):
    with book.tab(java_script_enabled=False) as (tab, _):
        tab.goto(book.url(HOME))
        assert tab.locator(".pencil-bars td .pencil-number, .pencil-bars td:not(.bar)").last.inner_text().strip() == "0.953"


@both_schemes
@pytest.mark.parametrize("word, chapter", FOUND)
def test_search_finds_a_word_in_its_chapter(book, scheme, word, chapter):
    with book.tab() as (tab, log):
        tab.goto(book.url(f"search.html?q={word}", scheme))
        tab.locator(f'#search-results li a[href*="notebooks/{chapter}"]').first.wait_for()
    assert log.wrong == []


def test_home_and_the_title_of_a_chapter_say_the_same_time(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(HOME))
        stops = dict(zip(CHAPTERS, tab.locator(".pencil-path .pencil-time").all_inner_texts(), strict=True))
        for name, said in stops.items():
            assert re.match(r"\d+ minutes to read, \d+ with the pencil\. (Goes on from|Stands by itself)", said)
            tab.goto(book.url(f"notebooks/{name}.html"))
            assert tab.locator("h1 ~ .pencil-time").inner_text() == said


def mirror(built, folder):  # -> a route of Playwright's
    """The book in a folder of a static host, which shows 404.html where there is nothing, as GitHub does."""

    def answer(route):
        path = unquote(urlsplit(route.request.url).path).removeprefix(folder).lstrip("/")
        file = built / (path or "index.html")
        route.fulfill(path=file if file.is_file() else built / "404.html", status=200 if file.is_file() else 404)

    return answer


@pytest.mark.parametrize(
    "root",
    ["https://some.host.invalid", SITE, f"https://some.host.invalid/any{urlsplit(SITE).path}", None],
    ids=["at the top of a host", "in a folder, on its own site", "in a folder of its name, on another host", "from a file"],
)
def test_an_address_that_leads_nowhere_leads_back(book, built, root):
    with book.tab() as (tab, log):
        tab.route(f"{root}/**", mirror(built, urlsplit(root or "").path))
        lost = f"{root}/{DEEP}" if root else book.url("404.html")
        tab.goto(lost)
        assert tab.locator("article h1").inner_text() == "There is no such page"
        assert tab.locator("article ol a").count() == len(CHAPTERS)
        assert tab.evaluate("getComputedStyle(document.querySelector('.pencil-lost')).display") == "flex"  # the style sheet was found
        assert tab.evaluate("document.querySelector('a[href$=\"#main-content\"]').href") == f"{lost}#main-content"
        tab.locator("article ol a").nth(5).click()
        tab.wait_for_url("**/notebooks/06_look_across.html")
        tab.go_back()
        tab.locator("#pencil-lost").fill("softmax")
        tab.locator("#pencil-lost").press("Enter")
        tab.locator('#search-results li a[href*="notebooks/05_soft_lookup"]').first.wait_for()
    ahead = "/no/such/"  # the browser looks ahead for style sheets, before the page says where its root is
    assert [said for said in log.wrong if ahead not in said and "status of 404" not in said] == []
