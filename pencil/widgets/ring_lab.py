"""RingLab: a ring buffer KV cache for a sliding window."""

import numpy as np

from pencil.examples import CACHE_WORDS
from pencil.trace import COUNT, Trace
from pencil.widgets.lab import Lab, Part, Variant, one_step
from pencil.worked import Worked

WINDOW, SLOTS = 3, ("zero", "one", "two", "three", "four", "five", "six")
MOST_SINKS = 2
WIDEST = len(SLOTS) - MOST_SINKS
MOST = 12  # number of positions
EMPTY = -1  # of a slot to which no word has come; one less where the ring has no such slot
LABELS = {"window": "size of the window", "sinks": "words that stay", "positions": "position", "turns": "whole windows", "slots": "slot"}
SHOWN = (
    Part("given", "window", "The window: how many slots take turns", range=(1, WIDEST, 1)),
    Part("given", "sinks", "How many of the first words stay, in slots of their own", range=(0, MOST_SINKS, 1)),
    Part("given", "positions", "The words and their positions"),
    Part(
        "heat",
        "ring",
        "After each word: which word lies in which slot? Words are counted from zero, as positions are; "
        "−1: no word has come yet; −2: the ring has no such slot.",
        row=True,
    ),
    Part("lines", "slots", "The slot of each: what is left of its position when whole windows are taken off, after the words that stay", by="number"),
)


class RingLab(Lab):
    """Inputs: the window size, how many of the first words stay (attention sinks), and the positions of six words.

    Shows the contents of the ring after each word.
    """

    def __init__(self, words=CACHE_WORDS, window=WINDOW):
        trace = Trace()
        window = trace.given("window", window, **COUNT, most=WIDEST)
        positions = trace.given("positions", np.arange(len(words)), words=words, whole=True, most=MOST - 1)
        sinks = trace.given("sinks", 0, whole=True, most=MOST_SINKS)
        turns = trace("turns", np.where(np.arange(1, MOST) * window <= positions[:, None] - sinks, 1, 0).sum(-1))
        slots = trace("slots", positions - turns * window)
        order = trace.as_traced(np.arange(len(words)), columns=words)
        numbers = trace.as_traced(np.arange(len(SLOTS)), columns=SLOTS)
        written = np.where(np.equal(slots[:, None], numbers), order[:, None], EMPTY)
        come = order[:, None] >= order  # after each word (first axis), which have come
        missing = np.where(numbers >= window + sinks, 1, 0)  # all words have as many columns as there can be slots
        trace("ring", np.where(come[:, :, None], written, EMPTY).max(1) - missing)  # the last to come to a slot lies there
        super().__init__([Variant(Worked(trace, LABELS), one_step("The ring", *SHOWN))])
