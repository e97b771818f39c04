"""FlashAttention: attention computed tile by tile, so that the T × S matrix of scores is never stored (Dao et al. 2022; Dao 2023).

A tile is a block of queries times a block of keys. Softmax is computed online, updated tile by tile (Milakov and Gimelshein 2018, alg. 3), and the
result is exactly that of `attention`. T is the number of queries, S of keys and values, d_k the width of a query or key, d_v of a value.
"""

from functools import reduce
from operator import add

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import shapes


def tiles(n_queries, n_keys, block_size, *, causal=False):  # -> [(rows, [(columns, mask or None)])]
    """The tiles of each block of queries (Dao et al. 2022, alg. 1): slices of rows and columns, and the causal mask inside a tile or None.

    - `block_size`: (queries, keys) of a tile; the last ones may be smaller
    - `causal`: whether a query attends to no later key, with the last query at the last key. Tiles that are fully masked are left out (Dao 2023, 3.1)

    Raises ValueError for sizes below 1, and for more queries than keys where it is causal.
    """
    if min(n_queries, n_keys, *block_size) < 1:
        raise ValueError(f"{n_queries} queries and {n_keys} keys in tiles of {block_size}; each takes at least 1")
    if causal and n_queries > n_keys:
        raise ValueError(f"{n_queries} queries and {n_keys} keys: the first query would see none; give it as many keys, or causal=False")
    ahead = n_keys - n_queries if causal else n_keys  # of its own row number, how far a query sees
    return [(rows, list(_seen(rows, _blocks(n_keys, block_size[1]), ahead))) for rows in _blocks(n_queries, block_size[0])]


def _blocks(count, size):
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]


def _seen(rows, blocks, ahead):  # the masks are made tile by tile too
    for columns in blocks:
        mask = np.arange(columns.start, columns.stop) <= np.arange(rows.start, rows.stop)[:, None] + ahead
        if mask.any():
            yield columns, None if mask.all() else mask


@shapes("... T d_k, ... S d_k, ... S d_v -> ... T d_v, ... T 1")
def flash_attention(query, key, value, *, block_size, causal=False, note=no_note):
    """Attention tile by tile (after Dao et al. 2022, alg. 1).

    - `query`, `key`, `value`: as in `attention`
    - `block_size`, `causal`: as in `tiles`

    Returns the context (..., T, d_v) and the logsumexp of each row of scores (..., T, 1), from which the backward pass recomputes the
    weights. Values are named tile1.…, tile2.…, in the scope rows1, rows2, … where there are several blocks of queries. Raises ValueError
    for shapes that do not fit, and as `tiles` does.
    """
    todo, done = tiles(query.shape[-2], key.shape[-2], block_size, causal=causal), []
    for number, (rows, row_tiles) in enumerate(todo, 1):
        done.append(_along(query[..., rows, :], key, value, row_tiles, note=_in_rows(note, number, todo)))
    if len(done) == 1:
        return done[0]
    contexts, sums = zip(*done, strict=True)
    return note("context", np.concatenate(contexts, axis=-2)), note("logsumexp", np.concatenate(sums, axis=-2))


def _in_rows(note, number, todo):
    return note if len(todo) == 1 else scoped(note, f"rows{number}")


def _along(query, key, value, row_tiles, *, note):  # one block of queries, tile by tile: its context and logsumexp
    running_max = running_sum = acc = None
    for number, (columns, mask) in enumerate(row_tiles, 1):
        tile = scoped(note, f"tile{number}")
        scaled = _scaled(query, key[..., columns, :], mask, note=tile)
        highest = scaled.max(-1, keepdims=True)
        new_max = tile("running_max", highest if acc is None else np.maximum(running_max, highest))
        exps = tile("exp", np.exp(scaled - new_max))
        exp_sum, mix = exps.sum(-1, keepdims=True), exps @ value[..., columns, :]
        if acc is not None:
            rescale = tile("rescale", np.exp(running_max - new_max))  # from the old maximum to the new one
            exp_sum, mix = rescale * running_sum + exp_sum, rescale * acc + mix
        running_max, running_sum, acc = new_max, tile("running_sum", exp_sum), tile("acc", mix)
    return note("context", acc / running_sum), note("logsumexp", running_max + np.log(running_sum))


def _scaled(query, key, mask, *, note):
    scores = note("scores", query @ key.swapaxes(-1, -2))
    scaled = note("scaled", scores / key.shape[-1] ** 0.5)
    return scaled if mask is None else note("masked", np.where(mask, scaled, -np.inf))


@shapes("... T d_v, ... T d_k, ... S d_k, ... S d_v, ... T d_v, ... T 1 -> ... T d_k, ... S d_k, ... S d_v")
def flash_attention_backward(grad, query, key, value, context, logsumexp, *, block_size, causal=False, note=no_note):
    """The gradients of query, key and value; the weights of each tile are recomputed (Dao et al. 2022, 3.1 and app. B; Dao 2023, alg. 2).

    - `grad`: the gradient of the loss with respect to `context`
    - `query`, `key`, `value`, `block_size`, `causal`: the arguments of `flash_attention`
    - `context`, `logsumexp`: its results

    Raises ValueError for shapes that do not fit, and as `tiles` does.
    """
    delta = note("delta", (grad * context).sum(-1, keepdims=True))  # Σ weight · grad of the weight, for each row
    todo = tiles(query.shape[-2], key.shape[-2], block_size, causal=causal)
    of_query, of_key, of_value = ({} for _ in range(3))  # start of a block -> the terms of its gradient, one a tile
    for number, (rows, row_tiles) in enumerate(todo, 1):
        given = [x[..., rows, :] for x in (grad, query, logsumexp, delta)]
        for place, (columns, mask) in enumerate(row_tiles, 1):
            tile = scoped(_in_rows(note, number, todo), f"tile{place}")
            parts = _tile_backward(*given, key[..., columns, :], value[..., columns, :], mask, note=tile)
            for by_start, start, part in zip((of_query, of_key, of_value), (rows.start, columns.start, columns.start), parts, strict=True):
                by_start.setdefault(start, []).append(part)
    return tuple(note(f"grad.{name}", _added(by_start)) for name, by_start in (("query", of_query), ("key", of_key), ("value", of_value)))


def _added(by_start):
    return np.concatenate([reduce(add, by_start[start]) for start in sorted(by_start)], axis=-2)


def _tile_backward(grad, query, logsumexp, delta, key, value, mask, *, note):
    weights = note("weights", np.exp(_scaled(query, key, mask, note=note) - logsumexp))
    grad_weights = note("grad_weights", grad @ value.swapaxes(-1, -2))
    grad_scaled = note("grad_scaled", weights * (grad_weights - delta))
    grad_scores = grad_scaled / key.shape[-1] ** 0.5
    return grad_scores @ key, grad_scores.swapaxes(-1, -2) @ query, weights.swapaxes(-1, -2) @ grad
