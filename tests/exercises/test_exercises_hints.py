"""Hints: every question has at least two before its worked answer, and none gives the answer away."""

import re
from pathlib import Path

import pytest
from exercises_in_node import page_data
from verdicts import on_the_page

from pencil.checker.library import Library
from pencil.exercises.page_exercises import FEWEST, LINES, hints_of, page_questions
from pencil.exercises.topics import TOPICS
from pencil.paths import chapter_sources
from pencil.publish.exercises import exercises_in

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CHAPTERS = chapter_sources(NOTEBOOKS)


@pytest.mark.parametrize("source", CHAPTERS, ids=lambda path: path.stem)
def test_every_question_of_a_chapter_has_hints_in_steps(source):
    asked = on_the_page(source)
    assert asked
    for turn in asked:
        assert len(turn["hints"]) >= FEWEST and len(set(turn["hints"])) == len(turn["hints"]), turn["key"]
        assert LINES not in turn["hints"] or ("shown" in turn and turn["hints"][-1] is LINES), turn["key"]


@pytest.mark.parametrize("source", CHAPTERS, ids=lambda path: path.stem)
def test_a_hint_of_a_box_says_neither_a_digit_nor_the_right_word(source):
    for turn in exercises_in(source.read_text(encoding="utf-8")):
        for hint in turn.hints:
            assert not re.search(r"\d", hint) and hint[-1] in ".?", (turn.key, hint)
            assert not turn.right or not re.search(rf"\b{re.escape(turn.right)}\b", hint), (turn.key, hint)


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
    assert turn["hints"] == ["Pair by pair.", "Multiply number by number, and add. You need: WANT and HAVE.", LINES]
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
