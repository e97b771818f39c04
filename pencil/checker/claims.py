"""Claims: words that are true while a condition on values holds, such as {when}`almost all <nolan.weights[ended] > 0.9>`.

    claim      = comparison ("and" comparison)*
    comparison = (all | none)? side (sign side)+ | (ascending | descending) side
    sign       = > | < | ≥ | ≤ | = | ≠ | ≈ | ∈ | ∉
    side       = term ((· | / | + | −) term)?
    term       = function* (number | exact? reference)
    function   = max | min | sum | abs | sign | √ | twice | half | third | quarter | tenth

Each side is rounded by the book's rule, its paper values unless it says `exact`. Rows are compared number by number: every pair has to
hold (with `none`, no pair may; ≠ by itself asks for one). `a ≈ b` is within a tenth of b, and `a ∈ b` asks that each number of a is in b.
All references are of runs, or all are figures. The page's script reads the same grammar (`pencil/web/page/claims.js`) and strikes the
words out where a reader's numbers make them false.
"""

import operator
import re
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np

from pencil.rounding import round_half_up

SIGNS = {
    ">": operator.gt, "<": operator.lt, "≥": operator.ge, "≤": operator.le, "=": operator.eq, "≠": operator.ne,
    "≈": lambda a, b: abs(a - b) <= abs(b) / 10,
}  # fmt: skip
MEMBER = {"∈": True, "∉": False}
JOINED = {"·": operator.mul, "/": operator.truediv, "+": operator.add, "−": operator.sub}
FUNCTIONS = {
    "max": lambda x: [np.max(x)], "min": lambda x: [np.min(x)], "sum": lambda x: [reduce(operator.add, x)], "abs": np.abs, "sign": np.sign,
    "√": np.sqrt, "twice": lambda x: 2 * x, "half": lambda x: x / 2, "third": lambda x: x / 3, "quarter": lambda x: x / 4, "tenth": lambda x: x / 10,
}  # fmt: skip
ORDERS = {"ascending": operator.le, "descending": operator.ge}
WORDS = [*(name for name in FUNCTIONS if name != "√"), *ORDERS, "all", "none", "exact"]
_TOKEN = re.compile(  # one of the words is a reference where no term follows it: `half > 0.1`
    rf"\s*(?:(?P<word>√|and\b|(?:{'|'.join(WORDS)})(?=\s+(?:(?!and\b)[\w√]|−\d)))|(?P<sign>[{''.join([*SIGNS, *MEMBER])}])"
    rf"|(?P<number>\d+(?:\.\d+)?(?![\w:]))|(?P<joint>[{''.join(JOINED)}])|(?P<reference>(?:\d\d[a-z]?:)?[^\W\d][\w.]*(?:\[[^\]]*\])?))\s*"
)
EXAMPLE = "nolan.weights[ended] > 0.5"


@dataclass(frozen=True)
class Term:
    """A number or a reference, `exact` or not, and the functions before it."""

    leaf: object  # a float, or the text of a reference
    functions: tuple = ()
    exact: bool = False

    is_reference = property(lambda self: isinstance(self.leaf, str))


@dataclass(frozen=True)
class Side:
    terms: tuple
    joint: str = ""


@dataclass(frozen=True)
class Comparison:
    """Sides and the signs between them; `quantifier` is all, none, ascending, descending or empty."""

    quantifier: str
    sides: tuple
    signs: tuple


