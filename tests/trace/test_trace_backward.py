"""Gradients against central differences of the loss, for every operation and every model."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st
from trace_runs import RUNS

from pencil.examples import PAIR, PAIR_BLOCK, PAIR_EMBEDDINGS, PAIR_POSITIONS
from pencil.note import no_note
from pencil.params import unflatten
from pencil.reference import add_positions, block, softmax
from pencil.trace import Trace, TraceError, backward
from pencil.trace.gradients import ELEMENTWISE, OF_ARRAYS
from pencil.trace.operations import OPERATIONS
from pencil.worked import Worked

STEP = 1e-6


def weighted_loss(value, seed=0):
    """Any value as a loss: each of its numbers counts differently."""
    trace = value.trace
    return trace("loss", (value * trace.given("loss_weights", np.random.default_rng(seed).normal(size=value.shape))).sum())


def hold_against_differences(loss, given, gradients, names, rng, most=6, tolerance=1e-6):
    """Every gradient is the central difference of `loss`, a function of {name: array}; returns how many were compared."""
    compared = 0
    for name in names:
        for at in rng.permutation(np.size(given[name]))[:most]:
            moved = []
            for by in (STEP, -STEP):
                value = np.array(given[name], float)
                value.flat[at] += by
                moved.append(float(loss(given | {name: value})))
            difference = (moved[0] - moved[1]) / (2 * STEP)
            gradient = float(gradients[name].exact.ravel()[at]) if name in gradients else 0.0
            assert abs(gradient - difference) <= tolerance * max(1.0, abs(difference)), f"{name}[{at}]: {gradient}, the loss moves by {difference}"
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
    "absolute": lambda x, y: np.abs(x) * y,
    "rint": lambda x, y: np.rint(3 * x) * y,
    "power": lambda x, y: np.abs(x) ** y + np.abs(y) ** 2.5,
    "cumsum": lambda x, y: np.cumsum(x, 0) * y + np.cumsum(x * x, -1),
    "argsort": lambda x, y: x * np.argsort(x, kind="stable") * y,
    "take_along_axis": lambda x, y: np.take_along_axis(x, np.argsort(x, 0, kind="stable"), 0) * y,
    "where": lambda x, y: np.where(np.tri(3, 4, dtype=bool), x, y),
    "sum": lambda x, y: x.sum(0) * y,
    "mean": lambda x, y: x.mean((0, 1), keepdims=True) * y,
    "max": lambda x, y: x.max(1, keepdims=True) * y + x.max(),
    "gather": lambda x, y: np.concatenate([np.repeat(x[:, 1:3], 3, axis=1), x[::-1, :2], np.broadcast_to(y, (3, 4))], axis=1),
    "take": lambda x, y: x[x.trace.given("ids", [2, 0, 2])] * y,
    "note": lambda x, y: x.trace("squares", x * x) * y,
}


def test_every_operation_of_the_trace_has_an_adjoint_and_a_test():
    assert set(ELEMENTWISE) | set(OF_ARRAYS) == set(OPERATIONS) == set(ONE)


@pytest.mark.parametrize("operation", ONE)
def test_the_gradient_of_every_operation(operation):
    for seed in range(5):
        rng, trace = np.random.default_rng(seed), Trace()
        loss = weighted_loss(ONE[operation](trace.given("x", rng.normal(size=(3, 4))), trace.given("y", rng.normal(size=4))), seed)
        program, given = json.loads(json.dumps(trace.program())), {name: trace.names[name].exact for name in ("x", "y", "loss_weights")}
        gradients = backward(loss)
        assert {step.op for step in trace.steps} >= {operation}

        def replayed(arrays, program=program):
            return Trace.load(program, arrays).names["loss"].exact

        assert hold_against_differences(replayed, given, gradients, given, rng, most=12, tolerance=1e-7) > 16


@pytest.mark.parametrize("run", [run for run in RUNS if run.name != "loss"], ids=lambda run: run.name)
def test_the_gradients_of_every_model(run):
    rng, trace = np.random.default_rng(1), Trace()
    start = run.redrawn(rng)
    value = run.function({name: trace.given(name, array) for name, array in start.items()}, trace)
    gradients, loss_weights = backward(weighted_loss(value)), trace.names["loss_weights"].exact
    assert not {"ids", "k"} & set(gradients)  # whole numbers
    smooth = [name for name in start if name not in ("ids", "k", "positions")]  # the distance of positions has a corner
    if run.name in ("encoding", "turn", "head that is turned"):
        smooth.append("positions")

    def plain(arrays):  # the code itself, without a trace
        return (run.function(arrays, no_note) * loss_weights).sum()

    assert hold_against_differences(plain, start, gradients, smooth, rng, most=3, tolerance=2e-6) > 0 or run.name == "bias"


def test_the_slope_of_the_miss():
    trace = Trace()
    run = next(run for run in RUNS if run.name == "loss")
    run.function({name: trace.given(name, array) for name, array in run.start.items()}, trace)
    gradients = backward(trace("both", trace.names["loss"].sum()))
    np.testing.assert_allclose(gradients["said"].exact, [-1 / 0.96, 1 / 0.9])


def pair():
    trace = Trace()
    x = add_positions(trace.given("embedding", PAIR_EMBEDDINGS, words=PAIR), trace.given("table", PAIR_POSITIONS), note=trace)
    out = block(x, trace.given_each("params", PAIR_BLOCK), note=trace)
    return trace, weighted_loss(out)


def test_a_gradient_is_named_after_its_value_and_has_its_rows():
    trace, loss = pair()
    gradients = backward(loss)
    assert trace.names["grad.weights"] is gradients["weights"] and gradients["weights"].axes == trace.names["weights"].axes == (PAIR, PAIR)
    assert trace.find("cat.grad.weights[sat]").exact == gradients["weights"].exact[0, 1]
    before = [name for name in trace.names if not name.startswith("grad.") and name != "loss"]
    assert set(gradients) == set(before) and [f"grad.{name}" in trace.names for name in before] == [True] * len(before)


def test_a_program_with_gradients_runs_again_on_other_numbers_and_keeps_its_rows():
    trace, loss = pair()
    backward(loss)
    program, rng = json.loads(json.dumps(trace.program())), np.random.default_rng(3)
    given = {"embedding": rng.normal(size=(2, 4)), "params.attention.head1.value": rng.normal(size=(4, 4))}
    again, fresh = Trace.load(program, given), Trace()
    x = add_positions(fresh.given("embedding", given["embedding"], words=PAIR), fresh.given("table", PAIR_POSITIONS), note=fresh)
    params = {name: fresh.given(name, given.get(name, trace.names[name].exact)) for name in trace.names if name.startswith("params.")}
    out = block(x, unflatten(PAIR_BLOCK, {name.removeprefix("params."): value for name, value in params.items()}), note=fresh)
    backward(weighted_loss(out))
    for name in fresh.names:
        np.testing.assert_allclose(again.names[name].exact, fresh.names[name].exact, rtol=1e-12, atol=1e-14, err_msg=name)
        assert again.names[name].axes == fresh.names[name].axes
        np.testing.assert_array_equal(again.names[name].paper, fresh.names[name].paper, err_msg=name)


def test_no_program_of_gradients_holds_a_matrix_of_its_own():
    trace, loss = pair()
    backward(loss)
    assert all(len(step["value"]) == 1 for step in trace.program()["steps"] if step["op"] == "constant")


def test_the_worked_lines_of_a_gradient():
    trace = Trace()
    softmax(trace.given("scaled", [[0.0, 1.0]], words=["cat"], columns=["cat", "sat"]), note=trace)
    trace("loss", -np.log(trace.names["weights"][0, 1]))
    backward(trace.names["loss"])
    sheet = Worked(trace, track="exact")
    assert sheet.lines("cat.grad.weights") == ["cat.grad.share = [0, −1.368]"]
    assert sheet.lines("cat.grad.exp_sum") == [
        "cat.grad.sum\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}exp = −0·0.269 / 3.718 − (−1.368)·0.731 / 3.718 ≈ 0.269"
    ]
    assert sheet.lines("cat.grad.scaled") == ["cat.grad.scaled = [0.269, −0.099] × [1, 2.718] ≈ [0.269, −0.269]"]


@drawn(st.lists(st.floats(-3, 3), min_size=2, max_size=6), st.integers(0, 5))
def test_softmax_gradients_are_the_jacobian_of_the_softmax(scores, chosen):
    """The Jacobian p_i(δ_ij − p_j), from the graph's own chain of exp, sum and quotient."""
    chosen %= len(scores)
    trace = Trace(places=9, figures=12)
    weights = softmax(trace.given("scores", scores), note=trace)
    gradient = backward(trace("loss", weights[chosen] * 1))["scores"].exact
    p = weights.exact
    np.testing.assert_allclose(gradient, p[chosen] * ((np.arange(len(p)) == chosen) - p), atol=1e-12)


