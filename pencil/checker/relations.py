"""What everyday words say two numbers are to each other: `8 and 2 are six apart`, `2 goes into 8 four times`, `square 2 and you get 4`.

Each rule is a pattern and what its numbers have to be. Like `statements`, this accounts for no digit: it only refuses what is false.
A rule reads little rather than too much, since a true sentence that is refused costs more than a false one that a reader sees.
"""

import re

from pencil.checker.digits import DIGIT
from pencil.checker.words import NUMBER_WORD, value_of
from pencil.rounding import settle

_NUMBER = r"[−-]?\d++(?:,\d{3}\b)*+(?:\.\d+)?+(?: ?%)?+"
_N = rf"(?<![\w.,\[(/−-])(?<![·×/+=√−-] )(?<!times )(?<!plus )(?<!minus ){_NUMBER}(?![\w\]]| ?[·×/+=^]| − | (?:times|plus|minus) \d)"  # in no sum
_FRACTIONS = "halves|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|thousandths?"
_K = rf"(?:{_N}|{NUMBER_WORD.pattern})(?! (?:and a|point|per|percent|orders|{_FRACTIONS})\b)"  # in digits or in words
_A, _B, _C = (f"(?P<{name}>{_N})" for name in "abc")
_KA, _KB, _KC = (f"(?P<{name}>{_K})" for name in "abc")
_PARTS = {
    "nothing": 0, "tenth": 0.1, "fifth": 0.2, "quarter": 0.25, "third": 1 / 3, "half": 0.5, "whole": 1, "everything": 1, "all": 1,
    "twice": 2, "double": 2, "triple": 3,
}  # fmt: skip
_PART = "(?:(?:an? |one |the )?(?P<part>nothing|tenth|fifth|quarter|third|half|whole|everything|all))"
_ENDS = r"(?= ?(?:[.,;:!?)](?!\d)|\Z))"
_RESULT = rf"{_C}(?= ?[.,;:!?)](?!\d)| (?:left|again|each)\b|\Z)"
_BIG, _SMALL = "(?:larger|bigger|greater|higher|longer)", "(?:smaller|lesser|lower|shorter)"
_NOUN = "number|score|share|value|weight"
_FIRST = rf"(?: (?P<noun>one|{_NOUN}))?(?: of the two)?,?"
_OTHER = r"(?: (?:one|(?P=noun)))?(?: of the two)?,?"  # of the same noun
_IS = r",?(?: which| that)? (?:is|are|was|were|lies|stays|remains)(?: now| still| again| then| only| just)?"
_NOT = r" (?:is|are|was|were)(?:n['’]t| not| never)"
_MAYBE_NOT = r" (?:is|are|was|were)(?P<negated>n['’]t| not| never| no)?(?: any| an?)?"
_WAY = "(?: a (?:long|good|little) way| way| far| well)?"
_ABOUT = "(?: about| nearly| almost| roughly)?"
_LEADS_TO = (
    r",?(?: and)?(?: (?:it|you|we))?(?: still)? (?:gets?|have|finds?|reach|are at|gives?|makes?|leaves?|yields?|becomes?|is|are|equals?|comes? to)"
)
_HOW = "(?P<how>(?:less|smaller) than|under|below|not even|(?:more|larger) than|over|above|about|roughly|around|nearly|almost|barely)"
_MEANS = {"less": "<", "smaller": "<", "under": "<", "below": "<", "not": "<", "more": ">", "larger": ">", "over": ">", "above": ">"}


def _equal(a, b):  # as nearly as the one that has fewer decimals says it
    return abs(a - b) <= 0.5 * 10 ** -min(_places(a), _places(b)) + 1e-12


def _places(x):
    return max(0, -settle(x).normalize().as_tuple().exponent)


def _as_ratio(a, b, c):  # b times c, as nearly as words say it
    return abs(a - b * c) <= 0.1 * abs(b * c)


def _less(a, b, negated=None):
    return (a < b) == (negated is None)


def _more(a, b, negated=None):
    return (a > b) == (negated is None)


def _close(how, a, b):
    return a == b if how == "exactly" else abs(a - b) <= 0.25


def _has(how, a, negated=None):  # of zero this judges nothing
    is_whole = a == int(a)
    has = {"negative": a < 0, "positive": a > 0, "odd": is_whole and a % 2, "whole": is_whole, "fraction": not is_whole}.get(how, a % 2 == 0)
    return a == 0 or bool(has) == (negated is None)


def _sum(a, b, c):
    return _equal(a + b, c)


def _difference(a, b, c):
    return _equal(a - b, c)


