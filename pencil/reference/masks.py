"""Attention masks: True where a query may attend to a key. A mask broadcasts to (..., T, S)."""

import numpy as np

from pencil.reference.contracts import shapes
from pencil.reference.text import PADDING


@shapes("-> n_tokens n_tokens")
def causal_mask(n_tokens, *, window=None):
    """Each token may attend to itself and to those before it (Vaswani et al. 2017, 3.2.3).

    - `n_tokens`: how many there are
    - `window`: how many of them it may attend to, itself and the `window` − 1 before it (sliding window attention, as in
      transformers' Mistral; Jiang et al. 2023, 2); None is all

    Raises ValueError for n_tokens or a window below 1.
    """
    if n_tokens < 1:
        raise ValueError(f"{n_tokens} tokens need no mask; give it at least 1")
    if window is not None and window < 1:
        raise ValueError(f"window={window} leaves no token to attend to, not even itself; give it at least 1")
    mask = np.tri(n_tokens, dtype=bool)
    return mask if window is None else mask & ~np.tri(n_tokens, k=-window, dtype=bool)


def in_window(mask, n_tokens, window):  # (..., T or 1, T) or None, T, int or None -> (..., T, T) or None
    """The mask, where a token may attend to the `window` − 1 tokens before it and to none farther back; a window of None changes nothing.

    A token that would then see nothing (padding behind padding) sees what the mask lets it see.
    """
    if window is None or window >= n_tokens:
        return mask
    near = ~np.tri(n_tokens, k=-window, dtype=bool)
    if mask is None:
        return near
    return np.where((near & mask).any(-1, keepdims=True), near & mask, mask)


@shapes("int *shape -> *shape")
def padding_mask(ids):
    """True where `ids` is a token, False where it is padding (mask_zero of Keras' Embedding).

    Attention needs it so that no query attends to padding; pooling needs it as well, because padding positions still give rows
    of their own. Raises ValueError for ids that are not whole numbers.
    """
    return np.asarray(ids) != PADDING


@shapes("int ... T -> ... 1 T")
def key_mask(ids):  # or None where there is no padding
    """The padding mask of the keys, the same for every query (torch's key_padding_mask has True for the padding instead).

    - `ids`: (..., T), one text or a batch; 0 is padding

    Raises ValueError for a text of padding alone.
    """
    mask = padding_mask(ids)
    if not mask.any(-1).all():
        raise ValueError(f"all {mask.shape[-1]} positions of a text are padding: there is nothing to attend to; leave such a text out")
    return None if mask.all() else mask[..., None, :]
