"""The baselines, against dense tables, plain loops and the reference."""

import numpy as np
import pytest
import torch
from small_tasks import ROWS, encoded_reviews

from pencil.experiments.contest.baselines import fit_baselines, logistic, pipeline
from pencil.experiments.contest.bigrams import counts, with_bigrams
from pencil.reference import tf_idf


def plain_counts(ids, width):
    rows = np.zeros((len(ids), width))
    for row, each in enumerate(ids):
        for word in each:
            rows[row, word] += word != 0
    return rows


def word_probs(reviews):
    """Of liked and of disliked reviews: the chance of each word, one added to its count, and their share."""
    present = plain_counts(reviews.ids, ROWS) > 0
    for side in (1, 0):
        found = present[reviews.labels == side].sum(0) + 1
        yield found / found.sum(), (reviews.labels == side).mean()


def test_a_sparse_table_is_the_dense_one():
    ids = encoded_reviews(20).ids
    np.testing.assert_array_equal(counts(ids, ROWS).toarray(), plain_counts(ids, ROWS))


def test_tf_idf_is_the_reference_s():
    table = counts(encoded_reviews(20).ids, ROWS)
    features = pipeline("TF-IDF", 1.0)[:-1].fit_transform(table)
    np.testing.assert_allclose(features.toarray(), tf_idf(table.toarray()), atol=1e-12)


def test_naive_bayes_is_bayes():
    """P(liked | words) by the product of the chances of its words, each with one added to its count."""
    reviews = encoded_reviews(40)
    table = counts(reviews.ids, ROWS)
    said = pipeline("naive Bayes").fit(table, reviews.labels).predict_log_proba(table)
    for row, (no, yes) in zip(plain_counts(reviews.ids, ROWS) > 0, said, strict=True):
        positive, negative = (np.prod(prob[row]) * prior for prob, prior in word_probs(reviews))
        assert yes - no == pytest.approx(np.log(positive / negative))


def test_naive_bayes_features_are_the_words_that_are_there_by_what_it_finds():
    reviews = encoded_reviews(40)
    positive, negative = (prob for prob, _ in word_probs(reviews))
    wanted = (plain_counts(reviews.ids, ROWS) > 0) * np.log(positive / negative)
    features = pipeline("naive-Bayes features", 1.0)[:-1].fit_transform(counts(reviews.ids, ROWS), reviews.labels)
    np.testing.assert_allclose(features.toarray(), wanted, atol=1e-12)


@pytest.mark.parametrize("penalty", [0.1, 10.0])
def test_logistic_regression_stands_where_no_slope_is_left(penalty):
    reviews = encoded_reviews(60)
    found = logistic(penalty).fit(counts(reviews.ids, ROWS), reviews.labels)
    weights = torch.tensor(found.coef_[0], requires_grad=True)
    bias = torch.tensor(found.intercept_[0], requires_grad=True)
    logit = torch.tensor(plain_counts(reviews.ids, ROWS)) @ weights + bias
    loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, torch.tensor(reviews.labels, dtype=torch.float64), reduction="sum")
    (loss + penalty * (weights**2).sum() / 2).backward()
    assert weights.grad.abs().max() < 1e-3 and bias.grad.abs() < 1e-3


def test_pairs_of_neighbours_get_ids_of_their_own():
    first = np.array([[1, 2, 3, 0], [1, 2, 0, 0], [2, 3, 1, 2]])
    (rows, other), width = with_bigrams([first, np.array([[3, 1, 2, 9]])], 10, min_count=2)
    assert width == 12  # (1, 2) three times, (2, 3) twice
    assert rows.tolist() == [[1, 2, 3, 0, 10, 11, 0], [1, 2, 0, 0, 10, 0, 0], [2, 3, 1, 2, 11, 0, 10]]
    assert other.tolist() == [[3, 1, 2, 9, 0, 10, 0]]


def test_where_no_pair_is_frequent_every_pair_is_padding():
    [rows], width = with_bigrams([np.array([[1, 2, 3]])], 10, min_count=2)
    assert width == 10 and rows.tolist() == [[1, 2, 3, 0, 0]]


def test_all_three_learn_what_two_halves_of_the_ids_tell():
    found = fit_baselines(encoded_reviews(400), encoded_reviews(100, seed=1), encoded_reviews(200, seed=2), ROWS)
    assert set(found) == {"naive Bayes", "TF-IDF", "naive-Bayes features"}
    assert all(scores["test"] > 0.8 and 0.8 < scores["validation"] <= 1 for scores in found.values())
