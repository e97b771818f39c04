"""What a sheet can be about: the givens that are dealt, the function that is run on them, and what is asked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil.examples import PAIR, PAIR_BLOCK, REVIEW, REVIEW_PARAMS
from pencil.params import flatten, map_arrays
from pencil.reference import LayerNormParams, LSTMParams, RNNParams, block, layer_norm, lstm_step, mean_pool, self_attention, softmax
from pencil.trace import scoped

# How a given is dealt: whole numbers from −3 to 3; such with most of them 0; from −1 to 1; from 1 to 3.
PLAIN, SPARSE, SMALL, GAIN = "plain", "sparse", "small", "gain"


@dataclass(frozen=True)
class Given:
    """A number, row or grid that a seed deals."""

    shape: tuple
    how: str = PLAIN
    words: tuple = None


@dataclass(frozen=True)
class Topic:
    """One kind of sheet. `build(given)` makes the function that takes a note and computes the sheet;
    `asks` are the values to fill in, in the order of the work; `normalized` is the given that goes through a LayerNorm first of all.
    """

    title: str
    opening: str
    givens: dict
    build: Callable
    asks: tuple
    labels: dict
    normalized: str = ""

    def run(self, given, note):  # {name: array}, note
        """Work the sheet of these numbers."""
        return self.build(given)(note)


def _softmax(given):
    return lambda note: softmax(given["scaled"], note=note)


def _layer_norm(given):
    norm = LayerNormParams(given["gain"], given["bias"])
    return lambda note: layer_norm(given["x"], note=note, norm=norm)


def _params(bundle, given):  # bundle, {name: array} -> the bundle with the given arrays
    return map_arrays(bundle, lambda name, _: given[f"params.{name}"])


def _attention(given):
    params = _params(REVIEW_PARAMS, given)
    return lambda note: mean_pool(self_attention(given["embedding"], params, note=note), note=note)


def _block(given):
    params = _params(PAIR_BLOCK, given)
    return lambda note: block(given["x"], params, note=note)


RNN = RNNParams(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2))
LSTM = LSTMParams(RNN, RNN, RNN, RNN)
_GATES = {"forget_gate": "keep", "input_gate": "admit", "output_gate": "show"}  # the book's words
_PARTS = _GATES | {"candidate": "candidate"}
_PARAMS = {"weight_ih": "word grid", "weight_hh": "memory grid", "bias": "nudge"}


def _lstm(given):
    params = _params(LSTM, given)
    return lambda note: lstm_step(given["word"], given["hidden"], given["cell"], params, note=scoped(note, "step"))


_ATTENTION = {"query": "WANT", "key": "HAVE", "value": "GIVE", "scores": "score", "weights": "share", "context": "NEW"}

TWO = ("first", "second")  # rows that stand for no words


def _each(words, *names):  # -> every value of every word
    return tuple(f"{word}.{name}" for word in words for name in names)


TOPICS = {
    "softmax": Topic(
        "Softmax",
        "Two rows of four scores become two rows of shares. Raise e to each, add up along the row, divide.",
        {"scaled": Given((2, 4), words=TWO)},
        _softmax,
        _each(TWO, "exp", "exp_sum", "weights"),
        {"scaled": "scores", "weights": "shares"},
    ),
    "layernorm": Topic(
        "LayerNorm",
        "Tame two rows: take off the row's middle, divide by its spread. Then one gain and one bias a slot, the same for both.",
        {"x": Given((2, 4), words=TWO), "gain": Given((4,), GAIN), "bias": Given((4,))},
        _layer_norm,
        _each(TWO, "mean", "deviation", "square", "variance", "std", "normalized", "affine"),
        {"x": "row", "mean": "middle", "variance": "average square", "std": "spread", "normalized": "tamed", "affine": "out"},
        normalized="x",
    ),
    "attention": Topic(
        "Attention",
        "A review of two words. Make the tags, score, scale, raise, share, add up, and average.",
        {"embedding": Given((2, 4), words=REVIEW)} | {f"params.{name}": Given((4, 4), SPARSE) for name in flatten(REVIEW_PARAMS)},
        _attention,
        (*_each(REVIEW, "query", "key", "value"), *_each(REVIEW, "scores", "scaled", "weights", "context"), "pooled"),
        _ATTENTION,
    ),
    "block": Topic(
        "A whole block",
        "Two words through every move of a block: tame, look, add; tame, think, add.",
        {"x": Given((2, 4), words=PAIR)} | {f"params.{name}": Given(np.shape(matrix), SPARSE) for name, matrix in flatten(PAIR_BLOCK).items()},
        _block,
        (
            *_each(PAIR, "norm1.normalized", "query", "key", "value"),
            *_each(
                PAIR, "scores", "scaled", "weights", "context", "attn_out", "residual", "norm2.normalized", "hidden", "activated", "mlp_out", "out"
            ),
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
            "params.attention.output": "output grid",
            "params.feed_forward.up": "feed-forward first grid",
            "params.feed_forward.down": "feed-forward second grid",
        },
        normalized="x",
    ),
    "lstm": Topic(
        "A step of the LSTM",
        "One word, one memory, one belt. Three voters say what is kept, admitted and shown.",
        {"word": Given((2,)), "hidden": Given((2,)), "cell": Given((2,))}
        | {f"params.{name}": Given(np.shape(matrix), SMALL) for name, matrix in flatten(LSTM).items()},
        _lstm,
        (*(f"step.{part}{end}" for part in _PARTS for end in (".preactivation", "")), "step.cell", "step.hidden"),
        {f"step.{gate}": f"{word} vote" for gate, word in _GATES.items()}
        | {f"step.{part}.preactivation": f"{word} sum" for part, word in _PARTS.items()}
        | {f"params.{part}.{name}": f"{word} {called}" for part, word in _PARTS.items() for name, called in _PARAMS.items()}
        | {"hidden": "memory", "step.candidate": "candidate", "step.cell": "new belt", "step.hidden": "new memory"},
    ),
}
