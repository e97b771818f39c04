"""Numbers written as words: twelve, seventy-three, three hundred and five, the forty-third; and words of other languages."""

import re

from pencil.checker.digits import DIGIT

_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_LARGE = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NTH = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth",
    "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
]  # fmt: skip
_ORDINALS = {word: n for n, word in enumerate(_NTH, 1)} | {f"{word[:-1]}ieth": 10 * n for n, word in enumerate(_TENS, 2)}
_ORDINALS |= {f"{word}s": n for word, n in _ORDINALS.items()}
VALUES = {word: n for n, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, 2)} | _LARGE | _ORDINALS
_UNIT = rf"(?:(?:{'|'.join(_TENS)})(?:[-‐‑ ](?:{'|'.join(_SMALL[1:10])}))?|{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
_SCALED = rf"(?:{_UNIT})(?: (?:{'|'.join(_LARGE)}))*"
_MORE = r"(?:(?<=hundred)|(?<=thousand)|(?<=[mbtr]illion))(?: and | |, )"
_HUNDRED = rf"an? (?:{'|'.join(_LARGE)})(?= and {_SCALED}\b)"  # "a hundred" by itself just means many
NUMBER_WORD = re.compile(rf"\b(?:{_SCALED}|{_HUNDRED})(?:{_MORE}{_SCALED})*\b(?!-)", re.I)
ORDINAL = re.compile(rf"\b(?:(?:{'|'.join(_TENS)})[-‐‑])?(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})\b", re.I)
# number words of other languages, except for words that exist in English; any word in a non-Latin script counts as one
_FOREIGN = """
    eins zwei drei vier fünf sechs sieben acht neun zwölf [a-zäöüß]*(?:zehn|zwanzig|ßig|(?:vier|fünf|sech|sieb|acht|neun)zig|hundert|tausend)
    [a-z]*(?:tien|twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig|honderd|duizend) twee drie vijf zes zeven negen twaalf
    deux trois quatre cinq huit neuf onze douze treize quatorze quinze vingts? trente quarante cinquante soixante dix-(?:sept|huit|neuf)
    cuatro cinco siete ocho nueve diez doce trece catorce dieci[a-zé]* veint[a-zéó]+ treinta cuarenta cincuenta sesenta setenta ochenta noventa
    quattro cinque sette nove undici dodici tredici quattordici quindici sedici
    dici(?:assette|otto|annove) venti trenta quaranta sessanta settanta ottanta novanta
    dois três quatro sete oito dez treze deze[a-z]+ vinte trinta quattuor quinque septem octo novem decem viginti centum
    cztery pięć sześć siedem osiem dziewięć dziesięć [a-ząęś]+(?:naście|dziesiąt) čtyři pět šest sedm osm devět deset [a-zěášě]+náct
"""
FOREIGN = re.compile(rf"\b(?:{'|'.join(_FOREIGN.split())})\b|[^\W\d_A-Za-zÀ-ɏ]{{2,}}|(?!{DIGIT.pattern})[^\W_A-Za-zÀ-ɏ\u0370-\u03ffªº]", re.I)


COUNTED = 12  # number words up to this are allowed
_ROMAN = re.compile(
    r"\b(?=[IVXLCDM]*[IVX]|[IVXLCDM]{3})(?=[IVXLCDM]{2,}\b)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?<=[IVXLCDM])\b"
    r"|\b[ivx]{2,}\b|(?i:\b(?:chapter|part|section|head|layer|block) )[IVX]\b"
)


def in_letters(text):  # str -> (start, what is written, reason)
    """The numbers of a text in letters that are no English words: Roman ones, and those of other languages."""
    for match in _ROMAN.finditer(text):
        yield match.start(), match[0], "is a number in letters: bind its digits"
    for match in FOREIGN.finditer(text):
        yield match.start(), match[0], "may be a number in another language: write it in English"


def is_counted(text):  # "forty-eight", "forty-eighth" -> True
    """Whether a text is a single number word above COUNTED."""
    return bool(NUMBER_WORD.fullmatch(text) or ORDINAL.fullmatch(text)) and value_of(text) > COUNTED


def value_of(words):  # "three hundred and five" -> 305
    """The value of a number word."""
    total = group = 0
    for word in re.split(r"[\s‐‑,-]+", words.lower()):
        if word == "and":
            continue
        value = 1 if word in ("a", "an") else VALUES[word]
        if word in ("dozen", "hundred"):
            group = max(group, 1) * value
        elif value < 100:
            group += value
        else:
            total, group = total + group * value, 0
    return total + group
