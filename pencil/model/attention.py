"""Scaled dot-product attention: match, scale, softmax, weighted sum (Vaswani et al. 2017, eq. 1)."""

import torch
import torch.nn.functional as F

from pencil.model.masks import both, causal_mask, check_mask


def attention(query, key, value, mask=None, note=None, lean=None, causal=False, dropout=0.0):  # (…, T, d_k) (…, S, d_k) (…, S, d_v) -> (…, T, d_v)
    """Mix the values, each weighted by how well its key matches the query (Vaswani et al. 2017, eq. 1).

    Without a note it is torch's scaled_dot_product_attention, whose mask may hold numbers to add as well, and
    whose `causal` spares it a mask. With a note each step is done and named, without dropout; `lean` then changes the
    scaled scores before the mask. Raises ValueError, with a note, for a mask of numbers and for a row that is
    masked whole.
    """
    if note is None:
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal, dropout_p=dropout)
    scores = note("scores", query @ key.mT)
    scaled = note("scaled", scores / key.shape[-1] ** 0.5)  # the width of a key, not of the model
    if lean is not None:
        scaled = lean(scaled, note)
    if causal:
        mask = both(mask, causal_mask(*scores.shape[-2:], device=scores.device))
    if mask is not None:
        check_mask(mask)
        if not mask.any(-1).all():
            raise ValueError("a whole row of scores is masked (−inf): its shares would be 0/0; leave at least one word to look at")
        scaled = note("masked", scaled.masked_fill(~mask, -torch.inf))
    weights = note("weights", scaled.softmax(-1))
    parts = note("parts", weights.unsqueeze(-1) * value.unsqueeze(-3))
    return note("mixed", parts.sum(-2))
