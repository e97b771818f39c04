"""One exact number: a fraction, or the logarithm of a fraction, whose exponential is exact."""

import re
from fractions import Fraction
from functools import total_ordering
from math import log

from pencil.rounding import MINUS, of_digits, whole_digits

LONGEST = 14_000  # bits of a power's numerator or denominator, about 4,200 digits: larger ones could take all memory
_NUMBER = rf"[{MINUS}-]?\d+(?:/\d+)?"
_WRITTEN = re.compile(rf"(?P<ln>ln ?)?(?:\((?P<inner>{_NUMBER})\)|(?P<bare>{_NUMBER}))")


class NoFraction(ValueError):
    """The result is not rational; the message says what it is."""


class TooLong(NoFraction):
    """The result is a fraction with too many digits."""


@total_ordering
class Log:
    """The natural logarithm of a fraction: exp(ln 3) is exactly 3. ln 0 is −∞, the score of a masked key."""

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


def written(x):  # Fraction or Log -> str
    """As it is written by hand.

    >>> written(Fraction(14, 3)), written(Fraction(-2)), written(Log(Fraction(4, 3)))
    ('14/3', '−2', 'ln(4/3)')
    """
    if isinstance(x, Log):
        return f"{MINUS}∞" if x.of == 0 else f"ln({written(x.of)})" if x.of.denominator > 1 else f"ln {written(x.of)}"
    return _digits(Fraction(x)).replace("-", MINUS)


def _digits(x):
    parts = [whole_digits(part) for part in (x.numerator, x.denominator)]
    return "/".join(parts if x.denominator > 1 else parts[:1])


def parse(text):
    """The inverse of `written`. Raises ValueError for any other text.

    >>> parse("14/3"), parse("ln(4/3)"), parse("−∞")
    (Fraction(14, 3), ln(4/3), −∞)
    """
    if text == f"{MINUS}∞":
        return Log(0)
    found = _WRITTEN.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is no fraction; write 14/3, {MINUS}2, ln 3 or ln(4/3)")
    whole = found["inner"] or found["bare"]
    top, _, bottom = whole.replace(MINUS, "-").partition("/")
    number = Fraction(of_digits(top), of_digits(bottom or "1"))
    return Log(number) if found["ln"] else number


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
