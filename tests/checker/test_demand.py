"""What is demanded of a sentence with bound numbers: its claims in {when}, in its own words and order, or the mark."""

from pathlib import Path

import pytest
from judging import failures, reasons

V = "{v}`8 <nolan.scores[ended]>`"
W = "{v}`2 <nolan.scores[nolan]>`"
S = "{v}`0.953 <nolan.weights[ended]>`"
MARK = "<!--no claim-->"
AT_MOST = 296  # marks in all pages: lower it when there are fewer, and never raise it
GOOD = [
    f"The score is {V}.",
    f"The score is {V}, {{when}}`larger than the other <nolan.scores[ended] > nolan.scores[nolan]>`.",
    f"The scores are {W} and {V}.",
    f"It becomes {V}, where it was {S}.{MARK}",
    f"The larger score is {V}.{MARK}",
    f"Is {V} larger than {W}?",
    f"So {W} < {V} and {W} + {W} = 4.",
    f"A sum, {{v}}`2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8 <nolan.scores[ended]>`, beside {V}.",
    f"{V} and, in exact digits, {V}.",
    "The larger of two numbers.",
    f"| score | {W} and {V} |\n|---|---|\n| a | b |",
    f"The score is {V}. All of it is one sentence further.",
    f"In all {V}, at all, after all.",
    "In {v}`2014 <page.year>` it was better.",
]
DECLARED = '---\npencil:\n  declared:\n    year: {text: "2014", is: "a year"}\n---\n'


@pytest.mark.parametrize("text", GOOD)
def test_what_claims_nothing_or_has_its_claim_passes(review, text):
    assert failures(DECLARED * ("page.year" in text) + text, review) == []


JUDGES = [
    "larger", "smallest", "most", "better", "all", "none", "every", "only", "twice", "half", "positive", "negative", "rises", "falls", "grew",
    "shrinks", "less", "nearest", "worst",
]  # fmt: skip


@pytest.mark.parametrize("word", JUDGES)
def test_a_word_that_judges_beside_a_bound_number_needs_a_claim(review, word):
    assert failures(f"Words.\n\nThere {word} is {V}.", review) == [(3, word)]
    assert failures(f"Words.\n\nThere {word} is {V}.{MARK}", review) == []


def test_the_demand_says_what_to_write(review):
    said = reasons(f"It becomes {V}, where it was {S}.", review)
    assert "as in {when}`larger <nolan.scores[ended] > nolan.weights[ended]>`" in said and f"or end it with {MARK}" in said


APART = [
    "It begins with {v}`0.707 <mix.mixing[0]>`, then comes {v}`−1.273 <mix.mixing[1]>`.",  # of one row, in its order
    f"The score is {V}, and the weight here is {S}.",  # told by their names
    f"So {S}, {V} and {W} are what there is.",  # a list
    f"The row {{v}}`[2, 8] <nolan.scores>` has led to {S}.",  # a row and a number
]
NOT_APART = [
    f"It begins with {W}, then comes {V}.",  # its words are not named
    f"It becomes {V}, where it was {S}.",  # nothing tells them apart
    f"It has {V} as its score, from {S}.",  # only one has its name
    "It goes from {v}`[2, 8] <nolan.scores>` to {v}`[0.047, 0.953] <nolan.weights>`.",
]


@pytest.mark.parametrize("text", APART)
def test_no_claim_is_demanded_of_numbers_that_nobody_can_take_for_each_other(review, text):
    assert failures(text, review) == []
    assert failures(f"{text}{MARK}", review) == [(1, MARK)]


@pytest.mark.parametrize("text", NOT_APART)
def test_a_claim_is_demanded_of_two_numbers_that_could_change_places(review, text):
    assert "begins a sentence with two bound numbers and no claim" in reasons(text, review)


def test_a_claim_elsewhere_in_the_sentence_covers_no_word_outside_it(review):
    claimed = "{when}`larger than the other <nolan.scores[ended] > nolan.scores[nolan]>`"
    assert failures(f"Only here it is {V}, {claimed}.", review) == [(1, "Only")]


@pytest.mark.parametrize("text", [f"Words.{MARK}", f"The score is {V}.{MARK}", f"Is {V} larger?{MARK}"])
def test_a_mark_of_which_nothing_is_demanded_is_refused(review, text):
    assert failures(text, review) == [(1, MARK)]


MISFITS = [
    ("smaller <nolan.scores[ended] > nolan.scores[nolan]>", "nothing that says 'smaller', such as <"),
    ("larger <nolan.scores[nolan] < nolan.scores[ended]>", "nothing that says 'larger'"),
    ("largest <nolan.scores[nolan] = min nolan.scores>", "nothing that says 'largest', such as max"),
    ("the same <nolan.scores[nolan] ≠ nolan.scores[ended]>", "nothing that says 'same'"),
    ("twice the other <nolan.scores[ended] = 4 · nolan.scores[nolan]>", "nothing that says 'twice'"),
    ("positive <nolan.scores[ended] > 1>", "nothing that says 'positive', such as > 0"),
    ("negative <nolan.scores > 0>", "nothing that says 'negative'"),
    ("falls <nolan.scores[nolan] < nolan.scores[ended]>", "nothing that says 'falls', such as a > b, or a < 0"),
    ("rises <nolan.scores[ended] > nolan.scores[nolan]>", "nothing that says 'rises'"),
    ("none <all nolan.scores > 1>", "nothing that says 'none'"),
]


@pytest.mark.parametrize("claim, reason", MISFITS)
def test_the_words_of_a_claim_have_a_sign_in_its_condition(review, claim, reason):
    assert reason in reasons(f"It is {{when}}`{claim}`.", review)


FITTING = [
    "rises <nolan.scores[nolan] < nolan.scores[ended]>", "falls <nolan.scores[ended] > nolan.scores[nolan]>", "rises <nolan.scores[ended] > 0>",
    "no larger <nolan.scores[nolan] < nolan.scores[ended]>", "twice as large <nolan.scores[ended] > nolan.scores[nolan] and nolan.scores[ended] > 2>",
    "at most half <nolan.scores[nolan] < half nolan.scores[ended]>", "none is larger <none nolan.scores > 8>",
]  # fmt: skip


@pytest.mark.parametrize("claim", FITTING)
def test_words_that_have_their_sign_pass(review, claim):
    assert failures(f"It is {{when}}`{claim}`.", review) == []


def test_a_condition_is_written_in_the_order_of_its_sentence(review):
    wrong = f"It goes {{when}}`up <nolan.scores[ended] > nolan.scores[nolan]>` from {W} to {V}."
    assert "write the condition in its order" in reasons(wrong, review)
    assert failures(f"It goes {{when}}`up <nolan.scores[nolan] < nolan.scores[ended]>` from {W} to {V}.", review) == []


def test_no_more_sentences_are_marked_as_claiming_nothing():
    root = Path(__file__).parents[2]
    pages = [page for folder in ("notebooks", "book") for page in (root / folder).glob("*.md")]
    assert 0 < sum(page.read_text(encoding="utf-8").count(MARK) for page in pages) <= AT_MOST
