"""The walker against loops, what must hold for any walk, what is refused, and the fade against small pushes."""

import math
from dataclasses import replace

import numpy as np
import plain
import pytest
from draws import arrays, cells, check_refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil.reference import Head
from pencil.reference.bidirectional import Bidirectional, arrival, walk
from pencil.reference.fade import fade, step_slope
from pencil.reference.lstm import LSTM
from pencil.reference.rnn import Recurrent, preactivation, rnn, rnn_step
from pencil.reference.walker import WalkerClassifier, walker_classifier
from pencil.trace import Trace, still_true

quick = settings(max_examples=25, deadline=None, derandomize=True)
sizes, lengths = st.integers(1, 4), st.integers(1, 5)


@st.composite
def walks(draw, d, d_h):
    kind, one = draw(st.sampled_from(["rnn", "lstm", "both ways"])), lambda: draw(cells(d, d_h))
    if kind == "rnn":
        return one()
    if kind == "lstm":
        return LSTM(one(), one(), one(), one())
    return Bidirectional(one(), LSTM(one(), one(), one(), one()))


def loops(x, cell, start=None):
    """The walk once more: lists and math, every named value."""
    out, memory, memories = {}, start, []
    for t, row in enumerate(x, start=1):
        read = [plain.dot(w, row) + b for w, b in zip(cell.input, cell.bias if cell.bias is not None else [0.0] * len(cell.input), strict=True)]
        names = {"read": read}
        if memory is not None:
            names["recalled"] = [plain.dot(w, memory) for w in cell.hidden]
        names["summed"] = [a + b for a, b in zip(read, names.get("recalled", [0.0] * len(read)), strict=True)]
        memory = names["memory"] = [1 - 2 / (math.exp(2 * z) + 1) for z in names["summed"]]
        out |= plain.scoped(f"step{t}", names)
        memories.append(memory)
    return out | {"memories": memories}


@quick
@given(st.data(), lengths, sizes, sizes, st.booleans())
def test_a_walk_name_by_name(data, words, d, d_h, started):
    x, cell = data.draw(arrays(words, d)), data.draw(cells(d, d_h))
    start, noted = data.draw(arrays(d_h)) if started else None, {}
    out = rnn(x, cell, noted.setdefault, start)
    expected = loops(x.tolist(), cell, None if start is None else start.tolist())
    assert list(noted) == list(expected) and out is noted["memories"]
    for name, value in expected.items():
        np.testing.assert_allclose(noted[name], value, rtol=1e-12, atol=1e-12, err_msg=name)


@quick
@given(st.data(), lengths, sizes, sizes)
def test_an_empty_memory_is_one_of_zeros(data, words, d, d_h):
    x, cell = data.draw(arrays(words, d)), data.draw(cells(d, d_h))
    np.testing.assert_array_equal(rnn(x, cell), rnn(x, cell, start=np.zeros(d_h)))


@quick
@given(st.data(), st.integers(2, 5), sizes, sizes)
def test_a_walk_may_rest_and_go_on(data, words, d, d_h):
    x, cell = data.draw(arrays(words, d)), data.draw(cells(d, d_h))
    half = rnn(x[:1], cell)
    np.testing.assert_allclose(rnn(x, cell)[1:], rnn(x[1:], cell, start=half[-1]), rtol=1e-12, atol=1e-14)


@quick
@given(st.data(), st.integers(2, 5), sizes, sizes)
def test_no_memory_knows_what_comes_later_and_all_lie_between_minus_one_and_one(data, words, d, d_h):
    x, cell, other = data.draw(arrays(words, d)), data.draw(cells(d, d_h)), data.draw(arrays(words, d))
    mixed = np.concatenate([x[:-1], other[-1:]])
    np.testing.assert_array_equal(rnn(mixed, cell)[:-1], rnn(x, cell)[:-1])
    assert (np.abs(rnn(10 * x, cell)) <= 1).all()


