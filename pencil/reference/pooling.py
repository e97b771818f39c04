"""Many rows into one summary: four ways, each with the padding left out (or, to see the harm, left in)."""

import numpy as np

from pencil.reference.checks import check_numbers, check_rows
from pencil.trace.notes import exact


def average(x, real=None, note=exact):  # (T, d) (T,) -> (d,)
    """The middle stick: add slot by slot and divide by how many there are; `real` picks the rows that count.

    Source: Keras' GlobalAveragePooling1D. Raises ValueError when no row counts (the average of nothing
    is 0/0), when `real` does not have one entry a row, and for more than one text.
    """
    return note("summary", _counted(x, real).mean(0))


def greatest(x, real=None, note=exact):  # (T, d) (T,) -> (d,)
    """The greatest number of each slot (Keras' GlobalMaxPooling1D). Raises ValueError as `average` does."""
    return note("summary", _counted(x, real).max(0))


def first(x, real=None, note=exact):  # (T, d) (T,) -> (d,)
    """The first row that counts: the class token of BERT (Devlin et al. 2019). Raises ValueError as `average` does."""
    return note("summary", _counted(x, real)[0])


def last(x, real=None, note=exact):  # (T, d) (T,) -> (d,)
    """The last row that counts: what a walker has in hand at the end (h_n of torch.nn.RNN). Raises ValueError as `average` does."""
    return note("summary", _counted(x, real)[-1])


def _counted(x, real):  # -> the rows that count
    check_numbers(x=x)
    check_rows(x=x)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {x.shape}, a batch of texts; a summary is of one text's rows (words, width): take x[0], x[1], …")
    if real is None:
        return x
    real = np.asarray(real, bool)
    if real.shape != x.shape[:1]:
        raise ValueError(f"{x.shape[0]} sticks and a mask of shape {real.shape}; say for each stick whether it counts")
    if not real.any():
        raise ValueError(f"all {len(real)} slots are padding: there is no word to sum up; leave such a review out")
    return x[real]
