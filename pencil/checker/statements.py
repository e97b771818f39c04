"""Statements about numbers in other notations or in words: `8 x 2 is 17`, `1 ⩽ 0`, `two times eight makes nine`.

Only equations in the notation of `arithmetic` account for their digits. This module understands more notations, but accounts for
nothing: it only refuses false statements.
"""

import re
from itertools import groupby, pairwise
from unicodedata import category, name

from pencil.checker.affixes import DASHES
from pencil.checker.digits import FRACTIONS, RAISED
from pencil.checker.equations import LEADS, RELATIONS, STATED, bare_sums, is_result, untrue
from pencil.checker.numerals import arithmetic_text
from pencil.checker.relations import untrue_relations
from pencil.checker.words import NUMBER_WORD, value_of

_OPERAND = r"[\d)\]%‰½⅓⅔¼¾]"
_STARTS = r"[\d(\[√½⅓⅔¼¾−-]"
_MAYBE = r"(?:(?:about|nearly|almost|exactly|only|just|again|then|now|roughly) )?"
_IS = r",?(?: which| that)? (?:is|are|was|were|stays?|remains?|lies|becomes?|will be)(?: now| still| again| then| always)?"
_HOW = "(?: (?:much|far|way|slightly|clearly|well|only|just|even|somewhat|hardly|a little|a bit|a lot))?"
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
_BIGGER, _SMALLER = "(?:more|larger|greater|bigger|higher|longer)", "(?:less|smaller|fewer|lower|shorter)"
_MORE, _LESS = f"{_BIGGER} than", f"{_SMALLER} than"
_RISES = "doubles?|doubled|triples?|rises?|rose|risen|grows?|grew|grown|climbs?|climbed|goes up|went up|increases?|increased"
_FALLS = "halves|falls?|fell|fallen|drops?|dropped|sinks?|sank|shrinks?|shrank|goes down|went down|decreases?|decreased"
_SIGNED = rf"[−-]?{_NUMBER}(?: ?[%‰])?"
_FROM = rf",?(?: [a-z]+,?){{0,3}} from {_SIGNED}(?P<and>,?(?: [a-z]+){{0,3}} to )(?=[−-]?\d)"
_TOGETHER = r"are(?= [\d.,]*\d(?: ?[.,;:!?)]|\Z))|makes?|adds? up to|add|sums? (?:up )?to|comes? to|gives?|together|total"
_BETWEEN = [  # what is read as a sign only between two numbers; of a pattern with an `and`, that word is the sign
    (
        rf"(?<={_OPERAND}){_IS} (?=(?:(?:the )?(?:square|double|mean|average|larger|smaller|maximum|minimum)"
        rf"|an? (?:third|quarter|fifth|tenth)) of {_STARTS})",
        "=",
    ),
    (rf"\b({_NUMBER}) {_MORE} ({_NUMBER})(?= (?:is|are|makes?|gives?|comes? to) )", r"(\2 + \1)"),
    (rf"\b({_NUMBER}) {_LESS} ({_NUMBER})(?= (?:is|are|makes?|gives?|comes? to) )", r"(\2 − \1)"),
    (rf"\b(?:the )?(?:sum|total) of ({_NUMBER}), ({_NUMBER}),? and ({_NUMBER})", r"(\1 + \2 + \3)"),
    (rf"\b(?:the )?(?:ratio|quotient) of ({_NUMBER}) (?:to|and) ({_NUMBER})", r"(\1 / \2)"),
    (rf"\b(?:the )?(?:gap|distance) between ({_NUMBER}) and ({_NUMBER})", r"(abs(\1 − \2))"),
    (rf"({_NUMBER}) and ({_NUMBER}) differ by(?= {_STARTS})", r"abs(\1 − \2) ="),
    (rf"({_NUMBER}) exceeds ({_NUMBER}) by(?= {_STARTS})", r"\1 − \2 ="),
    (rf"\bfrom ({_NUMBER}) (?:take|subtract) (?={_STARTS})", r"\1 −"),
    (rf"({_NUMBER}) times itself\b", r"(\1 × \1)"),
    (rf"(?<={_OPERAND}) (?:increased|raised) by (?={_STARTS})", "+"),
    (rf"(?<={_OPERAND}) (?:diminished|decreased|reduced) by (?={_STARTS})", "−"),
    (rf"(?<={_OPERAND}) (?:shared among|split (?:by|among)) (?={_STARTS})", "/"),
    (rf"\bup from {_SIGNED}(?P<and> to )(?=[−-]?\d)", "<"),
    (rf"\bfrom {_SIGNED}(?P<and> up to )(?=[−-]?\d)", "<"),
    (rf"\bfrom {_SIGNED}(?P<and> down to )(?=[−-]?\d)", ">"),
    (rf"\b(?:the )?(?:mean|average) of ({_NUMBER}) and ({_NUMBER})", r"((\1 + \2) / 2)"),
    (rf"\b(?:the )?(?:larger|greater|largest|maximum) of ({_NUMBER}) and ({_NUMBER})", r"max(\1, \2)"),
    (rf"\b(?:the )?(?:smaller|smallest|minimum) of ({_NUMBER}) and ({_NUMBER})", r"min(\1, \2)"),
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
    (rf"\b(?:the )?square of ({_NUMBER})", r"(\1 × \1)"),
    (rf"\b(?:a |one )?third of ({_NUMBER})", r"(\1 / 3)"),
    (rf"\b(?:a |one )?quarter of ({_NUMBER})", r"(\1 / 4)"),
    (rf"\b(?:a |one )?fifth of ({_NUMBER})", r"(\1 / 5)"),
    (rf"\b(?:a |one )?tenth of ({_NUMBER})", r"(\1 / 10)"),
    (rf"({_NUMBER}) squared\b", r"(\1 × \1)"),
    (rf"({_NUMBER}) cubed\b", r"(\1 × \1 × \1)"),
    (rf"(?<={_OPERAND}) doubled\b", "× 2"),
    (rf"(?<={_OPERAND}) halved\b", "/ 2"),
    (rf"\b(?:the )?(?:twice|double)(?: of)? ({_NUMBER})(?! ?[.·×/])", r"(2 × \1)"),
    (rf"\b(?:the )?(?:twice|double)(?: of)? (?={_STARTS})", "2 ×"),
    (rf"\b(?:a |one )?half (?:of )?(?={_STARTS})", "½ ×"),
    (rf"\b(?:square )?root of (?={_STARTS})", "√"),
    (rf"(?<={_OPERAND})(?P<gap> ?)(?:[xX]|times|multiplied (?:by|with)) ?(?={_STARTS})", "×"),
    (rf"(?<={_OPERAND})(?P<gap> ?)(?:[{DASHES}]|minus|less|take away) ?(?={_STARTS})", "−"),
    (rf"(?<={_OPERAND}) (?:plus|added to) (?={_STARTS})", "+"),
    (rf"(?<={_OPERAND}) (?:divided by|shared by|over) (?={_STARTS})", "/"),
    (rf"(?<={_OPERAND}) ?(?:¦|\|) ?(?=[=≈→<>≤≥≠] ?{_STARTS})", ""),
    (rf"(?<={_OPERAND}) ?(?::=|==) ?(?={_STARTS})", "="),
    (rf"(?<={_OPERAND}) ?(?:=>|->|--?>) ?(?={_STARTS})", LEADS),
    (
        rf"(?<={_OPERAND})(?: ?<=|{_IS} (?:at most|(?:no|not) {_MORE}|{_SMALLER} than or equal to|equal or {_LESS})| does not exceed) ?(?={_STARTS})",
        "≤",
    ),
    (rf"(?<={_OPERAND})(?: ?>=|{_IS} (?:at least|(?:no|not) {_LESS}|{_BIGGER} than or equal to|equal or {_MORE})) ?(?={_STARTS})", "≥"),
    (rf"(?<={_OPERAND}) out of (?={_STARTS})", "≤"),
    (rf"\b(?:{_RISES}){_FROM}", "<"),
    (rf"\b(?:{_FALLS}){_FROM}", ">"),
    (rf"(?<={_OPERAND}) (?:{_RISES}) to (?={_STARTS})", "<"),
    (rf"(?<={_OPERAND}) (?:{_FALLS}) to (?={_STARTS})", ">"),
    (rf"(?<={_OPERAND})(?: ?(?:!=|/=|<>|=/=)|{_IS} not| does not equal| differs from) ?(?={_STARTS})", "≠"),
    (rf"(?<={_OPERAND})(?:(?:{_IS}| ranks| sits|,){_HOW} (?:{_LESS}|below|under|beneath)| falls short of) (?={_STARTS})", "<"),
    (rf"(?<={_OPERAND})(?:(?:{_IS}| ranks| sits|,){_HOW} (?:{_MORE}|above|over)| exceeds?| beats?| tops| outweighs| wins over) (?={_STARTS})", ">"),
    (
        rf"(?<={_OPERAND})(?: equals?| matches|{_IS} (?:equal to|identical to|the same (?:number )?as|as (?:large|big|much|many|high) as))"
        rf" {_MAYBE}(?={_STARTS})",
        "=",
    ),
    (rf"(?<={_OPERAND}),?(?: that| which)? (?:{_VERBS}) {_MAYBE}(?={_STARTS})", LEADS),
]
_BETWEEN = [(re.compile(pattern, re.I), sign) for pattern, sign in _BETWEEN]
_LINKS = "by|of|from|than|with|in|on|at|for|times|per|or|over|against|up|apart|wide|long|plus|minus"  # lead on to another number than the result
_NAMED_LATER = re.compile(
    rf"(?:[.;:]|,|)(?: \(?(?!(?:{_LINKS})\b|and (?!so|hence|thus))[a-z]+,?){{0,4}} \(?(?P<number>{_NUMBER})(?= ?[.,;:!?)\]](?!\d)|\Z)"
)
_WITHIN = re.compile(rf"({_SIGNED}),?(?: which| that)? (?:is|are|was|were|lies|stays|falls)(?: [a-z]+)?,? between ({_SIGNED}) and ({_SIGNED})")
_WORD = re.compile(
    rf"{NUMBER_WORD.pattern}(?!{_IS}{_HOW} (?:above|below|over|under|beneath)\b)", re.I
)  # of a power of zero, it says that it is above zero
_A_NUMBER = re.compile(rf"[\d∞{''.join(FRACTIONS)}{RAISED}]|{NUMBER_WORD.pattern}", re.I)  # without one there is no side of a sum
_READ = {*_PLAIN, *map(ord, "=≈<>≤≥≠→+−-×·/÷|¦±√^∞~%‰")}
_ODD = "".join(sign for sign in map(chr, range(0x80, 0x3000)) if ord(sign) not in _READ and _is_relation(sign))
_UNREAD = re.compile(rf"(?:(?<={_OPERAND}) ?(?=[{_ODD}] ?{_STARTS})|\A ?(?=[=≈→<>≤≥≠] ?{_STARTS}))(.)")


