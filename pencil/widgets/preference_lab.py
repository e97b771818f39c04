"""PreferenceLab: one or more steps of DPO for the preferred one of two answers."""

from itertools import permutations, product

import numpy as np

from pencil.examples import NEXT_SCORES, NEXT_WORDS
from pencil.reference import dpo_loss, sigmoid, softmax
from pencil.trace import Trace, scoped
from pencil.widgets.lab import ABOVE_ZERO, Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

STEPS = (1, 8)
WORDS = {"weights": "probabilities", "logits": "logits", "log_probs": "log-probabilities"}


class PreferenceLab(Lab):
    """Inputs: the logits of the answers, β and the learning rate. Choices: the answer preferred to another, and the number of steps.

    Shows the probabilities before and after, the margin and the loss.
    """

    def __init__(self, logits=NEXT_SCORES, words=NEXT_WORDS):
        pairs = list(permutations(words[:2][::-1]))  # the second is preferred at first
        choices = Choice("You prefer", tuple(f"{chosen}, not {rejected}" for chosen, rejected in pairs)), Choice("Steps", tuple(map(str, STEPS)))
        super().__init__([_variant(logits, words, *pair, steps) for pair, steps in product(pairs, STEPS)], choices)


def _variant(logits, words, chosen, rejected, steps):
    trace, (up, down) = Trace(), map(words.index, (chosen, rejected))
    now = start = trace.given("logits", np.array(logits, float), columns=words)
    beta, rate = trace.given("beta", 0.5, least=ABOVE_ZERO), trace.given("lr", 1, least=ABOVE_ZERO)
    before, towards = _log_probs(start, scoped(trace, "before")), np.eye(len(words))[up] - np.eye(len(words))[down]
    for _ in range(steps):  # in the margin, and in the gradient of the logits, the sums of softmax cancel
        margin = (now - start)[up] - (now - start)[down]
        now = now + rate * beta * sigmoid(-(beta * margin)) * towards
    log_probs = _log_probs(now, scoped(trace, "after"))
    dpo_loss(log_probs[up], log_probs[down], before[up], before[down], beta=beta, note=scoped(trace, "after"))
    parts = (
        Part("given", "logits", "The logits of the answers"),
        Part("given", "beta", "β, the leash", range=(0.1, 5, 0.1)),
        Part("given", "lr", "The learning rate", range=(0.1, 5, 0.1)),
        Part("bars", "before.weights", "The probabilities before", row=True),
        Part("bars", "after.weights", "And after"),
        Part("lines", "after.margin after.logit after.win.prob after.loss", "The margin, the probability to win, and the loss", by="row"),
    )
    return Variant(Worked(trace, {"beta": "β"}, track="exact", words=WORDS), one_step("A preference", *parts))


def _log_probs(scores, note):
    return note("log_probs", np.log(softmax(scores, note=note)))
