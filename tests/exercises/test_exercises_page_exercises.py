"""The exercises of a page as data: what a box asks, and choices among words."""

import json
from pathlib import Path

import numpy as np
import pytest
import verdicts

from pencil.checker.library import Library
from pencil.exercises import Choice, check, mark
from pencil.exercises.known import exercise_of
from pencil.exercises.page_exercises import made_of, page_questions
from pencil.paths import chapter_number, chapter_sources
from pencil.publish.exercises import ExerciseSource, exercises_in

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CHAPTERS = chapter_sources(NOTEBOOKS)
BOXES = """# A page

```text
:::{your-turn} shown
:answer: code
:::
```

:::{your-turn} plain
No answer.
:::

::::{your-turn} match
:answer: turn.nolan.scores[another]
:wrong: turn.nolan.slot | That is the row times stick from above.
:wrong-2: turn.twelve.scaled | That is another question.
What?
:::{worked-answer}
So.
:::
::::

:::{your-turn} bag
:choices: a set | a bag |a list
:right: a bag
:wrong: a set | A word that stands twice counts twice.
:hint: Do they stand in an order?
:hint-2: May one stand there twice?
Which?
:::
"""


HINTS = ("Do they stand in an order?", "May one stand there twice?")


def test_the_options_of_every_box_are_read():
    plain, match, bag = exercises_in(BOXES)
    assert plain == ExerciseSource("plain", text="No answer.\n\nWhat?")
    assert match.answer == "turn.nolan.scores[another]" and match.wrong[1] == ("turn.twelve.scaled", "That is another question.")
    assert bag == ExerciseSource("bag", "", ("a set", "a bag", "a list"), "a bag", (("a set", "A word that stands twice counts twice."),), HINTS)


def test_the_page_is_told_where_right_and_wrong_stand():
    match, bag = page_questions(BOXES, Library(NOTEBOOKS, "06"))
    assert match["answer"] == {"run": "turn", "name": "scores", "at": [0]} and match["shown"] == "nolan.scores[another]"
    assert match["hints"] == ["Multiply number by number, and add. You need: query and key.", None]
    entry, place = match["mistakes"][0]
    assert (entry["key"], entry["message"], place) == ("own-1", "That is the row times stick from above.", "slot")  # it stands where the answer does
    assert bag == {
        "key": "bag",
        "choices": ["a set", "a bag", "a list"],
        "right": "a bag",
        "wrong": {"a set": "A word that stands twice counts twice."},
        "hints": list(HINTS),
    }


def test_a_page_without_runs_is_told_the_numbers():
    (turn,) = page_questions(":::{your-turn} a\n:answer: 06:nolan.weights\n:hint: Divide.\n:hint-2: By what?\nx\n:::", Library(NOTEBOOKS))
    assert turn["answer"]["paper"] == [0.047, 0.953] and "shown" not in turn
    assert turn["mistakes"] and all("paper" in place for _, place in turn["mistakes"]) and "far" not in turn


@pytest.mark.parametrize("source", CHAPTERS, ids=lambda path: path.stem)
def test_what_stands_at_those_places_is_what_python_marks_by(source):
    library = verdicts.library(chapter_number(source))
    turns = verdicts.on_the_page(source)
    traces = {run: tracks["paper"].trace for run, tracks in library.chapter(library.own).replay().items()}
    for turn, asked in zip(turns, [t for t in exercises_in(source.read_text(encoding="utf-8")) if t.answer or t.choices], strict=True):
        if asked.choices or "name" not in turn["answer"]:
            continue
        exercise = exercise_of(library.find(asked.answer), [(library.find(reference), says) for reference, says in asked.wrong])
        own = turn["answer"]
        known = {entry["key"]: own | {"name": place} if isinstance(place, str) else place for entry, place in turn["mistakes"]}
        places = {"right": own} | {key: place for key, place in known.items() if "name" in place}
        meant = {"right": exercise.right} | {known.key: known.numbers for known in exercise.mistakes}
        for key, place in places.items():
            if key in meant:
                found = traces[place["run"]].names[place["name"]]
                np.testing.assert_array_equal(np.ravel(found.exact)[place["at"]], meant[key].exact)
                np.testing.assert_array_equal(np.ravel(found.paper)[place["at"]], meant[key].paper)
        assert set(meant) <= set(places) | {key for key, place in known.items() if "paper" in place}
    assert json.dumps(turns, allow_nan=False)


def test_a_hint_says_the_move_and_what_it_is_made_of():
    library = Library(NOTEBOOKS, "06")
    assert made_of(library.find("nolan.weights")) == "Divide. You need: exp and sum\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}exp."
    assert made_of(library.find("embedding")) == "It was given: look for it above."
    assert made_of(library.find("nolan.context")) == "Add up. You need: weighted\N{NO-BREAK SPACE}value."


def test_where_a_chapter_works_in_fractions_so_does_the_line_of_a_question():
    says = next(turn for turn in verdicts.on_the_page(NOTEBOOKS / "19_experts.md") if turn["key"] == "the-say-of-sat")
    assert says["written"] == ["sat.router.gate = [0, 9/16, 1/4, 0] / (13/16) = [0, 9/13, 4/13, 0]"]


def test_a_choice():
    choice = Choice(("a set", "a bag"), "a bag", {"a set": "A word that stands twice counts twice."})
    assert mark(choice, " A  bag ").right
    assert repr(mark(choice, "a set")) == "A word that stands twice counts twice."
    assert repr(mark(choice, "a heap")) == "Choose one of these: a set, a bag."
    assert repr(mark(Choice(("yes", "no"), "no"), "yes")) == "Not yet."


def test_a_box_s_own_wrong_turn_comes_first(tmp_path):
    library = Library(NOTEBOOKS, "06")
    exercise = exercise_of(library.find("nolan.scores"), [(library.find("nolan.scaled"), "Those are scaled already.")])
    assert mark(exercise, "1 4").wrong == "own-1"
    assert mark(exercise_of(library.find("nolan.scores"), [(library.find("nolan.scores"), "It is right.")]), "2 8").right


def test_check_in_python():
    assert check("06:score", "3").right


def test_what_is_said_to_a_mistake_may_be_a_question():
    (turn,) = exercises_in(":::{your-turn} a\n:answer: code\n:wrong: code | Which row is that?\nx\n:::")
    assert turn.wrong == (("code", "Which row is that?"),)
    with pytest.raises(ValueError, match="a sentence"):
        exercises_in(":::{your-turn} a\n:answer: code\n:wrong: code | Not that row\nx\n:::")


def test_a_step_of_a_tile_is_called_as_a_person_would():
    said = "\n".join(known.message for known in verdicts.asked("18:mixed-row").mistakes)
    assert "as far as word.running\xa0sum of tile 2" in said and "tile2" not in said
