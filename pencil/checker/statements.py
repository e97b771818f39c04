"""What a sentence states of numbers, in whatever signs or words: `8 x 2 is 17`, `1 ⩽ 0`, `two times eight makes nine`.

A typed sum accounts for its digits only as it is written in `arithmetic`. This module reads more, and accounts for nothing: what it
can read has to hold.
"""

import re

from pencil.checker.affixes import DASHES
from pencil.checker.equations import LEADS, untrue
from pencil.checker.words import NUMBER_WORD, value_of

_OPERAND = r"[\d)\]%‰½⅓⅔¼¾]"
_STARTS = r"[\d(\[√½⅓⅔¼¾−-]"
_MAYBE = r"(?:(?:about|nearly|almost|exactly|only|just|again|then|now|roughly) )?"
_SIGNS = {
    "=": "＝≡≔≟≐≑=", "≈": "≅≃∼~≒≊≋", "<": "＜≪≺", ">": "＞≫≻", "≤": "⩽≦≲⪅", "≥": "⩾≧≳", "≠": "≉≢",
    LEADS: "→⇒⟶⟹↦⟼➔➜∴", "×": "*⋅∙•✕✖⨯∗⊗⊙∘xX", "/": "∕⁄∶", "+": "＋﹢➕", "−": DASHES,
}  # fmt: skip
_PLAIN = {ord(sign): plain for plain, signs in _SIGNS.items() for sign in signs if sign not in "xX" + DASHES}
_BETWEEN = [  # what is read as a sign only between two numbers
    (rf"(?<={_OPERAND})(?P<gap> ?)(?:[xX]|times|multiplied by) ?(?={_STARTS})", "×"),
    (rf"(?<={_OPERAND})(?P<gap> ?)(?:[{DASHES}]|minus) ?(?={_STARTS})", "−"),
    (rf"(?<={_OPERAND}) plus (?={_STARTS})", "+"),
    (rf"(?<={_OPERAND}) (?:divided by|over) (?={_STARTS})", "/"),
    (rf"(?<={_OPERAND}) ?(?::=|==) ?(?={_STARTS})", "="),
    (rf"(?<={_OPERAND}) ?(?:=>|->|--?>) ?(?={_STARTS})", LEADS),
    (rf"(?<={_OPERAND}) ?(?:<=|is at most|is no more than) ?(?={_STARTS})", "≤"),
    (rf"(?<={_OPERAND}) ?(?:>=|is at least|is no less than) ?(?={_STARTS})", "≥"),
    (rf"(?<={_OPERAND}) ?(?:!=|/=|<>|=/=|is not|does not equal|differs from) ?(?={_STARTS})", "≠"),
    (rf"(?<={_OPERAND}) is (?:less|smaller|fewer|lower) than (?={_STARTS})", "<"),
    (rf"(?<={_OPERAND}) is (?:more|larger|greater|bigger|higher) than (?={_STARTS})", ">"),
    (rf"(?<={_OPERAND}) (?:equals?|is equal to|is the same as) {_MAYBE}(?={_STARTS})", "="),
    (rf"(?<={_OPERAND}),? (?:is|are|makes?|gives?|leaves?|yields?|comes? to|adds? up to|sums? to|so) {_MAYBE}(?={_STARTS})", LEADS),
]
_BETWEEN = [(re.compile(pattern), sign) for pattern, sign in _BETWEEN]


def false_statements(rendered, bound):  # RenderedText, {place: digits} -> list of (place in the block, what is written)
    """The statements of a block that do not hold."""
    seen = rendered.spelled(bound)
    text, places = _in_signs(seen.plain())
    return [(seen.place(places[start]), seen.text[places[start] : places[end - 1] + 1]) for start, end in untrue(text)]


def _in_signs(text):  # str -> the same in the signs of arithmetic, and where each of its signs stood
    places = list(range(len(text)))
    text = text.translate(_PLAIN)
    for pattern, sign in [(NUMBER_WORD, None), *_BETWEEN]:
        parts, kept, at = [], [], 0
        for found in pattern.finditer(text):
            said = f" {sign} " if sign else str(value_of(found[0]))
            parts += [text[at : found.start()], said]
            kept += places[at : found.start()] + [places[found.start()]] * (len(said) - 1) + [places[found.end() - 1]]
            at = found.end()
        text, places = "".join([*parts, text[at:]]), kept + places[at:]
    return text, places
