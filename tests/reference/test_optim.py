"""SGD and Adam against plain loops, their traces, and torch's own steps."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import AdamConfig, AdamState, adam, sgd
from pencil.trace import Trace, check_replay

GRADIENTS = st.lists(st.lists(st.floats(-5, 5), min_size=3, max_size=3), min_size=1, max_size=6)


def adam_by_loops(params, gradients, lr, beta1, beta2, eps):
    params, m, v = list(params), [0.0] * len(params), [0.0] * len(params)
    for t, grad in enumerate(gradients, 1):
        for k, g in enumerate(grad):
            m[k] = beta1 * m[k] + (1 - beta1) * g
            v[k] = beta2 * v[k] + (1 - beta2) * g * g
            params[k] -= lr * (m[k] / (1 - beta1**t)) / (sqrt(v[k] / (1 - beta2**t)) + eps)
    return params


@given(GRADIENTS, st.floats(1e-4, 1), st.floats(0, 0.99), st.floats(0, 0.999))
def test_adam_over_several_steps(gradients, lr, beta1, beta2):
    params, before = np.array([1.0, -2.0, 0.5]), AdamState()
    for grad in gradients:
        params, before = adam(params, np.array(grad), config=AdamConfig(lr, beta1, beta2), state=before)
    np.testing.assert_allclose(params, adam_by_loops([1.0, -2.0, 0.5], gradients, lr, beta1, beta2, 1e-8), rtol=1e-12, atol=1e-12)
    assert before.step == len(gradients)


def test_torch_takes_the_same_steps():
    import torch

    rng = np.random.default_rng(0)
    for ours, theirs in (
        (lambda x, g, before: adam(x, g, config=AdamConfig(0.05), state=before), lambda p: torch.optim.Adam(p, lr=0.05)),
        (lambda x, g, before: (sgd(x, g, lr=0.05), before), lambda p: torch.optim.SGD(p, lr=0.05)),
    ):
        params, before = rng.normal(size=(3, 4)), AdamState()
        parameter = torch.nn.Parameter(torch.tensor(params))
        optimizer = theirs([parameter])
        for _ in range(7):
            grad = rng.normal(size=(3, 4))
            params, before = ours(params, grad, before)
            parameter.grad = torch.tensor(grad)
            optimizer.step()
            np.testing.assert_allclose(params, parameter.detach().numpy(), rtol=0, atol=1e-12)


def test_the_first_step_of_adam_is_one_lr_long_whatever_the_gradient():
    moved, _ = adam(np.zeros(4), np.array([1e-3, 2.0, -50.0, 0.0]), config=AdamConfig(0.1))
    np.testing.assert_allclose(moved, [-0.1, -0.1, 0.1, 0], atol=2e-6)


def params(given, note):
    moved, before = adam(given["params"], given["grad"], config=AdamConfig(given["lr"]), state=AdamState(), note=note)
    return note("again", sgd(moved, given["grad"], lr=given["lr"]) + before.exp_avg)


def test_under_the_trace_the_rate_can_be_changed():
    trace, start = Trace(places=9, figures=None), {"params": [1.0, 2.0], "grad": [0.5, -0.25], "lr": 0.1}
    params({name: trace.given(name, value) for name, value in start.items()}, trace)
    assert trace.find("updated[0]").paper == pytest.approx(0.9, abs=1e-6)
    assert check_replay(params, trace, redraw={"grad": lambda rng: 1 + rng.random(2)}) == 3 * 8


@pytest.mark.parametrize("step", [lambda a, b: sgd(a, b, lr=0.1), adam])
def test_a_gradient_of_another_shape_is_refused(step):
    with pytest.raises(ValueError, match=r"shape is \(2,\) in params \(2,\) and \(3,\) in grad \(3,\)"):
        step(np.zeros(2), np.zeros(3))


@pytest.mark.parametrize("wrong", [{"beta1": 1.0}, {"beta2": -0.1}])
def test_an_impossible_decay_rate_is_refused(wrong):
    with pytest.raises(ValueError, match="is no decay rate; take one from 0 up to, and not including, 1"):
        AdamConfig(**wrong)
