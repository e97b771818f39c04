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
    "all nolan.weights > 0",
    "none nolan.weights > nolan.weights[ended]",
    "ascending nolan.scores",
    "none nolan.scores < 0",
    "2 < nolan.scaled[ended] < nolan.scores[ended]",
    "8 ∈ nolan.scores and 3 ∉ nolan.scores",
    "sign nolan.scores = 1",
    "nolan.scaled[ended] = half nolan.scores[ended] and nolan.scores[ended] = twice nolan.scaled[ended]",
    "nolan.scores[nolan] = quarter nolan.scores[ended] and third nolan.scores[nolan] < 1 and tenth nolan.scores[ended] = 0.8",
    "sum nolan.weights = 1",
    "sum nolan.weights ≈ 1.05",
    "nolan.context[0] ≠ exact nolan.context[0]",
    "half > 0.4 and half = half 1",
    "nolan.scores[ended] > mix.mixing[0]",
    "nolan.scores[nolan] − nolan.scores[ended] = −6",
]


@pytest.mark.parametrize("claim", TRUE)
def test_words_stand_on_what_is_so(review, claim):
    assert failures(f"It listens {{when}}`to *ended* <{claim}>`.", review) == []


UNTRUE = [
    ("nolan.weights[ended] > 0.96", "nolan.weights[ended] > 0.96 is not so"),
    ("nolan.weights[ended] > 0.9 and nolan.scores[ended] = 9", "nolan.scores[ended] = 9 is not so"),
    ("nolan.scores = nolan.scaled", "is not so"),
    ("nobody.weights > 0.9", "nobody"),
    ("nolan.weights[ended]", "is no condition; write one such as"),
    ("nolan.weights[ended] > 0.5 or 2 > 1", "is no condition"),
    ("2 > 1", "has values of no run"),
    ("half > 0.4 and nolan.scores[ended] > 2", "has figures beside values of a run"),
    ("descending nolan.scores", "descending nolan.scores is not so"),
    ("none nolan.scores > 2", "is not so"),
    ("3 ∈ nolan.scores", "is not so"),
    ("8 ∉ nolan.scores", "is not so"),
    ("sign nolan.scores = −1", "is not so"),
    ("nolan.scores[ended] = twice nolan.scores[nolan]", "is not so"),
    ("2 < nolan.scores[nolan] < nolan.scores[ended]", "is not so"),
    ("nolan.weights[ended] ≈ 0.5", "is not so"),
    ("ascending nolan.scores > 1", "is no condition"),
    ("nolan.scores = embedding", "do not go together"),
    ("all", "is no condition"),
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
