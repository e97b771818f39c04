"""The worksheet on backpropagation: gradients are torch's, and its step lowers the loss."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from pencil.exercises.generation import generate
from pencil.exercises.topics import TOPICS
from pencil.exercises.walk_back import NOTED, RATE, loss_of
from pencil.trace import Trace

LEARNED = ("embedding", "params.query", "key", "value", "head.weight", "head.bias")


def in_torch(given):  # {name: array} -> the miss, {name: what has a gradient}
    """The same machine by torch's own functions, in float64."""
    at = {name: torch.tensor(given[name], requires_grad=True) for name in LEARNED}
    at["query"] = at["embedding"] @ at["params.query"].T
    at["scores"] = at["query"] @ at["key"].T
    at["scaled"] = at["scores"] / 2**0.5
    at["weights"] = torch.softmax(at["scaled"], dim=-1)
    at["context"] = at["weights"] @ at["value"]
    at["logit"] = F.linear(at["context"], at["head.weight"], at["head.bias"])
    for value in at.values():
        value.retain_grad()
    return F.binary_cross_entropy_with_logits(at["logit"], torch.tensor(given["target"])), at


def numbers(seed, deals):  # -> {name: array}; dealt, or any numbers at all
    if deals:
        names = generate("backward", seed).names
        return {name: names[name].exact.copy() for name in TOPICS["backward"].givens}
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=given.shape) for name, given in TOPICS["backward"].givens.items()} | {"target": np.array([[seed % 2.0]])}


@pytest.mark.parametrize("deals, seeds", [(True, 4), (False, 15), pytest.param(True, 40, marks=pytest.mark.slow)])
def test_every_gradient_is_that_of_torch(deals, seeds):
    for seed in range(seeds):
        given, trace = numbers(seed, deals), Trace()
        TOPICS["backward"].run({name: trace.given(name, array) for name, array in given.items()}, trace)
        loss, there = in_torch(given)
        loss.backward()
        np.testing.assert_allclose(trace.names["loss"].exact, loss.detach().numpy().reshape(1, 1), rtol=1e-12)
        for name in NOTED:
            np.testing.assert_allclose(trace.names[f"grad.{name}"].exact, there[name].grad.numpy(), rtol=1e-9, atol=1e-12, err_msg=name)
        for short, whole in (("error", "logit"), ("short_way", "scaled")):
            np.testing.assert_allclose(trace.names[short].exact, there[whole].grad.numpy(), rtol=1e-9, atol=1e-12, err_msg=short)
        optimizer = torch.optim.SGD([there["head.weight"], there["head.bias"]], lr=RATE)
        optimizer.step()
        again = F.linear(there["context"], there["head.weight"], there["head.bias"])
        np.testing.assert_allclose(trace.names["logit_again"].exact, again.detach().numpy(), rtol=1e-12)


def test_on_a_sheet_both_ways_give_the_same_digits():
    for seed in range(12):
        names = generate("backward", seed).names
        assert np.array_equal(names["error"].paper, names["grad.logit"].paper)
        assert np.array_equal(names["short_way"].paper, names["grad.scaled"].paper)


def test_the_step_makes_the_miss_smaller():
    for seed in range(12):
        names = generate("backward", seed).names
        given = {name: names[name].exact for name in TOPICS["backward"].givens}
        stepped = given | {name: names[f"stepped.{name}.updated"].exact for name in ("head.weight", "head.bias")}
        assert loss_of(stepped, lambda name, value: value) < names["loss"].exact
