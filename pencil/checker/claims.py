"""Claims: words that are true while a condition on values holds, such as {when}`almost all <nolan.weights[ended] > 0.9>`.

    claim      = comparison ("and" comparison)*
    comparison = side (> | < | ≥ | ≤ | = | ≠) side
    side       = term ((· | / | + | −) term)?
    term       = (max | min | √)? (number | reference)

All references are of one run. The paper values are compared: each side is rounded by the book's rule; rows are compared elementwise.
The page's script parses the same grammar (`pencil/web/page/claims.js`) and strikes the words out if a reader's numbers make them false.
"""

import operator
import re

import numpy as np

from pencil.rounding import round_half_up

COMPARED = {
    ">": lambda a, b: np.all(a > b), "<": lambda a, b: np.all(a < b), "≥": lambda a, b: np.all(a >= b), "≤": lambda a, b: np.all(a <= b),
    "=": lambda a, b: np.all(a == b), "≠": lambda a, b: np.any(a != b),
}  # fmt: skip
JOINED = {"·": operator.mul, "/": operator.truediv, "+": operator.add, "−": operator.sub}
APPLIED = {"max": np.max, "min": np.min, "√": np.sqrt}
_TERM = r"(?:(?:max|min) |√)?(?:\d+(?:\.\d+)?|[^\W\d][\w.]*(?:\[[^\]]*\])?)"
TERM = re.compile(r"(?P<function>(?:max|min)(?= )|√)? ?(?P<leaf>.+)", re.S)
SIDE = rf"(?:{_TERM})(?: [{''.join(JOINED)}] {_TERM})?"
COMPARISON = re.compile(rf"(?P<left>{SIDE}) (?P<sign>[{''.join(COMPARED)}]) (?P<right>{SIDE})\Z")
PARTS = re.compile(rf" ([{''.join(JOINED)}]) ")


def objection(claim, values):  # str, values -> str, or None if the claim holds
    """Why a claim is invalid or false."""
    comparisons = [COMPARISON.match(one) for one in " ".join(claim.split()).split(" and ")]
    if None in comparisons:
        return f"{claim} is no condition; write one such as <nolan.weights[ended] > 0.5>"
    runs = set()
    try:
        wrong = [found[0] for found in comparisons if not _holds(found, values, runs)]
    except (KeyError, ValueError) as unknown:
        return unknown.args[0]
    if len(runs) != 1:
        return f"{claim} has values of {'no run' if not runs else 'more than one run'}, so the page cannot follow it"
    return f"{wrong[0]} is not so" if wrong else None


def _holds(comparison, values, runs):
    left, right = (_side(comparison[side], values, runs) for side in ("left", "right"))
    return bool(COMPARED[comparison["sign"]](left, right))


def _side(text, values, runs):
    first, *rest = PARTS.split(text)
    value = _term(first, values, runs)
    if rest:
        value = JOINED[rest[0]](value, _term(rest[1], values, runs))
    return np.vectorize(round_half_up)(value)


def _term(text, values, runs):
    term = TERM.match(text)
    value = float(term["leaf"]) if term["leaf"][0].isdigit() else _value(term["leaf"], values, runs)
    return APPLIED[term["function"]](value) if term["function"] else value


def _value(reference, values, runs):
    found = values.find(reference)
    if not found.worked:
        raise ValueError(f"{reference} is a figure of no run, so the page cannot follow it")
    runs.add(found.worked["paper"].run)
    return np.asarray(found.paper, float)
