"""The loss against scikit-learn. Tolerance 1e-12: the same logarithms, averaged in another order."""

import numpy as np
import pytest

from pencil.reference import binary_cross_entropy, softmax

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(5))
def test_the_mean_miss_is_log_loss(seed):
    from sklearn.metrics import log_loss

    rng = np.random.default_rng(seed)
    truth, answer = rng.integers(0, 2, 200), rng.uniform(1e-4, 1 - 1e-4, 200)
    assert binary_cross_entropy(answer, truth).mean() == pytest.approx(log_loss(truth, answer, labels=[0, 1]), rel=1e-12)


@pytest.mark.parametrize("truth, answer, loss", [(1, 0.96, 0.0408), (1, 0.10, 2.3026), (0, 0.10, 0.1054)])
def test_the_losses_of_the_book(truth, answer, loss):
    from sklearn.metrics import log_loss

    assert log_loss([truth], [answer], labels=[0, 1]) == pytest.approx(loss, abs=5e-5)
    assert binary_cross_entropy(answer, truth) == pytest.approx(log_loss([truth], [answer], labels=[0, 1]), rel=1e-12)


def test_softmax_is_that_of_scipy():
    from scipy.special import softmax as theirs

    scores = np.random.default_rng(0).normal(size=(6, 9)) * 10
    np.testing.assert_allclose(softmax(scores), theirs(scores, axis=-1), rtol=1e-12)
