"""What the marks say to an answer to a question of the chapters."""

from functools import cache
from pathlib import Path

from pencil.checker.library import Library
from pencil.exercises import mark
from pencil.exercises.questions import all_questions, asked_by

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@cache
def questions():
    return all_questions(NOTEBOOKS)


@cache
def asked(question):
    return asked_by(questions()[question], library(question.partition(":")[0]))


@cache
def library(chapter):
    return Library(NOTEBOOKS, chapter)


def hold_the_verdict(question, answer, verdict, says):
    """Is this the verdict, and is this said? Nothing wrong is called right."""
    given = mark(asked(question), answer)
    assert given.verdict == verdict and says.lower() in given.message.lower(), given  # "You left out", or "Perhaps you left out"
    assert verdict == "right" or "right" not in given.message.lower().replace(" are right", ""), given
