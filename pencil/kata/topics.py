"""What a sheet can be about: the givens that are dealt, the machine that is run on them, and what is asked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil.bundles import each, flatten
from pencil.examples import PAIR, PAIR_BLOCK, REVIEW, REVIEW_GRIDS
from pencil.reference import LSTM, Norm, Recurrent, average, block, layer_norm, lstm_step, self_attention, softmax
from pencil.trace import under

# How a given is dealt: whole numbers from −3 to 3; such with most of them 0; from −1 to 1; from 1 to 3.
PLAIN, GRID, SMALL, GAIN = "plain", "grid", "small", "gain"


@dataclass(frozen=True)
class Given:
    """A number, row or grid that a seed deals."""

    shape: tuple
    how: str = PLAIN
    words: tuple = None


@dataclass(frozen=True)
class Topic:
    """One kind of sheet. `machine(given)` puts the machine together, which takes a note and works the sheet;
    `asks` are the values to fill in, in the order of the work; `tamed` is the given that goes through a LayerNorm first of all.
    """

    title: str
    opening: str
    givens: dict
    machine: Callable
    asks: tuple
    labels: dict
    tamed: str = ""

    def run(self, given, note):  # {name: array}, note
        """Work the sheet of these numbers."""
        return self.machine(given)(note)


def _softmax(given):
    return lambda note: softmax(given["scaled"], note)


def _layer_norm(given):
    norm = Norm(given["gain"], given["bias"])
    return lambda note: layer_norm(given["x"], note, norm=norm)


def _grids(bundle, given):  # bundle, {name: array} -> the bundle with the given grids
    return each(bundle, lambda name, _: given[f"grid.{name}"])


def _attention(given):
    grids = _grids(REVIEW_GRIDS, given)
    return lambda note: average(self_attention(given["stick"], grids, note), note=note)


def _block(given):
    grids = _grids(PAIR_BLOCK, given)
    return lambda note: block(given["x"], grids, note)


WALKER = Recurrent(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2))
VOTERS = LSTM(WALKER, WALKER, WALKER, WALKER)
_OF_WALKER = {"input": "word grid", "hidden": "memory grid", "bias": "bias"}


def _lstm(given):
    grids = _grids(VOTERS, given)
    return lambda note: lstm_step(given["word"], given["memory"], given["belt"], grids, under(note, "step"))


_WANT = {"query": "WANT", "key": "HAVE", "value": "GIVE", "scores": "match", "weights": "portion", "mixed": "NEW"}

TWO = ("first", "second")  # rows that stand for no words


def _each(words, *names):  # -> every value of every word
    return tuple(f"{word}.{name}" for word in words for name in names)


TOPICS = {
    "softmax": Topic(
        "Softmax",
        "Two rows of four scores become two rows of shares. Raise e to each, add up along the row, divide.",
        {"scaled": Given((2, 4), words=TWO)},
        _softmax,
        _each(TWO, "raised", "total", "weights"),
        {"scaled": "scores", "weights": "shares"},
    ),
    "layernorm": Topic(
        "LayerNorm",
        "Tame two rows: take off the row's middle, divide by its typical distance. Then one gain and one bias a slot, the same for both.",
        {"x": Given((2, 4), words=TWO), "gain": Given((4,), GAIN), "bias": Given((4,))},
        _layer_norm,
        _each(TWO, "mean", "deviation", "square", "variance", "std", "normalized", "affine"),
        {"x": "row", "mean": "middle", "variance": "average square", "std": "typical distance", "normalized": "tamed", "affine": "out"},
        tamed="x",
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
        {
            "x": "row",
            "query": "ASK",
            "key": "OFFER",
            "value": "HANDOVER",
            "weights": "share",
            "norm1.normalized": "tamed",
            "norm2.normalized": "tamed again",
        }
        | {
            "grid.attention.output": "output grid",
            "grid.feed_forward.widen": "worker's first grid",
            "grid.feed_forward.narrow": "worker's second grid",
        },
        tamed="x",
    ),
    "lstm": Topic(
        "A step of the LSTM",
        "One word, one memory, one belt. Three voters say what is kept, admitted and shown.",
        {"word": Given((2,)), "memory": Given((2,)), "belt": Given((2,))}
        | {f"grid.{name}": Given(np.shape(grid), SMALL) for name, grid in flatten(VOTERS).items()},
        _lstm,
        (*(f"step.{part}{end}" for part in VOTERS.__dataclass_fields__ for end in (".summed", "")), "step.belt", "step.memory"),
        {f"step.{vote}": f"{vote} vote" for vote in ("keep", "admit", "show")}
        | {f"step.{part}.summed": f"{part} sum" for part in VOTERS.__dataclass_fields__}
        | {f"grid.{part}.{name}": f"{part} {called}" for part in VOTERS.__dataclass_fields__ for name, called in _OF_WALKER.items()}
        | {"step.candidate": "candidate", "step.belt": "new belt", "step.memory": "new memory"},
    ),
}