def test_ties():
    trace = Trace()
    x = trace.given("x", [0.0, 2.0, 2.0])
    gradients = backward(trace("loss", np.maximum(x, 0).sum() + x.max()))
    assert gradients["x"].exact.tolist() == [0, 1.5, 1.5]


TIES = {  # at a tie: code of ours, and torch's own
    "relu": (lambda x, y: np.maximum(x, 0), lambda x, y: torch.relu(x)),
    "relu, the other way round": (lambda x, y: np.maximum(0, x), lambda x, y: torch.relu(x)),
    "cut at a number": (lambda x, y: np.minimum(1, x), lambda x, y: 1 - torch.relu(1 - x)),
    "the greater": (lambda x, y: np.maximum(x, y), torch.maximum),
    "the smaller": (lambda x, y: np.minimum(y, x), torch.minimum),
    "of one number": (lambda x, y: np.maximum(x, x), lambda x, y: torch.maximum(x, x)),
    "how far from nothing": (lambda x, y: np.maximum(x, -x), lambda x, y: torch.abs(x)),
    "without its sign": (lambda x, y: np.abs(x), lambda x, y: torch.abs(x)),
    "nothing to a power": (lambda x, y: np.abs(x) ** y, lambda x, y: torch.abs(x) ** y),
    "to the power of nothing": (lambda x, y: np.abs(y) ** np.abs(x), lambda x, y: torch.abs(y) ** torch.abs(x)),
}


