"""Counts, weighed: a word says the more, the fewer texts it stands in."""

import numpy as np

from pencil.reference.checks import check_numbers, check_rows, numbers
from pencil.trace.notes import exact


def tf_idf(counts, note=exact):  # (n, V) -> (n, V)
    """Each count times the word's weight, each row then made one long. Source: Sparck Jones 1972, in the smooth form of scikit-learn.

    A word that stands in f of n texts weighs ln((1 + n) / (1 + f)) + 1. Raises ValueError for counts that are no rows
    of counts, and for a text without a word.
    """
    check_numbers(counts=counts)
    check_rows(counts=counts)
    _check(numbers(counts))
    found_in = note("found_in", np.where(counts > 0, 1.0, 0.0).sum(0))
    weighed = note("weighed", counts * note("idf", idf(found_in, len(counts))))
    length = note("length", np.sqrt(note("square_sum", (weighed * weighed).sum(-1, keepdims=True))))
    return note("tf_idf", weighed / length)


def idf(found_in, texts):  # (V,) count -> (V,)
    """What each word weighs that stands in so many of the texts: the inverse document frequency."""
    return np.log((1 + texts) / (1 + found_in)) + 1  # the two ones: as if one text more held every word once


def _check(counts):
    if (counts < 0).any():
        raise ValueError(f"a count is {float(counts.min())}; counts are 0 or more")
    bare = np.flatnonzero(~counts.any(-1)).tolist()
    if bare:
        raise ValueError(f"text {bare[0]} has no word of the vocabulary, and nothing over nothing is no number; leave it out")
