"""RowLab: the attention of a single query, on the first page."""

import numpy as np

from pencil.examples import LAB_ROWS, LAB_WORDS, REVIEW_PARAMS
from pencil.reference import attention_scores, softmax
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked


class RowLab(Lab):
    """Inputs: the query of the first word and the keys of all. Shows scores and attention weights.

    There is a run for each number of words from two on; the lab begins with two.
    """

    def __init__(self, words=LAB_WORDS[:4], query=LAB_ROWS[:1] @ REVIEW_PARAMS.query.T, key=LAB_ROWS[:4] @ REVIEW_PARAMS.key.T):
        counts = range(2, len(words) + 1)
        choice = Choice("Words", tuple(str(count) for count in counts), "Add a word", "Remove the last word")
        super().__init__([_variant(words[:count], query, key[:count]) for count in counts], [choice])


def _variant(words, query, key):
    trace, asks = Trace(), words[0]
    scores = attention_scores(trace.given("query", query, words=words[:1]), trace.given("key", key, words=words), note=trace)
    softmax(trace("scaled", scores / np.sqrt(key.shape[-1])), note=trace)
    shown = (
        Part("given", "query", f"The query of {asks}: what it looks for"),
        Part("given", "key", "The key of each word: what it offers"),
        Part("lines", "scores", "The scores: how well does each key match?"),
        Part("bars", f"{asks}.weights", f"The shares of {asks}: how it divides its attention"),
    )
    return Variant(Worked(trace), one_step("One row of attention", *shown))
