"""`python -m pencil chapter-check`: all findings of a chapter, each with file and line."""

import shutil

import pytest

from pencil.__main__ import main
from pencil.cli.arguments import find_chapter
from pencil.cli.chapter_check import findings
from pencil.errors import TaskError
from pencil.paths import ROOT

NOTEBOOKS = ROOT / "notebooks"


@pytest.mark.parametrize("asked", ["5", "05", "soft_lookup", "05_soft_lookup", "notebooks/05_soft_lookup.md", "notebooks/05_soft_lookup.ipynb"])
def test_a_chapter_is_named_by_number_name_or_path(asked):
    assert find_chapter(asked, NOTEBOOKS) == ROOT / "notebooks/05_soft_lookup.md"


@pytest.mark.parametrize("asked, near", [("soft_lokup", "soft_lookup"), ("05_soft_lokup", "05_soft_lookup")])
def test_a_misspelt_one_suggests_the_nearest(asked, near):
    with pytest.raises(TaskError, match=f"There is no chapter '{asked}'. Did you mean '{near}'"):
        find_chapter(asked, NOTEBOOKS)


def test_a_chapter_of_the_book_has_nothing_left(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # it is the clone's chapter from anywhere
    assert main(["chapter-check", "soft_lookup"]) == 0
    assert capsys.readouterr().out == "Nothing is left to write or to mend.\n"


def test_rules_and_numbers_are_told_together_in_the_order_of_the_lines(tmp_path):
    root = tmp_path.resolve()
    shutil.copytree(ROOT / "notebooks", root / "notebooks")
    shutil.copytree(ROOT / "book", root / "book", ignore=shutil.ignore_patterns("_*"))
    shutil.copy(ROOT / "_toc.yml", root)
    source = root / "notebooks/05_soft_lookup.md"
    text = source.read_text(encoding="utf-8").replace(":::{you-will}", ":::{with-letters}", 1)
    source.write_text(text + "\nA stick, and 2 + 2 = 5.\n", encoding="utf-8")
    found = findings(source, root)
    assert [finding.line for finding in found] == sorted(finding.line for finding in found)
    told = " | ".join(map(str, found))
    for says in ("in a box :::{you-will}", "'stick' in … ", "2 + 2 = 5 — is not true on paper", "is stale: the source has changed since"):
        assert says in told


def test_a_page_that_cannot_be_read_is_one_finding(tmp_path):
    source = tmp_path / "05_x.md"
    source.write_bytes(b"\xff")
    (finding,) = findings(source, tmp_path)
    assert str(finding).startswith("05_x.md:1: 05_x.md is not UTF-8")
