"""Cosine similarities of a few pairs of word embeddings, to compare before and after training."""

import numpy as np

from pencil.reference.vectors import cosine_similarity

PAIRS = (("boring", "dull"), ("nolan", "the"), ("great", "excellent"), ("great", "awful"))


def cosines(table, vocabulary, pairs=PAIRS):  # (rows, d), Vocabulary -> {"boring dull": cosine}
    """The cosine similarity of each pair whose words are both in the vocabulary."""
    ranks = vocabulary.ranks
    known = [pair for pair in pairs if all(ranks.get(word, vocabulary.unknown) < vocabulary.unknown for word in pair)]
    return {f"{one} {other}": cosine_similarity(*(_vector(table, ranks[word]) for word in (one, other))).item() for one, other in known}


def _vector(table, row):  # -> (1, d)
    return np.asarray(table[row : row + 1], dtype=float)
