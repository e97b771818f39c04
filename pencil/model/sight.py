"""What the fast path has to know before any head looks: worked out once, and handed to every block of a stack."""

from typing import NamedTuple

import torch

from pencil.model.masks import both, causal_mask, check_mask, for_heads
from pencil.model.positions import Alibi


class Sight(NamedTuple):
    """Who sees whom, and how seats are told."""

    mask: torch.Tensor | None = None  # True where a query may look, or numbers to add to its scores
    causal: bool = False  # torch's own causal mask does
    turn: tuple | None = None  # sine and cosine (T, d_k/2) for query and key
    start: int = 0  # the seat of the first query: words that a cache holds already


def sight(x, mask=None, causal=False, positions=None, start=0):  # rows (..., T, d), mask (..., T, S) -> Sight
    """Join the mask, the causal mask and the positions into what scaled_dot_product_attention takes.

    Raises ValueError for a mask that is not True and False.
    """
    check_mask(mask)
    words = x.shape[-2]
    keys = start + words
    told = None if positions is None else positions.tables(x, start, keys)
    if isinstance(positions, Alibi):
        if causal:
            mask = both(mask, causal_mask(words, keys, x.device))
        return Sight(told if mask is None else torch.where(for_heads(mask), told, -torch.inf), start=start)
    if causal and mask is None and (start == 0 or words == 1):  # one new word may see all that is kept
        return Sight(causal=words > 1, turn=told, start=start)
    if causal:
        mask = both(mask, causal_mask(words, keys, x.device))
    return Sight(for_heads(mask), turn=told, start=start)
