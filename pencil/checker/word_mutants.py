"""False sentences made of true ones: a comparison turned round, two names or two bound numbers exchanged, another unit."""

import re
from itertools import pairwise

from pencil.checker.owners import EMPHASISED
from pencil.checker.sentences import sentences

_PAIRS = (
    "larger smaller", "greater less", "more less", "higher lower", "longer shorter", "wider narrower", "largest smallest", "highest lowest",
    "most least", "rises falls", "rise fall", "rose fell", "grows shrinks", "climbs drops", "better worse", "positive negative", "twice half",
    "faster slower", "nearer farther", "best worst", "all none",
)  # fmt: skip
OPPOSITES = {word: other for pair in _PAIRS for word, other in (pair.split(), pair.split()[::-1])}
_TURNS = re.compile(rf"(?<![\w`.<\[])(?:{'|'.join(sorted(OPPOSITES, key=len, reverse=True))})(?![\w.\]>])")
_UNIT = re.compile(r"(?<=`) (?:milliseconds|seconds|minutes|bytes|bits|MiB)\b|(?<=\d) %(?= <)")
_OTHER_UNIT = {
    " seconds": " minutes",
    " milliseconds": " seconds",
    " minutes": " seconds",
    " bytes": " bits",
    " bits": " bytes",
    " MiB": " GiB",
    " %": "",
}


def word_mutants(block):  # Block -> (kind, text of the block, what is changed)
    """The variants of the sentences with bound numbers; nearly all of them are false. A sum is judged as it is, so it stays."""
    for sentence in sentences(block):
        bound = [binding for binding in sentence.bindings if not binding.reference.startswith("page.")]
        if bound and not sentence.asks:
            start, end = sentence.span
            yield from _turned(block.text, start, end)
            yield from _renamed(block.text, start, end)
            yield from _exchanged(block.text, [binding for binding in bound if binding.start not in sentence.summed])
            yield from _in_other_units(block.text, start, end)


def _turned(text, start, end):
    conditions = [match.span() for match in re.finditer(r"<[^`<>]*(?:[<>][^`]*)?>`|`[^`<]*`", text)]
    for match in _TURNS.finditer(text, start, end):
        if not any(first <= match.start() < last for first, last in conditions):
            yield "comparisons", _put(text, match.span(), OPPOSITES[match[0]]), f"{match[0]} -> {OPPOSITES[match[0]]}"


def _renamed(text, start, end):
    names = list(EMPHASISED.finditer(text, start, end))
    for one, other in pairwise(names):
        if one[1].lower() != other[1].lower():
            changed = _put(_put(text, other.span(1), one[1]), one.span(1), other[1])
            yield "names", changed, f"{one[1]} <-> {other[1]}"


def _exchanged(text, bound):
    for one, other in pairwise(bound):
        first, second = (text[b.start : b.end] for b in (one, other))
        if text[slice(*one.shown)].strip() != text[slice(*other.shown)].strip():
            yield "bindings", _put(_put(text, (other.start, other.end), first), (one.start, one.end), second), f"{first} <-> {second}"


def _in_other_units(text, start, end):
    for match in _UNIT.finditer(text, start, end):
        yield "units", _put(text, match.span(), _OTHER_UNIT[match[0]]), f"{match[0]} -> {_OTHER_UNIT[match[0]]}"


def _put(text, span, other):
    return text[: span[0]] + other + text[span[1] :]
