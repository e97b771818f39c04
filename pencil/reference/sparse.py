"""Sparse attention: masks that let each query look at few keys, an indexer that scores them cheaply, and tokens pressed together.

T queries are the last T of S tokens; a mask (T, S) is True where a query may look. `attention` takes each of them as its `mask`.
"""

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.attending import attention_scores
from pencil.reference.contracts import check_size, shapes
from pencil.reference.functional import relu, softmax
from pencil.reference.masks import causal_mask


@shapes("-> n_tokens n_tokens")
def sink_mask(n_tokens, *, window, sinks):
    """A window, and the first `sinks` tokens as well: attention sinks, on which models rest attention (Xiao et al. 2024, 3.2).

    Raises ValueError for n_tokens, a window or sinks below 1.
    """
    check_size("sinks", sinks)
    return causal_mask(n_tokens, window=window) | (causal_mask(n_tokens) & (np.arange(n_tokens) < sinks))


@shapes("... T S, mask?: bool ... T S -> ... T S")
def top_k_mask(scores, mask=None, *, k):
    """True for the k best scores of each row, of equal ones the first; where fewer are allowed, for all of them (as `torch.topk` chooses).

    - `scores`: (..., T, S), such as those of `index_scores`
    - `mask`: (..., T, S), True where a query may look at all, such as `causal_mask`; None is everywhere

    Raises ValueError for k below 1.
    """
    check_size("k", k)
    return _ranks(scores, True if mask is None else mask) < min(k, scores.shape[-1])


def _ranks(scores, mask):  # -> the place of each score in the order of those allowed, from 0; of the others, as many as there are scores
    count, ranks = scores.shape[-1], _places(-scores)
    return np.where(mask, _places(np.where(mask, ranks, ranks + count)), count)


def _places(x):
    return np.argsort(np.argsort(x, axis=-1, kind="stable"), axis=-1, kind="stable")


@shapes("... H T d_i, ... S d_i, ... T H -> ... T S")
def index_scores(query, key, weights, *, note=no_note):
    """The indexer's score of every key: the sum over its heads of weight · ReLU(query · key).

    - `query`: (..., H, T, d_i), those of the indexer's own small heads
    - `key`: (..., S, d_i), one for each token, for all heads
    - `weights`: (..., T, H), how much each head counts; each token has its own

    There is no scale: divide the queries and the weights where a model does. Raises ValueError for shapes that do not fit. Source:
    DeepSeek-V3.2 2025, equation 1.
    """
    total = 0
    for h in range(query.shape[-3]):
        head = scoped(note, f"head{h + 1}")
        kept = head("kept", relu(attention_scores(query[..., h, :, :], key, note=head)))
        total = total + head("weighted", weights[..., h : h + 1] * kept)
    return note("index_scores", total)


@shapes("... T d_k, ... S d_k -> ... T S")
def block_mask(query, key, *, block_size, k, note=no_note):
    """A causal mask of the k blocks whose mean key scores best; a query's own block is always one of them (MoBA: Lu et al. 2025).

    - `query`, `key`: one row for each token; the queries are those of the last tokens
    - `block_size`: how many tokens a block has; the last one may have fewer
    - `k`: how many blocks a query looks at

    Raises ValueError for a block_size or k below 1 and for more queries than keys.
    """
    check_size("block_size", block_size)
    check_size("k", k)
    (n_queries, _), (n_keys, _) = query.shape[-2:], key.shape[-2:]
    if n_queries > n_keys:
        raise ValueError(f"{n_queries} queries and {n_keys} keys; the queries are those of the last tokens")
    parts = [key[..., start : start + block_size, :] for start in range(0, n_keys, block_size)]
    means = note("block_means", np.stack([part.mean(-2) for part in parts], axis=-2))
    scores = note("block_scores", attention_scores(query, means))
    of_key, own = np.arange(n_keys) // block_size, np.arange(n_keys - n_queries, n_keys)[:, None] // block_size
    blocks = np.arange(len(parts))
    ranks = np.where(blocks == own, -1, _ranks(scores, blocks < own))[..., of_key]
    return np.where(causal_mask(n_keys)[n_keys - n_queries :], ranks, n_keys) < min(k - 1, len(parts))


@shapes("... T d, gates?: ... T d -> ... n_entries d")
def compress(x, gates=None, *, rate, note=no_note):
    """One row for every `rate` tokens: their mean, or with `gates`, in each place weighted by the softmax of the gates over the tokens.

    - `x`: (..., T, d), keys or values
    - `gates`: (..., T, d), a score for each number of a row, with its bias

    Tokens after the last full group have no entry yet. Raises ValueError for a rate below 1, and where there are fewer than `rate` tokens.
    Source: DeepSeek-V4 2026, 2.3.
    """
    check_size("rate", rate)
    if (count := x.shape[-2] // rate) == 0:
        raise ValueError(f"{x.shape[-2]} tokens at a rate of {rate} fill no entry; give at least {rate}")
    entries = []
    for number in range(count):
        group, part = scoped(note, f"entry{number + 1}"), slice(number * rate, (number + 1) * rate)
        rows = x[..., part, :]
        if gates is None:
            entries.append(rows.mean(-2))
            continue
        shares = softmax(gates[..., part, :].swapaxes(-1, -2), note=group).swapaxes(-1, -2)
        entries.append((shares * rows).sum(-2))
    return note("entries", np.stack(entries, axis=-2))


@shapes("-> n_tokens n_entries")
def compressed_mask(n_tokens, *, rate):
    """True where a token may look at an entry of `compress`: once all tokens of the entry have come.

    Raises ValueError for a rate below 1, and where there are fewer than `rate` tokens. Source: DeepSeek-V4 2026, 2.3.
    """
    check_size("rate", rate)
    if n_tokens < rate:
        raise ValueError(f"{n_tokens} tokens at a rate of {rate} fill no entry; give at least {rate}")
    return np.arange(n_tokens // rate) < (np.arange(n_tokens)[:, None] + 1) // rate
