"""Parsing answers, and when they are right."""

from math import e, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil.exercises import Unreadable, read
from pencil.exercises.answers import readings
from pencil.rounding import show


@pytest.mark.parametrize(
    "text, values",
    [
        ("8", [8]), ("[2, 8]", [2, 8]), ("2 8", [2, 8]), ("2,8", [2, 8]), ("[[1, 2], [3, 4]]", [1, 2, 3, 4]), ("(1; 2)", [1, 2]),
        ("1/3", [1 / 3]), ("1 / 3, 2/3", [1 / 3, 2 / 3]), ("√2", [sqrt(2)]), ("3√2/4", [3 * sqrt(2) / 4]), ("-1/√8", [-1 / sqrt(8)]),
        ("−0.5", [-0.5]), ("- 0.5 1", [-0.5, 1]), ("+2", [2]), (".5", [0.5]), ("5.", [5]), ("95.3 %, 4.7%", [0.953, 0.047]), ("2.85e-1", [0.285]),
        ("½ ¼", [0.5, 0.25]), ("−½", [-0.5]), ("sqrt(2), 0", [sqrt(2), 0]), ("3 sqrt(2)/4", [3 * sqrt(2) / 4]),
        ("5 and 2", [5, 2]), ("5 tokens and 2 tokens", [5, 2]), ("t 8, h: 3", [8, 3]), ("5 5 because of both", [5, 5]), ("50 percent", [0.5]),
        ("24 dials.", [24]), ("cat 24", [24]), ("twenty-four", [24]), ("1½", [1.5]), ("4x", [4]), ("a half", [0.5]), ("minus three", [-3]),
        ("20 million", [20e6]), ("24 dials", [24]), ("24dials", [24]), ("8 GiB", [8]), ("8 bytes", [8]), ("5 pieces", [5]), ("6 logs", [6]),
        ("√9 √ 4", [3, 2]), ("3 √4", [6]), ("0.57 percentage points", [0.57]), ("0.982.", [0.982]), ("~0.5", [0.5]), ("minus 2", [-2]),
        ("the 2, cat 1, mat: 1", [2, 1, 1]), ("minus 2 minus 3", [-2, -3]),
        ("e", [e]), ("1, e", [1, e]), ("-1/e", [-1 / e]), ("e/3", [e / 3]), ("e: 2", [2]), ("e = 2", [2]), ("2e1", [20]),
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
        ("w1=0,269, w2 = 0,731", [0.269, 0.731]), ("≈26.9 %, ≈ 73.1 %", [0.269, 0.731]), ("4/2 = 2 = 2", [2]), ("[2, 8]/2 = [1, 4] = [1, 4]", [1, 4]),
    ],
)  # fmt: skip
def test_a_comma_is_a_decimal_mark_where_there_are_else_too_many_numbers(text, values):
    assert [typed.value for typed in read(text, len(values))] == pytest.approx(values, abs=1e-15)


@pytest.mark.parametrize(
    "text, count, values", [("1,2,3", 1, [1, 2, 3]), ("1,5,2", 2, [1, 5, 2]), ("0,1 0,2", 3, [0, 1, 0, 2]), ("[[5,5],[5,5]]", 2, [5, 5, 5, 5])]
)
def test_a_comma_that_fits_neither_way_separates(text, count, values):
    assert [typed.value for typed in read(text, count)] == values


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("text, value", [("0,953", 0.953), ("−0,579 ", -0.579)])
def test_a_nought_and_three_digits_by_themselves_are_one_number(text, value, count):
    assert [typed.value for typed in read(text, count)] == [value]


