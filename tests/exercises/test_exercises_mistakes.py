"""Every known mistake is possible, gives a wrong answer, and is diagnosed."""

import re
from dataclasses import replace
from itertools import starmap
from operator import call
from pathlib import Path

import numpy as np
import pytest
from verdicts import asked

from pencil.examples import (
    MIXING_MATRIX,
    MODERN_BLOCK,
    MODERN_CONFIG,
    PAIR,
    PAIR_BLOCK,
    REVIEW,
    REVIEW_HEAD,
    REVIEW_PARAMS,
    RNN_PARAMS,
    RNN_VECTORS,
    RNN_WORDS,
    ROWS,
)
from pencil.exercises import Worksheet, check, exercise_of, exercises, mark
from pencil.exercises.exercise import Exercise, Numbers
from pencil.exercises.generation import generate
from pencil.exercises.mistakes import MISTAKES, note_mistakes, spoils
from pencil.exercises.questions import all_questions
from pencil.note import WRONG
from pencil.publish import publish
from pencil.publish.exercises import exercises_in
from pencil.reference import (
    Rotary,
    binary_cross_entropy,
    block,
    causal_mask,
    flash_attention,
    flash_attention_backward,
    mean_pool,
    mlp_head,
    rnn,
    self_attention,
    sinusoidal,
)
from pencil.trace import Trace, backward
from pencil.worked import Worked

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def review():
    trace = Trace()
    mixed = self_attention(trace.given("embedding", ROWS, words=REVIEW), trace.given_each("params", REVIEW_PARAMS), note=trace)
    said = mlp_head(mean_pool(mixed, note=trace), trace.given_each("head", REVIEW_HEAD), note=trace)
    binary_cross_entropy(said, trace.given("target", [1.0]), note=trace)
    return trace


def pair():
    trace = Trace()
    mixing = replace(PAIR_BLOCK, attention=replace(PAIR_BLOCK.attention, output=MIXING_MATRIX))
    block(trace.given("x", ROWS * np.arange(1, 5), words=PAIR), trace.given_each("params", mixing), note=trace)
    return trace


def covered():
    trace = Trace()
    x, params = trace.given("x", ROWS, words=REVIEW), trace.given_each("params", REVIEW_PARAMS)
    self_attention(x, params, mask=causal_mask(2), note=trace)
    return trace


def walked():
    trace = Trace()
    rnn(trace.given("x", RNN_VECTORS, words=RNN_WORDS), trace.given_each("params", RNN_PARAMS), note=trace)
    sinusoidal(trace.given("positions", [0, 1, 2]), width=4, note=trace)
    return trace


def modern():
    trace = Trace()
    config = replace(MODERN_CONFIG, position_encoding=Rotary(trace.given("positions", [0, 1])))
    block(trace.given("x", ROWS * np.arange(1, 5), words=PAIR), trace.given_each("params", MODERN_BLOCK), note=trace, config=config)
    return trace


def three():
    trace = Trace()
    self_attention(trace.given("x", [*ROWS, ROWS[0] + ROWS[1]]), trace.given_each("params", REVIEW_PARAMS), note=trace)
    mean_pool(trace.given("row", [[6, 0, 3], [0, 3, 0], [0, 0, 3]]), note=trace)
    return trace


def tiled():
    trace = Trace()
    query, key, value = (trace.given(name, numbers) for name, numbers in (("query", [[1, 2]]), ("key", np.eye(4, 2)[::-1]), ("value", np.eye(4, 2))))
    came = flash_attention(query, key, value, block_size=(1, 2), note=trace)
    back = Trace()
    there = (back.given(value.name, value.exact) for value in (query, key, value))
    grad, context, logsumexp = (
        back.given("grad", [[1, 3]]),
        *(back.given(name, x.exact) for name, x in zip(("context", "logsumexp"), came, strict=True)),
    )
    flash_attention_backward(grad, *there, context, logsumexp, block_size=(1, 2), note=back)
    return trace, back


SHEETS = [("lstm", 7), ("lstm", 8), ("layernorm", 7), ("attention", 7), ("softmax", 7), ("backward", 7)]


def taken(trace):
    return {(key, name) for name in list(trace.names) for key in note_mistakes(trace, name, far=True)}


def test_every_wrong_turn_is_reachable():
    traces = (*map(call, (review, pair, covered, walked, modern, three)), *tiled(), *starmap(generate, SHEETS))
    reached = {(key, name) for trace in traces for key, name in taken(trace)}
    assert [mistake for mistake in MISTAKES if not any(key == mistake.key and spoils(mistake, name) for key, name in reached)] == []


