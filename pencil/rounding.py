"""How a number is written: the only place in the book where one is rounded or printed. (How a machine writes one stands in `pencil.formats`.)

The rule, once: three places and at most four figures (0.953, 2.718, 54.60), half away from zero,
never minus zero. Before a digit is decided the number *settles*, so that 0.9995 is a tie in NumPy
and in a browser alike, whatever the last bit of the float says.
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from math import isfinite, isnan

import numpy as np

PLACES, FIGURES = 3, 4  # the written-number rule of every page
MINUS = "−"

_SETTLED = Context(prec=12, rounding=ROUND_HALF_UP)
_FINEST = Decimal("1e-10")  # a difference of near numbers keeps float noise below this
_HUGE = 1e9  # from here on nothing is cut
_LONGEST = 15  # more digits than this in front of the point are written with a power of ten


def settle(x):  # float -> Decimal
    """Drop the float noise: 12 significant digits, and no finer than ten decimals.

    Raises ValueError for a number that is not finite.
    """
    if not isfinite(x):
        raise ValueError(f"{x} cannot settle; only finite numbers have digits")
    d = _SETTLED.create_decimal_from_float(float(x))
    if d and d.adjusted() - 11 < -10:
        return Decimal(float(x)).quantize(_FINEST, ROUND_HALF_UP)
    return d


def is_whole(x):  # float -> bool
    """Whether a number has no decimals, noise aside. Infinities and NaN have no digits at all."""
    return isfinite(x) and settle(x) == settle(x).to_integral_value()


def places_for(d, places=PLACES, figures=FIGURES):  # Decimal -> int
    """How many decimals a number gets: `places`, or fewer when that would pass `figures` (54.60)."""
    if figures is None or d == 0:
        return places
    return max(0, min(places, figures - 1 - d.adjusted()))


def round_half_up(x, places=PLACES, figures=FIGURES):  # float -> float
    """The paper value of a number: rounded half away from zero by the written-number rule.

    >>> round_half_up(54.598), round_half_up(0.9995), round_half_up(-0.0001)
    (54.6, 1.0, 0.0)
    """
    if not isfinite(x):
        return float(x)
    d = settle(x)
    p = places_for(d, places, figures)
    if abs(d) >= _HUGE or d.as_tuple().exponent >= -p:
        return float(d) + 0.0  # + 0.0: no minus zero
    return float(d.quantize(Decimal(1).scaleb(-p), ROUND_HALF_UP)) + 0.0


def on_paper(array, places=PLACES, figures=FIGURES):  # (...) -> (...)
    """`round_half_up` for every number of an array: what stands on the sheet."""
    array = np.asarray(array, float)
    return np.array([round_half_up(v, places, figures) for v in array.ravel().tolist()]).reshape(array.shape)


def show(x, places=PLACES, figures=FIGURES, whole=False):  # float -> str
    """The digits of a number as the book writes them; `whole` writes 8 for 8.000.

    >>> show(0.9526), show(54.598), show(-1.5), show(8.0, whole=True)
    ('0.953', '54.60', '−1.500', '8')
    """
    if isnan(x):
        return "NaN"
    if not isfinite(x):
        return MINUS + "∞" if x < 0 else "∞"
    v = round_half_up(x, places, figures)
    if abs(v) >= _HUGE:  # a reader typed something wild: the settled digits, all of them
        return as_given(v)
    if whole and v == int(v):
        return str(int(v)).replace("-", MINUS)
    return f"{v:.{places_for(Decimal(repr(v)), places, figures)}f}".replace("-", MINUS)


def as_given(x):  # float -> str
    """A given number as it was given, with no more digits than it has: 0.5, 1.414, 8."""
    if not isfinite(x):
        return show(x)
    d = settle(x).normalize()
    if d.adjusted() >= _LONGEST:  # beyond what anyone would count: 1.14200738982e26
        mantissa, power = f"{d:e}".split("e")
        return f"{mantissa}e{int(power)}".replace("-", MINUS)
    return (f"{d:f}" if d else "0").replace("-", MINUS)


def pixels(x, places=2):  # float -> str
    """A length in a drawing, as SVG takes it: two places, and the minus sign of a keyboard.

    >>> pixels(10.4567), pixels(-3.0), pixels(0.0123, places=6)
    ('10.46', '-3', '0.0123')
    """
    return as_given(round_half_up(x, places, None)).replace(MINUS, "-")


def whole_digits(n):  # int -> str
    """All digits of a whole number, however many; Python's own str refuses more than 4,300."""
    return f"{Decimal(n):f}"


def of_digits(text):  # str -> int
    """The whole number that `whole_digits` has written."""
    return int(Decimal(text))
