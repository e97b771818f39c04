"""The page of one chapter: what is built, what is said, and when it is built again."""

import os
import subprocess
from pathlib import Path

import pytest

from pencil.cli import page
from pencil.errors import TaskError
from pencil.paths import ROOT

CHAPTER = ROOT / "notebooks/05_soft_lookup.md"
ELSEWHERE = "05.ipynb:1: WARNING: Unknown source document 'book/costs' [myst.xref_missing]\n"


@pytest.fixture
def sphinx(tmp_path, monkeypatch):
    """A jupyter-book that says and does what `made` says; its tables of contents are kept."""
    made, contents = {"stderr": "", "returncode": 0}, []

    def write(command, **_):
        beside = Path(command[command.index("--path-output") + 1])
        contents.append(Path(command[command.index("--toc") + 1]).read_text(encoding="utf-8"))
        built = beside / "_build/html/notebooks/05_soft_lookup.html"
        built.parent.mkdir(parents=True)
        built.write_text(f"build {len(contents)}", encoding="utf-8")
        return subprocess.CompletedProcess(command, made["returncode"], "", made["stderr"])

    monkeypatch.setattr(page.book, "BUILD", tmp_path)
    monkeypatch.setattr(page, "HTML", tmp_path / "page")
    monkeypatch.setattr(page.render, "render_notebook", lambda source, say: source.with_suffix(".ipynb"))
    monkeypatch.setattr(page.subprocess, "run", write)
    return made, contents


def test_a_chapter_is_built_alone_and_its_address_is_said(sphinx, tmp_path, capsys):
    made, contents = sphinx
    made["stderr"] = ELSEWHERE + "05.ipynb:2: WARNING: a mistake of its own\n"
    assert page.main(["5"]) == 0
    assert contents == ["format: jb-book\nroot: notebooks/05_soft_lookup.ipynb\n"]
    said = capsys.readouterr().out
    assert (tmp_path / "page/notebooks/05_soft_lookup.html").as_uri() in said and "a mistake of its own" in said and "book/costs" not in said
    assert {path.name for path in tmp_path.iterdir()} == {"page", "lock"}


def test_a_page_that_stood_stays_where_the_next_one_fails(sphinx, tmp_path):
    page.main(["05"])
    sphinx[0]["returncode"] = 1
    with pytest.raises(TaskError, match="not built"):
        page.main(["05"])
    assert (tmp_path / "page/notebooks/05_soft_lookup.html").read_text(encoding="utf-8") == "build 1"
    assert {path.name for path in tmp_path.iterdir()} == {"page", "lock"}


def test_a_chapter_that_cannot_be_rendered_says_why_and_a_misspelt_one_is_guessed(sphinx, monkeypatch):
    with pytest.raises(TaskError, match="Did you mean '05_soft_lookup'"):
        page.main(["05_soft_lokup"])

    def fail(source, say):
        raise page.render.Failed("line 3: a binding cannot stand in a heading")

    monkeypatch.setattr(page.render, "render_notebook", fail)
    with pytest.raises(TaskError, match="line 3"):
        page.main(["05"])


def test_a_watched_page_is_built_again_at_each_change_also_after_one_that_failed(sphinx, tmp_path, monkeypatch, capsys):
    source, built = tmp_path / "05_x.md", []
    source.write_text("0", encoding="utf-8")

    def change(seconds):
        if len(built) == 3:
            raise KeyboardInterrupt
        os.utime(source, ns=(0, len(built)))

    def show(source):
        built.append(source)
        if len(built) == 2:
            raise TaskError("a heading with a binding")

    monkeypatch.setattr(page.render, "sources", lambda *_: [source])
    monkeypatch.setattr(page.time, "sleep", change)
    monkeypatch.setattr(page, "show", show)
    with pytest.raises(KeyboardInterrupt):
        page.main(["05", "--watch"])
    assert len(built) == 3 and "a heading with a binding" in capsys.readouterr().out


@pytest.mark.slow
def test_a_page_is_built_by_the_book_s_own_settings(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "HTML", tmp_path)
    html = page.build(CHAPTER).read_text(encoding="utf-8")
    assert "_static/pencil.css" in html and "data-value" in html and "<title>" in html
