"""Write the slides of the book, or of some chapters, as one HTML page for a hall, or as one PDF."""

from pathlib import Path

from pencil.checker.library import CHAPTERS
from pencil.cli.arguments import find_chapter, typed_path
from pencil.cli.printing import print_to_pdf
from pencil.errors import Parser, TaskError
from pencil.paths import ROOT, chapter_number, chapter_sources, write_whole


def main(argv):
    """`python -m pencil slides [--chapter 06 ...] [--pdf] [--to FOLDER]`."""
    parser = Parser(prog="python -m pencil slides", description=__doc__)
    parser.add_argument("--chapter", metavar="NN", nargs="+", default=[], help="these chapters alone, in one deck")
    parser.add_argument("--pdf", action="store_true", help="a PDF as well, a sheet for each slide; it takes a Chromium")
    parser.add_argument("--to", type=typed_path, default=Path("."), help="the folder to write into: this one")
    given = parser.parse_args(argv)
    if not given.to.is_dir():
        raise TaskError(f"there is no folder {given.to}; make it first, or name another with --to")
    sources = [find_chapter(asked, ROOT / CHAPTERS) for asked in given.chapter] or chapter_sources(ROOT / CHAPTERS)
    from pencil.publish.deck import deck

    try:
        text = deck(sources, ROOT)
    except ValueError as nothing:
        raise TaskError(str(nothing)) from None
    page = given.to.resolve() / f"{'_'.join(['slides', *map(chapter_number, sources)] if given.chapter else ['slides'])}.html"
    write_whole(page, text)
    print(f"wrote {page}")
    if given.pdf:
        print_to_pdf({page: page.with_suffix(".pdf")}, print_background=True)
        print(f"wrote {page.with_suffix('.pdf')}")
    return 0
