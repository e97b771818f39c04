"""Which signs are digits, and by which others each could be replaced.

One list serves three readers: what the checker counts, which replacements an equation must not
survive, and what the mutation test changes.
"""

import re
from unicodedata import category

FRACTIONS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
LOWERED = "₀₁₂₃₄₅₆₇₈₉"
FAMILIES = ("0123456789", RAISED, LOWERED, "".join(FRACTIONS))

# \d is every decimal digit; the other signs that stand for a number (², ½, ①, Ⅳ) are listed by Unicode
_SIGNS = "".join(c for c in map(chr, range(0x3000)) if category(c) in ("No", "Nl"))
DIGIT = re.compile(rf"[\d{_SIGNS}]")
NUMERAL = re.compile(rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|[{RAISED}]+|[{LOWERED}]+|[{_SIGNS}]")


def alternatives(digit):  # "3" -> "012456789"
    """The other digits of the same kind. A sign the book does not write has none: it fails as it stands."""
    return next((family.replace(digit, "") for family in FAMILIES if digit in family), "")


def replaced(text, at, digit):
    """The text with one digit replaced."""
    return text[:at] + digit + text[at + 1 :]
