"""Statements about numbers in other notations or in words: `8 x 2 is 17`, `1 ⩽ 0`, `two times eight makes nine`.

Only equations in the notation of `arithmetic` account for their digits. This module understands more notations, but accounts for
nothing: it only refuses false statements.
"""

import re
from itertools import groupby, pairwise
from unicodedata import category, name

from pencil.checker.affixes import DASHES
from pencil.checker.equations import LEADS, RELATIONS, STATED, untrue
from pencil.checker.numerals import arithmetic_text
from pencil.checker.words import NUMBER_WORD, value_of

_OPERAND = r"[\d)\]%‰½⅓⅔¼¾]"
_STARTS = r"[\d(\[√½⅓⅔¼¾−-]"
_MAYBE = r"(?:(?:about|nearly|almost|exactly|only|just|again|then|now|roughly) )?"
_IS = r",?(?: which)? (?:is|are|was|were|stays?|remains?|lies|becomes?|will be)(?: now| still| again| then| always)?"
_SIGNS = {
    "=": "＝≡≔≕≟≐≑⩵=", "≈": "≅≃∼~≒≊≋", "<": "＜≪≺⪇≨", ">": "＞≫≻⪈≩", "≤": "⩽≦≲⪅≯", "≥": "⩾≧≳≮", "≠": "≉≢",
    LEADS: "→⇒⟶⟹↦⟼➔➜∴⇨⟺⇔↔➡", "×": "*⋅∙•✕✖⨯⨉⋆∗⊗⊙∘xX", "/": "∕⁄∶", "+": "＋﹢➕⊕", "−": DASHES,
}  # fmt: skip


def _is_relation(sign):  # a sign of mathematics, or an arrow
    return category(sign) == "Sm" or "ARROW" in name(sign, "")


_PLAIN = {ord(sign): plain for plain, signs in _SIGNS.items() for sign in signs if sign not in "xX" + DASHES}
_VERBS = (
    r"i\.e\.|that is|in all|in total|together|altogether|(?:result|total|answer|sum):?|is|are|was|were|will be"
    r"|makes?|gives?|leaves?|yields?|returns?|comes? to|comes? out (?:as|at|to)|adds? up to|sums? to|totals?|amounts? to"
    r"|results? in|works? out (?:as|at|to)|turns? (?:into|out to be)|becomes?|equal|so|(?:and )?(?:you|we) (?:get|have)"
)
_NUMBER = r"[\d.,]*\d"
_ENDS = rf"{_NUMBER}(?: ?[.,;:!?)\]¦](?!\d)|\Z)"
_MORE, _LESS = "(?:more|larger|greater|bigger|higher|longer) than", "(?:less|smaller|fewer|lower|shorter) than"
_TOGETHER = "makes?|adds? up to|add|sums? (?:up )?to|comes? to|gives?|together|total"
_BETWEEN = [  # words that are operators only between two numbers; in a pattern with `and`, that word is replaced
    (rf"\b(?:sum|total) of {_NUMBER}(?P<and> and )(?={_STARTS})", "+"),
    (rf"\bproduct of {_NUMBER}(?P<and> and )(?={_STARTS})", "×"),
    (rf"\bdifference (?:of|between) {_NUMBER}(?P<and> and )(?={_STARTS})", "−"),
    (rf"(?<={_OPERAND})(?:{_IS}|,) the (?:sum|total|product|difference) (?:of|between) (?={_STARTS})", "="),
    (rf"(?<={_OPERAND}){_IS} (?={_NUMBER} and {_NUMBER} (?:together|in all)\b)", "="),
    (rf"\badd(?:ing)? {_NUMBER}(?P<and> (?:and|to) )(?={_STARTS})", "+"),
    (rf"\bmultipl(?:y|ying) {_NUMBER}(?P<and> by )(?={_STARTS})", "×"),
    (rf"\bdivid(?:e|ing) {_NUMBER}(?P<and> by )(?={_STARTS})", "/"),
    (rf"\b(?:subtract(?:ing)?|take|taking) (?={_NUMBER}(?: away)? from {_STARTS})", "0 −"),
    (rf"0 − {_NUMBER}(?P<and>(?: away)? from )(?={_STARTS})", "+"),
    (rf"(?<={_OPERAND}){_IS} (?={_NUMBER} {_MORE} {_STARTS})", "−"),  # `x is 2 more than 6` is read as x − 2 = 6
    (rf"− {_NUMBER}(?P<and> {_MORE} )(?={_STARTS})", "="),
    (rf"(?<={_OPERAND}){_IS} (?={_NUMBER} {_LESS} {_STARTS})", "+"),
    (rf"\+ {_NUMBER}(?P<and> {_LESS} )(?={_STARTS})", "="),
    (rf"(?<={_OPERAND})(?:: ?| ?\? | ?… ?| — | ?[(\[]|, or )(?={_ENDS})", LEADS),
    (rf"(?<={_OPERAND}) and (?={_NUMBER} (?:is|are) left\b)", LEADS),
    (rf"(?<={_OPERAND}) \((?=[=≈→] ?{_STARTS})", ""),
    (rf"(?<={_OPERAND})(?P<and> and )(?={_NUMBER} (?:{_TOGETHER})\b|{_NUMBER} (?:is|are) {_NUMBER} (?:together|in all)\b)", "+"),
    (rf"(?<={_OPERAND}) and (?={_NUMBER} are (?:equal|the same)\b)", "="),
    (rf"(?<={_OPERAND}){_IS} (?={_NUMBER} times {_STARTS}|(?:twice|double|(?:a |one )?half)(?: of)? {_STARTS})", "="),
    (rf"\b(?:twice|double) (?={_STARTS})", "2 ×"),
    (rf"\b(?:a |one )?half (?:of )?(?={_STARTS})", "½ ×"),
    (rf"\b(?:square )?root of (?={_STARTS})", "√"),
    (rf"(?<={_OPERAND})(?P<gap> ?)(?:[xX]|times|multiplied by) ?(?={_STARTS})", "×"),
    (rf"(?<={_OPERAND})(?P<gap> ?)(?:[{DASHES}]|minus|less|take away) ?(?={_STARTS})", "−"),
    (rf"(?<={_OPERAND}) (?:plus|added to) (?={_STARTS})", "+"),
    (rf"(?<={_OPERAND}) (?:divided by|shared by|over) (?={_STARTS})", "/"),
    (rf"(?<={_OPERAND}) ?(?:¦|\|) ?(?=[=≈→<>≤≥≠] ?{_STARTS})", ""),
    (rf"(?<={_OPERAND}) ?(?::=|==) ?(?={_STARTS})", "="),
    (rf"(?<={_OPERAND}) ?(?:=>|->|--?>) ?(?={_STARTS})", LEADS),
    (rf"(?<={_OPERAND})(?: ?<=|{_IS} (?:at most|no (?:more|larger|greater|bigger|higher) than)) ?(?={_STARTS})", "≤"),
    (rf"(?<={_OPERAND})(?: ?>=|{_IS} (?:at least|no (?:less|smaller|fewer|lower) than)) ?(?={_STARTS})", "≥"),
    (rf"(?<={_OPERAND})(?: ?(?:!=|/=|<>|=/=)|{_IS} not| does not equal| differs from) ?(?={_STARTS})", "≠"),
    (rf"(?<={_OPERAND})(?:{_IS} (?:(?:less|smaller|fewer|lower|shorter) than|below|under|beneath)) (?={_STARTS})", "<"),
    (rf"(?<={_OPERAND})(?:{_IS} (?:(?:more|larger|greater|bigger|higher|longer) than|above|over)| exceeds?| beats?) (?={_STARTS})", ">"),
    (
        rf"(?<={_OPERAND})(?: equals?|{_IS} (?:equal to|the same as|as (?:large|big|much|many|high) as)) {_MAYBE}(?={_STARTS})",
        "=",
    ),
    (rf"(?<={_OPERAND}),?(?: that| which)? (?:{_VERBS}) {_MAYBE}(?={_STARTS})", LEADS),
]
_BETWEEN = [(re.compile(pattern, re.I), sign) for pattern, sign in _BETWEEN]
_WORD = re.compile(rf"{NUMBER_WORD.pattern}(?!{_IS} (?:above|below|over|under|beneath)\b)", re.I)  # "e to the zero is above zero"
_READ = {*_PLAIN, *map(ord, "=≈<>≤≥≠→+−-×·/÷|¦±√^∞~%‰")}
_ODD = "".join(sign for sign in map(chr, range(0x80, 0x3000)) if ord(sign) not in _READ and _is_relation(sign))
_UNREAD = re.compile(rf"(?:(?<={_OPERAND}) ?(?=[{_ODD}] ?{_STARTS})|\A ?(?=[=≈→<>≤≥≠] ?{_STARTS}))(.)")


