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
_DIGITS_BEFORE = re.compile(r"(?:\d[.,]?|`)\Z")
PER_CENT = r"[%％﹪٪‰‱℅]|per ?cents?\b|p\. ?c\.|pct\b|per ?mille?\b|percentage|in (?:%|per ?cent)"
SCALES = (
    r"(?:hundred(?:th)?s?|thousand(?:th)?s?|tenths?|(?:[mbtr]|quadr|quint)+illion(?:th)?s?|dozens?|score of|milliards?|mille|lakhs?|crores?|mio"
    r"|mln|bn|squared|cubed|factorial|to the power|times ten|[kKMG]|and (?:a|one|two|three) (?:half|quarters?|thirds?|fifths?|tenths?))\b(?! ?[=≈·×])"
)
_PART_OF = rf"(?:in|out of|of) (?:every )?(?:an? )?(?!one\b)(?:{NUMBER_WORD.pattern}|dozen|hundred|thousand)(?= ?[.,;:!?)]|\Z)"
_UNIT = re.compile(
    rf"[*_]*(?: ?\^? ?(?:{PER_CENT})| {_PART_OF}|[ -](?:{SCALES})|[kKMG]\b|[eE][\d{BOUND}]|[xX](?![\w{BOUND}])"
    rf"|\^th|[!′″∞{RAISED}{LOWERED}⁻⁺ⁿ]| !|[.,]?\d)",
    re.I,
)
# includes the space: 8 2 is read as one number
_JOINT = re.compile(rf"(?:[.,'’_:٫٬،‚˙⸴⸱‧／，．∶˸꞉/∕⁄⧸eE ]|\^ ?|[*_]+)?{BOUND}")


def find_affixes(before, after):  # the text before a number and behind it -> (prefix, suffix), or None
    """The affixes of a number; either may be an empty string."""
    sign = _SIGN.search(before) or _DIGITS_BEFORE.search(before)
    if sign is None and _LONE_DASH.search(before) and not _SUBTRACTS.search(before):
        sign = _LONE_DASH.search(before)
    unit = _UNIT.match(after) or _JOINT.match(after)
    return (sign[0] if sign else "", unit[0] if unit else "") if sign or unit else None
