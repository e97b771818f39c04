"""Pooling: four ways to make one row of many, named pooled. `mask` (…, T) is True where a row counts; None counts all rows.

Where no row of a text counts, the mean and the maximum are zeros, and the first and the last row are those of the text.
"""

import torch

from pencil.model.module import named


def mean_pool(x, *, mask=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The mean of the rows that count (Keras' GlobalAveragePooling1D)."""
    if mask is None:
        return named(note, "pooled", x.mean(-2))
    counted = x.masked_fill(~mask.unsqueeze(-1), 0)
    return named(note, "pooled", counted.sum(-2) / mask.sum(-1, keepdim=True).clamp(min=1))


def max_pool(x, *, mask=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The maximum of each column, over the rows that count (Keras' GlobalMaxPooling1D)."""
    if mask is None:
        return named(note, "pooled", x.amax(-2))
    counted = x.masked_fill(~mask.unsqueeze(-1), -torch.inf)
    return named(note, "pooled", counted.amax(-2).masked_fill(~mask.any(-1, keepdim=True), 0))


def first_token(x, *, mask=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The first row that counts: the class token of BERT."""
    return named(note, "pooled", x[..., 0, :] if mask is None else at_row(x, mask.int().argmax(-1)))


def last_token(x, *, mask=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The last row that counts."""
    return named(note, "pooled", x[..., -1, :] if mask is None else at_row(x, x.shape[-2] - 1 - mask.int().flip(-1).argmax(-1)))


def at_row(x, index):  # (..., T, d) (...) -> (..., d)
    """The row of each text at its index."""
    return x.gather(-2, index[..., None, None].expand(*index.shape, 1, x.shape[-1])).squeeze(-2)


POOLS = {pool.__name__: pool for pool in (mean_pool, max_pool, first_token, last_token)}


def pool_of(pool):  # a name, or a pooling function of the reference -> the model's function
    """The pooling function of that name. Raises ValueError for another name."""
    name = pool if isinstance(pool, str) else getattr(pool, "__name__", repr(pool))
    if name not in POOLS:
        raise ValueError(f"pool={name} is not known; take {', '.join(POOLS)}")
    return POOLS[name]
