"""The path: every time is worked out from its page, and what path.yml says has no number that nobody checks."""

import json
import re
import sys

import pytest
import yaml

from pencil.clone import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.path import MINUTES_OF_A_QUESTION, RULE, WORDS_A_MINUTE, WORDS_OF_A_LINE, minutes, path

STOPS = yaml.safe_load((ROOT / "book/path.yml").read_text(encoding="utf-8"))
TURN = ":::{your-turn} key\nHow?\n:::\n\n"
CELL = "```{code-cell}\n:tags: [hide-input]\n\nx = 1\n\ny = 2\n```\n\n"


@pytest.fixture
def chapter(tmp_path):
    """A function that writes a chapter and the sums its notebook shows."""

    def write(text, lines=0, lab=False):
        html = '<div class="pencil-worked">' + "<p>1 + 1 = 2</p>" * lines + "</div>" + "pencil-lab" * lab
        cells = [{"cell_type": "markdown"}, {"outputs": [{"data": {"text/html": [html]}}, {"output_type": "stream"}]}]
        (tmp_path / "01_x.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        (tmp_path / "01_x.md").write_text(text, encoding="utf-8")
        return tmp_path / "01_x.md"

    return write


def test_words_lines_and_questions_are_counted_by_the_rule(chapter):
    words = "word " * WORDS_A_MINUTE
    assert minutes(chapter(words * 10)) == (10, 0)
    assert minutes(chapter(words * 10 + "word")) == (15, 0)
    assert minutes(chapter(words * 10, lines=1)) == (15, 0)
    assert minutes(chapter(words * 10, lines=1, lab=True)) == (10, 0)
    assert minutes(chapter(CELL * (WORDS_A_MINUTE * 5 // WORDS_OF_A_LINE // 2))) == (5, 0)
    assert minutes(chapter(TURN * 5)) == (5, MINUTES_OF_A_QUESTION * 5)
    assert minutes(chapter("[" + words * 5 + "](" + "target/" * 99 + ") ")) == (5, 0)
    assert minutes(chapter("{v}`2 <" + "name." * 900 + "x>`")) == (5, 0)


def test_the_rule_that_readers_see_is_the_rule():
    assert [int(number) for number in re.findall(r"\d+", RULE)] == [150, 10, 3, 5]


def test_what_is_typed_has_no_number():
    for stop in STOPS.values():
        assert not re.search(r"\d", stop["does"])


def test_a_chapter_goes_on_from_chapters_before_it():
    stops = path(ROOT)
    assert list(stops) == sorted(stops)
    for name, stop in stops.items():
        assert all(other in stops and other < name for other in stop["after"])
        text = (ROOT / f"notebooks/{name}.md").read_text(encoding="utf-8")
        assert all(f"({other}.ipynb" in text for other in stop["after"]), f"{name} does not speak of what it goes on from"
        assert f"\n# {stop['title']}\n" in text and 0 < stop["reading"] <= 120
