"""RingLab: a ring buffer KV cache for a sliding window."""

import numpy as np

from pencil.examples import CACHE_WORDS
from pencil.trace import COUNT, Trace
from pencil.widgets.lab import Lab, Part, Variant, one_step
from pencil.worked import Worked

WINDOW, SLOTS = 3, ("zero", "one", "two", "three", "four")
WIDEST = len(SLOTS)
MOST = 12  # number of positions
LABELS = {"window": "size of the window", "positions": "position", "turns": "whole windows", "slots": "slot"}
SHOWN = (
    Part("given", "window", "The window: so many slots", range=(1, WIDEST, 1)),
    Part("given", "positions", "The words and their positions"),
    Part("heat", "ring", "After each word: which word lies in which slot? Words are counted from one, 0 is none, −1 is no slot.", row=True),
    Part("lines", "slots", "The slot of each: what is left of its position when whole windows are taken off", by="number"),
)


class RingLab(Lab):
    """Inputs: the window size and the positions of six words. Shows the contents of the ring after each word."""

    def __init__(self, words=CACHE_WORDS, window=WINDOW):
        trace = Trace()
        window = trace.given("window", window, **COUNT, most=WIDEST)
        positions = trace.given("positions", np.arange(len(words)), words=words, whole=True, most=MOST - 1)
        turns = trace("turns", np.where(np.arange(1, MOST) * window <= positions[:, None], 1, 0).sum(-1))
        slots = trace("slots", positions - turns * window)
        order = trace.as_traced(np.arange(1, len(words) + 1), columns=words)
        numbers = trace.as_traced(np.arange(WIDEST), columns=SLOTS)
        written = np.where(np.equal(slots[:, None], numbers), order[:, None], 0)
        come = order[:, None] >= order  # after each word (first axis), which have come
        missing = np.where(numbers >= window, 1, 0)  # all words have as many columns as the widest window has slots
        trace("ring", np.where(come[:, :, None], written, 0).max(1) - missing)  # the last to come to a slot lies there
        super().__init__([Variant(Worked(trace, LABELS), one_step("The ring", *SHOWN))])
