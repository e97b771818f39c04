"""The RNN and its classifier against loops, its properties, its refusals, and its Jacobians against finite differences."""

import math
from dataclasses import replace

import numpy as np
import plain
import pytest
from draws import arrays, cells, check_refusal
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import MLPParams
from pencil.reference.classify import RNNClassifierParams, rnn_classifier
from pencil.reference.recurrent import (
    BidirectionalParams,
    LSTMParams,
    RNNParams,
    final_hidden,
    jacobian_product,
    preactivation,
    rnn,
    rnn_step,
    run_rnn,
    step_jacobian,
)
from pencil.trace import Trace, check_replay

sizes, lengths = st.integers(1, 4), st.integers(1, 5)


@st.composite
def walks(draw, d, hidden_size):
    kind, one = draw(st.sampled_from(["rnn", "lstm", "both ways"])), lambda: draw(cells(d, hidden_size))
    if kind == "rnn":
        return one()
    if kind == "lstm":
        return LSTMParams(one(), one(), one(), one())
    return BidirectionalParams(one(), LSTMParams(one(), one(), one(), one()))


def loops(x, params, h0=None):
    """The RNN with lists and math: every named value."""
    out, hidden, hidden_states = {}, h0, []
    for t, row in enumerate(x, start=1):
        from_input = [
            plain.dot(w, row) + b
            for w, b in zip(params.weight_ih, params.bias if params.bias is not None else [0.0] * len(params.weight_ih), strict=True)
        ]
        names = {"from_input": from_input}
        if hidden is not None:
            names["from_hidden"] = [plain.dot(w, hidden) for w in params.weight_hh]
        names["preactivation"] = [a + b for a, b in zip(from_input, names.get("from_hidden", [0.0] * len(from_input)), strict=True)]
        hidden = names["hidden"] = [1 - 2 / (math.exp(2 * z) + 1) for z in names["preactivation"]]
        out |= plain.scoped(f"step{t}", names)
        hidden_states.append(hidden)
    return out | {"hidden_states": hidden_states}


@given(st.data(), lengths, sizes, sizes, st.booleans())
def test_every_named_value_of_an_rnn(data, words, d, hidden_size, started):
    x, params = data.draw(arrays(words, d)), data.draw(cells(d, hidden_size))
    h0, noted = data.draw(arrays(hidden_size)) if started else None, {}
    out = rnn(x, params, note=noted.setdefault, h0=h0)
    expected = loops(x.tolist(), params, None if h0 is None else h0.tolist())
    assert list(noted) == list(expected) and out is noted["hidden_states"]
    for name, value in expected.items():
        np.testing.assert_allclose(noted[name], value, rtol=1e-12, atol=1e-12, err_msg=name)


@given(st.data(), lengths, sizes, sizes)
def test_no_initial_state_is_one_of_zeros(data, words, d, hidden_size):
    x, params = data.draw(arrays(words, d)), data.draw(cells(d, hidden_size))
    np.testing.assert_array_equal(rnn(x, params), rnn(x, params, h0=np.zeros(hidden_size)))


@given(st.data(), st.integers(2, 5), sizes, sizes)
def test_an_rnn_can_go_on_from_a_hidden_state(data, words, d, hidden_size):
    x, params = data.draw(arrays(words, d)), data.draw(cells(d, hidden_size))
    half = rnn(x[:1], params)
    np.testing.assert_allclose(rnn(x, params)[1:], rnn(x[1:], params, h0=half[-1]), rtol=1e-12, atol=1e-14)


@given(st.data(), st.integers(2, 5), sizes, sizes)
def test_hidden_states_are_causal_and_lie_between_minus_one_and_one(data, words, d, hidden_size):
    x, params, other = data.draw(arrays(words, d)), data.draw(cells(d, hidden_size)), data.draw(arrays(words, d))
    mixed = np.concatenate([x[:-1], other[-1:]])
    np.testing.assert_array_equal(rnn(mixed, params)[:-1], rnn(x, params)[:-1])
    assert (np.abs(rnn(10 * x, params)) <= 1).all()


def test_the_hidden_state_depends_on_the_order():
    rng = np.random.default_rng(0)
    x, params = rng.normal(size=(3, 4)), RNNParams(rng.normal(size=(2, 4)), rng.normal(size=(2, 2)))
    assert np.abs(rnn(x, params)[-1] - rnn(x[[1, 0, 2]], params)[-1]).max() > 1e-3


