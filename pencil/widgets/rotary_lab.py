"""RotaryLab: a query and a key of two pairs, rotated by their positions; their dot product depends on the gap alone."""

import numpy as np

from pencil.drawings.hands import pairs
from pencil.reference import apply_rope, sinusoid
from pencil.trace import Trace, scoped
from pencil.widgets.lab import Lab, Part, Variant, one_step
from pencil.worked import Worked

LABELS = {"query.rotated": "rotated query", "key.rotated": "rotated key", "start": "position of the key", "parts": "part of each pair"}
FURTHEST, WIDEST = 100, 40  # the ends of the two sliders


class RotaryLab(Lab):
    """Inputs: the position of the key, the gap from there to the query, and both rows. Shows the rotated rows and their dot product."""

    def __init__(self, query=(1, 0, 1, 0), key=(1, 0, 1, 0)):
        trace = Trace()
        start, gap = trace.given("start", 0, whole=True), trace.given("gap", 1, whole=True)
        rows = {"query": (query, start + gap), "key": (key, start)}
        rotated = {name: _rotated(trace, name, *row) for name, row in rows.items()}
        parts = trace("parts", (rotated["query"] * rotated["key"]).reshape(2, 2).sum(-1))
        trace("score", parts.sum())
        worked = Worked(trace, {name: name for name in ("query", "key", "score", "gap")} | LABELS)
        moved = (
            Part("given", "start", "Where the key is", range=(0, FURTHEST, 1)),
            Part("given", "gap", "The gap: how many positions further on the query is", range=(0, WIDEST, 1)),
            Part("drawing", "pairs", row=True),
            Part("lines", "parts score", "The score: one part from each pair", by="row"),
            Part("lines", "query.rotated key.rotated", "Both rows, rotated", by="row"),
        )
        given = [Part("given", name, f"The {name} before it is rotated") for name in rows]
        drawn = pairs(worked, "A fast pair and a slow pair", parts="parts")
        super().__init__([Variant(worked, one_step("Rotary", *moved, *given))], drawings={"pairs": drawn})


def _rotated(trace, name, numbers, position):  # -> (1, 4), noted as name.rotated
    row, note = trace.given(name, [numbers]), scoped(trace, name)
    return apply_rope(row, *sinusoid(np.stack([position]), width=row.shape[-1], note=note), note=note)
