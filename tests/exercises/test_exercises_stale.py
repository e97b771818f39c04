"""A reader changes a given number. Then a question either follows, with its text, its choices and its right answer, or does not change at all.

Every given of every chapter is changed here, as the page would take it: within its limits, together with those that are alike. What the page
says of a choice or a figure after a change ("This is about the book's own numbers") is tested with the marker.
"""

import re
from collections import defaultdict
from functools import cache

import numpy as np
import pytest
from verdicts import NOTEBOOKS, library

from pencil.checker.numerals import BINDING, CLAIM
from pencil.checker.words import NUMBER_WORD, value_of
from pencil.paths import chapter_number, chapter_sources
from pencil.publish.exercises import exercises_in
from pencil.trace import Trace

CHAPTERS = [chapter_number(source) for source in chapter_sources(NOTEBOOKS)]
SPREAD = np.arange(1, 1000)  # each number of a given changes by an amount of its own, so that nothing cancels
WAYS = [  # tried in this order until the limits allow one
    lambda x: x + 0.25 * SPREAD[: x.size],
    lambda x: x + SPREAD[: x.size],
    lambda x: x + 1,
    lambda x: x * 2,
    lambda x: x / 2,
    lambda x: x - 1,
    lambda x: x[::-1],
    lambda x: np.roll(x, 1),
]
FEW = 12  # numbers of a row that change one by one as well
WHOLE = re.compile(r"(?<![\d.,])\d+(?![\d.,]|\s*[=≈+·/])")


@cache
def asked(chapter):  # -> [ExerciseSource], those that can be answered
    (source,) = (source for source in chapter_sources(NOTEBOOKS) if chapter_number(source) == chapter)
    return [question for question in exercises_in(source.read_text(encoding="utf-8")) if question.answer or question.choices]


@cache
def changes(chapter):  # -> [({run: Trace after the change}, name of the given, what was changed of it)]
    runs, alike = library(chapter).chapter(chapter).content["runs"], defaultdict(list)
    for run, stored in runs.items():
        for step in stored["program"]["steps"]:
            if step["op"] == "given":
                alike[step["name"], tuple(step["value"])].append((run, tuple(step["shape"])))
    parts = (
        (change(runs, name, np.array(value, float), at, part), name, np.array(value, float)[part])
        for (name, value), at in alike.items()
        for part in [slice(None), *(np.arange(len(value)).reshape(-1, 1) if 1 < len(value) <= FEW and len(at[0][1]) < 2 else ())]
    )
    return [part for part in parts if part[0]]


def change(runs, name, value, at, part):  # -> {run: Trace} with other numbers in a part of a given, {} where the limits allow no other
    for way in WAYS:
        numbers = value.copy()
        numbers[part] = way(value)[part]
        if not np.array_equal(numbers, value):
            try:
                return {run: Trace.load(runs[run]["program"], {name: numbers.reshape(shape)}) for run, shape in at}
            except (ValueError, IndexError):
                continue
    return {}


def now(reference, chapter, changed):  # a reference -> its numbers after a change; None where they are as they were
    if reference.startswith("page."):
        return None
    found = library(chapter).find(reference)
    run = found.worked["paper"].run if found.worked and found.reference.mode != "count" else None
    if run not in changed or found.reference.chapter not in ("", chapter):
        return None
    numbers = changed[run].find(found.local).paper
    return None if np.array_equal(numbers, found.worked["paper"].trace.find(found.local).paper) else numbers


def run_of(question, chapter):
    found = library(chapter).find(question.answer)
    return found.worked["paper"].run if found.worked else None


def in_words(text):  # what no binding follows: "a sum of four" -> {4}
    plain = CLAIM.sub(" ", BINDING.sub(" ", text))
    return {value_of(found[0]) for found in NUMBER_WORD.finditer(plain)} | {float(found[0]) for found in WHOLE.finditer(plain)}


def stale(chapter):  # -> what of its questions would be stale, and after which change
    for changed, name, value in changes(chapter):
        for question in asked(chapter):
            said = [reference for reference in question.given if now(reference, chapter, changed) is not None]
            answer = None if question.choices else now(question.answer, chapter, changed)
            where = f"{chapter}:{question.key}: {name} changes"
            if said and answer is None and (question.choices or run_of(question, chapter) not in changed):
                yield f"{where} {', '.join(said)} in its text, and not its right answer"
            elif answer is not None and not said and len(set(value)) == 1 and value[0] in in_words(question.text):
                yield f"{where} its right answer, and its text says {value[0]:g} in words: bind it"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_right_answer_is_a_given(chapter):
    """Whoever changes it would change what is right, and nothing that is asked."""
    found = {question.key: library(chapter).find(question.answer) for question in asked(chapter) if question.answer}
    assert [key for key, one in found.items() if one.worked and one.worked["paper"].trace.find(one.local).array.op == "given"] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_question_is_stale_after_a_change(chapter):
    assert sorted(set(stale(chapter))) == []
