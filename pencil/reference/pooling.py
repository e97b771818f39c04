"""Many sticks into one summary, with the padding left out (or, to see the harm, left in)."""

import numpy as np

from pencil.reference.checks import check_numbers, check_rows
from pencil.reference.embedding import PADDING
from pencil.trace.notes import exact


def padding_mask(ids):  # (T,) -> (T,) bool
    """True where a slot holds a word. As the `mask` of attention it keeps padding from being looked at;
    padding slots still emit rows of their own, so the average needs it as well."""
    return np.asarray(ids) != PADDING


def average(x, real=None, note=exact):  # (T, d) (T,) -> (d,)
    """The middle stick: add slot by slot and divide by how many there are; `real` picks the rows that count.

    Source: Keras' GlobalAveragePooling1D. Raises ValueError when no row counts (the average of nothing
    is 0/0) and when `real` does not have one entry a row.
    """
    check_numbers(x=x)
    check_rows(x=x)
    if real is None:
        return note("summary", x.mean(0))
    real = np.asarray(real, bool)
    if real.shape != x.shape[:1]:
        raise ValueError(f"{x.shape[0]} sticks and a mask of shape {real.shape}; say for each stick whether it counts")
    if not real.any():
        raise ValueError(f"all {len(real)} slots are padding: there is no word to average; leave such a review out")
    return note("summary", x[real].mean(0))
