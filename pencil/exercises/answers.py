"""Reading what a reader wrote: lenient about form, strict about value.

A number may be 2.5, −2.5, 1/3, ½, 1½, √2, sqrt(2), 3√2/4, e, 95 %, 2.85e-1, twenty-four, a half or 20 million. A row or matrix is numbers
with commas, spaces or "and" between; brackets are welcome and change nothing, and so are a word before each number, a unit behind the
last one, and a reason ("because ..."). A comma between two digits separates two numbers, or it is a decimal mark (0,269), or it groups
thousands (16,384; a space and an apostrophe do so too): as there are as many numbers as wanted.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from math import e, isfinite, sqrt

import numpy as np

from pencil.rounding import PLACES, places_for, round_half_up

SINGLE = 6  # decimals that single precision vouches for
_TOKEN = re.compile(
    r"(?P<digits>[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]{1,3})?|\.[0-9]+(?:e[-+]?[0-9]{1,3})?)|(?P<root>√)|(?P<sign>[-+−])|(?P<over>/)|(?P<percent>%)", re.I
)
_BETWEEN = re.compile(r"[\s,;]+")
_RESULT = re.compile(r"\s*([^\s;,]+(?:,[0-9]+)?(?:\s*%)?)")  # the one number behind a sign, as in w1 = 0.269, w2 = 0.731
_TIGHT_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
STILL_A_SUM = "This is still a sum. Work it out, and type what comes out."
_LONGEST = 2000  # characters of an answer that are read
_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_WORDS = [*_DIGITS, *_TEENS]
_NOTHING = "There is nothing here yet. Type a number, such as 0.5 or −2."
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_FRACTIONS = {"1/2": "(?:(?:a|one) )?half", "1/3": "(?:a|one) third", "2/3": "two thirds", "1/4": "(?:a|one) quarter", "3/4": "three quarters"}
_SPELT = re.compile(rf"\b(?:({'|'.join(_TENS)})(?:[- ]({'|'.join(_DIGITS[1:])}))?|({'|'.join(_WORDS)}))\b", re.I)
_CUSTOMS = [  # what people write, and what is read
    (re.compile(r"^(\s*[-+−]?0),(?=[0-9]{3,}\s*$)"), r"\1."),  # 0,953 by itself
    *((re.compile(rf"\b{written}\b", re.I), plain) for plain, written in _FRACTIONS.items()),
    (re.compile(r"\bnought\b", re.I), "0"),
    (_SPELT, lambda spelt: _worded(*spelt.groups(""))),
    (re.compile(r"(?<![0-9./])([0-9]+)½"), lambda mixed: f"{2 * int(mixed[1]) + 1}/2"),
    *((re.compile(rf"(?<![0-9]){sign}"), plain) for sign, plain in zip("½⅓⅔¼¾", ("1/2", "1/3", "2/3", "1/4", "3/4"), strict=True)),
    (re.compile(r"sqrt\s*\(?\s*([0-9.]+)\s*\)?", re.I), r"√\1"),
    (re.compile(r"\be\b(?!\s*[:^=√0-9.−-])", re.I), repr(e)),
    (re.compile(r"\bper ?cent\b", re.I), "%"),
    (re.compile(r"(?<=[0-9])\s*million\b", re.I), "e6"),
    (re.compile(r"\bminus\b", re.I), "−"),
    (re.compile(r"[\s,;]*\bbecause\b.*", re.I | re.S), ""),
    (re.compile(r"\band\b|&", re.I), " "),
    (re.compile(r"\s+each(?: one| of them)?(?=\s*\.?$)", re.I), ""),
    (re.compile(r"(?<=[0-9])\s*x\s*(?=[0-9.(])", re.I), "·"),
    (re.compile(r"(?<=[0-9a-z])\s*\.\s*$", re.I), ""),
]
_FUNCTION = "ln|log|exp|tanh|sin|cos|pi"  # and π: what makes a number a sum
_NO_WORD = rf"(?!(?:{_FUNCTION}|inf|ee+)(?![a-zA-Z]))"
# Not those that say another number: 800 kB, 7 kbit, 8 kilobytes. A question asks for GiB, so 8 GiB is 8; the book asks for no other.
_BYTES = r"(?!gib)[kmgtp](?:i|ilo|ega|iga|era|ibi|ebi)?b(?:its?|ytes?|ps)?(?![a-z])"
_UNIT = re.compile(rf"(?<=[0-9%])\s*(?:(?:an?\s+)?{_NO_WORD}(?!{_BYTES})[a-z]{{2}}[a-z\s]*|[x×])$", re.I)  # 24 dials, 8 GiB
_LETTER = r"[a-wyzA-WYZ](?=\s*:)|[a-df-wyzA-DF-WYZ](?=\s)"  # a word of one letter: x is a sign as well, and so is e
_NAME = re.compile(rf"(?<![\w.])(?:{_NO_WORD}(?:[a-zA-Z]{{2,}}(?![a-zA-Z])|{_LETTER})\s*)+:?\s*(?=[-+−√0-9.])")  # cat 1
_SUM_SIGN = rf"[0-9\s.,+\-−*·×^()√%/]|e(?![a-z])|{_FUNCTION}"
_SUM = re.compile(rf"(?:{_SUM_SIGN})*(?:[0-9)]\s*[*·×^+]|{_FUNCTION}|e\s*\^)(?:{_SUM_SIGN})*", re.I)
_DIFFERENCE = re.compile(r"[0-9.]+\s*[-−]\s*[0-9.]+")  # of one number that is wanted
_MIXED = re.compile(r"([-+−]?)(?<![0-9./])([0-9]+)\s+([0-9]+)/([0-9]+)(?![0-9.])")  # 1 1/2, one and a half
_ORDER = re.compile(r"[0-9]+(?:[-–][0-9]+){2,}")  # 1-3-2
_THOUSANDS = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?:[ \u00a0\u202f'’][0-9]{3})+|(?:\.[0-9]{3})+)(?![0-9])")


class Unreadable(ValueError):
    """No answer; the message says what to type."""


@dataclass(frozen=True)
class Typed:
    """A number as it was typed.

    Args:
        value: the number
        places: how many decimals it was cut to; None for what was not cut (1/3, √2)
        figures: how many significant digits it was written with
    """

    value: float
    places: int | None
    figures: int = 0

    def means(self, number, places=PLACES):
        """Is this the number? To its own last decimal, of which there are `places` at least unless the number needs no more.

        Where the number was cut to three decimals or four figures, 1/3.718 or 0.26896 means 0.269 too. Infinity is no answer.
        """
        if not isfinite(number):
            return False
        off, scale = abs(self.value - number), max(1.0, abs(number))
        if off <= 1e-9 * scale:
            return True
        was_cut, written = number % 1 and number == round_half_up(number, figures=15), places_written(number)
        if was_cut and (self.places is None or self.places > written) and off <= _half(written):
            return True
        if self.figures > 1 and 0 < (self.places or 0) < written and off <= _half(written):  # 2.75 for 2.750: the last zero left out
            return True
        if self.places is None:
            return off <= 1e-6 * scale
        return self.places >= min(places, written) and self.rounds(number)

    def cuts(self, number):
        """Is it the number, rounded or cut off to fewer decimals, but not to a bare whole number?"""
        return bool(self.places and (self.value % 1 or (self.figures > 2 and abs(self.value) > 1))) and (
            self.rounds(number) or self._cuts_off(number)
        )

    def rounds(self, number):
        """Is it the number, rounded to as many decimals as were typed?"""
        return self.places is not None and abs(self.value - number) <= _half(self.places)

    def _cuts_off(self, number):  # 0.90 for 0.905: the first digits, the rest left out
        left = abs(number) - abs(self.value)
        is_shorter = number % 1 and self.figures > 1 and self.places < places_written(number)
        return bool(is_shorter) and self.value * number > 0 and 0 <= left < 10.0**-self.places * (1 - 1e-6)  # 0.29 is no 0.3


def places_written(number):
    """How many decimals the book writes: three, but no more than four figures in all."""
    return places_for(Decimal(repr(float(number))))


def _half(places):  # half of the last decimal's unit, and a hair for what a float leaves
    return 0.5 * 10.0**-places * (1 + 1e-9)


def read(answer, count=None):  # str, number or nested list -> [Typed]
    """The numbers of an answer, in the first of its readings. `count` is how many are wanted. Raises Unreadable."""
    return readings(answer, count)[0]


def readings(answer, count=None):  # str, number or nested list -> list of [Typed]
    """What an answer may mean. A comma may stand between two numbers, before decimals or between thousands; so a text has several
    readings. Those with as many numbers as wanted are given, or the plainest one where there is none. Raises Unreadable.
    """
    if not isinstance(answer, str):
        return [[_computed(x) for x in _numbers(answer)]]
    written = _customary(_results(re.split("[=≈~]", answer[:_LONGEST]), count))
    bare = re.sub(r"[\[\](){}|]", " ", written).strip()
    if not _BETWEEN.sub("", bare):
        raise Unreadable(_NOTHING)
    bare = _NAME.sub("", _UNIT.sub("", bare))
    if count and count > 2 and _ORDER.fullmatch(bare.strip()):
        bare = re.sub("[-–]", " ", bare)
    if count == 1 and _MIXED.fullmatch(bare.strip()):
        bare = _improper(bare)
    if count == 1:
        bare = re.sub(r"\s+√", "√", bare)  # 3 √2
    whole = _THOUSANDS.sub(lambda grouped: re.sub(r"[^0-9]", "", grouped[0]), bare)
    tight = _closed(bare) if written.count("[") > 1 else _TIGHT_COMMA.sub(".", _closed(bare))  # of [[5,5],[5,5]] each is a number
    texts = [_closed(bare), tight, _closed(whole), _closed(_improper(bare))]
    found = []
    for parts in map(_parts, dict.fromkeys(texts)):
        if len(parts) == count:
            with suppress(Unreadable):
                found.append([_typed(part) for part in parts])
    if not found and count == 1 and _DIFFERENCE.fullmatch(bare):
        raise Unreadable(STILL_A_SUM)
    parts = _parts(texts[0])
    try:
        return found or [[_typed(part) for part in parts]]
    except Unreadable:
        if _SUM.fullmatch(written.strip()):
            raise Unreadable(STILL_A_SUM) from None
        word = next(filter(None, map(_letters, parts)), "")
        if word and any(re.search("[0-9]", part) for part in parts):
            raise Unreadable(f"Type the number{'s' * (count != 1)} alone, without “{word[:20]}”.") from None
        raise


def _letters(part):  # "800kB" -> "kB", "x" -> "x"; but of 1e none
    letters = "".join(takewhile(str.isalpha, reversed(part)))[::-1]
    return letters if len(letters) > 1 or letters == part else ""


def _results(sides, count):  # of a whole line the result; of several, each of them
    single = [_RESULT.match(side) for side in sides[1:]]
    is_each = count and count > 1 and len(single) == count and all(single) and re.fullmatch(r"[\s\])}.]*", sides[-1][single[-1].end() :])
    return " ".join(found[1] for found in single) if is_each else sides[-1]


def _customary(text):
    for custom, plain in _CUSTOMS:
        text = custom.sub(plain, text)
    return text


def _worded(ten, one, word):  # "twenty", "four", "" -> "24"
    ten, one, word = ten.lower(), one.lower(), word.lower()
    return str(_WORDS.index(word) if word else 10 * (_TENS.index(ten) + 2) + (_WORDS.index(one) if one else 0))


def _improper(text):  # "−1 1/2 and 3" -> "−3/2 and 3"; what is above the line is below it in a mixed number
    def written(mixed):
        sign, whole, above, below = mixed.groups()
        return f"{sign}{int(whole) * int(below) + int(above)}/{below}" if int(above) < int(below) else mixed[0]

    return _MIXED.sub(written, text)


def _closed(text):  # 1 / 3 is one number, and so is - 1
    text = re.sub(r"\s*([/%])\s*|(√)\s+", lambda sign: sign[2] or sign[1] + (" " if sign[1] == "%" else ""), text)
    return re.sub(r"([-+−])\s+(?=[0-9.√])", r"\1", text)


def _parts(text):
    return [part for part in _BETWEEN.split(text) if part]


def _computed(x):  # a number that came as one: short ones were cut, the others are what a float had, perhaps in single precision
    places = _places(repr(x))
    return Typed(x, None if x == int(x) or places > SINGLE else places, _figures(repr(x)))


def _numbers(answer):
    try:
        numbers = np.asarray(answer, float).ravel().tolist()
    except (TypeError, ValueError, OverflowError):
        raise Unreadable(f"{answer!r} holds something that is no number; give numbers, such as 2.5 or [2, 8].") from None
    if not numbers:
        raise Unreadable(_NOTHING)
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
    return Typed(value / 100 if percent else value, (_places(above) + 2 * percent) if plain else None, _figures(above))


def _factor(text):  # "3√2" -> 3 · √2
    before, root, after = text.partition("√")
    return float(before or 1) * (sqrt(float(after)) if root else 1.0)


def _figures(text):  # "0.050" -> 2
    return len(re.sub(r"[^0-9]", "", text.lower().partition("e")[0]).lstrip("0"))


def _places(text):
    mantissa, _, power = text.lower().partition("e")
    return max(0, len(mantissa.partition(".")[2]) - int(power or 0))
