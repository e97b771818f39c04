"""The digit characters, and the alternatives to each.

One definition for what the checker counts, for which replacements an equation must rule out, and for what the mutation test changes.
"""

import re
from unicodedata import category, name, numeric

FRACTIONS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
LOWERED = "₀₁₂₃₄₅₆₇₈₉"
FAMILIES = ("0123456789", RAISED, LOWERED, "".join(FRACTIONS))


def _is_number_sign(sign):  # ², ½, Ⅳ, ㊂ and 〇, 五; and pictures, which may show one: 🔟, a die, a clock, a card, ㏇
    kind = category(sign)
    return (
        (kind == "So" and sign not in PLAIN and "ARROW" not in name(sign, ""))
        or kind in ("No", "Nl")
        or (kind == "Lo" and numeric(sign, None) is not None)
    )


PLAIN = "¦°©®™✓✔✗✘☐☑☒★☆"  # the first stands for what is no part of a sum
# \d is every decimal digit of any script; the other signs that stand for a number are those that Unicode knows as such
_SIGNS = "".join(filter(_is_number_sign, map(chr, range(0x10000))))
_FAR_SIGNS = "".join(filter(_is_number_sign, map(chr, range(0x10000, 0x20000))))
# re compares a sign with thousands of far ones in turn, so it looks first whether the sign is a far one: 100 times as fast
_SIGN = rf"[\d{_SIGNS}]|(?=[\U00010000-\U0001ffff])[{_FAR_SIGNS}]"
DIGIT = re.compile(_SIGN)
NUMERAL = re.compile(rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|[{RAISED}]+|[{LOWERED}]+|{_SIGN}")


def alternatives(digit):  # "3" -> "012456789"
    """The other digits of the same kind; "" for a kind that the book does not use, which always fails."""
    return next((family.replace(digit, "") for family in FAMILIES if digit in family), "")


def replaced(text, at, digit):
    """The text with the character at index `at` replaced."""
    return text[:at] + digit + text[at + 1 :]
