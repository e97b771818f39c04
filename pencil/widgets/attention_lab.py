"""AttentionLab: self-attention over one to six words."""

from pencil.examples import LAB_ROWS, LAB_WORDS, REVIEW_PARAMS
from pencil.examples.words import book_labels
from pencil.reference import self_attention
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

LABELS = {"query": "WANT", "key": "HAVE", "value": "GIVE", "scores": "score", "weights": "share", "weighted_values": "part", "context": "NEW"}
LABELS |= {f"params.{name}": f"{LABELS[name]} grid" for name in ("query", "key", "value")}
SHOWN = (
    Part("given", "embedding", "The sticks"),
    *(Part("given", name, f"The {label}") for name, label in LABELS.items() if name.startswith("params.")),
    Part("lines", "query key value", "The tags", by="row"),
    Part("heat", "scores", "The scores: a row asks, a column is asked."),
    Part("heat", "scaled", "Scaled: each score divided by the root of the width."),
    Part("heat", "weights", "The shares: each row makes one whole."),
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
    shares = [Part("bars", f"{word}.weights", f"What {word} listens to") for word in words]
    return Variant(
        Worked(trace, book_labels(trace.names, LABELS)),
        one_step("Look across", *SHOWN, *shares, Part("lines", "context", "The new sticks", by="row")),
    )
