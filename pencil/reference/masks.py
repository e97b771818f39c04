"""Who may look where. A mask is True where a query may look; it broadcasts to (queries, keys)."""

import numpy as np

from pencil.reference.embedding import PADDING


def causal_mask(words):  # count -> (T, T) bool
    """Each word may look at itself and at what came before it; what comes later is hidden (Vaswani et al. 2017, 3.2.3).

    Raises ValueError for no words.
    """
    if words < 1:
        raise ValueError(f"{words} words need no mask; give it at least 1")
    return np.tri(words, dtype=bool)


def padding_mask(ids):  # (..., T) -> (..., T) bool
    """True where a slot holds a word. As the `mask` of attention it keeps padding from being looked at;
    padding slots still emit rows of their own, so the average needs it as well."""
    return np.asarray(ids) != PADDING


def key_mask(ids):  # (..., T) -> (..., 1, T) bool, or None where no slot is empty
    """The padding mask laid over the keys: no query may look at an empty slot (torch's key_padding_mask marks the empty ones).

    Raises ValueError for a text that is padding alone.
    """
    real = padding_mask(ids)
    if not real.any(-1).all():
        raise ValueError(f"all {real.shape[-1]} slots of a text are padding: there is nothing to look at; leave such a text out")
    return None if real.all() else real[..., None, :]
