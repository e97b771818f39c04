"""One step of a GRU: every named value against lists and loops, the whole against torch.nn.GRUCell, properties and refusals."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from draws import arrays, cells, check_refusal, lists_of
from hypothesis import given
from hypothesis import strategies as st
from looped import assert_same, looped_preactivation, rows

from pencil.examples import GRU_PARAMS, LSTM_VECTORS
from pencil.params import map_arrays
from pencil.reference import GRUParams, RNNParams, gru_step
from pencil.trace import Trace, check_replay, scoped


def some(seed=0, d=3, hidden_size=2):
    rng = np.random.default_rng(seed)
    return GRUParams(
        *(RNNParams(rng.normal(size=(hidden_size, d)), rng.normal(size=(hidden_size, hidden_size)), rng.normal(size=hidden_size)) for _ in range(3))
    )


def looped(x, hidden, params):
    out, gates, width = {}, {}, len(params.candidate.weight_ih)
    for name in ("update_gate", "reset_gate") if hidden else ("update_gate",):
        z = looped_preactivation(x, hidden, getattr(params, name), out, name)
        out[f"{name}.exp"] = [math.exp(-s) for s in z]
        gates[name] = out[name] = [1 / (1 + math.exp(-s)) for s in z]
    looped_preactivation(x, hidden, params.candidate, out, "candidate")
    z = out["candidate.from_input"]
    if hidden:
        out["candidate.reset"] = [r * h for r, h in zip(gates["reset_gate"], out["candidate.from_hidden"], strict=True)]
        z = out["candidate.preactivation"] = [a + b for a, b in zip(z, out["candidate.reset"], strict=True)]
    else:
        del out["candidate.preactivation"]
    candidate = out["candidate"] = [math.tanh(s) for s in z]
    out["remaining"] = [1 - u for u in gates["update_gate"]]
    old = hidden or [0.0] * width
    out["hidden"] = [u * h + r * c for u, h, r, c in zip(gates["update_gate"], old, out["remaining"], candidate, strict=True)]
    return out


@given(st.data(), st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_every_named_value(data, d, hidden_size, first):
    x, params, noted = data.draw(arrays(d, low=-3, high=3)), GRUParams(*(data.draw(cells(d, hidden_size)) for _ in range(3))), {}
    hidden = None if first else data.draw(arrays(hidden_size))
    assert gru_step(x, hidden, params, note=noted.setdefault) is noted["hidden"]
    assert_same(noted, looped(x.tolist(), None if first else hidden.tolist(), lists_of(params)))


@pytest.mark.parametrize("params, x", [(some(), rows(4)), (GRU_PARAMS, np.array([LSTM_VECTORS[word] for word in ("not", "very", "good")]))])
def test_a_walk_is_that_of_torch(params, x):
    gates = (params.reset_gate, params.update_gate, params.candidate)  # torch's order
    cell = torch.nn.GRUCell(x.shape[1], 2, dtype=torch.float64)
    with torch.no_grad():
        cell.weight_ih.copy_(torch.tensor(np.vstack([gate.weight_ih for gate in gates])))
        cell.weight_hh.copy_(torch.tensor(np.vstack([gate.weight_hh for gate in gates])))
        cell.bias_ih.copy_(torch.tensor(np.hstack([np.zeros(2) if gate.bias is None else gate.bias for gate in gates])))
        cell.bias_hh.zero_()
    ours, theirs = None, None
    for row in x:
        ours, theirs = gru_step(row, ours, params), cell(torch.tensor(row), theirs)
        np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=1e-12)


def test_the_new_hidden_state_lies_between_the_old_one_and_the_candidate():
    noted, hidden = {}, np.array([-3.0, 0.5])
    new = gru_step(rows(1)[0], hidden, some(), note=noted.setdefault)
    assert (np.minimum(hidden, noted["candidate"]) < new).all() and (new < np.maximum(hidden, noted["candidate"])).all()


def test_the_recorded_program_follows_its_givens():
    trace, params = Trace(), some()
    x, given_params = trace.given("x", rows(2), words=["one", "two"]), trace.given_each("params", params)

    def two_steps(x, params, note):
        gru_step(x[1], gru_step(x[0], None, params, note=scoped(note, "step1")), params, note=scoped(note, "step2"))

    two_steps(x, given_params, trace)
    assert check_replay(lambda given, note: two_steps(given["x"], map_arrays(params, lambda name, _: given[f"params.{name}"]), note), trace) > 20
    assert trace.find("step2.candidate.reset").exact.shape == (2,)


REFUSALS = {
    "another width": (lambda: gru_step(np.ones(4), None, some()), ["gru_step: d is 4 in x (4,) and 3 in params.candidate.weight_ih (2, 3)"]),
    "a state too wide": (lambda: gru_step(np.ones(3), np.ones(3), some()), ["gru_step: d_h is 3 in hidden (3,) and 2 in"]),
    "a gate of another width": (
        lambda: gru_step(np.ones(3), None, replace(some(), reset_gate=some(hidden_size=3).reset_gate)),
        ["all act on one state: give their weights the same number of rows"],
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_does_not_fit_is_refused(case):
    check_refusal(*REFUSALS[case])
