"""The glossary: each entry is said in the chapter that it names, and a chapter's first bold word leads to it."""

import re

import pytest
from bs4 import BeautifulSoup

from pencil.tasks import ROOT

ENTRY = re.compile(r"((?:^\S.*\n)+)  (.+)", re.M)
CHAPTER = re.compile(r"See \[[^]]+\]\(\.\./(notebooks/\w+)\.ipynb\)\.$")


def entries():
    """(terms, what is said of them) of each entry."""
    page = (ROOT / "book/glossary.md").read_text(encoding="utf-8")
    return [
        (terms.split("\n")[:-1], says) for block in re.findall(r":::\{glossary\}\n(.*?)\n:::", page, re.S) for terms, says in ENTRY.findall(block)
    ]


@pytest.mark.parametrize(("terms", "says"), entries(), ids=[terms[0] for terms, _ in entries()])
def test_the_chapter_that_an_entry_names_says_one_of_its_words(terms, says):
    source = ROOT / f"{CHAPTER.search(says)[1]}.md"
    chapter = source.read_text(encoding="utf-8").casefold()
    assert any(re.search(rf"\b{re.escape(term.casefold())}", chapter) for term in terms), f"{source.name} does not say {' or '.join(terms)}"


def test_no_word_has_two_entries():
    words = [term.casefold() for terms, _ in entries() for term in terms]
    assert len(words) > 60 and len(words) == len(set(words))


def test_a_first_bold_word_leads_to_its_entry(built):
    page = BeautifulSoup((built / "notebooks/06_look_across.html").read_text(encoding="utf-8"), "html.parser")
    glossary = BeautifulSoup((built / "book/glossary.html").read_text(encoding="utf-8"), "html.parser")
    links = page.select("a.pencil-term")
    assert {"attention", "transformer", "dot product", "sigmoid"} <= {link.text.casefold() for link in links}
    for link in links:
        entry = glossary.find(id=link["href"].partition("#")[2])
        assert entry.text.rstrip("#").strip().casefold() == link.text.casefold()
    assert len({link["href"] for link in links}) == len(links), "one link a word and page"
