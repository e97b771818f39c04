"""Reviews judged from vectors: which reviews are read, and of each which words."""

import numpy as np

from pencil.data.reviews import Reviews, Split
from pencil.experiments.contest import pretraining
from pencil.experiments.contest.encoding import EncodingConfig
from pencil.experiments.contest.entrants import make_splits
from pencil.experiments.pretrained import reviews
from pencil.reference.text import tokenize


def test_the_reviews_are_those_of_the_pretraining_and_so_are_their_words():
    texts = [f"w{i} {'long, ' * (3 * i)}w{i + 1}!" for i in range(50)]
    split = Split(tuple(texts), np.arange(50) % 2)
    given = make_splits(Reviews(split, split), EncodingConfig(vocab_size=200, max_len=pretraining.WINDOW))
    drawn = np.random.default_rng(0).permutation(len(given.train))[:20]
    wanted = given.train[drawn], given.validation
    for (found, labels), encoded in zip(reviews.splits(Reviews(split, split), 20), wanted, strict=True):
        np.testing.assert_array_equal(labels, encoded.labels)
        for text, ids in zip(found, encoded.ids, strict=True):
            np.testing.assert_array_equal(given.vocabulary.ids(tokenize(text)), ids[ids != 0])


def test_the_penalty_is_chosen_on_the_validation_set():
    rng = np.random.default_rng(0)
    vectors, labels = rng.normal(size=(80, 5)), rng.integers(0, 2, 80)
    vectors[:, 0] += 2 * labels
    found = reviews.judged((vectors[:40], labels[:40]), (vectors[40:], labels[40:]))
    assert 0.7 < found["accuracy"] <= 1 and found["penalty"] in reviews.PENALTIES
