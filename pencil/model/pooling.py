"""Many rows into one summary: four ways, each with the padding left out, or (real=None) left in."""

import torch

from pencil.model.part import say


def average(x, real=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The middle stick of the rows that count (Keras' GlobalAveragePooling1D)."""
    if real is None:
        return say(note, "summary", x.mean(-2))
    kept = x.masked_fill(~real.unsqueeze(-1), 0)
    return say(note, "summary", kept.sum(-2) / real.sum(-1, keepdim=True))


def greatest(x, real=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The greatest number of each slot (Keras' GlobalMaxPooling1D)."""
    kept = x if real is None else x.masked_fill(~real.unsqueeze(-1), -torch.inf)
    return say(note, "summary", kept.amax(-2))


def first(x, real=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The first row that counts: the class token of BERT."""
    return say(note, "summary", x[..., 0, :] if real is None else at_row(x, real.int().argmax(-1)))


def last(x, real=None, note=None):  # (..., T, d) (..., T) -> (..., d)
    """The last row that counts."""
    return say(note, "summary", x[..., -1, :] if real is None else at_row(x, x.shape[-2] - 1 - real.int().flip(-1).argmax(-1)))


def at_row(x, index):  # (..., T, d) (...) -> (..., d)
    """One row of each text."""
    return x.gather(-2, index[..., None, None].expand(*index.shape, 1, x.shape[-1])).squeeze(-2)


POOLS = {pool.__name__: pool for pool in (average, greatest, first, last)}


def pool_of(chosen):  # a name, or a pooling of the reference -> the model's own
    """The pooling of that name. Raises ValueError for another."""
    name = chosen if isinstance(chosen, str) else getattr(chosen, "__name__", repr(chosen))
    if name not in POOLS:
        raise ValueError(f"pool={name} is not known; take {', '.join(POOLS)}")
    return POOLS[name]
