"""PoolingLab: many sticks into one summary, with empty slots behind them."""

import numpy as np

from pencil.examples import REVIEW, ROWS
from pencil.reference import Recurrent, average, last, rnn
from pencil.trace import Trace, under
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

WALKER = Recurrent(input=np.eye(4), hidden=np.eye(4) / 2)
MOST = 4


class PoolingLab(Lab):
    """Sticks, empty slots and a walker's grids to change: the average of all rows, of the real rows, and the last memory beside it."""

    def __init__(self, words=REVIEW, rows=ROWS, walker=WALKER, begin=2):
        counts = range(MOST + 1)
        choice = Choice("Empty slots", tuple(str(count) for count in counts), "Add an empty slot", "Remove an empty slot")
        super().__init__([_variant(words, rows, walker, count) for count in counts], [choice], begin)


def _variant(words, rows, walker, empty):
    trace = Trace()
    names = (*words, *(f"empty{number}" for number in range(1, empty + 1)))
    real = np.arange(len(names)) < len(words)
    x = trace.given("stick", np.vstack([rows, np.zeros((empty, rows.shape[1]))]), words=names)
    average(x, note=under(trace, "everything"))
    average(x, real, under(trace, "covered"))
    memories = rnn(x, trace.given_each("walker", walker), under(trace, "walk"))
    last(memories, note=under(trace, "end"))
    last(memories, real, under(trace, "arrival"))
    labels = {"walk.memories": "memory", "walker.input": "word grid", "walker.hidden": "memory grid"}
    labels |= {"everything.summary": "average of all slots", "covered.summary": "average of the words"}
    labels |= {"end.summary": "last memory of all slots", "arrival.summary": "memory after the last word"}
    return Variant(Worked(trace, labels), one_step("Sum up", *_shown()))


def _shown():
    yield Part("given", "stick", "The sticks; an empty slot has one as well")
    yield Part("lines", "everything.summary", "Nobody covers the empty slots", by="number")
    yield Part("lines", "covered.summary", "The empty slots are covered", by="number")
    yield Part("heat", "walk.memories", "A walker's memory after each slot")
    yield Part("lines", "end.summary arrival.summary", "Its last memory, and the one that the last word left behind", by="row")
    yield Part("given", "walker.input", "The walker's word grid")
    yield Part("given", "walker.hidden", "The walker's memory grid")
