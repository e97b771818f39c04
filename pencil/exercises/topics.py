"""What a sheet can be about: the random inputs, the function that is run on them, and what is asked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pencil.examples import PAIR, PAIR_BLOCK, REVIEW, REVIEW_PARAMS
from pencil.exercises.walk_back import NOTED, RATE, logit_after_step, loss_of
from pencil.params import flatten, map_arrays
from pencil.reference import LayerNormParams, LSTMParams, RNNParams, block, layer_norm, lstm_step, mean_pool, self_attention, softmax
from pencil.trace import scoped
from pencil.worked.labels import label_of

# How an input is drawn: integers from −3 to 3; such with most of them 0; from −1 to 1; from 1 to 3; from −2 to 2
# without 0; 0 or 1.
PLAIN, SPARSE, SMALL, GAIN, FULL, TRUTH = "plain", "sparse", "small", "gain", "full", "truth"


WRITTEN = (
    "Write three decimals below 10, two from 10, one from 100, and go on with what you wrote. "
    "Round a sum of products once, at its end. Write a whole number without decimals."
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
_PARTS = {"forget_gate": "forget gate", "input_gate": "input gate", "output_gate": "output gate", "candidate": "candidate"}


def _lstm(given):
    params = _params(LSTM, given)
    return lambda note: lstm_step(given["word"], given["hidden"], given["cell"], params, note=scoped(note, "step"))


_LAST = {"head.weight": "last weights", "head.bias": "last bias"}
_WAY_BACK = _LAST | {"sigmoid.prob": "prediction"}
_SLOPES = (
    {f"grad.{name}": f"d.{_WAY_BACK.get(name) or label_of(name)}" for name in NOTED}
    | {"error": "d.logit", "average_slope": "average slope", "short_way": "d.scaled", "logit_again": "new logit"}
    | {f"stepped.{name}.updated": f"new {word}" for name, word in _LAST.items()}
)

TWO = ("first", "second")  # rows that stand for no words


def _each(words, *names):  # -> every value of every word
    return tuple(f"{word}.{name}" for word in words for name in names)


TOPICS = {
    "softmax": Topic(
        "Softmax",
        "Two rows of four scores become two rows of shares. Take exp of each, add up along the row, divide.",
        (
            "Exp: e to the power of each score, on the calculator.",
            "Sum of exp: the exps of the row, added up.",
            "Share: each exp divided by the sum of exp.",
        ),
        {"scaled": Given((2, 4), words=TWO)},
        _softmax,
        _each(TWO, "exp", "exp_sum", "weights"),
        {"scaled": "scores"},
    ),
    "layernorm": Topic(
        "LayerNorm",
        "Normalize two rows: subtract the row's mean, divide by its standard deviation. Each place has a gain and a bias, the same for both rows.",
        (
            "Mean: the average of the four numbers. Deviation: each number minus the mean. Square: each deviation times itself.",
            "Variance: the four squares, added up and divided by four. Standard deviation: its root.",
            "Normalized: each deviation divided by the standard deviation. Out: place by place, normalized times gain, plus bias.",
        ),
        {"x": Given((2, 4), words=TWO), "gain": Given((4,), GAIN), "bias": Given((4,))},
        _layer_norm,
        _each(TWO, "mean", "deviation", "square", "variance", "std", "normalized", "affine"),
        {"x": "row", "std": "standard deviation", "affine": "out", "bias": "bias"},
        normalized="x",
    ),
    "attention": Topic(
        "Attention",
        "A review of two words. Make queries, keys and values; score, scale, share out; mix the values, and average.",
        (
            "Query, key, value: dot each row of W_Q, W_K, W_V with the word's embedding. The three matrices serve both words.",
            "Score: the word's query dotted with each key, nolan's first. Scaled: each score divided by the root of the key's width, √4 = 2.",
            "Share: take exp of each scaled score; divide each of the two by their sum.",
            "Context: each value times its share, written down; then add the two rows. Summary: the average of the two contexts.",
        ),
        {"embedding": Given((2, 4), words=REVIEW)} | {f"params.{name}": Given((4, 4), SPARSE) for name in flatten(REVIEW_PARAMS)},
        _attention,
        (*_each(REVIEW, "query", "key", "value"), *_each(REVIEW, "scores", "scaled", "weights", "context"), "pooled"),
        {"pooled": "summary"},
    ),
    "block": Topic(
        "A whole block",
        "Two words through every move of a block: normalize, attend, add; normalize, feed forward, add.",
        (
            "Normalized: subtract the mean of the row's four numbers from each (the deviations); average the squares of these; "
            "the root of that is the standard deviation; divide each deviation by it. There is no gain and no bias in this block.",
            "Query, key, value: dot each row of W_Q, W_K, W_V with the word's normalized row. Every matrix serves both words.",
            "Score: the word's query dotted with each key, cat's first. Scaled: each score divided by the root of the width, √4 = 2.",
            "Share: take exp of each scaled score; divide each of the two by their sum.",
            "Context: each value times its share, written down; then add the two rows.",
            "Attention output: dot each row of W_O with the context. Residual: the row as it was given, plus the attention output. "
            "Normalized again: normalize the residual.",
            "Hidden: dot each row of W_up with the row normalized again. Activation: below zero becomes zero. "
            "Feed-forward output: dot each row of W_down with the activation. Out: residual plus feed-forward output.",
        ),
        {"x": Given((2, 4), words=PAIR)} | {f"params.{name}": Given(np.shape(matrix), SPARSE) for name, matrix in flatten(PAIR_BLOCK).items()},
        _block,
        (
            *_each(PAIR, "norm1.normalized", "query", "key", "value"),
            *_each(
                PAIR, "scores", "scaled", "weights", "context", "attn_out", "residual", "norm2.normalized", "hidden", "activated", "mlp_out", "out"
            ),
        ),
        {"x": "row", "norm1.normalized": "normalized", "norm2.normalized": "normalized again"}
        | {f"params.{name}": label_of(f"params.{name.rpartition('.')[2]}") for name in flatten(PAIR_BLOCK)},
        normalized="x",
    ),
    "lstm": Topic(
        "A step of the LSTM",
        "One word, one hidden state, one cell state. Three gates say how much is kept, how much is added and how much is shown.",
        (
            "A sum: dot each row of W_ih with the word, and add b; dot each row of W_hh with the hidden state; add the two.",
            "A gate: sigmoid of its sum. Raise e to minus the sum and write that down; add one; divide one by it. The candidate: tanh of its sum.",
            "New cell state, place by place: forget gate times the old cell state, plus input gate times the candidate.",
            "New hidden state, place by place: output gate times tanh of the new cell state.",
        ),
        {"word": Given((2,)), "hidden": Given((2,)), "cell": Given((2,))}
        | {f"params.{name}": Given(np.shape(matrix), SMALL) for name, matrix in flatten(LSTM).items()},
        _lstm,
        (*(f"step.{part}{end}" for part in _PARTS for end in (".preactivation", "")), "step.cell", "step.hidden"),
        {f"step.{part}": word for part, word in _PARTS.items()}
        | {f"step.{part}.preactivation": f"{word} sum" for part, word in _PARTS.items()}
        | {"hidden": "hidden state", "cell": "cell state", "step.cell": "new cell state", "step.hidden": "new hidden state"},
    ),
    "backward": Topic(
        "The way back",
        "Nolan looks at two words, and the prediction is compared with the target. Work forward to the loss, back to the weights, and take one step.",
        (
            "The way there. Query: dot each row of W_Q with the embedding. Score: the query dotted with each key, nolan's first. "
            "Scaled: each score divided by √2, the root of the key's width.",
            "Share: take exp of each scaled score; divide each of the two by their sum. Context: each value times its share, written down; then add.",
            "Logit: the last weights dotted with the context, plus the last bias. "
            "Prediction: raise e to minus the logit and write that down; add one; divide one by it. "
            "Loss: minus ln of the probability of the target, which is the prediction where the target is one, and one minus it where it is zero.",
            "The way back. A d. in front means the slope of the loss along that number. d.logit = prediction − target; the bias has the same. "
            "A product hands each factor the slope times the other factor; where several roads come back to a number, they add up.",
            "d.last weights = d.logit · context. d.context = d.logit · last weights. d.value = the word's share · d.context. "
            "d.share: dot d.context with the word's value.",
            "Average slope: each share times its d.share, added up. d.scaled = share · (d.share − average slope). d.score = d.scaled / √2.",
            "d.query: each key times its d.score, added up. d.W_Q: row by row, the number of d.query times the whole embedding.",
            f"The step, when all slopes are known: new = old − {RATE} · slope. "
            "New logit: as the logit, with the new weights and the new bias, and the context as it was.",
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
        _WAY_BACK | _SLOPES,
        after=logit_after_step,
    ),
}
