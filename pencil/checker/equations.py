"""Find equations in a text, decide whether they hold, and which of their digits they determine."""

import operator
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from unicodedata import category

from pencil.checker.arithmetic import FUNCTIONS, NotArithmetic, Number, Parser, tokenize
from pencil.checker.digits import DIGIT, NUMERAL, alternatives, replaced
from pencil.rounding import MINUS, settle, show

RELATIONS = ("=", "≈")
COMPARED = {"<": operator.lt, ">": operator.gt, "≤": operator.le, "≥": operator.ge, "≠": operator.ne}
LEADS = "→"  # in `2 + 6 → 8` it states a result; `8 → 3` is a change, not an equation
STATED = (*RELATIONS, *COMPARED, LEADS)
OPERATORS = set("+-−·×/÷^√%‰*–")
PLAIN_SIGNS = set("=≈|<>≤≥≠→~")  # mathematical signs that are not operators
NAMES = {*FUNCTIONS, "log"}  # in `ln 2` the 2 is not a side by itself
OPENERS = set("([=≈,;:|'\"“‘`")  # a side may follow these without a space


@lru_cache(maxsize=1 << 16)
def holds(text):  # -> True, False, or None if the text is not an equation
    """Whether every step of a chain of equations is true on paper.

    A written result has to be the rounded value of the expression beside it, or equal to it: a result with fewer digits than the
    rounding rule writes (1, 0.5) claims to be exact. Two expressions have to be equal up to float noise. `≈` means rounded half
    up to the places shown. A chain without any computation (4 = 4) is not an equation.
    """
    tokens = tokenize(text)
    sides, relations, end = _chain(tokens, 0)
    if end < len(tokens) or not relations or not any(map(_computed, sides)):
        return None
    return all(_agree(*step) for step in zip(sides, sides[1:], relations, strict=False))


@lru_cache(maxsize=1 << 16)
def forced(text):  # -> {(start, end): bool}
    """For each numeral of a true equation, whether replacing any of its digits would make the equation false."""

    def only_this(at):
        return not any(holds(replaced(text, at, digit)) for digit in alternatives(text[at]))

    return {m.span(): all(only_this(at) for at in range(*m.span()) if DIGIT.match(text[at])) for m in NUMERAL.finditer(text)}


def chains(text):  # -> list of (start, end)
    """The spans of the equations in a text. Sides that are not arithmetic (labels, words) are left out."""
    return [span for span, sides, _ in _chains(text, RELATIONS) if any(map(_computed, sides))]


def untrue(text):  # -> list of (start, end)
    """The spans of false statements: equations, and comparisons of two numbers (1 < 0, 8 = 3)."""
    return [span for span, sides, relations in _chains(text, STATED) if not all(map(_states, sides, sides[1:], relations))]


def stated(text):  # -> list of (start, end)
    """The spans of all equations and comparisons in signs, true or not."""
    return [span for span, _, _ in _chains(text, (*RELATIONS, *COMPARED))]


@lru_cache(maxsize=1 << 10)
def _chains(text, known):  # -> list of ((start, end), sides, relations between them)
    found, at = [], 0
    tokens = tokenize(text) if any(sign in text for sign in known) else []  # most of the prose says that nothing is equal
    while at < len(tokens):
        end = at + 1
        if _may_start(tokens, at):
            sides, relations, stop = _chain(tokens, at, known)
            if relations:
                end = stop
                found.append(((tokens[at].start, tokens[stop - 1].end), sides, relations))
        at = end
    return found


def _chain(tokens, at, known=RELATIONS):  # -> sides, relations between them, index after the last side
    """The longest chain of sides from token `at` on."""
    sides, relations, end = [], [], at
    while (side := _side(tokens, at)) is not None:
        value, end = side
        sides.append(value)
        if end == len(tokens) or tokens[end].text not in known:
            break
        relations.append(tokens[end].text)
        at = end + 1
    return sides, relations[: max(0, len(sides) - 1)], end


def _side(tokens, at):  # -> value, index after the side; or None if no side begins at token `at`
    parser = Parser(tokens, at)
    try:
        value = parser.side()
    except NotArithmetic:
        return None
    return (value, parser.at) if _may_end(tokens, parser.at) else None


def _may_start(tokens, at):
    """Whether a side may begin here: not after an operator, a call, or an adjacent word."""
    token = tokens[at]
    if token.text in "-−" and not (at + 1 < len(tokens) and token.end == tokens[at + 1].start):
        return False  # a minus with a space on both sides subtracts
    if at == 0:
        return True
    before = tokens[at - 1]
    touches = before.end == token.start
    return not _operates(before) and (not touches or before.text in OPENERS)


def _may_end(tokens, at):
    """Whether a side may end here: not before an operator or an adjacent word (4K)."""
    if at == len(tokens):
        return True
    after = tokens[at]
    return not _operates(after) and not (after.kind != "sign" and tokens[at - 1].end == after.start)


def _operates(token):
    """Whether a token binds to its neighbours; mathematical signs that are not listed do."""
    listed = token.text in OPERATORS or token.text in NAMES
    return listed or (token.kind == "sign" and category(token.text) == "Sm" and token.text not in PLAIN_SIGNS)


def _computed(value):
    return value.written is None if isinstance(value, Number) else any(map(_computed, value))


def _states(left, right, relation):
    """Whether one step of a chain holds."""
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
    """Whether the written digits are the number, or its rounding by the rule."""
    exact = settle(number.value) if number.written is None else number.written
    return written == exact or (number.written is None and written.compare_total(as_decimal(show(number.value))) == 0)


def _rounds_to(number, written):
    places = max(0, -written.as_tuple().exponent)
    return written.compare_total(as_decimal(show(number.value, places, None))) == 0


def as_decimal(shown):  # "−0.5" -> Decimal
    """Parse the output of `show`, keeping its number of decimals."""
    return Decimal(shown.replace(MINUS, "-"))
