"""Single mistakes as many readers would make them, invented from the pages' questions alone: how many are named, and none is praised.

The first list was written before anything was mended for it, the second one after that; neither was cut down to what is known.
"""

import csv
import random
from pathlib import Path

import pytest
from verdicts import asked, questions

from pencil.exercises import mark
from pencil.exercises.answers import readings
from pencil.exercises.unknown import is_nearly
from pencil.rounding import show

with (Path(__file__).parent / "single_slips.csv").open(encoding="utf-8", newline="") as file:
    SLIPS = [(int(row["list"]), row["question"], row["answer"]) for row in csv.DictReader(file)]
SAME = "Every number is off by the same"
NAMELESS = ("Not yet", "Close", "You typed", "Whole numbers are too rough", f"{SAME} factor:", f"{SAME} amount")
FLOORS = {1: 0.87, 2: 0.63}  # the share that is named
NEAR, MOST = 300, 12  # numbers near an answer, and the most of them that may be those of a known mistake


@pytest.mark.parametrize("which, floor", FLOORS.items())
def test_single_mistakes_are_named_and_none_is_called_right(which, floor):
    marks = [mark(asked(question), answer) for number, question, answer in SLIPS if number == which]
    assert len(marks) > 200 and {each.verdict for each in marks} == {"wrong"}
    named = [each for each in marks if each.wrong or not each.message.startswith(NAMELESS)]
    assert len(named) >= floor * len(marks), len(named) / len(marks)


def test_what_is_right_is_right_on_paper_and_exactly():
    for name, question in questions().items():
        right = asked(name).right if question.answer else None
        for track in (right.paper, right.exact) if right else ():
            assert mark(asked(name), " ".join(map(show, track))).right, name


def test_a_number_near_an_answer_gets_a_diagnosis_only_where_it_is_that_mistake_s():
    rng, diagnosed = random.Random(7), 0
    names = [name for name, question in questions().items() if question.answer]
    for _ in range(NEAR):
        exercise = asked(rng.choice(names))
        text = " ".join(_near(rng, x, exercise.right.exact) for x in exercise.right.exact)
        given, typed = mark(exercise, text), readings(text, len(exercise.right.exact))[0]
        if given.wrong:
            diagnosed += 1
            numbers, _ = (exercise.wrong | exercise.upstream)[given.wrong]
            assert _is_made(typed, numbers, exercise.right), (text, given)
    assert diagnosed <= MOST, diagnosed


def _near(rng, x, row):  # a number as large as this one, more or less, of the kind that is asked for
    other = x * rng.uniform(0.4, 1.8) + rng.uniform(-0.3, 0.3) * (abs(x) < 1)
    return str(round(other)) if len(row) == 1 and not x % 1 and abs(x) >= 5 else f"{other:.3f}"


def _is_made(typed, numbers, right):  # are these the numbers of the mistake, or are the others right?
    off = set(right.off(typed)) & set(numbers.off(typed)) if len(numbers.exact) == len(typed) else {0}
    return not off or is_nearly(typed, numbers)
