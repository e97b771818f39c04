"""Answers to the chapters' questions as readers type them, with the verdict of a good teacher."""

import pytest
from verdicts import LISTS, asked, hold_the_verdict, questions

from pencil.exercises import mark


@pytest.mark.parametrize("question, answer, verdict, says", LISTS)
def test_the_verdict_is_that_of_a_good_teacher(question, answer, verdict, says):
    hold_the_verdict(question, answer, verdict, says)


def test_where_the_worked_answer_has_fewer_decimals_they_are_enough():
    """A reader who writes what the book prints is right."""
    assert {name: question.places for name, question in questions().items() if question.places} == {"08:short-exam": 2}


def test_a_wrong_row_written_twice_is_not_called_enough():
    assert mark(asked("09:average-to-warm-up"), "7 7 7 7").message == "You typed 4 numbers; 2 are wanted."
