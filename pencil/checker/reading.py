"""Check what the rendered text of a block states with its numbers beyond their digits: affixes, statements, number words."""

import re
from dataclasses import dataclass

from pencil.checker import affixes, statements
from pencil.checker.digits import DIGIT
from pencil.checker.equations import chains
from pencil.checker.numerals import arithmetic_text, line_of, pieces, said
from pencil.checker.rendered import BOUND, rendered_text
from pencil.checker.words import COUNTED, FOLD, FOREIGN, NUMBER_WORD, ORDINAL, value_of

_ABOUT = r"(?:(?:about|exactly|nearly|almost|only|just|to) )?(?:minus )?"
_PARTS = r"(?:half|halves|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)"
_NTH = "(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"
_AMOUNT = (
    rf"(?:{NUMBER_WORD.pattern}(?: and (?:an?|one|two|three) {_PARTS})?"
    rf"|(?:(?:an?|one|two|three|four|five|seven|nine)[ -])?{_PARTS}|twice|double|thrice|nought|naught|nil"
    rf"|an? (?:dozen|hundred|thousand|million|billion)|the {_NTH}(?: one)?)"
)
_VERBS = (
    r"adds? up to|sums? (?:up )?to|totals?|equals?|is equal to|comes? to|comes? out (?:as|at|to)|amounts? to|turns? out to be"
    r"|works? out (?:as|at|to)|results? in|(?:we|you) get|which (?:makes|gives)|an? (?:total|mean|average|result) of"
)
_NOUNS = (
    r"sum|total|answer|result|average|mean|product|difference|quotient|remainder|root|score|miss|loss|cosine|tick|norm|length|maximum|minimum"
    r"|largest|smallest|largest score|smallest score"
)
_OF = r"(?: of [\w*]+(?: [\w*]+){0,5}?)?"
_ARE = r",?(?: then,?)? (?:is|are|was|were|will be|would be|must be|(?:has|have) to be|being)"
_END = r"(?= (?:of (?:all|it|them|the whole)|in total)\b| ?[.,;:!?)¦]|\Z)"
_MORE_NOUNS = (  # zero and one are allowed before these (a masked share is zero); larger numbers are results
    r"row|column|share|weight|slope|step|spread|gap|variance|deviation|square|power|quotient|count|width|height|rank|chance|reward|advantage"
    r"|distance|angle|size|part|odds|entry|number|value|factor|ratio|rate|logit|gradient|gate"
)
_RESULT = re.compile(
    rf"(?:\b(?:{_VERBS})|[=≈→]|\b(?:{_NOUNS}){_OF}(?:{_ARE}| equals|:)"
    rf"|\b(?P<any>{_MORE_NOUNS}){_OF}(?:{_ARE}| becomes)) {_ABOUT}(?P<number>{_AMOUNT}){_END}",
    re.I,
)
_SUM = r"(?:sum|total|result|answer|mean|average)"
_MORE_RESULTS = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?P<number>{NUMBER_WORD.pattern}) (?:degrees?|per ?cent|[%％‰])",
        rf"(?P<number>\b(?:nought|naught|{NUMBER_WORD.pattern}) point(?: (?:nought|{NUMBER_WORD.pattern}))+)",
        rf"\b(?P<number>{_AMOUNT}) (?:altogether\b|in all\b|in total\b|is the {_SUM}{_END})",
        rf"\bthe {_SUM}(?:,| \() ?(?P<number>{_AMOUNT})[,)]",
        rf"\b(?P<any>share|score|weight|chance|probability|loss) of {_ABOUT}(?P<number>(?!the ){_AMOUNT}){_END}",
        rf"\b(?P<any>(?:that|this|it) (?:makes|leaves|gives)|leaving|making|giving|what comes out is|(?<!the )scores)"
        rf" {_ABOUT}(?P<number>{_AMOUNT}){_END}",
        rf"\b(?P<number>{NUMBER_WORD.pattern}) (?P<any>remains?|comes? out|(?:is|are) what comes out|all told){_END}",
        rf"\b(?:ranks?|ranked|is|are|was) (?P<number>{_NTH}){_END}",
        rf"\b(?:comes?|came|finish(?:es|ed)) (?P<number>(?!second|third){_NTH}){_END}",
        rf"\b(?P<number>{NUMBER_WORD.pattern}(?: \w+)? (?:in|out of) (?:every )?(?:an? )?(?!one\b)(?:{NUMBER_WORD.pattern}|hundred|thousand|million))"
        rf"(?![^.;:!?]*\?)(?:{_END}|(?= (?:is|are|was|were|right|wrong)\b))",
        rf"\b(?:is|are|was|grows?|grew|rises?|rose|falls?|fell|drops?|gains?|by) {_ABOUT}(?P<number>{FOLD})",
    )
]
_LAWS = {  # patterns of sentences in which zero or one holds for any inputs
    0: re.compile(r"(?:\bright angles\b|\btamed\b|\braised\b|\bslopes? of (?:a|the) softmax\b|\b(?:is|are) zero,)[^.;:!?]*\Z"),
    1: re.compile(r"\b(?:shares|weights|chances|probabilities)\b[^.;:!?]*\Z", re.I),
}
_ROMAN = re.compile(r"\b(?=[IVXLCDM]*[IVX])(?=[IVXLCDM]{2,}\b)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b|\b[ivx]{2,}\b")


