"""A chapter's exercises as an assignment: the real nbgrader makes the students' version of it, grades three students, and says why."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from pencil.exercises.alone import asked_alone
from pencil.exercises.assignment import build_assignment
from pencil.paths import ROOT

CHAPTER = "06"
CONFIG = """c = get_config()
c.CourseDirectory.course_id = "pencil"
c.CourseDirectory.root = {root!r}
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.kernel_name = "python3"
"""
SCORES = """import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    print(json.dumps({sent.student.id: [sent.score, sent.max_score] for sent in book.assignment_submissions("kata")}))
"""


def run(command, folder=ROOT, **more):
    return subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, timeout=900, **more)


@pytest.fixture(scope="module")
def python(tmp_path_factory, package_index):
    """A Python with nbgrader, in an environment of its own. Without a package index there is none, and the test is skipped."""
    folder = tmp_path_factory.mktemp("class")
    made = run([sys.executable, "-m", "venv", folder])
    assert made.returncode == 0, made.stdout + made.stderr
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run([*pip, "install", "-U", "-c", "requirements.txt", "pip"])
    brought = run([*pip, "install", "--require-hashes", "-c", "constraints.txt", "-r", "requirements-class.txt"])
    if brought.returncode and not package_index():
        pytest.skip(f"no package index can be reached from here, so there is no nbgrader: {brought.stderr.strip()[-200:]}")
    assert brought.returncode == 0, brought.stderr
    return python


def in_class(python, course, *asked):
    """Run the class's Python in the folder of the course. It finds this book's package; nbgrader calls alembic by its bare name."""
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    done = run([python, *asked], course, env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def course(tmp_path_factory, python):
    """A course whose one assignment was released, handed in by three students, and graded."""
    root = tmp_path_factory.mktemp("course")
    (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root)), encoding="utf-8")
    source = root / "source" / "kata"
    source.mkdir(parents=True)
    nbformat.write(build_assignment(CHAPTER, ROOT / "notebooks"), source / "chapter.ipynb")
    in_class(python, root, "-m", "nbgrader", "generate_assignment", "kata")
    released = nbformat.read(root / "release" / "kata" / "chapter.ipynb", as_version=4)
    for student, write in STUDENTS.items():
        folder = root / "submitted" / student / "kata"
        folder.mkdir(parents=True)
        nbformat.write(filled(released, write), folder / "chapter.ipynb")
    in_class(python, root, "-m", "nbgrader", "autograde", "kata")
    in_class(python, root, "-m", "nbgrader", "generate_feedback", "kata")
    return root


def solutions():
    cells = build_assignment(CHAPTER, ROOT / "notebooks").cells
    return {c.metadata["nbgrader"]["grade_id"]: c.source.split("### BEGIN SOLUTION\n")[1].split("\n###")[0] for c in cells if "SOLUTION" in c.source}


MISTAKES = {"average-of-two-answer": "average_of_two = [0.2, 3.8, 1.4, 0.4]", "score-answer": "score = [4, 0]"}
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


def test_the_students_version_has_neither_answers_nor_marks(course):
    text = (course / "release" / "kata" / "chapter.ipynb").read_text(encoding="utf-8")
    asked = "What is the scaled score?"
    assert asked.replace("score", "{w}`score`") in (ROOT / "notebooks/06_look_across.md").read_text(encoding="utf-8")
    assert "Numbers(" not in text and "BEGIN SOLUTION" not in text and "BEGIN HIDDEN" not in text
    assert "YOUR CODE HERE" in text and asked in text


def test_the_grades_are_those_of_the_book(python, course):
    asked = len(asked_alone(CHAPTER)[1])
    scores = json.loads(in_class(python, course, "-c", SCORES))
    assert scores == {"anna": [asked, asked], "bela": [asked - 2, asked], "cilla": [0, asked]}


def test_the_feedback_names_the_mistake(course):
    said = Path(course, "feedback", "bela", "kata", "chapter.html").read_text(encoding="utf-8")
    assert "You added the rows and stopped. Divide by how many there are." in said and "You typed 2 numbers; 1 is wanted." in said
