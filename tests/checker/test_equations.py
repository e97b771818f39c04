"""Which equations hold, which of their digits are determined, and where they are found in a text."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pencil import examples
from pencil.checker.digits import alternatives, replaced
from pencil.checker.equations import chains, forced, holds
from pencil.reference.blocks import block
from pencil.rounding import show
from pencil.trace import Trace
from pencil.worked import Worked

TRUE = [
    "2·3 + 0·0 = 6",
    "2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8",
    "2.718 / 57.32 = 0.047",
    "54.60 / 57.32 = 0.953",
    "e^4 = 54.60",
    "e⁴ = 54.60",
    "√4 = 2",
    "12 / √4 = 12 / 2 = 6",
    "(6 + 0 + 0)/3 = 2",
    "(6 + 0 + 0)/3 = 2.000",
    "0.047 × [2, 0, 0, 1] = [0.094, 0, 0, 0.047]",
    "0.047·[2, 0, 0, 1] + 0.953·[0, 3, 1, 0] = [0.094, 2.859, 0.953, 0.047]",
    "[2, 0, 1, 0] · [3, 0, 2, 0] = 8",
    "−ln(0.96) = 0.041",
    "−ln(0.96) ≈ 0.04",
    "√32 ≈ 5.66",
    "√32 = 5.657",
    "max(−0.031, 0) = 0",
    "10,000 × 4 = 40,000",
    "1.000 / 3.718 = 0.269 = 26.9 %",
    "1.9990 / 2 = 1.000",  # 0.9995 is a tie, and a tie goes up
    "0.1 + 0.2 = 0.3",
    "1/4 = 0.25",
    "1/16 = 0.0625",
    "½ = 0.5",
    "⅓ = 0.333",
    "8 = 6 + 2",
    "e^(−0) = 1",
]
FALSE = [
    "2·3 + 1·2 = 9",
    "6 + 1 = 6 + 2 = 8",
    "√32 = 5.66",  # fewer digits than the rule writes claim to be exact
    "1/3 = 0.33",
    "e^4 = 54.6",
    "e^4 = 54.598",  # more digits than the rule writes, and not exact
    "√32 ≈ 5.65",
    "1.4994 ≈ 2 − 1",
    "2/3 = 1",
    "(1.414·1.414) / 2 = 1.999 / 2 = 1.000",  # a step is written only where it is exact
    "1/0 = 3",
    "0·5 = −0",
    "−0 = 0·5",
    "[1, 2] + [1, 1] = [2, 3, 0]",
    "[1, 2] · [1, 1] = [3]",
]
NONE = ["4 = 4", "0.953 = 95.3 %", "2·3", "x = 2·3 = 6", "2·3 = six", "= 6", "2·3 = ", "00·1 = 0", "2·3 = 06", "", "2·3 == 6"]


@pytest.mark.parametrize("text, expected", [(t, True) for t in TRUE] + [(t, False) for t in FALSE] + [(t, None) for t in NONE])
def test_holds(text, expected):
    assert holds(text) is expected


def test_an_ascii_minus_is_a_minus():
    assert holds("-0.5·1.414 = -0.707") and holds("−0.5·1.414 = −0.707") and holds("3 - 5 = −2")


products = st.lists(st.tuples(st.integers(-9999, 9999), st.integers(-9999, 9999)), min_size=1, max_size=4)


def written(thousandths):
    text = f"{abs(thousandths) / 1000:.3f}"
    return f"(−{text})" if thousandths < 0 else text


@given(products)
def test_a_sum_holds_with_its_rounded_result_and_with_no_other_digit_in_it(pairs):
    total = sum(Fraction(a, 1000) * Fraction(b, 1000) for a, b in pairs)
    left, result = " + ".join(f"{written(a)}·{written(b)}" for a, b in pairs), show(float(total))
    assert holds(f"{left} = {result}") is True
    for at, digit in enumerate(result):
        for other in alternatives(digit):
            assert holds(f"{left} = {replaced(result, at, other)}") is not True


@given(st.integers(1, 9999), st.integers(1, 9999), st.integers(1, 3))
def test_approximately_is_half_up_at_the_shown_places(top, bottom, places):
    scaled = Fraction(top, bottom) * 10**places
    rounded = int(scaled + Fraction(1, 2))
    result = f"{rounded // 10**places}.{rounded % 10**places:0{places}d}"
    assert holds(f"{top} / {bottom} ≈ {result}") is True
    for at, digit in enumerate(result):
        for other in alternatives(digit):
            assert holds(f"{top} / {bottom} ≈ {replaced(result, at, other)}") is not True


def test_every_worked_sum_of_the_block_holds():
    trace = Trace()
    block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    worked = Worked(trace)
    sums = {text for name in trace.names for word in examples.PAIR for text in _sums(worked, word, name)}
    assert len(sums) > 60
    assert [text for text in sums if holds(text) is not True] == []


def _sums(worked, word, name):
    if name.startswith("params"):
        return set()
    row, numbers = f"{word}.{name}", [number.reference for number in worked.numbers(f"{word}.{name}")]
    return set().union(worked.sums(row), *(worked.sums(reference) for reference in numbers))


def unforced(text):
    return [text[a:b] for (a, b), only in forced(text).items() if not only]


@pytest.mark.parametrize(
    "text, free",
    [
        ("8 / 2 = 4", []),
        ("2·3 + 0·0 = 6", ["0", "0"]),
        ("2.718 / 57.32 = 0.047", ["2.718", "57.32"]),
        ("0.047 × [2, 0, 0, 1] = [0.094, 0, 0, 0.047]", []),
        ("[2, 0] · [3, 0] = 6", ["0", "0"]),
        ("max(−0.031, 0) = 0", ["0.031"]),
        ("max(−1, 3) = 3", ["1"]),
        ("e⁴ = 54.60", []),
        ("½ · 4 = 2", []),
        ("10⁰ = 1", ["10"]),
        ("1⁴ = 1", ["⁴"]),
        ("√32 ≈ 5.66", []),
        ("0.4 + 0.6 = 1", []),
    ],
)
def test_a_numeral_is_forced_where_no_other_digit_would_do(text, free):
    assert holds(text)
    assert unforced(text) == free


@pytest.mark.parametrize(
    "text, found",
    [
        ("nolan.WANT · ended.HAVE = 2·3 + 0·0 = 6 + 0 = 6.", ["2·3 + 0·0 = 6 + 0 = 6"]),
        ("Dividing gives 8 / 2 = 4, and 2/2 = 1.", ["8 / 2 = 4", "2/2 = 1"]),
        ("(so 2·3 = 6)", ["2·3 = 6"]),
        ("10,000 × 4 = 40,000 dials", ["10,000 × 4 = 40,000"]),
        ("gives −2·3 = −6", ["−2·3 = −6"]),
        ("| 8 / 2 = 4 | 2·2 = 5 |", ["8 / 2 = 4", "2·2 = 5"]),
        ("y · 2 = 3·2 = 6 = z[1] = 6", ["3·2 = 6"]),
        ("max(3, 2) = 3", ["max(3, 2) = 3"]),
        ("√32 ≈ 5.66", ["√32 ≈ 5.66"]),
        # what looks like a sum and is part of something else
        ("x − 2·3 = 6", []),
        ("x·2 + 3 = 6", []),
        ("f(1 + 2) = 3", []),
        ("x2·3 = 6", []),
        ("2–3 = 1·1 = 1", ["1·1 = 1"]),
        ("8 / 2 = 4K", []),
        ("8 / 2 = 4·x", []),
        ("- 8 / 2 = 4", []),
        ("[2, 8] = [2, 8]", []),
        ("d_k = 4", []),
        ("v1.2·3 = 6", []),
    ],
)
def test_equations_are_found_and_labels_are_not_misread(text, found):
    assert [text[a:b] for a, b in chains(text)] == found
