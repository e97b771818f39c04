"""Which words stand in which review: a table of which only the filled cells are kept."""

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Sparse:
    """A (texts, words) table by its filled cells: of each its row, its column and its value."""

    rows: np.ndarray  # (cells,)
    columns: np.ndarray  # (cells,)
    values: np.ndarray  # (cells,)
    shape: tuple

    def times(self, weights):  # (words,) -> (texts,)
        """The dot product of each row with the weights."""
        return np.bincount(self.rows, self.values * weights[self.columns], self.shape[0])

    def back(self, errors):  # (texts,) -> (words,)
        """The same table the other way round: what each column collects."""
        return np.bincount(self.columns, self.values * errors[self.rows], self.shape[1])

    def scaled(self, weights):  # (words,) -> Sparse
        """Every column times its weight."""
        return replace(self, values=self.values * weights[self.columns])

    def present(self):  # -> Sparse
        """1 where a word stands at all."""
        return replace(self, values=np.ones(len(self.values)))

    def unit_rows(self):  # -> Sparse
        """Every row at length 1."""
        lengths = np.sqrt(np.bincount(self.rows, self.values**2, self.shape[0]))
        return replace(self, values=self.values / lengths[self.rows])


def counts(ids, width):  # (texts, slots) -> Sparse, how often each id stands in each text
    """Count; padding, id 0, does not count."""
    rows, slots = np.nonzero(ids)
    keys, values = np.unique(rows.astype(np.int64) * width + ids[rows, slots], return_counts=True)
    return Sparse(keys // width, keys % width, values.astype(float), (len(ids), width))


def pair_keys(ids, width):  # (texts, slots) -> (texts, slots - 1), one number for each two neighbours
    """A pair of words as one number, and 0 where one of the two is padding."""
    return np.where((ids[:, :-1] > 0) & (ids[:, 1:] > 0), ids[:, :-1].astype(np.int64) * width + ids[:, 1:], 0)


def known_pairs(ids, width, least=3):  # (texts, slots) -> (pairs,) their keys, in order
    """The pairs of neighbours that stand there at least so often."""
    keys = pair_keys(ids, width)
    known, often = np.unique(keys[keys > 0], return_counts=True)
    return known[often >= least]


def pair_ids(piles, width, least=3):  # sheets of ids -> the same with an id for each pair of neighbours, and how many ids
    """Give two words that stand side by side an id of their own, where the first pile has the pair at least that often.

    Pairs that are too rare become padding. The ids of words stay; those of pairs follow after `width`.
    """
    known, made = known_pairs(piles[0], width, least), []
    for ids in piles:
        keys = pair_keys(ids, width)
        made.append(np.concatenate([ids, np.where(np.isin(keys, known), width + np.searchsorted(known, keys), 0)], axis=1))
    return made, width + len(known)
