"""Navigation: an editable number on the first page, search, the list of chapters, and the 404 page."""

import re
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup, SoupStrainer
from conftest import SETTLED
from gates import too_heavy
from labs import put
from playwright.sync_api import expect

from pencil.paths import ROOT
from pencil.widgets import RowLab

HOME = "book/home.html"
DEEP = "notebooks/no/such/page.html"
CHAPTERS = list(yaml.safe_load((ROOT / "book/path.yml").read_text(encoding="utf-8")))
SITE = "https://transformers-by-pencil.github.io/transformers-by-pencil"
FOUND = [("softmax", "05_soft_lookup"), ("WANT", "06_look_across"), ("portion", "06_look_across"), ("patch", "15_vit")]


DRAWN = """drawing => [[...drawing.querySelectorAll("svg .pencil-number")].map(number => [number.dataset.value, number.textContent]),
  [...drawing.querySelectorAll("[data-paint]")].map(arrow => Number(arrow.getAttribute("stroke-width")))]"""
THREE_LESS = -40  # pixels to the side: three steps and a bit


@pytest.mark.parametrize("way, scheme", [("wide", "http"), ("narrow", "file")])
def test_attention_is_seen_and_alive_where_the_first_page_opens(book, way, scheme):
    """Nobody scrolls: a number is dragged in the picture, and its shares, its arrows and the sentences follow."""
    lab = RowLab()
    tab, log = book.visit(HOME, way, scheme)
    tab.set_viewport_size({"width": 390, "height": 844} if way == "narrow" else {"width": 1280, "height": 800})
    drawing = tab.locator(".pencil-drawing")
    shown = drawing.locator("svg").bounding_box()
    assert shown["y"] > 0 and shown["y"] + shown["height"] < tab.viewport_size["height"]
    numbers, arrows = drawing.evaluate(DRAWN)
    assert [text for _, text in numbers] == [lab.worked.number(name) for name, _ in numbers] and arrows[0] < arrows[1]
    drag(tab, drawing.locator("[data-value='ended.key[0]']"), THREE_LESS)
    put(lab, "key", 4, 0)
    numbers, arrows = drawing.evaluate(DRAWN)
    assert [text for _, text in numbers] == [lab.worked.number(name) for name, _ in numbers] and arrows[0] == arrows[1]
    share = tab.locator("article p > .pencil-number[data-value='nolan.weights[ended]']")
    tab.evaluate(SETTLED)
    assert share.inner_text() == "0.500" == lab.worked.number("nolan.weights[ended]")
    assert not tab.locator(".pencil-card").count(), "what ends a drag is no click"
    tab.wait_for_url("**/home.html#pencil:/key:4=0")
    drawing.locator("[data-value='ended.key[0]']").click()
    assert tab.locator(".pencil-card input").input_value() == "0"
    assert log.wrong == []


def drag(tab, number, by):
    """With the mouse, from the middle of a number to the side."""
    at = number.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + by, y, steps=5)
    tab.mouse.up()


def test_a_finger_drags_a_number_and_scrolls_beside_it(book):
    tab, _ = book.visit(HOME, "narrow", "file")
    number = tab.locator(".pencil-drawing [data-value='ended.key[0]']")
    assert number.evaluate("number => getComputedStyle(number).touchAction") == "pan-y pinch-zoom"
    touched = tab.context.new_cdp_session(tab)
    at = number.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    for kind, by in (("touchStart", 0), ("touchMove", 20), ("touchMove", 40), ("touchEnd", None)):
        points = [] if by is None else [{"x": x + by, "y": y}]
        touched.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert number.text_content() == "6"


def test_the_first_page_reads_without_a_script(book):
    with book.tab(java_script_enabled=False) as (tab, _):
        tab.goto(book.url(HOME))
        assert tab.locator(".pencil-drawing svg .pencil-number").last.text_content() == "0.953"
        assert "the larger the share: [0.047, 0.953]" in " ".join(tab.locator(".pencil-drawing ol").inner_text().split())


@pytest.mark.parametrize("scheme", ["file", pytest.param("http", marks=pytest.mark.slow)])
def test_search_finds_a_word_in_its_chapter(book, scheme):
    for word, chapter in FOUND:
        tab, log = book.visit(f"search.html?q={word}", scheme=scheme)
        tab.locator(f'#search-results li a[href*="notebooks/{chapter}"]').first.wait_for()  # the pages found come one by one
        assert log.wrong == [], word


