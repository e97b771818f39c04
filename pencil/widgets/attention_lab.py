"""AttentionLab: look across one to six words."""

from pencil.examples import LAB_ROWS, LAB_WORDS, REVIEW_GRIDS
from pencil.reference import self_attention
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

LABELS = {"query": "WANT", "key": "HAVE", "value": "GIVE", "scores": "match", "weights": "portion", "parts": "part", "mixed": "NEW"}
LABELS |= {f"grid.{name}": f"{LABELS[name]} grid" for name in ("query", "key", "value")}
SHOWN = (
    Part("given", "stick", "The sticks"),
    *(Part("given", name, f"The {label}") for name, label in LABELS.items() if name.startswith("grid.")),
    Part("lines", "query key value", "The tags", by="row"),
    Part("heat", "scores", "The match grid: a row asks, a column is asked."),
    Part("heat", "scaled", "Scaled: each match divided by the root of the width."),
    Part("heat", "weights", "The portions: each row makes one whole."),
)


class AttentionLab(Lab):
    """Sticks and grids to change, words to add and to remove; tags, matches, portions and new sticks follow.

    There is a run for each count of words, and the lab begins with `begin` of them.
    """

    def __init__(self, words=LAB_WORDS, rows=LAB_ROWS, grids=REVIEW_GRIDS, begin=2):
        counts = range(1, len(words) + 1)
        choice = Choice("Words", tuple(str(count) for count in counts), "Add a word", "Remove the last word")
        super().__init__([_variant(words[:count], rows[:count], grids) for count in counts], [choice], begin - 1)


def _variant(words, rows, grids):
    trace = Trace()
    self_attention(trace.given("stick", rows, words=words), trace.given_each("grid", grids), trace)
    shares = [Part("bars", f"{word}.weights", f"What {word} listens to") for word in words]
    return Variant(Worked(trace, LABELS), one_step("Look across", *SHOWN, *shares, Part("lines", "mixed", "The new sticks", by="row")))
