"""Whose number it is: the words that a sentence or a table row names have to be those that its bindings name.

No English is read, only names. Where a sentence emphasises a label of a binding's run, as in *nolan*,

- a number of labelled rows needs one of its own words to be named as well, and
- so does the word that picks it out of its row (`ended` in nolan.weights[ended]).

Two neighbouring numbers come in an order, unless a condition of their sentence compares them:

- those of one row in the order of the row, and
- others in the order in which the sentence has the words that distinguish their names (`lstm` in wrote_lstm, or the chapter's word for
  `query`).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from pencil.checker import claims
from pencil.checker.numerals import pieces
from pencil.checker.sentences import sentences
from pencil.checker.values import Reference

EMPHASISED = re.compile(r"(?<![*\w])\*([^*\s]+)\*(?![*\w])")
_WORD = re.compile(r"[\w-]+")
_PART = re.compile(r"[^\W\d_]{2,}")
_PLACE = re.compile(r"(?P<row>.+)\[(?:.*, ?)?(?P<at>\d+)\]\Z")
_STEM = 4  # so many letters of a word stand for it: `block` and `blocks`


@dataclass(frozen=True)
class Owner:
    """The words of a binding, in lower case."""

    own: tuple  # the labels of its rows and indices
    picked: str  # the row's word that picks it out of its row, or ""
    known: frozenset  # all labels of its run and its value
    parts: frozenset  # the words of its name, and what the chapter calls them


def owner_of(reference, values):  # str, values -> Owner, or None for what the values do not have
    """The words of a reference."""
    try:
        found = values.find(reference)
    except KeyError:  # a declaration, or `bindings.objection` says so
        return None
    parts = set(_PART.findall(found.reference.name.lower()))
    if not found.worked:
        return Owner((), "", frozenset(), frozenset(parts))
    worked = found.worked["paper"]
    value = worked.trace.find(found.local)
    fixed = [axis[at].lower() if axis and isinstance(at, int) else "" for axis, at in zip(value.array.axes, value.index, strict=True)]
    rows = {word.lower() for word in worked.trace.words}
    known = rows | {label.lower() for axis in value.array.axes if axis for label in axis}
    own = (*(word.lower() for word in value.array.row_word or ()), *filter(None, fixed))
    called = (worked.labels.get(name, "") for name in re.split(r"[.\[]", found.reference.name))
    parts |= {part for label in called for part in _PART.findall(label.lower())}
    return Owner(own, fixed[-1] if fixed and fixed[-1] in rows else "", frozenset(known), frozenset(parts))


def judge_owners(verdict, context):
    """Add a failure for each binding whose sentence names other words than it does, or has its words in another order."""
    block = verdict.block
    for sentence in sentences(block):
        emphasised = {word.lower() for word in EMPHASISED.findall(block.text, *sentence.span)}
        told = [(binding, owner) for binding in sentence.bindings if (owner := owner_of(binding.reference, context.values))]
        named = emphasised | {word.lower() for word in _WORD.findall(sentence.text)}
        for binding, owner in told:
            if owner.known & emphasised and (missing := _missing(owner, named)):
                verdict.fail(binding.start, block.text[slice(*binding.shown)], f"is of {missing!r}, which its sentence does not name")
        for one, other in pairwise(told):
            if reason := _misordered(sentence, one, other):
                verdict.fail(other[0].start, block.text[slice(*other[0].shown)], reason)


def _missing(owner, named):  # -> the word of a number that is not named, or ""
    if owner.own and not any(_is_named(word, named) for word in owner.own):
        return owner.own[-1]
    return "" if not owner.picked or _is_named(owner.picked, named) else owner.picked


def _is_named(word, named):  # by itself, in the plural, or without the number of a repeated word
    return word in named or f"{word}s" in named or word.rstrip("0123456789") in named


def _misordered(sentence, one, other):  # -> why two neighbours should change places, or None
    (first, its), (second, others) = one, other
    if {first.start, second.start} & sentence.summed or _are_compared(sentence, first, second):
        return None
    if in_one_row(second, first):
        return f"comes before {first.reference} in its row: name them in that order, or compare them in a claim"
    early, late = distinct_mentions(sentence, its, others)
    if early and late and min(early) > max(late):
        return f"is named before {first.reference}, and written after it: one of the two names or numbers is misplaced"
    return None


def in_one_row(one, other):  # two bindings -> whether they are of one row, in its order
    """Whether the first is a number of a row, and the second a later one of it."""
    rows = [_PLACE.match(Reference.parse(binding.reference).name) for binding in (one, other)]
    return bool(all(rows) and rows[0]["row"] == rows[1]["row"] and int(rows[0]["at"]) < int(rows[1]["at"]))


def distinct_mentions(sentence, its, others):  # Sentence, two Owners -> two sets of offsets
    """Where the sentence has words of the one name alone, and where those of the other alone."""
    own = [a.parts - b.parts | ({a.picked} if a.picked != b.picked else set()) for a, b in ((its, others), (others, its))]
    early, late = (_mentions(parts, sentence) for parts in own)
    return early - late, late - early


def _mentions(parts, sentence):  # -> where words of a name stand in a sentence
    return {at for word, at in _words(sentence) if any(_are_one(word, part) for part in parts if part)}


@lru_cache(maxsize=256)
def _words(sentence):
    return tuple((found[0].lower(), found.start()) for found in _PART.finditer(sentence.text))


def _are_one(word, part):
    return word == part or (len(part) >= _STEM and word.startswith(part)) or (len(word) >= _STEM and part.startswith(word))


def _are_compared(sentence, one, other):  # whether a condition of the sentence has both values
    wanted = {Reference.parse(binding.reference).name for binding in (one, other)}
    for claim in sentence.claims:
        try:
            leaves = {term.leaf for term in claims.terms_of(claims.read(claim.reference))}
        except ValueError:  # `claims.objection` says so
            continue
        if wanted <= leaves:
            return True
    return False


def misplaced_rows(blocks, values):  # Blocks of a page, values -> (line, what is written, reason)
    """The bindings of table rows that stand right of a cell that names another word than they do, or in the row that another names."""
    table = []
    for line, cells in groupby(blocks, lambda block: block.line):
        row = Row(line, tuple(cells))
        if table and line > table[-1].line + 1:
            yield from _in_other_rows(table, values)
            table = []
        table += [row] if len(row.cells) > 1 else []
        yield from _in_no_row_of_theirs(row, values)
    yield from _in_other_rows(table, values)


@dataclass(frozen=True)
class Row:
    """A row of a table, or any other block by itself: its line and its cells."""

    line: int
    cells: tuple

    @property
    def bindings(self):  # (cell, binding) of each
        return [(cell, piece) for cell in self.cells if cell.kind == "prose" for piece in pieces(cell) if piece.kind == "binding"]

    @property
    def named(self):  # the words of its first cell
        return {word.lower() for word in _PART.findall(self.cells[0].text)}


def _in_no_row_of_theirs(row, values):
    named, title = set(), ""
    for cell in row.cells:
        bound = [piece for piece in pieces(cell) if piece.kind == "binding"] if cell.kind == "prose" else []
        for piece in bound:
            owner = owner_of(piece.reference, values)
            if owner and owner.own and named & owner.known and not any(_is_named(word, named) for word in owner.own):
                reason = f"is of {owner.own[-1]!r}, and stands right of {title!r}: bind what this row names, or move the number"
                yield row.line, cell.text[slice(*piece.shown)], reason
        if not bound:
            named, title = {word.lower() for word in _WORD.findall(cell.text)}, cell.text


def _in_other_rows(table, values):  # a figure has no words but those of its name
    rows = [row for row in table if row.bindings and not any(cell is row.cells[0] for cell, _ in row.bindings)]
    for row in rows:
        for cell, piece in row.bindings:
            owner = owner_of(piece.reference, values)
            is_named = owner and not owner.own and not piece.reference.startswith("count ")
            for other in rows if is_named else ():
                here, there = ({word for word in one.named - two.named if word in owner.parts} for one, two in ((row, other), (other, row)))
                if there and not here:
                    yield (
                        row.line,
                        cell.text[slice(*piece.shown)],
                        f"is {piece.reference}, and the row of {min(there)!r} is another: bind what this row names, or move it",
                    )
