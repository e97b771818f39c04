"""Fractions and multiples in words: a seventh of the words, nine times as likely. The numbers of their paragraph have to bear them out.

The small ones of everyday speech (half, a third, a tenth, twice, four times) are left alone, unless they measure what a run computes.
"""

import re
from itertools import permutations

from pencil.checker.words import NUMBER_WORD, ORDINAL, value_of

_QUARTERS = {"quarter": 4, "quarters": 4}
_PARTS = "(?:thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|elevenths?|twelfths?|hundredths?|thousandths?|millionths?)"
_RARE = "fifths?|sixths?|sevenths?|eighths?|ninths?|elevenths?|twelfths?"  # of these nobody says one without having counted
_TOP = rf"(?P<top>an?|one|{NUMBER_WORD.pattern})[ -]"
_MEASURED = "weights?|shares?|attention|scores?|total|sum|words|reviews|texts|tokens|letters|whole|miss|loss|tick|guesses"
_CHANGES = "shrinks?|shrank|drops?|dropped|falls?|fell|sinks?|sank|rises?|rose|grows?|grew"
_MULTIPLES = {"treble": 3, "triple": 3, "thrice": 3, "quadruple": 4, "quintuple": 5}
_RATIOS = [
    re.compile(pattern, re.I)
    for pattern in (  # a fifth token is the next one, and no part
        rf"\b{_TOP}(?P<part>{_RARE})\b(?:(?<=s)|(?= (?:of|as|smaller|larger|more|less|longer|shorter)\b| ?[.,;:!?)¦]|\Z))",
        rf"\b{_TOP}(?P<part>{_PARTS}) of (?:the |its |their |all )+(?:\w+ )?(?:{_MEASURED})\b",
        rf"\b(?:{_CHANGES}) (?:to|by) (?:about |nearly |almost |exactly )?{_TOP}(?P<part>(?!quarter){_PARTS})\b",
        rf"\b(?P<many>{NUMBER_WORD.pattern})(?P<half> and a half)? times (?=as|the|its|their|more|larger|smaller|longer|shorter|faster|slower)\b",
        rf"\bfactor of (?:about )?(?P<many>{NUMBER_WORD.pattern})(?P<half> and a half)?\b",
        rf"\b(?P<many>{NUMBER_WORD.pattern})(?P<half> and a half)\b",
        rf"\b(?P<word>{'|'.join(_MULTIPLES)})[sd]?\b",
    )
]
SPOKEN = (*range(5), 10)  # so many times are everyday speech


def unproven(text, numbers, holds):  # str, floats, float -> bool; -> (start, what is written) of each ratio that no two of the numbers have
    """The ratios in words that are neither a number of the paragraph nor between two of them, as nearly as words say it."""
    known = [abs(number) for number in numbers if number] + [1]
    for pattern in _RATIOS:
        for found in pattern.finditer(text):
            value, rest = _value(found.groupdict()), text[: found.start()] + text[found.end() :]
            beside = [*known, *filter(None, (value_of(word[0]) for word in NUMBER_WORD.finditer(rest)))]
            if value and not holds(value) and not any(abs(one / other - value) <= value / 10 for one, other in permutations(beside, 2)):
                yield found.start(), found[0]


def _value(found):  # the groups of a match -> float, or None for what everyday speech says
    if word := found.get("word"):
        return _MULTIPLES[word.lower()]
    if part := found.get("part"):
        top = 1 if found["top"].lower() in ("a", "an") else value_of(found["top"])
        part = part.lower()
        return top / (_QUARTERS.get(part) or _denominator(part))
    value = value_of(found["many"]) + (0.5 if found.get("half") else 0)
    return None if value in SPOKEN else value


def _denominator(part):  # "sevenths" -> 7
    singular = part.removesuffix("s")
    return value_of(singular) if ORDINAL.fullmatch(singular) else {"hundredth": 100, "thousandth": 1000, "millionth": 10**6}[singular]
