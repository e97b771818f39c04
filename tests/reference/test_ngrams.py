"""n-gram counts and smoothed probabilities, against a dictionary and loops."""

import math
from collections import Counter

import numpy as np
import pytest
from draws import check_refusal
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import count_ngrams, next_token_probs, witten_bell
from pencil.trace import Trace

ROWS = 4
TEXTS = st.lists(st.integers(0, ROWS - 1), min_size=1, max_size=30)


def loop_chance(text, before, token, rows):
    """Witten and Bell by recursion over the context, counted anew from the text each time."""
    shorter = loop_chance(text, before[1:], token, rows) if before else 1 / rows
    followers = [text[i + len(before)] for i in range(len(text) - len(before)) if text[i : i + len(before)] == before]
    if not followers:
        return shorter
    return (followers.count(token) + len(set(followers)) * shorter) / (len(followers) + len(set(followers)))


@given(TEXTS, TEXTS, st.integers(1, 4))
def test_the_chances_of_a_text_are_those_of_a_loop(study, text, order):
    found = next_token_probs(count_ngrams(study, order=order, vocab_size=ROWS), text)
    wanted = [loop_chance(study, text[max(0, i - order + 1) : i], token, ROWS) for i, token in enumerate(text)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@given(TEXTS, st.integers(1, 3))
def test_every_run_is_counted_once(text, order):
    for n, (codes, counts) in enumerate(count_ngrams(text, order=order, vocab_size=ROWS).ngrams, start=1):
        runs = Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))
        code = {sum(token * ROWS ** (n - 1 - place) for place, token in enumerate(run)): count for run, count in runs.items()}
        assert dict(zip(codes.tolist(), counts.tolist(), strict=True)) == code


@given(TEXTS, st.lists(st.integers(0, ROWS - 1), max_size=3))
def test_what_follows_makes_one_whole_and_nothing_has_the_chance_0(study, before):
    counted = count_ngrams(study, order=len(before) + 1, vocab_size=ROWS)
    after = [next_token_probs(counted, [*before, token])[-1] for token in range(ROWS)]
    assert math.fsum(after) == pytest.approx(1) and min(after) > 0


def test_the_mat_by_hand():
    """What follows t in "the cat sat on the mat": h and a blank, twice each."""
    text = "the cat sat on the mat"
    letters = sorted(set(text))
    ids = [letters.index(letter) for letter in text]
    alone = (2 + 10 / 10) / (22 + 10)  # h stands twice among 22 letters of 10 kinds
    pair = (2 + 2 * alone) / (4 + 2)
    assert next_token_probs(count_ngrams(ids, order=2, vocab_size=10), [letters.index("t"), letters.index("h")])[1] == pytest.approx(pair)
    trace = Trace()
    counts = [trace.given(name, value) for name, value in (("count", 2), ("seen", 4), ("kinds", 2), ("shorter", alone))]
    assert float(witten_bell(*counts, note=trace).exact) == pytest.approx(pair)


@pytest.mark.parametrize(
    "mistake, parts",
    [
        (lambda: count_ngrams([0, 1], order=0, vocab_size=2), ["order=0", "at least 1"]),
        (lambda: count_ngrams([0, 1], order=1.5, vocab_size=2), ["order=1.5 is a float", "whole number"]),
        (lambda: count_ngrams([0, 1], order=1, vocab_size=2.5), ["vocab_size=2.5 is a float", "whole number"]),
        (lambda: count_ngrams([0, 1], order=40, vocab_size=100), ["order=40", "vocab_size=100"]),
        (lambda: count_ngrams([0, 2], order=1, vocab_size=2), ["id 2", "0 to 1"]),
        (lambda: count_ngrams([], order=1, vocab_size=2), ["count_ngrams: ids is empty: its shape is (0,); give it at least one row and one number"]),
        (lambda: next_token_probs(count_ngrams([0, 1], order=1, vocab_size=2), [-1]), ["id -1"]),
        (lambda: witten_bell(0, 0, 0, 0.5), ["context_count=0", "a shorter one"]),
    ],
)
def test_mistakes_are_refused(mistake, parts):
    check_refusal(mistake, parts)
