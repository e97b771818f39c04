"""Statements about numbers in everyday words: `8 and 2 are six apart`, `2 goes into 8 four times`, `square 2 and you get 4`.

Each rule is a pattern and what its numbers have to be. Like `statements`, this accounts for no digit: it only refuses what is false.
"""

import re
from itertools import pairwise

from pencil.checker.words import NUMBER_WORD, value_of
from pencil.rounding import settle

_N = r"(?<![\w.,\[(−-])[−-]?\d[\d,]*(?:\.\d+)?(?: ?%)?(?![\w\]])"  # a number in digits that is in no row
_K = rf"(?:{_N}|{NUMBER_WORD.pattern})"
_PART_VALUES = {
    "nothing": 0, "tenth": 0.1, "fifth": 0.2, "quarter": 0.25, "third": 1 / 3, "half": 0.5, "whole": 1, "everything": 1, "all": 1,
    "twice": 2, "double": 2, "triple": 3,
}  # fmt: skip
_PART = rf"(?:(?:an? |one |the )?(?P<part>{'|'.join(_PART_VALUES)})\b(?! as\b))"
_BIG = "(?:larger|bigger|greater|higher|longer)"
_SMALL = "(?:smaller|lesser|lower|shorter)"
_FIRST = r"(?: (?P<noun>[a-z]+))?(?: of (?:the|them|these)(?: two)?)?,?"
_OTHER = r"(?: (?:one|(?P=noun)))?(?: of (?:the|them|these)(?: two)?)?,?"  # of the same noun
_NEGATED = re.compile(r"\b(?:not|never|no|neither|hardly|nothing)\b|n['’]t\b", re.I)
_DOES = r"(?:,? (?:which|that))? (?:is|are|was|were|has|have|gets?|weighs?|counts?|looks?|seems?|stays?|remains?|makes?|carries)\b"
_IS = r",?(?: which| that)? (?:is|are|was|were|lies|stands|ranks|sits|stays|remains|comes)(?: now| still| again| then| always| only| just)?"
_NOT = r"(?: (?:is|are|was|were)(?:n['’]t| not| never)| never (?:is|gets|comes|goes|rises|climbs))"
_SIZE = "(?:large|big|much|many|great|high|long|wide|likely|strong|heavy)"
_RISING, _FALLING = "(?:rising|ascending|growing|increasing)", "(?:falling|descending|shrinking|decreasing)"
_SHARE = r"(?:0\.\d+|\d[\d.]* ?%)"
_LIST = rf"(?P<row>{_N}(?:(?:,| and|, and|, then| then) {_N})+)"
_LIFTS = r"\b(?:(?:rais|lift|boost|jump|leap|soar)\w*|(?:shoot|push|bring|mov|climb|creep)\w*(?: it)? (?:up|past)|(?:shot|brought|crept) up)"
_CUTS = r"\b(?:lower(?:s|ed|ing)?|cuts?|cutting|(?:slip|plung|tumbl)\w*|slides?|slid|dip(?:s|ped)?|(?:bring|push|mov)\w*(?: it)? down|brought down)"
_LEADS_TO = (
    r",?(?: and)?(?: (?:it|you|we|one))? (?:(?:still |again |then )?(?:get|gets|have|has|find|finds|reach|reaches|are at|arrive at|come to|comes to)"
    r"|gives?|makes?|leaves?|yields?|brings?|becomes?|is|are|equals?)(?: just| only| exactly| again)?"
)
_OUT = r" (?:remains?|is left|are left|comes out|is what remains|is what is left|stays)\b"


def _equal(a, b):  # as nearly as the one that has fewer decimals says it
    return abs(a - b) <= 0.5 * 10 ** -min(_places(a), _places(b)) + 1e-12


def _places(x):
    return max(0, -settle(x).normalize().as_tuple().exponent)


def _negates(between):
    return bool(_NEGATED.search(between))


def _nearly(a, b):  # what words call about the same
    return abs(a - b) <= 0.1 * max(abs(b), 1)


def _as_ratio(a, b, c):  # b times c, as nearly as words say it
    return abs(a - b * c) <= 0.1 * abs(b * c)


def _less(a, b):
    return a < b


def _more(a, b):
    return a > b


def _sum(a, b, c):
    return _equal(a + b, c)


def _difference(a, b, c):
    return _equal(a - b, c)


def _missing(a, b, c):  # from a to b
    return _equal(b - a, c)


