"""What a sheet can be about: the givens that are dealt, the machine that is run on them, and what is asked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil.bundles import fill, flatten
from pencil.examples import PAIR, PAIR_BLOCK, REVIEW, REVIEW_GRIDS
from pencil.reference import LSTM, Recurrent, average, block, layer_norm, lstm_step, self_attention, softmax
from pencil.trace import under

PLAIN, GRID = "plain", "grid"  # how a given is dealt: whole numbers from −3 to 3, or such with most of them 0


@dataclass(frozen=True)
class Given:
    """A number, row or grid that a seed deals."""

    shape: tuple
    how: str = PLAIN
    words: tuple = None


@dataclass(frozen=True)
class Topic:
    """One kind of sheet. `run(given, note)` works it; `asks` are the values to fill in, in the order of the work."""

    title: str
    opening: str
    givens: dict
    run: Callable
    asks: tuple
    labels: dict


def _softmax(given, note):
    return softmax(given["scaled"], note)


def _layer_norm(given, note):
    return layer_norm(given["x"], note)


def _attention(given, note):
    grids = fill(REVIEW_GRIDS, {name: given[f"grid.{name}"] for name in flatten(REVIEW_GRIDS)})
    return average(self_attention(given["stick"], grids, note), note=note)


def _block(given, note):
    return block(given["x"], fill(PAIR_BLOCK, {name: given[f"grid.{name}"] for name in flatten(PAIR_BLOCK)}), note)


WALKER = Recurrent(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2))
VOTERS = LSTM(WALKER, WALKER, WALKER, WALKER)


def _lstm(given, note):
    grids = fill(VOTERS, {name: given[f"grid.{name}"] for name in flatten(VOTERS)})
    return lstm_step(given["word"], given["memory"], given["belt"], grids, under(note, "step"))


_WANT = {"query": "WANT", "key": "HAVE", "value": "GIVE", "weights": "portion", "scores": "match"}


def _each(words, *names):  # -> every value of every word
    return tuple(f"{word}.{name}" for word in words for name in names)


TOPICS = {
    "softmax": Topic(
        "Softmax",
        "Three scores become three shares. Raise e to each, add up, divide.",
        {"scaled": Given((1, 3), words=("asker",))},
        _softmax,
        ("raised", "total", "weights"),
        {"scaled": "scores", "weights": "shares"},
    ),
    "layernorm": Topic(
        "LayerNorm",
        "Tame one row: take off its middle, divide by its typical distance.",
        {"x": Given((1, 4), words=("row",))},
        _layer_norm,
        ("mean", "deviation", "square", "variance", "std", "normalized"),
        {"mean": "middle", "variance": "average square", "std": "typical distance", "normalized": "tamed"},
    ),
    "attention": Topic(
        "Attention",
        "A review of two words. Make the tags, match, shrink, raise, share, mix, and average.",
        {"stick": Given((2, 4), words=REVIEW)} | {f"grid.{name}": Given((4, 4), GRID) for name in flatten(REVIEW_GRIDS)},
        _attention,
        (*_each(REVIEW, "query", "key", "value"), *_each(REVIEW, "scores", "scaled", "weights", "mixed"), "summary"),
        _WANT,
    ),
    "block": Topic(
        "A whole block",
        "Two words through every move of a block: tame, look, add; tame, think, add.",
        {"x": Given((2, 4), words=PAIR)} | {f"grid.{name}": Given(np.shape(grid), GRID) for name, grid in flatten(PAIR_BLOCK).items()},
        _block,
        (
            *_each(PAIR, "norm1.normalized", "query", "key", "value"),
            *_each(PAIR, "scores", "scaled", "weights", "mixed", "projected", "stream", "norm2.normalized", "hidden", "bent", "worker", "out"),
        ),
        {"query": "ASK", "key": "OFFER", "value": "HANDOVER", "weights": "share", "norm1.normalized": "tamed", "norm2.normalized": "tamed again"}
        | {
            "grid.attention.output": "output grid",
            "grid.feed_forward.widen": "worker's first grid",
            "grid.feed_forward.narrow": "worker's second grid",
        },
    ),
    "lstm": Topic(
        "One step of the two-memory worker",
        "One word, one memory, one belt. Three voters say what is kept, admitted and shown.",
        {"word": Given((2,)), "memory": Given((2,)), "belt": Given((2,))}
        | {f"grid.{name}": Given(np.shape(grid), GRID) for name, grid in flatten(VOTERS).items()},
        _lstm,
        (*(f"step.{part}{end}" for part in ("keep", "admit", "show", "candidate") for end in (".summed", "")), "step.belt", "step.memory"),
        {f"step.{vote}": f"{vote} vote" for vote in ("keep", "admit", "show")}
        | {f"step.{part}.summed": f"{part} sum" for part in ("keep", "admit", "show", "candidate")}
        | {"step.candidate": "candidate", "step.belt": "new belt", "step.memory": "new memory"},
    ),
}
