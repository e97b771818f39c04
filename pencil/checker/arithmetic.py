"""Evaluate plain-text arithmetic with a small recursive descent parser.

    side    = product (+|− product)*
    product = signed (·|×|/|÷ signed)*
    signed  = − signed | power
    power   = atom (^ signed | ⁴ | %)?
    atom    = 2.718 | ½ | e (before a power) | √ atom | name(side, ...) | (side) | [side, ...]

All product signs have the same precedence and are left-associative. The meaning of `·` depends on its operands: between two
rows it is the dot product, between a matrix and a row it is the matrix-vector product, and with a number it is ordinary
multiplication. `×` always multiplies elementwise.
"""

import math
import operator
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from pencil.checker.digits import FRACTIONS, RAISED


class NotArithmetic(ValueError):
    """The text is not an expression, or is ambiguous."""


@dataclass(frozen=True)
class Number:
    """A value, and its digits (or ∞) as written; None if it was computed."""

    value: float
    written: Decimal | None = None
    percent: bool = False  # whether it was written in percent; `written` is already divided by 100

    @property
    def is_minus_zero(self):
        """Whether it is written as −0, which is allowed in an expression (e^(−0)) but not as a result."""
        return self.written is not None and self.written.is_zero() and self.written.is_signed()


class Token(NamedTuple):
    """A number, fraction, raised number, word or sign, and where it stands in the text."""

    kind: str
    text: str
    start: int
    end: int


