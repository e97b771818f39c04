"""Every machine of the reference as code that can be traced, run plain, and run on redrawn numbers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil import examples
from pencil.reference import (
    BlockGrids,
    Classifier,
    Grids,
    Head,
    attention,
    average,
    binary_cross_entropy,
    block,
    classifier,
    classify,
    embed,
    layer_norm,
    multi_head_attention,
    self_attention,
    stable_softmax,
)  # fmt: skip

WORDS = {"stick": examples.REVIEW, "x": examples.REVIEW, "query": ("asker",)}


@dataclass(frozen=True)
class Run:
    """Code from given arrays to named values, the arrays it starts from, and how to draw others."""

    name: str
    function: Callable  # (given, note) -> value
    start: dict
    draw: Callable = lambda rng, name, value: rng.normal(size=np.shape(value))

    def given(self, trace):
        return {name: trace.given(name, value, words=WORDS.get(name)) for name, value in self.start.items()}

    def redrawn(self, rng):
        return {name: self.draw(rng, name, value) for name, value in self.start.items()}


def grids_of(bundle):
    return {name: getattr(bundle, name) for name in ("query", "key", "value")}


def numbered(start, count):  # one set of grids a head, all different
    return {f"{name}{i}": np.roll(grid, i, axis=0) for i in range(1, count + 1) for name, grid in start.items()}


def two_heads(given):
    return [Grids(given[f"query{i}"], given[f"key{i}"], given[f"value{i}"]) for i in (1, 2)]


def draw_chances(rng, name, value):
    return rng.integers(0, 2, np.shape(value)) if name == "truth" else rng.uniform(0.01, 0.99, np.shape(value))


def draw_ids(rng, name, value):
    return rng.permutation(value) if name == "ids" else rng.normal(size=np.shape(value))


REVIEW = {"stick": examples.ROWS, "query": examples.REVIEW_GRIDS.query, "key": examples.REVIEW_GRIDS.key, "value": examples.REVIEW_GRIDS.value}
GRIDS = grids_of(examples.REVIEW_GRIDS)
PAIR = examples.PAIR_GRIDS
HEAD = {name: getattr(examples.REVIEW_HEAD, name) for name in ("grid1", "nudge1", "grid2", "nudge2")}
IDS = np.array([1, 2, 0, 0])
TABLE = np.vstack([np.full((1, 4), 9.0), examples.ROWS])
BLOCK = {"x": examples.ROWS, **grids_of(PAIR.attention), "output": PAIR.output, "widen": PAIR.widen, "narrow": PAIR.narrow}


def run_self_attention(given, note):
    grids = Grids(given["query_grid"], given["key_grid"], given["value_grid"])
    return self_attention(given["stick"], grids, note)


def run_block(given, note, **options):
    attention_grids = Grids(given["query_grid"], given["key_grid"], given["value_grid"])
    return block(given["x"], BlockGrids(attention_grids, given["output"], given["widen"], given["narrow"]), note, **options)


def run_classifier(given, note, masked):
    head = Head(*(given[name] for name in HEAD))
    return classifier(IDS, Classifier(given["table"], two_heads(given), given["output"], head), note, masked)


def as_grids(start):  # the tags take the names query, key, value, so their grids are query_grid, …
    return {f"{name}_grid" if name in GRIDS else name: value for name, value in start.items()}


CLASSIFIER = {"table": TABLE, **numbered(GRIDS, 2), "output": np.tile(np.eye(4), 2), **HEAD}

RUNS = [
    Run("self-attention", run_self_attention, as_grids(REVIEW)),
    Run(
        "attention with a mask and the stable softmax",
        lambda g, note: attention(g["stick"], g["stick"] * 2, g["stick"], note, np.tri(2, dtype=bool), stable_softmax),
        {"stick": examples.ROWS},
    ),
    Run(
        "two heads",
        lambda g, note: multi_head_attention(g["stick"], two_heads(g), g["output"], note),
        {"stick": examples.ROWS, **numbered(GRIDS, 2), "output": np.tile(np.eye(4), 2)},
    ),
    Run("layer norm", lambda g, note: layer_norm(g["x"], note, 1e-5), {"x": examples.ROWS}),
    Run("block", run_block, as_grids(BLOCK)),
    Run("block that does not look ahead", lambda g, note: run_block(g, note, mask=np.tri(2, dtype=bool), eps=1e-5), as_grids(BLOCK)),
    Run("head", lambda g, note: classify(g["summary"], Head(*(g[name] for name in HEAD)), note), {"summary": [0.5, 2, 1, 0], **HEAD}),
    Run("loss", lambda g, note: binary_cross_entropy(g["truth"], g["said"], note), {"truth": [1, 0], "said": [0.96, 0.1]}, draw_chances),
    Run("look-up by traced ids", lambda g, note: average(embed(g["ids"], g["table"], note), note=note), {"ids": [1, 2, 1], "table": TABLE}, draw_ids),
    Run("classifier", lambda g, note: run_classifier(g, note, True), CLASSIFIER),
    Run("classifier that looks at padding", lambda g, note: run_classifier(g, note, False), CLASSIFIER),
]
