"""Answers to the chapters' questions as readers type them, with the verdict of a good teacher (typed_answers.csv).

Its sources: `first` to `sixth`, `named`, `named_later` and `wrong_steps` were written from the built pages, and say what the message has.
The others were written from the questions alone, and most of their mistakes should be named. `slips_first` was written before anything was
mended for it, `slips_second` after that; what turned out to be no mistake of one step is `argued`, and not counted. `fresh` was written from
chapters that neither has, `unseen` from all chapters; both were frozen before they were counted, and of its mistakes `unseen` keeps those that
no other list has (59 of 89 single ones and 66 of 89 further up were named at first). `later` and `last` are one more list, cut in two by chance:
of its 731 wrong answers 604 were in the other lists already, and these keep the rest; the first was counted (43 of 63 single ones) and mended
for, the second was counted after that alone (24 of 32). `class` is what a class would type: at first sight 179 of its 180 single mistakes were
named, and 39 of its 40 further up. `forms` are right and wrong numbers in forms that were misread once.
"""

import random

import pytest
from verdicts import asked, hold_the_verdict, questions, rows_of, typed_answers

from pencil.exercises import mark
from pencil.rounding import show

NAMELESS = {"not_yet", "close", "count", "too_rough", "same_factor", "same_amount"}  # kinds that name no mistake
FLOORS = {  # the share that is named, by source and kind
    ("slips_first", "slip"): 0.95,
    ("slips_second", "slip"): 0.75,
    ("fresh", "misconception"): 0.85,
    ("fresh", "slip"): 0.75,
    ("fresh", "upstream"): 0.85,
    ("unseen", "misconception"): 0.90,
    ("unseen", "slip"): 0.90,
    ("unseen", "upstream"): 0.93,
    ("later", "misconception"): 0.33,
    ("later", "slip"): 0.74,
    ("later", "upstream"): 0.93,
    ("last", "misconception"): 0.66,
    ("last", "slip"): 0.77,
    ("last", "upstream"): 0.75,
    ("class", "slip"): 0.99,
    ("class", "upstream"): 0.97,
}
NEAR = 10  # so many numbers near each answer, drawn for each question alone: another question leaves those of the rest as they are
MOST, MOST_STORIES = 12 / 300, 1 / 300  # the share that may be those of a known mistake, and the share told without a "perhaps"


@pytest.mark.parametrize("source", dict.fromkeys(row["source"] for row in typed_answers()))
def test_the_verdict_is_that_of_a_good_teacher(source):
    for row in rows_of(source):
        hold_the_verdict(row["question"], row["answer"], row["verdict"], row["says"])


def is_named(given):
    return bool(given.wrong) or given.kind not in NAMELESS


@pytest.mark.parametrize("source, kind", FLOORS)
def test_most_mistakes_are_named(source, kind):
    marks = [mark(asked(row["question"]), row["answer"]) for row in rows_of(source) if row["kind"] == kind]
    assert marks and sum(map(is_named, marks)) >= FLOORS[source, kind] * len(marks), sum(map(is_named, marks)) / len(marks)


def test_few_mistakes_are_argued_away():
    assert 0 < sum(row["kind"] == "argued" for row in typed_answers()) < 20


def test_where_the_worked_answer_has_fewer_decimals_they_are_enough():
    """A reader who writes what the book prints is right."""
    assert {name: question.places for name, question in questions().items() if question.places} == {"08:short-exam": 2, "08:mean-of-seeds": 1}
    assert mark(asked("08:mean-of-seeds"), "83.0").right and mark(asked("08:mean-of-seeds"), "83.3").verdict == "wrong"


def test_a_wrong_row_written_twice_is_not_called_enough():
    assert mark(asked("09:average-to-warm-up"), "7 7 7 7").message == "You typed 4 numbers; 2 are wanted."


def test_what_is_right_is_right_on_paper_and_exactly():
    for name, question in questions().items():
        right = asked(name).right if question.answer else None
        for track in (right.paper, right.exact) if right else ():
            assert mark(asked(name), " ".join(map(show, track))).right, name


@pytest.mark.slow
def test_a_number_near_an_answer_gets_a_diagnosis_only_where_it_is_that_mistake_s():
    """And no guess is told for sure: one short number alone says "perhaps", or what the number is."""
    diagnosed, stories = [], []
    names = [name for name, question in questions().items() if question.answer]
    for name in names:
        rng, exercise = random.Random(name), asked(name)
        for _ in range(NEAR):
            text = " ".join(_near(rng, x, exercise.right.exact) for x in exercise.right.exact)
            given = mark(exercise, text)
            if given.kind == "mistakes":
                diagnosed.append((name, text, given))
                known = exercise.known(given.wrong)
                is_guess = known.certainty == "guess" or known.distance
                stories += [(name, text, given)] if is_guess and "erhaps" not in given.message and " Or: " not in given.message else []
    assert len(diagnosed) <= MOST * NEAR * len(names), (len(diagnosed), NEAR * len(names))
    assert len(stories) <= MOST_STORIES * NEAR * len(names), stories


@pytest.mark.parametrize(
    "question, answer, says",
    [
        ("16:two-windows", "4", "Perhaps you left the word itself out."),  # one digit
        ("07:count-dials", "12288", "You"),  # five
        ("09:shares", "0.182 0.818", "The slip is further up"),  # two numbers
        ("09:score-row", "2 6", "Perhaps you left out one of the products."),  # the first is right
        ("17:where-is-cat", "3", "That is the number of a page."),  # what the number is holds for sure
    ],
)
def test_one_short_number_alone_says_perhaps(question, answer, says):
    assert mark(asked(question), answer).message.startswith(says)


def _near(rng, x, row):  # a number as large as this one, more or less, of the kind that is asked for
    other = x * rng.uniform(0.4, 1.8) + rng.uniform(-0.3, 0.3) * (abs(x) < 1)
    return str(round(other)) if len(row) == 1 and not x % 1 and abs(x) >= 5 else f"{other:.3f}"
