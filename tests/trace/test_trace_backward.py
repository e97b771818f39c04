"""Slopes: held against what the loss really does when a given number is nudged, for every operation and every machine."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from trace_runs import RUNS

from pencil.bundles import fill
from pencil.examples import PAIR, PAIR_BLOCK, PAIR_EMBEDDINGS, PAIR_SEATS
from pencil.reference import block, seat, softmax
from pencil.trace import Trace, TraceError, backward
from pencil.trace.backward import NUMBER_BY_NUMBER, OF_ARRAYS
from pencil.trace.operations import OPERATIONS
from pencil.worked import Worked

STEP = 1e-6


def pulled(value, seed=0):
    """Any value as a loss: each of its numbers counts differently."""
    trace = value.trace
    return trace("loss", (value * trace.given("pull", np.random.default_rng(seed).normal(size=value.shape))).sum())


def nudged(program, name, at, by):
    value = np.array(next(step for step in program["steps"] if step.get("name") == name)["value"], float)
    value[at] += by
    step = next(step for step in program["steps"] if step.get("name") == name)
    return float(Trace.load(program, {name: value.reshape(step["shape"])}).names["loss"].exact)


def hold_against_nudges(trace, slopes, names, rng, most=6, tolerance=1e-6):
    """Every slope is the loss's own change when that one number is nudged; returns how many were compared."""
    program, compared = json.loads(json.dumps(trace.program())), 0
    for name in names:
        size = trace.names[name].size
        for at in rng.permutation(size)[:most]:
            rise = (nudged(program, name, at, STEP) - nudged(program, name, at, -STEP)) / (2 * STEP)
            slope = float(slopes[name].exact.ravel()[at]) if name in slopes else 0.0
            assert abs(slope - rise) <= tolerance * max(1.0, abs(rise)), f"{name}[{at}]: the slope is {slope}, the loss moves by {rise}"
            compared += 1
    return compared


ONE = {  # operation: code that uses it, of x (3, 4) and y (4,)
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: y - x,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: y / (x * x + 1),
    "negative": lambda x, y: -x,
    "matmul": lambda x, y: x @ np.stack([y, y * y]).T,
    "exp": lambda x, y: np.exp(x),
    "log": lambda x, y: np.log(x * x + 1),
    "sqrt": lambda x, y: np.sqrt(y * y + 1),
    "sin": lambda x, y: np.sin(x),
    "cos": lambda x, y: np.cos(x),
    "tanh": lambda x, y: np.tanh(x),
    "maximum": lambda x, y: np.maximum(x, y),
    "minimum": lambda x, y: np.minimum(x, y),
    "greater": lambda x, y: np.where(x > y, x, 2 * y),
    "greater_equal": lambda x, y: np.where(x >= y, x * x, y),
    "less": lambda x, y: np.where(x < y, x, y * y),
    "less_equal": lambda x, y: np.where(x <= y, x, 3 * x),
    "equal": lambda x, y: np.where(np.equal(x, y), x, y * x),
    "where": lambda x, y: np.where(np.tri(3, 4, dtype=bool), x, y),
    "sum": lambda x, y: x.sum(0) * y,
    "mean": lambda x, y: x.mean((0, 1), keepdims=True) * y,
    "max": lambda x, y: x.max(1, keepdims=True) * y + x.max(),
    "gather": lambda x, y: np.concatenate([np.repeat(x[:, 1:3], 3, axis=1), x[::-1, :2], np.broadcast_to(y, (3, 4))], axis=1),
    "take": lambda x, y: x[x.trace.given("ids", [2, 0, 2])] * y,
    "note": lambda x, y: x.trace("squares", x * x) * y,
}


def test_every_operation_of_the_trace_has_an_adjoint_and_a_test():
    assert set(NUMBER_BY_NUMBER) | set(OF_ARRAYS) == set(OPERATIONS) == set(ONE)


