"""The entries of book/errata.md on learning: gradient steps, Adam's first step, and gradients through residuals and norms."""

import numpy as np
import pytest

from pencil.examples import REVIEW_HEAD, REVIEW_PARAMS, ROWS
from pencil.reference import adam, binary_cross_entropy, layer_norm, mean_pool, mlp_head, self_attention, sgd, stable_softmax
from pencil.reference.attending import QKVParams
from pencil.reference.networks import FeedForwardParams, feed_forward
from pencil.trace import Trace, backward, no_note, scoped


def loss_of(vectors, note=no_note):
    probability = mlp_head(mean_pool(self_attention(vectors, REVIEW_PARAMS)), REVIEW_HEAD)
    return binary_cross_entropy(probability, np.array([0])).sum()


def test_a_long_step_lands_higher_up():
    """The embeddings alone take a step here, and small changes tell their slopes: no code of the page is in it."""
    slope, hair = np.zeros_like(ROWS), 1e-6
    for at in np.ndindex(ROWS.shape):
        up, down = ROWS.copy(), ROWS.copy()
        up[at] += hair
        down[at] -= hair
        slope[at] = (loss_of(up) - loss_of(down)) / (2 * hair)
    after = [loss_of(sgd(ROWS, slope, lr=rate)) for rate in (0.01, 2.0)]
    assert after[0] < loss_of(ROWS) < after[1]


def test_first_step_of_adam():
    """One rate long for every slope that is not nothing, against its sign."""
    slopes = np.array([0.002, -5.0, 1.8, 1e-4, 0.0])
    moved, _ = adam(np.zeros(5), slopes)
    np.testing.assert_allclose(moved, -0.001 * np.sign(slopes), rtol=1e-3)


WIDTH, BLOCKS, WORDS = 6, 12, 3
WAYS = {
    "bare": lambda x, layer, norm: layer(x),
    "layer norm": lambda x, layer, norm: layer(norm(x)),
    "residual": lambda x, layer, norm: x + layer(x),
    "Pre-LN": lambda x, layer, norm: x + layer(norm(x)),
    "Post-LN": lambda x, layer, norm: norm(x + layer(x)),
}


def kept(way, seed):
    """How large the slope is at the first row, compared with the last."""
    rng, trace = np.random.default_rng(seed), Trace(places=9, figures=None)
    x = first = trace.given("x", rng.normal(size=(WORDS, WIDTH)))
    for i in range(BLOCKS):
        params = rng.normal(size=(5, WIDTH, WIDTH)) / np.sqrt(WIDTH)
        moves = (
            lambda rows, note, g=params: self_attention(rows, QKVParams(*g[:3]), note=note, softmax=stable_softmax),
            lambda rows, note, g=params: feed_forward(rows, FeedForwardParams(*g[3:]), note=note),
        )
        for k, move in enumerate(moves):
            note = scoped(trace, f"block{i}.move{k}")
            x = note("row", way(x, lambda rows, n=note, m=move: m(rows, n), lambda rows, n=note: layer_norm(rows, note=n, eps=1e-5)))
    slopes = backward(trace("loss", (x * trace.given("pull", rng.normal(size=x.shape))).sum()))
    return np.linalg.norm(slopes[first.name].exact) / np.linalg.norm(slopes[x.name].exact)


@pytest.mark.slow
def test_residual_and_layer_norm_reduce():
    """The layers alone lose the gradient, the residual alone makes it explode, both together keep it; and neither of the two is a promise."""
    size = {name: np.median([kept(way, seed) for seed in range(5)]) for name, way in WAYS.items()}
    assert size["bare"] < 0.01 and size["residual"] > 10
    assert 1 < size["Pre-LN"] < 20 and 0.02 < size["Post-LN"] < 5
    assert max(kept(WAYS["layer norm"], seed) for seed in range(5)) > 10 * min(kept(WAYS["layer norm"], seed) for seed in range(5))
    silent = Trace()
    x = silent.given("x", [[2.0, 1.0, 1.0, 0.0]])
    slopes = backward(silent("loss", (silent("kept", x + x @ -np.eye(4)) * silent.given("pull", [1.0, 2.0, 3.0, 4.0])).sum()))
    assert (slopes["x"].exact == 0).all()
