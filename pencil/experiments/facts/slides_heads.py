"""The two programs of the slides that chapter 07 mirrors, on GloVe's vectors: one head of width 50, and ten heads of width 5.

As in the slides, weights come from np.random.RandomState and vectors are float32 (float64 changes the last printed digit). Two
further runs use the usual initialization of a layer.
"""

import numpy as np

from pencil.data.vectors import load
from pencil.experiments.records import as_recorded
from pencil.reference import AttentionParams, QKVParams, multi_head_attention, stable_softmax

WORDS = ("the", "cat", "sat", "on", "table")
PRINTED = 5  # the slides print the first five numbers of a row
MAPS = 200  # number of seeds, to see whether a heat map depends on the weights


def rand(draws, *shape):
    """The slides' initialization: uniform in [0, 1), so no weight is negative."""
    return draws.rand(*shape)


def randn(draws, *shape):
    """Normal with standard deviation 1 / √d_in, so that outputs have about the variance of the inputs."""
    return draws.randn(*shape) / np.sqrt(shape[0])


def heads(draws, count, width, draw=rand):  # -> AttentionParams
    """`count` heads that split the width, concatenated, with the identity as output projection.

    The slides write `X @ W`, so our matrices are theirs transposed. The order of the draws is theirs: query, key, value of each head in turn.
    """
    params = [[draw(draws, width, width // count).T for _ in range(3)] for _ in range(count)]
    return AttentionParams(tuple(QKVParams(*three) for three in params), np.eye(width))


def run(x, params):  # (T, d), AttentionParams -> {what is measured: number or nested list}
    """The first word's output, every head's scaled scores, and how far the first word's context is from its own value in the first head."""
    noted = {}
    out = multi_head_attention(x, params, note=noted.setdefault, softmax=stable_softmax)
    scopes = [""] if len(params.heads) == 1 else [f"head{i}." for i in range(1, len(params.heads) + 1)]
    scaled, context, value = (np.array([noted[scope + name] for scope in scopes]) for name in ("scaled", "context", "value"))
    return {
        "row": as_recorded(out[0, :PRINTED]),
        "scaled": as_recorded(scaled),
        "off_own_value": as_recorded(np.abs(context[0, 0] - value[0, 0]).max()),
    }


def run_all(x, seed):  # (T, d) -> JSON-able
    """All runs on these rows, each with the same seed."""
    width, start = x.shape[1], np.random.RandomState
    once = start(seed)
    clean = heads(once, 1, width)
    return {
        "words": list(WORDS),
        "first": as_recorded(x[0, :PRINTED]),
        "sums": as_recorded(x.sum(1, dtype=float)),
        "maps": MAPS,
        "maps_as_the_sums_say": sum(_as_the_sums_say(x, seed) for seed in range(MAPS)),
        "lengths": as_recorded(np.linalg.norm(x.astype(float), axis=1)),
        "single": run(x, clean),
        "single_again": run(x, heads(once, 1, width)),  # as if the notebook's cell were run again without reseeding
        "multi": run(x, heads(start(seed), 10, width)),
        "multi_row_in_float64": run(_as_written(x), heads(start(seed), 10, width))["row"],
        "calm_single": run(x, heads(start(seed), 1, width, randn)),
        "calm_multi": run(x, heads(start(seed), 10, width, randn)),
    }


def measure(seed):  # -> JSON-able, for `python -m pencil record slides_heads --seed 42`
    """`run_all` on GloVe's vectors of width 50. The slides' seed is 42."""
    return run_all(load("full").of(*WORDS), seed)


def _as_written(x):  # float32 -> float64 of the same shortest decimal, as the file has it
    return np.array([[float(str(number)) for number in row] for row in x])


def _as_the_sums_say(x, seed):  # -> whether each row's largest score is where the sums of the vectors predict it
    sums = x.sum(1)
    scaled = run(x, heads(np.random.RandomState(seed), 1, x.shape[1]))["scaled"][0]
    return bool((np.argmax(scaled, -1) == np.argmax(np.outer(sums, sums), -1)).all())
