"""Skip-gram and GloVe against their formulas and finite differences."""

import math

import numpy as np
import pytest
from draws import arrays, full_counts
from hypothesis import given
from hypothesis import strategies as st

from pencil import examples
from pencil.reference import (
    glove,
    glove_weight,
    skip_gram,
    skip_gram_step,
)


def gradients(function, *givens):
    """The gradient of the sum of a function for each argument, by central differences."""
    found = []
    for at, array in enumerate(givens):
        gradient = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [g.copy() for g in givens]
                moved[at][place] += step
                ends.append(function(*moved).sum())
            gradient[place] = (ends[0] - ends[1]) / 2e-5
        found.append(gradient)
    return found


@given(arrays(1, 3), arrays(4, 3), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_a_step_of_skip_gram_goes_down_the_gradient_of_its_loss(word, neighbours, told):
    target = np.array([told], float)
    wanted = gradients(lambda w, n: skip_gram(w, n, target), word, neighbours)
    new_word, new_neighbours = skip_gram_step(word, neighbours, target, lr=0.5)
    np.testing.assert_allclose(new_word, word - 0.5 * wanted[0], atol=1e-8)
    np.testing.assert_allclose(new_neighbours, neighbours - 0.5 * wanted[1], atol=1e-8)
    for i, (said, row) in enumerate(zip(skip_gram(word, neighbours, target)[0], neighbours, strict=True)):
        prob = 1 / (1 + math.exp(-math.fsum(a * b for a, b in zip(word[0], row, strict=True))))
        assert said == pytest.approx(-math.log(prob if told[i] else 1 - prob), abs=1e-12)


@given(arrays(1, 3), arrays(4, 3), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_a_small_step_lowers_the_loss(word, neighbours, told):
    target = np.array([told], float)
    before = skip_gram(word, neighbours, target).sum()
    assert skip_gram(*skip_gram_step(word, neighbours, target, lr=0.01), target).sum() < before


def test_the_skip_gram_step_of_the_chapter():
    word, neighbours = skip_gram_step(examples.SKIP_GRAM_WORD, examples.SKIP_GRAM_NEIGHBOURS, examples.SKIP_GRAM_TARGET, lr=1)
    prob = 1 / (1 + math.exp(-1))
    np.testing.assert_allclose(word, [[1 - prob, 1]])
    np.testing.assert_allclose(neighbours, [[0.5, 1], [1 - prob, 0], [-0.5, -1]])


@given(arrays(4, 2), arrays(3, 2), arrays(4, 1), arrays(3), full_counts)
def test_glove_is_its_formula(words, neighbours, first, second, counts):
    counts = counts * 20  # some above the full count of 100, some below
    terms = glove(words, neighbours, first, second, counts)
    for i, j in np.ndindex(4, 3):
        dot = math.fsum(a * b for a, b in zip(words[i], neighbours[j], strict=True))
        wanted = min((counts[i, j] / 100) ** 0.75, 1) * (dot + first[i, 0] + second[j] - math.log(counts[i, j])) ** 2
        assert terms[i, j] == pytest.approx(wanted, rel=1e-12)


def test_a_weight_grows_to_one_and_stays():
    weights = glove_weight(np.array([1.0, 16, 100, 101, 10_000]))
    np.testing.assert_allclose(weights, [100**-0.75, 0.4 * math.sqrt(0.4), 1, 1, 1])
    assert weights.max() == 1