def test_without_weight_hh_a_hidden_state_depends_on_one_token_alone():
    rng = np.random.default_rng(0)
    x, params = rng.normal(size=(3, 4)), RNNParams(rng.normal(size=(2, 4)), np.zeros((2, 2)))
    np.testing.assert_allclose(rnn(x, params), np.tanh(x @ params.weight_ih.T), rtol=1e-14)


def test_a_step_takes_a_batch():
    rng = np.random.default_rng(1)
    x, hidden, params = rng.normal(size=(5, 4)), rng.normal(size=(5, 2)), RNNParams(rng.normal(size=(2, 4)), rng.normal(size=(2, 2)))
    np.testing.assert_allclose(rnn_step(x, hidden, params)[3], rnn_step(x[3], hidden[3], params), rtol=1e-13)


# ---- under the trace


def test_the_trace_of_an_rnn_replays_with_other_numbers():
    rng = np.random.default_rng(2)
    given = {"x": rng.normal(size=(3, 2)), "params.weight_ih": rng.normal(size=(2, 2)), "params.weight_hh": rng.normal(size=(2, 2))}

    def run(given, note):
        params = RNNParams(given["params.weight_ih"], given["params.weight_hh"])
        jacobian_product(rnn(given["x"], params, note=note), params, note=note)

    trace = Trace()
    run({name: trace.given(name, value) for name, value in given.items()}, trace)
    assert check_replay(run, trace) > 30


def test_each_hidden_state_belongs_to_the_word_that_was_read():
    trace, rng = Trace(), np.random.default_rng(3)
    words = ("not", "very", "good")
    x = trace.given("x", rng.normal(size=(3, 2)), words=words)
    rnn(x, trace.given_each("params", RNNParams(rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.normal(size=2))), note=trace)
    assert [trace.names[f"step{t}.hidden"].row_word for t in (1, 2, 3)] == [(w,) for w in words]
    assert trace.names["step3.from_hidden"].row_word == ("very",)  # it is computed from the hidden state of the word before
    assert trace.names["hidden_states"].axes == (words, None)


# ---- Jacobians


@given(st.data(), st.integers(2, 5), sizes, sizes)
def test_the_jacobian_product_agrees_with_finite_differences(data, words, d, hidden_size):
    x, params, h0 = data.draw(arrays(words, d)), data.draw(cells(d, hidden_size)), data.draw(arrays(hidden_size))
    first, push = rnn_step(x[0], h0, params), 1e-6
    jacobian = jacobian_product(rnn(x, params, h0=h0), params)
    for slot in range(hidden_size):
        moved = [rnn(x[1:], params, h0=first + side * push * np.eye(hidden_size)[slot])[-1] for side in (1, -1)]
        np.testing.assert_allclose(jacobian[:, slot], (moved[0] - moved[1]) / (2 * push), rtol=1e-6, atol=1e-8)


def test_the_jacobian_product_is_the_product_of_the_steps():
    rng = np.random.default_rng(4)
    params = RNNParams(rng.normal(size=(3, 2)), rng.normal(size=(3, 3)))
    hidden_states, noted = rnn(rng.normal(size=(4, 2)), params), {}
    out = jacobian_product(hidden_states, params, note=noted.setdefault)
    by_hand = np.linalg.multi_dot([np.diag(1 - h**2) @ params.weight_hh for h in hidden_states[:0:-1]])
    np.testing.assert_allclose(out, by_hand, rtol=1e-12)
    assert out is noted["step4.product"] and "step2.product" not in noted


# ---- the classifier


@st.composite
def machines(draw, rows, d, hidden_size):
    path = draw(walks(d, hidden_size))
    width = 2 * hidden_size if isinstance(path, BidirectionalParams) else hidden_size
    return RNNClassifierParams(draw(arrays(rows, d)), path, MLPParams(draw(arrays(3, width)), draw(arrays(3)), draw(arrays(1, 3)), draw(arrays(1))))