class _Reader:
    """Reads the tokens of a claim. Raises ValueError where they are none."""

    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise ValueError(text)
            self.tokens.append((token.lastgroup, token[token.lastgroup]))
            at = token.end()
        self.tokens.append(("end", ""))

    def take(self, kind, *texts):
        """The next token's text where it is one of these, else None."""
        if self.tokens[0][0] == kind and (not texts or self.tokens[0][1] in texts):
            return self.tokens.pop(0)[1]
        return None

    def claim(self):
        comparisons = [self.comparison()]
        while self.take("word", "and"):
            comparisons.append(self.comparison())
        if self.take("end") is None:
            raise ValueError(self.tokens[0][1])
        return tuple(comparisons)

    def comparison(self):
        quantifier = self.take("word", "all", "none", *ORDERS) or ""
        sides, signs = [self.side()], []
        while sign := self.take("sign"):
            signs.append(sign)
            sides.append(self.side())
        if bool(signs) == (quantifier in ORDERS):
            raise ValueError("no sign")
        return Comparison(quantifier, tuple(sides), tuple(signs))

    def side(self):
        first, joint = self.term(), self.take("joint")
        return Side((first, self.term()), joint) if joint else Side((first,))

    def term(self):
        functions = []
        while name := self.take("word", *FUNCTIONS):
            functions.append(name)
        exact = self.take("word", "exact") is not None
        minus = self.take("joint", "−")
        if number := self.take("number"):
            return Term(float(number) * (-1 if minus else 1), tuple(functions))
        leaf = self.take("reference")
        if leaf is None or minus:
            raise ValueError("no term")
        return Term(leaf, tuple(functions), exact)


@lru_cache(maxsize=4096)
def read(text):  # str -> tuple of Comparison
    """Read a condition. Raises ValueError for what is none."""
    return _Reader(" ".join(text.split())).claim()


def terms_of(claim):  # tuple of Comparison -> list of Term
    """All terms of a claim, in their order."""
    return [term for comparison in claim for side in comparison.sides for term in side.terms]


def holds(comparison, value_of):  # Comparison, (Term -> number or array) -> bool
    """Whether a comparison is so."""
    sides = [_written(side, value_of) for side in comparison.sides]
    if comparison.quantifier in ORDERS:
        return bool(np.all(ORDERS[comparison.quantifier](sides[0][:-1], sides[0][1:])))
    steps = [_compared(left, right, sign) for left, right, sign in zip(sides, sides[1:], comparison.signs, strict=False)]
    if comparison.quantifier == "none":
        return not any(step.any() for step in steps)
    one_is_enough = [sign == "≠" and not comparison.quantifier for sign in comparison.signs]
    return all(step.any() if one else step.all() for step, one in zip(steps, one_is_enough, strict=True))


def _compared(left, right, sign):
    if sign in MEMBER:
        return np.isin(left, right) == MEMBER[sign]
    return SIGNS[sign](*_paired(left, right))


def _written(side, value_of):  # the numbers of a side, rounded
    with np.errstate(all="ignore"):
        parts = []
        for term in side.terms:
            value = np.ravel(value_of(term) if term.is_reference else term.leaf).astype(float)
            for name in reversed(term.functions):
                value = np.ravel(FUNCTIONS[name](value))
            parts.append(value)
        value = JOINED[side.joint](*_paired(*parts)) if side.joint else parts[0]
    return np.array([round_half_up(x) for x in value])


def _paired(left, right):
    if len(left) != len(right) and 1 not in (len(left), len(right)):
        raise ValueError(f"rows of {len(left)} and {len(right)} numbers do not go together")
    return left, right


def objection(text, values):  # str, values -> str, or None if the claim holds
    """Why a claim is invalid or false."""
    try:
        claim = read(text)
    except ValueError:
        return f"{text} is no condition; write one such as <{EXAMPLE}>"
    runs = set()
    try:
        wrong = [comparison for comparison in claim if not holds(comparison, lambda term: _value(term, values, runs))]
    except (KeyError, ValueError) as unknown:
        return unknown.args[0]
    if not runs:
        return f"{text} has values of no run, so it says nothing of any"
    if len(runs) > 1 and None in runs:
        return f"{text} has figures beside values of a run, which the page cannot follow"
    if wrong:
        return f"{' '.join(text.split()).split(' and ')[claim.index(wrong[0])]} is not so"
    return None


def _value(term, values, runs):
    value = values.find(term.leaf)
    runs.add((value.reference.chapter, value.worked["paper"].run) if value.worked else None)
    return np.asarray(value.exact if term.exact else value.paper, float)
