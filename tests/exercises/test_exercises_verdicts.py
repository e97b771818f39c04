"""Answers to the chapters' questions as readers type them, with the verdict of a good teacher."""

import pytest
from verdicts import LISTS, hold_the_verdict, questions


@pytest.mark.parametrize("question, answer, verdict, says", LISTS)
def test_the_verdict_is_that_of_a_good_teacher(question, answer, verdict, says):
    hold_the_verdict(question, answer, verdict, says)


def test_where_the_worked_answer_has_fewer_decimals_they_are_enough():
    """A reader who writes what the book prints is right."""
    assert {name: question.places for name, question in questions().items() if question.places} == {"08:short-exam": 2}
