"""The main ways of a reader in Firefox and WebKit: every page opens, a card, a changed number, an answer, labs, the search, a link, print."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from conftest import CHAPTERS, PAGES
from firefox import firefox
from labs import LABS, PARTS, expected, put, text
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from webkit import webkit

from pencil.cli import browser
from pencil.errors import TaskError

pytestmark = pytest.mark.slow

ENGINES = {"firefox": firefox, "webkit": webkit}
PATIENCE = 120  # seconds
LOOK = "notebooks/06_look_across.html"
# Before any other script of a page: whatever goes wrong in it, also a file that it does not find
LISTENING = """<head><script>var wrong = []
addEventListener("error", function (event) { wrong.push(event.message || "not found: " + (event.target.src || event.target.href)) }, true)
addEventListener("unhandledrejection", function (event) { wrong.push(String(event.reason)) })
</script>"""
IS_STARTED = "return document.documentElement.classList.contains('pencil-started')"
IS_WIDE = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
EDIT = """const cell = document.querySelector(".pencil-cell")
cell.value = "0.5"
cell.dispatchEvent(new InputEvent("input", { bubbles: true }))
return (LAB)(document.querySelector(".pencil-lab"))""".replace("LAB", PARTS)
FIRST = {
    "05_soft_lookup": ("softmax", "scores"),
    "06_look_across": ("attention", "embedding"),
    "10_block": ("block", "x"),
    "12_masks": ("mask", "scaled"),
    "15_vit": ("patch", "class_token"),
}
SCORES = "article p > .pencil-number[data-value='nolan.scores']"


@pytest.fixture(scope="module")
def copied(built, tmp_path_factory):
    """The book, whose pages write down what goes wrong in them."""

    def copy(source, target):
        if Path(source).suffix == ".html":
            Path(target).write_text(Path(source).read_text(encoding="utf-8").replace("<head>", LISTENING, 1), encoding="utf-8")
        else:
            shutil.copyfile(source, target)

    folder = tmp_path_factory.mktemp("engines") / "html"
    shutil.copytree(built, folder, copy_function=copy)
    return folder


@pytest.fixture(scope="module", params=ENGINES)
def engine(request, tmp_path_factory):
    """A running engine; where it can be had and is missing the tests fail."""
    try:
        path = browser.find_other(request.param)
    except TaskError as missing:
        if sys.platform == "linux":
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    with ENGINES[request.param](path, tmp_path_factory.mktemp(request.param)) as driver:
        driver.set_window_rect(width=1280, height=900)
        yield driver


@pytest.fixture
def visit(engine, copied):
    """A function: opens a page of the book from its file; in the end nothing may have gone wrong on the page."""

    def visit(page):
        engine.get("about:blank")  # else a place on the same page is no new visit
        engine.get(f"{copied.as_uri()}/{page}")
        return engine

    yield visit
    assert engine.execute_script("return wrong") == []


def until(engine, script, *args):
    """Wait until a script gives something true. -> it"""
    return WebDriverWait(engine, PATIENCE).until(lambda driver: driver.execute_script(script, *args))


def one(engine, selector):
    """The first element of a selector, in the middle of the window."""
    found = engine.find_element(By.CSS_SELECTOR, selector)
    engine.execute_script("arguments[0].scrollIntoView({ block: 'center' })", found)
    return found


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_every_page_opens(engine, copied, over_http, scheme):
    assert any(copied.rglob("*.html"))
    with over_http(copied) as address:
        for page in PAGES[:: 2 if scheme == "file" else 4]:  # Chromium opens them all
            engine.get(f"{copied.as_uri() if scheme == 'file' else address}/{page}")
            assert engine.execute_script("return wrong") == [], page
            if page in CHAPTERS:
                assert engine.execute_script(IS_STARTED), page
                assert not engine.execute_script(IS_WIDE), page


@pytest.mark.parametrize("chapter", FIRST)
def test_a_lab_follows(visit, chapter):
    name, given = FIRST[chapter]
    lab = LABS[name]()
    parts = visit(f"notebooks/{chapter}.html").execute_script(EDIT)
    put(lab, given, 0, 0.5)
    assert [[text(one) for one in part] for part in parts] == expected(lab)


def test_a_chapter_follows_a_link(visit):
    engine = visit(f"{LOOK}#pencil:/embedding:0=3")
    assert text(engine.execute_script(f'return document.querySelector("{SCORES}").textContent')) == "[3, 11]"


def test_a_card_opens_and_a_number_is_changed_in_it(visit):
    engine = visit(LOOK)
    one(engine, SCORES).click()
    until(engine, "return document.querySelector('.pencil-card:not([hidden])')?.checkVisibility()")
    engine.find_element(By.CSS_SELECTOR, ".pencil-card").send_keys(Keys.ESCAPE)
    one(engine, "article p > .pencil-number.given[data-value='nolan.embedding']").click()
    field = until(engine, "return document.querySelector('.pencil-card input')")
    before = engine.execute_script("return document.querySelector('article').textContent")
    field.clear()
    field.send_keys("3 1 1 0", Keys.ENTER)
    until(engine, "return document.querySelector('.pencil-changed').checkVisibility()")
    assert engine.execute_script("return pencil.runs.changes.length") == 1
    assert engine.execute_script("return document.querySelector('article').textContent") != before
    field.send_keys(Keys.ESCAPE)
    engine.find_element(By.CSS_SELECTOR, ".pencil-changed button:last-child").click()
    until(engine, "return pencil.runs.changes.length === 0")
    assert engine.execute_script("return document.querySelector('article').textContent") == before


def test_numbers_survive_a_link_of_the_page_and_are_taken_back(visit):
    engine = visit(f"{LOOK}#pencil:/embedding:0=3")
    engine.execute_script("document.querySelector('.bd-sidebar-secondary a[href^=\"#\"]').click()")
    assert re.fullmatch(r"#pencil:/embedding:0=3@[\w-]+", until(engine, "return location.hash.includes('@') && location.hash"))
    one(engine, "article p > .pencil-number.given[data-value='nolan.embedding']").click()
    field = until(engine, "return document.querySelector('.pencil-card input')")
    field.clear()
    field.send_keys("3 1 1 7")
    until(engine, "return pencil.changes.length === 2")
    engine.execute_script("history.back()")
    until(engine, "return location.hash === '#pencil:/embedding:0=3,/embedding:3=7'")
    assert engine.execute_script("return pencil.changes.length") == 2
    engine.find_element(By.CSS_SELECTOR, ".pencil-changed button").click()
    until(engine, "return location.hash === '#pencil:/embedding:0=3'")


def test_a_question_is_answered(visit):
    engine = visit(LOOK)
    form = "[data-turn='score'] form.pencil-answer"
    for answer, says in (("2", None), ("3", "Right.")):
        field = one(engine, f"{form} input[type=text]")
        field.clear()
        field.send_keys(answer, Keys.ENTER)
        said = until(engine, f'return document.querySelector("{form} .says").textContent')
        assert said == says or (says is None and said != "Right.")


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_the_search_finds(engine, copied, over_http, scheme):
    with over_http(copied) as address:
        engine.get(f"{copied.as_uri() if scheme == 'file' else address}/search.html?q=layer+norm")
        found = until(engine, "return document.querySelector('#search-results li a')?.href")
        assert re.search(r"/(book|notebooks)/\w+\.html#", found)
        assert engine.execute_script("return wrong") == []


# No driver shows a page as it is printed: here what holds in print holds on the screen.
AS_PRINTED = """for (const { cssRules } of document.styleSheets)
  for (const { media } of cssRules)
    if (/\\b(print|screen)\\b/.test(media?.mediaText)) media.mediaText = /print/.test(media.mediaText) ? "all" : "not all"
dispatchEvent(new Event("beforeprint"))"""
IN_SIGHT = "return [...document.querySelectorAll(arguments[0])].map(one => one.checkVisibility())"


def test_a_page_is_printed_without_its_folded_answers(engine, copied, over_http):
    with over_http(copied) as address:  # from a file, no script may read a style sheet
        engine.get(f"{address}/{LOOK}")
        assert any(engine.execute_script(IN_SIGHT, ".worked-answer"))
        engine.execute_script(AS_PRINTED)
        assert not any(engine.execute_script(IN_SIGHT, ".worked-answer, details.hide, .pencil-changed"))
        assert all(engine.execute_script(IN_SIGHT, "article h2, .wrong-turn > p"))
        if engine.capabilities["browserName"] == "firefox":  # WebKit's driver cannot print
            assert len(engine.print_page()) > 100_000
        assert engine.execute_script("return wrong") == []
