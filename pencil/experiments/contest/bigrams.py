"""Counts of words and bigrams in encoded reviews, as sparse matrices (scipy.sparse)."""

import numpy as np
from scipy.sparse import coo_array


def counts(ids, width):  # (texts, max_len) -> csr_array (texts, width)
    """The bag of words of each text: how often each id occurs. Padding, id 0, is not counted."""
    rows, columns = np.nonzero(ids)
    return coo_array((np.ones(len(rows)), (rows, ids[rows, columns])), (len(ids), width)).tocsr()  # tocsr sums duplicates


def bigram_keys(ids, width):  # (texts, max_len) -> (texts, max_len - 1)
    """Each bigram as a key, first · width + second; 0 if one of the two is padding."""
    return np.where((ids[:, :-1] > 0) & (ids[:, 1:] > 0), ids[:, :-1].astype(np.int64) * width + ids[:, 1:], 0)


def frequent_bigrams(ids, width, min_count=3):  # (texts, max_len) -> (bigrams,)
    """The keys, in ascending order, of the bigrams that occur at least `min_count` times."""
    keys = bigram_keys(ids, width)
    known, often = np.unique(keys[keys > 0], return_counts=True)
    return known[often >= min_count]


def with_bigrams(splits, width, min_count=3):  # list of (texts, max_len) -> list of (texts, 2 · max_len - 1), number of ids
    """Append the ids of a text's bigrams to the ids of its words.

    Bigrams that are frequent in the first split get ids from `width` on; all others become padding.
    """
    known, found = frequent_bigrams(splits[0], width, min_count), []
    for ids in splits:
        keys = bigram_keys(ids, width)
        found.append(np.concatenate([ids, np.where(np.isin(keys, known), width + np.searchsorted(known, keys), 0)], axis=1))
    return found, width + len(known)