def judge_rendered(verdict, context):
    """Add failures for numbers that a reader would take for other numbers than were checked."""
    block = verdict.block
    seen, bound = rendered_text(block), {}
    for piece in pieces(block):
        if piece.kind == "binding":
            bound[piece.start] = block.text[slice(*piece.said)].strip()
    for start, end in _numbers(block, seen):
        if changed := affixes.find_affixes(seen.text[:start], seen.text[end:]):
            written = bound.get(seen.place(start), seen.text[start:end])
            read = f"{changed[0]}{written}{changed[1]}".replace(BOUND, "…")
            verdict.fail(
                seen.place(start), written, f"what touches a number is read as part of it, here {read}: write it inside, or part it with a word"
            )
    for place, written in statements.false_statements(seen, bound):
        verdict.fail(place, written, "is not true on paper")
    for place, written in statements.unread(seen, bound):
        verdict.fail(
            place,
            written,
            "states what the check cannot read: put both sides beside =, ≈, <, >, ≤, ≥, ≠ or →, with +, −, ·, × or /, or say it in words",
        )
    _judge_words(verdict, seen, context.known)


def _numbers(block, seen):
    """The spans of bound numbers and of equations in the rendered text."""
    for found in re.finditer(BOUND, seen.text):
        yield found.span()
    for start, end in chains(arithmetic_text(block)):
        inside = [at for at, place in enumerate(seen.places) if start <= place < end]
        if inside and BOUND not in seen.text[inside[0]] + seen.text[inside[-1]]:
            yield inside[0], inside[-1] + 1


def _judge_words(verdict, seen, known):
    claimed = [(p.start, p.end) for p in pieces(verdict.block) if p.kind == "claim"]
    reasons = {}
    for pattern in (_RESULT, *_MORE_RESULTS):
        for found in pattern.finditer(seen.plain()):  # without TeX, which states formulas
            if not _holds_always(found):
                reasons[found.start("number")] = (found["number"], "states a result in words: bind it in digits")
    for pattern, first in ((NUMBER_WORD, 0), (ORDINAL, 1)):  # the seventeenth may be the index 16
        for found in pattern.finditer(seen.text):
            number, line = value_of(found[0]), line_of(verdict.block, seen.place(found.start()))
            if number > COUNTED and not (known.holds(number, line) or known.holds(number - first, line)):
                reasons[found.start()] = (
                    found[0],
                    "is no number of this section's code, and the page binds none: bind it, in digits or in these words",
                )
    for found in _ROMAN.finditer(seen.text):
        reasons[found.start()] = (found[0], "is a number in letters: bind its digits")
    for found in FOREIGN.finditer(seen.text):
        reasons[found.start()] = (found[0], "may be a number in another language: write it in English")
    for at, (written, reason) in reasons.items():
        place = seen.place(at)
        if not any(start <= place < end for start, end in claimed):
            verdict.fail(place, written, reason)


def _holds_always(found):  # a match of _RESULT
    """Whether it is a zero or one that holds for any inputs."""
    value = value_of(found["number"]) if NUMBER_WORD.fullmatch(found["number"]) else None
    return "any" in found.groupdict() and value in _LAWS and bool(found["any"] or _LAWS[value].search(found.string[: found.start("number")]))


_IN_CODE = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_IN_TEXT = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")


@dataclass(frozen=True)
class KnownNumbers:
    """The numbers that number words may repeat: those that the page has accounted for, and those in the code of the same section."""

    told: frozenset = frozenset()
    sections: tuple = ()  # (line of a heading, numbers in the code cells below it)

    def holds(self, number, line):
        """Whether a number word on this line may state this number."""
        return number in self.told or number in next((given for first, given in reversed(self.sections) if first <= line), ())


def known_numbers(page):  # Page -> KnownNumbers
    """Collect the known numbers of a page."""
    texts = [said(block.text) for block in page.blocks if DIGIT.search(block.text)]
    told = frozenset(float(number.replace(",", "")) for text in texts for number in _IN_TEXT.findall(text))
    given = {line: set() for line in (0, *(block.line for block in page.blocks if block.kind == "heading"))}
    for line, _, code in page.sources:
        section = max(first for first in given if first <= line)
        given[section] |= {float(number.replace("_", "")) for number in _IN_CODE.findall(code)}
    return KnownNumbers(told, tuple((line, frozenset(given[line])) for line in sorted(given)))
