"""Declared numerals: bound by name, described, used, and not in the code."""

import pytest
from judging import declaring, failures, reasons

YEAR = 'year: {text: "2014", is: "the year of Bahdanau et al."}'


USE = "In {v}`2014 <page.year>`."


def test_a_declared_numeral_is_bound_by_name(review):
    assert failures(declaring(YEAR, USE), review) == []
    assert failures(declaring(YEAR, "In {v}`2015 <page.year>`."), review) == [(6, "2015")]
    assert failures(declaring(YEAR, "In 2014."), review) == [(4, "year: 2014"), (6, "2014")]


def test_a_declaration_says_what_it_is(review):
    assert "does not say what it is" in reasons(declaring('year: {text: "2014"}', USE), review)
    assert "in quotes" in reasons(declaring('year: {text: 2014, is: "a year"}', USE), review)
    assert "with a digit" in reasons(declaring('year: {text: "soon", is: "a year"}', USE), review)


def test_an_unused_declaration_fails(review):
    assert failures(declaring(YEAR, "Nothing."), review) == [(4, "year: 2014")]


@pytest.mark.parametrize(
    "text, code, refused",
    [
        ("32", "width = 32", True),
        ("10,000", "top = 10_000", True),
        ("0.10", "answer = 0.1", True),
        ("2014", "width = 32", False),
        ("2014", "x2014 = 12014", False),
        ("GPT-2", "heads = 2", False),
        ("word2vec", "heads = 2", False),
        ("OPT 13B", "heads = 1", False),
        ("1,234K", "heads = 1", False),
        ("3.14B", "pi = 3.1", False),
        ("1,234,567", "n = 1_234_567", True),
        ("the 2 heads", "heads = 2", True),
    ],
)
def test_a_number_of_the_code_may_not_be_declared(review, text, code, refused):
    page = declaring(f'it: {{text: "{text}", is: "it"}}', f"{{v}}`{text} <page.it>`\n\n```{{code-cell}}\n{code}\n```")
    assert ("occurs in the code cells" in reasons(page, review)) is refused
    assert bool(failures(page, review)) is refused


def test_formulas_and_code_spans_are_declared_whole(review):
    formula = declaring('square: {text: "$n^2$", is: "the square"}', "There are $n^2$ matches, $$n^2$$ and {math}`n^2`.")
    assert failures(formula, review) == []
    assert failures(formula.replace("are $n^2$", "are $n^3$"), review) == [(6, "3")]
    span = declaring("kind: {text: \"`float64`\", is: 'the type'}", "It is `float64`.")
    assert failures(span, review) == []
    assert failures(span.replace("It is `float64`", "It is float64"), review) == [(4, "kind: `float64`"), (6, "64")]


@pytest.mark.parametrize("formula", ["$2 + 2 = 5$", "$x = 8$", "$[2, 9]$", "$0.5 x$", "$2 \\cdot 2$", "$x = \\frac{1}{2}$", "$sin(3) = cos(2)$"])
def test_a_formula_that_holds_values_may_not_be_declared(review, formula):
    page = declaring(f"f: {{text: '{formula}', is: x}}", f"So {formula}.")
    assert "TeX carries symbols" in reasons(page, review)


@pytest.mark.parametrize("formula", ["$n^2$", "$n - 1$", "$\\\\frac{x_1}{2}$", "$\\\\sum_{i=1}^{n} x_i$"])
def test_a_formula_of_symbols_may_be_declared(review, formula):
    shown = formula.replace("\\\\", "\\")
    assert failures(declaring(f'f: {{text: "{formula}", is: x}}', f"So {shown}."), review) == []


def test_a_formula_and_a_code_span_do_not_stand_for_each_other(review):
    assert failures(declaring("f: {text: '$n^2$', is: x}", "So `n^2`."), review) != []
    assert failures(declaring("f: {text: '`n^2`', is: x}", "So $n^2$."), review) != []
