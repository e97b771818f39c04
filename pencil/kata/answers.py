"""Reading what a reader wrote: lenient about form, strict about value.

A number may be 2.5, −2.5, 1/3, √2, 3√2/4, 95 % or 2.85e-1. A row or grid is numbers with commas or spaces between; brackets
are welcome and change nothing. The decimal mark is a point. A comma between two digits separates two numbers, unless there are
as many as wanted only where it is a decimal mark: 0,269 0,731 is a row of two.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt

import numpy as np

from pencil.rounding import round_half_up

PLACES = 3  # a number that was rounded needs at least so many decimals
SINGLE = 6  # decimals that single precision vouches for
_TOKEN = re.compile(
    r"(?P<digits>[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]{1,3})?|\.[0-9]+(?:e[-+]?[0-9]{1,3})?)|(?P<root>√)|(?P<sign>[-+−])|(?P<over>/)|(?P<percent>%)", re.I
)
_BETWEEN = re.compile(r"[\s,;]+")
_TIGHT_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_COMMA_FOR_POINT = re.compile(r"[-+−]?[0-9]+,[0-9]+")
_THOUSANDS = re.compile(r"[-+−]?[1-9][0-9]{0,2},[0-9]{3}")


class Unreadable(ValueError):
    """No answer; the message says what to type."""


@dataclass(frozen=True)
class Typed:
    """A number as it was typed: its value, and how many decimals it was cut to; None for what was not cut (1/3, √2)."""

    value: float
    places: int | None

    def means(self, number):
        """Is this the number? To its own last decimal, of which there are three at least unless the number needs no more.

        Where the number was cut to three decimals, 1/3.718 or 0.26896 means 0.269 too.
        """
        off, scale = abs(self.value - number), max(1.0, abs(number))
        if off <= 1e-9 * scale:
            return True
        was_cut = number % 1 and number == round_half_up(number, figures=15)
        if was_cut and (self.places is None or self.places > PLACES) and off <= _half(PLACES):
            return True
        if self.places is None:
            return off <= 1e-6 * scale
        return self.places >= PLACES and self.goes_that_far(number)

    def goes_that_far(self, number):
        """Is it the number, as far as it was written?"""
        return self.places is not None and abs(self.value - number) <= _half(self.places)


def _half(places):  # half of the last decimal's unit, and a hair for what a float leaves
    return 0.5 * 10.0**-places * (1 + 1e-9)


def read(answer, count=None):  # str, number or nested list -> [Typed]
    """The numbers of an answer. `count` is how many are wanted; it decides what the comma of `0,269` is. Raises Unreadable."""
    if not isinstance(answer, str):
        return [_computed(x) for x in _numbers(answer)]
    text = answer.strip()[:2000]
    bare = re.sub(r"[\[\](){}|]", " ", text).strip()
    if not _BETWEEN.sub("", bare):
        raise Unreadable("There is nothing here yet. Type a number, such as 0.5 or −2.")
    if count == 1 and _COMMA_FOR_POINT.fullmatch(bare):
        thousands = f" For thousands leave it out: {bare.replace(',', '')}." if _THOUSANDS.fullmatch(bare) else ""
        raise Unreadable(f"A comma separates two numbers; the decimal mark is a point: {bare.replace(',', '.')}.{thousands}")
    closed = re.sub(r"\s*([/√%])\s*", lambda sign: sign[1] + (" " if sign[1] == "%" else ""), bare)  # 1 / 3 is one number
    closed = re.sub(r"([-+−])\s+(?=[0-9.√])", r"\1", closed)
    separated, decimal = _parts(closed), _parts(_TIGHT_COMMA.sub(".", closed))
    if count == len(decimal) < len(separated):
        with suppress(Unreadable):
            return [_typed(part) for part in decimal]
    return [_typed(part) for part in separated]


def _parts(text):
    return [part for part in _BETWEEN.split(text) if part]


def _computed(x):  # a number that came as one: short ones were cut, the others are what a float had, perhaps in single precision
    places = _places(repr(x))
    return Typed(x, None if x == int(x) or places > SINGLE else places)


def _numbers(answer):
    try:
        numbers = np.asarray(answer, float).ravel().tolist()
    except (TypeError, ValueError):
        raise Unreadable(f"{answer!r} holds something that is no number; give numbers, such as 2.5 or [2, 8].") from None
    if not np.isfinite(numbers).all():
        raise Unreadable("An answer is made of finite numbers.")
    return numbers


def _typed(part):
    tokens = [match for match in _TOKEN.finditer(part)]
    if "".join(match[0] for match in tokens) != part:
        raise Unreadable(f"“{part[:20]}” is no number; type one, such as 0.5, −2, 1/3 or √2.")
    kinds = [match.lastgroup for match in tokens]
    shape = "".join({"digits": "n", "root": "r", "sign": "s", "over": "o", "percent": "p"}[kind] for kind in kinds)
    if not re.fullmatch(r"s?(n|n?rn)(o(n|n?rn))?p?", shape):
        raise Unreadable(f"“{part[:20]}” is no number; type one, such as 0.5, −2, 1/3 or √2.")
    sign = -1 if tokens[0][0] in "-−" else 1
    above, *below = re.sub(r"^[-+−]|%$", "", part).split("/")
    under = _factor(below[0]) if below else 1.0
    if under == 0:
        raise Unreadable("Nothing can be divided by 0; type another number below the line.")
    value, percent = sign * _factor(above) / under, part.endswith("%")
    plain = not below and "√" not in part
    return Typed(value / 100 if percent else value, (_places(above) + 2 * percent) if plain else None)


def _factor(text):  # "3√2" -> 3 · √2
    before, root, after = text.partition("√")
    return float(before or 1) * (sqrt(float(after)) if root else 1.0)


def _places(text):
    mantissa, _, power = text.lower().partition("e")
    return max(0, len(mantissa.partition(".")[2]) - int(power or 0))