def test_no_wrong_turn_is_a_right_answer():
    for trace in (review(), pair()):
        mistakes_made = taken(trace)
        assert mistakes_made
        for key, name in mistakes_made:
            wrong, right = trace.names[f"{WRONG}.{key}.{name}"], trace.names[name]
            assert wrong.shape != right.shape or not np.allclose(wrong.exact, right.exact)


def test_the_book_s_own():
    trace = review()
    note_mistakes(trace, "weights"), note_mistakes(trace, "scores"), note_mistakes(trace, "context")
    sheet = Worked(trace)
    assert sheet.row("nolan.wrong.added_scores.weights") == "[0.200, 0.800]"  # 1/5 and 4/5, as if softmax added the scores
    assert sheet.row("nolan.wrong.forgot_root.weights") == "[0.002, 0.998]"
    assert sheet.row("nolan.wrong.own_left_out.scores") == "8"
    assert sheet.row("nolan.wrong.plain_average.context") == "[1, 1.500, 0.500, 0.500]"


def test_wrong_turns_follow_their_givens():
    trace = review()
    taken(trace)
    again = Trace.load(trace.program(), {"embedding": ROWS[::-1]})
    fresh = Trace()
    self_attention(fresh.given("embedding", ROWS[::-1], words=REVIEW), fresh.given_each("params", REVIEW_PARAMS), note=fresh)
    note_mistakes(fresh, "weights")
    np.testing.assert_allclose(again.names["wrong.wrong_axis.weights"].exact, fresh.names["wrong.wrong_axis.weights"].exact)


def the_exercise(reference):
    return exercise_of(publish(review()).find(reference))


@pytest.mark.parametrize(
    "reference, answer, right, wrong, says",
    [
        ("nolan.scores", "2, 8", True, "", "Right."),
        ("nolan.scores", [2, 8], True, "", "Right."),
        ("nolan.scores", "8", False, "own_left_out", "A word has a score with itself as well"),
        ("nolan.scores", "4 1", False, "value_for_key", "You dotted with the value"),
        ("nolan.scores", "2, 7.9", False, "", "Not yet: number 2 is the first that differs."),  # a whole number was not rounded
        ("nolan.scores", "2", False, "", "You typed 1 number; 2 are wanted."),
        ("nolan.weights", "0.047 0.953", True, "", "Right."),
        ("nolan.weights", "0.0474 0.9526", True, "", "Right."),
        ("nolan.weights", "[0,047; 0,953]", True, "", "Right."),
        ("nolan.weights", "0,05 0,95", False, "", "Too short to tell. Write three decimals."),
        ("nolan.weights", "0,047 0,953 0,1", False, "", "You typed 6 numbers; 2 are wanted."),
        ("nolan.weights", "1/5, 4/5", False, "added_scores", "Take exp of each first"),
        ("nolan.weights", "0.002, 0.998", False, "forgot_root", "root of the width"),
        ("nolan.weights", "0.05 0.95", False, "", "Too short to tell. Write three decimals."),
        ("nolan.weights", "0.049 0.951", False, "", "Close. Was a number rounded too soon?"),
        ("nolan.context", "0.094 2.859 0.953 0.047", True, "", "Right."),
        ("nolan.context", "0.094 2.859 0.953 7", False, "", "Not yet: number 4 alone differs. Work its line once more."),
        ("nolan.weights[ended]", "95.3 %", True, "", "Right."),
        ("nolan.weights[ended]", "0,953", True, "", "Right."),
        ("nolan.weights[ended]", "0.95", False, "", "So far, so good. Write three decimals."),
        ("nolan.weights[ended]", "2", False, "", "Not yet."),
        ("sigmoid.prob", "nonsense", False, "", "“nonsense” is no number"),
    ],
)
def test_marks(reference, answer, right, wrong, says):
    given = mark(the_exercise(reference), answer)
    assert (given.right, given.wrong) == (right, wrong) and says in given.message and repr(given) == given.message


def test_every_exercise_of_the_chapters_marks_its_own_answer_and_its_own_mistakes():
    for name, question in all_questions(NOTEBOOKS).items():
        if question.choices:
            continue
        exercise = asked(name)
        assert mark(exercise, list(exercise.right.paper)).right and mark(exercise, list(exercise.right.exact)).right
        for known in exercise.mistakes:
            given = mark(exercise, list(known.numbers.exact))
            assert known.numbers == exercise.right or (not given.right and given.wrong), (name, known)


@pytest.mark.parametrize("source", sorted(NOTEBOOKS.glob("*.md")), ids=lambda path: path.stem)
def test_a_chapter_asks_four_questions_at_least_and_each_has_its_worked_answer(source):
    text = source.read_text(encoding="utf-8")
    asked = [question for question in exercises_in(text) if question.answer or question.choices]
    assert len(asked) >= 4
    assert len(asked) == len(exercises_in(text)) == text.count("{worked-answer}")


