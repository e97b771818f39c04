"""False sentences in chapter 06: so many of them the checker refuses, and no fewer."""

from pathlib import Path

import pytest

from pencil.checker.check import context_of
from pencil.checker.library import Library
from pencil.checker.numerals import with_text
from pencil.checker.page import read_page
from pencil.checker.verdict import judge

CHAPTER = Path(__file__).parents[2] / "notebooks" / "06_look_across.md"
LINES = (Path(__file__).parent / "false_sentences.txt").read_text(encoding="utf-8").splitlines()
TRUE, FALSE = ([line[2:] for line in LINES if line.startswith(mark)] for mark in ("- ", "+ "))
AT_LEAST = 21


def is_caught(page, context, true, false):
    """Whether the block with the false sentence fails, and with the true one passes. Raises StopIteration where no block has the true one."""
    block = next(block for block in page.blocks if true in " ".join(block.text.split()))
    assert judge(with_text(block, " ".join(block.text.split())), context).failures == [], true
    return bool(judge(with_text(block, " ".join(block.text.split()).replace(true, false)), context).failures)


def test_most_false_sentences_are_refused():
    page, values = read_page(CHAPTER.read_text(encoding="utf-8")), Library(CHAPTER.parent, "06")
    context = context_of(page, values)
    caught = [is_caught(page, context, true, false) for true, false in zip(TRUE, FALSE, strict=True)]
    assert len(caught) == 25
    assert sum(caught) >= AT_LEAST, [false for false, one in zip(FALSE, caught, strict=True) if not one]


def test_a_block_that_fails_as_it_is_counts_for_nothing():
    page, values = read_page("A match of {v}`9 <nolan.scores[ended]>`."), Library(CHAPTER.parent, "06")
    with pytest.raises(AssertionError):
        is_caught(page, context_of(page, values), "A match", "A large match")
