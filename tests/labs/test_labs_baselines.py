"""The baselines, against dense tables and plain loops; against scikit-learn in tests/peers."""

import numpy as np
import pytest
import torch
from labs_lessons import ROWS, sheets

from pencil.labs.baselines import baselines, features, inverse_frequency, logistic, naive_bayes
from pencil.labs.sparse import counts, pair_ids
from pencil.reference import tf_idf


def dense(table):
    made = np.zeros(table.shape)
    made[table.rows, table.columns] = table.values
    return made


def plain_counts(ids, width):
    made = np.zeros((len(ids), width))
    for row, each in enumerate(ids):
        for word in each:
            made[row, word] += word != 0
    return made


def test_a_sparse_table_is_the_dense_one():
    ids, draw = sheets(20).ids, np.random.default_rng(0)
    table, plain = counts(ids, ROWS), plain_counts(ids, ROWS)
    weights, errors = draw.normal(size=ROWS), draw.normal(size=20)
    assert (dense(table) == plain).all() and (dense(table.present()) == (plain > 0)).all()
    np.testing.assert_allclose(table.times(weights), plain @ weights)
    np.testing.assert_allclose(table.back(errors), plain.T @ errors)
    np.testing.assert_allclose(dense(table.scaled(weights).unit_rows()), plain * weights / np.linalg.norm(plain * weights, axis=1, keepdims=True))


def test_tf_idf_is_the_reference_s():
    pile = sheets(20)
    table = counts(pile.ids, ROWS)
    np.testing.assert_allclose(dense(features("TF-IDF", (table, pile.labels))(table)), tf_idf(plain_counts(pile.ids, ROWS)), atol=1e-12)
    assert inverse_frequency(table)[0] == max(inverse_frequency(table))  # padding stands in no text


def test_naive_bayes_is_bayes():
    """P(liked | words) by the product of the chances of its words, each with one added to its count."""
    pile = sheets(40)
    present = plain_counts(pile.ids, ROWS) > 0
    machine = naive_bayes(counts(pile.ids, ROWS).present(), pile.labels)
    chances = []
    for side in (1, 0):
        found = present[pile.labels == side].sum(0) + 1
        chances.append((found / found.sum(), (pile.labels == side).mean()))
    for row, logit in zip(present, counts(pile.ids, ROWS).present().times(machine.weights) + machine.bias, strict=True):
        liked, disliked = (np.prod(chance[row]) * prior for chance, prior in chances)
        assert logit == pytest.approx(np.log(liked / disliked))


@pytest.mark.parametrize("strength", [0.1, 10.0])
def test_logistic_regression_stands_where_no_slope_is_left(strength):
    pile = sheets(60)
    table = counts(pile.ids, ROWS)
    machine = logistic(table, pile.labels, strength)
    weights = torch.tensor(machine.weights, requires_grad=True)
    bias = torch.tensor(machine.bias, dtype=torch.float64, requires_grad=True)
    logit = torch.tensor(plain_counts(pile.ids, ROWS)) @ weights + bias
    miss = torch.nn.functional.binary_cross_entropy_with_logits(logit, torch.tensor(pile.labels, dtype=torch.float64), reduction="sum")
    (miss + strength * (weights**2).sum() / 2).backward()
    assert weights.grad.abs().max() < 1e-3 and bias.grad.abs() < 1e-3


def test_pairs_of_neighbours_get_ids_of_their_own():
    first = np.array([[1, 2, 3, 0], [1, 2, 0, 0], [2, 3, 1, 2]])
    (made, other), width = pair_ids([first, np.array([[3, 1, 2, 9]])], 10, least=2)
    assert width == 12  # (1, 2) three times, (2, 3) twice
    assert made.tolist() == [[1, 2, 3, 0, 10, 11, 0], [1, 2, 0, 0, 10, 0, 0], [2, 3, 1, 2, 11, 0, 10]]
    assert other.tolist() == [[3, 1, 2, 9, 0, 10, 0]]


def test_where_no_pair_is_frequent_every_pair_is_padding():
    [made], width = pair_ids([np.array([[1, 2, 3]])], 10, least=2)
    assert width == 10 and made.tolist() == [[1, 2, 3, 0, 0]]


def test_all_three_learn_what_two_halves_of_the_ids_tell():
    found = baselines(sheets(400), sheets(100, seed=1), sheets(200, seed=2), ROWS)
    assert set(found) == {"naive Bayes", "TF-IDF", "naive-Bayes features"}
    assert all(marks["test"] > 0.8 and 0.8 < marks["validation"] <= 1 for marks in found.values())
