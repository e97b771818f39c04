"""A chapter's exercises as an nbgrader assignment: a question, a cell to answer in, and a hidden cell that marks it."""

import re

import nbformat
import numpy as np

from pencil.checker.library import CHAPTERS, Library, chapter_source
from pencil.checker.numerals import said
from pencil.paths import ROOT
from pencil.publish.boxes import CLOSE, DIRECTIVE
from pencil.publish.exercises import exercises_in
from pencil.publish.render import KERNEL
from pencil.rounding import as_given

OPTION = re.compile(r"\s*:[\w-]+:.*\n", re.M)


def build_assignment(chapter, folder=None):  # "06" -> notebook
    """The instructor's version: nbgrader takes the answers and the marking out of what the students get.

    Raises KeyError for a chapter that there is not.
    """
    library = Library(folder or ROOT / CHAPTERS, chapter)
    source = chapter_source(chapter, library.folder)
    if source is None:
        raise KeyError(f"there is no chapter {chapter} in {library.folder}")
    text = source.read_text(encoding="utf-8")
    asked = questions(text)
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    title = re.search(r"^# (.+)$", text, re.M)[1]
    cells = [_markdown("title", f"# {title}: the exercises\n\nWrite a number, or a list of numbers, in the place of `None`. Carry three places.")]
    for question in exercises_in(text):
        if question.answer or question.choices:
            cells += _cells(library.own, question, asked[question.key], library)
    notebook.cells = cells
    return notebook


def questions(text):  # str -> {key: the question as Markdown, its digits plain}
    """What each box asks, without its options and its worked answer."""
    found, key, depth = {}, None, []
    for line in text.split("\n"):
        if match := DIRECTIVE.match(line):
            depth.append(match["name"])
            if match["name"] == "your-turn":
                key = match["argument"].strip()
                found[key] = ""
        elif CLOSE.match(line) and depth:
            depth.pop()
        elif depth[-1:] == ["your-turn"]:
            found[key] += f"{line}\n"
    return {key: said(OPTION.sub("", body)).strip() for key, body in found.items()}


def _cells(chapter, question, text, library):
    name = question.key.replace("-", "_")
    choices = f"\n\nOne of: {', '.join(f'`{word}`' for word in question.choices)}." if question.choices else ""
    answer = repr(question.right) if question.choices else _literal(library.find(question.answer).paper)
    yield _markdown(f"{question.key}-question", f"### {question.key}\n\n{text}{choices}")
    yield _code(f"{question.key}-answer", f"{name} = None\n### BEGIN SOLUTION\n{name} = {answer}\n### END SOLUTION", solution=True)
    marked = [
        f'assert {name} is not None, "Write your answer into the cell above."',
        "### BEGIN HIDDEN TESTS",
        "from pencil.exercises import check",
        "",
        f'verdict = check("{chapter}:{question.key}", {name})',
        "assert verdict.right, verdict.message",
        "### END HIDDEN TESTS",
    ]
    yield _code(f"{question.key}-mark", "\n".join(marked), grade=True, points=1)


def _literal(numbers):
    written = [as_given(x).replace("−", "-") for x in np.ravel(numbers)]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def _markdown(grade_id, source):
    return _marked(nbformat.v4.new_markdown_cell(source, id=grade_id), grade_id, locked=True)


def _code(grade_id, source, solution=False, grade=False, points=0):
    cell = nbformat.v4.new_code_cell(source, id=grade_id)
    return _marked(cell, grade_id, solution=solution, grade=grade, locked=not solution, **({"points": points} if grade else {}))


def _marked(cell, grade_id, solution=False, grade=False, locked=False, **more):  # as nbgrader's third schema has it
    cell.id = grade_id[:64]
    cell.metadata["nbgrader"] = {
        "schema_version": 3,
        "grade_id": grade_id,
        "cell_type": cell.cell_type,
        "solution": solution,
        "grade": grade,
        "locked": locked,
        "task": False,
        **more,
    }
    return cell
