"""Write the book as an EPUB for readers of e-books: no script, nothing fetched, pictures and sums as the chapters computed them."""

import posixpath
import time
import zipfile
from html import escape
from uuid import NAMESPACE_URL, uuid5

import yaml
from bs4 import BeautifulSoup

from pencil.cli import book
from pencil.cli.arguments import no_arguments
from pencil.paths import REPOSITORY_URL, ROOT, moved_into_place
from pencil.publish.still import TOP, StillPage, palette, sheet

TO = book.BUILD / "transformers-by-pencil.epub"
ON_SCREEN = {
    "book/slides",
    "book/slides_today",
    "book/gallery",
    "book/api",
    "genindex",
}  # pages for a lecture or a keyboard; an e-book has its own search
SHEET, NAV, COVER = "epub.css", "nav.xhtml", "cover.png"
STILL = (
    "This edition is still: it is read, and nothing in it moves. Where the text asks you to open a number, to change one or to type an answer, "
    "the pages do it, in any browser and without a network. They are at"
)
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
ACCESS = {
    "accessMode": ("textual", "visual"),
    "accessModeSufficient": ("textual,visual",),
    "accessibilityFeature": ("tableOfContents", "structuralNavigation", "MathML", "alternativeText"),
    "accessibilityHazard": ("none",),
    "accessibilitySummary": (
        "Formulas are MathML, and sums are text. Each plot has a text alternative, each drawing a caption, and most have their steps in words.",
    ),
}


def write(file, html, contents):  # path, folder of the built pages, [(caption or None, [page without ending])]
    """Write the pages into one EPUB, in the order of `contents`, with their captions in its table of contents."""
    colours = palette()
    parts = [(caption, [page for page in pages if page not in ON_SCREEN]) for caption, pages in contents]
    pages = {page: StillPage((html / f"{page}.html").read_text(encoding="utf-8"), colours) for _, part in parts for page in part}
    _say_that_it_is_still(pages[next(iter(pages))])
    for name, page in pages.items():
        _lead_inside(name, page, {other: one.ids for other, one in pages.items()})
    texts = {f"{name}.xhtml": page.xhtml(posixpath.relpath(SHEET, posixpath.dirname(name))) for name, page in pages.items()}
    texts |= {NAV: _nav(parts, pages), "book.opf": _package(pages)}
    texts[SHEET] = sheet(colours)
    with moved_into_place(file) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        packed.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)  # the first, and not compressed
        packed.writestr("META-INF/container.xml", CONTAINER)
        packed.write(ROOT / "book/_static/cover.png", COVER)
        for name, text in texts.items():
            packed.writestr(name, text)


def _say_that_it_is_still(first):
    link = f'<a href="{REPOSITORY_URL}">{REPOSITORY_URL.partition("//")[2]}</a>'
    first.article.h1.insert_after(BeautifulSoup(f'<p class="still">{STILL} {link}.</p>', "html.parser"))


def _lead_inside(name, page, ids):
    """Point the links of a page to pages of the EPUB. What leads to a page that is not in it becomes plain text."""
    for link in page.links:
        address, _, place = link["href"].partition("#")
        if ":" in address:
            continue
        goal = posixpath.normpath(posixpath.join(posixpath.dirname(name), address)).removesuffix(".html") if address else name
        if goal not in ids:
            link.unwrap()
            continue
        end = f"#{place}" if place in ids[goal] else ""
        link["href"] = f"{posixpath.relpath(goal, posixpath.dirname(name))}.xhtml{end}" if address or not end else end


def _nav(parts, pages):
    """The table of contents."""
    items = []
    for caption, part in parts:
        listed = "".join(f'<li><a href="{name}.xhtml">{escape(pages[name].title)}</a></li>\n' for name in part)
        items.append(f"<li><span>{escape(caption)}</span>\n<ol>\n{listed}</ol></li>\n" if caption else listed)
    body = f'<nav epub:type="toc" id="toc"><h1>Contents</h1>\n<ol>\n{"".join(items)}</ol></nav>'
    top = TOP.format(title="Contents", sheet=SHEET).replace("<html ", '<html xmlns:epub="http://www.idpf.org/2007/ops" ', 1)
    return f"{top}{body}\n</body>\n</html>\n"


def _package(pages):
    """The package document: what the book is, the files that it has, and their order."""
    about = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    items, spine = [], []
    for k, (name, page) in enumerate(pages.items(), 1):
        has = f' properties="{" ".join(page.properties)}"' if page.properties else ""
        items.append(f'<item id="page{k}" href="{name}.xhtml" media-type="application/xhtml+xml"{has}/>')
        spine.append(f'<itemref idref="page{k}"/>')
    access = [f'<meta property="schema:{name}">{value}</meta>' for name, values in ACCESS.items() for value in values]
    newline = "\n"
    return f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{uuid5(NAMESPACE_URL, REPOSITORY_URL)}</dc:identifier>
<dc:title>{escape(about["title"])}</dc:title>
<dc:creator>{escape(about["author"])}</dc:creator>
<dc:language>en</dc:language>
<dc:rights>Text and figures: CC BY 4.0. Code: MIT License.</dc:rights>
<dc:source>{REPOSITORY_URL}</dc:source>
<meta property="dcterms:modified">{time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}</meta>
<meta name="cover" content="cover"/>
{newline.join(access)}
</metadata>
<manifest>
<item id="nav" href="{NAV}" media-type="application/xhtml+xml" properties="nav"/>
<item id="sheet" href="{SHEET}" media-type="text/css"/>
<item id="cover" href="{COVER}" media-type="image/png" properties="cover-image"/>
{newline.join(items)}
</manifest>
<spine>
{newline.join(spine)}
</spine>
</package>
"""


def main(argv):
    """`python -m pencil epub`: build the book, then write it as an EPUB."""
    no_arguments(argv, "epub", __doc__)
    html = book.build().parent
    write(TO, html, book.contents())
    print(f"The book for a reader of e-books: {TO.as_uri()}")
    return 0
