"""Declared numerals of a page, such as years, versions, and names such as GPT-2.

    pencil:
      declared:
        year_attention: {text: "2014", is: "the year of Bahdanau et al."}

A declaration is for numbers that no code computes: a number in the page's code cells may not be declared, and an unused
declaration is an error. A declared formula may contain such numbers as symbols ($n^2$), but no values: no sums, rows or decimals.
"""

import re
from decimal import Decimal

from pencil.checker.digits import DIGIT
from pencil.checker.equations import chains
from pencil.checker.words import is_counted

# a number by itself: not the 2 of GPT-2 or word2vec, nor the 1 of 1e-5; atomic (?>…), so not the 1 of 13B
_ALONE = re.compile(r"(?<![\w.])(?<![^\W\d]-)(?>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)(?![^\W\d]|\.\d)")
_VALUES = re.compile(r"\[[^\[\]]*\d[^\[\]]*\]|\d[.,]\d")  # a row in brackets, decimals


def declared_texts(page):  # Page -> {name: text}
    """The declared texts by name; {v} refers to them as page.NAME."""
    return {name: str(entry["text"]) for name, entry in _entries(page).items() if not _objection(entry)}


def objections(page, used):  # -> list of (name, text, reason)
    """The errors in the declarations; `used` are the names that the page's bindings refer to."""
    in_code = _numbers(re.sub(r"(?<=\d)_(?=\d)", "", "\n".join(page.cells)))
    found = []
    for name, entry in _entries(page).items():
        reason = _objection(entry)
        text = "" if reason else entry["text"]
        known = sorted(map(str, _numbers(text) & in_code)) if text[:1] != "$" else []  # the digits of a formula are symbols
        if known:
            reason = f"{known[0]} occurs in the code cells: bind it to the value it is"
        elif not reason and name not in used:
            reason = f"declared and never used; bind it as <page.{name}> or take it out"
        if reason:
            found.append((name, text, reason))
    return found


def _entries(page):
    return page.declared


def _objection(entry):
    if not isinstance(entry, dict) or not isinstance(entry.get("text"), str) or not (DIGIT.search(entry["text"]) or is_counted(entry["text"])):
        return 'a declaration reads NAME: {text: "2014", is: "what it is"}, its text in quotes and with a digit or a number word above twelve'
    if not isinstance(entry.get("is"), str) or not entry["is"].strip():
        return f'{entry["text"]} does not say what it is; add is: "..."'
    if entry["text"][0] == "$" and _holds_values(entry["text"]):
        return f"{entry['text']} holds values, and TeX carries symbols: write it as plain text, {entry['text'].strip('$ ')}, and bind or compute it"
    return None


def _holds_values(formula):
    """Whether a formula contains a sum, a row, decimals, or a side of a relation without any symbol."""
    sides = re.split(r"[=≈]|\\approx", re.sub(r"\\(?!approx)[a-zA-Z]+", "", formula))
    bare = any(DIGIT.search(side) and not any(map(str.isalpha, side)) for side in sides)
    return bool(bare or chains(formula.strip("$ ")) or _VALUES.search(formula))


def _numbers(text):
    return {Decimal(number.replace(",", "")) for number in _ALONE.findall(text)}
