"""The questions of a chapter: their hints, and the worked lines below a right answer."""

import re

from pencil.checker.library import Stale
from pencil.exercises.page_exercises import FEWEST, LINES, in_fractions, page_question

CODE_NAME = re.compile(r"_|^(?!head\d|grad\.)\w+\.")  # snake_case, or with a scope in front; heads and gradients are called so on the page
REMEDY = "write :lines: exact, or :lines: fractions, or the digits of paper"
REFERENCES = re.compile(r" <[^>]*>")


def plain_hints(chapter):
    """A hint of a box says neither a digit nor the right word."""
    for line, question in chapter.questions:
        for hint in question.hints:
            if re.search(r"\d", hint):
                yield chapter.at(line, f"your-turn {question.key}: a hint has no digit: {hint}")
            if question.right and re.search(rf"\b{re.escape(question.right)}\b", hint):
                yield chapter.at(line, f"your-turn {question.key}: a hint says the right word: {hint}")


def hints(chapter):
    """Every question has two different hints at least, and its worked lines come last."""
    for line, question in _asked(chapter):
        try:
            told = page_question(question, chapter.library)
        except (KeyError, Stale, ValueError) as wrong:
            yield chapter.at(line, chapter.in_clone(wrong.args[0]))
            continue
        if len(set(told["hints"])) < max(FEWEST, len(told["hints"])):
            yield chapter.at(line, f"your-turn {question.key}: two of its hints are the same")
        if LINES in told["hints"] and ("shown" not in told or told["hints"][-1] is not LINES):
            yield chapter.at(line, f"your-turn {question.key}: its worked lines are the last of its hints")


def labelled(chapter):
    """The worked lines of an answer say no name of the code."""
    for line, question in _in_numbers(chapter):
        found, lines = lines_shown(chapter, question)
        worked = found and found.worked["paper"]
        for name in (n for n in (worked.trace.names if worked else ()) if worked.label(n) == n and CODE_NAME.search(n)):
            said = [text for text in lines if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
            if said:
                yield chapter.at(line, f"your-turn {question.key}: give {name} a label in Worked, for a worked line says {said[0]}")


def last_line(chapter):
    """The last worked line ends in digits of the worked answer, where paper and exact digits differ."""
    lines_of = chapter.text.split("\n")
    for line, question in _in_numbers(chapter):
        found, lines = lines_shown(chapter, question)
        box = next(box for box in chapter.boxes("your-turn") if box.line == line)
        answer = next((answer for answer in chapter.boxes("worked-answer") if line < answer.line <= box.last), None)
        if answer and lines and found.worked["paper"].row(found.local) != found.worked["exact"].row(found.local):
            says = REFERENCES.sub("", "\n".join(lines_of[answer.line : answer.last]))
            last, known = numbers_in(re.split("[=≈]", lines[-1])[-1]), numbers_in(says)
            if missing := last.keys() - known.keys():
                listed = ", ".join(last[number] for number in sorted(missing))
                yield chapter.at(line, f"your-turn {question.key}: its last worked line says {listed}, its worked answer does not: {REMEDY}")


def lines_shown(chapter, question):  # -> (Found, lines), or (None, []) where no run of the chapter makes the answer
    """The worked lines that stand below "Right."."""
    found = chapter.library.find(question.answer)
    if not found.worked or found.reference.chapter not in ("", chapter.library.own):
        return None, []
    return found, in_fractions(found) if question.lines == "fractions" else found.worked[question.lines].lines(found.local)


def numbers_in(text):  # -> {number: as it is written}
    """The numbers in a text, without their signs."""
    return {float(number): number for number in re.findall(r"\d+(?:\.\d+)?", text)}


def _asked(chapter):
    return [(line, question) for line, question in chapter.questions if question.answer or question.choices]


def _in_numbers(chapter):  # the questions whose answer is there
    for line, question in chapter.questions:
        if question.answer:
            try:
                chapter.library.find(question.answer)
            except (KeyError, Stale):  # `hints` has said so
                continue
            yield line, question
