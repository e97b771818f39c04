"""Errors for a value that is NaN, or that rounding on paper has lost: which operation is to blame, and what to do."""

from math import isfinite

import numpy as np

from pencil.rounding import show

# Operations that can turn finite numbers into NaN: 0/0, √−1, ln −1, (−8)^0.333. The others do so only for ∞ − ∞, ∞ · 0 and ∞ / ∞.
WITHOUT_NUMBER = {
    "divide": "divides 0 by 0",
    "sqrt": "takes a root of a number below 0",
    "log": "takes a logarithm of a number below 0",
    "power": "raises a number below 0 to a power that is not whole",
}
# The operand that must not be rounded to 0 on paper, and why.
NONZERO = {"divide": (1, "nothing can be divided by it"), "log": (0, "it has no logarithm"), "power": (0, "it has no power below 0")}
CARRYING = {"note", "where", "gather", "take", "take_along_axis"}


def check_defined(name, value, paper):  # str, TracedArray, (...) its rounded value
    """Raise ValueError for a NaN, and for a number that is finite exactly and not on paper; the message names the operation, or the divisor.

    A −∞ that only the paper track has is allowed where a mask put it: a mask made of probabilities (top-p) may differ once they are rounded.
    """
    if isfinite((value.exact + paper).sum()):
        return
    if np.isnan(value.exact).any():
        raise ValueError(f"{name!r} has no number: {_says(_first_nan(value, 'exact'), 'exact')}; use other numbers, or choose with np.where")
    if (np.isfinite(value.exact) & ~np.isfinite(paper)).any():
        for step in _unwritten(value):
            if says := _lost_at(step):
                raise ValueError(f"{name!r} has no number on paper: {says}; use larger numbers, or stable_softmax")
    if np.isnan(paper).any():
        raise ValueError(f"{name!r} has no number on paper: {_says(_first_nan(value, 'paper'), 'paper')}; use other numbers, or choose with np.where")


def _first_nan(step, track):
    while before := [a for a in step.args if np.isnan(getattr(a, track)).any()]:
        step = before[0]
    return step


def _says(step, track):
    of = ", ".join(repr(a.name) for a in step.args if a.name)
    is_finite = all(np.isfinite(getattr(a, track)).all() for a in step.args)
    does = WITHOUT_NUMBER.get(step.op, "") if is_finite else ""
    return f"np.{step.op}{of and f' of {of}'} {does or 'takes an infinity from itself, or times 0, or over another'}"


def _unwritten(step):  # a step and those it depends on, back to the last named ones
    if not step.name:
        yield step
        for a in step.args:
            yield from _unwritten(a)


def _lost_at(step):  # TracedArray -> what went wrong on paper in this step, or None
    if step.op in NONZERO:
        place, because = NONZERO[step.op]
        operand = step.args[place]
        if ((operand.paper == 0) & (operand.exact != 0)).any():
            return f"{_called(operand)} is written {show(0)}, and {because}"
    grew = np.isfinite(step.exact) & ~np.isfinite(step.paper)
    if grew.any() and step.op not in CARRYING and all(np.isfinite(a.paper).all() for a in step.args):
        return "it grew beyond all numbers"
    return None


def _called(step):  # its name, also where it was reshaped or indexed since
    while not step.name and step.op == "gather" and len(step.args) == 1:
        step = step.args[0]
    return repr(step.name) if step.name else "what stands there"