@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=5), sizes, sizes)
def test_padding_is_skipped_wherever_it_stands(data, ids, d, hidden_size):
    params = data.draw(machines(6, d, hidden_size))
    holes = data.draw(st.permutations(range(len(ids) + 3)))[: len(ids)]
    scattered = np.zeros(len(ids) + 3, int)
    scattered[sorted(holes)] = ids
    np.testing.assert_array_equal(rnn_classifier(scattered, params), rnn_classifier(np.array(ids), params))


@given(st.data(), st.lists(st.integers(0, 5), min_size=1, max_size=5), sizes, sizes)
def test_unmasked_the_rnn_reads_every_position(data, ids, d, hidden_size):
    params, noted = data.draw(machines(6, d, hidden_size)), {}
    rnn_classifier(np.array(ids), params, note=noted.setdefault, padding=False)
    expected = final_hidden(run_rnn(params.embedding[ids], params.rnn), params.rnn)
    np.testing.assert_array_equal(noted["pooled"], expected)
    assert list(noted)[-1] == "sigmoid.prob"


def test_padding_that_is_read_changes_the_output():
    rng = np.random.default_rng(5)
    params = RNNParams(rng.normal(size=(2, 3)), rng.normal(size=(2, 2)))
    params = RNNClassifierParams(
        rng.normal(size=(6, 3)), params, MLPParams(rng.normal(size=(3, 2)), np.ones(3), rng.normal(size=(1, 3)), np.zeros(1))
    )
    for ids in ([1, 2, 0, 0], [0, 0, 1, 2]):
        assert np.abs(rnn_classifier(np.array(ids), params, padding=False) - rnn_classifier(np.array([1, 2]), params)).max() > 1e-3


# ---- refusals

CELL = RNNParams(np.ones((2, 3)), np.ones((2, 2)))
X = np.ones((4, 3))


@pytest.mark.parametrize(
    "mistake, parts",
    [
        (lambda: rnn(X[:, :2], CELL), ["rnn: d is 2 in x (4, 2) and 3 in params.weight_ih (2, 3)"]),
        (
            lambda: rnn(X, replace(CELL, weight_hh=np.ones((2, 3)))),
            ["preactivation: d_h is 2 in params.weight_ih (2, 3) and 3 in params.weight_hh (2, 3)"],
        ),
        (
            lambda: rnn(X, replace(CELL, weight_hh=np.ones((3, 2)))),
            ["preactivation: d_h is 2 in params.weight_ih (2, 3) and 3 in params.weight_hh (3, 2)"],
        ),
        (lambda: rnn(X, replace(CELL, bias=np.ones(3))), ["preactivation: d_h is 2 in params.weight_ih (2, 3) and 3 in params.bias (3,)"]),
        (lambda: rnn(X, CELL, h0=np.ones(3)), ["rnn: d_h is 3 in h0 (3,) and 2 in params.weight_ih (2, 3)"]),
        (lambda: rnn(X[0], CELL), ["rnn: x has the shape (3,); it takes (T, d)"]),
        (lambda: rnn(X[None], CELL), ["rnn: x has the shape (1, 4, 3); it takes (T, d)"]),
        (lambda: rnn(X[:0], CELL), ["x is empty"]),
        (lambda: rnn(X.tolist(), CELL), ["x is a list"]),
        (lambda: rnn(X * np.nan, CELL), ["x[0, 0] is NaN"]),
        (lambda: preactivation(X[0], np.full(2, np.inf), CELL), ["hidden[0] is infinite"]),
        (lambda: jacobian_product(np.ones((1, 2)), CELL), ["1 hidden state: there is no step between the first and the last"]),
        (lambda: jacobian_product(np.ones(2), CELL), ["jacobian_product: hidden_states has the shape (2,); it takes (T, d_h)"]),
        (lambda: step_jacobian(np.ones(3), CELL), ["step_jacobian: d_h is 3 in hidden (3,) and 2 in params.weight_hh (2, 2)"]),
        (lambda: step_jacobian(np.ones((2, 2)), CELL), ["step_jacobian: hidden has the shape (2, 2); it takes (d_h,)"]),
        (
            lambda: rnn_classifier(np.zeros(3, int), RNNClassifierParams(X, CELL, None)),
            ["all 3 positions are padding", "leave such a text out"],
        ),
    ],
)
def test_refused(mistake, parts):
    check_refusal(mistake, parts)
