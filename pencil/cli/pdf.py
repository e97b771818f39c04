"""Print every page with the browser, and merge them in reading order into one PDF with bookmarks."""

import tempfile
from pathlib import Path

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject

from pencil.cli import book
from pencil.cli.arguments import no_arguments
from pencil.cli.printing import print_to_pdf

TO = book.BUILD / "transformers-by-pencil.pdf"
SMALL = "font-family: sans-serif; font-size: 8px; width: 100%; text-align: center"  # the footer inherits no style
PAPER = {
    "format": "A4",
    "margin": {"top": "18mm", "bottom": "20mm", "left": "17mm", "right": "17mm"},
    "print_background": False,
    "display_header_footer": True,
    "header_template": "<span></span>",
    "footer_template": f'<div style="{SMALL}"><span class="title"></span> · <span class="pageNumber"></span></div>',
}


def write(file, pages):  # pages: (caption or None, [a built HTML page, ...]) in order
    """Print the pages into one PDF, with their titles as bookmarks under the captions; links between pages become links inside the PDF."""
    whole, starts = PdfWriter(), {}
    with tempfile.TemporaryDirectory() as folder:
        printed = {page: Path(folder, f"{i}.pdf") for i, page in enumerate(page for _, part in pages for page in part)}
        sheets = {page: pdf for page, pdf in printed.items() if _is_sheets(page)}
        for scale, chosen in ((1, sheets), (0.8, {page: pdf for page, pdf in printed.items() if page not in sheets})):
            if chosen:
                print_to_pdf(chosen, scale=scale, **PAPER)
        for caption, part in pages:
            marks = []
            for page in part:
                reader = PdfReader(printed[page])
                marks.append((_title(reader), len(whole.pages)))
                starts[page.resolve().as_uri()] = start = len(whole.pages)
                whole.append(reader, import_outline=False)
                _aim(whole.pages[start:], reader)
            above = whole.add_outline_item(title=caption, page_number=marks[0][1]) if caption else None
            for title, start in marks:
                whole.add_outline_item(title=title, page_number=start, parent=above)
    _lead_inside(whole, starts)
    whole.compress_identical_objects()
    whole.write(file)


def _is_sheets(page):
    """Whether a page has its own paper layout, as slides and the poster do."""
    return 'class="pencil-slides' in (html := page.read_text(encoding="utf-8")) or 'class="pencil-machine' in html


def _title(reader):
    return reader.metadata.title.partition(" — ")[0]


def _aim(pages, reader):
    """Turn named destinations into page destinations, since chapters share names such as #sources."""
    for page in pages:
        for annotation in page.get("/Annots", []):
            link = annotation.get_object()
            if (place := reader.named_destinations.get(str(link.get("/Dest")))) is not None:
                link[NameObject("/Dest")] = _top(pages[reader.get_destination_page_number(place)])


def _top(page):
    return ArrayObject([page.indirect_reference, NameObject("/Fit")])


def _lead_inside(whole, starts):
    """Point links between pages to the page's start in the PDF, and remove links to other local files."""
    for page in whole.pages:
        for annotation in list(page.get("/Annots", [])):
            link = annotation.get_object()
            address = str(link.get("/A", {}).get("/URI", ""))
            if not address.startswith("file:"):
                continue
            del link["/A"]
            if (start := starts.get(address.partition("#")[0])) is not None:
                link[NameObject("/Dest")] = _top(whole.pages[start])


def main(argv):
    """`python -m pencil pdf`: build the book, then print it."""
    no_arguments(argv, "pdf", __doc__)
    html = book.build().parent
    write(TO, [(caption, [html / f"{page}.html" for page in part]) for caption, part in book.contents()])
    print(f"The book on paper: {TO.as_uri()}")
    return 0
