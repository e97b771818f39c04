"""A run in exact fractions.

NumPy computes with Python's `Fraction` in arrays of dtype object; here are the operations that need a rule of their own, and the
errors for results that are irrational.
"""

from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np

from pencil.rounding import MINUS, as_given
from pencil.trace.logarithm import Log, NoFraction, ln_of, power, root, written
from pencil.trace.operations import OPERATIONS, TraceError
from pencil.trace.readings import NumberSystem, Reading, nearest_name

SETTLED = 12  # significant digits that `pencil.rounding` keeps of a float


# ---- operations on fractions


def _each(f):  # a function of numbers -> a function of arrays
    return lambda *arrays: np.asarray(np.frompyfunc(f, len(arrays), 1)(*arrays))


def exp(x):
    """e to a logarithm, or to 0; to any other fraction it is irrational (Hermite 1873)."""
    if isinstance(x, Log):
        return x.of
    if x == 0:
        return Fraction(1)
    raise NoFraction(f"e^{written(x)}, which is irrational")


def _only_zero(name, at_zero):  # sin, cos and tanh of any other fraction are transcendental (Lindemann 1882)
    def function(x):
        if x != 0:
            raise NoFraction(f"{name} of {written(x)}, which is irrational")
        return Fraction(at_zero)

    return function


def tanh(x):
    """tanh of ln q is (q² − 1)/(q² + 1); of ln 0, which is −∞, it is −1. Of other fractions only tanh 0 is rational."""
    return (x.of**2 - 1) / (x.of**2 + 1) if isinstance(x, Log) else _only_zero("tanh", 0)(x)


def log_of(x):
    """ln of a fraction."""
    if isinstance(x, Log):
        raise NoFraction(f"ln of {written(x)}")
    return ln_of(x)


def _of_a_fraction(f, message, x):  # a function that has no exact result for a logarithm
    if isinstance(x, Log):
        raise NoFraction(message.format(written(x)))
    return f(x)


def _mean(x, axis, keepdims):
    total = OPERATIONS["sum"](as_fractions(x), axis=axis, keepdims=keepdims)
    return total / Fraction(int(np.prod([x.shape[a] for a in axis])))


def _sum(x, axis, keepdims):
    return OPERATIONS["sum"](as_fractions(x) if x.dtype == bool else x, axis=axis, keepdims=keepdims)


def _matmul(a, b):  # as a product and a sum: the interpreter crashes where an exception is raised inside NumPy 2.4's matmul of objects
    return (a[..., :, :, None] * b[..., None, :, :]).sum(-2)


def _places(f):  # a function that returns indices
    return lambda *args, **attrs: as_fractions(np.asarray(f(*args, **attrs)))


RULES = {
    "exp": _each(exp),
    "log": _each(log_of),
    "sqrt": _each(partial(_of_a_fraction, lambda x: root(x, 2), "√ of {}")),
    "power": _each(power),
    "sin": _each(_only_zero("sin", 0)),
    "cos": _each(_only_zero("cos", 1)),
    "tanh": _each(tanh),
    "rint": _each(partial(_of_a_fraction, lambda x: Fraction(x.__round__()), "{}, rounded")),
    "matmul": _matmul,
    "sum": _sum,
    "mean": _mean,
    "argsort": _places(OPERATIONS["argsort"]),
}


def ln(x):  # (...) -> (...)
    """Exact logarithms: with `trace.given("scores", ln([1, 3, 6, 2]))` the exponentials of the scores are 1, 3, 6 and 2."""
    return _each(ln_of)(as_fractions(np.asarray(x)))


def as_fractions(x):  # (...) of numbers -> (...) of fractions
    """Numbers as fractions, as `as_fraction` does."""
    return _each(as_fraction)(np.asarray(x))


def exact_or_none(x):  # (...) -> (...) of fractions, or None
    """The exact numbers of an array that has a Fraction or a logarithm in it; None for an array of plain numbers."""
    numbers = np.asarray(x)
    told = numbers.dtype == object and any(isinstance(number, Fraction | Log) for number in numbers.flat)
    return as_fractions(numbers) if told else None


def as_fraction(x):
    """One number as a fraction: 0.1 is 1/10. −∞ is ln 0. Raises NoFraction for +∞, and for a float that is no decimal of at most ten places."""
    if isinstance(x, Fraction | Log):
        return x
    if x == float("-inf"):
        return Log(0)
    if np.isinf(x):
        raise NoFraction("an infinity above all numbers")
    if float(x) == int(x):
        return Fraction(int(x))
    short = Fraction(as_given(float(x)).replace(MINUS, "-"))
    if float(short) != float(x):
        endless = len(Decimal(repr(float(x))).as_tuple().digits) > SETTLED
        raise NoFraction(f"{float(x)!r}, " + ("whose digits have no end" if endless else "which goes on past the tenth decimal"))
    return short


class Rationals(NumberSystem):
    """Fractions; an error names the value that is irrational."""

    def run(self, step, args):
        if step.id in step.trace.given_exactly:
            return step.trace.given_exactly[step.id]
        try:
            return step.exact if step.op == "constant" and step.exact.dtype == bool else super().run(step, args)
        except ZeroDivisionError:
            reason = "a division by 0"
        except NoFraction as none:
            reason = str(none)
        name = nearest_name(step)
        raise TraceError(
            f"{name!r} is no fraction: {reason}; give its numbers, as in fractions({{{name!r}: [1, 3]}}), or what it rests on: "
            "whole numbers, Fraction(1, 3), or ln(3) for what e is raised to"
        ) from None


FRACTIONS = Rationals("fractions", read=as_fractions, constant=as_fractions, rules=RULES, digits=written)


def fraction_reading(trace, given):  # Trace, {name: (...)} -> Reading
    """See `Trace.fractions`."""
    return Reading(trace, FRACTIONS, {name: as_fractions(np.array(numbers, object)) for name, numbers in (given or {}).items()})
