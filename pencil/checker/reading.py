"""What the rendered text of a block says with its numbers, beyond their digits: signs and units beside them, statements, number words."""

import re

from pencil.checker import neighbours, statements
from pencil.checker.digits import DIGIT
from pencil.checker.equations import chains
from pencil.checker.numerals import arithmetic_text, pieces, said
from pencil.checker.sight import BOUND, sight
from pencil.checker.words import COUNTED, NUMBER_WORD, value_of

_ABOUT = r"(?:(?:about|exactly|nearly|almost|only|just|to) )?"
_PARTS = r"(?:half|halves|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)"
_AMOUNT = (
    rf"(?:{NUMBER_WORD.pattern}(?: and (?:an?|one|two|three) {_PARTS})?"
    rf"|(?:(?:an?|one|two|three|four|five|seven|nine)[ -])?{_PARTS}|twice|double|thrice|nought|naught|nil|a dozen)"
)
_VERBS = (
    r"adds? up to|sums? (?:up )?to|totals?|equals?|is equal to|comes? to|comes? out (?:as|at|to)|amounts? to|turns? out to be"
    r"|works? out (?:as|at|to)|results? in"
)
_NOUNS = (
    r"sum|total|answer|result|average|mean|product|difference|quotient|remainder|root|score|miss|loss|cosine|tick|norm|length|maximum|minimum"
    r"|largest|smallest|largest score|smallest score"
)
_RESULT = re.compile(
    rf"(?:\b(?:{_VERBS})|[=≈]|\b(?:{_NOUNS})(?: of [\w*]+(?: [\w*]+)?)?(?: is| are| equals|:)) {_ABOUT}(?P<number>{_AMOUNT})(?= ?[.,;:!?)¦]|\Z)",
    re.I,
)
_MEASURE = re.compile(rf"(?P<number>{NUMBER_WORD.pattern}) (?:degrees?|per ?cent|[%％‰])", re.I)
ALLOWED = {0, 1}  # shares add up to one, the product of two rows at right angles is zero: words of the language
_ROMAN = re.compile(r"\b(?=[IVXLCDM]*[IVX])(?=[IVXLCDM]{2,}\b)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b|\b[ivx]{2,}\b")


def judge_sight(verdict, context):
    """Add what a reader would take for another number than the digits prove."""
    block = verdict.block
    seen, bound = sight(block), {}
    for piece in pieces(block):
        if piece.kind == "binding":
            bound[piece.start] = block.text[slice(*piece.said)].strip()
    for start, end in _numbers(block, seen):
        if changed := neighbours.objection(seen.text[:start], seen.text[end:]):
            written = bound.get(seen.place(start), seen.text[start:end])
            read = f"{changed[0]}{written}{changed[1]}".replace(BOUND, "…")
            verdict.fail(
                seen.place(start), written, f"what touches a number is read as part of it, here {read}: write it inside, or part it with a word"
            )
    for place, written in statements.false_ones(seen, bound):
        verdict.fail(place, written, "is not true on paper")
    _judge_words(verdict, seen, context.known)


def _numbers(block, seen):
    """Where the bound numbers and the sums stand in what is seen."""
    for found in re.finditer(BOUND, seen.text):
        yield found.span()
    for start, end in chains(arithmetic_text(block)):
        inside = [at for at, place in enumerate(seen.places) if start <= place < end]
        if inside and BOUND not in seen.text[inside[0]] + seen.text[inside[-1]]:
            yield inside[0], inside[-1] + 1


def _judge_words(verdict, seen, known):
    claimed = [(p.start, p.end) for p in pieces(verdict.block) if p.kind == "claim"]
    reasons = {}
    for pattern in (_RESULT, _MEASURE):
        for found in pattern.finditer(seen.plain()):  # what TeX sets equal is a formula
            if pattern is _MEASURE or not NUMBER_WORD.fullmatch(found["number"]) or value_of(found["number"]) not in ALLOWED:
                reasons[found.start("number")] = (found["number"], "states a result in words: bind it in digits")
    for found in NUMBER_WORD.finditer(seen.text):
        if value_of(found[0]) > COUNTED and value_of(found[0]) not in known:
            reasons[found.start()] = (found[0], "is no number of this page, neither of its code nor bound: bind it, in digits or in these words")
    for found in _ROMAN.finditer(seen.text):
        reasons[found.start()] = (found[0], "is a number in letters: bind its digits")
    for at, (written, reason) in reasons.items():
        place = seen.place(at)
        if not any(start <= place < end for start, end in claimed):
            verdict.fail(place, written, reason)


_IN_CODE = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_IN_TEXT = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")


def known_numbers(page):  # Page -> frozenset of float
    """The numbers that a page's code gives and those that its text has accounted for: what its number words may repeat."""
    given = {float(number.replace("_", "")) for cell in page.cells for number in _IN_CODE.findall(cell)}
    texts = [said(block.text) for block in page.blocks if DIGIT.search(block.text)]
    return frozenset(given | {float(number.replace(",", "")) for text in texts for number in _IN_TEXT.findall(text)})
