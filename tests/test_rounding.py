"""The rounding rule against an independent implementation with fractions."""

import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hard_numbers import awkward, drawn
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pencil.rounding import MINUS, on_paper, round_half_up, settle, show

below_the_wild = st.floats(-9.9e8, 9.9e8)  # from 1e9 on nothing is cut
near_ties = st.builds(lambda n, ulps: (n + 0.5) / 1000 + ulps * 1e-16, st.integers(-9999, 9999), st.integers(-3, 3))
written = st.one_of(below_the_wild, st.floats(-100, 100), near_ties, st.integers(-10_000, 10_000).map(float))


# ---- the second way: whole numbers and fractions only


def exponent_of(x):  # Fraction -> the power of ten of its first digit
    n, d = abs(x).as_integer_ratio()
    power = len(str(n)) - len(str(d))
    return power if n >= d * Fraction(10) ** power else power - 1


def half_away_from_zero(x, decimals):  # Fraction -> Fraction
    units = math.floor(abs(x) * 10**decimals + Fraction(1, 2)) if decimals >= 0 else 0
    return (-1 if x < 0 else 1) * Fraction(units, 10**decimals)


def settled(x):  # twelve figures, and no finer than ten decimals
    x = Fraction(x)
    if x == 0:
        return x
    decimals = min(10, 11 - exponent_of(x))
    if decimals >= 0:
        return half_away_from_zero(x, decimals)
    return half_away_from_zero(x / 10**-decimals, 0) * 10**-decimals


def rule(x, places=3, figures=4):
    x = settled(x)
    if x == 0 or abs(x) >= 10**9:
        return x
    if figures is None:
        return half_away_from_zero(x, places)
    return half_away_from_zero(x, max(0, min(places, figures - 1 - exponent_of(x))))


# ---- examples


@pytest.mark.parametrize(
    "x, digits",
    [
        (0.3678794411714423, "0.368"),
        (2.718281828459045, "2.718"),
        (54.598150033144236, "54.60"),
        (57.316431861603284, "57.32"),
        (0.047425873177566, "0.047"),
        (0.9525741268224334, "0.953"),
        (403.428793, "403.4"),
        (2980.957987, "2981"),
        (162754.791419, "162755"),
        (5.656854249492381, "5.657"),
        (-1.2727922061357855, "−1.273"),
        (0.0004, "0.000"),
        (0.0005, "0.001"),
        (-0.0005, "−0.001"),
    ],
)
def test_three_places_and_at_most_four_figures(x, digits):
    assert show(x) == digits


@pytest.mark.parametrize("x, digits", [(9.9994, "9.999"), (9.9996, "10.00"), (99.996, "100.0"), (999.96, "1000"), (9999.6, "10000")])
def test_a_number_that_rounds_up_to_the_next_power_gives_up_a_place(x, digits):
    assert show(x) == digits


@pytest.mark.parametrize(
    "tie, away",
    [
        (0.9995, 1.000),  # 0.99949999999999994 as a float: f"{x:.3f}" says 0.999
        (1.0005, 1.001),
        (2.6745, 2.675),  # 2.67449999999999988
        (0.0785, 0.079),
        (1.0115, 1.012),
        (54.125, 54.13),
        (54.135, 54.14),
        (10.005, 10.01),
        (100.25, 100.3),
        (1000.5, 1001.0),
        (2500.5, 2501.0),  # not to the even neighbour
        (0.0005, 0.001),
        (1.999 / 2, 1.000),
        (1.414 * 0.25, 0.354),
    ],
)
def test_a_tie_goes_away_from_zero_whatever_the_last_bit_says(tie, away):
    for neighbour in (tie, np.nextafter(tie, 0), np.nextafter(tie, 9e9)):
        assert round_half_up(neighbour) == away
        assert round_half_up(-neighbour) == -away


