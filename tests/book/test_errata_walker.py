"""What book/errata.md says of the walker, held by a few lines each. Every test here is named on the page."""

import numpy as np
import pytest

from pencil import examples as ex
from pencil.reference import Recurrent, WalkerClassifier, fade, pad_or_chop, rnn, walker_classifier


@pytest.mark.parametrize("dial, memory, follows", [(1.0, 0.128, 0.002), (2.0, 0.958, 0.0)])
def test_crushing_is_not_fading(dial, memory, follows):
    """After 89 crushings the memory is not nearly zero, and yet it hardly follows where it began."""
    cell, empty = Recurrent(np.zeros((1, 1)), np.array([[dial]])), np.zeros((89, 1))
    memories = rnn(empty, cell, start=np.ones(1))
    assert round(memories[-1, 0], 3) == memory
    other = rnn(empty, cell, start=np.full(1, 0.5))[-1, 0]
    assert abs(memories[-1, 0] - other) < 0.01  # they began half a one apart
    slope = fade(np.concatenate([np.ones((1, 1)), memories]), cell)[0, 0]
    assert round(slope, 3) == follows and slope > 0


@pytest.mark.parametrize("seed", range(10))
def test_the_slope_may_vanish_stay_or_explode_while_every_memory_is_crushed(seed):
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(32, 32)))
    words, x = rng.normal(size=(32, 32)) / np.sqrt(32), rng.normal(size=(90, 32))

    def left(size, loud):
        cell = Recurrent(loud * words, size * turn)
        memories = rnn(x, cell)
        assert np.abs(memories).max() < 1
        return np.linalg.norm(fade(memories, cell)) / np.sqrt(32)

    assert left(0.9, 0.01) < 1e-3 and left(1, 1) < 1e-15
    assert 0.5 < left(1, 0.01) < 1
    assert left(2, 0.01) > 1e4


def test_empty_slots_rewrite_the_memory():
    machine = WalkerClassifier(np.vstack([np.zeros(2), ex.WALK_STICKS]), ex.WALK_GRIDS, ex.WALK_HEAD)
    good, bad = pad_or_chop(np.array([2, 3]), 100), pad_or_chop(np.array([1, 2, 3]), 100)
    stopped, walked_on = ([walker_classifier(ids, machine, masked=masked)[0] for ids in (good, bad)] for masked in (True, False))
    assert np.round(stopped, 3).tolist() == [0.979, 0.028]
    assert np.round(walked_on, 3).tolist() == [0.029, 0.022]
