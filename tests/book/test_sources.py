"""book/sources.md: every section of every source has a link."""

import re
from pathlib import Path

import pytest
import yaml
from myst_parser.mdit_to_docutils.base import default_slugify

from pencil.paths import chapter_sources

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(BOOK.glob("*.md"))}
SOURCES = ("The Look-Across post", "The Block post", "The article", "The kata", "The slides")
LINK = re.compile(r"\]\((?P<path>[^)#\s]*)(?:#(?P<anchor>[^)\s]+))?\)")


def sections():
    """(source, section, where) of every row."""
    for part in re.split(r"^## ", PAGES["sources.md"], flags=re.M)[1:]:
        source = part.split("\n")[0]
        for row in re.findall(r"^\| (?!Section|---)(.+) \|$", part, re.M):
            section, where = row.rsplit(" | ", 1)
            yield pytest.param(source, section, where, id=f"{source}: {section[:40]}")


def anchors(path):  # -> the slugs of a page's headings and the names of its boxes
    text = re.sub(r"^(`{3,}).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    turns = {f"your-turn-{key}" for key in re.findall(r"\{your-turn\} (\S+)", text)}
    return {default_slugify(title) for title in re.findall(r"^#{1,3} (.+)$", text, re.M)} | turns


def links():
    for name, text in PAGES.items():
        for match in LINK.finditer(text):
            if not match["path"].startswith("http"):
                yield name, match["path"], match["anchor"]


@pytest.mark.parametrize("source, section, where", list(sections()))
def test_every_section_leads_somewhere(source, section, where):
    assert "](" in where or "this page" in where or where == "nothing to mirror"


def test_all_five_sources_are_there_with_author_and_date():
    parts = re.split(r"^## ", PAGES["sources.md"], flags=re.M)[1:]
    assert [part.split("\n")[0] for part in parts] == list(SOURCES)
    for part in parts:
        for key in ("Title", "Author", "Date"):
            assert f"**{key}:**" in part


@pytest.mark.parametrize("page", sorted({page for page, *_ in links()}))
def test_every_link_leads_somewhere(page):
    for there, path, anchor in links():
        if there == page:
            target = (BOOK / path).resolve() if path else BOOK / page
            source = target.with_suffix(".md")  # a chapter is linked by its notebook
            assert target.exists() and source.exists(), path
            assert anchor is None or anchor in anchors(source), (path, anchor)


def test_the_path_names_every_chapter():
    names = list(yaml.safe_load((BOOK / "path.yml").read_text(encoding="utf-8")))
    assert names == [source.stem for source in chapter_sources(ROOT / "notebooks")] and ":::{path}" in PAGES["home.md"]


def test_no_page_of_the_book_is_left_out():
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    for name in PAGES:
        assert f"book/{name.removesuffix('.md')}" in contents