@pytest.mark.parametrize("operation", ONE)
def test_the_slope_of_every_operation(operation):
    for seed in range(5):
        rng, trace = np.random.default_rng(seed), Trace()
        value = ONE[operation](trace.given("x", rng.normal(size=(3, 4))), trace.given("y", rng.normal(size=4)))
        slopes = backward(pulled(value, seed))
        assert {step.op for step in trace.steps} >= {operation}
        assert hold_against_nudges(trace, slopes, ["x", "y", "pull"], rng, most=12, tolerance=1e-7) > 16


@pytest.mark.parametrize("run", [run for run in RUNS if run.name != "loss"], ids=lambda run: run.name)
def test_the_slopes_of_every_machine(run):
    rng, trace = np.random.default_rng(1), Trace()
    start = run.redrawn(rng)
    value = run.function({name: trace.given(name, array) for name, array in start.items()}, trace)
    slopes = backward(pulled(value))
    smooth = [name for name in start if name not in ("ids", "seats")]  # an id has no slope, and the distance of seats a corner
    if run.name in ("stamp", "turn", "head that is turned"):
        smooth.append("seats")
    assert hold_against_nudges(trace, slopes, smooth, rng, most=3, tolerance=2e-6) > 0 or run.name == "lean"


def test_the_slope_of_the_miss():
    trace = Trace()
    run = next(run for run in RUNS if run.name == "loss")
    run.function({name: trace.given(name, array) for name, array in run.start.items()}, trace)
    slopes = backward(trace("both", trace.names["loss"].sum()))
    np.testing.assert_allclose(slopes["said"].exact, [-1 / 0.96, 1 / 0.9])


def pair():
    trace = Trace()
    x = seat(trace.given("stick", PAIR_EMBEDDINGS, words=PAIR), trace.given("table", PAIR_SEATS), trace)
    out = block(x, trace.given_each("grid", PAIR_BLOCK), trace)
    return trace, pulled(out)


def test_a_slope_is_named_after_its_value_and_has_its_rows():
    trace, loss = pair()
    slopes = backward(loss)
    assert trace.names["d.weights"] is slopes["weights"] and slopes["weights"].axes == trace.names["weights"].axes == (PAIR, PAIR)
    assert trace.find("cat.d.weights[sat]").exact == slopes["weights"].exact[0, 1]
    before = [name for name in trace.names if not name.startswith("d.") and name != "loss"]
    assert set(slopes) == set(before) and [f"d.{name}" in trace.names for name in before] == [True] * len(before)


def test_a_program_with_slopes_runs_again_on_other_numbers_and_keeps_its_rows():
    trace, loss = pair()
    backward(loss)
    program, rng = json.loads(json.dumps(trace.program())), np.random.default_rng(3)
    given = {"stick": rng.normal(size=(2, 4)), "grid.attention.head1.value": rng.normal(size=(4, 4))}
    again, fresh = Trace.load(program, given), Trace()
    x = seat(fresh.given("stick", given["stick"], words=PAIR), fresh.given("table", PAIR_SEATS), fresh)
    grids = {name: fresh.given(name, given.get(name, trace.names[name].exact)) for name in trace.names if name.startswith("grid.")}
    out = block(x, fill(PAIR_BLOCK, {name.removeprefix("grid."): value for name, value in grids.items()}), fresh)
    backward(pulled(out))
    for name in fresh.names:
        np.testing.assert_allclose(again.names[name].exact, fresh.names[name].exact, rtol=1e-12, atol=1e-14, err_msg=name)
        assert again.names[name].axes == fresh.names[name].axes
        np.testing.assert_array_equal(again.names[name].paper, fresh.names[name].paper, err_msg=name)


def test_no_program_of_slopes_holds_a_grid_of_its_own():
    trace, loss = pair()
    backward(loss)
    assert all(len(step["value"]) == 1 for step in trace.program()["steps"] if step["op"] == "constant")