def _apart(a, b, c):
    return _equal(abs(a - b), c)


def _product(a, b, c):
    return _equal(a * b, c)


def _quotient(a, b, c):
    return b == 0 or _equal(a / b, c)


def _fits(a, b, c):  # c goes b times into a
    return c == 0 or b == a // c or _equal(a / c, b)


_A, _B, _C = (f"(?P<{name}>{_N})" for name in "abc")
_KA, _KB, _KC = (f"(?P<{name}>{_K})" for name in "abc")  # in digits or in words
_RULES = [  # (pattern with the numbers a, b, c; what they have to be)
    # which is larger
    (rf"{_A}(?: (?:loses to|trails|lags behind|does not reach|cannot (?:match|reach)|fails to reach|pales (?:beside|next to)|ranks behind)"
     rf"|{_IS} (?:well |far |just |a little )?(?:behind|short of|second to)|(?: stands| falls| stays)(?: well| far)? (?:behind|short of)"
     rf"|{_NOT} (?:nearly |quite |nowhere near )?as {_SIZE} as) {_B}", _less),
    (rf"{_A}(?: (?:outranks|dwarfs|edges out|outdoes|surpasses|leads|tops|defeats)|{_IS} (?:well |far |just |a little )?(?:ahead of|out ahead of)"
     rf"|{_NOT} (?:nearly |quite )?as (?:small|little|few|low|short) as| (?:is )?nowhere near as (?:small|little|low|short) as) {_B}",
     _more),
    (rf"{_A}{_NOT} (?:any )?(?:{_BIG} than|more than|above|over|beyond) {_KB}", lambda a, b: a <= b),
    (rf"{_A}{_NOT} (?:any )?(?:{_SMALL} than|less than|fewer than|below|under) {_KB}", lambda a, b: a >= b),
    (rf"\b{_BIG}{_FIRST}(?: is)? {_A}[^.!?]{{1,40}}\b{_SMALL}{_OTHER}(?: is)? {_B}", _more),
    (rf"\b{_SMALL}{_FIRST}(?: is)? {_A}[^.!?]{{1,40}}\b{_BIG}{_OTHER}(?: is)? {_B}", _less),
    (rf"{_A}(?: is)? (?:large|larger|huge|big|bigger|ahead|the winner)[,;]?(?: and| but| while)? {_B}(?: is)? (?:small|smaller|tiny|behind)\b",
     _more),
    (rf"{_A}(?: is)? (?:small|smaller|tiny|behind)[,;]?(?: and| but| while)? {_B}(?: is)? (?:large|larger|huge|big|bigger|ahead)\b",
     _less),
    (rf"{_A} is the winner,?[^.!?\d]{{0,20}} {_B} (?:comes|is) (?:second|the loser)", _more),
    (rf"\bof {_A} and {_B},? the second (?:one )?is (?:the )?{_BIG}", _less),
    (rf"\bof {_A} and {_B},? the first (?:one )?is (?:the )?{_BIG}", _more),
    (rf"\bof {_A} and {_B},? the second (?:one )?is (?:the )?{_SMALL}", _more),
    (rf"\bof {_A} and {_B},? the first (?:one )?is (?:the )?{_SMALL}", _less),
    (rf"(?:compared with|next to|beside|against) {_A},? {_B} (?:is|looks|seems) (?:only )?(?:small|tiny|little|nothing)\b", _more),
    (rf"(?:compared with|next to|beside|against) {_A},? {_B} (?:is|looks|seems) (?:large|huge|big|much)\b", _less),
    (rf"{_A}{_IS} to the right of {_B}", _more),
    (rf"{_A}{_IS} to the left of {_B}", _less),
    (rf"{_A}{_IS} too (?:big|large|long|wide) (?:to fit into|for) {_B}", _more),
    (rf"\b(?:in {_RISING} order|from (?:the )?small(?:est)?(?: up)?(?: to (?:the )?large(?:st)?)?|rise from left to right|go(?:es)? up)"
     rf"(?: first)?[:,] (?:first )?{_LIST}",
     lambda row: all(a <= b for a, b in pairwise(row))),
    (rf"\b(?:in {_FALLING} order|from (?:the )?large(?:st)?(?: down)?(?: to (?:the )?small(?:est)?)?|fall from left to right|go(?:es)? down)"
     rf"(?: first)?[:,] (?:first )?{_LIST}",
     lambda row: all(a >= b for a, b in pairwise(row))),
    (rf"{_A}(?P<between>{_DOES}[^.,;:!?\d]{{0,35}}?)\b(?:{_BIG}|more)\b(?! (?:or|and) )[^.,;:!?\d]{{0,15}} than {_B}",
     lambda a, between, b: (a > b) != _negates(between)),
    (rf"{_A}(?P<between>{_DOES}[^.,;:!?\d]{{0,35}}?)\b(?:{_SMALL}|less|fewer)\b(?! (?:or|and) )[^.,;:!?\d]{{0,15}} than {_B}",
     lambda a, between, b: (a < b) != _negates(between)),
    (rf"{_A}{_IS}(?: a (?:long|good|little) way| way| far| well| just)? (?:past|above|beyond) {_B}", _more),
    (rf"{_A}{_IS}(?: a (?:long|good|little) way| way| far| well| just)? (?:below|beneath|under) {_B}", _less),
    # which are the same
    (rf"{_A} and {_B}(?: (?:tie|match|agree|coincide|do not differ|come to the same|are (?:alike|the same))\b|,? so neither wins)", _equal),
    (rf"{_A}(?: (?:ties with|agrees with|does not differ from|coincides with)| is (?:no different from|just|another way to (?:write|say))) "
     rf"{_B}(?! [a-z]+ (?:more|less)| (?:more|less|above|below|of|times|steps|words))", _equal),
    (rf"(?:no difference between|both are (?:the same|equal),?|whether (?:you|we) (?:write|say)) {_A} (?:and|or) {_B}", _equal),
    (rf"{_A} here and {_B} there: the same\b", _equal),
    (rf"{_A}, (?:just )?as much as (?:the other(?: one)?, )?{_B}", _equal),
    (rf"{_A} rounds (?:up |down |off )?to {_KB}", _equal),
    # how far apart
    (rf"{_A} and {_B} (?:are|lie|stand) {_KC} apart", _apart),
    (rf"{_A}{_IS} {_KC} (?:above|ahead of|over|beyond) {_B}", _difference),
    (rf"{_A}{_IS} {_KC} (?:below|behind|under|short of) {_B}", _missing),
    (rf"{_A}(?: (?:beats|tops|exceeds|leads|outdoes)|{_IS} ahead of) {_B} by {_KC}", _difference),
    (rf"\bfrom {_A} to {_B},? it(?: is|['’]s| takes) {_KC}\b", _apart),
    (rf"{_A} (?:needs|lacks|takes|wants) {_KC}(?: more)? to (?:reach|get to|make|become) {_B}", _missing),
    (rf"\badd {_KA} to {_B}{_LEADS_TO} {_C}", _sum),
    (rf"{_A}{_IS} {_BIG} by {_KC} than {_B}", _difference),
    (rf"{_A}{_IS} {_BIG} than {_B} by {_KC}", _difference),
    (rf"\b{_KC} (?:steps|more) from {_A} to {_B}", _apart),
    (rf"{_A}{_IS} {_KC} away from {_B}", _apart),
    (rf"{_A} has a lead of {_KC} over {_B}", _difference),
    # how many times as large
    (rf"{_A}[^.,;:!?\d]{{1,20}}?\b{_KB} times (?:as {_SIZE} as|the \w+ of|more than) {_C}", _as_ratio),
    (rf"{_A}{_IS}(?: about| nearly| almost| roughly)? {_KB} times (?:as {_SIZE} as |the |of )?{_C}", _as_ratio),
    (rf"{_A}, {_KB} times (?:as {_SIZE} as )?{_C}", _as_ratio),
    (rf"{_A}(?:,|{_IS}(?: about| nearly| almost| roughly)?) (?P<b>(?:an? )?(?:twice|half|double|triple|third|quarter|fifth|tenth))"
     rf"(?: as {_SIZE} as| of)? {_C}", _as_ratio),
    (rf"{_C} (?:fits|goes) (?:into|in) {_A} (?P<b>{_K}|twice|three times)(?: times)?\b", _fits),
    (rf"{_A} (?:holds|contains) {_C} {_KB} times", _fits),
    (rf"{_A} is {_B} doubled", lambda a, b: _equal(a, 2 * b)),
    (rf"{_A} is {_B} halved", lambda a, b: _equal(a, b / 2)),
    (rf"{_A} is {_B} squared", lambda a, b: _equal(a, b * b)),
    (rf"(?:\b|takes )(?P<a>{NUMBER_WORD.pattern}) of {_B}(?: to)? make {_C}", _product),
    # a sum that is told as it is done
    (rf"\b(?:take|subtract|taking|subtracting) {_B}(?: away)? from {_A}{_LEADS_TO} {_C}",
     _difference),
    (rf"\b(?:take|subtract|taking|subtracting) {_B}(?: away)? from {_A},? and {_KC}{_OUT}", _difference),
    (rf"\bonce {_B} is (?:taken|subtracted)(?: away)? from {_A},? {_C}{_OUT}", _difference),
    (rf"{_A} with {_B} (?:taken (?:off|away)|subtracted){_LEADS_TO} {_C}", _difference),
    (rf"{_A} with {_B} (?:added|on top){_LEADS_TO} {_C}", _sum),
    (rf"\bput {_A} on top of {_B}(?::|{_LEADS_TO}) {_C}", _sum),
    (rf"{_A} (?:shrinks|falls|drops|sinks|goes down|is (?:cut|lowered)) by {_B},? (?:and becomes|to) {_C}", _difference),
    (rf"{_A} (?:grows|rises|climbs|goes up|is (?:raised|lifted)) by {_B},? (?:and becomes|to) {_C}", _sum),
    (rf"\b(?:square|squaring) {_A}{_LEADS_TO} {_B}", lambda a, b: _equal(a * a, b)),
    (rf"\b(?:double|doubling) {_A}{_LEADS_TO} {_B}", lambda a, b: _equal(2 * a, b)),
    (rf"\b(?:halve|halving) {_A}{_LEADS_TO} {_B}", lambda a, b: _equal(a / 2, b)),
    (rf"\bmultiplying by {_B} turns {_A} into {_C}", _product),
    (rf"\bdividing by {_B} turns {_A} into {_C}", _quotient),
    (rf"{_A} (?:split|cut|divided|broken) (?:in|into) {_KB}{_LEADS_TO} {_C}", _quotient),
    (rf"{_A} (?:shared|split) (?:between|among) {_KB}{_LEADS_TO} {_C}", _quotient),
    (rf"\bwhen {_A} is divided by {_B},? {_C}{_OUT}", _quotient),
    (rf"\bwhen {_A} is multiplied by {_B},? {_C}{_OUT}", _product),
    (rf"\bsum of the two, {_A} and {_B},{_LEADS_TO} {_C}", _sum),
    (rf"\bproduct of the two, {_A} and {_B},{_LEADS_TO} {_C}", _product),
    (rf"{_A} and {_B},? sum to {_C}", _sum),
    (rf"{_A} has the (?:square )?root {_B}", lambda a, b: _equal(a, b * b)),
    (rf"{_A} and another {_B}{_LEADS_TO} {_C}", _sum),
    (rf"{_B} off {_A}{_LEADS_TO} {_C}", _difference),
    (rf"\bcut {_A} in half(?::|,|{_LEADS_TO}) {_B}", lambda a, b: _equal(a / 2, b)),
    (rf"\bhalf (?:of )?{_A}{_LEADS_TO} {_B}", lambda a, b: _equal(a / 2, b)),
    (rf"{_A},? squared,?{_LEADS_TO} {_B}", lambda a, b: _equal(a * a, b)),
    (rf"{_A} (?:split|cut|divided|broken) (?:in|into) {_KB} (?:equal )?(?:parts|pieces|halves){_LEADS_TO} {_C}",
     _quotient),
    (rf"\bmultiply (?:the )?{_A} by {_B}(?::|,) (?:that is )?{_C}", _product),
    # what kind of number
    (rf"{_A} is (?:a )?negative\b(?! of)", lambda a: a < 0),
    (rf"{_A} is (?:a )?positive\b", lambda a: a > 0),
    (rf"{_A} is not positive\b", lambda a: a <= 0),
    (rf"{_A} is not negative\b", lambda a: a >= 0),
    (rf"{_A} is (?:not even|(?:an )?odd)\b(?! half| a)", lambda a: a % 2 == 1),
    (rf"{_A} is (?:not odd|(?:an )?even(?: number\b| ?[.,;]))", lambda a: a % 2 == 0),
    (rf"{_A} is divisible by {_KB}", lambda a, b: b == 0 or a % b == 0),
    (rf"{_A} is not divisible by {_KB}", lambda a, b: b == 0 or a % b != 0),
    (rf"{_A} is (?:a fraction|not (?:a )?whole(?: number\b(?! of)| ?[.,;]))", lambda a: a % 1 != 0),
    (rf"{_A} is (?:a )?whole(?: number\b(?! of)| ?[.,;])", lambda a: a % 1 == 0),
    (rf"{_A} is (?:exactly )?zero\b", lambda a: a == 0),
    (rf"{_A} is (?:exactly )?one\b(?! of| in| more| less| number| word| third| half| step)", lambda a: a == 1),
    (rf"{_A} is (?:nearly|almost|close to|about|roughly|practically) (?P<b>zero|one|nothing)\b(?! [a-z])", _nearly),
    # which part of the whole
    (rf"{_A}(?:,|{_IS}) (?:less than|under|below|not even|smaller than) {_PART}(?! (?:of )?{_N})", lambda a, part: a > 1 or a < part),
    (rf"{_A}(?:,|{_IS}) (?:more than|over|above|larger than) {_PART}(?! (?:of )?{_N})", lambda a, part: a > 1 or a > part),
    (rf"{_A}(?:,|{_IS}) (?:about|roughly|around|nearly|almost) {_PART}(?! (?:of )?{_N})", lambda a, part: a > 1 or _nearly(a, part)),
    (rf"\b(?:about|roughly|barely|almost|nearly) {_PART}[:,] (?P<a>{_SHARE})", lambda part, a: _nearly(a, part)),
    (rf"{_A}, (?:hardly anything|almost nothing)\b", lambda a: _nearly(a, 0)),
    (rf"\b(?:just |a little |well )?(?:under|below|less than) {_PART}[:,] (?P<a>{_SHARE})", lambda part, a: a < part),
    (rf"\b(?:just |a little |well )?(?:over|above|more than) {_PART}[:,] (?P<a>{_SHARE})", lambda part, a: a > part),
    (rf"{_A}{_IS} (?:just|a little|well) (?:under|below|less than) {_PART}(?! (?:of )?{_N})", lambda a, part: a > 1 or a < part),
    (rf"{_A}{_IS} (?:just|a little|well) (?:over|above|more than) {_PART}(?! (?:of )?{_N})", lambda a, part: a > 1 or a > part),
    # which way it goes
    (rf"\bfrom {_A}[^.;!?\d]{{0,25}} up to {_B}", _less),
    (rf"\bfrom {_A}[^.;!?\d]{{0,25}} down to {_B}", _more),
    (rf"{_A}(?: [a-z]+)?, up from {_B}", _more),
    (rf"{_A}(?: [a-z]+)?, down from {_B}", _less),
    (rf"\bthe {_A} grows (?:in)?to {_B}", _less),
    (rf"\bthe {_A} shrinks (?:in)?to {_B}", _more),
    (rf"{_LIFTS}(?: \w+){{0,2}} from {_A}(?: up)? to {_B}", _less),
    (rf"{_CUTS}(?: \w+){{0,2}} from {_A}(?: down)? to {_B}", _more),
    (rf"{_LIFTS} {_A} to {_B}", _less),
    (rf"{_CUTS} {_A} to {_B}", _more),
    (rf"\b(?:falls|fell|drops|dropped|sinks|sank|moves down|goes down) to {_B},? from {_A}", lambda b, a: a > b),
    (rf"\b(?:rises|rose|climbs|climbed|grows|grew|moves up|goes up) to {_B},? from {_A}", lambda b, a: a < b),
]  # fmt: skip
_RULES = [(re.compile(pattern, re.I), holds) for pattern, holds in _RULES]


def untrue_wordings(text):  # -> list of (start, end)
    """The spans of the false statements of a text."""
    return [found.span() for pattern, holds in _RULES for found in pattern.finditer(text) if not holds(**_named(found))]


def _named(found):  # of a match -> {name of a group: its number}, or for a list its numbers
    said = {name: text for name, text in found.groupdict().items() if text is not None and name != "noun"}
    return {name: _READ.get(name, _number)(text) for name, text in said.items()}


def _number(said):  # "8", "95 %", "three", "a third" -> float
    last = said.lower().split()[-1]
    if last in _PART_VALUES:
        return _PART_VALUES[last]
    if NUMBER_WORD.fullmatch(said):
        return float(value_of(said))
    plain = said.replace(",", "").replace("−", "-")
    return float(plain.rstrip(" %")) / (100 if "%" in plain else 1)


_READ = {"between": str, "row": lambda said: [_number(one) for one in re.findall(_N, said)]}
