"""How a number is rounded and printed on paper; nothing else in the book does either. (Machine formats are in `pencil.formats`.)

The rule: three decimals and at most four significant digits (0.953, 2.718, 54.60), ties away from zero, no minus zero. Before that a number
is *settled* to 12 significant digits, so that 0.9995 is a tie in NumPy and in a browser, whatever the last bit of the float.
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache
from math import isfinite, isnan

import numpy as np

PLACES, FIGURES = 3, 4  # the most decimals, and the most significant digits
MINUS = "−"

_SETTLED = Context(prec=12, rounding=ROUND_HALF_UP)
_FINEST = Decimal("1e-10")  # what is smaller is float noise, as in a difference of nearly equal numbers
_HUGE = 1e9  # larger numbers are not rounded
_LONGEST = 15  # numbers with more digits in front of the point are written with a power of ten


def settle(x):  # float -> Decimal
    """Round to 12 significant digits and at most ten decimals, which drops float noise.

    Raises ValueError for a number that is not finite.
    """
    if not isfinite(x):
        raise ValueError(f"{x} cannot settle; only finite numbers have digits")
    d = _SETTLED.create_decimal_from_float(float(x))
    if d and d.adjusted() - 11 < -10:
        return Decimal(float(x)).quantize(_FINEST, ROUND_HALF_UP)
    return d


def is_whole(x):  # float -> bool
    """Whether a number is whole up to float noise; infinities and NaN are not."""
    return isfinite(x) and settle(x) == settle(x).to_integral_value()


def places_for(d, places=PLACES, figures=FIGURES):  # Decimal -> int
    """How many decimals a number gets: `places`, or fewer where it would have more than `figures` significant digits (54.60)."""
    if figures is None or d == 0:
        return places
    return max(0, min(places, figures - 1 - d.adjusted()))


def round_half_up(x, places=PLACES, figures=FIGURES):  # float -> float
    """A number rounded by the rule, ties away from zero.

    >>> round_half_up(54.598), round_half_up(0.9995), round_half_up(-0.0001)
    (54.6, 1.0, 0.0)
    """
    if not isfinite(x) or (x == int(x) and abs(x) < _HUGE):  # a whole number stays as it is
        return float(x) + 0.0  # + 0.0: no minus zero
    d = settle(x)
    p = places_for(d, places, figures)
    if abs(d) >= _HUGE or d.as_tuple().exponent >= -p:
        return float(d) + 0.0
    return float(d.quantize(Decimal(1).scaleb(-p), ROUND_HALF_UP)) + 0.0


def on_paper(array, places=PLACES, figures=FIGURES):  # (...) -> (...)
    """`round_half_up` of every number of an array.

    Twelve digits leave at least three decimals of a number below 1e9 units, and ten decimals four of a unit of 1e-6. So settling moves
    it by less than a thousandth of a unit. What is further than that from a tie is rounded unsettled, all at once; the rest one by one.
    """
    array = np.asarray(array, float)
    numbers = array.ravel()
    limits, scales = _limits_and_scales(places, figures)
    scale = scales[limits.searchsorted(np.abs(numbers), "right")]
    units = numbers * scale
    whole = np.rint(units)
    rounded = whole / scale + 0.0  # + 0.0: no minus zero
    sure = np.abs(units - whole) < 0.499  # false for NaN
    if not sure.all():
        rounded[~sure] = [round_half_up(x, places, figures) for x in numbers[~sure].tolist()]
    return rounded.reshape(array.shape)


@cache
def _limits_and_scales(places, figures):
    """The sizes from which on a number gets one decimal fewer, and 10 to the number of decimals before and after each.

    A number has no scale, NaN, from 1e9 units on, and where it gets more than six decimals.
    """
    if places > 6:
        return np.array([]), np.array([np.nan])
    limits = [] if figures is None else [float(f"1e{figures - p}") for p in range(places, 0, -1)]
    scales = [10.0**p for p in range(places, places - len(limits) - 1, -1)]
    return np.array([*limits, _HUGE / scales[-1]]), np.array([*scales, np.nan])


def show(x, places=PLACES, figures=FIGURES, whole=False):  # float -> str
    """The digits of a number by the rule; `whole` writes 8 for 8.000.

    >>> show(0.9526), show(54.598), show(-1.5), show(8.0, whole=True)
    ('0.953', '54.60', '−1.500', '8')
    """
    if isnan(x):
        return "NaN"
    if not isfinite(x):
        return MINUS + "∞" if x < 0 else "∞"
    v = round_half_up(x, places, figures)
    if abs(v) >= _HUGE:  # not rounded
        return as_given(v)
    if whole and v == int(v):
        return str(int(v)).replace("-", MINUS)
    return f"{v:.{places_for(Decimal(repr(v)), places, figures)}f}".replace("-", MINUS)


def show_array(array, places=PLACES, figures=FIGURES):  # (...) -> str
    """An array as NumPy prints it, with the digits of the rule.

    >>> print(show_array(np.array([[2, 54.598], [0.25, -1]])))
    [[2.000 54.60]
     [0.250 −1.000]]
    """
    return np.array2string(np.asarray(array), formatter={"float_kind": lambda x: show(x, places, figures)})


def as_given(x):  # float -> str
    """All digits of a settled number, without trailing zeros: 0.5, 1.414, 8."""
    if not isfinite(x):
        return show(x)
    d = settle(x).normalize()
    if d.adjusted() >= _LONGEST:  # 1.14200738982e26
        mantissa, power = f"{d:e}".split("e")
        return f"{mantissa}e{int(power)}".replace("-", MINUS)
    return (f"{d:f}" if d else "0").replace("-", MINUS)


def pixels(x, places=2):  # float -> str
    """A length in SVG: two decimals, and an ASCII minus sign.

    >>> pixels(10.4567), pixels(-3.0), pixels(0.0123, places=6)
    ('10.46', '-3', '0.0123')
    """
    return as_given(round_half_up(x, places, None)).replace(MINUS, "-")


def whole_digits(n):  # int -> str
    """The digits of an int of any length; Python's str refuses more than 4,300."""
    return f"{Decimal(n):f}"


def of_digits(text):  # str -> int
    """The inverse of `whole_digits`."""
    return int(Decimal(text))
