"""The checker attacked: lines that account for all their digits and read as something else must fail, right lines of the same make must pass."""

import pytest
import wrong_cells
import wrong_lines
from judging import failures, reasons

LISTS = {"wrong_lines": (wrong_lines, 617, 68), "wrong_cells": (wrong_cells, 122, 23)}  # so many wrong ones at least, and right ones
each_list = pytest.mark.parametrize("lists", LISTS.values(), ids=LISTS)


@each_list
def test_there_are_enough_of_both(lists):
    each, *least = lists
    assert [len(set(each.WRONG)) >= least[0], len(set(each.RIGHT)) >= least[1]] == [True, True]


@each_list
def test_every_wrong_line_fails(review, lists):
    assert [text for text in lists[0].WRONG if not failures(text, review)] == []


@each_list
def test_every_right_line_passes(review, lists):
    assert [text for text in lists[0].RIGHT if failures(text, review)] == []


def test_a_typed_number_is_told_once_and_where_it_stands(review):
    assert failures(wrong_cells.CELL.format("x = 1\nprint('share', 0.777)"), review) == [(3, "0.777")]
    assert failures(wrong_cells.CELL.format("%time\nfor _ in range(2):\n    !ls\n    print(0.777)"), review) == [(5, "0.777")]


def test_a_cell_that_is_no_python_is_told(review):
    assert failures(wrong_cells.CELL.format("x = 1\nprint(0.777"), review) == [(3, "print(0.777")]
    assert "cannot be read as Python" in reasons(wrong_cells.CELL.format("files = !ls"), review)


def test_a_sign_that_nobody_reads_is_told_by_itself(review):
    assert failures(f"{wrong_lines.V} ⋜ {wrong_lines.W}", review) == [(1, "⋜")]
