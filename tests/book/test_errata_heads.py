"""The entries of book/errata.md on multi-head attention: what the slides print, and what their heat maps show."""

import numpy as np
import pytest

from pencil.experiments.facts import slides_heads
from pencil.experiments.records import read
from pencil.reference import AttentionParams, multi_head_attention, stable_softmax
from pencil.rounding import show

WIDTH = 50


@pytest.fixture
def random():
    """Every test draws the same numbers, whichever ran before it."""
    return np.random.default_rng(0)


def printed(numbers):
    return [show(number, 8, None) for number in numbers]


def test_the_single_row_needs_a_second_run():
    """The digits stand in the record; tests/experiments/test_facts_slides_heads.py works them out again from the real vectors."""
    facts = read("slides_heads")
    slides = ["−4.31502585", "−3.90981072", "−2.11083877", "−1.51211468", "−1.90636801"]
    assert printed(facts["single_again"]["row"]) == slides
    assert not set(printed(facts["single"]["row"])) & set(slides)


def test_as_many_draws_between_them_would_do_as_well(random):
    """Ten narrow heads leave the wheel where one wide head leaves it, so the digits do not tell which cell was run between."""
    once, other = np.random.RandomState(42), np.random.RandomState(42)
    slides_heads.heads(once, 1, WIDTH)
    slides_heads.heads(other, 10, WIDTH)
    assert once.rand() == other.rand()


def scaled(x, params):
    noted = {}
    multi_head_attention(x, params, note=noted.setdefault, softmax=stable_softmax)
    return noted["scaled"], noted["weights"]


def test_positive_grids_show_the_sums(random):
    """A score is near √width/4 times the sums of both sticks; the sticks are as long as GloVe's and add up to as much."""
    x = random.normal(0, 0.65, (200, 5, WIDTH))
    x += (np.array([-5.2, 2.4, 1.1, -1.3, 5.5]) - x.sum(-1))[..., None] / WIDTH
    guess = np.sqrt(WIDTH) / 4 * x.sum(-1)[..., :, None] * x.sum(-1)[..., None, :]
    found = [scaled(rows, slides_heads.heads(np.random.RandomState(seed), 1, WIDTH)) for seed, rows in enumerate(x)]
    scores, shares = (np.array(part) for part in zip(*found, strict=True))
    assert np.corrcoef(scores.ravel(), guess.ravel())[0, 1] > 0.97
    assert np.mean(scores.argmax(-1) == guess.argmax(-1)) > 0.95
    assert shares.max(-1).mean() > 0.95


def test_centred_grids_do_not_saturate(random):
    """Scores then scatter round 0, by the product of the two lengths over the width: half a unit for sticks like GloVe's."""
    x = random.normal(0, 0.65, (200, 5, WIDTH))
    found = [scaled(rows, slides_heads.heads(np.random.RandomState(seed), 1, WIDTH, slides_heads.randn)) for seed, rows in enumerate(x)]
    scores, shares = (np.array(part) for part in zip(*found, strict=True))
    lengths = np.linalg.norm(x, axis=-1)
    assert abs(scores.mean()) < 0.02
    assert abs((scores / (lengths[:, :, None] * lengths[:, None, :] / WIDTH)).std() - 1) < 0.05
    assert shares.max(-1).mean() < 0.4


def test_nothing_keeps_two_heads_apart(random):
    """Two heads with the same dials look at the same words; that they stay so in training is held in tests/peers."""
    one = slides_heads.heads(np.random.RandomState(0), 10, WIDTH).heads[0]
    noted = {}
    multi_head_attention(
        random.normal(size=(5, WIDTH)), AttentionParams((one, one), np.eye(WIDTH, 10)), note=noted.setdefault, softmax=stable_softmax
    )
    assert np.array_equal(noted["head1.weights"], noted["head2.weights"])
