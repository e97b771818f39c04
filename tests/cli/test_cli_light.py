"""What needs the packages of the book alone does without those of the run. The build itself is tried by CI: `make book` is its first command."""

import json
import os
import subprocess
import sys
from inspect import getdoc

import pytest
import torch

import pencil.model
from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from pencil_book.api import public, shapes_of, signature

ABSENT = {"torch", "anywidget", "ipywidgets", "matplotlib", "safetensors", "scipy", "sklearn"}
HIDES = f"""import sys
from importlib.machinery import PathFinder
class Light(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {ABSENT} else super().find_spec(name, path, target)
sys.meta_path[:] = [Light if finder is PathFinder else finder for finder in sys.meta_path]
"""


@pytest.fixture(autouse=True)
def light(tmp_path, monkeypatch):
    """Every Python that is started lacks them."""
    (tmp_path / "sitecustomize.py").write_text(HIDES, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def run(*words):
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, encoding="utf-8", env={**os.environ, "PYTHONUTF8": "1"})


@pytest.mark.parametrize("task", ["check 05", "data", "worksheet --seed 7 --topic softmax", "notebooks --check 05"])
def test_a_task_of_the_book_needs_nothing_of_the_run(task, tmp_path):
    done = run("-m", "pencil", *task.split(), *(["--to", str(tmp_path)] if "worksheet" in task else []))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("task", ["experiment contest", "record long_range", "notebooks --again 05"])
def test_a_task_of_the_run_says_what_to_type(task):
    done = run("-m", "pencil", *task.split())
    assert done.returncode == 1 and "-m pencil env run`" in done.stdout + done.stderr


SAID = "[[signature(name, thing), thing.__module__, shapes_of(thing), getdoc(thing)] for name, thing in public('pencil.model').items()]"


def test_the_page_says_the_same_of_the_model_without_torch():
    there = "import json, sys; sys.path.insert(0, 'book/_ext'); from inspect import getdoc; from pencil_book.api import public, shapes_of, signature"
    done = run("-c", f"{there}; print(json.dumps({SAID}))")
    assert done.returncode == 0, done.stderr
    here = eval(SAID, {"getdoc": getdoc, "public": public, "shapes_of": shapes_of, "signature": signature})
    assert pencil.model.attending.torch is torch  # here it is the real one
    assert json.loads(done.stdout) == here and len(here) > 30
