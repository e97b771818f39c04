"""Post-process the built pages: each is parsed once, changed by several parts of this extension, and written."""

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.formatter import HTMLFormatter

from pencil_book.accessible import mend
from pencil_book.apostrophes import curl
from pencil_book.breaks import break_names
from pencil_book.downloads import fetch
from pencil_book.numbers import mark_exact, slim
from pencil_book.policy import take_out
from pencil_book.purge import lighten
from pencil_book.rooms import give_rooms
from pencil_book.shared import share
from pencil_book.sums import mark_sums
from pencil_book.untranslated import untranslated

CHANGES = (mend, curl, break_names, fetch, mark_sums, mark_exact, slim, share, lighten, give_rooms, untranslated, take_out)


class _AsWritten(HTMLFormatter):
    """Serializes with attributes in their original order, with minimal escaping, and with self-closing empty elements in SVG."""

    def __init__(self):
        minimal = HTMLFormatter.REGISTRY["minimal"].entity_substitution
        super().__init__(entity_substitution=minimal, void_element_close_prefix="", empty_attributes_are_booleans=True)

    def attributes(self, tag):
        ends_itself = tag.is_empty_element and tag.find_parent("svg")  # self-closing tags are valid in SVG only
        return [*tag.attrs.items(), *([("/", None)] if ends_itself else [])]


def finished(html, changes=CHANGES):  # str -> str
    """Apply all changes to the HTML of a page."""
    page = BeautifulSoup(html, "html.parser")
    for picture in page.find_all("image"):  # the parser takes SVG's <image> for the void element <image> of old HTML
        picture.can_be_empty_element = False
    for change in changes:
        change(page)
    return page.decode(formatter=_AsWritten())


def finish_all(app, exception):
    """Process all pages in parallel after the build, the largest first."""
    if exception or app.builder.format != "html":
        return
    pages = sorted(Path(app.outdir).rglob("*.html"), key=lambda path: -path.stat().st_size)
    with ProcessPoolExecutor() as pool:
        list(pool.map(_finish, pages))  # list() re-raises exceptions of the workers


def _finish(path):
    path.write_text(finished(path.read_text(encoding="utf-8")), encoding="utf-8")
