"""Which words stand beside which: the counts, and by how much they beat chance (PPMI)."""

import numpy as np

from pencil.reference.checks import check_numbers, check_rows, numbers
from pencil.reference.embedding import check_ids
from pencil.trace.notes import exact

_GAP = -1  # stands between two texts, so that no pair reaches across


def cooccurrence(texts, size, window, dtype=float):  # rows of ids -> (size, size)
    """How often one word stands at most `window` places from another; the same both ways, and never across two texts.

    Every pair counts one, near or far (GloVe counts a pair at distance k as 1/k). Source: Pennington et al. 2014,
    whose count it is without their weights. Raises ValueError for a window below 1, for no texts, for a text that is no row of
    whole numbers, and for an id outside 0 to size − 1.
    """
    if window < 1:
        raise ValueError(f"window={window} sees no neighbour; give it at least 1")
    flat = _end_to_end(texts, size, window)
    counts = np.zeros((size, size), dtype)
    for gap in range(1, window + 1):
        left, right = flat[:-gap], flat[gap:]
        both = (left != _GAP) & (right != _GAP)
        place, times = np.unique(left[both] * size + right[both], return_counts=True)
        counts.reshape(-1)[place] += times
    counts += counts.T.copy()
    return counts


def _end_to_end(texts, size, window):  # the texts in one row, with room between them
    gap, rows = np.full(window, _GAP), []
    for text in texts:
        check_ids(text)
        ids = np.asarray(text, int)
        if ids.ndim != 1:
            raise ValueError(f"a text of the shape {ids.shape} is not one row of ids; hand in a list of rows, one for each text")
        outside = ids[(ids < 0) | (ids >= size)]
        if outside.size:
            raise ValueError(f"id {outside[0]} is outside 0 to {size - 1}; give `size` the rows of the dictionary")
        rows += [ids, gap]
    if not rows:
        raise ValueError("no texts: there is nothing to count; give at least one row of ids")
    return np.concatenate(rows)


def ppmi(counts, note=exact):  # (words, neighbours) -> (words, neighbours)
    """The natural log of how many times oftener than by chance a word has a neighbour; 0 where it is not oftener.

    Positive pointwise mutual information, in nats. Source: Church and Hanks 1990; Bullinaria and Levy 2007. Raises
    ValueError for a negative count, and for a word or a neighbour that was never seen.
    """
    check_numbers(counts=counts)
    check_rows(counts=counts)
    plain = numbers(counts)
    if (plain < 0).any():
        raise ValueError(f"a count of {plain.min()} cannot be; a count is 0 or more")
    for axis, what in ((1, "word (row)"), (0, "neighbour (column)")):
        if (silent := np.flatnonzero(plain.sum(axis) == 0)).size:
            raise ValueError(f"{what} {silent[0]} was never seen: chance would be 0/0; leave it out of the counts")
    word_total = note("word_total", counts.sum(1, keepdims=True))
    neighbour_total = note("neighbour_total", counts.sum(0))
    total = note("total", word_total.sum())
    expected = note("expected", word_total * neighbour_total / total)
    ratio = note("ratio", counts / expected)
    return note("ppmi", np.log(np.maximum(ratio, 1)))  # ln 1 = 0: rarer than chance counts as chance
