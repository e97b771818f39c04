"""Which blocks of prose are marked as unable to follow a change."""

import sys

import pytest
from bs4 import BeautifulSoup

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.sums import mark_sums

BOUND = '<span class="pencil-number" data-value="nolan.scores">8</span>'
RUNS = '<script type="application/json" id="pencil-runs">[]</script>'


def marked(html, runs=RUNS):
    page = BeautifulSoup(f"<article>{html}</article>{runs}", "html.parser")
    mark_sums(page)
    return [block.name for block in page.select("[data-sums]")]


STAND = ["So 6 + 2 = 8.", "e^4 ≈ 54.6", f"0.953·3 = {BOUND}", f"the root of {BOUND} is √16 = 4", "10,000 · 4 = 40,000", "(0.0 + 0.2) / 2 = 0.1"]


@pytest.mark.parametrize("text", STAND)
def test_digits_of_a_sum_that_stand_for_themselves(text):
    assert marked(f"<p>{text}</p>") == ["p"]
    assert marked(f"<p>{text}</p>", runs="") == []


FOLLOW = [
    f"nolan.match = {BOUND}",
    f"{BOUND} + {BOUND} = {BOUND}",
    "the 4 numbers",
    "<code>8 / 2 = 4</code>",
    "<math>8 / 2 = 4</math>",
    "x = y, and then 3",
]


@pytest.mark.parametrize("text", FOLLOW)
def test_what_follows_or_is_no_sum(text):
    assert marked(f"<p>{text}</p>") == []


def test_the_innermost_block_is_marked():
    assert marked("<ul><li>First <p>2 + 2 = 4</p></li><li>then 3 + 3 = 6</li></ul>") == ["p", "li"]
    assert marked('<div class="pencil-worked"><p>2 + 2 = 4</p></div>') == []


FIGURE = '<p>It falls to <span class="pencil-number">0.029</span>.</p>'
PRINT = '<div class="cell tag_still">0.029</div>'


def test_a_figure_is_marked_behind_a_cell_that_stands_still():
    assert marked(f"<section>{PRINT}{FIGURE}<aside></aside><div>{FIGURE}</div><p>{BOUND}</p></section>") == ["p", "p"]
    assert marked(f"<section>{FIGURE}{PRINT}<section>{FIGURE}</section></section>") == []
    assert marked(f'<section><div class="cell">0.029</div>{FIGURE}</section>') == []
