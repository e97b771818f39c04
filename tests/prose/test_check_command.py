"""What `pencil check` prints: the failures last, the remedy at the end, and what to type instead."""

import json

import pytest

from pencil.prose import check
from pencil.prose.page import read_page
from pencil.prose.published import MIME


@pytest.fixture
def book(tmp_path, monkeypatch, review):
    """A book of one chapter, 06, and two pages that quote it."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "book").mkdir()
    chapter = "A match of {v}`8 <nolan.scores[ended]>`.\n\n```{code-cell}\npublish(...)\n```\n"
    (tmp_path / "notebooks" / "06_x.md").write_text(chapter, encoding="utf-8")
    cells = [{"cell_type": "code", "outputs": [{"data": {MIME: review.content}}]}]
    notebook = {"cells": cells, "metadata": {"pencil": {"code": read_page(chapter).code}}}
    (tmp_path / "notebooks" / "06_x.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    for name in ("home", "rules"):
        (tmp_path / "book" / f"{name}.md").write_text("It is {v}`8 <06:nolan.scores[ended]>`.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys, *argv):
    assert check.main(list(argv)) == 1
    return capsys.readouterr().out.splitlines()


def replace(page, old, new):
    page.write_text(page.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_one_failure_and_its_remedy(book, capsys):
    replace(book / "book" / "home.md", "`8 <", "`9 <")
    assert said(capsys) == ["book/home.md:1: 9 — nolan.scores[ended] is 8", f"1 failure. {check.MEND}"]


def test_several_failures_come_after_the_counts_that_were_asked_for(book, capsys):
    for name in ("home", "rules"):
        replace(book / "book" / f"{name}.md", "`8 <", "`9 <")
    lines = said(capsys, "-v")
    assert lines[0] == "notebooks/06_x.md: 1 numeral: 1 bound"
    assert lines[-3].startswith("book/home.md:1: 9") and lines[-2].startswith("book/rules.md:1: 9")
    assert lines[-1] == f"2 failures. {check.MEND}"


def test_a_stale_notebook_is_said_once_and_ends_it(book, capsys):
    replace(book / "notebooks" / "06_x.md", "publish(...)", "publish()")
    (line,) = said(capsys)
    assert line.startswith("notebooks/06_x.ipynb was run with other code cells") and "make notebooks" in line


@pytest.mark.parametrize("asked", ["06", "6", "06_x", "notebooks/06_x.md"])
def test_a_chapter_is_asked_for_as_in_the_other_commands(book, capsys, asked):
    assert check.main([asked]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "notebooks/06_x.md: 1 numeral: 1 bound"


def test_a_notebook_is_answered_with_its_source(book, capsys):
    (line,) = said(capsys, "notebooks/06_x.ipynb")
    assert line == "notebooks/06_x.ipynb is made from 06_x.md; check that: python -m pencil check notebooks/06_x.md"


def test_what_is_not_there_is_said_in_a_sentence(book, capsys):
    assert said(capsys, "07") == ["there is no page and no chapter '07'"]
