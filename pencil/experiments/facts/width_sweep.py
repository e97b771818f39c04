"""Accuracy against the width of word vectors: learn vectors, average them over a review, fit a logistic regression."""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.extmath import randomized_svd

from pencil.data import reviews
from pencil.experiments.contest.baselines import logistic
from pencil.experiments.records import as_recorded
from pencil.reference import build_vocabulary, cooccurrence, ppmi, tokenize

WIDTHS = (8, 16, 32, 50, 100, 200, 300)
VOCAB_SIZE, WINDOW = 10_000, 5
SEEDS = 5
HELD_OUT = 0.2  # of IMDB's training set; its test set is not used
PENALTY = 1.0  # of the logistic regression; not tuned
RANDOMIZED = {"n_oversamples": 20, "n_iter": 4, "power_iteration_normalizer": "QR"}  # arguments of randomized_svd


def measure(seed=0, source="full", widths=WIDTHS, vocab_size=VOCAB_SIZE, seeds=SEEDS):  # -> JSON-able, for `python -m pencil record width_sweep`
    """The accuracy on held-out reviews for each width, over `seeds` splits of IMDB's training set.

    Raises ValueError for fewer than two splits, which have no standard deviation.
    """
    if seeds < 2:
        raise ValueError(f"seeds={seeds} has no spread; give at least 2")
    train = reviews.load(source).train
    texts = [tokenize(text) for text in train.texts]
    runs = np.array([one_split(texts, train.labels, widths, vocab_size, run) for run in range(seed, seed + seeds)])  # (seeds, widths)
    held = int(HELD_OUT * len(texts))
    return {
        "widths": list(widths),
        "vocab_size": vocab_size,
        "window": WINDOW,
        "seeds": seeds,
        "n_train": len(texts) - held,
        "n_test": held,
        "accuracy": as_recorded(runs.T),
        "mean": as_recorded(runs.mean(0)),
        "std": as_recorded(runs.std(0, ddof=1)),
    }


def one_split(texts, labels, widths, vocab_size, seed):  # lists of tokens, (texts,) -> one accuracy for each width
    """Hold out some reviews, fit vectors and classifier on the rest, and evaluate on the held-out ones."""
    order = np.random.default_rng(seed).permutation(len(texts))
    held, study = np.split(order, [int(HELD_OUT * len(texts))])
    kept = build_vocabulary([texts[i] for i in study], size=vocab_size)
    ids = [kept.ids(text) if text else np.array([], int) for text in texts]
    counts = cooccurrence([ids[i] for i in study], size=kept.num_embeddings, window=WINDOW, dtype=np.float32)[1:-1, 1:-1]  # no padding, no unknown
    vectors = np.zeros((kept.num_embeddings, max(widths)))
    vectors[1:-1] = top_directions(ppmi(counts), max(widths), seed)
    means = np.array([_mean_vector(vectors, row, kept.unknown) for row in ids])
    return [_accuracy(means[:, :width], labels, study, held) for width in widths]


def top_directions(table, width, seed):  # (n, m) -> (n, width)
    """`truncated_svd(table, width).vectors` up to signs, for large matrices, by randomized SVD (Halko et al. 2011)."""
    left, singular_values, _ = randomized_svd(table, width, random_state=seed, **RANDOMIZED)
    return left * singular_values


def _mean_vector(vectors, ids, unknown):  # rare words have no vector
    known = ids[ids != unknown]
    return vectors[known].mean(0) if len(known) else np.zeros(vectors.shape[1])


def _accuracy(means, labels, study, held):
    classifier = make_pipeline(StandardScaler(), logistic(PENALTY))  # unit variance, so that the penalty is fair to all features
    return float(classifier.fit(means[study], labels[study]).score(means[held], labels[held]))
