"""SamplingLab: scores, a temperature, what is struck out, the shares, and a draw."""

import numpy as np

from pencil.examples import NEXT_WORDS
from pencil.reference import chances, draw, softmax
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

WORDS = (*NEXT_WORDS, "still", "there")
SCORES = (2, 1, 0, -1, 0.5)
LABELS = {"cooled": "after the temperature", "kept": "after the strike", "weights": "share", "running": "running sum", "drawn": "shares passed"}
STRIKE = {
    "nothing": (),
    "all but the k highest": (Part("given", "k", "k: how many stay", range=(1, 5, 1)),),
    "all but the share p": (Part("given", "p", "p: the likeliest stay until they have this share together", range=(0.05, 1, 0.05)),),
}


class SamplingLab(Lab):
    """Three to five scores, a temperature, k or p, and a number u to draw by; the shares and the word that is drawn follow."""

    def __init__(self, scores=SCORES, words=WORDS, begin=0):
        counts = range(3, len(scores) + 1)
        strike = Choice("Strike out", tuple(STRIKE))
        choice = Choice("Scores", tuple(str(count) for count in counts), "Add a score", "Remove the last score")
        super().__init__([_variant(scores[:count], words[:count], way) for way in STRIKE for count in counts], [strike, choice], begin)


def _variant(scores, words, way):
    trace, asked = Trace(), STRIKE[way]
    given = trace.given("scores", np.array(scores, float), columns=words)
    t = trace.given("temperature", 1)
    k = trace.given("k", 2) if "k" in [part.show for part in asked] else None
    p = trace.given("p", 0.9) if "p" in [part.show for part in asked] else None
    shares = chances(given, t, k, p, trace, softmax)
    u = trace.given("u", 0.7)
    draw(shares, u, trace)
    passed = trace.names["passed"]
    trace("word", 0 * shares + np.concatenate([np.ones(1), passed[:-1]]) - passed)  # 1 where the running sum is the first above u
    labels = {name: LABELS[name.split(".")[-1]] for name in trace.names if name.split(".")[-1] in LABELS}
    return Variant(Worked(trace, labels), one_step("Sampling", *_shown(trace, asked)))


def _shown(trace, asked):
    struck = [name for name in trace.names if name.endswith(".kept")]
    yield Part("given", "scores", "The scores")
    yield Part("given", "temperature", "The temperature: each score is divided by it", range=(0.1, 3, 0.1))
    yield from asked
    yield Part("bars", "weights", "The shares")
    yield Part("lines", " ".join(["cooled", *struck, "raised", "total", "weights"]), "Divide, strike out, raise, add up, divide")
    yield Part("given", "u", "u: a number from 0 to below 1, drawn by lot", range=(0, 0.99, 0.01))
    yield Part("lines", "running drawn", "Lay the shares end to end, and count those that u has passed", by="number")
    yield Part("bars", "word", "The word that is drawn")