_WORD = rf"[^\W\d{RAISED}{''.join(FRACTIONS)}]"
_TOKEN = (
    rf"(?P<number>{{number}})|(?P<fraction>[{''.join(FRACTIONS)}])|(?P<raised>⁻?[{RAISED}]+)"
    rf"|(?P<word>{_WORD}(?:{_WORD}|\d)*)|(?P<sign>\S)"
)
_PLAIN = re.compile(_TOKEN.format(number=r"\d+(?:\.\d+)?"))
_WITH_THOUSANDS = re.compile(_TOKEN.format(number=r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"))
_LIST = re.compile(r"\[[^\[\]]*\]|(?<=[^\W\d])\([^()]*\)")  # inside a row or a call a comma separates numbers


def tokenize(text):  # -> list of Token
    """Tokenize any text into numbers, words and signs."""
    found, at = [], 0
    for start, end in (*(m.span() for m in _LIST.finditer(text)), (len(text), len(text))):
        for pattern, stop in ((_WITH_THOUSANDS, start), (_PLAIN, end)):
            found += [Token(m.lastgroup, m.group(), *m.span()) for m in pattern.finditer(text, at, stop)]
            at = stop
    return found


def _sigmoid(x):
    return 1 / (1 + math.exp(-x))


FUNCTIONS = {
    "sqrt": math.sqrt, "exp": math.exp, "ln": math.log, "sin": math.sin, "cos": math.cos, "tanh": math.tanh,
    "sigmoid": _sigmoid, "max": max, "min": min, "abs": abs,
}  # fmt: skip
SUMS = {"+": operator.add, "-": operator.sub, "−": operator.sub}
PRODUCTS = {"×": operator.mul, "/": operator.truediv, "÷": operator.truediv}


def _work(function, *numbers):  # floats -> Number; NaN, which equals nothing, if the result is undefined
    try:
        value = function(*numbers)
    except (ArithmeticError, ValueError, TypeError):
        value = math.nan
    return Number(math.nan if isinstance(value, complex) else value)


def _elementwise(function, *values):
    """Apply a function elementwise to numbers and rows, with broadcasting of numbers."""
    widths = {len(v) for v in values if isinstance(v, tuple)}
    if not widths:
        return _work(function, *(v.value for v in values))
    if len(widths) > 1:
        raise NotArithmetic(f"rows of {' and '.join(map(str, sorted(widths)))} numbers do not go together")
    elements = zip(*(v if isinstance(v, tuple) else (v,) * max(widths) for v in values), strict=True)
    return tuple(_elementwise(function, *element) for element in elements)


def _is_matrix(value):
    return isinstance(value, tuple) and any(isinstance(v, tuple) for v in value)


def _dot(a, b):
    if isinstance(a, Number) or isinstance(b, Number):
        return _elementwise(operator.mul, a, b)
    if _is_matrix(b):
        raise NotArithmetic("a product with a matrix on the right has two readings; write matrix · row")
    if _is_matrix(a):
        return tuple(_dot(row, b) for row in a)
    return _work(math.fsum, [p.value for p in _elementwise(operator.mul, a, b)])


def _negative(value):
    if isinstance(value, Number) and value.written is not None:
        return replace(value, value=-value.value, written=value.written.copy_negate())
    return _elementwise(operator.neg, value)


class Parser:
    """Parses one side of an equation from token `at` on; afterwards `at` is the index after it."""

    def __init__(self, tokens, at=0):
        self.tokens, self.at = tokens, at

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Token("end", "", -1, -1)

    def take(self, signs):
        if self.peek().text not in signs:  # `signs` has to be a list or dict: in a string `in` would find substrings
            return None
        self.at += 1
        return self.tokens[self.at - 1].text

    def expect(self, sign):
        if not self.take([sign]):
            raise NotArithmetic(f"{sign!r} is missing")

    def side(self):
        value = self.product()
        while sign := self.take(SUMS):
            value = _elementwise(SUMS[sign], value, self.product())
        return value

    def product(self):
        value = self.signed()
        while sign := self.take(("·", *PRODUCTS)):
            right = self.signed()
            value = _dot(value, right) if sign == "·" else _elementwise(PRODUCTS[sign], value, right)
        return value

    def signed(self):
        return _negative(self.signed()) if self.take(["-", "−"]) else self.power()

    def power(self):
        base = self.atom()
        if self.take(["^"]):
            return _elementwise(operator.pow, base, self.signed())
        if self.peek().kind == "raised":
            exponent = self.take([self.peek().text]).replace("⁻", "-")
            return _elementwise(operator.pow, base, Number(int(exponent.translate({ord(c): str(i) for i, c in enumerate(RAISED)}))))
        if self.take(["%"]):
            return _percent(base)
        return base

    def atom(self):
        token = self.peek()
        self.at += 1
        if token.kind == "number":
            return _literal(token.text)
        if token.kind == "fraction":
            return _work(operator.truediv, *FRACTIONS[token.text])
        if token.text == "∞":
            return Number(math.inf, Decimal("Infinity"))
        if token.kind == "word":
            return self.word(token)
        if token.text == "√":
            return _elementwise(math.sqrt, self.atom())
        if token.text == "(":
            value = self.side()
            self.expect(")")
            return value
        if token.text == "[":
            return self.items("]")
        raise NotArithmetic(f"{token.text!r} is no number")

    def word(self, token):
        if token.text == "e" and (self.peek().text == "^" or self.peek().kind == "raised"):
            return Number(math.e)
        if token.text in FUNCTIONS and self.take(["("]):
            return _elementwise(FUNCTIONS[token.text], *self.items(")"))
        raise NotArithmetic(f"{token.text!r} is no number")

    def items(self, close):
        values = [self.side()]
        while self.take([","]):
            values.append(self.side())
        self.expect(close)
        return tuple(values)


def _literal(text):
    digits = text.replace(",", "")
    if len(digits) > 1 and digits[0] == "0" and digits[1] != ".":
        raise NotArithmetic(f"{text} has a leading zero")
    return Number(float(digits), Decimal(digits))


def _percent(base):
    if isinstance(base, Number) and base.written is not None:
        return Number(base.value / 100, base.written.scaleb(-2), percent=True)
    return _elementwise(lambda x: x / 100, base)


def evaluate(text):  # str -> Number, or a (nested) tuple of them
    """Evaluate an expression. Raises NotArithmetic unless the whole text is one."""
    parser = Parser(tokenize(text))
    value = parser.side()
    if parser.at < len(parser.tokens):
        raise NotArithmetic(f"{parser.peek().text!r} is left over in {text!r}")
    return value
