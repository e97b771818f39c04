"""The bibliography: each paper is listed under the chapters that cite it, and each cited author has an entry."""

import re

import pytest
from pybtex.database import parse_file

from pencil.paths import ROOT, chapter_named

WORKS = parse_file(ROOT / "book/references.bib").entries
NAMED = [(key, chapter) for key, work in WORKS.items() for chapter in work.fields["keywords"].split(", ")]
PLAIN = str.maketrans({"Ł": "L", "ä": "a", "é": "e", "á": "a", "ü": "u"})


@pytest.mark.parametrize(("key", "chapter"), NAMED)
def test_a_chapter_names_the_first_author_and_the_year(key, chapter):
    source = chapter_named(chapter, ROOT / "notebooks")
    text, work = source.read_text(encoding="utf-8").translate(PLAIN), WORKS[key]
    surname = " ".join(work.persons["author"][0].last_names).replace("{\\'e}", "e").replace('{\\"a}', "a").strip("{}")  # {DeepSeek-AI} is one name
    assert surname.translate(PLAIN) in text, f"{source.name} does not name {surname}"
    assert work.fields["year"] in text, f"{source.name} does not say {work.fields['year']}"


def test_the_page_has_a_list_for_every_chapter_that_a_work_names():
    page = (ROOT / "book/bibliography.md").read_text(encoding="utf-8")
    chapters = {chapter for _, chapter in NAMED}
    lists = {pattern: {chapter for chapter in chapters if re.search(pattern, chapter)} for pattern in re.findall(r'keywords % "(.+)"', page)}
    assert all(len(found) == 1 for found in lists.values()), "a list takes in the works of one chapter, not those of modern_block as well"
    assert set.union(*lists.values()) == chapters


def test_works_stand_oldest_first():
    years = [int(work.fields["year"]) for work in WORKS.values()]
    assert years == sorted(years)
