"""The words of a chapter: the field's alone, and those of its source only where the switch replaces them."""

import re

from bs4 import BeautifulSoup

from pencil.publish.source_words import marked
from pencil.worked.labels import plural

NAMES = re.compile(r"(?<![\w-])(?:WANT|HAVE|GIVE|ASK|OFFER|HANDOVER|NEW)s?(?![\w-])")
PRIVATE = re.compile(
    r"(?<![\w-])(?:sticks?|dials?|nudges?|nudged|portions?|name-tags?|glue[ds]?|gluing|blend(?:s|ed)?|(?:position-)?stamps?|seats?|seated"
    r"|tame[ds]?|taming|untamed|bent|bends?|unbent|belts?|walkers?|wires?|by lot|study pile|sealed exam|mixing grid|taken home|takes home|take home"
    r"|the tick|a tick|ticks|tick(?= (?:is|was|of))|the miss|a miss|this miss|misses)(?![\w-])",
    re.I,
)
# Sentences that explain a thing by an image once, or quote; they may say these words.
EXPLAINING = {
    "04_lstm": ["Think of a conveyor belt", "That belt is the **cell state**."],
    "13b_descent": ['"Adam rolls dials downhill"'],
    "06_look_across": ["it starts at random, and training adjusts it, as one turns a dial."],
}
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.M | re.S)
LEARNED = re.compile(r":tags: \[learn")
UNSEEN = re.compile(r"\A---\n[\s\S]*?\n---\n|<[^<>\n]*>|\]\([^)]*\)|^:(?:answer|from): .*$|^:wrong[-\d]*: [^|\n]*\|", re.M)
BOX = re.compile(r"^:::\{words\}\n.*?^:::$", re.M | re.S)
KEY = re.compile(r"(?<=\{your-turn\}).*$", re.M)
TOLD = re.compile(r"^:(?:wrong|hint)[\w-]*: (.*)", re.M)  # what a question says of an answer
AS_A_VERB = r"\b(?:(\w+) )?\b(?:to|that|who|have|are) ((?i:{}))s?\b"  # "looks that share a number"; and yet "from score to score"
PLACES = ".pencil-worked, .pencil-drawing, .pencil-map, .pencil-picture, .pencil-lab"
SHOWN_BY_SCRIPTS = re.compile(r'"(?:caption|label|title|says?)": ?"([^"]*)"')


def field_words(chapter):
    """Neither the prose nor an output says a word of a source, or of the house."""
    said = prose(chapter)
    for found in private(said):
        yield chapter.at(chapter.line_of(found.start()), _not_the_field_s(said, found))
    for cell in chapter.cells if chapter.is_run else ():
        for said in () if "remove-cell" in cell.tags else map(_text_of, cell.outputs):
            yield from (chapter.at(cell.line, f"what the cell shows: {_not_the_field_s(said, found)}") for found in private(said))


def private(text):  # -> list of re.Match
    """The private words in a text."""
    return [found for pattern in (NAMES, PRIVATE) for found in pattern.finditer(text)]


def prose(chapter):  # -> str, with every character where the source has it
    """What a chapter says: its prose, with titles, options and alt texts, and the code that a reader should learn."""
    text = CELL.sub(lambda cell: cell[0] if LEARNED.search(cell[0]) else _blank(cell), chapter.text)
    for pattern in (KEY, BOX, UNSEEN):
        text = pattern.sub(_blank, text)
    for sentence in EXPLAINING.get(chapter.name, ()):
        text = text.replace(sentence, " " * len(sentence))
    return text


def _blank(found):
    return re.sub(r"[^\n]", " ", found[0])


def _not_the_field_s(text, found):
    around = " ".join(text[max(0, found.start() - 40) : found.end() + 20].split())
    return f"{found[0]!r} in … {around} … is a private word: say the field's, or mark the word with {{w}}"


def _text_of(output):  # prints, worked lines, pictures and labs; of these also what their scripts show
    data = output.get("data", {})
    html = BeautifulSoup("".join(data.get("text/html", "")), "html.parser")
    by_scripts = [said for part in html.select("script") for said in SHOWN_BY_SCRIPTS.findall(part.string or "")]
    return "\n".join(["".join(output.get("text", "")), "".join(data.get("text/plain", "")), *by_scripts, html.get_text(" ")])


def source_box(chapter):
    """The box of words stands where the front matter has the words of a source, and only there."""
    has, boxes = bool(source_words(chapter)), chapter.boxes("words")
    if has and not boxes:
        yield chapter.at(1, "the front matter has source_words: put the box :::{words} behind the box you-will")
    for box in boxes[1 if has else 0 :]:
        yield chapter.at(box.line, "a second box of words" if has else "the box of words takes source_words in the front matter")


def source_words(chapter):  # -> {the field's: the source's}
    """The field's words for which the chapter's source has its own."""
    return (chapter.page.front.get("pencil") or {}).get("source_words") or {}


def replaced(chapter):
    """Each of these words stands where the switch replaces it, and none is a verb there."""
    words = source_words(chapter)
    if not words:
        return
    prose_words = (word for _, word in marked(chapter.page))
    said = "\n".join([*_replaceable(chapter), *prose_words, *TOLD.findall(chapter.text)]).replace("\N{NO-BREAK SPACE}", " ")
    line = chapter.line_in(chapter.source, r"^ +source_words:")
    for word in words:
        if not re.search(rf"(?<!\w)(?:{re.escape(word)}|{re.escape(plural(word))})(?!\w)", said, re.I):
            yield chapter.at(line, f"{word!r} of source_words stands nowhere on the page: take it out")
    for found in re.finditer(AS_A_VERB.format("|".join(map(re.escape, words))), said):
        if found[1] != found[2]:
            yield chapter.at(line, f"{found[0]!r} is a verb, and the source's word for it is a noun: say it in another way")


def _replaceable(chapter):  # what sums, pictures and labs say; a lab says it in the data that its script reads
    for cell in chapter.cells:
        for output in cell.outputs:
            for place in BeautifulSoup("".join(output.get("data", {}).get("text/html", "")), "html.parser").select(PLACES):
                yield place.get_text(" ")
                yield from (script.string for script in place.select("script"))
