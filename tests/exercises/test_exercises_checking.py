"""`check`: the questions that travel in the package are those of the chapters, and it works where there is no clone."""

import shutil
import subprocess
import sys
import venv

import pytest
from verdicts import NOTEBOOKS, asked, typed_answers

from pencil.cli.notebooks import asked_in, kept
from pencil.exercises import check, marker
from pencil.exercises.checking import ASKED, keys
from pencil.exercises.printed import document
from pencil.exercises.questions import all_questions
from pencil.exercises.worksheet import Worksheet
from pencil.paths import ROOT, chapter_sources

AWAY = """
import os
from pencil.exercises import check
from pencil.widgets import AttentionLab
assert not os.listdir(), "a folder with nothing in it"
print(AttentionLab().worked.text("nolan.weights"), end="|")
print(check("06:score", 3), check("9:shares", [0.047, 0.953]), check("09:shares", "0.182 0.818"), check("09:bag-or-set", "set"), sep="|")
"""


@pytest.mark.parametrize("source", chapter_sources(NOTEBOOKS), ids=lambda path: path.stem)
def test_the_package_carries_the_questions_of_the_chapters(source):
    assert kept(source).read_text(encoding="utf-8") == asked_in(source), f"stale: type `python -m pencil notebooks {source.stem[:2]}`"


def test_all_of_them_and_they_are_small():
    assert set(keys()) == set(all_questions(NOTEBOOKS))
    assert sum(path.stat().st_size for path in ASKED.iterdir()) < 1_000_000


def test_check_says_of_every_typed_answer_what_the_chapter_says():
    rows = typed_answers()[::7]
    differ = [
        (row["question"], row["answer"])
        for row in rows
        if check(row["question"], row["answer"]) != marker.mark(asked(row["question"]), row["answer"])
    ]
    assert rows and not differ


def test_without_the_engine_the_error_names_the_remedy(monkeypatch):
    monkeypatch.setattr(marker, "_engines", type(marker._engines)())
    monkeypatch.setitem(sys.modules, "quickjs", None)
    with pytest.raises(ModuleNotFoundError, match="pip install quickjs-ng"):
        check("06:score", 3)


def test_each_thread_has_its_own_engine():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(3) as pool:
        assert all(given.right for given in pool.map(lambda _: check("06:score", 3), range(12)))


@pytest.mark.slow
def test_a_wheel_in_an_empty_environment_is_enough(tmp_path):
    """Built, installed with the group `check`, and used in a folder with nothing in it: questions, a lab, a worksheet."""
    source = tmp_path / "source"  # setuptools builds beside what it builds from
    shutil.copytree(ROOT / "pencil", source / "pencil", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE", "LICENSE-CONTENT"):
        shutil.copy(ROOT / name, source)
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, source], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", f"{wheel}[check]"], check=True)
    (tmp_path / "away").mkdir()
    done = subprocess.run([python, "-I", "-c", AWAY], cwd=tmp_path / "away", capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    lab, right, also, far, choice = done.stdout.strip().split("|")
    assert lab.endswith("= [0.047, 0.953]") and (right, also) == ("Right.", "Right.")
    assert far.startswith("The slip is further up") and choice.startswith("In a set nothing")

    def run(*words):
        return subprocess.run([python, "-I", "-m", "pencil", *words], cwd=tmp_path / "away", capture_output=True, encoding="utf-8")

    assert run("worksheet", "--topic", "attention", "--seed", "7").returncode == 0
    sheet = (tmp_path / "away/attention-7.html").read_text(encoding="utf-8")
    assert sheet == document(Worksheet("attention", 7))
    assert "needs a clone of the repository" in run("worksheet", "--chapter", "06").stderr
    assert "-m pip install" in run("check", "06").stderr
