"""KeepLab: a constant forget gate, and how much of a number it leaves in the cell state after n steps."""

from pencil.trace import Trace
from pencil.widgets.lab import Lab, Part, Variant, one_step
from pencil.widgets.rnn_lab import PLACES
from pencil.worked import Worked

GATE, WORDS = 0.881, (1, 10, 20, 40, 79)  # as in chapter 04


class KeepLab(Lab):
    """Inputs: the forget gate, and five numbers of steps. Shows the gate to the power of each."""

    def __init__(self):
        trace = Trace()
        words = trace.given("words", WORDS, columns=PLACES, whole=True)
        left = trace("left", trace.given("forget_gate", GATE, most=1) ** words)
        trace("cell", left[None])
        parts = (
            Part("given", "words", "After so many words"),
            Part("given", "forget_gate", "The forget gate, the same at every word", range=(0, 1, 0.001)),
            Part("heat", "cell", "What is left of a one in the cell state", row=True),
            Part("lines", "left", "The gate, raised to the number of words", by="number"),
        )
        super().__init__([Variant(Worked(trace, {"words": "number of words"}), one_step("What is left", *parts))])
