"""The PDF: pages in order, bookmarks, internal links, no local paths."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from pypdf import PdfReader

from pencil.cli import book, pdf

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def printed(built, tmp_path_factory):
    file = tmp_path_factory.mktemp("paper") / "book.pdf"
    pages = {"06": built / "notebooks/06_look_across.html", "home": built / "book/home.html", "errata": built / "book/errata.html"}
    parts = [(None, [pages["home"]]), ("Chapters", [pages["06"]]), ("Back of the book", [pages["errata"]])]
    with ThreadPoolExecutor(1) as beside:  # Playwright allows one driver a thread, and the other tests have theirs
        beside.submit(pdf.write, file, parts).result()
    return PdfReader(file)


def test_the_contents_are_the_whole_book_in_order():
    pages = [page for _, part in book.contents() for page in part]
    assert pages[0] == "book/home" and pages.index("notebooks/05_soft_lookup") < pages.index("notebooks/06_look_across")
    assert len(pages) == len(set(pages))


def test_bookmarks_lead_to_where_a_page_starts(printed):
    home, chapters, inside, back, _ = printed.outline
    assert [mark.title for mark in (home, chapters, back)] == ["Transformers by Pencil", "Chapters", "Back of the book"]
    assert [mark.title for mark in inside] == ["6 · The look-across machine"]
    first = printed.pages[printed.get_destination_page_number(inside[0])]
    assert "The look-across machine" in first.extract_text()


def test_the_numbers_are_on_paper_of_its_size(printed):
    text = "".join(page.extract_text() for page in printed.pages)
    assert "0.953" in text and "0.047" in text
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in printed.pages} == {(596, 843)}


def test_a_link_inside_a_chapter_stays_in_it(printed):
    """Home, the chapter and the errata have places of the same name."""
    home, _, inside, back, _ = printed.outline
    starts = [printed.get_destination_page_number(mark) for mark in (home, inside[0], back)]
    numbers = {page.indirect_reference.idnum: i for i, page in enumerate(printed.pages)}
    chapter = range(starts[1], starts[2])
    links = [one.get_object() for i in chapter for one in printed.pages[i].get("/Annots", [])]
    goals = [numbers[link["/Dest"][0].idnum] for link in links if "/Dest" in link]
    assert goals and all(goal in chapter or goal in starts for goal in goals)


def test_links_between_pages_stay_inside(printed):
    links = [annotation.get_object() for page in printed.pages for annotation in page.get("/Annots", [])]
    addresses = [str(link["/A"].get("/URI", "")) for link in links if "/A" in link]
    assert not [address for address in addresses if address.startswith("file:")]
    assert sum("/Dest" in link for link in links) > 10
