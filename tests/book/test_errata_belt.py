"""What book/errata.md says of the belt and of the stapled walkers, held by a few lines each. Every test here is named on the page."""

import numpy as np
import pytest

from pencil import examples as ex
from pencil.reference import LSTM, Recurrent, bidirectional, lstm, lstm_step, rnn

random = np.random.default_rng(4)


def on_the_belt(keep, admit, candidate, steps, belt):
    """What lies on a belt of one slot after so many steps, every vote and candidate hanging on its nudge alone."""
    idle = np.zeros((1, 1))
    grids = LSTM(*(Recurrent(idle, idle, np.array([float(nudge)])) for nudge in (keep, admit, 0, candidate)))
    noted = {}
    lstm(np.zeros((steps, 1)), grids, noted.setdefault, start=(np.zeros(1), np.array([float(belt)])))
    return [noted[f"step{t}.belt"][0] for t in range(1, steps + 1)]


def test_the_ride_is_not_crushed_and_both_its_ends_are():
    noted = {}
    memories = lstm(random.normal(size=(30, 2)) * 9, ex.BELT_GRIDS, noted.setdefault)
    for t in range(1, 31):
        assert np.abs(noted[f"step{t}.candidate"]).max() <= 1  # what comes on
        np.testing.assert_allclose(noted[f"step{t}.crushed"], np.tanh(noted[f"step{t}.belt"]))  # what is shown
    assert np.abs(memories).max() < 1
    np.testing.assert_allclose(on_the_belt(800, 800, 800, 5, 0), [1, 2, 3, 4, 5])  # no memory that goes through tanh gets past one
    assert np.abs(rnn(np.full((5, 1), 9.0), Recurrent(np.ones((1, 1)), np.ones((1, 1))))).max() <= 1


@pytest.mark.parametrize("there", [1.0, -3.0, 0.001])
def test_the_best_belt_brings_it_whole_and_no_sooner(there):
    assert on_the_belt(800, -800, 0, 79, there) == [there] * 79
    assert abs(on_the_belt(np.log(99), -800, 0, 79, there)[-1] / there - 0.452) < 5e-4  # a vote of 0.99
    memory, belt = lstm_step(np.zeros(2), np.ones(2), np.ones(2), ex.BELT_GRIDS)  # and each step asks what the step before left
    later, _ = lstm_step(np.zeros(2), memory, belt, ex.BELT_GRIDS)
    assert not np.allclose(later, lstm_step(np.zeros(2), np.ones(2), np.ones(2), ex.BELT_GRIDS)[0])


def test_two_walkers_see_one_side_each():
    x = random.normal(size=(5, 2))
    changed = x.copy()
    changed[2] += 1
    before, after = (bidirectional(rows, ex.BELT_GRIDS, ex.BELT_GRIDS) for rows in (x, changed))
    moved = np.abs(before - after) > 0
    assert moved[:, :2].any(-1).tolist() == [False, False, True, True, True]
    assert moved[:, 2:].any(-1).tolist() == [True, True, True, False, False]
