"""Needles in the page's writer: what counts as one, what a mask keeps, the indexer, and the record."""

import numpy as np
import pytest
import torch

from pencil.experiments.records import read
from pencil.experiments.writer import needles
from pencil.reference import causal_mask


def test_a_needle_has_more_than_half_and_a_row_longer_than_any_budget():
    shares = np.zeros((1, 1, 20, 20))
    shares[0, 0, 18, 3], shares[0, 0, 19, 4], shares[0, 0, 5, 1] = 0.6, 0.5, 0.9
    assert needles.needles(shares).tolist() == [[0, 0, 18, 3]]
    seen = np.zeros((1, 20, 20), bool)
    seen[0, 18, 3] = True
    found = np.array([[0, 0, 18, 3], [0, 0, 18, 4]])
    assert needles.kept(seen, found).tolist() == [True, False] == needles.kept(seen[:, None], found).tolist()


def test_an_indexer_learns_where_the_heads_look():
    rng = np.random.default_rng(0)
    x = np.eye(6)[np.array([rng.permutation(6) for _ in range(8)])]
    shares = np.zeros((8, 2, 6, 6))
    for n, row in enumerate(x):  # each looks at the first letter that has come
        shares[n, :, np.arange(6), [row[: t + 1].argmax(1).argmin() for t in range(6)]] = 1
    loss = {}
    for steps in (0, 80):
        indexer = needles.train_indexer(x, shares, seed=0, steps=steps)
        with torch.no_grad():
            log_probs = indexer(torch.tensor(x).float()).masked_fill(~torch.tensor(causal_mask(6)), -1e9).log_softmax(-1)
        loss[steps] = -(torch.tensor(shares.mean(1)) * log_probs).sum(-1).mean()
    assert loss[80] < 0.5 * loss[0]


def test_the_record_is_of_this_measurement_and_says_what_the_page_says():
    recorded = read("needles")
    assert (tuple(recorded["budgets"]), recorded["block_size"], recorded["far"]) == (needles.BUDGETS, needles.BLOCK, needles.FAR)
    assert (recorded["heads"], recorded["width"], recorded["seeds"]) == (needles.HEADS, needles.WIDTH, needles.SEEDS)
    for kept in recorded["kept"].values():
        assert all(np.diff(kept[way]).min() >= 0 for way in kept), "who may read more keeps more"
        assert min(kept["best"]) == 1
    far = recorded["kept"]["far"]
    assert far["window"][:3] == [0, 0, 0] and far["blocks"][0] == 0 and far["indexer"][0] > 0.5 and min(far["blocks"][2], far["indexer"][2]) > 0.9


def test_what_needs_no_training_is_measured_as_recorded():
    recorded, found = read("needles"), needles.measure(seeds=1, steps=1, train=1)
    assert found["counts"] == recorded["counts"]
    for group, kept in found["kept"].items():
        for way in ("window", "blocks", "best"):
            assert kept[way] == pytest.approx(recorded["kept"][group][way], abs=0.02)
