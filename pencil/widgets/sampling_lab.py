"""SamplingLab: sampling with temperature, top-k and top-p, and a tally of the samples."""

import numpy as np

from pencil.examples import NEXT_WORDS
from pencil.reference import probabilities, sample, softmax
from pencil.trace import COUNT, Trace
from pencil.widgets.drawn_lab import BELOW_ONE, U_REFUSED, DrawnLab
from pencil.widgets.lab import ABOVE_ZERO, Choice, Part, Variant, one_step
from pencil.worked import Worked

WORDS = (*NEXT_WORDS, "still", "there")
SCORES = (2, 1, 0, -1, 0.5)
LABELS = {"tempered": "tempered score", "running": "running sum", "drawn": "shares passed"}
LABELS |= {"counts": "tally", "frequencies": "part of the draws", "ahead": "ahead of it", "k": "number of words that stay"}
COLDEST = 0.1  # e to a score divided by less has more digits than a line
T_REFUSED = f"A temperature is above zero, and here {COLDEST} or more: type one such as 0.5."
P_REFUSED = "p is a share: more than 0, and 1 at most. Type one such as 0.9."
FILTERS = {
    "nothing": (),
    "all but the k highest": (Part("given", "k", "k: how many stay", range=(1, 5, 1)),),
    "all but the share p": (
        Part("given", "p", "p: the likeliest stay until they have this share together", range=(0.05, 1, 0.05), refusal=P_REFUSED),
    ),
}


class SamplingLab(DrawnLab):
    """Inputs: three to five logits, a temperature, k or p, and the uniform number u. Shows the probabilities and the sampled word.

    `draw` samples a new u, as the page does, and updates the tally.
    """

    def __init__(self, scores=SCORES, words=WORDS, begin=0):
        counts = range(3, len(scores) + 1)
        choice_of_filter = Choice("Strike out", tuple(FILTERS))
        choice = Choice("Scores", tuple(str(count) for count in counts), "Add a score", "Remove the last score")
        super().__init__([_variant(scores[:count], words[:count], way) for way in FILTERS for count in counts], [choice_of_filter, choice], begin)


def _variant(scores, words, way):
    trace, asked = Trace(), FILTERS[way]
    given = trace.given("scores", np.array(scores, float), columns=words)
    t = trace.given("temperature", 1, least=COLDEST)
    k = trace.given("k", 2, **COUNT) if "k" in [part.show for part in asked] else None
    p = trace.given("p", 0.9, least=ABOVE_ZERO, most=1) if "p" in [part.show for part in asked] else None
    probs = probabilities(given, temperature=t, top_k=k, top_p=p, note=trace, softmax=softmax)
    u = trace.given("u", 0.7, most=BELOW_ONE)
    sample(probs, u, note=trace)
    passed = trace.names["passed"]
    trace("word", 0 * probs + np.concatenate([np.ones(1), passed[:-1]]) - passed)  # 1 where the running sum is the first above u
    counts = trace.given("counts", np.zeros(len(scores)), columns=words, whole=True)
    trace("frequencies", counts / np.maximum(counts.sum(), 1))  # avoids 0 / 0 before the first draw
    return Variant(Worked(trace, words=LABELS), one_step("Sampling", *_shown(trace, asked)))


def _shown(trace, asked):
    filtered = [name for name in trace.names if name.endswith(".kept")]
    yield Part("given", "scores", "The scores")
    yield Part("given", "temperature", "The temperature: each score is divided by it", range=(COLDEST, 3, 0.1), refusal=T_REFUSED)
    yield from asked
    yield Part(
        "lines",
        " ".join(["tempered", *filtered, "exp", "exp_sum", "weights"]),
        "Divide by the temperature, strike out, then softmax: exp, add up, divide",
    )
    yield Part("given", "u", "u: a number from 0 to below 1, drawn at random", range=(0, 0.999, 0.001), draw=("word", "counts"), refusal=U_REFUSED)
    yield Part("lines", "running drawn", "Lay the shares end to end, and count those that u has passed", by="number")
    yield Part("bars", "word", "The word that is drawn")
    yield Part("given", "counts", "The tally: how often each was drawn. Other shares, and it begins anew.")
    yield Part("bars", "weights", "The shares", row=True)
    yield Part("bars", "frequencies", "What part of all draws each has")
