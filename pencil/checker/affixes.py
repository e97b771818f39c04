"""Affixes of a number, which change its value: a sign before it, a unit after it, or a second number that is read as part of it."""

import re
from unicodedata import category

from pencil.checker.digits import LOWERED, RAISED
from pencil.checker.rendered import BOUND
from pencil.checker.words import NUMBER_WORD

DASHES = "-−⁻₋➖⁃˗‾¯∸⊖⊟" + "".join(sign for sign in map(chr, range(0x80, 0x20000)) if category(sign) == "Pd")
SIGN_WORDS = "minus|negative|plus or minus"
# a sign changes the number after it, unless it is between two operands: x − 8 subtracts
_SIGN = re.compile(rf"(?:(?<![\w)\]{BOUND}])(?<![\w)\]{BOUND}] )[{DASHES}] ?|[±∓√∛∜¬~∼∽] ?|(?<!\w)(?:{SIGN_WORDS}) ?)[(\[‘“'\"*_]*\Z", re.I)
_LONE_DASH = re.compile(rf"[^\W\d] [{DASHES}] ?\Z")  # a dash after a word looks like a minus of the number after it
_SUBTRACTS = re.compile(rf"(?<!\w)\w [{DASHES}] ?\Z")
_WORD_BEFORE = re.compile(  # words that make another number of the one behind them
    r"(?<!\w)(?:log|ln|exp|one over|point|(?:minus|negative) the number|the (?:negative|opposite|inverse|reciprocal) of"
    r"|hundred|thousand|million|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -]\Z",
    re.I,
)
_MARKS = re.escape("*_·×+−/=≈<>≤≥≠→^¦–—-")  # may stand between two numbers, or a number and a word, and are judged as such
# any other sign that touches a number is part of it, save the marks of a sentence
_TOUCHES_BEFORE = re.compile(rf"(?:[^\s{_MARKS}{BOUND}(\[{{“‘\"'«xX]|(?<![\d{BOUND}])[xX])\Z")
_TOUCHES_AFTER = re.compile(rf"[^\s{_MARKS}{BOUND})\]}}”’\"'».,;:!?…xX]|[.,;:!?…](?=[^\s{_MARKS})\]}}”’\"'».,;:!?…])")
_BRACKETS = {"(": ")", "[": "]", "“": "”", "‘": "’", '"': '"'}
_NTH = re.compile(r"(?:st|nd|rd|th)\b")  # the place in an order, which the digits say; `one 8th` is a part
_PART_BEFORE = re.compile(rf"(?<!\w)(?:an?|{NUMBER_WORD.pattern}|[\d{BOUND}]) \Z", re.I)
PER_CENT = (
    r"[%％﹪٪‰‱℅]|per ?cents?\b|p\. ?c\.|pct?\b|per ?mille?\b|percentage|in (?:%|per ?cent)|ppm\b|(?:parts )?per (?:hundred|thousand|[mb]illion)\b"
)
SCALES = (
    r"(?:hundred(?:th)?s?|thousand(?:th)?s?|tenths?|(?:[mbtr]|quadr|quint)+illion(?:th)?s?|dozens?|score of|milliards?|mrd|mille|lakhs?|crores?|mio"
    r"|mln|bn|squared|cubed|factorial|to the power|times ten|[kKMG]i?|kilo\w*|mega\w*|giga\w*|negative|below zero|hundredweight|raised to"
    r"|halves|(?:third|quarter|four?th|fifth|sixth|seventh|eighth|ninth)s"
    r"|to the (?:minus|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
    r"|and (?:a|one|two|three) (?:half|quarters?|thirds?|fifths?|tenths?))\b(?! ?[=≈·×])"
)
_PART_OF = rf"(?:in|out of|of) (?:every )?(?:an? )?(?!one\b)(?:{NUMBER_WORD.pattern}|dozen|hundred|thousand)(?= ?[.,;:!?)]|\Z)"
_UNIT = re.compile(
    rf"[*_]*(?:[)\]”’,]? ?\^? ?(?:{PER_CENT})| {_PART_OF}|[ -](?:{SCALES})|[kKMG]\b|[eE][\d{BOUND}]|[xX](?![\w{BOUND}])"
    rf"|\^th|[!′″∞{RAISED}{LOWERED}⁻⁺ⁿ]| !|[.,]?\d| ?ths\b| th\b| point {NUMBER_WORD.pattern})",
    re.I,
)
# a space too: 8 2 is read as one number
_JOINT = re.compile(
    rf"(?:[.,'’_:٫٬،‚˙⸴⸱‧／，．∶˸꞉/∕⁄⧸eE ]| ?\^ ?| [.,:] ?| (?:point|comma|mod|choose) |[*_]+)?{BOUND}",
)


def find_affixes(before, after):  # the text before a number and behind it -> (prefix, suffix), or None
    """The signs and units beside a number that are read as part of it; either may be empty."""
    sign = _SIGN.search(before) or _TOUCHES_BEFORE.search(before) or _WORD_BEFORE.search(before)
    if sign is None and _LONE_DASH.search(before) and not _SUBTRACTS.search(before):
        sign = _LONE_DASH.search(before)
    unit = _UNIT.match(after) or _JOINT.match(after) or _touching(before, after)
    if sign or unit:
        return sign[0] if sign else "", unit[0] if unit else ""
    return _around_brackets(before.rstrip(" "), after.lstrip(" "))


def _touching(before, after):
    """What touches the number from the right; a th makes it a place in an order, which is no other number, or a part."""
    nth = _NTH.match(after)
    if nth:
        return nth if _PART_BEFORE.search(before) else None
    return _TOUCHES_AFTER.match(after)


def _around_brackets(before, after):
    """The affixes of a number that stands in brackets alone: (8) %."""
    if before and after and _BRACKETS.get(before[-1]) == after[0]:
        return find_affixes(before[:-1], after[1:])
    return None
