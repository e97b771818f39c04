"""No-break spaces in prose, and attributes of written digits; without building the book."""

import sys

import numpy as np
import pytest

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from pencil_book.lines import hold
from pencil_book.numbers import numbers, opened


@pytest.mark.parametrize(
    "text, held",
    [
        ("So 4 − 1 = 3, and that is all.", "So 4_−_1_=_3, and that is all."),
        ("1 / 100 = 0.01", "1_/_100_=_0.01"),
        ("[2, 8] / 2", "[2,_8]_/_2"),
        ("(1 + 1 + 1 + 0)/4 + 1000 + 2000 = 3000.75", "(1 +_1 +_1 +_0)/4 +_1000 +_2000 =_3000.75"),
        ("is e^4 ≈ 54.6", "is e^4_≈_54.6"),
        ("0.5 × [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "0.5_×_[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"),
        ("and divide: 2.718 / ", "and divide: 2.718 /_"),
        ("one = two, or WANT = what it wants, 1, 2 or 3", "one = two, or WANT = what it wants, 1, 2 or 3"),
        ("[1, 2.718] / 3.718 = [0.269, 0.731]", "[1,_2.718]_/_3.718 =_[0.269,_0.731]"),
        ("a dash − and words", "a dash − and words"),
    ],
)
def test_sums_hold_together(text, held):
    assert hold(text).replace("\N{NO-BREAK SPACE}", "_") == held


@pytest.mark.parametrize(
    "written, value, exact",
    [
        ("0.953", 20 / 21, "0.952381"),
        ("95.2 %", 20 / 21, "95.238095 %"),
        ("90 %", 0.9, "90 %"),
        ("[0.5, 0.333]", [0.5, 1 / 3], "[0.5, 0.333333]"),
        ("[[2, 8], [0, 4]]", [[2.0, 8.0], [0.0, 4.0]], "[[2, 8], [0, 4]]"),
    ],
)
def test_what_opens_on_written_digits(written, value, exact):
    assert opened(written, np.array(value)) == exact


def test_the_numbers_of_a_text():
    assert [float(x) for x in numbers("[−1.50, 10,000, ½, 0]")] == [-1.5, 10000, 0.5, 0]
    assert numbers("0.10") == numbers("0.1") and numbers("8 %") == numbers("8.000 %")
