"""Estimate the time that each section of a chapter takes, and group consecutive sections into lessons of similar length.

Times are computed from the page by RULE, which is shown to readers.
"""

import json
import re
from dataclasses import dataclass
from math import ceil

from bs4 import BeautifulSoup, SoupStrainer

from pencil.checker.page import read_page

WORDS_A_MINUTE, WORDS_OF_A_LINE, MINUTES_OF_A_QUESTION, ROUNDED_TO, LESSON = 150, 10, 3, 5, 25
RULE = (
    f"Nobody guessed these times. Reading is {WORDS_A_MINUTE} words a minute, and a line of a worked sum, or of code in sight, counts as "
    f"{WORDS_OF_A_LINE} words. A question for your pencil is {MINUTES_OF_A_QUESTION} minutes. "
    f"A lesson is cut where a section ends, as near to {LESSON} minutes as the sections allow, and its time is rounded up to the next "
    f"{ROUNDED_TO}. A chapter takes as long as its lessons together."
)
ROLE = re.compile(r"\{\w+\}`([^`<]*)<[^`]*`")
TARGET = re.compile(r"\]\([^)]*\)|https?://\S+")
LEARN = re.compile(r":tags: \[learn[\],]")  # code cells that are not folded
WORD = re.compile(r"[^\W\d_]+|\d[\d.,]*")
WORKED = SoupStrainer("div", class_="pencil-worked")  # worked lines, a paragraph each, as pencil.worked writes them


@dataclass(frozen=True)
class Lesson:
    """A lesson: its first section, counted from 1 (0 is the text before the first section), and its length in minutes."""

    section: int
    minutes: int


def sections(source):  # Path of a chapter's .md -> [(words, questions)]
    """The numbers of words and questions of the text before the first section, and of each section. Labs are not counted."""
    text = source.read_text(encoding="utf-8")
    lines, starts = text.split("\n"), heads(text)
    pieces = ["\n".join(lines[start:end]) for start, end in zip([0, *starts], [*starts, len(lines)], strict=True)]
    worked = sums(source.with_suffix(".ipynb"))
    return [(words(piece) + WORDS_OF_A_LINE * worked.get(place, 0), piece.count("{your-turn}")) for place, piece in enumerate(pieces)]


def heads(text):  # str -> the lines, counted from 0, at which a section begins
    """The section headings, without lines in code that look like one."""
    lines = text.split("\n")
    return [block.line - 1 for block in read_page(text).blocks if block.kind == "heading" and lines[block.line - 1].startswith("## ")]


def words(text):  # str -> int
    """The number of words of a piece of a chapter; visible code counts by lines."""
    page = read_page(text)
    said = " ".join(block.text for block in page.blocks if block.kind in ("prose", "heading", "title"))
    lines = sum(1 for cell in page.cells if LEARN.match(cell) for line in cell.splitlines()[1:] if line.strip())
    return len(WORD.findall(TARGET.sub("", ROLE.sub(r"\1", said)))) + WORDS_OF_A_LINE * lines


def sums(notebook):  # Path -> {number of a section: int}
    """The number of worked lines that the cells of each section show, without those of labs."""
    found, place = {}, 0
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        place += len(heads("".join(cell["source"]))) if cell["cell_type"] == "markdown" else 0
        for output in cell.get("outputs", ()):
            html = "".join(output.get("data", {}).get("text/html", ""))
            if "pencil-lab" not in html:
                found[place] = found.get(place, 0) + len(BeautifulSoup(html, "html.parser", parse_only=WORKED)("p"))
    return found


def minutes(parts):  # what `sections` gives -> (minutes to read, minutes with the pencil)
    """The minutes of a chapter, which are the sum of its lessons' minutes."""
    asked = rounded(0, sum(asked for _, asked in parts))
    return sum(lesson.minutes for lesson in lessons(parts)) - asked, asked


def rounded(said, asked=0):  # words, questions -> minutes, rounded up
    return ROUNDED_TO * ceil((said + asked * MINUTES_OF_A_QUESTION * WORDS_A_MINUTE) / (WORDS_A_MINUTE * ROUNDED_TO))


def lessons(parts):  # what `sections` gives -> tuple of Lesson
    """The partition that minimizes the squared differences of lessons from LESSON. The text before the first section goes with the first lesson."""
    times = [said / WORDS_A_MINUTE + asked * MINUTES_OF_A_QUESTION for said, asked in parts]
    best = {len(times): (0, ())}  # by first section: (cost, starts of lessons) of the rest, by dynamic programming
    for start in reversed(range(len(times))):
        ends = [end for end in range(start + 1, len(times) + 1) if end > 1 or len(times) == 1]
        best[start] = min(((sum(times[start:end]) - LESSON) ** 2 + best[end][0], (start, *best[end][1])) for end in ends)
    starts = best[0][1]
    read = [parts[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return tuple(Lesson(max(start, 1), rounded(*map(sum, zip(*part, strict=True)))) for start, part in zip(starts, read, strict=True))
