"""A reader sets one given number to 0, or turns its sign. Only a value of the right work may refuse that, none that only `:wrong:` lines quote.

A mistake that has no value then has a name that begins with `wrong.` (CONTRIBUTING.md).
"""

import re
from collections import defaultdict

import numpy as np
import pytest
from node_runner import ask
from verdicts import NOTEBOOKS

from pencil.checker.claims import read, terms_of
from pencil.checker.library import Library
from pencil.checker.numerals import BINDING, CLAIM
from pencil.paths import chapter_number, chapter_sources
from pencil.publish.exercises import exercises_in
from pencil.trace.array import ancestors

ANSWER = re.compile(r"^:answer: *(.+)", re.M)
WRONG_LINES = re.compile(r"^:wrong.*\n", re.M)
MOST = 40  # numbers of one array that are changed, spread over it


def right_references(text):  # a page -> what it quotes outside its `:wrong:` lines
    text = WRONG_LINES.sub("", text)
    yield from ANSWER.findall(text)
    yield from (found["reference"] for found in BINDING.finditer(text))
    for claim in CLAIM.finditer(text):
        yield from (term.leaf for term in terms_of(read(claim["reference"])) if term.is_reference)


def note_quoted(quoted, references, library):
    """Add the named values of these references to `quoted`, {(chapter, run): [...]}; figures have no run, and a page its own numbers."""
    for reference in references:
        if not reference.startswith("page.") and (found := library.find(reference)).worked:
            worked = found.worked["paper"]
            quoted[found.reference.chapter or library.own, worked.run].append(worked.trace.find(found.local).array)


def quoted_values(library):  # -> two {(chapter, run): names of values}: quoted by right lines, by `:wrong:` lines; with all that they are made of
    right, wrong = defaultdict(list), defaultdict(list)
    for page in [*chapter_sources(NOTEBOOKS), *(NOTEBOOKS.parent / "book").glob("*.md")]:
        text, beside = page.read_text(encoding="utf-8"), library.beside(page)
        note_quoted(right, right_references(text), beside)
        note_quoted(wrong, (reference for box in exercises_in(text) if box.answer for reference, _ in box.wrong), beside)
    return ({run: {step.name for step in ancestors(values)} for run, values in quoted.items()} for quoted in (right, wrong))


def changed(program):  # -> the program's givens, each time with one number set to 0, or with its sign turned
    for step in program["steps"]:
        if step["op"] == "given":
            value = np.array(step["value"], float)
            for k in np.unique(np.linspace(0, value.size - 1, min(value.size, MOST)).astype(int)):
                for number in (0, -value[k]):
                    yield {step["name"]: np.where(np.arange(value.size) == k, number, value)}


@pytest.mark.slow
def test_a_number_set_to_0_or_turned_is_never_refused_by_a_mistake(tmp_path):
    library = Library(NOTEBOOKS)
    right, wrong = quoted_values(library)
    runs = {
        (number, run): stored["program"]
        for number in map(chapter_number, chapter_sources(NOTEBOOKS))
        for run, stored in library.chapter(number).content["runs"].items()
    }
    answers = ask(tmp_path, [{"ask": "refusals", "program": program, "givens": [*changed(program)]} for program in runs.values()])
    refused = {(*run, name) for run, names in zip(runs, answers, strict=True) for name in names if name}
    assert refused, "no logarithm of 0 and no quotient by it: nothing was tried"
    assert sorted(at for at in refused if at[2] in wrong.get(at[:2], set()) - right.get(at[:2], set())) == []
