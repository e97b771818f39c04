"""The numbers in a chapter's "wrong turn" boxes are diagnosed as mistakes of the question nearby."""

import re

import pytest
from verdicts import NOTEBOOKS, hold_the_verdict
from wrong_turns import ALONE, RIVALS

from pencil.paths import chapter_number, chapter_sources

BOX = re.compile(r"^(:{3,})\{wrong-turn\} *([^\n]+)\n(.*?)^\1$", re.M | re.S)
ADDRESS = re.compile(r"\]\([^)]*\)|<[^>]*>")  # of a link or of a bound value: its digits are not read


def with_numbers():
    """The Wrong turns in which a number stands."""
    boxes = [(chapter_number(page), *box[1:]) for page in chapter_sources(NOTEBOOKS) for box in BOX.findall(page.read_text(encoding="utf-8"))]
    return {f"{number}: {title}" for number, title, body in boxes if re.search(r"\d", ADDRESS.sub("", body))}


def test_of_each_wrong_turn_with_numbers_it_is_decided_which_question_knows_it():
    assert with_numbers() == {*RIVALS, *ALONE}, "write a new one into tests/exercises/wrong_turns.py, beside the question that its number rivals"


@pytest.mark.parametrize("question, answer, says", RIVALS.values(), ids=list(RIVALS))
def test_who_takes_it_is_told_so(question, answer, says):
    hold_the_verdict(question, answer, "wrong", says)
