"""Hints: every question of a sheet has at least two, and so has every question that a page may ask; the chapters are held to it by `pencil.rules`."""

from pathlib import Path

import pytest
from exercises_in_node import page_data

from pencil.checker.library import Library
from pencil.exercises.page_exercises import FEWEST, LINES, hints_of, page_questions
from pencil.exercises.topics import TOPICS
from pencil.publish.exercises import exercises_in

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_every_question_of_a_sheet_has_them_too(topic):
    asks = page_data(topic)["asks"]
    assert asks
    for ask in asks:
        assert len(ask["hints"]) >= FEWEST and ask["hints"][-1] is LINES, ask["key"]


def test_a_question_with_too_few_says_what_to_write():
    page = ":::{your-turn} looks\n:answer: looks\n:hint: Count them.\nHow many?\n:::"
    with pytest.raises(ValueError, match=r"your-turn looks has 1 of 2 hints; .* write :hint: and :hint-2:"):
        page_questions(page, Library(NOTEBOOKS, "12"))
    (turn,) = page_questions(page.replace("How", ":hint-2: Three grids.\nHow"), Library(NOTEBOOKS, "12"))
    assert turn["hints"] == ["Count them.", "Three grids."]


def test_the_box_s_own_come_first_and_two_of_them_stand_alone():
    page = ":::{your-turn} match\n:answer: turn.nolan.scores[another]\n:hint: Pair by pair.\nWhat?\n:::"
    (turn,) = page_questions(page, Library(NOTEBOOKS, "06"))
    assert turn["hints"] == ["Pair by pair.", "Multiply number by number, and add. You need: query and key.", LINES]
    (turn,) = page_questions(page.replace("What", ":hint-2: Then add.\nWhat"), Library(NOTEBOOKS, "06"))
    assert turn["hints"] == ["Pair by pair.", "Then add."]


def test_a_line_that_has_nothing_but_its_result_is_no_hint():
    assert hints_of(Library(NOTEBOOKS, "15").find("drawn.patch[3]")) == ["Copy the right ones. You need: picture."]


@pytest.mark.parametrize(
    "options, says",
    [
        (":answer: code\n:hint: That row", "has :hint: That row; write a step of help, a sentence"),
        (":hint: Look.", "has :hint: and nothing that is right"),
    ],
)
def test_a_hint_that_cannot_stand(options, says):
    with pytest.raises(ValueError, match=says):
        exercises_in(f":::{{your-turn}} a\n{options}\nx\n:::")
