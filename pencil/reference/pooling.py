"""Pooling: the rows of a text into one, in four ways. `mask` is True where a row counts; None counts all. The result is named pooled."""

import numpy as np

from pencil.note import no_note
from pencil.reference.contracts import shapes


@shapes("T d, mask?: bool T -> d")
def mean_pool(x, *, mask=None, note=no_note):
    """The mean of the rows that count (Keras' GlobalAveragePooling1D).

    - `x`: (T, d), one text
    - `mask`: (T,) bool, True where a row counts; None where all do

    Raises ValueError when no row counts (the mean would be 0/0), for a mask of another length, and for more than one text.
    """
    return note("pooled", _masked_rows(x, mask).mean(0))


@shapes("T d, mask?: bool T -> d")
def max_pool(x, *, mask=None, note=no_note):
    """The maximum of each column (Keras' GlobalMaxPooling1D). Raises ValueError as `mean_pool` does."""
    return note("pooled", _masked_rows(x, mask).max(0))


@shapes("T d, mask?: bool T -> d")
def first_token(x, *, mask=None, note=no_note):
    """The first row that counts: the class token of BERT (Devlin et al. 2019). Raises ValueError as `mean_pool` does."""
    return note("pooled", _masked_rows(x, mask)[0])


@shapes("T d, mask?: bool T -> d")
def last_token(x, *, mask=None, note=no_note):
    """The last row that counts: the final hidden state of an RNN (h_n of torch.nn.RNN). Raises ValueError as `mean_pool` does."""
    return note("pooled", _masked_rows(x, mask)[-1])


def _masked_rows(x, mask):  # -> the rows that count
    if mask is None:
        return x
    mask = np.asarray(mask, bool)
    if not mask.any():
        raise ValueError(f"all {len(mask)} positions are padding: there is no row to pool; leave such a text out")
    return x[mask]
