"""A smoke test of every page in Firefox: it loads, its script runs, a lab and a chapter follow an edit, without errors."""

import pytest
from firefox import find, firefox
from labs import LABS, PARTS, expected, put, text

pytestmark = pytest.mark.slow

COMPLAINTS = """return Services.console.getMessageArray()
  .filter(said => said instanceof Ci.nsIScriptError && !(said.flags & Ci.nsIScriptError.warningFlag))
  .filter(said => /^(file|http):/.test(said.sourceName)).map(said => `${said.sourceName}: ${said.errorMessage}`)"""
EDIT = """const cell = document.querySelector(".pencil-cell")
cell.value = "0.5"
cell.dispatchEvent(new InputEvent("input", { bubbles: true }))
return (LAB)(document.querySelector(".pencil-lab"))""".replace("LAB", PARTS)
FIRST = {
    "05_soft_lookup": ("softmax", "scores"),
    "06_look_across": ("attention", "embedding"),
    "10_block": ("block", "x"),
    "11_order": ("position", "embedding"),
    "15_vit": ("patch", "class_token"),
}


@pytest.fixture(scope="module")
def fox(tmp_path_factory):
    """A Firefox; where there is none the tests are skipped, and say why."""
    path = find()
    if path is None:
        pytest.skip("there is no Firefox here to try the pages in: apt-get install firefox-esr, or name one in FIREFOX")
    with firefox(path, tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_every_page_opens_in_firefox(book, fox, scheme):
    for page in book.pages:
        fox.go(book.url(page, scheme))
        if page.startswith("notebooks/"):
            assert fox.run("return document.documentElement.classList.contains('pencil-live')"), page
            assert fox.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page
    assert fox.run(COMPLAINTS, where="chrome") == []


@pytest.mark.parametrize("chapter", FIRST)
def test_a_lab_follows_in_firefox(book, fox, chapter):
    name, given = FIRST[chapter]
    lab = LABS[name]()
    fox.go(book.url(f"notebooks/{chapter}.html"))
    parts = fox.run(EDIT)
    put(lab, given, 0, 0.5)
    assert [[text(one) for one in part] for part in parts] == expected(lab)


def test_a_chapter_follows_a_link_in_firefox(book, fox):
    fox.go(book.url("notebooks/06_look_across.html") + "#pencil:/embedding:0=3")
    found = fox.run("return document.querySelector(\"article p > .pencil-number[data-value='nolan.scores']\").textContent")
    assert text(found) == "[3, 11]"
    assert fox.run(COMPLAINTS, where="chrome") == []
