"""Which digits are right for a reference, and the error messages for others."""

import pytest
from judging import declaring, failures

from pencil.checker.bindings import objection
from pencil.checker.values import publish
from pencil.trace import Trace

DECLARED = {"year": "2014", "gpt": "GPT-2"}

# on paper nolan.context is [0.094, 2.859, 0.953, 0.047], exactly [0.0949, 2.8577, 0.9526, 0.0474]
RIGHT = [
    ("0.953", "nolan.weights[ended]"),
    ("0.953", "nolan.weights[1]"),
    ("0.953", "weights[0, 1]"),
    ("0.95", "nolan.weights[ended]"),
    ("1.0", "nolan.weights[ended]"),
    ("95.3 %", "nolan.weights[ended]"),
    ("95 %", "nolan.weights[ended]"),
    ("95.3%", "nolan.weights[ended]"),
    ("0.95257", "exact nolan.weights[ended]"),
    ("95.26 %", "exact nolan.weights[ended]"),
    ("54.60", "nolan.exp[ended]"),
    ("54.6", "nolan.exp[ended]"),
    ("54.598", "exact nolan.exp[ended]"),
    ("8", "nolan.scores[ended]"),
    ("8.000", "nolan.scores[ended]"),
    ("[2, 8]", "nolan.scores"),
    ("[2,8]", "nolan.scores"),
    ("[0.047, 0.953]", "nolan.weights"),
    ("[0.094, 2.859, 0.953, 0.047]", "paper nolan.context"),
    ("[0.095, 2.858, 0.953, 0.047]", "exact nolan.context"),
    ("2.86", "nolan.context[1]"),
    ("2.859", "paper nolan.context[1]"),
    ("[[2, 1, 1, 0], [0, 1, 2, 1]]", "embedding"),
    ("2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8", "nolan.scores[ended]"),
    ("2·3 + 0·0 + 1·2 + 0·0\n= 8", "nolan.scores[ended]"),
    ("[2, 8] / 2 = [1, 4]", "nolan.scaled"),
    ("4", "count nolan.query"),
    ("2", "count embedding"),
    ("40,008", "dials"),
    ("40008", "dials"),
    ("175,000,000,000", "parameters"),
    ("5.651", "spread[1]"),
    ("[2.0, 5.7, 8.0]", "spread"),
    ("3", "count spread"),
    ("0.333", "third"),
    ("⅓", "third"),
    ("½", "half"),
    ("0.5", "half"),
    ("−1.273", "mix.mixing[1]"),
    ("-1.273", "mix.mixing[1]"),
    ("−0.3", "mix.weight[1, 0]"),
    ("2014", "page.year"),
    ("GPT-2", "page.gpt"),
    ("0.953", "bf16 nolan.weights[ended]"),
    ("0.9531", "bf16 nolan.weights[ended]"),  # 0.953125: what a machine has written has all its digits
    ("95.31 %", "bf16 nolan.weights[ended]"),
    ("54.50", "bf16 nolan.exp[ended]"),
    ("56.00", "fp8_e4m3 nolan.exp[ended]"),
    ("[0.125, 0.875]", "int4 nolan.weights"),
    ("2·3 + 0·0 + 1·2 + 0·0 = 8", "fp16 nolan.scores[ended]"),
]
WRONG = [
    ("0.954", "nolan.weights[ended]", "nolan.weights[ended] is 0.953"),
    ("0.953", "nolan.weights[nolan]", "is 0.047"),
    ("0.96", "nolan.weights[ended]", "is 0.953"),
    ("95.4 %", "nolan.weights[ended]", "is 0.953"),
    ("0.953 %", "nolan.weights[ended]", "is 0.953"),
    ("1", "nolan.weights[ended]", "is 0.953"),  # a bare whole number stands only for what is whole
    ("3", "nolan.context[1]", "2.859 on paper, 2.858 exactly"),
    ("0.95257", "nolan.weights[ended]", "write <exact nolan.weights[ended]>"),
    ("0.95257", "paper nolan.weights[ended]", "write <exact nolan.weights[ended]>"),
    ("0.9530", "nolan.weights[ended]", "is 0.953"),
    ("0.953", "paper nolan.weights[ended]", "both tracks show these digits; write <nolan.weights[ended]>"),
    ("0.953", "exact nolan.weights[ended]", "both tracks show these digits"),
    ("2.859", "nolan.context[1]", "write <paper nolan.context[1]>"),
    ("2.858", "nolan.context[1]", "write <exact nolan.context[1]>"),
    ("2.858", "paper nolan.context[1]", "write <exact nolan.context[1]>"),
    ("[0.094, 2.859, 0.953, 0.047]", "nolan.context", "write <paper nolan.context>"),
    ("[0.095, 2.859, 0.953, 0.047]", "nolan.context", "[0.094, 2.859, 0.953, 0.047] on paper"),
    ("[2, 8, 0]", "nolan.scores", "is [2, 8]"),
    ("2", "nolan.scores", "is [2, 8]"),
    ("[8]", "nolan.scores[ended]", "is 8"),
    ("08", "nolan.scores[ended]", "is 8"),
    ("−8", "nolan.scores[ended]", "is 8"),
    ("8 sticks", "nolan.scores[ended]", "is 8"),
    ("2·3 + 5·0 + 1·2 + 0·0 = 6 + 2 = 8", "nolan.scores[ended]", "2·3 + 0·0 + 1·2 + 0·0 = 8"),
    ("6 + 2 = 8", "nolan.scores[ended]", "stands for"),
    ("1 + 1 = 2", "dials", "no sum behind it"),
    ("5", "count nolan.query", "is 4"),
    ("4", "count nolan.scores[ended]", "has no size"),
    ("40,009", "dials", "is 40008"),
    ("40.008", "dials", "is 40008"),
    ("½", "third", "is 0.333"),
    ("⅓", "nolan.weights[nolan]", "is 0.047"),
    ("0.33", "spread[7]", "count from 0"),
    ("0.047", "ended.nothing", "nothing is named"),
    ("0.047", "dog.weights", "nothing is named"),
    ("0.047", "nolan.weights[2]", "it has 0 to 1 or nolan, ended"),
    ("0.047", "", "is no reference"),
    ("−0", "nolan.query[1]", "is 0"),
    ("−0.000", "nolan.query[1]", "is 0"),
    ("2015", "page.year", "declared as 2014"),
    ("2014", "page.month", "not declared"),
    ("two", "count embedding", "holds no digit"),
    ("0.952", "bf16 nolan.weights[ended]", "nolan.weights[ended] is 0.953 in bf16"),
    ("54.60", "bf16 nolan.exp[ended]", "nolan.exp[ended] is 54.50 in bf16"),
    ("1", "fp8_e4m3 nolan.weights[ended]", "is 0.938 in fp8_e4m3"),
    ("56", "fp8_e4m3 nolan.exp[ended]", "is 56 in fp8_e4m3"),  # exactly it is not whole, and a page would go on with whole numbers
    ("[0.047, 0.953]", "int4 nolan.weights", "nolan.weights is [0.125, 0.875] in int4"),
    ("40,008", "bf16 dials", "dials is a figure of no run, so there is no bf16 of it"),
    ("0.953", "fp4 nolan.weights[ended]", "is no reference"),
]


