"""DiceLab: speculative sampling with two dice, a draft and a target."""

import numpy as np

from pencil.reference import adjusted_probs, sample
from pencil.trace import Trace, scoped
from pencil.widgets.drawn_lab import BELOW_ONE, U_REFUSED, DrawnLab
from pencil.widgets.lab import ABOVE_ZERO, Choice, Part, Variant, one_step
from pencil.worked import Worked

FACES = ("one", "two", "three", "four", "five", "six")
DICE = tuple(f"{die} {face}" for die, face in zip("⚀⚁⚂⚃⚄⚅", FACES, strict=True))
DRAFT, TARGET = (1, 1, 1, 1, 1, 1), (3, 1, 1, 1, 1, 1)  # unnormalized probabilities of the faces
WAYS = ("roll the residual", "roll the target anew")
WORDS = {"draft_probs": "draft", "target_probs": "target", "sums": "draft sum over target sum", "u": "random number"}
WORDS |= {"drafted": "drafted face", "rolled": "second roll", "accept": "acceptance probability", "chance": "its acceptance probability"}
WORDS |= {"overlap": "smaller of both", "adjusted": "residual", "counts": "tally", "frequencies": "fraction of the rolls"}
WORDS |= {"output": "in the long run", "fell": "probabilities passed"}
REFUSAL = "A face has a part above zero: type a number such as 3."


class DiceLab(DrawnLab):
    """Inputs: the unnormalized probabilities of both dice, and three random numbers: for the draft, the acceptance test, and the resampling.

    The choice is the distribution to resample from after a rejection: with the residual distribution the tally converges to the target, with
    the target itself it does not.
    """

    def __init__(self, draft=DRAFT, target=TARGET, begin=0):
        super().__init__([_variant(draft, target, way) for way in WAYS], [Choice("After a rejection", WAYS)], begin)


def _variant(draft, target, way):
    trace = Trace()
    parts = [trace.given(f"{die}_parts", numbers, columns=FACES, least=ABOVE_ZERO) for die, numbers in (("draft", draft), ("target", target))]
    draft_probs, target_probs = (trace(name, part / part.sum()) for name, part in zip(("draft_probs", "target_probs"), parts, strict=True))
    u = trace.given("u", [0.4, 0.9, 0.2], most=BELOW_ONE)
    drafted = trace("drafted", _fell(draft_probs, u[0], scoped(trace, "draft")))
    sums = trace("sums", parts[0].sum() / parts[1].sum())
    accept = trace("accept", np.minimum(parts[1] / parts[0] * sums, 1))  # from the unnormalized numbers, which are not rounded on paper
    accepted = np.where(u[1] < trace("chance", (drafted * accept).sum()), 1, 0)
    trace("verdict", np.stack([accepted, 1 - accepted]))
    behind = adjusted_probs(draft_probs, target_probs, note=trace) if way == WAYS[0] else target_probs
    again = trace("rolled", _fell(behind, u[2], scoped(trace, "again")))
    trace("written", accepted * drafted + (1 - accepted) * again)
    overlap = trace("overlap", np.minimum(draft_probs, target_probs))
    trace("output", overlap + trace("rejection_rate", 1 - trace("acceptance_rate", overlap.sum())) * behind)
    counts = trace.given("counts", np.zeros(6), columns=FACES, whole=True)
    trace("frequencies", counts / np.maximum(counts.sum(), 1))  # avoids 0 / 0 before the first roll
    return Variant(Worked(trace, words=WORDS), one_step("Rolling", *_shown()))


def _fell(probs, u, note):  # (6,) () -> (6,) one-hot, the face sampled with u
    sample(probs, u, note=note)
    passed = note("fell", np.where(np.cumsum(probs) <= u, 1, 0))
    return np.concatenate([passed[:1] * 0 + 1, passed[:-1]]) - passed


def _shown():
    yield Part("given", "draft_parts", "The die of the draft: the parts of each face", refusal=REFUSAL)
    yield Part("given", "target_parts", "The die of the target", refusal=REFUSAL)
    says = "Three random numbers from 0 to below 1: for the draft, for its check, and for the roll after a rejection"
    yield Part("given", "u", says, draw=("written", "counts", "Roll"), refusal=U_REFUSED)
    yield Part("says", "drafted", "The draft:", words=DICE)
    yield Part("lines", "sums", "Divide a face's parts in the target by those in the draft, and multiply by this:")
    yield Part("bars", "accept", "So each face is accepted with the probability (at most 1)")
    yield Part("lines", "chance", "The drafted face is accepted with the probability")
    yield Part("says", "verdict", "It is accepted if the second number is smaller. This one is", words=("accepted", "rejected"))
    yield Part("says", "rolled", "What the third number would roll:", words=DICE)
    yield Part("says", "written", "What is written:", words=DICE, row=True)
    yield Part("given", "counts", "The tally (it begins again when you change a die)")
    yield Part("bars", "target_probs", "The target", row=True)
    yield Part("bars", "output", "What comes out in the long run", row=True)
    yield Part("bars", "frequencies", "Fraction of all rolls", row=True)