@pytest.mark.parametrize("what", TIES)
def test_a_tie_is_decided_as_in_torch(what):
    ours, theirs = TIES[what]
    x, y = [0.0, 0.0, 1.0, 1.0, -1.0], [0.0, 1.0, 1.0, 0.0, 1.0]
    trace, loss_weights = Trace(), np.arange(1.0, 6.0)
    given = trace.given("x", x), trace.given("y", y)
    gradients = backward(trace("loss", (ours(*given) * loss_weights).sum()))
    leaves = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (x, y)]
    (theirs(*leaves) * torch.tensor(loss_weights)).sum().backward()
    for name, leaf in zip("xy", leaves, strict=True):
        assert (gradients[name].exact.tolist() if name in gradients else None) == (None if leaf.grad is None else leaf.grad.tolist())


LIKE_TORCH = {  # code of ours, and torch's own, of x (3, 4) and y (3, 4), both above 0
    "power": (lambda x, y: x**y, lambda x, y: x**y),
    "a fixed power": (lambda x, y: x**0.75 + y**-2, lambda x, y: x**0.75 + y**-2),
    "a power of a fixed number": (lambda x, y: 2.5**x * y, lambda x, y: 2.5**x * y),
    "running sums": (lambda x, y: np.cumsum(x, 0) * np.cumsum(y, -1), lambda x, y: torch.cumsum(x, 0) * torch.cumsum(y, -1)),
    "sorted": (
        lambda x, y: np.take_along_axis(x, np.argsort(y, -1, kind="stable"), -1) * y,
        lambda x, y: torch.take_along_dim(x, torch.argsort(y, dim=-1, stable=True), -1) * y,
    ),
    "one place twice": (
        lambda x, y: np.take_along_axis(x, np.array([[0], [0], [3]]) * np.ones((3, 2), int), 1) * y[:, :2],
        lambda x, y: torch.take_along_dim(x, torch.tensor([[0, 0], [0, 0], [3, 3]]), 1) * y[:, :2],
    ),
}


@pytest.mark.parametrize("what", LIKE_TORCH)
def test_gradients_are_torchs(what):
    ours, theirs = LIKE_TORCH[what]
    rng, trace = np.random.default_rng(4), Trace()
    x, y = rng.uniform(0.1, 3, (2, 3, 4))
    gradients = backward(weighted_loss(ours(trace.given("x", x), trace.given("y", y))))
    leaves = [torch.tensor(value, requires_grad=True) for value in (x, y)]
    value = theirs(*leaves)
    (value * torch.tensor(trace.names["loss_weights"].exact)).sum().backward()
    for name, leaf in zip("xy", leaves, strict=True):
        np.testing.assert_allclose(gradients[name].exact, leaf.grad.numpy(), rtol=1e-12)


def test_two_losses_of_one_trace_are_refused_by_name():
    _, loss = pair()
    backward(loss)
    with pytest.raises(TraceError, match=r"has gradients already, such as grad\.loss_weights; take another trace"):
        backward(loss)


@pytest.mark.parametrize(
    "make, wrong, says",
    [
        (lambda trace: 3.0, TraceError, "backward got a plain float; hand it the loss of a trace"),
        (lambda trace: trace.given("x", [1.0, 2.0]), ValueError, r"a loss is one number and this one has the shape \(2,\); add it up or average it"),
        (lambda trace: trace.as_traced(2.0), TraceError, "the loss follows nothing given"),
    ],
)
def test_what_has_no_gradient_is_refused(make, wrong, says):
    with pytest.raises(wrong, match=says):
        backward(make(Trace()))
