"""The questions of the chapters, the table of answers to them, and their marks."""

import csv
from functools import cache
from pathlib import Path

from pencil.checker.library import Library
from pencil.exercises import mark
from pencil.exercises.page_exercises import page_questions
from pencil.exercises.questions import all_questions, asked_by
from pencil.paths import chapter_number

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TABLE = Path(__file__).parent / "typed_answers.csv"


@cache
def typed_answers():  # -> a dict for each: source, question, answer, verdict, kind (of a mistake), says (what the message has), what (was done)
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows_of(source):
    return [row for row in typed_answers() if row["source"] == source]


@cache
def questions():
    return all_questions(NOTEBOOKS)


@cache
def asked(question):
    return asked_by(questions()[question], library(question.partition(":")[0]))


@cache
def library(chapter):
    return Library(NOTEBOOKS, chapter)


@cache
def on_the_page(source):  # Path of a chapter -> what its page is told of its questions
    return page_questions(source.read_text(encoding="utf-8"), library(chapter_number(source)))


def hold_the_verdict(question, answer, verdict, says):
    """Is this the verdict, and is this said? Nothing wrong is called right."""
    given = mark(asked(question), answer)
    assert given.verdict == verdict and says.lower() in given.message.lower(), (question, answer, given)  # "You", or "Perhaps you left out"
    assert verdict == "right" or not given.message.startswith("Right"), (question, answer, given)
    return given
