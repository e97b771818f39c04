"""RNNLab: an RNN classifier on a review made of the words of chapter 03."""

import numpy as np

from pencil.examples import RNN_HEAD, RNN_PARAMS, RNN_UNITS, RNN_VECTORS, RNN_WORDS
from pencil.examples.words import BOOK_WORDS
from pencil.reference import embed, mlp_head, rnn
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

PLACES = ("first", "second", "third", "fourth", "fifth")
BEGIN = ("not", "very", "good", "very", "good")
LABELS = {
    "weight_ih": "word grid",
    "weight_hh": "memory grid",
    "bias": "nudge",
    "hidden": "memory",
    "preactivation": "sum",
    "table": "sticks",
    "ids": "word",
}
HEAD = {"hidden": "unit", "activated": "after relu", "logit": "last unit", "sigmoid.exp": "raised", "sigmoid.prob": "tick"}
DIALS = {"weight1": "rows of the units", "bias1": "nudges of the units", "weight2": "row of the last unit", "bias2": "nudge of the last unit"}
VERDICT = ("liked", "not liked")


class RNNLab(Lab):
    """Inputs: two to five words, their vectors, and all weights. Shows every hidden state and the probability."""

    def __init__(self):
        super().__init__([_variant(count) for count in range(2, len(PLACES) + 1)], [words_choice(2, len(PLACES))], begin=1)


def words_choice(least, most):
    """The Choice of the number of words."""
    return Choice("Words", tuple(str(count) for count in range(least, most + 1)), "Add a word", "Remove the last word")


def review(trace, words, chosen, table):
    """The vectors of the chosen words, and the parts of the lab for choosing words and vectors."""
    ids = trace.given("ids", [words.index(word) for word in chosen], words=PLACES[: len(chosen)])
    shown = Part("given", "ids", "Your review", words=tuple(words)), Part("given", "table", "The sticks of the words")
    return trace("embedding", embed(ids, trace.given("table", table, words=words))), shown


def _variant(count):
    trace = Trace()
    vectors, chosen = review(trace, RNN_WORDS, BEGIN[:count], RNN_VECTORS)
    params = trace.given_each("params", RNN_PARAMS, units=RNN_UNITS)
    states = rnn(vectors, params, note=trace)
    prob = mlp_head(states[-1], trace.given_each("head", RNN_HEAD), note=trace)
    trace("verdict", np.concatenate([prob, 1 - prob]))
    steps = [name for name in trace.names if name.startswith("step")]
    given = [Part("given", name, _called(name).capitalize()) for name in trace.names if name.startswith(("params.", "head."))]
    parts = (
        *chosen,
        Part("says", "verdict", "The tick says", words=VERDICT),
        Part("heat", "hidden_states", "The memory after each word", row=True),
        Part("lines", " ".join(steps), "Word by word: read, recall, add up, squeeze", by="row"),
        Part("lines", " ".join(HEAD), "The head"),
        *given,
    )
    labels = {name: _called(name) for name in trace.names}
    return Variant(Worked(trace, labels), one_step("A review", *parts))


def _called(name):  # step2.hidden -> memory; hidden -> unit
    *scope, last = name.split(".")
    if name in HEAD:
        return HEAD[name]
    if scope == ["head"]:
        return DIALS[last]
    return LABELS.get(last, BOOK_WORDS.get(last, last))
