"""KeepLab: a keep vote, and what it leaves of a number on the belt after so many words."""

from pencil.trace import Trace
from pencil.widgets.lab import Lab, Part, Variant, one_step
from pencil.widgets.rnn_lab import PLACES
from pencil.worked import Worked

VOTE, WORDS = 0.881, (1, 10, 20, 40, 79)  # those of chapter 04


class KeepLab(Lab):
    """A keep vote to slide and five counts of words to change; the vote to the power of each count follows."""

    def __init__(self):
        trace = Trace()
        words = trace.given("words", WORDS, columns=PLACES)
        left = trace("left", trace.given("keep", VOTE) ** words)
        trace("belt", left[None])
        parts = (
            Part("given", "words", "After so many words"),
            Part("given", "keep", "The keep vote, cast at every word", range=(0, 1, 0.001)),
            Part("heat", "belt", "of a one on the belt so much is left", row=True),
            Part("lines", "left", "The vote, raised to the number of words", by="number"),
        )
        super().__init__([Variant(Worked(trace, {"keep": "keep vote"}), one_step("The ride", *parts))])
