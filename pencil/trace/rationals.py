"""Numbers without any rounding: fractions, and the logarithms that e may be raised to.

NumPy works with Python's `Fraction` in arrays of objects; here is what it cannot do by itself, and what no fraction can be.
"""

from decimal import Decimal
from fractions import Fraction
from functools import partial, total_ordering
from math import log

import numpy as np

from pencil.rounding import MINUS, as_given
from pencil.trace.operations import OPERATIONS, TraceError
from pencil.trace.readings import NumberSystem, Reading, towards

LONGEST = 14_000  # bits of a power's numerator or denominator: 4,200 digits. A huge one would take all memory

SETTLED = 12  # figures of a number that `pencil.rounding` takes for meant


class NoFraction(ValueError):
    """What comes out is no fraction; the message says what it is."""


class TooLong(NoFraction):
    """What comes out is a fraction that nobody would write down."""


@total_ordering
class Log:
    """ln of a fraction: ln 3, which e can be raised to exactly. ln 0 is −∞, as a mask has it."""

    __hash__ = None

    def __init__(self, of):
        self.of = Fraction(of)
        if self.of < 0:
            raise NoFraction(f"ln of {written(self.of)}, which is below 0")

    def __repr__(self):
        return written(self)

    def __float__(self):
        return log(self.of) if self.of else float("-inf")

    def __eq__(self, other):
        return isinstance(other, Log) and self.of == other.of

    def __lt__(self, other):
        if self.of == 0:
            return other != self
        return self.of < _as_log(other).of

    def __add__(self, other):
        if self.of == 0:
            return self
        return ln_of(self.of * _as_log(other).of)

    def __neg__(self):
        if self.of == 0:
            raise NoFraction("an infinity above all numbers")
        return Log(1 / self.of)

    def __sub__(self, other):
        if self.of == 0 and other != self:
            return self
        return self + -_as_log(other)

    def __rsub__(self, other):
        return _as_log(other) - self

    def __mul__(self, factor):
        if isinstance(factor, Log):
            raise NoFraction(f"{written(self)} times {written(factor)}")
        if self.of == 0 and factor <= 0:
            raise NoFraction("an infinity times 0, or below 0")
        if self.of == 0:
            return self
        try:
            return ln_of(power(self.of, factor))
        except TooLong:
            raise
        except NoFraction:
            raise NoFraction(f"{written(Fraction(factor))} times {written(self)}, which is the logarithm of no fraction") from None

    def __truediv__(self, divisor):
        if isinstance(divisor, Log):
            raise NoFraction(f"{written(self)} divided by {written(divisor)}")
        return self * (1 / Fraction(divisor))

    def __rtruediv__(self, other):
        raise NoFraction(f"{written(other)} divided by {written(self)}")

    def __abs__(self):
        return max(self, -self)

    __radd__, __rmul__ = __add__, __mul__


def _as_log(x):
    if isinstance(x, Log):
        return x
    if x == 0:
        return Log(1)
    raise NoFraction(f"a logarithm beside {written(Fraction(x))}, which is none")


def ln_of(x):  # Fraction -> Log, or 0 for ln 1
    """The logarithm of one fraction."""
    return Fraction(0) if x == 1 else Log(x)


def ln(x):  # (...) -> (...)
    """The logarithms of numbers, exactly: the powers of e of `trace.given("scores", ln([1, 3, 6, 2]))` are 1, 3, 6 and 2."""
    return _each(ln_of)(as_fractions(np.asarray(x)))


def written(x):  # Fraction or Log -> str
    """As it is written by hand.

    >>> written(Fraction(14, 3)), written(Fraction(-2)), written(Log(Fraction(4, 3)))
    ('14/3', '−2', 'ln(4/3)')
    """
    if isinstance(x, Log):
        return f"{MINUS}∞" if x.of == 0 else f"ln({written(x.of)})" if x.of.denominator > 1 else f"ln {written(x.of)}"
    return _digits(Fraction(x)).replace("-", MINUS)


def _digits(x):  # by way of Decimal: Python's own str refuses a whole number of more than 4,300 digits
    parts = [f"{Decimal(part):f}" for part in (x.numerator, x.denominator)]
    return "/".join(parts if x.denominator > 1 else parts[:1])


def parse(text):
    """What `written` has written, read back.

    >>> parse("14/3"), parse("ln(4/3)"), parse("−∞")
    (Fraction(14, 3), ln(4/3), −∞)
    """
    if "∞" in text:
        return Log(0)
    top, _, bottom = text.removeprefix("ln").strip(" ()").replace(MINUS, "-").partition("/")
    number = Fraction(Decimal(top)) / Fraction(Decimal(bottom or 1))
    return Log(number) if text.startswith("ln") else number


# ---- what NumPy cannot do with them by itself


def _each(f):  # a function of numbers as one of arrays
    return lambda *arrays: np.asarray(np.frompyfunc(f, len(arrays), 1)(*arrays))


