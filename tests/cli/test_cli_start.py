"""How a command starts: by a Python that is too old, with closed streams, and where assertions and docstrings are switched off."""

import ast
import os
import re
import subprocess
import sys

import pytest
import yaml

from pencil.paths import ROOT

needs_a_shell = pytest.mark.skipif(os.name == "nt", reason="cmd.exe cannot close a stream")


def test_a_python_that_is_too_old_is_told_in_a_sentence():
    """Any file but the first may use newer syntax, for the sentence comes before they are read."""
    ast.parse((ROOT / "pencil/__init__.py").read_text(encoding="ascii"), feature_version=(3, 6))
    older = "import sys; sys.version_info = (3, 8, 18); import pencil.__main__"
    done = subprocess.run([sys.executable, "-c", older], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Python 3.11 or newer is needed, this is 3.8. Name another one: make PYTHON=python3.12\n"


def test_the_readme_names_the_versions_of_python_that_the_workflow_tries():
    tried, newest = re.search(
        r"\(tried: ([\d., ]+); the newest, ([\d.]+), on \d{4}-\d\d-\d\d\)", (ROOT / "README.md").read_text(encoding="utf-8")
    ).groups()
    workflow = yaml.safe_load((ROOT / ".github/workflows/book.yml").read_text(encoding="utf-8"))
    assert tried.split(", ") == workflow["jobs"]["test"]["strategy"]["matrix"]["python"] and newest.startswith(f"{tried.split(', ')[-1]}.")


@needs_a_shell
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("task, status", [("data where", 0), ("clean all", 2)])
def test_a_task_ends_as_ever_where_a_stream_is_closed(task, status, closed):
    done = subprocess.run(["sh", "-c", f'"$0" -m pencil {task} {closed}', sys.executable], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == status and "Error" not in done.stderr


@needs_a_shell
def test_what_a_child_prints_into_a_closed_stream_reaches_no_file(tmp_path):
    code = "import os; from pencil.__main__ import open_closed_streams; open_closed_streams(); file = open('kept', 'w'); os.system('echo printed')"
    alone = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", '"$0" -c "$1" >&-', sys.executable, code], cwd=tmp_path, env=alone, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and (tmp_path / "kept").read_text() == ""


def test_a_task_and_what_it_starts_do_without_the_optimizing_of_python(tmp_path):
    optimizing = {"cwd": ROOT, "env": os.environ | {"PYTHONOPTIMIZE": "2"}, "capture_output": True, "text": True}
    for task in ("check", "web", "notebooks"):
        done = subprocess.run([sys.executable, "-m", "pencil", task, "--help"], **optimizing)
        assert done.returncode == 0 and f"usage: python -m pencil {task}" in done.stdout, done.stderr
    (tmp_path / "test_started.py").write_text("import sys\n\ndef test_started():\n    assert sys.flags.optimize == 0\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pencil", "test", str(tmp_path), "-q", "-p", "no:cacheprovider"], **optimizing)
    assert done.returncode == 0, done.stdout + done.stderr
