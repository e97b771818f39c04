"""The expression parser against Python's fractions and functions."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil.checker.arithmetic import NotArithmetic, Number, evaluate


def value_of(text):
    value = evaluate(text)
    return value.value if isinstance(value, Number) else tuple(v.value for v in value)


numbers = st.builds(lambda n, places: (f"{n / 10**places:.{places}f}", Fraction(n, 10**places)), st.integers(0, 9999), st.integers(0, 3))


def _joined(sign, work):
    return lambda left, right: (f"({left[0]}) {sign} ({right[0]})", work(left[1], right[1]))


@st.composite
def expressions(draw, depth=3):
    """A text and its value as a fraction."""
    if depth == 0 or draw(st.booleans()):
        return draw(numbers)
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    sign, work = draw(st.sampled_from([("+", Fraction.__add__), ("−", Fraction.__sub__), ("·", Fraction.__mul__), ("/", Fraction.__truediv__)]))
    if sign == "/" and right[1] == 0:
        return left
    return _joined(sign, work)(left, right)


@given(expressions())
def test_any_bracketed_expression_has_the_value_that_fractions_give_it(expression):
    text, expected = expression
    assert value_of(text) == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from("+−·/"), st.integers(1, 99)), min_size=1, max_size=6), st.integers(1, 99))
def test_precedence_is_pythons(steps, first):
    text = f"{first}" + "".join(f" {sign} {n}" for sign, n in steps)
    assert value_of(text) == pytest.approx(eval(text.replace("−", "-").replace("·", "*")), rel=1e-12)


@pytest.mark.parametrize(
    "text, value",
    [
        ("e^4", math.exp(4)),
        ("e⁴", math.exp(4)),
        ("e^−1", math.exp(-1)),
        ("e^(0.5 + 0.5)", math.e),
        ("e^(−∞)", 0),
        ("10⁻²", 0.01),
        ("−2^2", -4),
        ("2·3^2", 18),
        ("√4 · 2", 4),
        ("√(2 + 2)", 2),
        ("sqrt(4)", 2),
        ("−ln(0.96)", -math.log(0.96)),
        ("max(−0.031, 0)", 0),
        ("min(3, 1, 2)", 1),
        ("tanh(0.5)", math.tanh(0.5)),
        ("sigmoid(0)", 0.5),
        ("exp(1) − e^1", 0),
        ("½ + ⅓", 5 / 6),
        ("26.9 %", 0.269),
        ("10,000 + 1", 10001),
        ("8 / 2 / 2", 2),
        ("8 − 2 − 2", 4),
        ("1÷4", 0.25),
        ("2×3", 6),
        ("[2, 0, 1, 0] · [3, 0, 2, 0]", 8),
        ("[2, 0] · [3, 1] / 2", 3),
        ("0.5·[4, 0] + 0.5·[0, 4]", (2, 2)),
        ("[1, 2] × [3, 4]", (3, 8)),
        ("[100,200] − 1", (99, 199)),
        ("√[4, 9]", (2, 3)),
        ("[[1, 2], [3, 4]] · [1, 10]", (21, 43)),
    ],
)
def test_value(text, value):
    assert value_of(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["", "x + 1", "2(3)", "2 3", "007", "1 +", "(1", "[1, 2", "[1, 2] + [1, 2, 3]", "[1] · [[1], [2]]", "e", "2*3", "f(1)", "10,00"],
)  # fmt: skip
def test_what_is_no_single_sum_is_refused(text):
    with pytest.raises(NotArithmetic):
        evaluate(text)


@pytest.mark.parametrize("text", ["1/0", "ln(0)", "sqrt(−1)", "(−8)^0.5", "e^1000", "sqrt(1, 2)"])
def test_what_has_no_answer_is_not_a_number(text):
    assert math.isnan(value_of(text))


def test_a_literal_keeps_its_digits_and_a_sum_has_none():
    assert evaluate("8.000").written == Decimal("8.000")
    assert evaluate("−26.9 %").written == Decimal("-0.269")
    assert evaluate("8.000 + 0").written is None
