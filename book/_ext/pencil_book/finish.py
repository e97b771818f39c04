"""The last hand on the built pages: each is parsed once, changed by the parts of this extension that have something to change, and written."""

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.formatter import HTMLFormatter

from pencil_book.accessible import mend
from pencil_book.downloads import fetch
from pencil_book.numbers import slim
from pencil_book.purge import lighten
from pencil_book.shared import share
from pencil_book.sums import mark_sums

CHANGES = (mend, fetch, mark_sums, slim, share, lighten)
SEARCH = "search.html"  # it needs the scripts that all others carry for nothing


class _AsWritten(HTMLFormatter):
    """Serializes with attributes in their order, and only the signs escaped that must be. A mark of a drawing that holds nothing ends itself."""

    def __init__(self):
        minimal = HTMLFormatter.REGISTRY["minimal"].entity_substitution
        super().__init__(entity_substitution=minimal, void_element_close_prefix="", empty_attributes_are_booleans=True)

    def attributes(self, tag):
        ends_itself = tag.is_empty_element and tag.find_parent("svg")  # in HTML nothing does, save in a drawing
        return [*tag.attrs.items(), *([("/", None)] if ends_itself else [])]


def finished(html, changes=CHANGES):  # str -> str
    """A page with all its changes."""
    page = BeautifulSoup(html, "html.parser")
    for picture in page.find_all("image"):  # of SVG; an element of old HTML had the name, and no end: what follows would be lost in it
        picture.can_be_empty_element = False
    for change in changes:
        change(page)
    return page.decode(formatter=_AsWritten())


def finish_all(app, exception):
    """After the build, on all cores: no page needs another. The largest come first."""
    if exception or app.builder.format != "html":
        return
    pages = sorted(Path(app.outdir).rglob("*.html"), key=lambda path: -path.stat().st_size)
    with ProcessPoolExecutor() as pool:
        list(pool.map(_finish, pages))  # the list raises what a page has raised


def _finish(path):
    changes = [change for change in CHANGES if change is not lighten or path.name != SEARCH]
    path.write_text(finished(path.read_text(encoding="utf-8"), changes), encoding="utf-8")


def setup(app):
    """Before purge.py, which looks for what the pages still ask for."""
    app.connect("build-finished", finish_all, priority=800)
