"""Counts of words and of bigrams in encoded reviews, as sparse matrices (scipy.sparse)."""

import numpy as np
from scipy.sparse import coo_array


def counts(ids, width):  # (texts, max_len) -> csr_array (texts, width), how often each id stands in each text
    """The bag of words of each text; padding, id 0, does not count."""
    rows, columns = np.nonzero(ids)
    return coo_array((np.ones(len(rows)), (rows, ids[rows, columns])), (len(ids), width)).tocsr()  # sums what stands there twice


def bigram_keys(ids, width):  # (texts, max_len) -> (texts, max_len - 1), one number for each two neighbours
    """A bigram as one number, first · width + second, and 0 where one of the two is padding."""
    return np.where((ids[:, :-1] > 0) & (ids[:, 1:] > 0), ids[:, :-1].astype(np.int64) * width + ids[:, 1:], 0)


def frequent_bigrams(ids, width, min_count=3):  # (texts, max_len) -> (bigrams,) their keys, in ascending order
    """The bigrams that stand there at least `min_count` times."""
    keys = bigram_keys(ids, width)
    known, often = np.unique(keys[keys > 0], return_counts=True)
    return known[often >= min_count]


def with_bigrams(splits, width, min_count=3):  # list of (texts, max_len) -> the same with bigram ids behind, and the number of ids
    """Give each bigram that is frequent in the first split an id of its own, and append the ids of a text's bigrams to its words.

    The others become padding. The ids of words stay; those of bigrams begin at `width`.
    """
    known, found = frequent_bigrams(splits[0], width, min_count), []
    for ids in splits:
        keys = bigram_keys(ids, width)
        found.append(np.concatenate([ids, np.where(np.isin(keys, known), width + np.searchsorted(known, keys), 0)], axis=1))
    return found, width + len(known)
