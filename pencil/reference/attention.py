"""Scaled dot-product attention: match, scale, softmax, weighted sum (Vaswani et al. 2017, eq. 1)."""

import numpy as np

from pencil.reference.checks import check_batch, check_mask, check_numbers, check_rows
from pencil.reference.softmax import softmax as paper_softmax
from pencil.trace.notes import exact


def match(query, key, note=exact):  # (..., T, d_k) (..., S, d_k) -> (..., T, S)
    """Dot every query with every key: how well each key matches what each query asks (Vaswani et al. 2017, 3.2.1).

    Raises ValueError for a query and a key of different widths or batches, and for what is not rows of numbers.
    """
    check_numbers(query=query, key=key)
    check_rows(query=query, key=key)
    check_batch(query=query, key=key)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"a query is {query.shape[-1]} wide and a key {key.shape[-1]}; a dot product needs one width for both")
    return note("scores", query @ key.swapaxes(-1, -2))


def weighted_sum(weights, value, note=exact):  # (..., T, S) (..., S, d_v) -> (..., T, d_v)
    """Each value row times its share, added slot by slot (Vaswani et al. 2017, 3.2.1).

    Raises ValueError unless there is one share for each value row, and for what is not rows of numbers.
    """
    check_numbers(weights=weights, value=value)
    check_rows(weights=weights, value=value)
    check_batch(weights=weights, value=value)
    if weights.shape[-1] != value.shape[-2]:
        raise ValueError(f"{weights.shape[-1]} shares for {value.shape[-2]} value rows; each key needs one value")
    parts = note("parts", weights[..., :, None] * value[..., None, :, :])
    return note("mixed", parts.sum(-2))


def attention(query, key, value, note=exact, mask=None, softmax=paper_softmax, lean=None):  # (T, d_k) (S, d_k) (S, d_v) -> (T, d_v)
    """Mix the values, each weighted by how well its key matches the query (Vaswani et al. 2017, eq. 1).

    `mask` (broadcast to (T, S), True where a query may look) gives the rest no share. Leading axes
    are batch. `softmax` is the form to use: `stable_softmax` for large scores. `lean` changes the
    scaled scores before the mask (see positions). Raises ValueError for widths, counts or masks that
    do not fit, naming both.
    """
    scores = match(query, key, note)
    scaled = note("scaled", scores / np.sqrt(key.shape[-1]))  # the width of a key, not of the model
    if lean is not None:
        scaled = lean(scaled, note)
    if mask is not None:
        check_mask(mask, scores.shape)
        scaled = note("masked", np.where(mask, scaled, -np.inf))
    return weighted_sum(softmax(scaled, note), value, note)
