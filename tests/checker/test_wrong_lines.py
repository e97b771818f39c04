"""The checker attacked: lines that account for all their digits and state something false must fail, right lines of the same make must pass."""

import pytest
import wrong_lines
import wrong_lines_again
import wrong_lines_as_told
import wrong_lines_beside_numbers
import wrong_lines_in_words
from judging import failures, reasons

from pencil.checker.rendered import RenderedText
from pencil.checker.statements import false_statements

LISTS = (wrong_lines, wrong_lines_again, wrong_lines_in_words, wrong_lines_beside_numbers, wrong_lines_as_told)
AT_LEAST = (715, 0), (112, 57), (140, 76), (353, 113), (171, 72)  # of each list, so many wrong lines and so many right ones
each_list = pytest.mark.parametrize("each", LISTS, ids=[each.__name__ for each in LISTS])


@pytest.mark.parametrize("each, least", [*zip(LISTS, AT_LEAST, strict=True)], ids=[each.__name__ for each in LISTS])
def test_there_are_enough_of_both(each, least):
    for lines, enough in zip((each.WRONG, getattr(each, "RIGHT", [])), least, strict=True):
        assert len(set(lines)) == len(lines) >= enough


@each_list
def test_every_wrong_line_fails(review, each):
    assert [text for text in each.WRONG if not failures(text, review)] == []


@each_list
def test_every_right_line_passes(review, each):
    assert [text for text in getattr(each, "RIGHT", []) if failures(text, review)] == []


def test_a_wrong_line_that_is_missed_still_passes(review):  # the known limits; one that is caught some day moves to WRONG
    assert [text for text in wrong_lines_as_told.MISSED if failures(text, review)] == []


def _false(text):  # what a text without bindings states falsely
    return false_statements(RenderedText(text, tuple(range(len(text))), frozenset()), {})


@pytest.mark.parametrize("text", wrong_lines_as_told.TRUE_OF_OTHERS)
def test_what_is_true_of_other_numbers_is_not_refused(text):
    assert _false(text) == []


def test_a_typed_number_is_told_once_and_where_it_stands(review):
    assert failures(wrong_lines.CELL.format("x = 1\nprint('share', 0.777)"), review) == [(3, "0.777")]
    assert failures(wrong_lines.CELL.format("%time\nfor _ in range(2):\n    !ls\n    print(0.777)"), review) == [(5, "0.777")]


def test_a_cell_that_is_no_python_is_told(review):
    assert failures(wrong_lines.CELL.format("x = 1\nprint(0.777"), review) == [(3, "print(0.777")]
    assert "cannot be read as Python" in reasons(wrong_lines.CELL.format("files = !ls"), review)


@pytest.mark.parametrize("text", [
    "The shares add up to one.", "Weights, never negative, add up to one.", "At right angles the dot product is zero.", "The share is zero.",
    "Where one of the two numbers is zero, the product is zero.", "The slopes of a softmax add up to zero.", "Each of the rows is one of ours.",
    "# One\n\n```{code-cell} ipython3\nwidth = 48\n```\n\nSo forty-eight words.",
])  # fmt: skip
def test_what_is_so_whatever_the_numbers_and_what_stands_beside_its_code_passes(review, text):
    assert failures(text, review) == []


def test_what_a_sum_leads_to_is_its_result_whatever_the_verb_and_what_it_is_part_of_is_not():
    texts = ("4 + 4 comes to 9", "4 + 4 brings us 9.", "4 + 4 brings us 8.", "4 + 4 divided by 9.", "4 + 4, or 9 of them.")
    assert [len(_false(text)) for text in texts] == [1, 1, 0, 0, 0]


def test_a_sign_that_nobody_reads_is_told_by_itself(review):
    assert failures(f"{wrong_lines.V} ⋜ {wrong_lines.W}", review) == [(1, "⋜")]
