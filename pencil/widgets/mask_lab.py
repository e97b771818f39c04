"""MaskLab: an attention mask to edit, and the attention weights."""

import numpy as np

from pencil.reference import causal_mask, softmax
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

TEXT = ("the", "cat", "sat")
SLOTS = ("cat", "sat", "empty")
MASKS = {  # option: (words, initial mask)
    "a writer": (TEXT, causal_mask(3)),
    "a reader": (TEXT, np.ones((3, 3), bool)),
    "a reader with an empty slot": (SLOTS, np.broadcast_to([True, True, False], (3, 3))),
}
REFUSAL = "Type 1 or 0, and leave each row one square: a row that is masked whole has no word to look at."
SHOWN = (
    Part(
        "given",
        "mask",
        "The mask: 1 may look, 0 is masked",
        paint=True,
        refusal=REFUSAL,
    ),
    Part("heat", "weights", "The shares: each row makes one whole."),
    Part("given", "scaled", "The scaled scores", row=True),
    Part("heat", "masked", "With the mask on"),
    Part("lines", "exp", "exp of each", by="row"),
    Part("lines", "exp_sum weights", "Add up, and divide"),
)


class MaskLab(Lab):
    """Inputs: the mask and the scores. Shows the attention weights. A row that is masked entirely is refused."""

    def __init__(self):
        super().__init__([_variant(*mask) for mask in MASKS.values()], [Choice("Begin as", tuple(MASKS))])


def _variant(words, may_look):
    trace = Trace()
    scaled = trace.given("scaled", np.ones(may_look.shape), words=words, columns=words)
    mask = trace.given("mask", np.where(may_look, 1, 0), words=words, columns=words, whole=True, most=1)
    softmax(trace("masked", np.where(mask > 0, scaled, -np.inf)), note=trace)
    return Variant(Worked(trace), one_step("A mask", *SHOWN))
