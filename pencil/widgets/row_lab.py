"""RowLab: one row of attention, which a reader meets on the first page."""

import numpy as np

from pencil.examples import LAB_ROWS, LAB_WORDS, REVIEW_GRIDS
from pencil.reference import match, softmax
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

LABELS = {"query": "WANT", "key": "HAVE", "scores": "match", "weights": "portion"}


class RowLab(Lab):
    """What the first word wants and what each word has, to change; its matches and its portions follow.

    There is a run for each count of words from two on, and the lab begins with two.
    """

    def __init__(self, words=LAB_WORDS[:4], query=LAB_ROWS[:1] @ REVIEW_GRIDS.query.T, key=LAB_ROWS[:4] @ REVIEW_GRIDS.key.T):
        counts = range(2, len(words) + 1)
        choice = Choice("Words", tuple(str(count) for count in counts), "Add a word", "Remove the last word")
        super().__init__([_variant(words[:count], query, key[:count]) for count in counts], [choice])


def _variant(words, query, key):
    trace, asks = Trace(), words[0]
    scores = match(trace.given("query", query, words=words[:1]), trace.given("key", key, words=words), trace)
    softmax(trace("scaled", scores / np.sqrt(key.shape[-1])), trace)
    shown = (
        Part("given", "query", f"What {asks} wants"),
        Part("given", "key", "What each word has"),
        Part("lines", "scores", "How well do they match?"),
        Part("bars", f"{asks}.weights", f"What {asks} listens to: its portions"),
    )
    return Variant(Worked(trace, LABELS), one_step("One row of attention", *shown))
