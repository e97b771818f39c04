"""Scores into shares that add to 1."""

import numpy as np

from pencil.reference.checks import check_numbers, limits, numbers
from pencil.trace.notes import exact

_REMEDY = "; use stable_softmax (or softmax=stable_softmax), which takes the row's maximum off first"


def softmax(scores, note=exact):  # (..., S) -> (..., S)
    """Raise e to each score and divide by the row's total: the paper form (Bridle 1990).

    Raises ValueError for a NaN or an infinite score, for a row that is masked whole, and for powers
    beyond what a float holds; that one names `stable_softmax`, which gives the same shares.
    """
    _check(scores)
    highest, held = numbers(scores).max(-1), limits(scores)  # a long double's limits are more than a double holds
    if highest.max() + np.log(scores.shape[-1]) > np.log(np.longdouble(held.max)):  # the total has to fit as well
        raise ValueError(f"e^{float(highest.max())} is more than a float holds{_REMEDY}")
    if highest.min() < np.log(np.longdouble(held.tiny)):
        raise ValueError(f"e^{float(highest.min())} is less than a float holds{_REMEDY}")
    raised = note("raised", np.exp(scores))
    total = note("total", raised.sum(-1, keepdims=True))
    return note("weights", raised / total)


def stable_softmax(scores, note=exact):  # (..., S) -> (..., S)
    """The same shares for any finite score: take the row's maximum off first; it cancels in the quotient.

    Source: common practice, as in torch.softmax. Raises ValueError for a NaN, an infinite score, and
    a row that is masked whole.
    """
    _check(scores)
    highest = note("highest", scores.max(-1, keepdims=True))
    return softmax(note("lowered", scores - highest), note)


def _check(scores):
    check_numbers(masked=True, scores=scores)
    if (numbers(scores).max(-1) == -np.inf).any():
        raise ValueError("a whole row of scores is masked (−inf): its shares would be 0/0; leave at least one word to look at")
