"""RNNLab: an RNN classifier on a review made of the words of chapter 03."""

import numpy as np

from pencil.examples import RNN_OUTPUT, RNN_PARAMS, RNN_UNITS, RNN_VECTORS, RNN_WORDS
from pencil.note import scoped
from pencil.reference import embed, rnn, sigmoid
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked
from pencil.worked.labels import label_of

PLACES = ("first", "second", "third", "fourth", "fifth")
BEGIN = ("not", "very", "good", "very", "good")
WORDS = {"from_input": "word part", "from_hidden": "state part", "preactivation": "sum", "hidden": "state", "table": "vectors", "ids": "word"}
GIVEN = {
    "params.weight_ih": "W_ih, the input weights",
    "params.weight_hh": "W_hh, the recurrent weights",
    "params.bias": "b, the bias",
    "output.weight": "The weights of the output",
}
ANSWER = {"logit": "logit", "sigmoid.exp": "exp", "sigmoid.prob": "probability"}
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
    shown = Part("given", "ids", "Your review", words=tuple(words)), Part("given", "table", "The vectors of the words")
    return trace("embedding", embed(ids, trace.given("table", table, words=words))), shown


def without_steps(trace, own):  # -> {name: label}: the step is the word's, and needs no number
    """The labels of a run's values, without the number of their step."""
    return {name: label_of(".".join(part for part in name.split(".") if not part.startswith("step")), own) for name in trace.names}


def _variant(count):
    trace = Trace()
    vectors, chosen = review(trace, RNN_WORDS, BEGIN[:count], RNN_VECTORS)
    params = trace.given_each("params", RNN_PARAMS, units=RNN_UNITS)
    states = rnn(vectors, params, note=trace)
    logit = trace("logit", states[-1] @ trace.given("output.weight", RNN_OUTPUT).T)
    prob = sigmoid(logit, note=scoped(trace, "sigmoid"))
    trace("verdict", np.concatenate([prob, 1 - prob]))
    steps = [name for name in trace.names if name.startswith("step")]
    parts = (
        *chosen,
        Part("says", "verdict", "The review is", words=VERDICT),
        Part("heat", "hidden_states", "The hidden state after each word", row=True),
        Part("lines", " ".join(steps), "Word by word: the word part, the state part, their sum, tanh", by="row"),
        Part("lines", " ".join(ANSWER), "The answer"),
        *(Part("given", name, label) for name, label in GIVEN.items()),
    )
    return Variant(
        Worked(trace, without_steps(trace, WORDS) | ANSWER | {"output.weight": "w", "hidden_states": "state"}), one_step("A review", *parts)
    )
