"""A chapter's exercises as an nbgrader assignment: a question, a cell to answer in, and a hidden cell that marks it."""

import nbformat
import numpy as np

from pencil.errors import TaskError
from pencil.exercises.alone import asked_alone
from pencil.publish.render import KERNEL
from pencil.rounding import as_given

OPENING = """Each answer goes in the place of `None`: a number, a list of numbers, or a word in quotation marks. Carry three places.
Delete the line below it that raises an error, so that the notebook runs through.
Every question stands by itself and gives all its values, so one may give what another asks for."""


def build_assignment(chapter, folder=None):  # "06" -> notebook
    """The instructor's version: nbgrader takes the answers and the marking out of what the students get.

    Raises KeyError for a chapter that there is not, TaskError for one whose questions all need its page.
    """
    title, asked, library = asked_alone(chapter, folder)
    if not asked:
        raise TaskError(f"no question of chapter {library.own} is asked without its page: there is nothing to hand out")
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    cells = [_markdown("title", f"# {title}: the exercises\n\n{OPENING}")]
    for number, question in enumerate(asked, 1):
        cells += _cells(number, question, library)
    notebook.cells = cells
    return notebook


def right_answer(question, library):  # Asked, Library -> str: the right words, or the numbers as they are written
    """What is right."""
    return question.source.right or _literal(library.find(question.source.answer).paper)


def _cells(number, question, library):
    key, choices = question.source.key, question.source.choices
    name, right = key.replace("-", "_"), right_answer(question, library)
    parts = [f"### {number}. {question.title}", question.text]
    if question.givens:
        parts.append("\n".join(["Given:", "", *(f"- {_typed(line)}" for line in question.givens)]))
    if choices:
        parts.append(f"One of: {', '.join(f'`{word}`' for word in choices)}.")
    yield _markdown(f"{key}-question", "\n\n".join([*parts, f"[In the chapter]({question.address})"]))
    answer = repr(right) if choices else right
    yield _code(f"{key}-answer", f"{name} = None\n### BEGIN SOLUTION\n{name} = {answer}\n### END SOLUTION", solution=True)
    marked = [
        f'assert {name} is not None, "Write your answer into the cell above."',
        "### BEGIN HIDDEN TESTS",
        "from pencil.exercises import check",
        "",
        f'verdict = check("{library.own}:{key}", {name})',
        "assert verdict.right, verdict.message",
        "### END HIDDEN TESTS",
    ]
    yield _code(f"{key}-mark", "\n".join(marked), grade=True, points=1)


def _literal(numbers):
    written = [_typed(as_given(x)) for x in np.ravel(numbers)]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def _typed(text):
    """With the minus that Python reads, for grids that are copied into a cell."""
    return text.replace("−", "-")


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
