"""Descent and Adam against plain loops, their traces, and torch's own steps."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil.reference import Adam, Momentum, adam, descend
from pencil.trace import Trace, still_true

SLOPES = st.lists(st.lists(st.floats(-5, 5), min_size=3, max_size=3), min_size=1, max_size=6)


def adam_by_loops(dials, slopes, rate, beta1, beta2, eps):
    dials, m, v = list(dials), [0.0] * len(dials), [0.0] * len(dials)
    for t, slope in enumerate(slopes, 1):
        for k, g in enumerate(slope):
            m[k] = beta1 * m[k] + (1 - beta1) * g
            v[k] = beta2 * v[k] + (1 - beta2) * g * g
            dials[k] -= rate * (m[k] / (1 - beta1**t)) / (sqrt(v[k] / (1 - beta2**t)) + eps)
    return dials


@given(SLOPES, st.floats(1e-4, 1), st.floats(0, 0.99), st.floats(0, 0.999))
@settings(deadline=None)
def test_adam_over_several_steps(slopes, rate, keep, keep_square):
    dials, before = np.array([1.0, -2.0, 0.5]), Momentum()
    for slope in slopes:
        dials, before = adam(dials, np.array(slope), Adam(rate, keep, keep_square), before)
    np.testing.assert_allclose(dials, adam_by_loops([1.0, -2.0, 0.5], slopes, rate, keep, keep_square, 1e-8), rtol=1e-12, atol=1e-12)
    assert before.steps == len(slopes)


def test_torch_takes_the_same_steps():
    import torch

    rng = np.random.default_rng(0)
    for ours, theirs in (
        (lambda x, g, before: adam(x, g, Adam(0.05), before), lambda p: torch.optim.Adam(p, lr=0.05)),
        (lambda x, g, before: (descend(x, g, 0.05), before), lambda p: torch.optim.SGD(p, lr=0.05)),
    ):
        dials, before = rng.normal(size=(3, 4)), Momentum()
        parameter = torch.nn.Parameter(torch.tensor(dials))
        optimiser = theirs([parameter])
        for _ in range(7):
            slope = rng.normal(size=(3, 4))
            dials, before = ours(dials, slope, before)
            parameter.grad = torch.tensor(slope)
            optimiser.step()
            np.testing.assert_allclose(dials, parameter.detach().numpy(), rtol=0, atol=1e-12)


def test_the_first_step_of_adam_is_one_rate_long_whatever_the_slope():
    moved, _ = adam(np.zeros(4), np.array([1e-3, 2.0, -50.0, 0.0]), Adam(0.1))
    np.testing.assert_allclose(moved, [-0.1, -0.1, 0.1, 0], atol=2e-6)


def machine(given, note):
    moved, before = adam(given["dials"], given["slope"], Adam(given["rate"]), Momentum(), note)
    return note("again", descend(moved, given["slope"], given["rate"]) + before.mean)


def test_under_the_trace_the_rate_can_be_changed():
    trace, start = Trace(places=9, figures=None), {"dials": [1.0, 2.0], "slope": [0.5, -0.25], "rate": 0.1}
    machine({name: trace.given(name, value) for name, value in start.items()}, trace)
    assert trace.find("moved[0]").paper == pytest.approx(0.9, abs=1e-6)
    assert still_true(machine, trace, redraw={"slope": lambda rng: 1 + rng.random(2)}) == 3 * 8


@pytest.mark.parametrize("step", [lambda a, b: descend(a, b, 0.1), adam])
def test_a_slope_of_another_shape_is_refused(step):
    with pytest.raises(ValueError, match=r"dials of the shape \(2,\) and a slope of the shape \(3,\); each dial has one slope"):
        step(np.zeros(2), np.zeros(3))


@pytest.mark.parametrize("wrong", [{"keep": 1.0}, {"keep_square": -0.1}])
def test_a_share_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match="is no share of what was; take one from 0 up to, and not including, 1"):
        Adam(**wrong)
