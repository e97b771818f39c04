"""Parsing answers, and when they are right."""

from math import e, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil.exercises import Exercise, mark
from pencil.exercises.exercise import Numbers
from pencil.exercises.marker import read
from pencil.rounding import show


def values_of(text, count):  # in the first of its readings
    return [typed["value"] for typed in read(text, count)["ways"][0]]


def means(text, number):
    """Is this typed number that one?"""
    return mark(Exercise(Numbers((number,), (number,))), text).right


def said(text, count):
    """What is said to it, where so many numbers are wanted that it is none of."""
    return mark(Exercise(Numbers((7.77,) * count, (7.77,) * count)), text)


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
    assert values_of(text, len(values)) == pytest.approx(values, abs=1e-15)


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
    assert values_of(text, len(values)) == pytest.approx(values, abs=1e-15)


@pytest.mark.parametrize(
    "text, count, values", [("1,2,3", 1, [1, 2, 3]), ("1,5,2", 2, [1, 5, 2]), ("0,1 0,2", 3, [0, 1, 0, 2]), ("[[5,5],[5,5]]", 2, [5, 5, 5, 5])]
)
def test_a_comma_that_fits_neither_way_separates(text, count, values):
    assert values_of(text, count) == values


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("text, value", [("0,953", 0.953), ("−0,579 ", -0.579)])
def test_a_nought_and_three_digits_by_themselves_are_one_number(text, value, count):
    assert values_of(text, count) == [value]


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
    given = said(text, count)
    assert not given.read and says in given.message


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
    assert [[typed["value"] for typed in way] for way in read(text, count)["ways"]] == ways


@pytest.mark.parametrize(
    "text, number, is_cut",
    [
        ("0.27", 0.269, True), ("0.3", 0.269, True), ("0", 0.042, False), ("0.0", 0.042, False), ("0.04", 0.042, True),
        ("1.0", 0.998, False), ("1", 0.998, False), ("0", 0.5, False), ("2.9", 2.859, True), ("12", 12.3, False),
        ("0.28", 0.269, False), ("1/3", 0.333, False),
    ],
)  # fmt: skip
def test_a_number_may_be_cut_short_but_not_to_a_whole_one(text, number, is_cut):
    assert (mark(Exercise(Numbers((number,), (number,))), text).verdict == "short") is is_cut


@pytest.mark.parametrize("answer", [[[2.0, 8]], (2, 8), "2 8", np.array([2, 8])])
def test_numbers_from_python(answer):
    assert mark(Exercise(Numbers((2.0, 8.0), (2.0, 8.0))), answer).right


def test_numbers_in_single_precision_are_right_and_those_cut_too_short_are_not():
    shares = 1 / np.array([3.0, 7.0])
    exercise = Exercise(Numbers(tuple(shares), tuple(shares)))
    for answer, right in (
        (shares, True),
        (shares.astype(np.float32), True),
        (shares.round(3), True),
        (shares.round(2), False),
        (shares + 1e-5, False),
    ):
        assert mark(exercise, answer).right is right


@pytest.mark.parametrize("answer", [[1, "two"], [float("nan")], [[1], [2, 3]], None])
def test_what_is_no_number_in_python(answer):
    assert not said(answer, 1).read


@pytest.mark.parametrize("right", [float("nan"), float("inf")])
@pytest.mark.parametrize("answer", ["2", [2]])
def test_an_exercise_whose_right_answer_is_not_finite_is_said(right, answer):
    with pytest.raises(ValueError, match="The right answer of this exercise is not finite"):
        mark(Exercise(Numbers((right,), (right,))), answer)


def test_a_rounded_number_needs_three_decimals_and_an_exact_one_does_not():
    assert [means(text, 1 / 3) for text in ("0.333", "0.3333", "0.33", "1/3", "0.334")] == [True, True, False, True, False]
    assert [means(text, 0.5) for text in ("0.5", ".50", "1/2", "0.49")] == [True, True, True, False]


def test_a_worked_line_of_the_book_means_its_result():
    finer = ("1/3.718", "0.26896", "2.718/3.718", "0.26849", "1/3")
    assert [means(text, 0.269) for text in finer] == [True, True, False, False, False]
    assert [means(text, 6.0) for text in ("5.9996", "5.99960", "6")] == [False, False, True]  # whole, so nothing was cut


@given(st.floats(-999, 999).map(lambda x: round(x, 6)))
def test_what_the_book_writes_is_right(x):
    for text in (show(x), f"{x:.3f}", f"{x:.5f}", repr(x)):
        assert means(text, x) or means(text, float(show(x).replace("−", "-")))


@given(st.text(max_size=60), st.integers(1, 9))
def test_any_text_is_read_or_refused(text, count):
    assert said(text, count).message.endswith(".")


@pytest.mark.parametrize("text", ["1 1/2", "1 and a half", "one and one half", "1½"])
def test_a_mixed_number_is_one_number_where_one_is_wanted(text):
    assert values_of(text, 1) == [1.5]
    assert values_of("1 1/2", 2) == [1, 0.5]
    assert values_of("−2 and a half", 1) == [-2.5]


def test_an_answer_in_prose_is_refused_at_once():  # the time that a careless pattern takes doubles with each letter
    told = "I do not know how this works because nolan listens more to ended than to itself " + "and to somebody else altogether " * 20
    assert not said(told, 1).read


@pytest.mark.parametrize("typed", ["e 0.3, f 0.7", "a 0.1 e 0.3"])
def test_a_label_e_is_asked_to_be_left_out_and_not_read_as_a_number(typed):
    assert "without “e”" in said(typed, 2).message


@pytest.mark.parametrize("minus", "-−–‐‑‒－﹣")
def test_every_minus_sign_is_one(minus):
    assert means(f"{minus}0.5", -0.5) and means(f"{minus} 0.5", -0.5)


@pytest.mark.parametrize(
    "typed",
    ["٠٫٩٦٤", "۰٫۹۶۴", "०.९६४", "０．９６４", "০.৯৬৪", "๐.๙๖๔", "np.float64(0.964)", "[np.float64(0.964)]", "９６．４％", "𝟎.𝟗𝟔𝟒", "𝟢.𝟫𝟨𝟦", "𝟶.𝟿𝟼𝟺"],
)
def test_digits_of_any_script_are_digits(typed):
    assert means(typed, 0.964)


@pytest.mark.parametrize(
    "typed, number, right",
    [
        ("1/(1+0.018)", 0.982, True), ("ln 2", 0.693, True), ("ln(2)", 0.693, True), ("2^3", 8, True), ("1/(1+e^-4)", 0.982, True),
        ("tanh(2)", 0.964, True), ("-ln(0.5)", 0.693, True), ("√(2+7)", 3, True), ("exp(1)", 2.718, True), ("sqrt 9 · 2^2", 12, True),
        ("ln 2^3", 2.079, True), ("ln(2)^2", 0.48, True), ("ln e^2", 2, True), ("exp -2", 0.135, True), ("exp(-2)", 0.135, True),
        ("3·ln 2", 2.079, True), ("√4^2 · 2^0", 4, True),
        ("ln 3", 0.693, False), ("2 · 3", 6, False), ("1 + 2", 3, False), ("ln", 0.693, False), ("2^", 2, False), ("constructor", 1, False),
        ("(((((", 1, False), ("1/(0)", 1, False),
    ],
)  # fmt: skip
def test_a_closed_form_may_be_an_answer_and_a_sum_may_not(typed, number, right):
    assert means(typed, number) is right


def test_what_was_typed_is_shown_as_it_was_typed():
    assert "“½½”" in said("½½", 1).message
