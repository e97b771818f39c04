"""The entries of book/errata.md on LSTMs and bidirectional networks. The page names each of these tests."""

import numpy as np
import pytest

from pencil import examples as ex
from pencil.reference import LSTMParams, RNNParams, bidirectional, lstm, lstm_step, rnn


@pytest.fixture
def random():
    """Every test draws the same numbers, whichever ran before it."""
    return np.random.default_rng(4)


def on_the_belt(keep, input_gate, candidate, steps, cell):
    """What lies on a belt of one slot after so many steps, every vote and candidate hanging on its nudge alone."""
    idle = np.zeros((1, 1))
    params = LSTMParams(*(RNNParams(idle, idle, np.array([float(bias)])) for bias in (keep, input_gate, 0, candidate)))
    noted = {}
    lstm(np.zeros((steps, 1)), params, note=noted.setdefault, h0=(np.zeros(1), np.array([float(cell)])))
    return [noted[f"step{t}.cell"][0] for t in range(1, steps + 1)]


def test_the_ride_is_not_crushed_and_both_its_ends_are(random):
    noted = {}
    hidden_states = lstm(random.normal(size=(30, 2)) * 9, ex.LSTM_PARAMS, note=noted.setdefault)
    for t in range(1, 31):
        assert np.abs(noted[f"step{t}.candidate"]).max() <= 1  # what comes on
        np.testing.assert_allclose(noted[f"step{t}.cell_tanh"], np.tanh(noted[f"step{t}.cell"]))  # what is shown
    assert np.abs(hidden_states).max() < 1
    np.testing.assert_allclose(on_the_belt(800, 800, 800, 5, 0), [1, 2, 3, 4, 5])  # no memory that goes through tanh gets past one
    assert np.abs(rnn(np.full((5, 1), 9.0), RNNParams(np.ones((1, 1)), np.ones((1, 1))))).max() <= 1


@pytest.mark.parametrize("there", [1.0, -3.0, 0.001])
def test_the_best_belt_brings_it_whole_and_no_sooner(there):
    assert on_the_belt(800, -800, 0, 79, there) == [there] * 79
    assert abs(on_the_belt(np.log(99), -800, 0, 79, there)[-1] / there - 0.452) < 5e-4  # a vote of 0.99
    hidden, cell = lstm_step(np.zeros(2), np.ones(2), np.ones(2), ex.LSTM_PARAMS)  # and each step asks what the step before left
    later, _ = lstm_step(np.zeros(2), hidden, cell, ex.LSTM_PARAMS)
    assert not np.allclose(later, lstm_step(np.zeros(2), np.ones(2), np.ones(2), ex.LSTM_PARAMS)[0])


def test_two_walkers_see_one_side_each(random):
    x = random.normal(size=(5, 2))
    changed = x.copy()
    changed[2] += 1
    before, after = (bidirectional(rows, ex.LSTM_PARAMS, ex.LSTM_PARAMS) for rows in (x, changed))
    moved = np.abs(before - after) > 0
    assert moved[:, :2].any(-1).tolist() == [False, False, True, True, True]
    assert moved[:, 2:].any(-1).tolist() == [True, True, True, False, False]
