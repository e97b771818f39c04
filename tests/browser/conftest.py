"""How the pages of the book are opened: from a file or over http, with a record of all that a page asks for and complains of."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

GIVEN_UP = "net::ERR_ABORTED"
ADDRESS = "location.href"  # asked of the page itself: what Playwright keeps comes a moment later
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@dataclass
class Book:
    """The built book as a browser sees it."""

    folder: Path
    address: str
    launched: object
    open: dict = field(default_factory=dict)

    @property
    def pages(self):  # -> list of str
        """Every page, as a path inside the book, save index.html, which only leads to the first of them."""
        found = {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.html") if "_static" not in path.parts}
        return sorted(found - {"index.html"})

    @property
    def chapters(self):
        """The pages with numbers and code."""
        return [page for page in self.pages if page.startswith("notebooks/")]

    def url(self, page, scheme="file"):
        """Where a page is found."""
        return f"{self.folder.as_uri() if scheme == 'file' else self.address}/{page}"

    def phone(self, **options):
        """A fresh tab on a phone."""
        return self.tab(**PHONE, **options)

    def looked_at(self, page):
        """A page in a wide tab that stays open: for tests that look, point, and leave it as it was."""
        if page not in self.open:
            context, log = self.launched.new_context(), Log(self.address)
            context.route("**/*", log.let_through)
            self.open[page] = context.new_page()
            self.open[page].goto(self.url(page))
        return self.open[page]

    @contextmanager
    def tab(self, **options):
        """A fresh tab with the network cut, and its log."""
        context = self.launched.new_context(**options)
        context.set_default_timeout(10_000)
        log = Log(self.address)
        context.route("**/*", log.let_through)
        tab = context.new_page()
        log.listen(tab)
        yield tab, log
        context.close()


@dataclass
class Log:
    """All that went wrong in a tab."""

    address: str
    wrong: list = field(default_factory=list)

    def let_through(self, route):
        """Only what lies in the book; the rest is refused and written down."""
        if route.request.url.startswith(("file:", "data:", "blob:", self.address + "/")):
            route.continue_()
        else:
            self.wrong.append(f"asked for {route.request.url}")
            route.abort()

    def failed(self, request):
        """What could not be had; not what the browser itself gave up, because the tab went on to another page (a tab's little picture comes last)."""
        if request.failure != GIVEN_UP:
            self.wrong.append(f"failed: {request.url} ({request.failure})")

    def listen(self, tab):
        """Errors of scripts and of the console, requests that failed, sockets."""
        tab.on("pageerror", lambda error: self.wrong.append(f"script error: {error}"))
        tab.on("console", lambda said: said.type == "error" and self.wrong.append(f"console: {said.text}"))
        tab.on("requestfailed", self.failed)
        tab.on("response", lambda answer: answer.status >= 400 and self.wrong.append(f"{answer.status}: {answer.url}"))
        tab.on("websocket", lambda socket: self.wrong.append(f"opened a socket to {socket.url}"))


@pytest.fixture(scope="session")
def book(built, served, launched):
    """The built book, ready to be opened."""
    return Book(built, served, launched)
