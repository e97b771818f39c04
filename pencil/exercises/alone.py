"""The questions of a chapter as they are asked without its page: each with a title, its chapter's address and the values that it starts from."""

import re
from dataclasses import dataclass

from pencil.checker.library import CHAPTERS, Library, chapter_source
from pencil.checker.numerals import without_roles
from pencil.checker.page import read_page
from pencil.exercises.inputs import missing_inputs
from pencil.paths import ROOT, chapter_number, site
from pencil.publish.boxes import CLOSE, DIRECTIVE
from pencil.publish.exercises import ExerciseSource, exercises_in

OPTION = re.compile(r"\s*:[\w-]+:.*\n", re.M)
INVITED = re.compile(r"Predict, (?:then|before)[^.]*\.\s*")  # to try it on the page
SHOWN = re.compile(r"\bthe lab\b|\bcurves below\b|\bsentences above\b")  # by the page alone
OF_THE_PAGE = re.compile(r", as in [^,.]* this page\b")


@dataclass(frozen=True)
class Asked:
    """One question.

    Args:
        source: the options of its box
        title: the heading of the section that it stands in
        address: of its box on the book's page
        text: what it asks, as Markdown with plain digits
        givens: a line for each value that it starts from and does not say itself
        worked: its worked answer, as Markdown
    """

    source: ExerciseSource
    title: str
    address: str
    text: str
    givens: tuple
    worked: str


def asked_alone(chapter, folder=None):  # "06" -> (title, [Asked], Library)
    """The chapter's title and those of its questions that need no lab, no picture and no line of its page.

    Raises KeyError for a chapter that there is not.
    """
    folder = folder or ROOT / CHAPTERS
    source = chapter_source(chapter, folder)
    if source is None:
        raise KeyError(f"there is no chapter {chapter} in {folder}")
    library = Library(folder, chapter_number(source))
    text = source.read_text(encoding="utf-8")
    sections, boxes = titles(text), questions(text)
    found = []
    for question in exercises_in(text):
        if (question.answer or question.choices) and question.alone != "no":
            asked, worked = boxes[question.key]
            asked = INVITED.sub("", asked).strip()
            givens = tuple(line for line in missing_inputs(question, library) if not _is_matrix_in(asked, line))
            found.append(Asked(question, sections[question.key], address(source, question.key), asked, givens, without_the_page(worked)))
    return re.search(r"^# (.+)$", text, re.M)[1], found, library


def without_the_page(worked):  # Markdown -> Markdown
    """A worked answer without what only the page can show: it ends before the sentence that names it, or at the colon before the name."""
    if not (shown := SHOWN.search(worked)):
        return OF_THE_PAGE.sub("", worked)
    before = [end.end() for end in re.finditer(r"[.?!)]\s+", worked[: shown.start()])]
    start = before[-1] if before else 0
    before, colon, _ = worked[start : shown.start()].rpartition(":")
    return (worked[:start] + before + ("." if colon else "")).strip()


def _is_matrix_in(text, line):  # a question may show another run's copy of it
    written = line.partition(" = ")[2]
    return written.startswith("[[") and written in text


def questions(text):  # str -> {key: (the question, its worked answer)}, Markdown whose digits are plain
    """What each box asks, without its options, and what its answer says."""
    found, key, depth = {}, None, []
    for line in text.split("\n"):
        if match := DIRECTIVE.match(line):
            depth.append(match["name"])
            if match["name"] == "your-turn":
                key = match["argument"].strip()
                found[key] = ["", ""]
        elif CLOSE.match(line) and depth:
            depth.pop()
        elif depth[-1:] in (["your-turn"], ["worked-answer"]):
            found[key][depth[-1] == "worked-answer"] += f"{line}\n"
    return {key: (without_roles(OPTION.sub("", asked)).strip(), without_roles(worked).strip()) for key, (asked, worked) in found.items()}


def titles(text):  # str -> {key: heading}
    """The heading of the section in which each box stands."""
    page = read_page(text)
    headings = [block for block in page.blocks if block.kind == "heading"]
    return {
        box.argument: max((h for h in headings if h.line < box.line), key=lambda h: h.line).text for box in page.directives if box.name == "your-turn"
    }


def address(source, key):  # Path of a chapter, "ended-key" -> where the box is on the book's pages
    """The public address of a box."""
    host, folder = site()
    return f"https://{host}{folder}{CHAPTERS}/{source.stem}.html#your-turn-{key}"
