"""What training does to sticks: how nearly two of them point the same way, before and after."""

import numpy as np

from pencil.reference.cosine import cosine

PAIRS = (("boring", "dull"), ("nolan", "the"), ("great", "excellent"), ("great", "awful"))


def cosines(table, words, pairs=PAIRS):  # (rows, d), Dictionary -> {"boring dull": cosine}
    """The cosine of each pair that has sticks of its own."""
    known = [pair for pair in pairs if all(words.ranks.get(word, words.unknown) < words.unknown for word in pair)]
    return {f"{one} {other}": cosine(*(_stick(table, words.ranks[word]) for word in (one, other))).item() for one, other in known}


def _stick(table, row):  # -> (1, d)
    return np.asarray(table[row : row + 1], dtype=float)
