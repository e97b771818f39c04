"""A class from end to end, by the commands of the page for teachers: an assignment is made, handed in by four students, graded and read."""

import csv
import os
import re
import subprocess
import sys

import nbformat
import pytest

from pencil.exercises.alone import asked_alone
from pencil.exercises.assignment import build_assignment
from pencil.paths import ROOT

CHAPTER, NOTEBOOK = "06", "chapter_06.ipynb"
COMMANDS = re.findall(r"^nbgrader (\w+)(?: NAME)?$", (ROOT / "book/teaching.md").read_text(encoding="utf-8"), re.M)


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
    """A course whose one assignment was released, handed in by four students, and graded."""
    root = tmp_path_factory.mktemp("course")
    (root / "nbgrader_config.py").write_text('get_config().CourseDirectory.course_id = "pencil"\n', encoding="utf-8")
    (root / "source" / "kata").mkdir(parents=True)
    made = run([sys.executable, "-m", "pencil", "worksheet", "--nbgrader", CHAPTER, "--to", root / "source" / "kata"])
    assert made.returncode == 0, made.stdout + made.stderr
    release, *grade, export = COMMANDS
    in_class(python, root, "-m", "nbgrader", release, "kata")
    released = nbformat.read(root / "release" / "kata" / NOTEBOOK, as_version=4)
    for student, write in STUDENTS.items():
        folder = root / "submitted" / student / "kata"
        folder.mkdir(parents=True)
        nbformat.write(filled(released, write), folder / NOTEBOOK)
    for command in grade:
        in_class(python, root, "-m", "nbgrader", command, "kata")
    in_class(python, root, "-m", "nbgrader", export)
    return root


def solutions():
    cells = build_assignment(CHAPTER, ROOT / "notebooks").cells
    return {c.metadata["nbgrader"]["grade_id"]: c.source.split("### BEGIN SOLUTION\n")[1].split("\n###")[0] for c in cells if "SOLUTION" in c.source}


MISTAKES = {"average-of-three-answer": "average_of_three = [6, 3, 6]", "score-answer": "score = [4, 0]"}
CARRIED = {"ended-new-answer": "ended_new = [0.036, 2.946, 0.982, 0.018]"}  # the scores were not divided; from there on all is right
STUDENTS = {
    "anna": lambda cell: solutions()[cell],
    "bela": lambda cell: MISTAKES.get(cell, solutions()[cell]),
    "cilla": lambda cell: None,
    "dora": lambda cell: CARRIED.get(cell, solutions()[cell]),
}


def filled(released, write):
    notebook = nbformat.from_dict(released)
    notebook = nbformat.reads(nbformat.writes(notebook), as_version=4)
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution") and (line := write(about["grade_id"])):
            cell.source = line
    return notebook


def test_the_page_for_teachers_has_every_command():
    assert COMMANDS == ["generate_assignment", "autograde", "generate_feedback", "export"]


def test_the_students_version_has_neither_answers_nor_marks(course):
    text = (course / "release" / "kata" / NOTEBOOK).read_text(encoding="utf-8")
    asked = "What is the scaled score?"
    assert asked.replace("score", "{w}`score`") in (ROOT / "notebooks/06_look_across.md").read_text(encoding="utf-8")
    assert "Numbers(" not in text and "BEGIN SOLUTION" not in text and "BEGIN HIDDEN" not in text
    assert "YOUR CODE HERE" in text and asked in text


def test_the_grades_are_those_of_the_book(course):
    asked = len(asked_alone(CHAPTER)[1])
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        grades = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    assert grades == {"anna": (asked, asked), "bela": (asked - 2, asked), "cilla": (0, asked), "dora": (asked - 1, asked)}


def test_the_feedback_names_the_mistake(course):
    said = {student: (course / "feedback" / student / "kata" / "chapter_06.html").read_text(encoding="utf-8") for student in STUDENTS}
    assert "You added the rows and stopped. Divide by how many there are." in said["bela"] and "You typed 2 numbers; 1 is wanted." in said["bela"]
    assert "you forgot to divide the scores by the root of the width before taking exp." in said["dora"] and "ended.share" in said["dora"]
    assert said["cilla"].count("Write your answer into the cell above.") >= len(asked_alone(CHAPTER)[1])
