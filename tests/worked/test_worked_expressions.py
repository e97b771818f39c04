"""Worked lines of any expression: brackets where needed, signs kept, and equal to the value."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pencil.checker.equations import holds
from pencil.trace import Trace
from pencil.worked import Worked

A, B, C, D = 2.0, 3.0, 0.5, -4.0


def written(work, *numbers):
    trace = Trace()
    x = trace.given("x", list(numbers))
    trace("y", work(*(x[i] for i in range(len(numbers)))))
    return Worked(trace).text("y")


@pytest.mark.parametrize(
    "work, line",
    [
        (lambda a, b, c, d: a - (b + c), "y = 2 − (3 + 0.5) = −1.500"),
        (lambda a, b, c, d: a - (b - c), "y = 2 − (3 − 0.5) = −0.500"),
        (lambda a, b, c, d: a - b - c, "y = 2 − 3 − 0.5 = −1.500"),
        (lambda a, b, c, d: a + b - c, "y = 2 + 3 − 0.5 = 4.500"),
        (lambda a, b, c, d: a + (b - c), "y = 2 + (3 − 0.5) = 4.500"),
        (lambda a, b, c, d: a + (d + b), "y = 2 + (−4 + 3) = 1"),
        (lambda a, b, c, d: a + d, "y = 2 − 4 = −2"),
        (lambda a, b, c, d: a - d, "y = 2 − (−4) = 6"),
        (lambda a, b, c, d: a * d, "y = 2·(−4) = −8"),
        (lambda a, b, c, d: d * a, "y = (−4)·2 = −8"),
        (lambda a, b, c, d: d / a, "y = (−4) / 2 = −2"),
        (lambda a, b, c, d: -a, "y = −2"),
        (lambda a, b, c, d: -d, "y = −(−4) = 4"),
        (lambda a, b, c, d: -(a + b), "y = −(2 + 3) = −5"),
        (lambda a, b, c, d: a * (b + c), "y = 2·(3 + 0.5) = 7"),
        (lambda a, b, c, d: a * b + c, "y = 2·3 + 0.5 = 6.500"),
        (lambda a, b, c, d: a / (b * c), "y = 2 / (3·0.5) = 1.333"),
        (lambda a, b, c, d: a / (b / c), "y = 2 / (3 / 0.5) = 0.333"),
        (lambda a, b, c, d: a * (b / c), "y = 2·(3 / 0.5) = 12"),
        (lambda a, b, c, d: a / b / c, "y = 2 / 3 / 0.5 = 1.333"),
        (lambda a, b, c, d: (a + b) / (c - d), "y = (2 + 3) / (0.5 − (−4)) = 1.111"),
        (lambda a, b, c, d: np.exp(a), "y = e^2 = 7.389"),
        (lambda a, b, c, d: np.exp(d), "y = e^(−4) = 0.018"),
        (lambda a, b, c, d: np.exp(a + c), "y = e^(2 + 0.5) = 12.18"),
        (lambda a, b, c, d: np.exp(a) * b, "y = e^2·3 = 22.17"),
        (lambda a, b, c, d: np.exp(a) / np.exp(b), "y = e^2 / e^3 = 0.368"),
        (lambda a, b, c, d: np.sqrt(a), "y = √2 = 1.414"),
        (lambda a, b, c, d: np.sqrt(a * b), "y = √(2·3) = 2.449"),
        (lambda a, b, c, d: np.sqrt(a) + b, "y = √2 + 3 = 4.414"),
        (lambda a, b, c, d: np.log(a * c), "y = ln(2·0.5) = 0"),
        (lambda a, b, c, d: -np.log(c), "y = −ln(0.5) = 0.693"),
        (lambda a, b, c, d: np.maximum(d, 0), "y = max(−4, 0) = 0"),
        (lambda a, b, c, d: np.minimum(a, b + c), "y = min(2, 3 + 0.5) = 2"),
        (lambda a, b, c, d: abs(d), "y = abs(−4) = 4"),
        (lambda a, b, c, d: 2 * np.abs(d + c), "y = 2·abs(−4 + 0.5) = 7"),
        (lambda a, b, c, d: a**b, "y = 2^3 = 8"),
        (lambda a, b, c, d: b**-c, "y = 3^(−0.5) = 0.577"),
        (lambda a, b, c, d: (a * c) ** 0.75 * b, "y = (2·0.5)^0.75·3 = 3"),
        (lambda a, b, c, d: d**3, "y = (−4)^3 = −64"),
        (lambda a, b, c, d: (a**b) ** c, "y = (2^3)^0.5 = 2.828"),
        (lambda a, b, c, d: np.cumsum(np.stack([a, b, c, d]))[1], "y = 2 + 3 + 0 + 0 = 5"),
        (lambda a, b, c, d: np.cumsum(np.stack([a, b, c, d]))[3], "y = 2 + 3 + 0.5 − 4 = 1.500"),
        (lambda a, b, c, d: np.cumsum(np.concatenate([np.zeros(1), np.stack([a, d])]))[1], "y = 2 + 0 + 0 = 2"),
        (lambda a, b, c, d: (lambda x: np.take_along_axis(x, np.argsort(x, kind="stable"), 0)[0] + a)(np.stack([a, b, c])), "y = 0.5 + 2 = 2.500"),
        (lambda a, b, c, d: np.tanh(c), "y = tanh(0.5) = 0.462"),
        (lambda a, b, c, d: np.sin(c) + np.cos(c), "y = sin(0.5) + cos(0.5) = 1.357"),
        (lambda a, b, c, d: a / np.sqrt(32), "y = 2 / √32 = 0.354"),
        (lambda a, b, c, d: 1 / (1 + np.exp(-a)), "y = 1 / (1 + e^(−2)) = 0.881"),
        (lambda a, b, c, d: np.stack([a, b, d]).sum(), "y = 2 + 3 − 4 = 1"),
        (lambda a, b, c, d: np.stack([d, a]).mean(), "y = (−4 + 2) / 2 = −2 / 2 = −1"),
        (lambda a, b, c, d: np.stack([a, d]).max(), "y = max(2, −4) = 2"),
        (lambda a, b, c, d: np.stack([a, b]) @ np.stack([d, c]), "y = 2·(−4) + 3·0.5 = −6.500"),
        (lambda a, b, c, d: np.stack([a, b]) @ np.stack([d, b]), "y = 2·(−4) + 3·3 = −8 + 9 = 1"),
    ],
)
def test_brackets_stand_where_they_are_needed_and_nowhere_else(work, line):
    assert written(work, A, B, C, D) == line
    assert holds(line.removeprefix("y = ")) is (None if line in ("y = −2", "y = −(−4) = 4") else True)  # there nothing is worked out


def test_a_product_of_parts_is_not_named_as_the_product_of_the_wholes():
    trace = Trace()
    query = trace.given("query", [[1, 2, 3, 4]], words=["nolan"])
    key = trace.given("key", [[5, 6, 7, 8]], words=["ended"])
    trace("half", query[:, :2] @ key[:, :2].T)
    assert Worked(trace).text("nolan.half[ended]") == "nolan.half[ended] = 1·5 + 2·6 = 5 + 12 = 17"


def test_a_whole_result_of_numbers_that_were_cut_is_not_bare():
    """On paper 0.000 + 1 is exactly 1; the exact value is 1.0004, so the page does not claim a whole number."""
    trace = Trace()
    small = trace("small", trace.given("x", [0.0004]) + 0)
    trace("y", small + 1)
    assert Worked(trace).number("y") == "1.000"
    assert Worked(trace).text("y") == "y = 0.000 + 1 = 1.000"


PAIRS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "max": np.maximum,
    "power": lambda a, b: np.abs(a) ** b,
    "running": lambda a, b: np.cumsum(np.stack([a, b]))[0] + np.cumsum(np.stack([b, a]))[1],
    "sum": lambda a, b: np.stack([a, b]).sum(),
    "mean": lambda a, b: np.stack([b, a]).mean(),
    "dot": lambda a, b: np.stack([a, b]) @ np.stack([b, a]),
}
SINGLE = {"neg": lambda a: -a, "exp": np.exp, "sqrt": np.sqrt, "abs": np.abs, "note": None}
numbers = st.integers(-400, 400).map(lambda n: n / 100) | st.integers(-5, 5).map(float)
trees = st.recursive(
    numbers,
    lambda inner: st.tuples(st.sampled_from(sorted(PAIRS)), inner, inner) | st.tuples(st.sampled_from(sorted(SINGLE)), inner),
    max_leaves=6,
)


def work_out(tree, trace, count):
    """Build the tree out of traced numbers; every number is given by itself."""
    if isinstance(tree, float):
        count.append(tree)
        return trace.given(f"x{len(count)}", tree)
    sign, *parts = tree
    values = [work_out(part, trace, count) for part in parts]
    if sign == "note":
        count.append(0)
        return trace(f"n{len(count)}", values[0])
    return (PAIRS | SINGLE)[sign](*values)


@given(trees)
@example(("-", 1.0, ("-", 2.0, ("neg", 3.0))))
@example(("/", 1.0, ("*", 2.0, ("/", 3.0, -4.0))))
@example(("sum", ("neg", 2.0), ("neg", ("sum", 1.0, -1.5))))
@example(("+", 1.0, ("neg", ("exp", ("neg", 0.0)))))
def test_every_line_of_a_random_expression_is_true(tree):
    trace = Trace()
    try:
        y = trace("y", work_out(tree, trace, []))
    except ValueError:  # it has no number: √−1, 0 / 0
        assume(False)
    assume(all(np.isfinite(s.paper).all() and np.abs(s.paper).max() < 1e6 for s in trace.steps if s.exact.dtype == float))
    for name in trace.names:
        line = Worked(trace).text(name)
        assert holds(line.partition(" = ")[2]) in (True, None), line
    assert isinstance(tree, float) or holds(Worked(trace).text("y").partition(" = ")[2]) or y.args[0].op in ("negative", "note"), tree
