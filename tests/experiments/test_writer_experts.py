"""The measurement of chapter 19: equal sizes, load balancing, and the record."""

import numpy as np
import pytest
import torch

from pencil.experiments.records import read
from pencil.experiments.writer import experts
from pencil.reference import load_balancing_loss

IDS = np.arange(400) % 9


def test_the_writers_have_equal_work_or_equal_dials():
    held = {name: experts.count_parameters(name, 9) for name in experts.PLANS}
    router = experts.MIXED.n_layers * experts.EXPERTS * experts.MIXED.d_model
    assert held["experts"] == held["with a loss"] == held["with a bias"]
    assert held["experts"][1] - held["equal work"][1] == router == held["experts"][0] - held["equal parameters"][0]


@pytest.mark.parametrize("name", experts.PLANS)
def test_every_writer_learns_and_tells_who_was_at_work(name):
    loss, load = experts.run_seed(name, IDS, IDS[:150], 9, seed=0, steps=1)
    assert 0 < loss < 4
    mixed = experts.PLANS[name][0] is experts.MIXED
    assert np.shape(load) == ((2, 8) if mixed else (0,))
    assert not mixed or np.sum(load, -1) == pytest.approx(1)


def test_what_balances_is_added_to_the_loss_or_to_the_bias_or_not_at_all():
    index, losses, biases = np.array([0, 5, 9]), {}, {}
    for balance in (None, "loss", "bias"):
        writer = experts.build_writer("experts", 9)
        task = experts.BalancedTask(IDS, IDS, experts.LENGTH, balance=balance)
        with experts.routed(writer) as seen:
            losses[balance] = float(task.loss(writer, index, torch.device("cpu")).detach())
        biases[balance] = [router.bias.numpy() for router, _, _ in seen]
    own = sum(load_balancing_loss(probs.detach().double().numpy(), chosen.numpy()) for _, probs, chosen in seen)
    assert losses["bias"] == losses[None] and losses["loss"] - losses[None] == pytest.approx(experts.LOSS_FACTOR * 3 * own, rel=1e-4)
    assert not np.any(biases[None]) and not np.any(biases["loss"]) and np.abs(biases["bias"]).max() == pytest.approx(experts.BIAS_RATE)


def test_the_slope_of_the_balancing_loss_reaches_the_router():
    writer = experts.build_writer("experts", 9)
    with experts.routed(writer) as seen:
        writer(torch.tensor(IDS[None, :20]))
    experts.balancing_loss(*seen[0][1:]).backward()
    assert seen[0][0].weight.grad.abs().sum() > 0


def test_the_record_is_of_this_measurement_and_says_what_the_chapter_says():
    recorded = read("experts")
    assert (recorded["steps"], recorded["length"], recorded["sizes"]["experts"]) == (experts.STEPS, experts.LENGTH, experts.EXPERTS)
    losses = {name: np.array(each) for name, each in recorded["loss"].items()}
    assert set(losses) == set(experts.PLANS) and len(losses["experts"]) == experts.SEEDS
    for name in ("experts", "with a loss", "with a bias"):
        assert (losses["equal parameters"] < losses[name]).all() and (losses[name] < losses["equal work"]).all()
    busiest = {name: np.max(each) for name, each in recorded["busiest"].items()}
    assert busiest["with a bias"] < busiest["with a loss"] < busiest["experts"]
    assert recorded["n_parameters"] == {name: list(experts.count_parameters(name, 65)) for name in experts.PLANS}
    assert experts.MIXED.d_ff == recorded["sizes"]["units"]
