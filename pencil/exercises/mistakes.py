"""Executable WRONG TURNs: what comes out when a step is done in one of the ways that people do it wrong.

The catalogue is in attention_mistakes, layer_mistakes, recurrent_mistakes, gated_mistakes and slope_mistakes.
"""

import numpy as np

from pencil.exercises.attention_mistakes import ATTENTION
from pencil.exercises.gated_mistakes import GATED
from pencil.exercises.layer_mistakes import LAYERS
from pencil.exercises.recurrent_mistakes import RECURRENT
from pencil.exercises.slope_mistakes import SLOPES
from pencil.note import GRAD, WRONG
from pencil.trace.array import TracedArray
from pencil.trace.operations import TraceError

MISTAKES = (*ATTENTION, *LAYERS, *RECURRENT, *GATED, *SLOPES)
OF_ROWS = ("wrong_axis",)  # mistakes that one number alone cannot show


def note_mistakes(trace, name, harmless=False, far=False):  # Trace, name of a value -> {key: what to say}
    """Note every mistake that can be made in this value, as wrong.KEY.NAME in the same trace.

    What cannot be worked with these numbers is left out, and so is what comes out right all the same, unless the
    `harmless` are wanted as well: with other numbers they may do harm. With `far` come the steps left out.
    """
    scope, found = ("" if is_slope(name) else name.rpartition(".")[0]), {}

    def at(part):
        return trace.names[f"{scope}.{part}" if scope else part]

    for mistake in MISTAKES:
        if (
            spoils(mistake, name)
            and mistake.far <= far
            and (f"{WRONG}.{mistake.key}.{name}" in trace.names or _noted(trace, mistake, name, at, harmless) is not None)
        ):
            found[mistake.key] = mistake.message
    return found


def is_slope(name):  # str -> bool
    """Is it the name of a slope? A slope of a share is no share."""
    return name.startswith(f"{GRAD}.")


def spoils(mistake, name):  # Mistake, name of a value -> bool
    """Is it made in this value? grad.scaled is no scaled: who errs there forgot no root."""
    return name == mistake.value or (name.endswith(f".{mistake.value}") and not is_slope(name))


def _noted(trace, mistake, name, at, harmless):
    value = _worked(mistake, at)
    if value is None or (not harmless and _same(value, trace.names[name])):
        return None
    return trace.note(f"{WRONG}.{mistake.key}.{name}", value)


def _worked(mistake, at):  # -> traced value; None where it cannot be worked here
    with np.errstate(all="ignore"):
        try:
            value = mistake.work(at)
        except (KeyError, ValueError, TraceError, IndexError):  # a value is not there, or the widths do not fit
            return None
    finite = isinstance(value, TracedArray) and np.isfinite(value.exact).all() and np.isfinite(value.paper).all()
    return value if finite else None


def _same(value, right):
    return value.shape == right.shape and np.allclose(value.exact, right.exact, rtol=1e-9, atol=1e-9)
