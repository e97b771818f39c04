"""Scores into shares that add to 1."""

import numpy as np

from pencil.reference.checks import check_numbers, numbers
from pencil.trace.notes import exact

LARGEST_POWER = np.log(np.finfo(float).max)  # e to anything above 709.78 is more than a float holds
SMALLEST_POWER = np.log(np.finfo(float).tiny)  # and e to anything below −708.39 less than it holds in full


def softmax(scores, note=exact):  # (..., S) -> (..., S)
    """Raise e to each score and divide by the row's total: the paper form.

    Raises ValueError for a NaN or an infinite score, for a row that is masked whole, and for powers
    beyond what a float holds; that one names `stable_softmax`, which gives the same shares.
    """
    _check(scores)
    highest = numbers(scores).max(-1)
    for power, word in ((highest.max(), "more"), (highest.min(), "less")):
        if power > LARGEST_POWER if word == "more" else power < SMALLEST_POWER:
            raise ValueError(f"e^{float(power)} is {word} than a float holds; use stable_softmax, which takes the row's maximum off first")
    raised = note("raised", np.exp(scores))
    total = note("total", raised.sum(-1, keepdims=True))
    return note("weights", raised / total)


def stable_softmax(scores, note=exact):  # (..., S) -> (..., S)
    """The same shares, safe for any finite score: take the row's maximum off first; it cancels in the quotient."""
    _check(scores)
    highest = note("highest", scores.max(-1, keepdims=True))
    return softmax(note("lowered", scores - highest), note)


def _check(scores):
    check_numbers(scores=scores)
    if np.isposinf(numbers(scores)).any():
        raise ValueError("a score is infinite: its share would be ∞/∞; scores must be finite (or −inf where a mask hides a word)")
    if (numbers(scores).max(-1) == -np.inf).any():
        raise ValueError("a whole row of scores is masked (−inf): its shares would be 0/0; leave at least one word to look at")
