"""What a question says against itself: a mistake that is the answer, a right word that is no choice, an answer that is not worked."""

import pytest
from judging import failures, reasons

BOX = "::::{{your-turn}} key\n{options}\nWhich?\n\n:::{{worked-answer}}\n{worked}\n:::\n::::"


def box(options, worked="It is {v}`8 <nolan.scores[ended]>`."):
    return BOX.format(options=options, worked=worked)


GOOD = [
    box(":answer: nolan.scores[ended]"),
    box(":answer: nolan.scores[ended]\n:wrong: nolan.scores[nolan] | That is the other."),
    box(":answer: nolan.scaled[ended]", "8 / 2 = 4"),
    box(":answer: nolan.scores", "It is {v}`2 <nolan.scores[nolan]>`, then {v}`8 <nolan.scores[ended]>`.<!--no claim-->"),
    box(":answer: nolan.weights[ended]", "It is {v}`95.3 % <nolan.weights[ended]>`."),
    box(":choices: set | bag\n:right: bag", "A bag."),
]


@pytest.mark.parametrize("text", GOOD)
def test_a_question_that_agrees_with_itself_passes(review, text):
    assert failures(text, review) == []


BAD = [
    (box(":answer: nolan.scores[ended]\n:wrong-4: nolan.scores[ended] | No."), ":wrong-4:", "is the answer, nolan.scores[ended]: name the value"),
    (box(":choices: set | bag\n:right: list", "A bag."), ":right: list", "is none of the choices: write one of set, bag"),
    (box(":choices: set | bag\n:right: bag\n:wrong: bag | No.", "A bag."), ":wrong: bag", "is none of the wrong choices: write one of set"),
    (box(":choices: set | bag\n:right: bag\n:wrong-2: list | No.", "A bag."), ":wrong-2: list", "is none of the wrong choices: write one of set"),
    (box(":answer: nolan.scores[nolan]"), "{worked-answer}", "does not show the answer, nolan.scores[nolan]: bind it there"),
]


@pytest.mark.parametrize("text, written, reason", BAD)
def test_a_question_against_itself_is_refused(review, text, written, reason):
    assert written in [said for _, said in failures(text, review)] and reason in reasons(text, review)


def test_a_misspelt_reference_in_a_worked_answer_is_a_failure_of_its_line_and_hides_no_other(review):
    text = box(":answer: nolan.scores[ended]", "It is {v}`8 <nolan.scores[ended]>`, or {v}`8 <nolan.skores[ended]>`.")
    assert [line for line, _ in failures(text + "\n\nIt is {v}`9 <nolan.scores[ended]>`.", review)] == [6, 10]
