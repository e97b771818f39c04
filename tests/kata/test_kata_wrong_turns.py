"""Every wrong turn can be taken, is no right answer, and is told to who takes it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pencil.examples import MIXING_GRID, PAIR, PAIR_BLOCK, REVIEW, REVIEW_GRIDS, REVIEW_HEAD, ROWS
from pencil.kata import check, exercise_of, exercises, mark
from pencil.kata.deal import deal
from pencil.kata.exercises import asked_by, turns
from pencil.kata.marking import Exercise, Numbers
from pencil.kata.wrong_turns import SCOPE, WRONG_TURNS, known
from pencil.prose import publish
from pencil.prose.library import Library
from pencil.prose.turns import turns_in
from pencil.reference import average, binary_cross_entropy, block, classify, self_attention
from pencil.trace import Trace, backward
from pencil.worked import Worked

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def review():
    trace = Trace()
    mixed = self_attention(trace.given("stick", ROWS, words=REVIEW), trace.given_each("grid", REVIEW_GRIDS), trace)
    said = classify(average(mixed, note=trace), trace.given_each("head", REVIEW_HEAD), trace)
    binary_cross_entropy(trace.given("truth", [1.0]), said, trace)
    return trace


def pair():
    trace = Trace()
    mixing = replace(PAIR_BLOCK, attention=replace(PAIR_BLOCK.attention, output=MIXING_GRID))
    block(trace.given("x", ROWS * np.arange(1, 5), words=PAIR), trace.given_each("grid", mixing), trace)
    return trace


def three():
    trace = Trace()
    average(trace.given("row", [[6, 0, 3], [0, 3, 0], [0, 0, 3]]), note=trace)
    return trace


def taken(trace):
    return {(key, name) for name in list(trace.names) for key in known(trace, name)}


def test_every_wrong_turn_is_reachable():
    reached = {
        (key, name.rpartition(".")[2])
        for trace in (review(), pair(), three(), deal("lstm", 7), deal("lstm", 8), deal("layernorm", 7))
        for key, name in taken(trace)
    }
    assert reached == {(turn.key, turn.value) for turn in WRONG_TURNS}


def test_no_wrong_turn_is_a_right_answer():
    for trace in (review(), pair()):
        for key, name in taken(trace):
            wrong, right = trace.names[f"{SCOPE}.{key}.{name}"], trace.names[name]
            assert wrong.shape != right.shape or not np.allclose(wrong.exact, right.exact)


def test_the_book_s_own():
    trace = review()
    known(trace, "weights"), known(trace, "scores"), known(trace, "mixed")
    sheet = Worked(trace)
    assert sheet.row("nolan.wrong.added_scores.weights") == "[0.200, 0.800]"  # 1/5 and 4/5, as if softmax added the scores
    assert sheet.row("nolan.wrong.forgot_root.weights") == "[0.002, 0.998]"
    assert sheet.row("nolan.wrong.own_left_out.scores") == "8"
    assert sheet.row("nolan.wrong.plain_average.mixed") == "[1, 1.500, 0.500, 0.500]"


def test_wrong_turns_follow_their_givens():
    trace = review()
    taken(trace)
    again = Trace.load(trace.program(), {"stick": ROWS[::-1]})
    fresh = Trace()
    self_attention(fresh.given("stick", ROWS[::-1], words=REVIEW), fresh.given_each("grid", REVIEW_GRIDS), fresh)
    known(fresh, "weights")
    np.testing.assert_allclose(again.names["wrong.wrong_axis.weights"].exact, fresh.names["wrong.wrong_axis.weights"].exact)


def the_exercise(reference):
    return exercise_of(publish(review()).find(reference))


@pytest.mark.parametrize(
    "reference, answer, right, wrong, says",
    [
        ("nolan.scores", "2, 8", True, "", "Right."),
        ("nolan.scores", [2, 8], True, "", "Right."),
        ("nolan.scores", "8", False, "own_left_out", "A word matches itself as well"),
        ("nolan.scores", "4 1", False, "value_for_key", "You dotted with GIVE"),
        ("nolan.scores", "2, 7.9", False, "", "Not yet: number 2 is the first that differs."),  # a whole number was not rounded
        ("nolan.scores", "2", False, "", "You typed 1 number; 2 are wanted."),
        ("nolan.weights", "0.047 0.953", True, "", "Right."),
        ("nolan.weights", "0.0474 0.9526", True, "", "Right."),
        ("nolan.weights", "[0,047; 0,953]", True, "", "Right."),
        ("nolan.weights", "0,05 0,95", False, "", "Right as far as it goes. Write three decimals."),
        ("nolan.weights", "0,047 0,953 0,1", False, "", "You typed 6 numbers; 2 are wanted."),
        ("nolan.weights", "1/5, 4/5", False, "added_scores", "Raise e to each first"),
        ("nolan.weights", "0.002, 0.998", False, "forgot_root", "root of the width"),
        ("nolan.weights", "0.05 0.95", False, "", "Right as far as it goes. Write three decimals."),
        ("nolan.weights", "0.049 0.951", False, "", "Close. A number was rounded on the way"),
        ("nolan.mixed", "0.094 2.859 0.953 0.047", True, "", "Right."),
        ("nolan.mixed", "0.094 2.859 0.953 7", False, "", "Not yet: number 4 is the first that differs. 3 of 4 are right."),
        ("nolan.weights[ended]", "95.3 %", True, "", "Right."),
        ("nolan.weights[ended]", "0,953", False, "", "A comma separates two numbers"),
        ("nolan.weights[ended]", "2", False, "", "Not yet."),
        ("sigmoid.answer", "nonsense", False, "", "“nonsense” is no number"),
    ],
)
def test_marks(reference, answer, right, wrong, says):
    given = mark(the_exercise(reference), answer)
    assert (given.right, given.wrong) == (right, wrong) and says in given.says and repr(given) == given.says


def test_every_exercise_of_the_chapters_marks_its_own_answer_and_its_own_mistakes():
    libraries = {}
    for name, turn in turns(NOTEBOOKS).items():
        if turn.choices:
            continue
        exercise = asked_by(turn, libraries.setdefault(name[:2], Library(NOTEBOOKS, name[:2])))
        assert mark(exercise, list(exercise.right.paper)).right and mark(exercise, list(exercise.right.exact)).right
        for key, (numbers, says) in exercise.wrong.items():
            given = mark(exercise, list(numbers.exact))
            assert not given.right and given.wrong, (name, key, says)


@pytest.mark.parametrize("source", sorted(NOTEBOOKS.glob("*.md")), ids=lambda path: path.stem)
def test_a_chapter_asks_four_questions_at_least_and_each_has_its_worked_answer(source):
    text = source.read_text(encoding="utf-8")
    asked = [turn for turn in turns_in(text) if turn.answer or turn.choices]
    assert len(asked) >= 4
    assert len(asked) == len(turns_in(text)) == text.count("{worked-answer}")


def test_a_key_that_no_chapter_has(tmp_path):
    with pytest.raises(KeyError, match="there is no exercise 'two-querys'; there are two-queries"):
        check("two-querys", 1, NOTEBOOKS)
    with pytest.raises(FileNotFoundError, match="there are no chapters in"):
        exercises(tmp_path)


def test_a_figure_has_no_wrong_turns_of_its_own():
    assert exercise_of(publish(review(), figures={"looks": 24}).find("looks")) == Exercise(Numbers((24.0,), (24.0,)))


def test_a_slope_is_no_value_of_the_machine():
    """d.scaled is what the miss says of scaled: whoever errs there did not forget a root."""
    trace = pair()
    backward((trace.names["out"] * 1.0).sum())
    assert known(trace, "scaled") and known(trace, "d.scaled") == known(trace, "d.weights") == {}


def test_the_catalogue_adds_to_a_trace_and_changes_nothing_in_it():
    trace = review()
    before = {name: value.exact.copy() for name, value in trace.names.items()}
    taken(trace)
    assert all(np.array_equal(trace.names[name].exact, value) for name, value in before.items())