@pytest.mark.parametrize("said, reference", RIGHT)
def test_right_digits(review, said, reference):
    assert objection(said, reference, review, DECLARED) is None


@pytest.mark.parametrize("said, reference, reason", WRONG)
def test_wrong_digits_are_told_the_true_value(review, said, reference, reason):
    assert reason in objection(said, reference, review, DECLARED)


def test_what_rounds_to_a_whole_number_is_not_whole():
    tie = publish(figures={"tie": 0.9995})
    assert objection("1.000", "tie", tie, {}) is None  # a tie goes up
    assert objection("1.00", "tie", tie, {}) is None
    assert "tie is 1.000" in objection("1", "tie", tie, {})


def test_a_run_alone_is_no_value(review):
    assert "mix is a run; name a value of it, as in mix.mixing" in objection("8", "mix", review, {})


def masked():
    trace = Trace()
    trace.note("masked", trace.given("scores", [3.5355, -float("inf")]))
    return publish(trace)


@pytest.mark.parametrize(
    "said, fine", [("[3.536, −∞]", True), ("[3.536, -∞]", True), ("[3.536, ∞]", False), ("[3.536, −8]", False), ("[∞, −∞]", False)]
)
def test_a_masked_row_can_be_bound(said, fine):
    assert (objection(said, "masked", masked(), {}) is None) is fine


@pytest.mark.parametrize("said", ["0.0", "0.00", "0 %", "−0.0", "0.0 %", "100 %", "100%"])
@pytest.mark.parametrize("value", [0.003, 0.9996, 0.0003])
def test_something_is_not_shown_as_nothing_nor_almost_all_as_all(said, value):
    wrong = objection(said, "x", publish(figures={"x": value}), {})
    assert wrong is None if (said, value) == ("0.0 %", 0.0003) else "x is" in wrong


def test_what_is_nothing_or_all_may_be_shown_so():
    nothing = publish(figures={"x": 0, "all": 1, "most": 0.9526})
    for said, name in [("0", "x"), ("0.0", "x"), ("0 %", "x"), ("100 %", "all"), ("1.0", "most")]:
        assert objection(said, name, nothing, {}) is None


def test_a_number_word_above_twelve_is_bound_like_digits(review):
    assert failures("There are {v}`seventy-three <seventy>` of them.", publish(figures={"seventy": 73})) == []
    assert failures("There are {v}`seventy-two <seventy>` of them.", publish(figures={"seventy": 73})) == [(1, "seventy-two")]
    assert failures("There are {v}`seventy-three <seventy>` of them.", publish(figures={"seventy": 73.2})) != []
    assert failures("In thirteen.\n\n```{code-cell}\nx = 13\n```", review) == []
    assert failures("In thirteen.\n\n```{code-cell}\nx = 12\n```", review) == [(1, "thirteen")]


def test_a_declaration_may_be_a_number_word(review):
    said = declaring('words: {text: "six billion", is: "the words of a table"}', "{v}`six billion <page.words>`")
    assert failures(said, review) == []
    assert failures(said.replace("`six", "`nine"), review) != []
