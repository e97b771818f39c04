"""The pages run under the Content-Security-Policy that README.md states: no script and no style sheet stands in a page, save one by its hash."""

import base64
import hashlib
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from bs4 import BeautifulSoup
from conftest import CHAPTERS, OPEN_LINES, PAGES, Log
from gates import read_to_the_end

from pencil.paths import ROOT

POLICY = re.search(r"Content-Security-Policy: (.+)", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
LOOK = "notebooks/06_look_across.html"
QUICK = ("404.html", "search.html", "book/home.html")
SHADE = "cell => getComputedStyle(cell).backgroundColor"


@pytest.fixture(scope="module")
def under_policy(built, launched):
    """A function that opens a page of a server that sends the policy. -> tab, log"""

    class Strict(SimpleHTTPRequestHandler):
        def end_headers(self):
            self.send_header("Content-Security-Policy", POLICY)
            super().end_headers()

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Strict, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address, context = f"http://127.0.0.1:{server.server_port}/", launched.new_context(viewport={"width": 1280, "height": 900})
        tab, log = context.new_page(), Log((address,))
        log.listen(tab)

        def visit(page):
            log.wrong.clear()
            tab.goto(f"{address}{page}")
            return tab, log

        yield visit
        context.close()
        server.shutdown()


def test_the_policy_allows_no_script_and_no_style_sheet_in_a_page():
    allowed = {words.split()[0]: words.split()[1:] for words in POLICY.split("; ")}
    assert allowed["default-src"] == ["'none'"] and allowed["style-src"] == ["'self'"]
    assert [word.partition("-")[0] for word in allowed["script-src"]] == ["'self'", "'sha256"]


def test_a_policy_that_is_broken_is_seen(under_policy):
    tab, log = under_policy(LOOK)
    tab.evaluate("document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.broken = 1' }))")
    assert tab.evaluate("window.broken") is None and "Content Security Policy" in log.wrong[0]


@pytest.mark.slow
def test_a_chapter_works_under_it(under_policy):
    """A number opens and follows a change, a heat map is shaded, a lab and a question answer."""
    tab, log = under_policy(LOOK)
    heat = tab.locator(".pencil-picture td[style]").first
    before = heat.evaluate(SHADE)
    tab.evaluate(OPEN_LINES)
    tab.locator(".pencil-worked .pencil-number[data-value='params.query[0, 0]']").first.click()
    tab.locator(".pencil-card input").fill("3")
    tab.locator(".pencil-changed").wait_for(state="visible")
    shades = {cell.evaluate(SHADE) for cell in tab.locator(".pencil-picture td[style]").all()}
    assert before != "rgba(0, 0, 0, 0)" and len(shades) > 2
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    tab.keyboard.press("Escape")
    lab = tab.locator(".pencil-lab-live").first
    said = lab.inner_text()
    lab.locator(".pencil-cell").first.fill("7")
    assert lab.inner_text() != said
    turn = tab.locator("#your-turn-score")
    turn.locator("input").fill("2")
    turn.get_by_role("button", name="Check").click()
    assert "a key with a key" in turn.locator(".says").text_content()
    read_to_the_end(tab)
    assert log.wrong == []


def test_the_buttons_of_the_theme_work_under_it(under_policy):
    tab, log = under_policy(LOOK)
    tab.evaluate("() => { window.pressed = []; window.print = () => pressed.push('print'); window.toggleFullScreen = () => pressed.push('full') }")
    tab.evaluate("() => document.querySelectorAll('[data-press]').forEach(button => button.click())")
    assert set(tab.evaluate("pressed")) == {"print", "full"} and log.wrong == []
    tab.evaluate("localStorage.setItem('mode', 'dark'); localStorage.setItem('theme', 'dark')")
    under_policy(LOOK)
    assert tab.evaluate("[document.documentElement.dataset.mode, document.documentElement.dataset.theme]") == ["dark", "dark"]
    tab.evaluate("localStorage.clear()")


@pytest.mark.parametrize("page", [page if page in QUICK else pytest.param(page, marks=pytest.mark.slow) for page in PAGES])
def test_no_page_breaks_it(under_policy, page):
    tab, log = under_policy(page)
    read_to_the_end(tab)
    assert tab.evaluate("document.documentElement.dataset.mode") == "auto" and log.wrong == []
    assert (page not in CHAPTERS) or "pencil-started" in tab.evaluate("document.documentElement.className")


@pytest.mark.slow
def test_what_stands_in_a_page_is_allowed_by_its_hash(built):
    for path in [path for path in built.rglob("*.html") if "_static" not in path.parts]:
        page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        assert not page.select("style") and not [tag for tag in page.find_all(True) if any(name.startswith("on") for name in tag.attrs)], path.name
        for script in page.find_all("script", src=False, type=False):
            assert base64.b64encode(hashlib.sha256(script.string.encode()).digest()).decode() in POLICY, path.name