@pytest.mark.parametrize("source", sorted(NOTEBOOKS.glob("*.md")), ids=lambda path: path.stem)
def test_before_a_lab_a_reader_predicts(source):
    text = source.read_text(encoding="utf-8")
    labs = [found.start() for found in re.finditer(r"^[A-Z]\w*Lab\(", text, re.M)]
    assert not labs or "{your-turn} predict-" in text[: labs[-1]]


def test_a_key_that_no_chapter_has_is_answered_with_the_one_that_may_have_been_meant():
    def said(key):
        marked = check(key, 1)
        assert not marked.right and not marked.read
        return str(marked)

    assert said("two-querys") == "There is no exercise 'two-querys'. Did you mean 'two-queries'?"
    assert said("06:scor").startswith("There is no exercise '06:scor'. Did you mean '06:score'? The nearest in chapter 06: score, ")
    named = said("9:Sharres").partition("Did you mean '09:shares'? The nearest in chapter 09: ")[2].rstrip(".").split(", ")
    known = {name.partition(":")[2] for name in all_questions(NOTEBOOKS) if name.startswith("09:")}
    assert named[0] == "shares" and set(named) < known and len(named) == 5 < len(known)
    listed = said("09:").partition("Chapter 09 has ")[2].rstrip(".").split(", ")
    assert set(listed) == known and len(listed) == len(known)
    assert said("05:predict-hat").startswith("There is no exercise '05:predict-hat'. Did you mean '05:predict-the-share'?"), "14 has a predict-hot"
    assert said("77:score").startswith("There is no exercise '77:score'. There is no chapter 77; there are 01, 02, ")
    assert "Put the chapter in front" in said("qqqqqq")
    assert said(None).startswith("There is no exercise None.")


@pytest.mark.parametrize("key", ["9:Shares", " 09:shares "])
def test_a_chapter_s_number_may_stand_without_its_zero(key):
    assert check(key, "0.047 0.953").right


def test_where_there_are_no_chapters_a_sentence_says_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="There are no chapters in"):
        exercises(tmp_path)


def test_a_figure_has_no_wrong_turns_of_its_own():
    assert exercise_of(publish(review(), figures={"looks": 24}).find("looks")) == Exercise(Numbers((24.0,), (24.0,)))


def test_a_slope_is_no_value_of_the_machine():
    """d.scaled is what the miss says of scaled: whoever errs there did not forget a root. It has mistakes of its own."""
    trace = pair()
    backward((trace.names["out"] * 1.0).sum())
    assert note_mistakes(trace, "scaled") and note_mistakes(trace, "grad.scaled") == {}
    assert note_mistakes(trace, "weights").keys().isdisjoint(note_mistakes(trace, "grad.weights"))


WALKED = Worksheet("backward", 7)


@pytest.mark.parametrize(
    "asked, key, says",
    [
        ("nolan.error", "truth_first", "You turned it round. The slope is prediction minus target."),
        ("grad.head.weight", "no_chain", "You broke the chain: this is what d.logit is multiplied by."),
        ("nolan.grad.context", "own_factor", "You multiplied by the context itself."),
        ("ended.grad.value", "swapped_weights", "You gave each word the share of the other."),
        ("nolan.grad.weights", "columns", "You read the values by their columns. Dot d.context with each value"),
        ("nolan.short_way", "own_road_alone", "You took the road through a score's own share alone."),
        ("nolan.grad.scores", "times_root", "You multiplied by the root."),
        ("nolan.grad.query", "first_road_alone", "You took the first road alone. Two of them come back to the query, one from each score"),
        (
            "grad.params.query",
            "transposed",
            "You have the right numbers, laid down by columns: a row of the matrix belongs to one number",
        ),
        ("stepped.head.weight.updated", "uphill", "You went uphill"),
        ("nolan.logit_again", "old_values", "You used the old weights and the old bias."),
    ],
)
def test_what_is_done_wrong_on_the_way_back_is_called_by_its_name(asked, key, says):
    exercise = WALKED.exercise(asked)
    given = mark(exercise, list(exercise.known(key).numbers.exact))
    assert given.wrong == key and says in given.message


def test_a_slope_turned_round_is_told_all_the_way_back():
    exercise = WALKED.exercise("nolan.grad.query")
    given = mark(exercise, [-x for x in exercise.right.exact])
    assert not given.right and "at nolan.d.logit: you turned it round" in given.message


def test_the_catalogue_adds_to_a_trace_and_changes_nothing_in_it():
    trace = review()
    before = {name: value.exact.copy() for name, value in trace.names.items()}
    taken(trace)
    assert all(np.array_equal(trace.names[name].exact, value) for name, value in before.items())