@pytest.mark.parametrize("x", [-0.0, 0.0, -0.0001, -0.00049999, -1e-300, 5e-324])
def test_zero_has_no_sign(x):
    rounded = round_half_up(x)
    assert rounded == 0 and math.copysign(1, rounded) == 1
    assert show(x) == "0.000" and show(x, whole=True) == "0"


def test_noise_of_a_difference_settles_to_nothing():
    assert settle(0.1 + 0.2 - 0.3) == 0
    assert settle(2.034 - 1.034) == 1
    assert settle(0.1 + 0.2) == Decimal("0.3")


def test_infinity_passes_and_is_written():
    assert round_half_up(math.inf) == math.inf and round_half_up(-math.inf) == -math.inf
    assert (show(math.inf), show(-math.inf), show(-math.inf, whole=True)) == ("∞", "−∞", "−∞")


def test_nan_passes_and_is_written():
    assert math.isnan(round_half_up(math.nan)) and show(math.nan) == "NaN"


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_cannot_settle(x):
    with pytest.raises(ValueError, match="finite"):
        settle(x)


def test_up_to_a_thousand_million_decimals_are_cut_and_whole_digits_are_kept():
    assert round_half_up(123_456_789.5) == 123_456_790
    assert round_half_up(999_999_998.4) == 999_999_998
    assert show(123_456_789.4) == "123456789"


@pytest.mark.parametrize("x", [1e9, 1e9 + 0.25, -1e9 - 0.5, 1_234_567_890.5, 1.25e15, 2.0**60, -7e200, 1.7e308])
def test_from_a_thousand_million_on_nothing_is_cut(x):
    assert Fraction(round_half_up(x)) == pytest.approx(Fraction(x), rel=1e-11)
    assert round_half_up(x) == float(settle(x))


@pytest.mark.parametrize(
    "x, digits",
    [(1e9, "1000000000"), (-1.23456e10, "−12345600000"), (1.7e308, "1.7e308"), (999_999_999.7, "1000000000"), (-1.5e15, "−1.5e15")],
)
def test_the_wild_is_written_with_all_of_its_settled_digits(x, digits):
    assert show(x) == digits


@pytest.mark.parametrize("x, digits", [(8.0, "8"), (-2.0, "−2"), (0.0, "0"), (1200.0, "1200"), (0.5, "0.500"), (1.9999, "2"), (54.6, "54.60")])
def test_whole_writes_a_whole_number_bare(x, digits):
    assert show(x, whole=True) == digits


def test_places_and_figures_can_be_said():
    assert show(math.pi, 6, None) == "3.141593"
    assert show(math.pi, 1) == "3.1"
    assert show(1234.5678, 3, None) == "1234.568"
    assert show(26.894, 1) == "26.9"
    assert round_half_up(1234.5678, 2, 6) == 1234.57


def test_the_minus_is_a_minus_sign_and_no_hyphen():
    assert MINUS == "−" and show(-1.5) == MINUS + "1.500" and "-" not in show(-1e12)


def test_on_paper_rounds_every_number_and_keeps_the_shape():
    raised = on_paper([[2.71828, 54.598], [-0.0001, np.inf]])
    assert raised.tolist() == [[2.718, 54.6], [0.0, np.inf]] and raised.dtype == float
    assert on_paper(0.9995).shape == () and on_paper(0.9995) == 1
    assert on_paper(np.ones((2, 0, 3))).shape == (2, 0, 3)
    assert on_paper(np.array([True, False])).tolist() == [1, 0]
    assert on_paper(np.arange(6).reshape(2, 3).T / 7).tolist() == [[0, 0.429], [0.143, 0.571], [0.286, 0.714]]
    single = np.array([0.0785, 2.6745, 0.3, 16777217], np.float32)  # 0.0785 is 0.07850000262260437 there
    assert on_paper(single).tolist() == [0.079, 2.674, 0.3, 16777216] and on_paper(single).dtype == float


def test_numbers_on_paper_are_not_those_that_were_handed_in():
    numbers = np.array([1.0, 2.0])
    numbers.flags.writeable = False
    written = on_paper(numbers)
    written[0] = 3
    assert numbers[0] == 1


