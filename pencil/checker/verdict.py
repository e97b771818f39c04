"""Judge one block: every numeral has to be bound, computed, quoted or declared.

A pure function of the block and its context, so that the mutation test needs no file, notebook or kernel.
"""

import re
from dataclasses import dataclass, field

from pencil.checker import claims, demand, owners, reading, units
from pencil.checker.bindings import objection
from pencil.checker.digits import DIGIT, alternatives, replaced
from pencil.checker.equations import chains, forced, holds
from pencil.checker.numerals import OWN_ROLE, arithmetic_text, find_numerals, line_of, pieces

MARKS = "$` "  # delimiters of formulas and code spans
MARKED = {"$": "tex", "`": "code"}  # first character of a declared text: the kind of piece that it may stand for
FAILING = "failing"
NO_ROLES = {
    "heading": "a heading",
    "title": "a title or option",
    "code": "code",
    "tex": "TeX",
    "html": "HTML",
    "alt": "alt text",
    "tooltip": "the title of a link",
}

ODD = {
    "broken": "a binding reads {v}`digits <reference>`, a claim {when}`words <reference > number>`, and a word {w}`word`",
    "entity": "an entity shows another sign than is written: write the sign itself",
}


@dataclass(frozen=True)
class Failure:
    """An error: its line, what is written there, and the reason."""

    line: int
    written: str
    reason: str


@dataclass(frozen=True)
class Context:
    """What a block is judged against: the published values, and the declarations and code of its page."""

    values: object  # find(reference) and nearest(number)
    declared: dict  # name -> text
    code: str  # the page's code cells
    known: object = reading.KnownNumbers()  # what number words may repeat


@dataclass
class Verdict:
    """The result for one block; `ways` maps the offset of every numeral to how it is accounted for."""

    block: object
    failures: list = field(default_factory=list)
    used: set = field(default_factory=set)
    ways: dict = field(default_factory=dict)

    def fail(self, at, written, reason):
        self.failures.append(Failure(line_of(self.block, at), " ".join(written.split()), reason))

    def account(self, start, end, way):
        """Account for the numerals between two offsets, unless an earlier rule has."""
        for span in find_numerals(self.block):
            if start <= span[0] and span[1] <= end:
                self.ways.setdefault(span, way)


def judge(block, context):  # Block, Context -> Verdict
    """Judge a block by, in this order, its bindings, notation, equations, signs and words, units, claims and owners."""
    verdict = Verdict(block)
    _judge_answer(verdict, context)
    for piece in pieces(block):
        _judge_piece(verdict, piece, context)
    for start, end in chains(arithmetic_text(block)):
        _judge_equation(verdict, arithmetic_text(block)[start:end], start)
    if block.kind != "answer":
        reading.judge_rendered(verdict, context)
    units.judge_units(verdict)
    demand.judge_sentences(verdict, context)
    owners.judge_owners(verdict, context)
    for start, end in find_numerals(block):
        if (start, end) not in verdict.ways:
            written = block.text[start:end]
            verdict.fail(start, written, f"stands for nothing{_remedy(block, start, written, context.values)}")
            verdict.account(start, end, FAILING)
    return verdict


def refusals(block):  # Block -> list of Failure
    """The bindings in places where the render tool cannot make a span."""
    verdict = Verdict(block)
    for piece in pieces(block):
        if reason := _refusal(block, piece):
            verdict.fail(piece.start, block.text[piece.start : piece.end], reason)
    return verdict.failures


def _refusal(block, piece):
    place = NO_ROLES.get(block.kind) or NO_ROLES.get(piece.kind)
    if place and (role := OWN_ROLE.search(block.text, piece.start, piece.end)):
        remedy = "{w} cannot stand in {}: write the word alone" if role[0] == "{w}" else "a binding cannot stand in {}: move the digits into the text"
        return remedy.replace("{}", place)
    return ODD.get(piece.kind)


