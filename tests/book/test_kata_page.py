"""Every correct number of the source kata is on the page of chapter 09 as text, or of 06, and no answer is visible before its question."""

import json
import re

import pytest

from pencil.paths import ROOT, chapter_named
from pencil.publish.exercises import exercises_in

SOURCE = ROOT / "notebooks" / "09_kata.md"
# by hand from the source: its ids and sizes, its queries, keys and values, scores, shares, parts, new vectors and averages, its small exercises
PRINTED = """
73  88  10,000  100  98  500  400  40,000  80  79  32  20  0.9  90 %  0.1
[2, 0, 1, 0]  [1, 0, 0, 0]  [3, 0, 2, 0]  [2, 0, 0, 1]  [0, 3, 1, 0]  [1, 0, 1, 0]
1·2 + 0·1 + 0·1 + 0·0 = 2  0·2 + 0·1 + 1·1 + 0·0 = 1
2·1 + 0·0 + 1·0 + 0·0 = 2  2·3 + 0·0 + 1·2 + 0·0 = 8
[2, 8]  √4 = 2  2 / 2 = 1  8 / 2 = 4  [1, 4]  10 / 2 = 5
2.718  54.60  54.6  57.32  2.718 / 57.32 = 0.047  54.60 / 57.32 = 0.953  0.047 + 0.953 = 1.000  2 + 8 = 10
[0.094, 0, 0, 0.047]  [0, 2.859, 0.953, 0]  [0.094, 2.859, 0.953, 0.047]
[0, 4]  2 + 2 = 4
[4, 2]  [0, 0]  (4 + 0) / 2 = 2  (2 + 0) / 2 = 1  [2, 1]
"""
# the small exercises that 06 works with the source's numbers; the kata has others
TAUGHT = """
[2, 1, 1, 0]  [0, 1, 0, 0]  0·2 + 1·1 + 0·1 + 0·0 = 1  2·1 + 0·0 + 1·1 + 0·0 = 3  [4, 0]  [2, 0] + [0, 2] = [2, 2]
[0.0, 2.8, 0.9, 0.0]  [0.2, 1.0, 0.5, 0.4]  [0.1, 1.9, 0.7, 0.2]
"""
# what the source leaves out or prints otherwise: the value of the book stands there
OURS = [
    "10,000 + 2 = 10,002",
    "40,008",
    "√2 ≈ 1.414",
    "[0.095, 2.858, 0.953, 0.047]",
    "[0.238, 2.643, 0.881, 0.119]",
    "[0.166, 2.751, 0.917, 0.083]",
    "0.944",
]


def page(source=SOURCE):
    cells = json.loads(source.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")))


def numbers(text):
    return re.split(r"\s{2,}|\n", text.strip())


@pytest.mark.parametrize("number", [*numbers(PRINTED), *OURS])
def test_the_number_stands_on_the_page(number):
    assert stands(number, page()), f"{number} is not on the page"


@pytest.mark.parametrize("number", numbers(TAUGHT))
def test_the_number_stands_where_it_is_taught(number):
    assert stands(number, page(chapter_named("look_across", ROOT / "notebooks"))), f"{number} is not on the page"


def stands(number, text):
    return re.search(rf"(?<![\d.−]){re.escape(number)}(?!\d|\.\d)", text)


def folded(text):
    """The source with all that is folded taken out: worked answers, wrong turns, and cells whose output is hidden."""
    text = re.sub(r"^(:{3,})\{(?:worked-answer|wrong-turn)\}.*?^\1$", "", text, flags=re.M | re.S)
    return re.sub(r"^```\{code-cell\}.*?^```$", "", text, flags=re.M | re.S)


@pytest.mark.parametrize("result", ["[2, 8]", "[1, 4]", "[2.718, 54.60]", "57.32", "[0.047, 0.953]", "2.859", "0.881", "1.196", "0.166", "0.944"])
def test_no_result_stands_in_the_open(result):
    assert result not in folded(SOURCE.read_text(encoding="utf-8"))


def test_every_question_is_answered_by_the_page():
    turns = exercises_in(SOURCE.read_text(encoding="utf-8"))
    assert len(turns) > 35 and all(turn.answer or turn.choices for turn in turns)


@pytest.mark.parametrize(
    "trap", ["cannot be dotted", "same as subtracting the mean", "adds the score numbers", "two numbers", "could do the looking", "match itself"]
)
def test_every_wrong_turn_of_the_source_is_a_folded_box(trap):
    titles = re.findall(r"^:{3,}\{wrong-turn\} (.+)$", SOURCE.read_text(encoding="utf-8"), re.M)
    assert any(trap in title for title in titles), titles
