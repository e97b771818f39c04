"""The box of words at the head of a chapter: each word occurs in the chapter's sums, pictures or labs, which its switch relabels."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from pencil.checker.library import Library
from pencil.paths import ROOT, chapter_number

CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9][0-9]*_*.md"))
BOX = re.compile(r":::\{words\}\n\|.*\n\|.*\n((?:\|.*\n)+):::")
AS_A_VERB = r"\b(?:(\w+) )?\b(?:to|that|who|have|are) ((?i:{}))s?\b"  # "looks that share a number"; and yet "from seat to seat"
PARTICIPLE = re.compile(r"\w+(?:ed|en)")
BOUND = re.compile(r"\{v\}`[^`<]*<([^`]*)>`|^:answer: (.+)$", re.M)
PLACES = ".pencil-worked, .pencil-drawing, .pencil-map, .pencil-picture, .pencil-lab"
LIBRARY = Library(ROOT / "notebooks")


def box(source):
    """The words of a chapter's box, row by row: here, and in the field."""
    rows = BOX.search(source.read_text(encoding="utf-8"))[1].splitlines()
    return [[[word.strip(" *") for word in side.split(",")] for side in row.strip("|").split("|")] for row in rows]


def shown(source):
    """What the chapter's sums, pictures and labs say; a lab says it in the data that its script reads."""
    for cell in json.loads(source.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            html = "".join(output.get("data", {}).get("text/html", ""))
            for place in BeautifulSoup(html, "html.parser").select(PLACES):
                yield place.get_text(" ")
                yield from (script.string for script in place.select("script"))


def opened(source):
    """The published labels of the numbers that the text binds: their cards say them."""
    library = LIBRARY.beside(source)
    for reference in {bound or answer for bound, answer in BOUND.findall(source.read_text(encoding="utf-8"))}:
        found = None if reference.startswith(("page.", "count ")) else library.find(reference)
        if found and found.worked:
            yield found.worked["paper"].labelled(found.local)


@pytest.mark.parametrize("source", CHAPTERS, ids=lambda path: chapter_number(path))
def test_each_word_of_the_box_stands_in_a_sum_a_picture_or_a_lab(source):
    said = "\n".join([*shown(source), *opened(source)])
    for here, field in box(source):
        assert len(here) == len(field), "a word for a word"
        for word in here:
            case = 0 if word.isupper() else re.I
            assert re.search(rf"(?<![^\W\d_]){word.replace(' ', chr(92) + 's')}s?(?![^\W\d_])", said, case), f"{word} stands nowhere on the page"


@pytest.mark.parametrize("source", CHAPTERS, ids=lambda path: chapter_number(path))
def test_no_word_that_the_switch_replaces_is_a_verb_there(source):
    pairs = [pair for here, field in box(source) for pair in zip(here, field, strict=True)]
    nouns = [here for here, there in pairs if not here.isupper() and not PARTICIPLE.fullmatch(there.split()[0])]
    said = "\n".join(shown(source)).replace("\N{NO-BREAK SPACE}", " ")
    found = [match[0] for match in re.finditer(AS_A_VERB.format("|".join(nouns)), said) if match[1] != match[2]]
    assert found == [], "the field's word for it is a noun: say it in another way"
