"""The LSTM and both directions: every named value against lists and loops, properties and refusals."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from draws import arrays, cells, check_refusal, lists_of
from hypothesis import given
from hypothesis import strategies as st
from looped import assert_same, looped_preactivation, rows

from pencil.params import flatten, map_arrays
from pencil.reference import BidirectionalParams, LSTMParams, RNNParams, bidirectional, lstm, lstm_step, rnn, run_rnn
from pencil.reference.recurrent import final_hidden
from pencil.trace import Trace, check_replay

lengths, widths = st.integers(1, 5), st.integers(1, 4)


@st.composite
def lstms(draw, d, hidden_size):
    return LSTMParams(*(draw(cells(d, hidden_size)) for _ in range(4)))


def some(seed=0, d=3, hidden_size=2, scale=1.0):
    rng = np.random.default_rng(seed)
    return LSTMParams(
        *(
            RNNParams(scale * rng.normal(size=(hidden_size, d)), scale * rng.normal(size=(hidden_size, hidden_size)), rng.normal(size=hidden_size))
            for _ in range(4)
        )
    )


# ---- the same with lists and loops


def looped_lstm(x, params, h0=None):
    out, hidden_states, (hidden, cell) = {}, [], h0 or (None, None)
    for t, row in enumerate(x, start=1):
        gates = {}
        for name in ("forget_gate", "input_gate", "output_gate"):
            z = looped_preactivation(row, hidden, getattr(params, name), out, f"step{t}.{name}")
            out[f"step{t}.{name}.exp"] = [math.exp(-s) for s in z]
            gates[name] = out[f"step{t}.{name}"] = [1 / (1 + math.exp(-s)) for s in z]
        candidate = out[f"step{t}.candidate"] = [math.tanh(s) for s in looped_preactivation(row, hidden, params.candidate, out, f"step{t}.candidate")]
        old = cell or [0.0] * len(candidate)
        cell = [k * b + a * c for k, b, a, c in zip(gates["forget_gate"], old, gates["input_gate"], candidate, strict=True)]
        cell_tanh = [math.tanh(b) for b in cell]
        hidden = [s * c for s, c in zip(gates["output_gate"], cell_tanh, strict=True)]
        out |= {f"step{t}.cell": cell, f"step{t}.cell_tanh": cell_tanh, f"step{t}.hidden": hidden}
        hidden_states.append(hidden)
    return out | {"hidden_states": hidden_states}


def looped_rnn(x, params):
    out, hidden_states, hidden = {}, [], None
    for t, row in enumerate(x, start=1):
        hidden = [math.tanh(s) for s in looped_preactivation(row, hidden, params, out, f"step{t}")]
        out[f"step{t}.hidden"] = hidden
        hidden_states.append(hidden)
    return out | {"hidden_states": hidden_states}


@given(st.data(), lengths, widths, widths, st.booleans())
def test_every_named_value_of_an_lstm(data, words, d, hidden_size, started):
    x, params, noted = data.draw(arrays(words, d, low=-3, high=3)), data.draw(lstms(d, hidden_size)), {}
    h0 = (data.draw(arrays(hidden_size)), data.draw(arrays(hidden_size, low=-4, high=4))) if started else None
    assert lstm(x, params, note=noted.setdefault, h0=h0) is noted["hidden_states"]
    assert_same(noted, looped_lstm(x.tolist(), lists_of(params), h0 and tuple(part.tolist() for part in h0)))


@given(st.data(), lengths, widths, widths, widths, st.booleans())
def test_every_named_value_of_both_directions(data, words, d, d_there, d_back, plain_back):
    x, noted = data.draw(arrays(words, d)), {}
    there, back = data.draw(lstms(d, d_there)), data.draw((cells if plain_back else lstms)(d, d_back))
    concat = bidirectional(x, there, back, note=noted.setdefault)
    looped = (looped_rnn if plain_back else looped_lstm)(x.tolist()[::-1], lists_of(back))
    ahead = looped_lstm(x.tolist(), lists_of(there))
    expected = {f"forward.{name}": value for name, value in ahead.items()} | {f"backward.{name}": value for name, value in looped.items()}
    expected["concat"] = [a + b for a, b in zip(ahead["hidden_states"], looped["hidden_states"][::-1], strict=True)]
    assert_same(noted, expected)
    assert concat is noted["concat"] and concat.shape == (words, d_there + d_back)
    np.testing.assert_array_equal(concat, run_rnn(x, BidirectionalParams(there, back)))
    end = final_hidden(concat, BidirectionalParams(there, back), note=noted.setdefault)
    np.testing.assert_allclose(end, ahead["hidden_states"][-1] + looped["hidden_states"][-1], rtol=1e-12, atol=1e-14)
    assert end is noted["pooled"]


# ---- what they promise


def cell_of(noted, t):
    return noted[f"step{t}.cell"]


def held_open(keep, d=2, hidden_size=2):
    """Gates that depend on the bias alone."""
    biased = [RNNParams(np.zeros((hidden_size, d)), np.zeros((hidden_size, hidden_size)), np.full(hidden_size, bias)) for bias in (keep, -800.0, 0.0)]
    return LSTMParams(*biased, RNNParams(np.ones((hidden_size, d)), np.ones((hidden_size, hidden_size))))


def test_the_cell_state_is_multiplied_by_the_forget_gate_at_every_step():
    noted, h0 = {}, (np.zeros(2), np.array([1.0, -3.0]))
    lstm(rows(79, 2), held_open(np.log(9)), note=noted.setdefault, h0=h0)  # a forget gate of 0.9
    np.testing.assert_allclose(cell_of(noted, 79), 0.9**79 * h0[1], rtol=1e-12)


def test_a_forget_gate_of_one_and_an_input_gate_of_zero_leave_the_cell_state():
    noted, h0 = {}, (np.zeros(2), np.array([1.0, -3.0]))
    lstm(rows(79, 2), held_open(800.0), note=noted.setdefault, h0=h0)
    np.testing.assert_array_equal(cell_of(noted, 79), h0[1])


def test_the_cell_state_can_grow_past_one_and_a_hidden_state_cannot():
    noted, open_wide = {}, RNNParams(np.zeros((1, 1)), np.zeros((1, 1)), np.full(1, 800.0))
    hidden_states = lstm(np.ones((5, 1)), LSTMParams(open_wide, open_wide, open_wide, open_wide), note=noted.setdefault)
    np.testing.assert_array_equal([cell_of(noted, t)[0] for t in range(1, 6)], [1, 2, 3, 4, 5])
    assert (np.abs(hidden_states) < 1).all() and hidden_states[-1, 0] > 0.999


def test_gates_lie_in_0_to_1_and_hidden_states_in_minus_1_to_1():
    noted = {}
    lstm(rows(20), some(scale=3.0), note=noted.setdefault)
    gates = [value for name, value in noted.items() if name.split(".")[-1] in ("forget_gate", "input_gate", "output_gate")]
    assert len(gates) == 60 and all(((v > 0) & (v < 1)).all() for v in gates)
    assert (np.abs(noted["hidden_states"]) < 1).all()


@pytest.mark.parametrize("cut", [1, 3, 5])
def test_an_lstm_can_go_on_from_a_pair_of_states(cut):
    x, params, noted = rows(6), some(), {}
    first = lstm(x[:cut], params, note=noted.setdefault)
    second = lstm(x[cut:], params, h0=(first[-1], cell_of(noted, cut)))
    np.testing.assert_allclose(np.vstack([first, second]), lstm(x, params), rtol=1e-14)


def test_no_initial_pair_is_one_of_zeros():
    x, params = rows(4), some()
    np.testing.assert_array_equal(lstm(x, params), lstm(x, params, h0=(np.zeros(2), np.zeros(2))))
    for ours, theirs in zip(lstm_step(x[0], None, None, params), lstm_step(x[0], np.zeros(2), np.zeros(2), params), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_one_direction_is_causal_and_both_directions_are_not():
    x = rows(5)
    changed = x.copy()
    changed[3] += 1
    moved = np.abs(lstm(x, some()) - lstm(changed, some())).max(-1) > 0
    assert moved.tolist() == [False, False, False, True, True]
    moved = np.abs(bidirectional(x, some(), some(2)) - bidirectional(changed, some(), some(2))) > 0
    assert moved[:, :2].any(-1).tolist() == [False, False, False, True, True]
    assert moved[:, 2:].any(-1).tolist() == [True, True, True, True, False]


def test_a_reversed_text_with_directions_exchanged_gives_reversed_rows():
    x = rows(5)
    ours, theirs = bidirectional(x, some(), some(2)), bidirectional(x[::-1], some(2), some())
    np.testing.assert_array_equal(ours, np.hstack([theirs[::-1, 2:], theirs[::-1, :2]]))


def test_order_counts():
    x = rows(3)
    assert np.abs(lstm(x[::-1], some())[-1] - lstm(x, some())[-1]).max() > 0.01


def test_the_final_hidden_state_of_both_directions_is_not_the_last_row():
    x, both = rows(4), BidirectionalParams(some(), some(2))
    hidden_states = run_rnn(x, both)
    np.testing.assert_array_equal(final_hidden(hidden_states, both), np.concatenate([lstm(x, some())[-1], lstm(x[::-1], some(2))[-1]]))
    assert np.abs(final_hidden(hidden_states, both) - hidden_states[-1]).max() > 0.01
    for alone in (some(), some().forget_gate):
        np.testing.assert_array_equal(final_hidden(run_rnn(x, alone), alone), run_rnn(x, alone)[-1])
    np.testing.assert_array_equal(run_rnn(x, some().forget_gate), rnn(x, some().forget_gate))


# ---- under the trace


def given_bundle(given, like):
    return map_arrays(like, lambda name, _: given[f"params.{name}"])


@pytest.mark.parametrize(
    "kind",
    [some(), BidirectionalParams(some(), some(2)), BidirectionalParams(some().forget_gate, some(2))],
    ids=["lstm", "both ways", "of two kinds"],
)
def test_the_recorded_program_follows_its_givens(kind):
    trace = Trace()
    run_rnn(trace.given("x", rows(3), words=["one", "two", "three"]), trace.given_each("params", kind), note=trace)
    assert check_replay(lambda given, note: run_rnn(given["x"], given_bundle(given, kind), note=note), trace) > 100


def test_each_step_belongs_to_the_word_that_it_reads():
    trace = Trace()
    params = trace.given_each("params", BidirectionalParams(some(), some(2)))
    bidirectional(trace.given("x", rows(3), words=["one", "two", "three"]), params.forward, params.backward, note=trace)
    for reference in (
        "three.forward.step3.cell",
        "three.forward.step3.forget_gate",
        "one.backward.step3.input_gate.preactivation",
        "two.concat",
        "two.backward.hidden_states",
    ):
        assert trace.find(reference).exact.ndim == 1, reference
    np.testing.assert_array_equal(trace.find("two.concat").exact[2:], trace.find("two.backward.step2.hidden").exact)


def test_the_flat_names():
    assert list(flatten(some())) == [f"{f.name}.{part}" for f in fields(LSTMParams) for part in ("weight_ih", "weight_hh", "bias")]
    assert list(flatten(BidirectionalParams(some(), some().forget_gate)))[-4:] == [
        "forward.candidate.bias",
        "backward.weight_ih",
        "backward.weight_hh",
        "backward.bias",
    ]


# ---- refusals

REFUSALS = {
    "a batch": (lambda: lstm(rows(4).reshape(2, 2, 3), some()), ["lstm: x has the shape (2, 2, 3); it takes (T, d)"]),
    "one row": (lambda: lstm(rows(4)[0], some()), ["lstm: x has the shape (3,); it takes (T, d)"]),
    "no words": (lambda: lstm(np.empty((0, 3)), some()), ["x is empty"]),
    "another width": (lambda: lstm(rows(2, 4), some()), ["lstm_step: d is 4 in x (4,) and 3 in params.candidate.weight_ih (2, 3)"]),
    "a NaN": (lambda: lstm(np.full((1, 3), np.nan), some()), ["x[0, 0] is NaN"]),
    "a memory too wide": (lambda: lstm(rows(2), some(), h0=(np.zeros(3), np.zeros(2))), ["lstm_step: d_h is 3 in hidden (3,) and 2 in cell (2,)"]),
    "a belt too wide": (lambda: lstm(rows(2), some(), h0=(np.zeros(2), np.zeros(3))), ["lstm_step: d_h is 2 in hidden (2,) and 3 in cell (3,)"]),
    "a belt of NaN": (lambda: lstm(rows(2), some(), h0=(np.zeros(2), np.array([np.nan, 0]))), ["cell[0] is NaN"]),
    "one memory to start from": (lambda: lstm(rows(2), some(), h0=np.zeros(2)), ["h0 is a ndarray", "takes a pair: (hidden, cell)"]),
    "three to start from": (lambda: lstm(rows(2), some(), h0=(np.zeros(2),) * 3), ["takes a pair: (hidden, cell)"]),
    "a gate of another width": (
        lambda: lstm(rows(1), replace(some(), input_gate=some(hidden_size=3).input_gate)),
        ["'forget_gate': 2, 'input_gate': 3", "give their weights the same number of rows"],
    ),
    "a list": (lambda: lstm([[1.0, 2.0, 3.0]], some()), ["x is a list", "np.array(x)"]),
    "both ways, a batch": (
        lambda: bidirectional(rows(4).reshape(2, 2, 3), some(), some()),
        ["bidirectional: x has the shape (2, 2, 3); it takes (T, d)"],
    ),
    "both ways, two widths": (
        lambda: bidirectional(rows(2), some(), some(d=4)),
        ["lstm_step: d is 3 in x (3,) and 4 in params.candidate.weight_ih (2, 4)"],
    ),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_refused_by_name(what):
    check_refusal(*REFUSALS[what])


@pytest.mark.parametrize("odd", [np.eye(2), BidirectionalParams(some(), some())], ids=["an array", "a pair in a pair"])
def test_parameters_of_another_kind_are_refused(odd):
    for mistake in (lambda: bidirectional(rows(2), some(), odd), lambda: bidirectional(rows(2), odd, some())):
        with pytest.raises(ValueError, match=rf"RNNParams or LSTMParams, and this is a {type(odd).__name__}"):
            mistake()
    with pytest.raises(ValueError, match="RNNParams or LSTMParams, and this is a"):
        final_hidden(rows(2), BidirectionalParams(odd, some()))
    with pytest.raises(ValueError, match="RNNParams or LSTMParams, and this is a tuple"):
        run_rnn(rows(2), (some(), some()))
