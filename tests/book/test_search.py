"""The texts for the search page: sections and glossary entries as they are shown."""

import gzip
import json
import sys
from base64 import b64decode
from pathlib import Path
from types import SimpleNamespace

from docutils import nodes
from searching import searched
from sphinx import addnodes

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.search import PLAIN, TEXTS, rank, taught, texts

HERE = Path(__file__).parent


def test_a_paragraph_is_a_line_with_plain_formulas_and_without_tags():
    said = nodes.paragraph(
        "",
        "",
        nodes.Text("It is\n"),
        nodes.raw("", "<span>", format="html"),
        nodes.Text("0.5"),
        nodes.math("", r"\frac{1}{2}"),
        nodes.Text(" or "),
        nodes.math("", r"\sqrt{d_k}"),
        nodes.Text("."),
        nodes.footnote_reference("", "7"),
    )
    inner = nodes.section("", nodes.title("", "Why?"), nodes.paragraph("", "So."), ids=["why"])
    bare = nodes.section("", nodes.title("", "Silent"), ids=["silent"])
    terms = [nodes.term("", word, ids=[f"term-{word}"]) for word in ("token", "piece")]
    entry = nodes.definition_list_item("", *terms, nodes.definition("", nodes.paragraph("", "A piece.")))
    listed = addnodes.glossary("", nodes.definition_list("", entry))
    page = nodes.section("", nodes.title("", "One"), said, nodes.paragraph("", "Two."), listed, inner, bare, ids=["one"])
    assert texts(page) == [
        ("one", "One", "It is 0.5 or √d_k.\nTwo.", ["One"]),
        ("why", "Why?", "So.", None),
        ("term-token", "token, piece", "A piece.", ["token", "piece"]),
    ]


def test_of_equal_pages_the_glossary_comes_first_and_the_code_last():
    pages = ["book/gallery", "book/api", "book/errata", "book/glossary", "genindex", "notebooks/01_words_to_numbers"]
    assert sorted(pages, key=rank) == ["book/glossary", "notebooks/01_words_to_numbers", "book/errata", "genindex", "book/api", "book/gallery"]


def test_every_page_has_its_texts_in_one_script_that_any_page_but_the_search_does_without(built):
    packed = (built / "_static" / TEXTS).read_text(encoding="utf-8").split('"')[1]
    said = json.loads(gzip.decompress(b64decode(packed)))
    assert said == json.loads((built / "_static" / PLAIN).read_text(encoding="utf-8").removeprefix("var pencilPlainTexts = "))
    pages = {path.relative_to(built).with_suffix("").as_posix() for folder in ("book", "notebooks") for path in (built / folder).glob("*.html")}
    assert set(said) - {"genindex"} == pages
    assert [text for sections in said.values() for _, _, text, *_ in sections if "<span" in text or "data-value" in text] == []
    assert ["how-do-scores-become-shares", "How do scores become shares?"] in [section[:2] for section in said["notebooks/06_look_across"]]
    assert [path.name for path in built.rglob("*.html") if TEXTS in path.read_text(encoding="utf-8")] == ["search.html"]


def test_a_word_leads_to_the_chapter_that_its_entry_names():
    stops = {
        "18_flash": SimpleNamespace(title="FlashAttention", asked=[]),
        "16_modern": SimpleNamespace(title="The modern block", asked=["Llama block"]),
    }
    entries = [("term-a", "PagedAttention", "In pages. See FlashAttention.", ["PagedAttention"]), ("term-b", "x", "See nothing here.", ["x"])]
    assert taught({"book/glossary": entries}, stops) == {
        "notebooks/18_flash": ["PagedAttention", "Paged Attention"],
        "notebooks/16_modern": ["Llama block"],
    }


def test_a_hundred_searches_have_the_right_page_first(built):
    """The page that is wanted comes first; where it is the glossary, the chapter that teaches the word comes right behind."""
    wanted = dict(line.split(" = ") for line in (HERE / "searches.txt").read_text(encoding="utf-8").splitlines() if " = " in line)
    hits = {one["query"]: one["hits"] for one in searched(built, list(wanted))}
    found = {query: [address.partition(".html")[0].rpartition("/")[2] for address, *_ in addresses] for query, addresses in hits.items()}
    assert len(wanted) >= 100
    assert {query: found[query][:3] for query, pages in wanted.items() if found[query][: len(pages.split())] != pages.split()} == {}
