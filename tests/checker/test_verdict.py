"""Judging whole pages: what passes, and where and with which message anything else fails."""

import pytest
from judging import declaring, failures, reasons

from pencil.checker.check import check_text
from pencil.checker.values import publish

MIXING = """
The mixing grid, as the article prints its four results:

| row | result |
|-----|--------|
| first | {v}`0.848 <mixing[0]>` |
| second | {v}`−1.131 <mixing[1]>` |
| third | {v}`−0.141 <mixing[2]>` |
| fourth | {v}`−0.707 <mixing[3]>` |
"""


def test_first_proof_the_mixing_grid_of_source_001(mixing):
    report = check_text(MIXING, mixing)
    assert [(f.line, f.written, f.reason) for f in report.failures] == [
        (6, "0.848", "mixing[0] is 0.707"),
        (7, "−1.131", "mixing[1] is −1.273"),
    ]
    assert report.counted == {"bound": 2, "failing": 2}
    assert check_text(MIXING.replace("0.848", "0.707").replace("1.131", "1.273"), mixing).failures == []


GOOD = [
    "nolan listens {v}`0.953 <nolan.weights[ended]>` to ended, {v}`95.3 % <nolan.weights[ended]>`.",
    "# Divide by √4 = 2",
    "Then 8 / 2 = 4 and 2 / 2 = **1**.",
    "{v}`54.60 <nolan.exp[ended]>` / {v}`57.32 <nolan.exp_sum>` = {v}`0.953 <nolan.weights[ended]>`",
    "{v}`[2, 8] <nolan.scores>` / √4 = {v}`[1, 4] <nolan.scaled>`",
    "| {v}`2 <nolan.scores[nolan]>` | {v}`8 <nolan.scores[ended]>` |",
    "[a match of {v}`8 <nolan.scores[ended]>`](page_7.html)",
    "1. one\n1. two",
    "In `8 / 2 = 4` and ![√4 = 2](a.png)",
    ":::{your-turn} key-5\n:answer: nolan.scores[0]\nWhich?\n:::",
    ":::{your-turn} key\n:answer: nolan.scores[0]\n:wrong: nolan.scores[1] | That is the other word.\nWhich?\n:::",
    ":::{your-turn} key\n:choices: set | list\n:right: list\n:wrong: set | No, a list.\nWhich?\n:::",
    ":::{wrong-turn} Softmax adds: 2 + 8 = 10.\nNo.\n:::",
    "No digit at all.",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_is_accounted_for_passes(review, text):
    assert failures(text, review) == []


BAD = [
    ("nolan listens 0.953 to ended.", "0.953", "nearest: nolan.weights[ended] is 0.953"),
    ("# 8 heads", "8", "cannot stand in a heading: move the digits into the text or write them in words"),
    ("Half is ½.", "½", "stands for nothing"),
    ("n² matches", "²", "stands for nothing"),
    ("a `width 32`", "32", "cannot stand in code: move the digits into the text or write them in words, or declare the whole of it"),
    ("the match $x = 8$", "8", "cannot stand in TeX: move the digits into the text or write them in words, or declare the whole of it"),
    ("![8 bars](a.png)", "8", "cannot stand in alt text: move the digits into the text or write them in words"),
    ("Then 8 / 2 = 5.", "8 / 2 = 5", "not true on paper"),
    ("So 2·3 + 0·0 = 6.", "0", "another digit would do in 2·3 + 0·0 = 6"),
    ("{v}`8 <nolan.scores[ended]>` / 2 = 5", "8 / 2 = 5", "not true on paper"),
    ("# {v}`8 <nolan.scores[ended]>` matches", "{v}`8 <nolan.scores[ended]>`", "cannot stand in a heading"),
    (":::{wrong-turn} It is {v}`8 <nolan.scores[ended]>`\n:::", "{v}`8 <nolan.scores[ended]>`", "a title or option"),
    ("![{v}`8 <nolan.scores[ended]>`](a.png)", "{v}`8 <nolan.scores[ended]>`", "alt text"),
    ("$x {v}`8 <nolan.scores[ended]>`$", "$x {v}`8 <nolan.scores[ended]>`$", "TeX"),
    ("`` {v}`8 <nolan.scores[ended]>` ``", "`` {v}`8 <nolan.scores[ended]>` ``", "code"),
    ("```\n{v}`8 <nolan.scores[ended]>`\n```", "{v}`8 <nolan.scores[ended]>`", "code"),
    ("{v}`8`", "{v}`8`", "a binding reads"),
    ("2. two", "2", "number every item"),
    (":::{your-turn} key\n:answer: nolan.none[0]\n:::", ":answer: nolan.none[0]", "nothing is named"),
    (":::{your-turn} key\n:answer: scores\n:wrong: nolan.scores | It is 8.\n:::", "8", "cannot stand in a title or option"),
    (":::{your-turn} key\n:choices: 8 | nine\n:right: nine\n:::", "8", "cannot stand in a title or option"),
    ("{v}`two <count embedding>` words", "two", "holds no digit"),
]


@pytest.mark.parametrize("text, written, reason", BAD)
def test_what_is_not_accounted_for_fails_where_it_stands(review, text, written, reason):
    found = check_text(f"Words.\n\n{text}", review).failures
    assert found[0].written == written
    assert reason in found[0].reason
    assert found[0].line == 3 + next(n for n, line in enumerate(text.split("\n")) if written.split()[0] in line)
    assert check_text(text, review).counted["failing"] >= ("answer" not in text and "two" not in written)


def test_a_wrong_turn_of_a_box_names_a_value(review):
    (failure,) = check_text(":::{your-turn} key\n:answer: scores\n:wrong: nolan.none[0] | No.\n:::", review).failures
    assert failure.line == 3 and "nothing is named" in failure.reason


@pytest.mark.parametrize(
    "span, quoted",
    [
        ("axis=-1", True),
        ("x.sum(axis=-1)", True),
        ("axis=-2", False),
        ("heads[0]", False),  # heads[1] stands there too, so the digit proves nothing
        ("-1", False),  # no name: a bare number may be anything
        ("d_k=3", False),  # the code says 32
        ("d_k=32", True),
    ],
)
def test_a_code_span_may_quote_the_code(review, span, quoted):
    page = f"See `{span}`.\n\n```{{code-cell}}\nx.sum(axis=-1)\nheads[0] + heads[1]\nf(d_k=32)\n```\n"
    assert (failures(page, review) == []) is quoted


def test_each_numeral_is_counted_once_with_its_way(review):
    said = "In {v}`2014 <page.year>`. {v}`[2, 8] <nolan.scores>`, √4 = 2, `axis=-1`.\n\n```{code-cell}\nf(axis=-1)\n```"
    text = declaring('year: {text: "2014", is: "the year of Bahdanau et al."}', said)
    report = check_text(text, review)
    assert report.failures == []
    assert report.counted == {"declared": 1, "bound": 2, "computed": 2, "quoted": 1}


def test_publish_nothing_binds_nothing():
    assert "publish" in reasons("{v}`8 <x>`", publish())


V = "{v}`8 <nolan.scores[ended]>`"


TOUCHED = [f"−{V}", f"-{V}", f"{V} %", f"{V}%", f"{V} ‰", V + V, f"2 + 3 = 5{V}", f"√{V}", f"{V}.5", f"{V},000", f"−**{V}**", f"**{V}** %", f"9.{V}"]


@pytest.mark.parametrize("text", TOUCHED)
def test_what_touches_a_binding_is_part_of_the_number(review, text):
    assert "write it inside" in reasons(text, review)


@pytest.mark.parametrize("text", [f"**{V}**", f"x−{V}", f"2 · {V} = 16", f"({V})", f"{V}, 8 / 2 = 4", f"{V}.", f"a {V}-fold"])
def test_what_touches_no_number_is_left_alone(review, text):
    assert "write it inside" not in reasons(text, review)


HEADINGS = [
    f" # H {V}",
    f"> # H {V}",
    f"- # H {V}",
    f"1. # H {V}",
    f"Title {V}\n=====",
    f"Title\n{V}\n---",
    f"> Title {V}\n> ---",
    f"- Title {V}\n  ---",
]


@pytest.mark.parametrize("text", HEADINGS)
def test_a_binding_is_refused_in_every_kind_of_heading(review, text):
    assert "cannot stand in a heading" in reasons(text, review)


@pytest.mark.parametrize("text", [f"{V}\n\n---", f"- {V}\n---", f"> {V}\n---", f"| a |\n|---|\n| {V} |\n---", f"#no {V}"])
def test_a_rule_below_makes_no_heading(review, text):
    assert failures(text, review) == []


@pytest.mark.parametrize(
    "text, written",
    [
        ("sizes [4·10 = 40,008] here", "40,008"),
        ("words(2 + 3 = 5,000 dials)", "5,000"),
        ("[a, 2 + 3 = 5,123]", "5,123"),
    ],
)
def test_a_comma_in_brackets_hides_no_digit(review, text, written):
    assert written in [said for _, said in failures(text, review)]


@pytest.mark.parametrize(
    "text", ["```{note} There are 99 heads\n```", "```{admonition} 99 heads\n```", "[2, 9]: the second wins.", "  [^note]: 99 heads"]
)
def test_no_title_and_no_row_is_overlooked(review, text):
    assert failures(text, review) != []


SUMS = (
    f"{V} * 2 + 3 = 5", "`n*2 + 3 = 5`", f"{V} ⋅ 2 + 3 = 5", "n ∗ 2 + 3 = 5", "n ± 2 + 3 = 5", "n – 2 + 3 = 5", "2 + 3 = 5 * n", "∑ 2 + 3 = 5",
    "ln 2 + 3 = 5", "log 2 + 3 = 5", "2 + 3 = 5 ‰",
)  # fmt: skip


@pytest.mark.parametrize("text", SUMS)
def test_an_unknown_operator_does_not_cut_a_sum_down_to_a_true_one(review, text):
    assert failures(text, review) != []