def exp(x):
    """e to a logarithm, or to 0; to any other fraction it is irrational (Hermite 1873)."""
    if isinstance(x, Log):
        return x.of
    if x == 0:
        return Fraction(1)
    raise NoFraction(f"e^{written(x)}, which is irrational")


def root(x, n):
    """The n-th root of a fraction whose numerator and denominator have one."""
    parts = [_whole_root(part, n) for part in (x.numerator, x.denominator)]
    if x < 0 or None in parts:
        of = f"({written(x)})" if x.denominator > 1 else written(x)
        raise NoFraction(f"√{of}" if n == 2 else f"a root of {of}")
    return Fraction(*parts)


def _whole_root(k, n):
    if k < 2 or n >= k.bit_length():  # 2 to the n is greater already
        return k if k in (0, 1) else None
    low, high = 0, 1 << (k.bit_length() // n + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (low, middle - 1) if middle**n > k else (middle, high)
    return low if low**n == k else None


def power(x, y):
    """A fraction to a whole power, or to another where its root is a fraction."""
    if isinstance(x, Log) and y in (0, 1):
        return x if y else Fraction(1)
    if isinstance(x, Log) or isinstance(y, Log) or (x == 0 and y < 0):
        raise NoFraction(f"{written(x)} to the power of {written(y)}")
    base = root(Fraction(x), y.denominator) if y.denominator > 1 else Fraction(x)
    if abs(y.numerator) * (max(abs(base.numerator), base.denominator).bit_length() - 1) > LONGEST:
        raise TooLong(f"{written(x)} to the power of {written(y)}, which has too many digits")
    return base**y.numerator


def _only_zero(name, at_zero):  # sin, cos and tanh of any other fraction are transcendental (Lindemann 1882)
    def function(x):
        if x != 0:
            raise NoFraction(f"{name} of {written(x)}, which is irrational")
        return Fraction(at_zero)

    return function


def tanh(x):
    """Of ln q it is (q² − 1)/(q² + 1), of ln 0 therefore −1."""
    return (x.of**2 - 1) / (x.of**2 + 1) if isinstance(x, Log) else _only_zero("tanh", 0)(x)


def log_of(x):
    """ln of a fraction. One of a logarithm is none."""
    if isinstance(x, Log):
        raise NoFraction(f"ln of {written(x)}")
    return ln_of(x)


def _of_a_fraction(f, said, x):  # what has no number for a logarithm
    if isinstance(x, Log):
        raise NoFraction(said.format(written(x)))
    return f(x)


def _mean(x, axis, keepdims):
    total = OPERATIONS["sum"](as_fractions(x), axis=axis, keepdims=keepdims)
    return total / Fraction(int(np.prod([x.shape[a] for a in axis])))


def _sum(x, axis, keepdims):
    return OPERATIONS["sum"](as_fractions(x) if x.dtype == bool else x, axis=axis, keepdims=keepdims)


def _matmul(a, b):  # part by part: NumPy 2.4 loses an exception inside its own product of objects, and the interpreter with it
    return (a[..., :, :, None] * b[..., None, :, :]).sum(-2)


def _places(f):  # whole numbers that say where, in the order of numbers
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


def as_fractions(x):  # (...) of numbers -> (...) of fractions
    """Numbers as they were meant: 0.1 is a tenth. Raises NoFraction for digits without an end."""
    return _each(as_fraction)(np.asarray(x))


def exact_or_none(x):  # (...) -> (...) of fractions, or None
    """Numbers among which some are fractions or logarithms, exactly; None for plain ones, whose float says all there is."""
    numbers = np.asarray(x)
    told = numbers.dtype == object and any(isinstance(number, Fraction | Log) for number in numbers.flat)
    return as_fractions(numbers) if told else None


def as_fraction(x):
    """One number as a fraction: a whole one, a short decimal, or one that is exact already."""
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
    """Fractions, with the refusals by the name of the value."""

    def run(self, step, args):
        if step.id in step.trace.given_exactly:
            return step.trace.given_exactly[step.id]
        try:
            return step.exact if step.op == "constant" and step.exact.dtype == bool else super().run(step, args)
        except ZeroDivisionError:
            said = "a division by 0"
        except NoFraction as none:
            said = str(none)
        name = towards(step)
        raise TraceError(
            f"{name!r} is no fraction: {said}; give its numbers, as in fractions({{{name!r}: [1, 3]}}), or what it rests on: "
            "whole numbers, Fraction(1, 3), or ln(3) for what e is raised to"
        ) from None


FRACTIONS = Rationals("fractions", read=as_fractions, constant=as_fractions, rules=RULES, digits=written)


def fraction_reading(trace, given):  # Trace, {name: (...)} -> Reading
    """See `Trace.fractions`."""
    return Reading(trace, FRACTIONS, {name: as_fractions(np.array(numbers, object)) for name, numbers in (given or {}).items()})
