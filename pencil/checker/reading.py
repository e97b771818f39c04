"""Check what the rendered text of a block states with its numbers beyond their digits: affixes, comparisons in signs, number words."""

import re
from dataclasses import dataclass
from itertools import groupby, pairwise
from unicodedata import category, name

from pencil.checker import affixes
from pencil.checker.affixes import DASHES
from pencil.checker.digits import DIGIT
from pencil.checker.equations import LEADS, RELATIONS, STATED, chains, untrue
from pencil.checker.numerals import arithmetic_text, line_of, pieces, without_roles
from pencil.checker.rendered import BOUND, rendered_text
from pencil.checker.words import COUNTED, NUMBER_WORD, ORDINAL, in_letters, value_of

_READ = "=≈<>≤≥≠→+−-×·/÷|¦±√^∞~%‰"  # signs of sums, and those that are judged as a part of their number
_ODD = "".join(sign for sign in map(chr, range(0x80, 0x10000)) if sign not in _READ and (category(sign) == "Sm" or "ARROW" in name(sign, "")))
_ENDS, _STARTS = r"[\d)\]%‰½⅓⅔¼¾]", r"[\d(\[√½⅓⅔¼¾−-]"
_OTHER_DASHES = "".join(sign for sign in DASHES if sign not in _READ)
_UNREAD = re.compile(  # a sign between two numbers, one that only a result makes a sign, and one without a left side
    rf"(?<={_ENDS}) ?(?P<sign>[{_ODD}*]) ?(?={_STARTS})|(?<=\d) ?(?P<digraph>[=<>!:~/-]{{2,}}) ?(?=[\d√−])"
    rf"|(?<={_ENDS}) ?(?P<joint>[xX{_OTHER_DASHES}]) ?(?=[\d.,]+ ?[=≈<>→])|(?:\A|(?<=\()) ?(?P<first>[=≈→<>≤≥≠]) ?(?={_STARTS})"
)


def judge_rendered(verdict, context):
    """Add failures for numbers that a reader would take for other numbers than were checked, and for signs that state what is not so."""
    block = verdict.block
    seen, bound = rendered_text(block), {}
    for piece in pieces(block):
        if piece.kind == "binding":
            bound[piece.start] = block.text[slice(*piece.shown)].strip()
    for start, end in _numbers(block, seen):
        if changed := affixes.find_affixes(seen.text[:start], seen.text[end:]):
            written = bound.get(seen.place(start), seen.text[start:end])
            read = f"{changed[0]}{written}{changed[1]}".replace(BOUND, "…")
            verdict.fail(
                seen.place(start), written, f"what touches a number is read as part of it, here {read}: write it inside, or part it with a word"
            )
    spelled = seen.spelled(bound)
    for start, end in untrue(spelled.plain()):
        verdict.fail(spelled.place(start), spelled.text[start:end], "is not true on paper")
    for match in _UNREAD.finditer(spelled.plain()):
        at = match.start(match.lastgroup)
        verdict.fail(spelled.place(at), match[match.lastgroup], UNREAD)
    _judge_words(verdict, seen, context.known)


UNREAD = "states what the check cannot read: put both sides beside =, ≈, <, >, ≤, ≥, ≠ or →, with +, −, ·, × or /, or say it in words"


def untrue_rows(blocks):  # Blocks of a page -> (line, what is written) of each row of a table that says something false
    """Table rows in which a sum fills a cell and the next cell, or the one after a relation, has a wrong result."""
    for line, cells in groupby(blocks, lambda block: block.line):
        texts = [" ".join(arithmetic_text(cell).split()) for cell in cells if cell.kind == "prose"]
        texts = [text for text in texts if text not in (*RELATIONS, LEADS)]
        for left, right in pairwise(texts):
            written = f"{left} {LEADS} {right}"
            if not any(sign in left + right for sign in STATED) and untrue(written) == [(0, len(written))]:
                yield line, written


def _numbers(block, seen):
    """The spans of bound numbers and of equations in the rendered text."""
    for match in re.finditer(BOUND, seen.text):
        yield match.span()
    for start, end in chains(arithmetic_text(block)):
        inside = [at for at, place in enumerate(seen.places) if start <= place < end]
        if inside and BOUND not in seen.text[inside[0]] + seen.text[inside[-1]]:
            yield inside[0], inside[-1] + 1


def _judge_words(verdict, seen, known):
    claimed = [(p.start, p.end) for p in pieces(verdict.block) if p.kind == "claim"]
    reasons = {}
    for piece in pieces(verdict.block):
        if piece.kind == "tooltip":  # it is shown where a mouse rests on the link
            title = verdict.block.text[piece.start : piece.end]
            words = [(0, word[0], "is a number: say it in the text") for word in NUMBER_WORD.finditer(title) if value_of(word[0]) > COUNTED]
            for _, written, reason in (*words, *in_letters(title)):
                verdict.fail(piece.start, written, reason)
    for at, written, reason in in_letters(seen.text):
        reasons[at] = (written, reason)
    for pattern, first in ((NUMBER_WORD, 0), (ORDINAL, 1)):  # the seventeenth has the index 16
        for match in pattern.finditer(seen.text):
            number, line = value_of(match[0]), line_of(verdict.block, seen.place(match.start()))
            if number > COUNTED and not (known.holds(number, line) or known.holds(number - first, line)):
                reasons[match.start()] = (
                    match[0],
                    "is no number of this section's code, and the page binds none: bind it, in digits or in these words",
                )
    for at, (written, reason) in reasons.items():
        place = seen.place(at)
        if not any(start <= place < end for start, end in claimed):
            verdict.fail(place, written, reason)


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


def _told(text):  # -> floats
    return [float(number.replace(",", "")) for number in _IN_TEXT.findall(text)]


def known_numbers(page):  # Page -> KnownNumbers
    """Collect the known numbers of a page."""
    texts = [without_roles(block.text) for block in page.blocks if DIGIT.search(block.text)]
    told = frozenset(number for text in texts for number in _told(text))
    given = {line: set() for line in (0, *(block.line for block in page.blocks if block.kind == "heading"))}
    for line, _, code in page.sources:
        section = max(first for first in given if first <= line)
        given[section] |= {float(number.replace("_", "")) for number in _IN_CODE.findall(code)}
    return KnownNumbers(told, tuple((line, frozenset(given[line])) for line in sorted(given)))
