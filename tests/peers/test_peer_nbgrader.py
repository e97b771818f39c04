"""A chapter's exercises as an assignment: the real nbgrader makes the students' version of it, grades three students, and says why."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from pencil.kata.classroom import assignment
from pencil.kata.exercises import turns
from pencil.tasks import ROOT

pytest.importorskip("nbgrader", reason="nbgrader is not here; in an environment of its own: pip install -c constraints.txt -r requirements-class.txt")

CHAPTER = "06"
CONFIG = """c = get_config()
c.CourseDirectory.course_id = "pencil"
c.CourseDirectory.root = {root!r}
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.kernel_name = "python3"
"""


def nbgrader(course, *asked):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # nbgrader calls alembic by its bare name
    command = [sys.executable, "-m", "nbgrader", *asked]
    done = subprocess.run(command, cwd=course, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course whose one assignment was released, handed in by three students, and graded."""
    root = tmp_path_factory.mktemp("course")
    (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root)), encoding="utf-8")
    source = root / "source" / "kata"
    source.mkdir(parents=True)
    nbformat.write(assignment(CHAPTER, ROOT / "notebooks"), source / "chapter.ipynb")
    nbgrader(root, "generate_assignment", "kata")
    released = nbformat.read(root / "release" / "kata" / "chapter.ipynb", as_version=4)
    for student, write in STUDENTS.items():
        folder = root / "submitted" / student / "kata"
        folder.mkdir(parents=True)
        nbformat.write(filled(released, write), folder / "chapter.ipynb")
    nbgrader(root, "autograde", "kata")
    nbgrader(root, "generate_feedback", "kata")
    return root


def solutions():
    cells = assignment(CHAPTER, ROOT / "notebooks").cells
    return {c.metadata["nbgrader"]["grade_id"]: c.source.split("### BEGIN SOLUTION\n")[1].split("\n###")[0] for c in cells if "SOLUTION" in c.source}


MISTAKES = {"average-of-two-answer": "average_of_two = [0.2, 3.8, 1.4, 0.4]", "match-answer": "match = [3, 0]"}
STUDENTS = {
    "anna": lambda cell: solutions()[cell],
    "bela": lambda cell: MISTAKES.get(cell, solutions()[cell]),
    "cilla": lambda cell: None,
}


def filled(released, write):
    notebook = nbformat.from_dict(released)
    notebook = nbformat.reads(nbformat.writes(notebook), as_version=4)
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution") and (line := write(about["grade_id"])):
            cell.source = line
    return notebook


def scores(root):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        return {sent.student.id: (sent.score, sent.max_score) for sent in book.assignment_submissions("kata")}


def test_the_students_version_has_neither_answers_nor_marks(course):
    text = (course / "release" / "kata" / "chapter.ipynb").read_text(encoding="utf-8")
    assert "Numbers(" not in text and "BEGIN SOLUTION" not in text and "BEGIN HIDDEN" not in text
    assert "YOUR CODE HERE" in text and "What is the match?" in text


def test_the_grades_are_those_of_the_book(course):
    asked = sum(name.startswith(f"{CHAPTER}:") for name in turns(ROOT / "notebooks"))
    assert scores(course) == {"anna": (asked, asked), "bela": (asked - 2, asked), "cilla": (0, asked)}


def test_the_feedback_names_the_mistake(course):
    said = Path(course, "feedback", "bela", "kata", "chapter.html").read_text(encoding="utf-8")
    assert "You added the rows and stopped. Divide by how many there are." in said and "2 numbers here, and 1 number is wanted." in said
