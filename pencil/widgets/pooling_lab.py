"""PoolingLab: mean pooling with and without padding, and the last hidden state of an RNN."""

import numpy as np

from pencil.examples import REVIEW, ROWS
from pencil.reference import RNNParams, last_token, mean_pool, rnn
from pencil.trace import Trace, scoped
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

RNN = RNNParams(weight_ih=np.eye(4), weight_hh=np.eye(4) / 2)
MOST = 4


class PoolingLab(Lab):
    """Inputs: rows, padding, and an RNN's weights. Shows the mean over all rows, the mean over the words alone, and the last hidden state."""

    def __init__(self, words=REVIEW, rows=ROWS, params=RNN, begin=2):
        counts = range(MOST + 1)
        choice = Choice("Empty slots", tuple(str(count) for count in counts), "Add an empty slot", "Remove an empty slot")
        super().__init__([_variant(words, rows, params, count) for count in counts], [choice], begin)


def _variant(words, rows, params, empty):
    trace = Trace()
    names = (*words, *(f"empty{number}" for number in range(1, empty + 1)))
    real = np.arange(len(names)) < len(words)
    x = trace.given("embedding", np.vstack([rows, np.zeros((empty, rows.shape[1]))]), words=names)
    mean_pool(x, note=scoped(trace, "everything"))
    mean_pool(x, mask=real, note=scoped(trace, "covered"))
    states = rnn(x, trace.given_each("rnn", params), note=scoped(trace, "walk"))
    last_token(states, note=scoped(trace, "end"))
    last_token(states, mask=real, note=scoped(trace, "arrival"))
    labels = {"walk.hidden_states": "hidden state", "rnn.weight_ih": "W_ih", "rnn.weight_hh": "W_hh"}
    labels |= {"everything.pooled": "average of all slots", "covered.pooled": "average of the words"}
    labels |= {"end.pooled": "last hidden state", "arrival.pooled": "hidden state after the last word"}
    return Variant(Worked(trace, labels), one_step("Sum up", *_shown()))


def _shown():
    yield Part("given", "embedding", "The embeddings; an empty slot has one as well")
    yield Part("lines", "everything.pooled", "Without a mask", by="number")
    yield Part("lines", "covered.pooled", "With a mask over the empty slots", by="number")
    yield Part("heat", "walk.hidden_states", "The hidden state of an RNN after each slot")
    yield Part("lines", "end.pooled arrival.pooled", "Its last hidden state, and the one after the last word", by="row")
    yield Part("given", "rnn.weight_ih", "The RNN's W_ih, which reads the word")
    yield Part("given", "rnn.weight_hh", "The RNN's W_hh, which reads the hidden state")
