"""SoftmaxLab: softmax with a temperature, and its gradient."""

import numpy as np

from pencil.reference import softmax
from pencil.trace import Trace
from pencil.widgets.lab import ABOVE_ZERO, Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")
SCORES = (1, 4, 2, 0, 3, -1)
REFUSAL = "A temperature is above zero, and not so small that nothing can be divided by it. Take one such as 0.1."
LABELS = {"tempered": "scaled"}  # the temperature is a divisor like the root of the width
SHOWN = (
    Part("given", "scores", "The scores"),
    Part("given", "temperature", "The temperature: each score is divided by it", range=(0.1, 5, 0.1), refusal=REFUSAL),
    Part("bars", "weights", "The shares"),
    Part("lines", "tempered exp exp_sum weights", "Divide, take exp, add up, divide"),
    Part("lines", "slope", "The slope of each share: share · (1 − share). Near 0 the share no longer follows its score.", by="number"),
)


class SoftmaxLab(Lab):
    """Inputs: two to six scores and a temperature. Shows exponentials, their sum, shares and their derivatives.

    At a low temperature the softmax saturates, and the derivatives go to zero.
    """

    def __init__(self, scores=SCORES, names=NAMES, begin=2):
        counts = range(2, len(scores) + 1)
        choice = Choice("Scores", tuple(str(count) for count in counts), "Add a score", "Remove the last score")
        super().__init__([_variant(scores[:count], names[:count]) for count in counts], [choice], begin - 2)


def _variant(scores, names):
    trace = Trace()
    tempered = trace("tempered", trace.given("scores", np.array(scores, float), columns=names) / trace.given("temperature", 1, least=ABOVE_ZERO))
    weights = softmax(tempered, note=trace)
    trace("slope", weights * (1 - weights))
    return Variant(Worked(trace, LABELS), one_step("Softmax", *SHOWN))
