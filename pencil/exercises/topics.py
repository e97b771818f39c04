"""What a sheet can be about: the random inputs, the function that is run on them, and what is asked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil.examples import PAIR, PAIR_BLOCK, REVIEW, REVIEW_PARAMS
from pencil.exercises.walk_back import NOTED, RATE, logit_after_step, loss_of
from pencil.params import flatten, map_arrays
from pencil.reference import LayerNormParams, LSTMParams, RNNParams, block, layer_norm, lstm_step, mean_pool, self_attention, softmax
from pencil.trace import scoped

# How an input is drawn: integers from −3 to 3; such with most of them 0; from −1 to 1; from 1 to 3; from −2 to 2
# without 0; 0 or 1.
PLAIN, SPARSE, SMALL, GAIN, FULL, TRUTH = "plain", "sparse", "small", "gain", "full", "truth"


WRITTEN = (
    "Write every number with three places, two from ten on and one from a hundred on, and go on with what you wrote. "
    "A sum of products is rounded once, at its end. A number that is whole stands bare."
)


@dataclass(frozen=True)
class Given:
    """An input that is drawn at random: a number, vector or matrix."""

    shape: tuple
    how: str = PLAIN
    words: tuple = None


@dataclass(frozen=True)
class Topic:
    """One kind of sheet. `build(given)` makes the function that takes a note and computes the sheet, and `after(given, what came out,
    trace)` does what takes a trace, such as the walk back; `asks` are the values to fill in, in the order of the work, and `work`
    says how each is worked, a line a move, so that nothing has to be looked up; `normalized` is the given that goes through a
    LayerNorm first of all.
    """

    title: str
    opening: str
    work: tuple
    givens: dict
    build: Callable
    asks: tuple
    labels: dict
    normalized: str = ""
    after: Callable = None

    def run(self, given, note):  # {name: array}, note
        """Work the sheet of these numbers."""
        came_out = self.build(given)(note)
        return self.after(given, came_out, note) if self.after else came_out

    @property
    def rules(self):
        """All that a solver has to know: how each number is made, and how it is written."""
        return (*self.work, WRITTEN)


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

_DIALS = {"head.weight": "last dials", "head.bias": "nudge"}
_WALK = _ATTENTION | _DIALS | {"logit": "last", "sigmoid.prob": "tick", "loss": "miss", "target": "truth", "params.query": "WANT grid"}
_SLOPES = (
    {f"grad.{name}": f"d.{_WALK.get(name, name)}" for name in NOTED}
    | {"error": "d.last", "average_slope": "average slope", "short_way": "d.scaled", "logit_again": "last again"}
    | {f"stepped.{name}.updated": f"new {word}" for name, word in _DIALS.items()}
)

TWO = ("first", "second")  # rows that stand for no words


def _each(words, *names):  # -> every value of every word
    return tuple(f"{word}.{name}" for word in words for name in names)


TOPICS = {
    "softmax": Topic(
        "Softmax",
        "Two rows of four scores become two rows of shares. Raise e to each, add up along the row, divide.",
        (
            "Raised: e to the power of each score, on the calculator.",
            "Total: the raised numbers of the row, added up.",
            "Shares: each raised number divided by the total.",
        ),
        {"scaled": Given((2, 4), words=TWO)},
        _softmax,
        _each(TWO, "exp", "exp_sum", "weights"),
        {"scaled": "scores", "weights": "shares"},
    ),
    "layernorm": Topic(
        "LayerNorm",
        "Tame two rows: take off the row's middle, divide by its spread. Then one gain and one bias a place, the same for both.",
        (
            "Middle: the average of the four numbers. Deviation: each number minus the middle. Square: each deviation times itself.",
            "Average square: the four squares, added up and divided by four. Spread: its root.",
            "Tamed: each deviation divided by the spread. Out: place by place, tamed times gain, plus bias.",
        ),
        {"x": Given((2, 4), words=TWO), "gain": Given((4,), GAIN), "bias": Given((4,))},
        _layer_norm,
        _each(TWO, "mean", "deviation", "square", "variance", "std", "normalized", "affine"),
        {"x": "row", "mean": "middle", "variance": "average square", "std": "spread", "normalized": "tamed", "affine": "out"},
        normalized="x",
    ),
    "attention": Topic(
        "Attention",
        "A review of two words. Make the tags, score, scale, raise, share, add up, and average.",
        (
            "WANT, HAVE, GIVE: dot each row of the grid with the word's stick. The three grids serve both words.",
            "Score: the word's WANT dotted with each HAVE, nolan's first. Scaled: each score divided by the root of the tag's width, √4 = 2.",
            "Share: raise e to each scaled score; divide each of the two by their total.",
            "NEW: each GIVE times its share, written down; then add the two rows. Summary: the average of the two NEWs.",
        ),
        {"embedding": Given((2, 4), words=REVIEW)} | {f"params.{name}": Given((4, 4), SPARSE) for name in flatten(REVIEW_PARAMS)},
        _attention,
        (*_each(REVIEW, "query", "key", "value"), *_each(REVIEW, "scores", "scaled", "weights", "context"), "pooled"),
        _ATTENTION,
    ),
    "block": Topic(
        "A whole block",
        "Two words through every move of a block: tame, look, add; tame, think, add.",
        (
            "Tamed: take the average of the row's four numbers off each (the deviations); average the squares of these; "
            "the root of that is the spread; divide each deviation by it. There is no gain and no bias in this block.",
            "ASK, OFFER, HANDOVER: dot each row of the grid with the word's tamed row. Every grid serves both words.",
            "Score: the word's ASK dotted with each OFFER, cat's first. Shrunk: each score divided by the root of the width, √4 = 2.",
            "Share: raise e to each shrunk score; divide each of the two by their total.",
            "Mixed: each HANDOVER times its share, written down; then add the two rows.",
            "Projected: dot each row of the output grid with mixed. Stream: the row as it was given, plus projected. Tamed again: tame the stream.",
            "Hidden: dot the first grid's rows with the row tamed again. Bent: below zero becomes zero. "
            "Feed-forward: dot the second grid's rows with bent. Out: stream plus feed-forward.",
        ),
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
            "scores": "score",
            "scaled": "shrunk",
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
        (
            "A sum: dot each row of the word grid with the word, and add the bias; dot each row of the memory grid with the memory; add the two.",
            "A vote: sigmoid of its sum. Raise e to minus the sum and write that down; add one; divide one by it. The candidate: tanh of its sum.",
            "New belt, place by place: keep times the old belt, plus admit times the candidate.",
            "New memory, place by place: show times tanh of the new belt.",
        ),
        {"word": Given((2,)), "hidden": Given((2,)), "cell": Given((2,))}
        | {f"params.{name}": Given(np.shape(matrix), SMALL) for name, matrix in flatten(LSTM).items()},
        _lstm,
        (*(f"step.{part}{end}" for part in _PARTS for end in (".preactivation", "")), "step.cell", "step.hidden"),
        {f"step.{gate}": f"{word} vote" for gate, word in _GATES.items()}
        | {f"step.{part}.preactivation": f"{word} sum" for part, word in _PARTS.items()}
        | {f"params.{part}.{name}": f"{word} {called}" for part, word in _PARTS.items() for name, called in _PARAMS.items()}
        | {"hidden": "memory", "step.candidate": "candidate", "step.cell": "new belt", "step.hidden": "new memory"},
    ),
    "backward": Topic(
        "The walk back",
        "Nolan looks at two words, and the tick is held against the truth. Walk to the miss, then back to the dials, and take one step.",
        (
            "The way there. WANT: dot each row of the grid with the stick. Score: WANT dotted with each HAVE, nolan's first. "
            "Scaled: each score divided by √2, the root of the tag's width.",
            "Share: raise e to each scaled score; divide each of the two by their total. NEW: each GIVE times its share, written down; then add.",
            "Last: the last dials dotted with NEW, plus the nudge. Tick: raise e to minus last and write that down; add one; divide one by it. "
            "Miss: minus ln of the chance of the truth, which is the tick where the truth is one, and one minus the tick where it is zero.",
            "The way back. A d. in front means the slope of the miss along that number. d.last = tick − truth; the nudge has the same slope. "
            "A product hands each factor the slope times the other factor; where several roads come back to a number, they add up.",
            "d.last dials = d.last · NEW. d.NEW = d.last · last dials. d.GIVE = the word's share · d.NEW. d.share: dot d.NEW with the word's GIVE.",
            "Average slope: each share times its d.share, added up. d.scaled = share · (d.share − average slope). d.score = d.scaled / √2.",
            "d.WANT: each HAVE times its d.score, added up. d.WANT grid: row by row, the number of d.WANT times the whole stick.",
            f"The step, when all slopes are known: new = old − {RATE} · slope. "
            "Last again: as last, with the new dials and the new nudge, and NEW as it was.",
        ),
        {
            "embedding": Given((1, 2), FULL, words=REVIEW[:1]),
            "params.query": Given((2, 2), SMALL),
            "key": Given((2, 2), words=REVIEW),
            "value": Given((2, 2), words=REVIEW),
            "head.weight": Given((1, 2), FULL),
            "head.bias": Given((1,), FULL),
            "target": Given((1, 1), TRUTH),
        },
        lambda given: lambda note: loss_of(given, note),
        (
            *_each(REVIEW[:1], "query", "scores", "scaled", "weights", "context", "logit", "sigmoid.prob", "loss"),
            *("nolan.error", "grad.head.weight", "nolan.grad.context", *_each(REVIEW, "grad.value"), "nolan.grad.weights"),
            *_each(REVIEW[:1], "average_slope", "short_way", "grad.scores", "grad.query"),
            *("grad.params.query", "stepped.head.weight.updated", "stepped.head.bias.updated", "nolan.logit_again"),
        ),
        _WALK | _SLOPES,
        after=logit_after_step,
    ),
}