def test_the_order_of_the_words_is_in_the_memory():
    rng = np.random.default_rng(0)
    x, cell = rng.normal(size=(3, 4)), Recurrent(rng.normal(size=(2, 4)), rng.normal(size=(2, 2)))
    assert np.abs(rnn(x, cell)[-1] - rnn(x[[1, 0, 2]], cell)[-1]).max() > 1e-3


def test_without_its_own_grid_a_memory_knows_the_last_word_alone():
    rng = np.random.default_rng(0)
    x, cell = rng.normal(size=(3, 4)), Recurrent(rng.normal(size=(2, 4)), np.zeros((2, 2)))
    np.testing.assert_allclose(rnn(x, cell), np.tanh(x @ cell.input.T), rtol=1e-14)


def test_a_step_takes_a_batch():
    rng = np.random.default_rng(1)
    x, memory, cell = rng.normal(size=(5, 4)), rng.normal(size=(5, 2)), Recurrent(rng.normal(size=(2, 4)), rng.normal(size=(2, 2)))
    np.testing.assert_allclose(rnn_step(x, memory, cell)[3], rnn_step(x[3], memory[3], cell), rtol=1e-13)


# ---- under the trace


def test_the_trace_of_a_walk_holds_for_other_numbers_and_bakes_nothing_in():
    rng = np.random.default_rng(2)
    given = {"x": rng.normal(size=(3, 2)), "grid.input": rng.normal(size=(2, 2)), "grid.hidden": rng.normal(size=(2, 2))}

    def run(given, note):
        cell = Recurrent(given["grid.input"], given["grid.hidden"])
        fade(rnn(given["x"], cell, note), cell, note)

    trace = Trace()
    run({name: trace.given(name, value) for name, value in given.items()}, trace)
    assert still_true(run, trace) > 30


def test_each_memory_is_of_the_word_that_was_read():
    trace, rng = Trace(), np.random.default_rng(3)
    words = ("not", "very", "good")
    x = trace.given("x", rng.normal(size=(3, 2)), words=words)
    rnn(x, trace.given_each("grid", Recurrent(rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.normal(size=2))), trace)
    assert [trace.names[f"step{t}.memory"].of for t in (1, 2, 3)] == [(w,) for w in words]
    assert trace.names["step3.recalled"].of == ("very",)  # what is recalled was left by the word before
    assert trace.names["memories"].axes == (words, None)


# ---- the fade


@quick
@given(st.data(), st.integers(2, 5), sizes, sizes)
def test_the_fade_is_what_a_small_push_shows(data, words, d, d_h):
    x, cell, start = data.draw(arrays(words, d)), data.draw(cells(d, d_h)), data.draw(arrays(d_h))
    first, push = rnn_step(x[0], start, cell), 1e-6
    slope = fade(rnn(x, cell, start=start), cell)
    for slot in range(d_h):
        moved = [rnn(x[1:], cell, start=first + side * push * np.eye(d_h)[slot])[-1] for side in (1, -1)]
        np.testing.assert_allclose(slope[:, slot], (moved[0] - moved[1]) / (2 * push), rtol=1e-6, atol=1e-8)


def test_the_fade_is_the_product_of_its_steps():
    rng = np.random.default_rng(4)
    cell = Recurrent(rng.normal(size=(3, 2)), rng.normal(size=(3, 3)))
    memories, noted = rnn(rng.normal(size=(4, 2)), cell), {}
    out = fade(memories, cell, noted.setdefault)
    by_hand = np.linalg.multi_dot([np.diag(1 - h**2) @ cell.hidden for h in memories[:0:-1]])
    np.testing.assert_allclose(out, by_hand, rtol=1e-12)
    assert out is noted["step4.reach"] and "step2.reach" not in noted


# ---- the whole machine


@st.composite
def machines(draw, rows, d, d_h):
    path = draw(walks(d, d_h))
    width = 2 * d_h if isinstance(path, Bidirectional) else d_h
    return WalkerClassifier(draw(arrays(rows, d)), path, Head(draw(arrays(3, width)), draw(arrays(3)), draw(arrays(1, 3)), draw(arrays(1))))


