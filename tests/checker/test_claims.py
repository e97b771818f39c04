"""Claims: true ones pass; false ones, and those that the page could not follow, are refused."""

import pytest
from judging import failures, reasons

TRUE = [
    "nolan.weights[ended] > 0.9",
    "nolan.scores[ended] = 4 · nolan.scores[nolan]",
    "nolan.scaled[ended] = 2 · √4",
    "max nolan.scores = nolan.scores[ended] and min nolan.scores < 3",
    "nolan.weights[nolan] + nolan.weights[ended] = 1",
    "nolan.scores ≠ nolan.scaled",
    "nolan.scores ≥ nolan.scaled",
]


@pytest.mark.parametrize("claim", TRUE)
def test_words_stand_on_what_is_so(review, claim):
    assert failures(f"It listens {{when}}`almost only to *ended* <{claim}>`.", review) == []


UNTRUE = [
    ("nolan.weights[ended] > 0.96", "nolan.weights[ended] > 0.96 is not so"),
    ("nolan.weights[ended] > 0.9 and nolan.scores[ended] = 9", "nolan.scores[ended] = 9 is not so"),
    ("nolan.scores = nolan.scaled", "is not so"),
    ("nobody.weights > 0.9", "nobody"),
    ("nolan.weights[ended]", "is no condition; write one such as"),
    ("nolan.weights[ended] > 0.5 or 2 > 1", "is no condition"),
    ("2 > 1", "has values of no run"),
]


@pytest.mark.parametrize("claim, reason", UNTRUE)
def test_what_is_not_so_is_refused(review, claim, reason):
    text = f"It listens\n{{when}}`almost only to *ended* <{claim}>`."
    assert failures(text, review) == [(2, f"{{when}}`almost only to *ended* <{claim}>`")]
    assert reason in reasons(text, review)


def test_the_digits_of_a_claim_need_no_binding_and_those_of_its_words_do(review):
    assert failures("{when}`half <nolan.weights[ended] > 0.5>`", review) == []
    assert failures("{when}`more than 0.5 <nolan.weights[ended] > 0.5>`", review) == [(1, "0.5")]


@pytest.mark.parametrize(
    "text", ["# {when}`Half <nolan.weights[ended] > 0.5>`", "{when}`half`", ":::{wrong-turn} {when}`Half <nolan.scores[ended] > 1>`\nNo.\n:::"]
)
def test_a_claim_stands_where_a_binding_may(review, text):
    assert failures(text, review)