SENTENCES = [  # what is asked, the page that comes first, the words that are marked in its sentence, and where it leads
    ("softmax", "Glossary: softmax, stable softmax", [], "book/glossary.html#term-softmax"),
    ("cross-attention", "Glossary: cross-attention", ["Attention"], "book/glossary.html#term-cross-attention"),
    ("causal mask", "Glossary: causal mask", [], "book/glossary.html#term-causal-mask"),
    ("two questions", None, ["two", "questions"], None),
    ("head", "Glossary: head", ["heads"], "book/glossary.html#term-head"),
    ("how to install", "How to use this book: How do you install it?", [], "book/how_to_use.html#how-do-you-install-it"),
]


@pytest.mark.parametrize("scheme", ["file", pytest.param("http", marks=pytest.mark.slow)])
@pytest.mark.parametrize("asked, first, marked, leads", SENTENCES)
def test_search_shows_the_sentence_and_each_page_once(book, scheme, asked, first, marked, leads):
    tab, log = book.visit(f"search.html?q={asked}", scheme=scheme)
    found = tab.locator("#search-results li")
    found.first.wait_for()
    pages = found.locator("a").evaluate_all("links => links.map(link => link.href.split('#')[0])")
    assert len(set(pages)) == len(pages) > 1
    best = found.first
    assert {mark.lower() for mark in best.locator("mark").all_inner_texts()} >= {word.lower() for word in marked}
    if first:
        assert best.locator("a").inner_text() == first and best.locator("a").get_attribute("href") == leads
    shown = found.locator("p.context").all_inner_texts()
    assert len(shown) > len(pages) / 2 and max(map(len, shown)) < 320
    assert too_heavy(book, log.asked) == [] and log.wrong == []
    best.locator("a").click()
    tab.wait_for_url(lambda url: "search.html" not in url)
    assert tab.evaluate("typeof SphinxHighlight") == "undefined", "it marks the words asked for on any page that is opened next"
    assert tab.evaluate("!location.hash || document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null")


def test_where_no_page_has_all_the_words_those_with_most_are_shown(book):
    tab, log = book.visit("search.html?q=softmax+zzqqy")
    assert tab.locator("#search-results li a").first.inner_text() == "Glossary: softmax, stable softmax" and log.wrong == []


def test_search_explains_a_symbol_of_the_formulas(book):
    tab, log = book.visit("search.html?q=W_O")
    best = tab.locator("#search-results li").first
    assert best.locator("a").inner_text() == "Glossary: output projection, W_O"
    assert best.locator("p.context").inner_text() == "The weight matrix after the heads." and log.wrong == []


@pytest.mark.parametrize("asked", ["zzqqy", "with"])  # the second is in titles, but the index leaves it out
def test_what_is_nowhere_is_said(book, asked):
    tab, _ = book.visit(f"search.html?q={asked}")
    tab.get_by_text("Nothing was found.").wait_for()
    assert tab.get_by_text("Found for").count() == 0


@pytest.mark.parametrize(
    "asked, meant",
    [
        ("cross atention", "cross-attention"),
        pytest.param("sofmtax", "softmax", marks=pytest.mark.slow),
        pytest.param("perplexty", "perplexity", marks=pytest.mark.slow),
        pytest.param("how does it lern", "how does it learn", marks=pytest.mark.slow),
    ],
)
def test_a_misspelt_word_is_searched_for_as_the_nearest(book, asked, meant):
    tab, log = book.visit(f"search.html?q={asked}")
    tab.locator("#search-results li").first.wait_for()
    tab.get_by_text(f"Found for {meant}.").wait_for()
    tab.get_by_role("link", name=asked, exact=True).click()
    tab.wait_for_url("**&typed")
    tab.wait_for_function("document.querySelector('#search-results h2')?.textContent === 'What was found'")
    assert tab.get_by_text(f"Found for {meant}.").count() == 0 and log.wrong == []


@pytest.mark.parametrize("scheme", ["file", pytest.param("http", marks=pytest.mark.slow)])
def test_the_book_remembers_where_a_reader_stopped_until_it_is_to_forget(book, scheme):
    with book.tab() as (tab, log):
        tab.goto(book.url(HOME, scheme))
        place = tab.locator(".pencil-place")
        assert place.inner_text() == ""
        tab.goto(book.url("notebooks/06_look_across.html", scheme))
        tab.evaluate("document.getElementById('why-are-the-scores-divided').scrollIntoView()")
        tab.wait_for_function("(localStorage.getItem('pencil.place') ?? '').includes('why-are-the-scores-divided')")
        for page in ("book/how_to_use.html", HOME):
            tab.goto(book.url(page, scheme))
            expect(place).to_contain_text("You stopped in 6 · The look-across machine, at “Why are the scores divided?”.")
        stored = tab.evaluate("localStorage.getItem('pencil.place')")
        place.get_by_role("button", name="Forget it").click()
        tab.reload()
        assert place.inner_text() == ""
        half_a_sign = r'{"page": "06_look_across", "title": "a", "section": "\ud800", "head": ""}'
        elsewhere = '{"page": "../../x", "title": "a", "section": "", "head": ""}'
        for hostile in (half_a_sign, "{", elsewhere, '{"page": "06_look_across", "title": 7}', "null"):
            tab.evaluate("text => localStorage.setItem('pencil.place', text)", hostile)
            tab.reload()
            assert place.inner_text() == "", hostile
        tab.evaluate("text => localStorage.setItem('pencil.place', text)", stored)
        tab.reload()
        place.get_by_role("link").click()
        tab.wait_for_url("**/06_look_across.html#why-are-the-scores-divided")
        assert log.wrong == []


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_the_address_of_the_book_leads_to_its_first_page(book, scheme):
    tab, log = book.visit("index.html", scheme=scheme)
    tab.wait_for_url(book.url(HOME, scheme))
    assert tab.locator("article h1").is_visible() and log.wrong == []
    redirect = BeautifulSoup((book.folder / "index.html").read_text(encoding="utf-8"), "html.parser")
    icon = redirect.find("link", rel="icon")["href"]  # without one a browser asks the host for /favicon.ico, unless it is gone before
    assert (book.folder / icon).is_file() and redirect.find("a")["href"] == HOME


