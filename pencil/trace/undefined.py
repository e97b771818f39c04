"""Where a value has no number: which operation is to blame, and what to write instead."""

import numpy as np

from pencil.rounding import show

# What has no number: 0/0, √−1, ln −1, (−8)^0.333; of all else only an infinity that is taken from itself, or times 0.
WITHOUT_NUMBER = {
    "divide": "divides 0 by 0",
    "sqrt": "takes a root of a number below 0",
    "log": "takes a logarithm of a number below 0",
    "power": "raises a number below 0 to a power that is not whole",
}
# The operand that may be 0 in the exact numbers no more than on paper, and why.
NONZERO = {"divide": (1, "nothing can be divided by it"), "log": (0, "it has no logarithm"), "power": (0, "it has no power below 0")}
CARRYING = {"note", "where", "gather", "take", "take_along_axis"}


def check_defined(name, value, paper):  # str, traced array, (...) as it is written down
    """Refuse a NaN, and a number that is lost on paper alone. Raises ValueError that names the operation, or the divisor.

    An infinity on paper alone is no loss where a mask put it: a mask made from probabilities (top-p) may fall otherwise once they are rounded.
    """
    if np.isnan(value.exact).any():
        raise ValueError(f"{name!r} has no number: {_says(_first_nan(value, 'exact'))}; use other numbers, or choose with np.where")
    if (np.isfinite(value.exact) & ~np.isfinite(paper)).any():
        for step in _unwritten(value):
            if says := _lost_at(step):
                raise ValueError(f"{name!r} has no number on paper: {says}; use larger numbers, or stable_softmax")
    if np.isnan(paper).any():
        raise ValueError(f"{name!r} has no number on paper: {_says(_first_nan(value, 'paper'))}; use other numbers, or choose with np.where")


def _first_nan(step, track):
    while before := [a for a in step.args if np.isnan(getattr(a, track)).any()]:
        step = before[0]
    return step


def _says(step):
    of = ", ".join(repr(a.name) for a in step.args if a.name)
    return f"np.{step.op}{of and f' of {of}'} {WITHOUT_NUMBER.get(step.op, 'takes an infinity from itself, or times 0')}"


def _unwritten(step):  # a step and those behind it, as far as what is written down
    if not step.name:
        yield step
        for a in step.args:
            yield from _unwritten(a)


def _lost_at(step):  # traced array -> what went wrong on paper in this step, or None
    if step.op in NONZERO:
        place, because = NONZERO[step.op]
        operand = step.args[place]
        if ((operand.paper == 0) & (operand.exact != 0)).any():
            return f"{_called(operand)} is written {show(0)}, and {because}"
    grew = np.isfinite(step.exact) & ~np.isfinite(step.paper)
    if grew.any() and step.op not in CARRYING and all(np.isfinite(a.paper).all() for a in step.args):
        return "it grew beyond all numbers"
    return None


def _called(step):  # by its name, also where it was only carried about
    while not step.name and step.op == "gather" and len(step.args) == 1:
        step = step.args[0]
    return repr(step.name) if step.name else "what stands there"
