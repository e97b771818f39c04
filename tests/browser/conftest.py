"""Fixtures that open the pages of the book, from files or over http, and record requests and errors."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Error as PlaywrightError

from pencil.paths import ROOT, chapter_sources

pytest.register_assert_rewrite("card_checks", "chapter_checks", "number_checks", "labs", "live_page", "katas")

PATIENCE = 60_000  # milliseconds: a page that is slow on a busy machine is not wrong
GIVEN_UP = "net::ERR_ABORTED"
ADDRESS = "location.href"  # asked of the page itself: what Playwright keeps comes a moment later
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
STILL = {"reduced_motion": "reduce"}  # what unfolds would fade in
OPEN_LINES = "pencil.binding.openAll()"  # the numbers of worked lines are there as soon as they are pointed at; here at once
STATE = "[location.href, document.readyState, document.documentElement.className, JSON.stringify(localStorage)].join(' ')"
STATE_PATIENCE = 5_000
SETTLED = "pencil.binding.settled()"  # what is in no sight follows a change a moment later
WAYS = {
    "wide": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light", **STILL},
    "narrow": {"color_scheme": "dark", **PHONE, **STILL},
}
CHAPTERS = [f"notebooks/{path.stem}.html" for path in chapter_sources(ROOT / "notebooks")]
PAGES = sorted(["404.html", "genindex.html", "search.html", *(f"book/{path.stem}.html" for path in (ROOT / "book").glob("*.md")), *CHAPTERS])


@dataclass
class Log:
    """All that a tab asked for, and all that went wrong in it."""

    own: tuple  # what may be asked for begins so
    asked: list = field(default_factory=list)
    wrong: list = field(default_factory=list)

    def request(self, request):
        """Only what lies in the book; the browser finds no other host, so the rest fails and is written down."""
        self.asked.append(request.url)
        if not request.url.startswith(("file:", "data:", "blob:", *self.own)):
            self.wrong.append(f"asked for {request.url}")

    def failed(self, request):
        """What could not be had; not what the browser itself gave up, because the tab went on to another page (a tab's little picture comes last)."""
        if request.failure != GIVEN_UP:
            self.wrong.append(f"failed: {request.url} ({request.failure})")

    def listen(self, tab):
        """Errors of scripts and of the console, requests, requests that failed, sockets."""
        tab.on("pageerror", lambda error: self.wrong.append(f"script error: {error}"))
        tab.on("console", lambda said: said.type == "error" and self.wrong.append(f"console: {said.text}"))
        tab.on("request", self.request)
        tab.on("requestfailed", self.failed)
        tab.on("response", lambda answer: answer.status >= 400 and self.wrong.append(f"{answer.status}: {answer.url}"))
        tab.on("websocket", lambda socket: self.wrong.append(f"opened a socket to {socket.url}"))


def state(tab):  # -> str
    """Where a tab is, how far its page is loaded, and what it keeps."""
    try:
        return tab.wait_for_function(STATE, timeout=STATE_PATIENCE).json_value()
    except PlaywrightError as error:
        return f"{tab.url} does not answer: {error}"


@dataclass
class Tabs:
    """The tabs of one browser: fresh ones, and one for each of WAYS that all tests of a worker share, for a fresh one costs more than a page."""

    launched: object
    own: tuple = ()
    shared: dict = field(default_factory=dict)
    seen: list = field(default_factory=list)  # the logs of the tabs that are open, each with its tab

    def _open(self, **options):  # -> tab, log
        context, log = self.launched.new_context(**options), Log(self.own)
        context.set_default_timeout(PATIENCE)
        tab = context.new_page()
        log.listen(tab)
        self.seen.append((tab, log))
        return tab, log

    def told(self):  # -> str
        """What every open tab shows, keeps and complained of, for the report of a test that failed."""
        return "\n".join(f"{state(tab)} {log.wrong}" for tab, log in self.seen if not tab.is_closed())

    @contextmanager
    def tab(self, **options):
        """A fresh tab, and its log."""
        tab, log = self._open(**options)
        yield tab, log
        tab.context.close()

    def visit(self, way, address):  # -> tab, log
        """An address in the shared tab of a way, loaded anew, with nothing kept from the visit before."""
        if way not in self.shared:
            self.shared[way] = self._open(**WAYS[way])
        tab, log = self.shared[way]
        if tab.url != "about:blank":
            tab.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
            tab.emulate_media(media="screen", color_scheme=WAYS[way]["color_scheme"])
            tab.mouse.move(0, 0)
            tab.goto("about:blank")  # what the page before still asks for is its own; and to a place on it an address would be a step
        log.asked.clear()
        log.wrong.clear()
        tab.goto(address)
        return tab, log


@dataclass
class Book:
    """The built book as a browser sees it."""

    folder: Path
    address: str
    tabs: Tabs

    @property
    def pages(self):  # -> list of str
        """Every page, as a path inside the book, save index.html, which only leads to the first of them."""
        found = {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.html") if "_static" not in path.parts}
        return sorted(found - {"index.html"})

    def url(self, page, scheme="file"):
        """Where a page is found."""
        return f"{self.folder.as_uri() if scheme == 'file' else self.address}/{page}"

    def visit(self, page, way="wide", scheme="file"):  # -> tab, log
        """A page in the shared tab of a way."""
        return self.tabs.visit(way, self.url(page, scheme))

    def tab(self, **options):
        """A fresh tab, and its log."""
        return self.tabs.tab(**options)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """A test that failed says what its tabs show: on another machine nobody can look."""
    report = yield
    if report.failed and "tabs" in item.funcargs:
        report.sections.append(("Tabs", item.funcargs["tabs"].told()))
    return report


@pytest.fixture(scope="session")
def tabs(launched, served):
    """The browser's tabs."""
    return Tabs(launched, (f"{served}/",))


@pytest.fixture(scope="session")
def book(built, served, tabs):
    """The built book, ready to be opened."""
    return Book(built, served, tabs)


@pytest.fixture
def bare(tabs, tmp_path):
    """A function that opens a lab on a bare page."""
    from labs import on_bare_pages  # only now: its assertions are to be rewritten

    return on_bare_pages(tabs, tmp_path)
