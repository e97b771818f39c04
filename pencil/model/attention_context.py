"""The masks and position tables of a forward pass without a note: a stack computes them once for all its blocks of one kind."""

from typing import NamedTuple

import torch

from pencil.model.masks import check_axes, check_mask, in_window, per_head, with_causal
from pencil.model.positions import Alibi


class AttentionContext(NamedTuple):
    """The masks and position tables of attention without a note.

    Args:
        mask: (…, T, S), True where a query may attend, or numbers to add to its scores (ALiBi).
        causal: whether torch's kernel applies its own causal mask.
        rotation: sine and cosine, each (…, T, d_k/2), that rotate query and key (RoPE).
        start: how many rows the cache holds already.
    """

    mask: "torch.Tensor | None" = None  # in quotes, since the API page imports this without torch
    causal: bool = False
    rotation: tuple | None = None
    start: int = 0


def attention_context(  # (..., T, d) (..., T, S) -> AttentionContext
    x, *, mask=None, causal=False, position_encoding=None, start=0, positions=None, window=None
):
    """Combine the mask, the causal mask and the position encoding into arguments of scaled_dot_product_attention.

    Args:
        x: (…, T, d) rows that the queries are made of.
        mask: (…, T, S) bool, True where a query may attend; of no more axes than x.
        causal: whether a query sees no key behind its own position.
        position_encoding: the layer's Rotary or Alibi, or None.
        start: how many rows the cache holds already.
        positions: (…, S) the position of each row so far in its own text; 0, 1, 2, … if None.
        window: how many tokens back a query sees, itself among them; None is all.

    Raises ValueError for a mask that is not boolean, and as `check_axes` does.
    """
    check_mask(mask)
    check_axes(mask, x)
    queries = x.shape[-2]
    keys = start + queries
    if window is not None and window < keys:
        mask, causal = in_window(with_causal(mask, queries, keys, x.device) if causal else mask, queries, keys, window, x.device, positions), False
    tables = None if position_encoding is None else position_encoding.tables(x, start, keys, positions)
    if isinstance(position_encoding, Alibi):
        if causal:
            mask = with_causal(mask, queries, keys, x.device)
        return AttentionContext(tables if mask is None else torch.where(per_head(mask), tables, -torch.inf), start=start)
    if causal and mask is None and (start == 0 or queries == 1):  # one new token may see all of the cache
        return AttentionContext(causal=queries > 1, rotation=tables, start=start)
    if causal:
        mask = with_causal(mask, queries, keys, x.device)
    return AttentionContext(per_head(mask), rotation=tables, start=start)
