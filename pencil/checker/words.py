"""Numbers that are written as words: twelve, seventy-three, three hundred and five."""

import re

_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
VALUES = {word: n for n, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, 2)} | _LARGE
_UNIT = rf"(?:(?:{'|'.join(_TENS)})(?:[-‐‑ ](?:{'|'.join(_SMALL[1:10])}))?|{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
_SCALED = rf"(?:{_UNIT})(?: (?:{'|'.join(_LARGE)}))*"
_MORE = r"(?:(?<=hundred)|(?<=thousand)|(?<=[mbtr]illion))(?: and | |, )"
_HUNDRED = rf"an? (?:{'|'.join(_LARGE)})(?= and {_SCALED}\b)"  # a hundred alone is many
NUMBER_WORD = re.compile(rf"\b(?:{_SCALED}|{_HUNDRED})(?:{_MORE}{_SCALED})*\b(?!-)", re.I)


COUNTED = 12  # up to here a number word counts things, and is no number to prove unless it states a result


def is_counted(text):  # "forty-eight" -> True
    """Is it one number word, above those that any sentence may hold?"""
    return bool(NUMBER_WORD.fullmatch(text)) and value_of(text) > COUNTED


def value_of(words):  # "three hundred and five" -> 305
    """The number that the words say."""
    total = group = 0
    for word in re.split(r"[\s‐‑,-]+", words.lower()):
        if word == "and":
            continue
        value = 1 if word in ("a", "an") else VALUES[word]
        if value < 100:
            group += value
        elif value == 100:
            group *= 100
        else:
            total, group = total + group * value, 0
    return total + group