def _missing(a, b, c):  # from a to b
    return _equal(b - a, c)


def _apart(a, b, c):
    return _equal(abs(a - b), c)


def _quotient(a, b, c):
    return b == 0 or _equal(a / b, c)


def _fits(a, b, c):  # c goes b times into a
    return c == 0 or b == a // c or _equal(a / c, b)


def _done(how, a, c):  # doubled, halved or squared, a is c
    return _equal({"d": 2 * a, "h": a / 2, "s": a * a}[how[0].lower()], c)


def _of_the_whole(how, part, a):
    means = _MEANS.get(how.lower().split()[0])
    return a > 1 or {"<": a < part, ">": a > part}.get(means, abs(a - part) <= 0.1)


def _goes(how, a, b):  # from a, up or down to b
    return a < b if how.lower() == "up" else a > b


# A number that names something ("row 2", "question 4", "places 2 and 5") or counts it ("of these 5 are negative") is compared with nothing
_NO_NAME = r"(?<![a-z] )"
_RULES = [  # (pattern with the numbers a, b, c; what they have to be)
    # more or less
    (rf"{_A}{_MAYBE_NOT} (?:{_BIG}(?: (?:{_NOUN}))?|more) than {_B}", _more),
    (rf"{_A}{_MAYBE_NOT} (?:{_SMALL}(?: (?:{_NOUN}))?|less|fewer) than {_B}", _less),
    (rf"{_A}{_NOT}(?: nearly| quite)? as (?:large|big|much|many|great|high|long) as {_B}", _less),
    (rf"{_A}{_NOT}(?: nearly| quite)? as (?:small|little|few|low|short) as {_B}", _more),
    (rf"{_A}{_IS}{_WAY} (?:past|above|beyond) {_B}", _more),
    (rf"{_A}{_IS}{_WAY} (?:below|beneath|under) {_B}", _less),
    (rf"\bthe {_BIG}{_FIRST}(?: is)? {_A}[^.!?\d]{{1,40}}\b{_SMALL}{_OTHER}(?: is)? {_B}", _more),
    (rf"\bthe {_SMALL}{_FIRST}(?: is)? {_A}[^.!?\d]{{1,40}}\b{_BIG}{_OTHER}(?: is)? {_B}", _less),
    (rf"{_A} (?:outranks|dwarfs|edges out|comes out ahead of) {_B}", _more),
    (rf"{_A} (?:loses to|trails|lags behind|stands(?: well| far)? behind|stays short of|(?:does not|doesn['’]t|cannot) (?:reach|match)) {_B}", _less),
    # the same
    (rf"{_NO_NAME}{_A} and {_B} (?:tie|match|agree|are alike|come to the same|do(?: not|n['’]t) differ){_ENDS}", _equal),
    (rf"{_NO_NAME}{_A}(?: (?:ties|agrees) with| does(?: not|n['’]t) differ from|{_IS} no different from) {_B}{_ENDS}", _equal),
    # what kind of number
    (rf"{_NO_NAME}{_A}{_MAYBE_NOT} (?P<how>negative|positive|odd|even|divisible by two|whole|fraction)(?: number)?{_ENDS}", _has),
    (rf"{_NO_NAME}{_A}{_IS} (?P<how>exactly|nearly|almost|close to) (?P<b>zero|nothing|one){_ENDS}", _close),
    (rf"{_NO_NAME}{_A}{_IS} (?P<b>zero|nothing){_ENDS}", _equal),
    # by how much
    (rf"{_A} and {_B} (?:are|lie) {_KC} apart", _apart),
    (rf"{_A}{_IS} {_KC} away from {_B}", _apart),
    (rf"{_A}{_IS} {_KC} (?:above|ahead of|beyond) {_B}", _difference),
    (rf"{_A}{_IS} {_KC} (?:below|behind|short of) {_B}", _missing),
    (rf"{_A}(?: (?:beats|exceeds)|{_IS} (?:ahead of|{_BIG} than)) {_B} by {_KC}", _difference),
    (rf"{_A}{_IS} {_BIG} by {_KC} than {_B}", _difference),
    (rf"{_A}{_IS} {_SMALL} than {_B} by {_KC}", _missing),
    (rf"{_A}{_IS} {_SMALL} by {_KC} than {_B}", _missing),
    (rf"{_A} (?:needs|lacks) {_KC}(?: more)? to (?:reach|get to|make|become) {_B}", _missing),
    # times, or part of
    (rf"{_A}(?:{_IS}{_ABOUT}| counts| weighs) {_KB} times as (?:large|big|much|many|great|high|long) as {_C}", _as_ratio),
    (rf"{_A}{_IS}{_ABOUT} (?P<b>(?:an? )?(?:twice|half|double|triple|third|quarter|fifth|tenth))"
     rf"(?: as (?:large|big|much|many|great|high|long) as| of) {_C}", _as_ratio),
    (rf"{_C} (?:fits|goes) (?:into|in) {_A} (?P<b>twice(?! as)|{_K}(?= times\b))", _fits),
    (rf"{_A} (?:holds|contains) {_C} (?P<b>twice(?! as)|{_K}(?= times\b))", _fits),
    (rf"{_A}(?:,|{_IS})(?: just| a little| well)? {_HOW} {_PART}{_ENDS}", _of_the_whole),
    (rf"(?<!by )\b{_HOW} {_PART}[:,] (?P<a>(?:0\.\d+|\d[\d.]* ?%)){_ENDS}", _of_the_whole),
    # what comes out
    (rf"\badd {_KA} to {_B}{_LEADS_TO} {_RESULT}", _sum),
    (rf"\b(?:take|subtract|taking|subtracting) {_B}(?: away)? from {_A}{_LEADS_TO} {_RESULT}", _difference),
    (rf"\b(?:take|subtract) {_B}(?: away)? from {_A},? and {_C} (?:remains?|is left|are left)\b", _difference),
    (rf"{_A} with {_B} (?:taken (?:off|away)|subtracted){_LEADS_TO} {_RESULT}", _difference),
    (rf"{_A} with {_B} added{_LEADS_TO} {_RESULT}", _sum),
    (rf"{_A} (?:shrinks|falls|drops|sinks|goes down|is lowered) by {_B},? (?:and becomes|to) {_C}", _difference),
    (rf"{_A} (?:grows|rises|climbs|goes up|is raised) by {_B},? (?:and becomes|to) {_C}", _sum),
    (rf"{_A} (?:split|cut|divided) (?:in|into|between|among) {_KB}(?: (?:equal )?(?:parts|pieces))?{_LEADS_TO} {_RESULT}", _quotient),
    (rf"\b(?P<how>double|doubling|halve|halving|square|squaring) {_A}{_LEADS_TO} {_RESULT}", _done),
    (rf"{_C} is {_A} (?P<how>doubled|halved|squared)\b", _done),
    # from, and to
    (rf"\bfrom {_A}[^.;!?\d]{{0,25}} (?P<how>up|down) to {_B}", _goes),
    (rf"{_B}(?: [a-z]+)?, (?P<how>up|down) from {_A}", _goes),
    (rf"\b(?:(?:rais|lift)(?:es?|ed|s|ing)|(?:push|bring|mov|creep)\w* up|brought up)(?: \w+){{0,2}} from {_A}(?: up)? to {_B}", _less),
    (rf"\b(?:lower(?:s|ed|ing)|slip\w*|(?:push|bring|mov)\w* down|brought down)(?: \w+){{0,2}} from {_A}(?: down)? to {_B}", _more),
    (rf"\b(?:rises|rose|climbs|climbed|grows|grew|moves up|goes up) to {_B},? from {_A}", _less),
    (rf"\b(?:falls|fell|drops|dropped|sinks|sank|moves down|goes down) to {_B},? from {_A}", _more),
]  # fmt: skip
_RULES = [(re.compile(pattern, re.I), holds) for pattern, holds in _RULES]


def untrue_relations(text):  # -> list of (start, end)
    """The spans of the false statements of a text."""
    if not DIGIT.search(text):  # each of the rules has a number in digits
        return []
    return [found.span() for pattern, holds in _RULES for found in pattern.finditer(text) if not _is_mixed(found) and not holds(**_named(found))]


def _is_mixed(found):  # whether some of its numbers are per cents and others are not, so that one is of the other
    said = [found[name].endswith("%") for name in "abc" if name in found.re.groupindex]
    return any(said) and not all(said)


def _named(found):  # of a match -> {name of a group: its number, or for `how` and `negated` its words}
    return {name: said if name in ("how", "negated") else _number(said) for name, said in found.groupdict().items() if name != "noun"}


def _number(said):  # "8", "95 %", "three", "a third" -> float
    last = said.lower().split()[-1]
    if last in _PARTS:
        return _PARTS[last]
    if NUMBER_WORD.fullmatch(said):
        return float(value_of(said))
    plain = said.replace(",", "").replace("−", "-")
    return float(plain.rstrip(" %")) / (100 if "%" in plain else 1)
