"""Equations in a text: where they stand, whether they hold, and which of their digits are forced."""

import operator
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from unicodedata import category

from pencil.checker.arithmetic import FUNCTIONS, NotArithmetic, Number, Reader, tokens
from pencil.checker.digits import DIGIT, NUMERAL, alternatives, replaced
from pencil.rounding import MINUS, settle, show

RELATIONS = ("=", "≈")
COMPARED = {"<": operator.lt, ">": operator.gt, "≤": operator.le, "≥": operator.ge, "≠": operator.ne}
LEADS = "→"  # `8 → 3` is a change, and no sum; `2 + 6 → 8` says what comes out
STATED = (*RELATIONS, *COMPARED, LEADS)
OPERATORS = set("+-−·×/÷^√%‰*–")
PLAIN_SIGNS = set("=≈|<>≤≥≠→~")  # of the signs of mathematics, those that take no number as their own
NAMES = {*FUNCTIONS, "log"}  # `ln 2` is no sum, and what stands after it is no side of its own
OPENERS = set("([=≈,;:|'\"“‘`")  # a side may hug these from the right


@lru_cache(maxsize=1 << 16)
def holds(text):  # -> True, False, or None where the text is no equation
    """Is every step of the chain true on paper?

    A written result is what the rule writes for the sum beside it, or the sum itself: a result with
    fewer digits than the rule writes (1, 0.5) claims to be exact. Two sums are equal as they stand,
    up to float noise. `≈` says: rounded half up, at the places that are shown. A chain in which
    nothing is computed (4 = 4) proves nothing and is no equation.
    """
    read = tokens(text)
    sides, relations, end = _chain(read, 0)
    if end < len(read) or not relations or not any(map(_computed, sides)):
        return None
    return all(_agree(*step) for step in zip(sides, sides[1:], relations, strict=False))


@lru_cache(maxsize=1 << 16)
def forced(text):  # -> {(start, end): bool}
    """For each numeral of a true equation: would every other digit, at every place, make it untrue?"""

    def only_this(at):
        return not any(holds(replaced(text, at, digit)) for digit in alternatives(text[at]))

    return {m.span(): all(only_this(at) for at in range(*m.span()) if DIGIT.match(text[at])) for m in NUMERAL.finditer(text)}


def chains(text):  # -> list of (start, end)
    """The equations of a text. Sides that are not arithmetic (labels, words) are left out, never misread."""
    return [span for span, sides, _ in _chains(text, RELATIONS) if any(map(_computed, sides))]


def untrue(text):  # -> list of (start, end)
    """The statements about numbers that do not hold: equations, and two numbers that are compared (1 < 0, 8 = 3)."""
    return [span for span, sides, relations in _chains(text, STATED) if not all(map(_states, sides, sides[1:], relations))]


def bare_sums(text):  # -> list of (end, value)
    """The sums of a text that no relation joins to a result: where each ends, and what it comes to."""
    read, at, judged, found = tokens(text), 0, [span for span, _, _ in _chains(text, STATED)], []
    while at < len(read):
        value, end = (_side(read, at) if _may_start(read, at) else None) or (None, at + 1)
        if isinstance(value, Number) and _computed(value) and not any(first <= read[at].start < last for first, last in judged):
            found.append((read[end - 1].end, value))
        at = end
    return found


def is_result(value, written):  # Number, "0.95" -> bool
    """Are these the digits of what a sum comes to, worked out or rounded?"""
    said = Number(float(written.replace(",", "")), Decimal(written.replace(",", "")))
    return _states(value, said, LEADS)


def _chains(text, known):  # -> (start, end), the sides, the relations between them
    read, at = tokens(text), 0
    while at < len(read):
        end = at + 1
        if _may_start(read, at):
            sides, relations, stop = _chain(read, at, known)
            if relations:
                end = stop
                yield (read[at].start, read[stop - 1].end), sides, relations
        at = end


def _chain(read, at, known=RELATIONS):  # -> sides, relations between them, index after the last side
    """As many sides as follow one another from token `at` on."""
    sides, relations, end = [], [], at
    while (side := _side(read, at)) is not None:
        value, end = side
        sides.append(value)
        if end == len(read) or read[end].text not in known:
            break
        relations.append(read[end].text)
        at = end + 1
    return sides, relations[: max(0, len(sides) - 1)], end


def _side(read, at):  # -> its value and the index after it, or None where no whole side begins
    reader = Reader(read, at)
    try:
        value = reader.side()
    except NotArithmetic:
        return None
    return (value, reader.at) if _may_end(read, reader.at) else None


def _may_start(read, at):
    """A side does not begin inside another: after an operator, a call or a word that it touches."""
    token = read[at]
    if token.text in "-−" and not (at + 1 < len(read) and token.end == read[at + 1].start):
        return False  # a minus of its own hugs its number; with space on both sides it subtracts
    if at == 0:
        return True
    before = read[at - 1]
    touches = before.end == token.start
    return not _operates(before) and (not touches or before.text in OPENERS)


def _may_end(read, at):
    """A side does not end inside another: before an operator, or a word that it touches (4K)."""
    if at == len(read):
        return True
    after = read[at]
    return not _operates(after) and not (after.kind != "sign" and read[at - 1].end == after.start)


def _operates(token):
    """Does it take what stands beside it as its own? A sign of mathematics that nobody listed does."""
    listed = token.text in OPERATORS or token.text in NAMES
    return listed or (token.kind == "sign" and category(token.text) == "Sm" and token.text not in PLAIN_SIGNS)


def _computed(value):
    return value.written is None if isinstance(value, Number) else any(map(_computed, value))


def _states(left, right, relation):
    """Does one step hold, whatever its sign says?"""
    if relation == LEADS:
        return not _computed(left) or _computed(right) or _agree(left, right, "=") or _agree(left, right, "≈")
    if relation not in COMPARED:
        return _agree(left, right, relation) or (relation == "≈" and _agree(right, left, relation))
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_states(a, b, relation) for a, b in zip(left, right, strict=True))
    if isinstance(left, tuple) or isinstance(right, tuple):
        return False
    return COMPARED[relation](*(side.value if side.written is None else float(side.written) for side in (left, right)))


def _agree(left, right, relation):
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_agree(a, b, relation) for a, b in zip(left, right, strict=True))
    if isinstance(left, tuple) or isinstance(right, tuple) or not (isfinite(left.value) and isfinite(right.value)):
        return False
    if left.is_minus_zero or right.is_minus_zero:
        return False
    if right.written is None:
        left, right = right, left
    if right.written is None:
        return settle(left.value) == settle(right.value)
    return _rounds_to(left, right.written) if relation == "≈" else _writes(left, right.written)


def _writes(number, written):
    """The rule writes these digits for the number, or they are the number."""
    exact = settle(number.value) if number.written is None else number.written
    return written == exact or (number.written is None and written.compare_total(as_decimal(show(number.value))) == 0)


def _rounds_to(number, written):
    places = max(0, -written.as_tuple().exponent)
    return written.compare_total(as_decimal(show(number.value, places, None))) == 0


def as_decimal(shown):  # "−0.5" -> Decimal
    """What `show` wrote, as a number with its places."""
    return Decimal(shown.replace(MINUS, "-"))
