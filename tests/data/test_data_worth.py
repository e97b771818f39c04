"""How well linear models (scikit-learn) classify the embedded reviews by words, and by bigrams."""

import pytest

from pencil.data import reviews

pytestmark = pytest.mark.slow


def score(words):
    """The share of test reviews that a logistic regression on counts of runs of so many words judges rightly."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    loaded = reviews.load()
    counts = CountVectorizer(token_pattern=r"[a-z]+", ngram_range=(1, words))
    machine = LogisticRegression(C=0.3, max_iter=3000).fit(counts.fit_transform(loaded.train.texts), loaded.train.labels)
    return machine.score(counts.transform(loaded.test.texts), loaded.test.labels)


def test_a_bag_of_words_gets_part_of_the_way_and_order_helps():
    bag, pairs = score(1), score(2)
    assert 0.65 < bag < 0.76
    assert bag + 0.04 < pairs < 0.9