def test_what_overflows_or_is_no_number_goes_onto_paper_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert on_paper([math.inf, -math.inf, 1.7e308, -1.7e308], 6, None).tolist() == [math.inf, -math.inf, 1.7e308, -1.7e308]
        assert np.isnan(on_paper([math.nan, 1])).tolist() == [True, False]


@pytest.mark.parametrize("count", [8_000, pytest.param(400_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("places, figures", [(3, 4), (3, None), (6, 4), (6, None), (0, 4), (2, 6), (3, 2), (1, 1), (6, 9), (8, None), (12, 15)])
def test_many_numbers_at_once_are_rounded_as_fractions_are(places, figures, count):
    numbers = drawn(count if (places, figures) == (3, 4) else count // 10)
    hard = [*awkward()]
    numbers += [sign * x for x in hard[:: len(hard) * 8 // count or 1] for sign in (1, -1) if math.isfinite(x)]
    expected = np.array([float(rule(x, places, figures)) for x in numbers])
    for x, found, right in zip(numbers, on_paper(numbers, places, figures).view(np.int64), expected.view(np.int64), strict=True):
        assert found == right, x  # bit by bit, so −0 is not 0


# ---- properties


@given(written)
@example(0.9995)
@example(1.0005)
@example(9.9996)
@example(999999999.6)
@example(0.00049999999999999)
def test_the_rule_agrees_with_fractions(x):
    assert settle(x) == Decimal(settled(x).numerator) / Decimal(settled(x).denominator)
    assert round_half_up(x) == float(rule(x))


@given(written, st.integers(0, 6), st.integers(1, 9))
def test_the_rule_agrees_with_fractions_at_any_places_and_figures(x, places, figures):
    assert round_half_up(x, places, figures) == float(rule(x, places, figures))


@given(st.floats(allow_nan=False))
def test_rounding_twice_is_rounding_once(x):
    assert round_half_up(round_half_up(x)) == round_half_up(x)


@given(st.floats(allow_nan=False))
def test_the_rule_treats_both_signs_alike(x):
    assert round_half_up(-x) == -round_half_up(x)


@given(written)
def test_no_more_than_half_a_unit_of_the_last_written_place_is_lost(x):
    decimals = max(0, min(3, 3 - exponent_of(settled(x)))) if settled(x) else 3
    half_a_unit = Fraction(1, 2 * 10**decimals)
    float_noise = abs(Fraction(x)) / 10**11 + Fraction(1, 10**10)
    assert abs(Fraction(round_half_up(x)) - Fraction(x)) <= half_a_unit + float_noise


@given(written)
def test_greater_numbers_are_never_written_smaller(x):
    assert round_half_up(x) <= round_half_up(np.nextafter(x, np.inf)) <= round_half_up(x + abs(x) / 100 + 0.001)


@given(written)
def test_decimals_never_bring_the_figures_above_four(x):
    digits = show(x).replace(MINUS, "")
    before, _, after = digits.partition(".")
    assume("e" not in digits)
    assert len(after) <= 3
    assert not after or len(before.lstrip("0")) + len(after) <= 4


@given(written, st.booleans())
def test_what_is_shown_reads_back_as_the_paper_value(x, whole):
    digits = show(x, whole=whole)
    assert float(digits.replace(MINUS, "-")) == pytest.approx(round_half_up(x), rel=0 if abs(x) < 9.9e8 else 1e-3, abs=0)
    assert not digits.startswith(MINUS + "0") or float(digits.replace(MINUS, "-")) < 0


@given(written, st.integers(-4, 4))
def test_a_few_bits_of_float_noise_change_no_digit_of_a_short_number(x, ulps):
    short = round(x, 4)  # a decimal that a person could have written, so ties occur
    noisy = short + ulps * np.spacing(short)
    assert show(noisy) == show(short)