def false_statements(rendered, bound):  # RenderedText, {place: digits} -> list of (place in the block, what is written)
    """The false statements of a block; `bound` has the digits of the bound numbers."""
    seen = rendered.spelled(bound)
    plain = seen.plain()
    if not _A_NUMBER.search(plain):
        return []
    text, places = _in_signs(plain)
    spans = untrue(text) + [
        (end, found.end()) for end, value in bare_sums(text) if (found := _NAMED_LATER.match(text, end)) and not is_result(value, found["number"])
    ]
    spans += [found.span() for found in _WITHIN.finditer(text) if not _lies_within(*found.groups())]
    found = [(places[start], places[end - 1] + 1) for start, end in spans] + untrue_relations(plain)
    return [(seen.place(start), seen.text[start:end]) for start, end in found]


def _lies_within(number, one, other):
    number, one, other = (float(re.sub("[ ,%‰]", "", said.replace("−", "-"))) for said in (number, one, other))
    return min(one, other) <= number <= max(one, other)


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
            said = (
                str(value_of(found[0]))
                if sign is None
                else " " * (text[start - 1 : start] != " ") + found.expand(sign) + " " * (text[end : end + 1] != " ")
            )
            parts += [text[at:start], said]
            kept += places[at:start] + [places[start]] * (len(said) - 1) + [places[end - 1]]
            at = end
        text, places = "".join([*parts, text[at:]]), kept + places[at:]
    return text, places
