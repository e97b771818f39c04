"""The entries of book/errata.md on the RNN of source 004. The page names each of these tests."""

import numpy as np
import pytest

from pencil import examples as ex
from pencil.reference import RNNClassifierParams, RNNParams, jacobian_product, pad_or_truncate, rnn, rnn_classifier


@pytest.mark.parametrize("weight, hidden, grad", [(1.0, 0.128, 0.002), (2.0, 0.958, 0.0)])
def test_crushing_is_not_fading(weight, hidden, grad):
    """After 89 steps of tanh the hidden state is far from zero, and yet hardly depends on where it began."""
    params, empty = RNNParams(np.zeros((1, 1)), np.array([[weight]])), np.zeros((89, 1))
    hidden_states = rnn(empty, params, h0=np.ones(1))
    assert round(hidden_states[-1, 0], 3) == hidden
    other = rnn(empty, params, h0=np.full(1, 0.5))[-1, 0]
    assert abs(hidden_states[-1, 0] - other) < 0.01  # they began 0.5 apart
    jacobian = jacobian_product(np.concatenate([np.ones((1, 1)), hidden_states]), params)[0, 0]
    assert round(jacobian, 3) == grad and jacobian > 0


@pytest.mark.parametrize("seed", range(10))
def test_the_slope_may_vanish_stay_or_explode_while_every_memory_is_crushed(seed):
    rng = np.random.default_rng(seed)
    rotation, _ = np.linalg.qr(rng.normal(size=(32, 32)))
    weight_ih, x = rng.normal(size=(32, 32)) / np.sqrt(32), rng.normal(size=(90, 32))

    def jacobian_norm(size, input_scale):
        params = RNNParams(input_scale * weight_ih, size * rotation)
        hidden_states = rnn(x, params)
        assert np.abs(hidden_states).max() < 1
        return np.linalg.norm(jacobian_product(hidden_states, params)) / np.sqrt(32)

    assert jacobian_norm(0.9, 0.01) < 1e-3 and jacobian_norm(1, 1) < 1e-15
    assert 0.5 < jacobian_norm(1, 0.01) < 1
    assert jacobian_norm(2, 0.01) > 1e4


def test_empty_slots_rewrite_the_memory():
    params = RNNClassifierParams(np.vstack([np.zeros(2), ex.RNN_VECTORS]), ex.RNN_PARAMS, ex.RNN_HEAD)
    good, bad = pad_or_truncate(np.array([2, 3]), max_len=100), pad_or_truncate(np.array([1, 2, 3]), max_len=100)
    masked, unmasked = ([rnn_classifier(ids, params, padding=is_masked)[0] for ids in (good, bad)] for is_masked in (True, False))
    assert np.round(masked, 3).tolist() == [0.979, 0.028]
    assert np.round(unmasked, 3).tolist() == [0.029, 0.022]
