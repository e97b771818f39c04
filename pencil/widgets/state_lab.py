"""StateLab: how many keys a state has room for. Keys are added one by one, and what each reads back stands below what it wrote."""

import numpy as np

from pencil.drawings.hands import fan
from pencil.reference import recurrent_attention
from pencil.trace import COUNT, Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

TOKENS = ("one", "two", "three", "four", "five", "six")
VALUES = (2, 3, 1, 4, 2, 3)
KEYS, ANGLE, MOST_ANGLE = 2, 90, 180
WAYS = {"adds each value": False, "by the delta rule": True}
LABELS = {"keys": "number of keys", "angle": "angle between two keys", "values": "value", "away": "largest error", "key": "key"}
SHOWN = (
    Part("given", "keys", "How many keys are written", range=(1, len(TOKENS), 1)),
    Part("given", "angle", "The angle from each key to the next, in degrees", range=(0, MOST_ANGLE, 15)),
    Part("given", "values", "The value of each key"),
    Part("drawing", "fan", row=True),
    Part("heat", "both", "What each key wrote, and what it reads back at the end; 0 where no key was written"),
    Part("lines", "away", "The largest difference between the two"),
)


class StateLab(Lab):
    """Inputs: how many keys are written into a state of two rows, the angle between them, and their values. Choice: with the delta rule, or without.

    Shows the keys as hands, and what each reads back beside what it wrote.
    """

    def __init__(self):
        variants = [_variant(delta) for delta in WAYS.values()]
        drawn = fan(variants[0].worked, "The keys, all of length one", "key")
        super().__init__(variants, [Choice("It writes", tuple(WAYS))], drawings={"fan": drawn})


def _variant(delta):
    trace = Trace()
    count = trace.given("keys", KEYS, **COUNT, most=len(TOKENS))
    angle, values = trace.given("angle", ANGLE), trace.given("values", VALUES, words=TOKENS)
    order = trace.as_traced(np.arange(len(TOKENS)), columns=TOKENS)
    turned, there = order * angle * (np.pi / 180), np.where(order < count, 1, 0)
    key = trace("key", np.stack([np.cos(turned), np.sin(turned)], axis=-1) * there[:, None])  # a key of zeros writes nothing
    beta = np.ones(len(TOKENS)) if delta else None
    _, state = recurrent_attention(key, key, values[:, None], beta=beta)
    found = (key @ trace("state", state))[:, 0]
    wrote, reads = (trace.as_traced(row, columns=("wrote", "reads back"))[:, None] for row in np.eye(2))
    both = trace("both", wrote * (values * there) + reads * found)
    trace("away", abs(both[0] - both[1]).max())
    return Variant(Worked(trace, LABELS), one_step("The state", *SHOWN))
