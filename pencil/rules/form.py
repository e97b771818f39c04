"""The parts of a chapter: its boxes, the size of its cells, and nothing left of the template."""

import re
from functools import cache
from statistics import median

from pencil.checker.page import MARKDOWN, VERBATIM, read_page
from pencil.errors import did_you_mean
from pencil.rules.template import SKELETON

ONCE = {
    "you-will": "say what a reader will be able to do, in a box :::{you-will}",
    "one-breath": "say the chapter in a sentence or two, in a box :::{one-breath}",
}
KNOWN = MARKDOWN | VERBATIM.keys() | {"code-cell"}  # directives
QUESTIONS = 4  # at least
HALF, MOST = 4, 20  # lines of code: of half the cells, and of any
WORD, SAID = re.compile(r"[^\W\d_]+"), 5  # a sentence of fewer words may be any chapter's


def parts(chapter):
    """One promise, one breath, one list of sources."""
    for name, wanted in ONCE.items():
        boxes = chapter.boxes(name)
        if not boxes:
            yield chapter.at(chapter.end, wanted)
        for box in boxes[1:]:
            yield chapter.at(box.line, f"a second box {name}; a chapter has one")
    sources = [line for line, level, title in chapter.headings if (level, title) == (2, "Sources")]
    if not sources:
        yield chapter.at(chapter.end, "name the sources, under a heading ## Sources")
    for line in sources[1:]:
        yield chapter.at(line, "a second heading ## Sources; a chapter has one")


def spelt(chapter):
    """Boxes and directives that there are."""
    for one in chapter.page.directives:
        if one.name not in KNOWN:
            meant = did_you_mean(one.name, KNOWN) or " Those of this book are in CONTRIBUTING.md"
            yield chapter.at(one.line, f"there is no directive {{{one.name}}}.{meant}")


def boxes(chapter):
    """Questions with their answers, and a mistake that people make."""
    turns, answers = chapter.boxes("your-turn"), chapter.boxes("worked-answer")
    if len(turns) < QUESTIONS:
        yield chapter.at(chapter.end, f"ask at least {QUESTIONS} questions, each in a box :::{{your-turn}} KEY; there are {len(turns)}")
    for turn in turns:
        inside = [answer for answer in answers if turn.line < answer.line <= turn.last]
        if len(inside) != 1:
            yield chapter.at(turn.line, f"your-turn {turn.argument} takes one :::{{worked-answer}} in it; it has {len(inside)}")
    if not chapter.boxes("wrong-turn"):
        yield chapter.at(chapter.end, "say a mistake that people make, and what is right, in a box :::{wrong-turn} TITLE")


def cells(chapter):
    """Cells that are read in one look."""
    lengths = [(line, len(code.strip("\n").split("\n"))) for line, _, code in chapter.page.sources]
    for line, length in lengths:
        if length > MOST:
            yield chapter.at(line, f"this cell has {length} lines; {MOST} are the most: cut it in two, with a question in prose between them")
    if median([length for _, length in lengths] or [0]) > HALF:
        line, length = max(lengths, key=lambda cell: cell[1])
        yield chapter.at(line, f"half of the cells have more than {HALF} lines: cut long ones in two, this one of {length} first")


def unwritten(chapter):
    """What still stands as `python -m pencil chapter` wrote it: a finding for each box, and for each section around them."""
    places = {}
    for block in chapter.page.blocks:
        if block.kind == "prose" and block.text in sentences():
            places.setdefault(_place(chapter, block.line), None)
    for line, what in sorted(places):
        yield chapter.at(line, f"{what} is still the example's: write your own")
    years = [name for name in chapter.page.declared if name in read_page(_skeleton()).declared]
    for name in years:
        yield chapter.at(chapter.line_in(chapter.source, rf"^ +{name}:"), f"the figure {name} is still the example's: write your own")


def _place(chapter, line):  # -> (line, name) of the box that holds a line, or of its section
    around = [box for box in chapter.page.directives if box.line < line <= box.last]
    if around:
        return around[0].line, f"the box {around[0].name}" + (f' "{around[0].argument}"' if around[0].argument else "")
    heads = [(at, level, title) for at, level, title in chapter.headings if at <= line]
    if not heads or heads[-1][1] == 1:
        return (heads[-1][0] if heads else 1), "the text above the first section"
    return heads[-1][0], f'the section "{heads[-1][2]}"'


def _skeleton():
    return SKELETON.read_text(encoding="utf-8")


@cache
def sentences():  # -> set of str
    """The paragraphs of the template that no other chapter says by chance."""
    blocks = read_page(_skeleton()).blocks
    return {block.text for block in blocks if block.kind == "prose" and len(WORD.findall(block.text)) >= SAID}