def _judge_answer(verdict, context):
    text = verdict.block.text
    if verdict.block.kind == "answer":
        try:
            context.values.find(text)
        except KeyError as unknown:
            verdict.fail(0, f":answer: {text}", unknown.args[0])


def _judge_piece(verdict, piece, context):
    text = verdict.block.text[piece.start : piece.end]
    if reason := _refusal(verdict.block, piece):
        verdict.fail(piece.start, text, reason)
        verdict.account(piece.start, piece.end, FAILING)
    elif piece.kind == "binding":
        _judge_binding(verdict, piece, context)
    elif piece.kind == "claim":
        if reason := claims.objection(piece.reference, context.values):
            verdict.fail(piece.start, text, reason)
    elif piece.kind == "marker":
        if text != "1":
            verdict.fail(piece.start, text, "number every item of a list 1; Markdown counts")
            verdict.account(piece.start, piece.end, FAILING)
        verdict.account(piece.start, piece.end, "computed")
    elif piece.kind in ("code", "tex"):
        _judge_notation(verdict, piece, text, context)


def _judge_binding(verdict, piece, context):
    shown = verdict.block.text[slice(*piece.shown)].strip()
    reason = objection(shown, piece.reference, context.values, context.declared)
    if reason:
        verdict.fail(piece.start, shown, reason)
        verdict.account(*piece.shown, FAILING)
    name = piece.reference.removeprefix("page.")
    if name != piece.reference:
        verdict.used.add(name)
    verdict.account(*piece.shown, "declared" if name != piece.reference else "bound")


def _judge_notation(verdict, piece, text, context):
    """Code and TeX cannot contain roles: they are declared as a whole, or quote the page's own code verbatim."""
    name = next((n for n, shown in context.declared.items() if MARKED.get(shown[0]) == piece.kind and _unmarked(shown) == _unmarked(text)), None)
    if name:
        verdict.used.add(name)
        verdict.account(piece.start, piece.end, "declared")
    elif piece.kind == "code" and _is_quoted(_unmarked(text), context.code):
        verdict.account(piece.start, piece.end, "quoted")


def _unmarked(text):
    return " ".join(text.strip(MARKS).split())


def _is_quoted(text, code):
    """Whether it contains a name and occurs in the code cells, and would not with any other digit."""
    others = (replaced(text, at, digit) for at, sign in enumerate(text) if DIGIT.match(sign) for digit in alternatives(sign))
    return any(map(str.isalpha, text)) and _stands_in(text, code) and not any(_stands_in(other, code) for other in others)


def _stands_in(text, code):
    return re.search(rf"(?<![\w.]){re.escape(text)}(?!\w|\.\d)", code) is not None


def _judge_equation(verdict, text, at):
    if not holds(text):
        verdict.fail(at, text, "is not true on paper")
        verdict.account(at, at + len(text), FAILING)
        return
    for (start, end), only in forced(text).items():
        span = (at + start, at + end)
        if span not in verdict.ways and not only:
            verdict.fail(span[0], text[start:end], f"another digit would do in {' '.join(text.split())}: bind the whole sum")
            verdict.account(*span, FAILING)
        verdict.account(*span, "computed")


def _remedy(block, at, written, values):  # advice for a numeral that nothing accounts for
    kind = next((piece.kind for piece in pieces(block) if piece.start <= at < piece.end), None)
    place = NO_ROLES.get(block.kind) or NO_ROLES.get(kind)
    if place is None:
        return f"{_hint(written, values)}: bind it, compute it or declare it"
    whole = ", or declare the whole of it" if "code" in (block.kind, kind) or "tex" in (block.kind, kind) else ""
    return f", and a binding cannot stand in {place}: move the digits into the text or write them in words{whole}"


def _hint(written, values):
    try:
        nearest = values.nearest(float(written.replace(",", "")))
    except ValueError:  # ½, ⁴
        return ""
    return f" (nearest: {nearest})" if nearest else ""
