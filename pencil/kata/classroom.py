"""A chapter's exercises as an nbgrader assignment: a question, a cell to answer in, and a hidden cell that marks it."""

import re

import nbformat

from pencil.clone import ROOT
from pencil.kata.exercises import asked_by
from pencil.kata.marking import Choice
from pencil.prose.library import CHAPTERS, Library
from pencil.prose.numerals import BINDING
from pencil.prose.page import CLOSE, DIRECTIVE
from pencil.prose.turns import turns_in
from pencil.rounding import as_given

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
OPTION = re.compile(r"\s*:[\w-]+:.*\n", re.M)


def assignment(chapter, folder=None):  # "06" -> notebook
    """The instructor's version: nbgrader takes the answers and the marking out of what the students get.

    Raises KeyError for a chapter that there is not.
    """
    library = Library(folder or ROOT / CHAPTERS, chapter)
    source = next(library.folder.glob(f"{chapter}_*.md"), None)
    if source is None:
        raise KeyError(f"there is no chapter {chapter} in {library.folder}")
    text = source.read_text(encoding="utf-8")
    asked = questions(text)
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    title = re.search(r"^# (.+)$", text, re.M)[1]
    cells = [_markdown("title", f"# {title}: the exercises\n\nWrite a number, or a list of numbers, in the place of `None`. Carry three places.")]
    for turn in turns_in(text):
        if turn.answer or turn.choices:
            cells += _cells(turn, asked[turn.key], asked_by(turn, library))
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
    return {key: BINDING.sub(lambda bound: bound["said"], OPTION.sub("", body)).strip() for key, body in found.items()}


def _cells(turn, question, exercise):
    name = turn.key.replace("-", "_")
    choices = f"\n\nOne of: {', '.join(f'`{word}`' for word in turn.choices)}." if turn.choices else ""
    answer = repr(turn.right) if turn.choices else _literal(exercise.right.paper)
    yield _markdown(f"{turn.key}-question", f"### {turn.key}\n\n{question}{choices}")
    yield _code(f"{turn.key}-answer", f"{name} = None\n### BEGIN SOLUTION\n{name} = {answer}\n### END SOLUTION", solution=True)
    marked = [
        f'assert {name} is not None, "Write your answer into the cell above."',
        "### BEGIN HIDDEN TESTS",
        "from pencil.kata import Choice, Exercise, mark",
        "from pencil.kata.marking import Numbers",
        "",
        f"verdict = mark({_exercise(exercise)}, {name})",
        "assert verdict.right, verdict.says",
        "### END HIDDEN TESTS",
    ]
    yield _code(f"{turn.key}-mark", "\n".join(marked), grade=True, points=1)


def _literal(numbers):
    written = [as_given(x).replace("−", "-") for x in numbers]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def _exercise(exercise):
    if isinstance(exercise, Choice):
        return repr(exercise)
    wrong = {key: (numbers, says) for key, (numbers, says) in exercise.wrong.items()}
    return f"Exercise({exercise.right!r}, {wrong!r})"


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
