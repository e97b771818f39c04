"""What a reader may write, and what it counts as."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil.kata import Unreadable, read
from pencil.rounding import show


@pytest.mark.parametrize(
    "text, values",
    [
        ("8", [8]), ("[2, 8]", [2, 8]), ("2 8", [2, 8]), ("2,8", [2, 8]), ("[[1, 2], [3, 4]]", [1, 2, 3, 4]), ("(1; 2)", [1, 2]),
        ("1/3", [1 / 3]), ("1 / 3, 2/3", [1 / 3, 2 / 3]), ("√2", [sqrt(2)]), ("3√2/4", [3 * sqrt(2) / 4]), ("-1/√8", [-1 / sqrt(8)]),
        ("−0.5", [-0.5]), ("- 0.5 1", [-0.5, 1]), ("+2", [2]), (".5", [0.5]), ("5.", [5]), ("95.3 %, 4.7%", [0.953, 0.047]), ("2.85e-1", [0.285]),
    ],
)  # fmt: skip
def test_forms(text, values):
    assert [typed.value for typed in read(text, len(values))] == pytest.approx(values, abs=1e-15)


@pytest.mark.parametrize(
    "text, values",
    [
        ("0,269 0,731", [0.269, 0.731]), ("[0,269; 0,731]", [0.269, 0.731]), ("0,269, 0,731", [0.269, 0.731]), ("−1,5 2", [-1.5, 2]),
        ("26,9 % 73,1%", [0.269, 0.731]), ("0,5 1/2 0.5", [0.5, 0.5, 0.5]),
        ("0.3,0.7", [0.3, 0.7]), ("1,2", [1, 2]), ("[1,2],[3,4]", [1, 2, 3, 4]), ("0,269 0,731", [0, 269, 0, 731]), ("1, 2", [1, 2]),
    ],
)  # fmt: skip
def test_a_comma_is_a_decimal_mark_where_there_are_else_too_many_numbers(text, values):
    assert [typed.value for typed in read(text, len(values))] == pytest.approx(values, abs=1e-15)


@pytest.mark.parametrize("text, count, values", [("1,2,3", 1, [1, 2, 3]), ("1,5,2", 2, [1, 5, 2]), ("0,1 0,2", 3, [0, 1, 0, 2])])
def test_a_comma_that_fits_neither_way_separates(text, count, values):
    assert [typed.value for typed in read(text, count)] == values


@pytest.mark.parametrize(
    "text, count, says",
    [
        ("2,8", 1, "A comma separates two numbers; the decimal mark is a point: 2.8."),
        ("0,953", 1, "A comma separates two numbers; the decimal mark is a point: 0.953."),
        ("10,001", 1, "A comma separates two numbers; the decimal mark is a point: 10.001. For thousands leave it out: 10001."),
        ("", 1, "There is nothing here yet"),
        ("[ ]", 2, "There is nothing here yet"),
        ("[, ;]", 2, "There is nothing here yet"),
        ("seven", 1, "“seven” is no number"),
        ("1--2", 1, "“1--2” is no number"),
        ("1/0", 1, "Nothing can be divided by 0"),
        ("<b>", 1, "“<b>” is no number"),
        ("1/2/3", 1, "is no number"),
        ("0,5 ten", 2, "“ten” is no number"),
    ],
)
def test_what_cannot_be_read_says_what_to_type(text, count, says):
    with pytest.raises(Unreadable, match=says.replace("(", r"\(")):
        read(text, count)


@pytest.mark.parametrize("answer", [[[2.0, 8]], (2, 8), "2 8"])
def test_numbers_from_python(answer):
    assert [typed.value for typed in read(answer, 2)] == [2, 8]


def test_numbers_in_single_precision_are_right_and_those_cut_too_short_are_not():
    shares = 1 / np.array([3.0, 7.0])
    for answer, right in (
        (shares, True),
        (shares.astype(np.float32), True),
        (shares.round(3), True),
        (shares.round(2), False),
        (shares + 1e-5, False),
    ):
        assert all(typed.means(share) for typed, share in zip(read(answer, 2), shares, strict=True)) is right


@pytest.mark.parametrize("answer", [[1, "two"], [float("nan")], [[1], [2, 3]], None])
def test_what_is_no_number_in_python(answer):
    with pytest.raises(Unreadable):
        read(answer, 1)


def test_a_rounded_number_needs_three_decimals_and_an_exact_one_does_not():
    third = read("0.333 0.3333 0.33 1/3 0.334", 5)
    assert [typed.means(1 / 3) for typed in third] == [True, True, False, True, False]
    assert [typed.means(0.5) for typed in read("0.5 .50 1/2 0.49", 4)] == [True, True, True, False]


def test_a_worked_line_of_the_book_means_its_result():
    finer = read("1/3.718 0.26896 2.718/3.718 0.26849 1/3", 5)
    assert [typed.means(0.269) for typed in finer] == [True, True, False, False, False]
    assert [typed.means(6.0) for typed in read("5.9996 5.99960 6", 3)] == [False, False, True]  # whole, so nothing was cut


@given(st.floats(-999, 999).map(lambda x: round(x, 6)))
def test_what_the_book_writes_is_right(x):
    for text in (show(x), f"{x:.3f}", f"{x:.5f}", repr(x)):
        (typed,) = read(text, 1)
        written = float(show(x).replace("−", "-"))
        assert typed.means(x) or typed.means(written)


@given(st.text(max_size=60), st.integers(1, 9))
def test_any_text_is_read_or_refused(text, count):
    try:
        assert read(text, count)
    except Unreadable as wrong:
        assert str(wrong).endswith(".")