def false_statements(rendered, bound):  # RenderedText, {place: digits} -> list of (place in the block, what is written)
    """The false statements of a block; `bound` has the digits of the bound numbers."""
    seen = rendered.spelled(bound)
    text, places = _in_signs(seen.plain())
    return [(seen.place(places[start]), seen.text[places[start] : places[end - 1] + 1]) for start, end in untrue(text)]


def untrue_rows(blocks):  # Blocks of a page -> (line, what is written) of each row of a table that says something false
    """Table rows in which a sum fills a cell and the next cell, or the one after a relation, has a wrong result."""
    for line, cells in groupby(blocks, lambda block: block.line):
        texts = [" ".join(arithmetic_text(cell).split()) for cell in cells if cell.kind == "prose"]
        texts = [text for text in texts if text not in (*RELATIONS, LEADS)]
        for left, right in pairwise(texts):
            written = f"{left} {LEADS} {right}"
            if not any(sign in left + right for sign in STATED) and untrue(written) == [(0, len(written))]:
                yield line, written


def unread(rendered, bound):  # RenderedText, {place: digits} -> list of (place in the block, sign)
    """Relations that cannot be judged: unknown signs between two numbers, and relations without a left side at the start of a block."""
    seen = rendered.spelled(bound)
    return [(seen.place(found.start(1)), found[1]) for found in _UNREAD.finditer(seen.plain())]


def _in_signs(text):  # str -> the text in the notation of `arithmetic`, and the original offset of each of its characters
    places = list(range(len(text)))
    text = text.translate(_PLAIN)
    for pattern, sign in [(_WORD, None), *_BETWEEN]:
        parts, kept, at = [], [], 0
        for found in pattern.finditer(text):
            start, end = found.span("and" if "and" in pattern.groupindex else 0)
            said = str(value_of(found[0])) if sign is None else f" {sign} "
            parts += [text[at:start], said]
            kept += places[at:start] + [places[start]] * (len(said) - 1) + [places[end - 1]]
            at = end
        text, places = "".join([*parts, text[at:]]), kept + places[at:]
    return text, places
