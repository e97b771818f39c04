"""Encodings, line ends and path separators of other systems make no difference."""

import ast
import io
import os
import subprocess
import sys
from pathlib import PureWindowsPath

import pytest

from pencil.checker import check
from pencil.cli import chapter
from pencil.experiments import records
from pencil.paths import ROOT
from pencil.publish import render

OURS = [path for folder in ("pencil", "book/_ext", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.fixture
def as_windows(monkeypatch):
    """A file that is written as text has \\r\\n, unless who writes it says otherwise."""
    plain = io.open

    def opened(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *rest):
        written = newline is None and "b" not in mode and not mode.startswith("r")
        return plain(file, mode, buffering, encoding, errors, "\r\n" if written else newline, *rest)

    monkeypatch.setattr(io, "open", opened)


def test_what_git_keeps_has_the_same_ends_of_line_everywhere(as_windows, tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "book").mkdir()
    (tmp_path / "notebooks/01_old.md").write_text("# Old\n", encoding="utf-8")
    (tmp_path / "_toc.yml").write_text(chapter.TOC_ROW.format("01_old"), encoding="utf-8")
    (tmp_path / "book/path.yml").write_text("01_old:\n", encoding="utf-8")
    assert b"\r\n" in (tmp_path / "_toc.yml").read_bytes(), "nothing here writes as Windows does"
    source = chapter.add("new", "New", tmp_path)
    monkeypatch.setattr(render, "run", lambda notebook, folder: None)
    records.write(tmp_path / "record.json", {"one": 1}, {})
    for written in (source, tmp_path / "_toc.yml", tmp_path / "book/path.yml", render.render_notebook(source), tmp_path / "record.json"):
        assert b"\r" not in written.read_bytes(), written.name


def test_a_pipe_takes_every_sign(tmp_path):
    """Windows gives a pipe its code page; that has no √, and Python would stop there."""
    (tmp_path / "page.md").write_text("It is {v}`8 <page.√>`.\n", encoding="utf-8")
    command, code_page = [sys.executable, "-m", "pencil", "check", str(tmp_path / "page.md")], {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run(command, cwd=ROOT, env=os.environ | code_page, capture_output=True)
    assert done.returncode == 1 and "page.√" in done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


def test_a_page_is_named_with_the_slashes_of_its_address():
    notebook = PureWindowsPath("notebooks", "05_x.ipynb")
    assert check._objection([notebook]).startswith("notebooks/05_x.ipynb is made from 05_x.md")
    assert render._keep(notebook).startswith("notebooks/05_x.ipynb was edited by hand")


def unsaid(tree):  # -> the lines that leave the code of a text to the system
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        words = {word.arg: ast.unparse(word.value) for word in call.keywords}
        file = isinstance(call.func, ast.Attribute) and call.func.attr in ("read_text", "write_text")
        if (file or words.get("text") == "True") and "encoding" not in words:
            yield call.lineno


def test_what_is_read_written_or_piped_as_text_names_its_code():
    assert [f"{path.name}:{line}" for path in OURS for line in unsaid(ast.parse(path.read_text(encoding="utf-8")))] == []
    assert list(unsaid(ast.parse("path.read_text()\nrun(words, text=True)"))) == [1, 2]
