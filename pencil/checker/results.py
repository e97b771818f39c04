"""Words that state a result (the total is nine, it is the ninth), and numbers in letters: Roman ones, and those of other languages."""

import re

from pencil.checker.words import FOLD, FOREIGN, NUMBER_WORD, value_of

_ABOUT = r"(?:(?:about|exactly|nearly|almost|only|just|to) )?(?:minus )?"
_PARTS = r"(?:half|halves|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)"
_LATER = "(?:fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"  # the first three are said of any order
_NTH = "(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"
_AMOUNT = (
    rf"(?:{NUMBER_WORD.pattern}(?: and (?:an?|one|two|three) {_PARTS})?"
    rf"|(?:(?:an?|one|two|three|four|five|seven|nine)[ -])?{_PARTS}|twice|double|thrice|nought|naught|nil"
    rf"|an? (?:dozen|hundred|thousand|million|billion)|the {_NTH}(?: one)?)"
)
_VERBS = (
    r"adds? up to|sums? (?:up )?to|totals?|equals?|is equal to|comes? to|comes? out (?:as|at|to)|amounts? to|turns? out to be"
    r"|works? out (?:as|at|to)|results? in|(?:we|you) (?:get|obtain)|which (?:makes|gives)|an? (?:total|mean|average|result) of"
)
_NOUNS = (
    r"sum|total|answer|result|average|mean|product|difference|quotient|remainder|root|score|miss|loss|cosine|tick|norm|length|maximum|minimum"
    r"|largest|smallest|largest score|smallest score"
)
_OF = r"(?: of [\w*]+(?: [\w*]+){0,5}?)?"
_ARE = r",?(?: then,?)? (?:is|are|was|were|will be|would be|must be|(?:has|have) to be|being)(?: then| now| thus)?"
_END = r"(?= (?:of (?:all|it|them|the whole)|in total)\b| ?[.,;:!?)¦]|\Z)"
_MORE_NOUNS = (  # of them zero and one are said of any numbers, of a share that is masked or a truth; larger ones are results
    r"row|column|share|weight|slope|step|spread|gap|variance|deviation|square|power|quotient|count|width|height|rank|chance|reward|advantage"
    r"|distance|angle|size|part|odds|entry|number|value|factor|ratio|rate|logit|gradient|gate|output|index"
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
        rf"(?P<number>{NUMBER_WORD.pattern}) (?:degrees?|per ?cent|per ?mille|percent|[%％‰])",
        rf"(?P<number>\b(?:nought|naught|nil|oh|{NUMBER_WORD.pattern}) point(?: (?:nought|{NUMBER_WORD.pattern}))+)",
        rf"\b(?P<number>{_AMOUNT}) (?:altogether\b|in all\b|in total\b|is the {_SUM}{_END})",
        rf"\bthe {_SUM}(?:,| \() ?(?P<number>{_AMOUNT})[,)]",
        rf"\b(?P<any>share|score|weight|chance|probability|loss) of {_ABOUT}(?P<number>(?!the ){_AMOUNT}){_END}",
        rf"\b(?P<any>(?:that|this|it) (?:makes|leaves|gives)|leaving|making|giving|what comes out is|(?<!the )scores)"
        rf" {_ABOUT}(?P<number>{_AMOUNT}){_END}",
        rf"\b(?P<number>{NUMBER_WORD.pattern}) (?P<any>remains?|comes? out|(?:is|are) what comes out|all told){_END}",
        rf"\b(?:ranks?|ranked|is|are|was) (?P<number>{_NTH}){_END}",
        rf"(?<!here )(?<!there )(?<!which )(?<!what )\b(?:is|are|was|were|becomes?|became|puts? (?:it|this|that)|places? (?:it|this|that))"
        rf" (?P<number>(?:the )?{_LATER})\b(?!-)",
        rf"\b(?P<number>(?:the )?{_LATER})(?:(?: [a-z]+)? (?:wins|leads|comes first|is the \w+est|has the \w+est)\b| (?:\w+est|best|worst|most)\b)",
        rf"\b(?:takes?|took|stands? in|(?:comes?|lands?|finish(?:es|ed)?) (?:in|on)) (?P<number>(?:the )?{_LATER}) place\b",
        rf"\b(?P<any>reach(?:es|ed)?|(?:climb|drop|fall|rise|sink|shrink|grow|land|arrive|stand)(?:s|ed)? (?:to|on|at)|has the value"
        rf"|(?:it|that|this) (?:is|was))"
        rf" {_ABOUT}(?P<number>{NUMBER_WORD.pattern}){_END}",
        rf"\b(?P<any>with) (?P<number>{_AMOUNT}) as (?:its|their) ",
        rf"\b(?P<number>{NUMBER_WORD.pattern}) is (?P<any>(?:its|their|his|her|the) (?:{_NOUNS}|share|weight)\b"
        rf"|what (?:it|he|she) (?:gets|makes|is))",
        rf"\b(?:picks|chooses|ranks as|stands) (?P<number>(?:the )?{_LATER})\b",
        rf"\b(?P<number>{_LATER})(?: [a-z]+)? (?:gets|takes|has) (?:the )?(?:most|least|more|less|largest|smallest)\b",
        rf"\b(?P<any>gets an?|adds? to|comes? out) (?P<number>{NUMBER_WORD.pattern}){_END}",
        rf"(?:\A|[.;:!?] )[*_]*(?:the )?\w+[*_]*: (?P<any>)(?P<number>{NUMBER_WORD.pattern}) ?(?:[.!]|\Z)",
        rf"\b(?:comes?|came|finish(?:es|ed)) (?P<number>(?!second|third){_NTH}){_END}",
        rf"\b(?P<number>{NUMBER_WORD.pattern}(?: \w+)? (?:in|out of) (?:every )?(?:an? )?(?!one\b)(?:{NUMBER_WORD.pattern}|hundred|thousand|million))"
        rf"(?![^.;:!?]*\?)(?:{_END}|(?= (?:is|are|was|were|right|wrong)\b))",
        rf"\b(?:is|are|was|grows?|grew|rises?|rose|falls?|fell|drops?|gains?|by) {_ABOUT}(?P<number>{FOLD})",
    )
]
_LAWS = {  # what is zero or one whatever the numbers are, in the sentence up to the word
    0: re.compile(r"(?:\bright angles\b|\btamed\b|\braised\b|\bslopes? of (?:a|the) softmax\b|\b(?:is|are) zero,)[^.;:!?]*\Z"),
    1: re.compile(r"\b(?:shares|weights|chances|probabilities)\b[^.;:!?]*\Z", re.I),
}
_ROMAN = re.compile(
    r"\b(?=[IVXLCDM]*[IVX]|[IVXLCDM]{3})(?=[IVXLCDM]{2,}\b)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?<=[IVXLCDM])\b"
    r"|\b[ivx]{2,}\b|(?i:\b(?:chapter|part|section|head|layer|block) )[IVX]\b"
)


def stated(text):  # str -> (start, what is written, reason)
    """The results that a text states in words."""
    for pattern in (_RESULT, *_MORE_RESULTS):
        for found in pattern.finditer(text):
            if not _holds_always(found):
                yield found.start("number"), found["number"], "states a result in words: bind it in digits"


def in_letters(text):  # str -> (start, what is written, reason)
    """The numbers of a text that are written in letters, and no English words."""
    for found in _ROMAN.finditer(text):
        yield found.start(), found[0], "is a number in letters: bind its digits"
    for found in FOREIGN.finditer(text):
        yield found.start(), found[0], "may be a number in another language: write it in English"


def _holds_always(found):  # a match of _RESULT
    """Is it zero or one, where they are so whatever the numbers are?"""
    value = value_of(found["number"]) if NUMBER_WORD.fullmatch(found["number"]) else None
    return "any" in found.groupdict() and value in _LAWS and bool(found["any"] or _LAWS[value].search(found.string[: found.start("number")]))