def times(page):  # -> list of str
    """The lines of time that are written into a page."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser", parse_only=SoupStrainer("div", class_=re.compile(r"\bpencil-time\b")))
    return [" ".join(found.get_text().split()) for found in soup.select(".pencil-time")]


OF_THE_BOOK = "A chapter of Transformers by Pencil, which works a transformer out by hand."


def test_home_and_the_title_of_a_chapter_say_the_same_time(built):
    stops = dict(zip(CHAPTERS, times(built / HOME), strict=True))
    for name, said in stops.items():
        assert re.match(r"\d+ minutes to read, \d+ more with the pencil\. (Goes on from|Stands by itself)", said)
        assert times(built / f"notebooks/{name}.html") == [f"{said} {OF_THE_BOOK}"], name


def mirror(built, folder):  # -> a route of Playwright's
    """The book in a folder of a static host, which shows 404.html where there is nothing, as GitHub does."""

    def answer(route):
        path = unquote(urlsplit(route.request.url).path).removeprefix(folder).lstrip("/")
        file = built / (path or "index.html")
        route.fulfill(path=file if file.is_file() else built / "404.html", status=200 if file.is_file() else 404)

    return answer


@pytest.mark.parametrize(
    "root",
    [
        pytest.param("https://some.host.invalid", id="at the top of a host", marks=pytest.mark.slow),
        pytest.param(SITE, id="in a folder, on its own site"),
        pytest.param(f"https://some.host.invalid/any{urlsplit(SITE).path}", id="in a folder of its name, on another host", marks=pytest.mark.slow),
        pytest.param(None, id="from a file", marks=pytest.mark.slow),
    ],
)
def test_an_address_that_leads_nowhere_leads_back(book, built, root):
    with book.tab() as (tab, log):
        log.own += (f"{root}/",)
        tab.route(f"{root}/**", mirror(built, urlsplit(root or "").path))
        lost = f"{root}/{DEEP}" if root else book.url("404.html")
        tab.goto(lost)
        assert tab.locator("article h1").inner_text() == "There is no such page"
        assert tab.locator("article ul a").count() == len(CHAPTERS)
        assert tab.evaluate("getComputedStyle(document.querySelector('.pencil-lost')).display") == "flex"  # the style sheet was found
        assert tab.evaluate("document.querySelector('a[href$=\"#main-content\"]').href") == f"{lost}#main-content"
        tab.locator("article ul a").nth(5).click()
        tab.wait_for_url("**/notebooks/06_look_across.html")
        tab.go_back()
        tab.locator("#pencil-lost").fill("softmax")
        tab.locator("#pencil-lost").press("Enter")
        tab.locator('#search-results li a[href*="notebooks/05_soft_lookup"]').first.wait_for()
    ahead = "/no/such/"  # the browser looks ahead for style sheets, before the page says where its root is
    assert [said for said in log.wrong if ahead not in said and "status of 404" not in said] == []


def test_the_search_is_in_sight_where_the_contents_are_scrolled_to_a_late_chapter(book):
    with book.tab(viewport={"width": 1280, "height": 720}) as (tab, log):
        tab.goto(book.url("notebooks/20_fewer_bits.html"))
        tab.wait_for_function("document.querySelector('#pst-primary-sidebar').scrollTop > 100")
        button = tab.get_by_role("button", name="Search").and_(tab.locator(".header-article__inner *"))
        tab.evaluate("scrollTo(0, 3000)")
        assert 0 <= button.bounding_box()["y"] < 100
        button.click()  # nothing lies upon it
        expect(tab.locator("dialog input[type=search]")).to_be_focused()
        assert log.wrong == []