@quick
@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=5), sizes, sizes)
def test_padding_is_passed_over_wherever_it_stands(data, ids, d, d_h):
    machine = data.draw(machines(6, d, d_h))
    holes = data.draw(st.permutations(range(len(ids) + 3)))[: len(ids)]
    scattered = np.zeros(len(ids) + 3, int)
    scattered[sorted(holes)] = ids
    np.testing.assert_array_equal(walker_classifier(scattered, machine), walker_classifier(np.array(ids), machine))


@quick
@given(st.data(), st.lists(st.integers(0, 5), min_size=1, max_size=5), sizes, sizes)
def test_unmasked_the_walk_goes_through_every_slot(data, ids, d, d_h):
    machine, noted = data.draw(machines(6, d, d_h)), {}
    walker_classifier(np.array(ids), machine, noted.setdefault, masked=False)
    expected = arrival(walk(machine.table[ids], machine.walk), machine.walk)
    np.testing.assert_array_equal(noted["summary"], expected)
    assert list(noted)[-1] == "sigmoid.answer"


def test_padding_that_is_walked_through_changes_the_answer():
    rng = np.random.default_rng(5)
    cell = Recurrent(rng.normal(size=(2, 3)), rng.normal(size=(2, 2)))
    machine = WalkerClassifier(rng.normal(size=(6, 3)), cell, Head(rng.normal(size=(3, 2)), np.ones(3), rng.normal(size=(1, 3)), np.zeros(1)))
    for ids in ([1, 2, 0, 0], [0, 0, 1, 2]):
        assert np.abs(walker_classifier(np.array(ids), machine, masked=False) - walker_classifier(np.array([1, 2]), machine)).max() > 1e-3


# ---- refusals

CELL = Recurrent(np.ones((2, 3)), np.ones((2, 2)))
X = np.ones((4, 3))


@pytest.mark.parametrize(
    "mistake, parts",
    [
        (lambda: rnn(X[:, :2], CELL), ["the stick is 2 wide and the grid (2, 3) reads 3"]),
        (lambda: rnn(X, replace(CELL, hidden=np.ones((2, 3)))), ["the memory is 2 wide and the memory's grid (2, 3) reads 3"]),
        (lambda: rnn(X, replace(CELL, hidden=np.ones((3, 2)))), ["the memory's grid (3, 2) writes 3 numbers where 2 are wanted"]),
        (lambda: rnn(X, replace(CELL, bias=np.ones(3))), ["a grid of 2 rows and a bias of shape (3,)"]),
        (lambda: rnn(X, CELL, start=np.ones(3)), ["the memory has the shape (3,) and the grids write (2,)", "np.zeros((2,))"]),
        (lambda: rnn(X[0], CELL), ["x has the shape (3,); give it rows of numbers"]),
        (lambda: rnn(X[None], CELL), ["x has the shape (1, 4, 3), a batch of texts", "take x[0]"]),
        (lambda: rnn(X[:0], CELL), ["x is empty"]),
        (lambda: rnn(X.tolist(), CELL), ["x is a list"]),
        (lambda: rnn(X * np.nan, CELL), ["x[0, 0] is NaN"]),
        (lambda: preactivation(X[0], np.full(2, np.inf), CELL), ["memory[0] is infinite"]),
        (lambda: fade(np.ones((1, 2)), CELL), ["1 memory: there is no step between the first and the last"]),
        (lambda: fade(np.ones(2), CELL), ["memories has the shape (2,)"]),
        (lambda: step_slope(np.ones(3), CELL), ["the memory is 3 wide and the memory's grid (2, 2) reads 2"]),
        (lambda: step_slope(np.ones((2, 2)), CELL), ["memory has the shape (2, 2)", "hand in one memory"]),
        (
            lambda: walker_classifier(np.zeros(3, int), WalkerClassifier(X, CELL, None)),
            ["all 3 slots are padding", "leave such a review out"],
        ),
    ],
)
def test_refused(mistake, parts):
    check_refusal(mistake, parts)
