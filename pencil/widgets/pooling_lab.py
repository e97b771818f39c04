"""PoolingLab: mean pooling with and without padding, and the last hidden state of an RNN."""

import numpy as np

from pencil.examples import REVIEW, ROWS
from pencil.examples.words import book_labels
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
    memories = rnn(x, trace.given_each("rnn", params), note=scoped(trace, "walk"))
    last_token(memories, note=scoped(trace, "end"))
    last_token(memories, mask=real, note=scoped(trace, "arrival"))
    labels = {"walk.hidden_states": "memory", "rnn.weight_ih": "word grid", "rnn.weight_hh": "memory grid"}
    labels |= {f"walk.step{number}.hidden": f"walk.step{number}.memory" for number in range(1, len(names) + 1)}
    labels |= {"everything.pooled": "average of all slots", "covered.pooled": "average of the words"}
    labels |= {"end.pooled": "last memory of all slots", "arrival.pooled": "memory after the last word"}
    return Variant(Worked(trace, book_labels(trace.names, labels)), one_step("Sum up", *_shown()))


def _shown():
    yield Part("given", "embedding", "The sticks; an empty slot has one as well")
    yield Part("lines", "everything.pooled", "Nobody covers the empty slots", by="number")
    yield Part("lines", "covered.pooled", "The empty slots are covered", by="number")
    yield Part("heat", "walk.hidden_states", "A walker's memory after each slot")
    yield Part("lines", "end.pooled arrival.pooled", "Its last memory, and the one that the last word left behind", by="row")
    yield Part("given", "rnn.weight_ih", "The walker's word grid")
    yield Part("given", "rnn.weight_hh", "The walker's memory grid")
