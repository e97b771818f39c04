"""AttentionLab: self-attention over one to six words."""

from pencil.examples import LAB_ROWS, LAB_WORDS, REVIEW_PARAMS
from pencil.reference import self_attention
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked
from pencil.worked.labels import label_of

SHOWN = (
    Part("given", "embedding", "The embeddings"),
    *(Part("given", f"params.{name}", label_of(f"params.{name}")) for name in ("query", "key", "value")),
    Part("lines", "query key value", "Queries, keys and values", by="row"),
    Part("heat", "scores", "The scores: a row asks, a column is asked."),
    Part("heat", "scaled", "Scaled: each score divided by the root of the width."),
    Part("heat", "weights", "The shares: each row adds up to one."),
)


class AttentionLab(Lab):
    """Inputs: embeddings, weight matrices, the number of words. Shows queries, keys, values, scores, weights and contexts.

    There is a run for each number of words; `begin` is the initial one.
    """

    def __init__(self, words=LAB_WORDS, rows=LAB_ROWS, params=REVIEW_PARAMS, begin=2):
        counts = range(1, len(words) + 1)
        choice = Choice("Words", tuple(str(count) for count in counts), "Add a word", "Remove the last word")
        super().__init__([_variant(words[:count], rows[:count], params) for count in counts], [choice], begin - 1)


def _variant(words, rows, params):
    trace = Trace()
    self_attention(trace.given("embedding", rows, words=words), trace.given_each("params", params), note=trace)
    shares = [Part("bars", f"{word}.weights", f"How {word} divides its attention") for word in words]
    return Variant(
        Worked(trace),
        one_step("Look across", *SHOWN, *shares, Part("lines", "context", "The contexts", by="row")),
    )