def test_the_worked_lines_of_a_slope():
    trace = Trace()
    softmax(trace.given("scaled", [[0.0, 1.0]], words=["cat"], columns=["cat", "sat"]), trace)
    trace("loss", -np.log(trace.names["weights"][0, 1]))
    backward(trace.names["loss"])
    sheet = Worked(trace, track="exact")
    assert sheet.lines("cat.d.weights") == ["cat.d.weights = [0, −1.368]"]
    assert sheet.lines("cat.d.total") == ["cat.d.total = −0·0.269 / 3.718 − (−1.368)·0.731 / 3.718 ≈ 0.269"]
    assert sheet.lines("cat.d.scaled") == ["cat.d.scaled = [0.269, −0.099] × [1, 2.718] ≈ [0.269, −0.269]"]


@drawn(st.lists(st.floats(-3, 3), min_size=2, max_size=6), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_softmax_slopes_are_share_times_what_is_left(scores, chosen):
    """The Jacobian p_i(δ_ij − p_j), from the graph's own chain of raised numbers, total and quotient."""
    chosen %= len(scores)
    trace = Trace(places=9, figures=12)
    shares = softmax(trace.given("scores", scores), trace)
    slope = backward(trace("loss", shares[chosen] * 1))["scores"].exact
    p = shares.exact
    np.testing.assert_allclose(slope, p[chosen] * ((np.arange(len(p)) == chosen) - p), atol=1e-12)


def test_ties():
    trace = Trace()
    x = trace.given("x", [0.0, 2.0, 2.0])
    slopes = backward(trace("loss", np.maximum(x, 0).sum() + x.max()))
    assert slopes["x"].exact.tolist() == [0, 1.5, 1.5]


TIES = {  # at a tie: code of ours, and torch's own
    "relu": (lambda x, y: np.maximum(x, 0), lambda x, y: torch.relu(x)),
    "relu, the other way round": (lambda x, y: np.maximum(0, x), lambda x, y: torch.relu(x)),
    "cut at a number": (lambda x, y: np.minimum(1, x), lambda x, y: 1 - torch.relu(1 - x)),
    "the greater": (lambda x, y: np.maximum(x, y), torch.maximum),
    "the smaller": (lambda x, y: np.minimum(y, x), torch.minimum),
    "of one number": (lambda x, y: np.maximum(x, x), lambda x, y: torch.maximum(x, x)),
    "how far from nothing": (lambda x, y: np.maximum(x, -x), lambda x, y: torch.abs(x)),
}


@pytest.mark.parametrize("what", TIES)
def test_a_tie_is_decided_as_in_torch(what):
    ours, theirs = TIES[what]
    x, y = [0.0, 0.0, 1.0, 1.0, -1.0], [0.0, 1.0, 1.0, 0.0, 1.0]
    trace, pull = Trace(), np.arange(1.0, 6.0)
    given = trace.given("x", x), trace.given("y", y)
    slopes = backward(trace("loss", (ours(*given) * pull).sum()))
    leaves = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (x, y)]
    (theirs(*leaves) * torch.tensor(pull)).sum().backward()
    for name, leaf in zip("xy", leaves, strict=True):
        assert (slopes[name].exact.tolist() if name in slopes else None) == (None if leaf.grad is None else leaf.grad.tolist())


def test_two_losses_of_one_trace_are_refused_by_name():
    _, loss = pair()
    backward(loss)
    with pytest.raises(TraceError, match=r"has slopes already, such as d\.pull; take another trace"):
        backward(loss)


@pytest.mark.parametrize(
    "make, wrong, says",
    [
        (lambda trace: 3.0, TraceError, "backward got a plain float; hand it the loss of a trace"),
        (lambda trace: trace.given("x", [1.0, 2.0]), ValueError, r"a loss is one number and this one has the shape \(2,\); add it up or average it"),
        (lambda trace: trace.own(2.0), TraceError, "the loss follows nothing given"),
    ],
)
def test_what_has_no_slope_is_refused(make, wrong, says):
    with pytest.raises(wrong, match=says):
        backward(make(Trace()))
