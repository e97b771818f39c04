"""The statements of book/pencil_rules.md about rounding, tested on pencil.rounding and on Python."""

import pytest

from pencil.rounding import round_half_up, show


@pytest.mark.parametrize(
    "number, digits",
    [
        (54.598150, "54.60"),
        (57.316432, "57.32"),
        (403.428793, "403.4"),
        (2980.957987, "2981"),
        (22026.465795, "22026"),
        (0.047426, "0.047"),
        (1 / 16, "0.063"),
        (-1 / 16, "−0.063"),
    ],
)
def test_written_numbers(number, digits):
    assert show(number) == digits


def test_python_sends_ties_to_the_even_digit():
    assert round(0.0625, 3) == 0.062


def test_a_tie_settles_first():
    assert round_half_up(1.999 / 2) == round_half_up(0.9995) == 1.0
    assert show(0.9995 - 1e-15) == show(0.9995 + 1e-15) == "1.000"  # the hair does not decide


def test_no_minus_zero_and_nothing_cut_from_a_billion_on():
    assert show(-0.0001) == "0.000"
    assert round_half_up(1_234_567_891) == 1_234_567_891
    assert show(float("-inf")) == "−∞"


def test_whole_numbers_stand_bare_where_asked():
    assert (show(8.0, whole=True), show(8.0)) == ("8", "8.000")