@pytest.mark.parametrize(
    "text, count, says",
    [
        ("", 1, "There is nothing here yet"),
        ("[ ]", 2, "There is nothing here yet"),
        ([], 2, "There is nothing here yet"),
        ([10**400], 1, "holds something that is no number"),
        ("[, ;]", 2, "There is nothing here yet"),
        ("many", 1, "“many” is no number"),
        ("1--2", 1, "“1--2” is no number"),
        ("1/0", 1, "Nothing can be divided by 0"),
        ("<b>", 1, "“<b>” is no number"),
        ("1/2/3", 1, "is no number"),
        ("tens, 0,5", 2, "Type the numbers alone, without “tens”."),
        ("800kB", 1, "Type the number alone, without “kB”."),
        ("800 KB", 1, "Type the number alone, without “KB”."),
        ("3 12mib", 2, "Type the numbers alone, without “mib”."),
        *((f"8 {unit}", 1, f"without “{unit}”") for unit in ("GB", "TB", "kbit", "mbps", "Kilobytes", "mebibytes", "ee", "inf")),
        *((text, 1, "This is still a sum") for text in ("3pi", "3 pi", "2ln")),
        ("−0.056, up", 1, "Type the number alone, without “up”."),
        ("0.2½", 1, "“0.2½” is no number"),
        *((text, 1, "This is still a sum") for text in ("2^3", "1 + 2 + 3 · 4", "ln(2)", "tanh(2)", "1/(1+e^-4)", "2 · 3")),
        ("e^1 e^4", 2, "This is still a sum"),
        ("1e", 1, "“1e” is no number"),
    ],
)
def test_what_cannot_be_read_says_what_to_type(text, count, says):
    with pytest.raises(Unreadable, match=says.replace("(", r"\(")):
        read(text, count)


@pytest.mark.parametrize(
    "text, count, ways",
    [
        ("2,8", 1, [[2.8]]), ("0,953", 1, [[0.953]]), ("16,384", 1, [[16.384], [16384]]), ("20,000,000", 1, [[20_000_000]]),
        ("16 384", 1, [[16384]]), ("16'384", 1, [[16384]]), ("20.000.000", 1, [[20_000_000]]), ("1,234.5", 1, [[1234.5]]),
        ("20, 1, 10,001", 3, [[20, 1, 10.001], [20, 1, 10001]]), ("1,000,2,000", 2, [[1000, 2000]]),
        ("73 10,001 88", 3, [[73, 10.001, 88], [73, 10001, 88]]),
        ("2,8", 2, [[2, 8]]), ("100,200", 2, [[100, 200]]), ("0,000", 1, [[0]]), ("1,2,3", 1, [[1, 2, 3]]),
    ],
)  # fmt: skip
def test_a_comma_may_be_read_in_several_ways(text, count, ways):
    assert [[typed.value for typed in way] for way in readings(text, count)] == ways


@pytest.mark.parametrize(
    "text, number, is_cut, figures",
    [
        ("0.27", 0.269, True, 2), ("0.3", 0.269, True, 1), ("0", 0.042, False, 0), ("0.0", 0.042, False, 0), ("0.04", 0.042, True, 1),
        ("1.0", 0.998, False, 2), ("1", 0.998, False, 1), ("0", 0.5, False, 0), ("2.9", 2.859, True, 2), ("12", 12.3, False, 2),
        ("0.28", 0.269, False, 2), ("1/3", 0.333, False, 1),
    ],
)  # fmt: skip
def test_a_number_may_be_cut_short_but_not_to_a_whole_one(text, number, is_cut, figures):
    (typed,) = read(text, 1)
    assert (typed.cuts(number), typed.figures) == (is_cut, figures)


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


@pytest.mark.parametrize("text", ["1 1/2", "1 and a half", "one and one half", "1½"])
def test_a_mixed_number_is_one_number_where_one_is_wanted(text):
    assert [typed.value for typed in read(text, 1)] == [1.5]
    assert [typed.value for typed in read("1 1/2", 2)] == [1, 0.5]
    assert [typed.value for typed in read("−2 and a half", 1)] == [-2.5]


def test_an_answer_in_prose_is_refused_at_once():  # the time that a careless pattern takes doubles with each letter
    with pytest.raises(Unreadable):
        read("I do not know how this works because nolan listens more to ended than to itself " + "and to somebody else altogether " * 20, 1)


@pytest.mark.parametrize("typed", ["e 0.3, f 0.7", "a 0.1 e 0.3"])
def test_a_label_e_is_asked_to_be_left_out_and_not_read_as_a_number(typed):
    with pytest.raises(Unreadable, match="without “e”"):
        read(typed, 2)
