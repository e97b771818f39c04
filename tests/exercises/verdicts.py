"""The questions of the chapters, the lists of answers to them, and their marks."""

import csv
from functools import cache
from pathlib import Path

import fifth_list
import first_list
import fourth_list
import named_later_chapters
import named_mistakes
import second_list
import sixth_list
import third_list
import wrong_steps

from pencil.checker.library import Library
from pencil.exercises import mark
from pencil.exercises.page_exercises import page_questions
from pencil.exercises.questions import all_questions, asked_by
from pencil.paths import chapter_number

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LISTS = [
    *first_list.TYPED,
    *named_mistakes.TYPED,
    *named_later_chapters.TYPED,
    *second_list.TYPED,
    *third_list.TYPED,
    *fourth_list.TYPED,
    *fifth_list.TYPED,
    *sixth_list.TYPED,
    *wrong_steps.TYPED,
]

CSV_LISTS = ("single_slips", "fresh_list", "unseen_list", "later_list", "last_list", "class_list")  # frozen, each before it was counted


def rows_of(name):  # "fresh_list" -> a dict for each of its answers
    with (Path(__file__).parent / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


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
    assert given.verdict == verdict and says.lower() in given.message.lower(), given  # "You left out", or "Perhaps you left out"
    assert verdict == "right" or "right" not in given.message.lower().replace(" are right", ""), given
