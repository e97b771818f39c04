"""Guess the next token by counting: what followed the last one or two tokens before, and how often."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import numbers
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Ngrams:
    """Counts of runs of 1, 2, … tokens in one text: `runs[n-1]` holds those of n tokens, as `codes` and `counts`.

    A run's code is the number that its ids write in base `rows`.
    """

    rows: int  # how many tokens there are
    runs: tuple  # of (codes, counts), codes in ascending order

    order = property(lambda self: len(self.runs))


def ngrams(ids, order, rows):  # (T,) ids -> Ngrams
    """Count every run of up to `order` tokens: 2 for pairs (bigrams), 3 for threes (trigrams). Source: Shannon 1948, section 3.

    Raises ValueError for an order below 1, for more tokens in a run than a whole number can tell apart, and for a strange id.
    """
    rows, most = int(rows), np.iinfo(np.int64).max  # a whole number of Python's own never overflows
    if rows < 1 or order < 1 or rows**order > most:
        longest = max((n for n in range(1, 64) if 0 < rows**n <= most), default=0)
        raise ValueError(f"order={order} and rows={rows}: count runs of at least 1 token and of at most {longest}, of at least 1 kind of token")
    ids = _checked(ids, rows)
    return Ngrams(rows, tuple(np.unique(_codes(ids, n, rows)[n - 1 :], return_counts=True) for n in range(1, order + 1)))


def smoothed(count, seen, kinds, shorter, note=exact):  # numbers or arrays that go together -> chance
    """The chance of a follower that came `count` times behind a context that was seen so many times, with so many kinds of followers.

    For each kind one imagined follower is added, and those are dealt out by `shorter`, the chances behind a context that is
    one token shorter. Nothing is tuned, and nothing gets the chance 0. Source: Witten and Bell 1991, method C. Raises
    ValueError for a context that was never seen.
    """
    if (numbers(seen) <= 0).any():
        raise ValueError(f"seen={numbers(seen)}: a context that was never seen says nothing; take the chance behind a shorter one")
    return note("chance", (count + kinds * shorter) / (seen + kinds))


def follow_chances(counted, ids):  # Ngrams, (T,) ids -> (T,)
    """The chance that the counts give to each token of a text, from the order − 1 tokens before it, or from as many as there are.

    Smoothed by `smoothed`, order by order; before the first, all tokens are equally likely. Source: Witten and Bell 1991.
    Raises ValueError for an id that is no token's.
    """
    rows, ids = counted.rows, _checked(ids, counted.rows)
    chance = np.full(len(ids), 1 / rows)
    for n, (codes, counts) in enumerate(counted.runs, start=1):
        contexts, where = np.unique(codes // rows, return_inverse=True)
        here = _codes(ids, n, rows)
        seen, kinds = (_look_up(contexts, each, here // rows) for each in (np.bincount(where, counts), np.bincount(where)))
        met = (seen > 0) & (np.arange(len(ids)) >= n - 1)  # a context that was never met leaves the shorter one's chance
        chance[met] = smoothed(_look_up(codes, counts, here)[met], seen[met], kinds[met], chance[met])
    return chance


def _codes(ids, n, rows):  # (T,) -> (T,): the run that ends at each token; the first n − 1 have no whole one
    code = np.zeros(len(ids), np.int64)
    for back in range(n - 1, -1, -1):
        code = code * rows + np.concatenate([np.zeros(back, np.int64), ids])[: len(ids)]
    return code


def _look_up(keys, values, wanted):  # -> the value of each wanted key, 0 where there is none
    keys, values = np.append(keys, -1), np.append(values, 0)  # one past the end, and no key of any run
    place = np.searchsorted(keys[:-1], wanted)
    return np.where(keys[place] == wanted, values[place], 0)


def _checked(ids, rows):  # (T,) -> (T,) whole numbers
    ids = np.asarray(ids)
    if ids.ndim != 1 or len(ids) == 0:
        raise ValueError(f"ids have the shape {ids.shape}; hand in one text, a row of ids")
    odd = ids[(ids < 0) | (ids >= rows) | (ids != np.floor(ids))]
    if odd.size:
        raise ValueError(f"id {odd[0]} is none of the {rows} tokens (0 to {rows - 1})")
    return ids.astype(np.int64)
