"""The template chapter of CONTRIBUTING.md runs and passes the checker, and the checker's messages are as quoted."""

import re
from pathlib import Path

import pytest

from pencil import __version__
from pencil.checker.check import check_text
from pencil.checker.library import Library
from pencil.checker.values import Published
from pencil.cli.chapter import SKELETON
from pencil.publish.released import NEWEST
from pencil.publish.render import render_notebook

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHAPTER = SKELETON.read_text(encoding="utf-8")
SAID = re.findall(r"^notebooks/05_soft_lookup\.md:\d+: (.+?) — (.+)$", TEXT, re.M)


def test_the_version_is_said_alike_everywhere():
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)[1]
    newest = NEWEST.search((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))["version"]
    assert cited == newest == __version__


def test_a_release_carries_what_the_list_says():
    steps = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert all(f"make {made}" in TEXT and f"run: make {made}\n" in steps for made in ("pdf", "epub"))
    (attaches,) = [line for line in steps.splitlines() if "gh release create" in line]
    assert all(f"transformers-by-pencil.{end}" in attaches for end in ("zip", "pdf", "epub"))


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    source = tmp_path_factory.mktemp("notebooks") / "99_length.md"
    source.write_text(CHAPTER, encoding="utf-8")
    return Published.read(render_notebook(source))


def test_every_number_of_the_example_is_accounted_for(example):
    report = check_text(CHAPTER, example)
    assert not report.failures
    assert report.counted["bound"] and report.counted["computed"] and report.counted["declared"]


def test_a_changed_digit_of_the_example_fails(example):
    assert check_text(CHAPTER.replace("2.449 <", "2.448 <"), example).failures
    assert check_text(CHAPTER.replace("√(9 + 16) = 5", "√(9 + 16) = 6"), example).failures


@pytest.mark.parametrize("written, says", SAID)
def test_the_checker_speaks_as_quoted(written, says):
    chapter = Library(ROOT / "notebooks").beside(ROOT / "notebooks/05_soft_lookup.md")
    line = {
        "8": "# 8 heads",
        "0.954": "{v}`0.954 <asked.weights[east]>`",
        "0·0": "2·3 + 0·0 = 6",
        "larger": "The larger is {v}`0.401 <asked.weights[east]>`.",
    }.get(written, written)
    (failure, *_) = check_text(line + "\n", chapter).failures
    start, _, end = says.partition("…")
    assert failure.reason.startswith(start) and failure.reason.endswith(end)
