"""FlashAttention in plain tensors: attention tile by tile, forward and backward (Dao et al. 2022; Dao 2023).

The T × S matrix of scores is never stored, in neither direction. This shows how it is done; for speed use torch's
scaled_dot_product_attention, which is one kernel.
"""

import torch
from torch import nn

from pencil.model.module import named
from pencil.note import scoped
from pencil.reference.flash import tiles


def flash_attention(query, key, value, *, block_size, causal=False, note=None):  # (…,T,d_k) (…,S,d_k) (…,S,d_v) -> (…,T,d_v) (…,T,1)
    """Attention, and the logsumexp of each query's scores (Dao 2023, alg. 1); the backward pass recomputes the weights of each tile.

    Args:
        query: (…, T, d_k), one row a query.
        key: (…, S, d_k), one row a key.
        value: (…, S, d_v), one row a key.
        block_size: (queries, keys) of a tile.
        causal: whether a query attends to no later key; the last query is at the last key.
        note: a function of (name, value); with one, torch's autograd saves each step, and its own backward runs.

    Raises ValueError as `reference.tiles` does. The logsumexp is for the backward pass and has no gradient. Backward with
    create_graph=True raises RuntimeError where there is no note.
    """
    if note is None:
        return _Recomputed.apply(query, key, value, block_size, causal)
    return _forward(query, key, value, tiles(query.shape[-2], key.shape[-2], block_size, causal=causal), note)


class FlashAttention(nn.Module):
    """`flash_attention` as a module, of which `verify` can compare every value; it returns the context alone.

    Args:
        block_size: (queries, keys) of a tile.
        causal: as in `flash_attention`.
    """

    def __init__(self, block_size, *, causal=False):
        super().__init__()
        self.block_size, self.causal = block_size, causal

    def forward(self, query, key, value, *, note=None):  # (…,T,d_k) (…,S,d_k) (…,S,d_v) -> (…,T,d_v)
        """The context of each query; for the arguments see `flash_attention`."""
        return flash_attention(query, key, value, block_size=self.block_size, causal=self.causal, note=note)[0]


def _forward(query, key, value, todo, note):
    done = []
    for number, (rows, row_tiles) in enumerate(todo, 1):
        own_note = note if len(todo) == 1 else scoped(note, f"rows{number}")
        done.append(_along(query[..., rows, :], key, value, row_tiles, own_note))
    if len(done) == 1:
        return done[0]
    context, logsumexp = (torch.cat(parts, -2) for parts in zip(*done, strict=True))
    return named(note, "context", context), named(note, "logsumexp", logsumexp)


def _along(query, key, value, row_tiles, note):  # one block of queries, tile by tile: its context and logsumexp
    running_max = running_sum = acc = None
    for number, (columns, mask) in enumerate(row_tiles, 1):
        tile = scoped(note, f"tile{number}")
        scaled = _scaled(query, key[..., columns, :], mask, tile)
        highest = scaled.amax(-1, keepdim=True)
        new_max = named(tile, "running_max", highest if acc is None else torch.maximum(running_max, highest))
        exps = named(tile, "exp", (scaled - new_max).exp())
        exp_sum, mix = exps.sum(-1, keepdim=True), exps @ value[..., columns, :]
        if acc is not None:
            rescale = named(tile, "rescale", (running_max - new_max).exp())
            exp_sum, mix = rescale * running_sum + exp_sum, rescale * acc + mix
        running_max, running_sum, acc = new_max, named(tile, "running_sum", exp_sum), named(tile, "acc", mix)
    return named(note, "context", acc / running_sum), named(note, "logsumexp", running_max + running_sum.log())


def _scaled(query, key, mask, note):
    scores = named(note, "scores", query @ key.mT)
    scaled = named(note, "scaled", scores / key.shape[-1] ** 0.5)
    return scaled if mask is None else named(note, "masked", scaled.masked_fill(~torch.as_tensor(mask, device=scaled.device), -torch.inf))


class _Recomputed(torch.autograd.Function):
    """Saves the inputs, the context and the logsumexp; the backward pass recomputes the weights (Dao 2023, alg. 2)."""

    @staticmethod
    def forward(ctx, query, key, value, block_size, causal):
        ctx.tiles = tiles(query.shape[-2], key.shape[-2], block_size, causal=causal)
        context, logsumexp = _forward(query, key, value, ctx.tiles, None)
        ctx.save_for_backward(query, key, value, context, logsumexp)
        ctx.mark_non_differentiable(logsumexp)
        return context, logsumexp

    @staticmethod
    def backward(ctx, grad, _):
        if torch.is_grad_enabled():  # create_graph=True; a second derivative goes through the logarithms too, and here they have none
            raise RuntimeError("the tiles that are worked again have no second derivative; give flash_attention a note, and torch keeps each step")
        query, key, value, context, logsumexp = ctx.saved_tensors
        delta = (grad * context).sum(-1, keepdim=True)
        of_query, of_key, of_value = (torch.zeros_like(x) for x in (query, key, value))
        for rows, row_tiles in ctx.tiles:
            here = [x[..., rows, :] for x in (grad, query, logsumexp, delta)]
            for columns, mask in row_tiles:
                parts = _tile_backward(*here, key[..., columns, :], value[..., columns, :], mask)
                for whole, place, part in zip((of_query, of_key, of_value), (rows, columns, columns), parts, strict=True):
                    into = whole[..., place, :]
                    into += part.sum_to_size(into.shape)  # sums over batch axes along which an input was broadcast
        return of_query, of_key, of_value, None, None


def _tile_backward(grad, query, logsumexp, delta, key, value, mask):
    weights = (_scaled(query, key, mask, None) - logsumexp).exp()
    grad_scores = weights * (grad @ value.mT - delta) / key.shape[-1] ** 0.5
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad
