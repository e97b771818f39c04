"""The key–value cache: attention of new tokens to stored keys and values, and two layouts of the store: paged, and a ring buffer."""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note
from pencil.reference.attending import attention, qkv
from pencil.reference.contracts import Array, shapes
from pencil.reference.functional import softmax
from pencil.reference.masks import causal_mask
from pencil.reference.positions import check_position_encoding


@dataclass(frozen=True)
class KVCache:
    """The keys and values of the tokens so far, one row each, in the order of their positions."""

    key: Array  # (..., S, d_k)
    value: Array  # (..., S, d_v)


@shapes("... T d_model, past.key?: ... S d_k, past.value?: ... S d_v -> ... T d_v, _")
def cached_attention(x, params, *, past=None, window=None, position_encoding=None, softmax=softmax, note=no_note):
    """Causal self-attention of the new tokens of a text; returns their rows, and the KVCache with their keys and values appended.

    - `x`: the rows of the new tokens alone
    - `params`: the projections of one head
    - `past`: the KVCache of the tokens before; None where there are none
    - `window`: how many tokens each may attend to, itself among them; None is all before it
    - `position_encoding`: a Rotary or an Alibi; positions that are given are those of all tokens so far. Keys are stored rotated
    - `softmax`: as in `attention`

    The rows are those of `self_attention` with a causal mask, as no row depends on a later one.
    Source: Shazeer 2019, 2.4 (incremental attention). Raises ValueError as `qkv`, `causal_mask` and `attention` do.
    """
    check_position_encoding(position_encoding)
    query, key, value = qkv(x, params, note=note)
    score_mod = None
    if position_encoding is not None:
        query, key = position_encoding.rotate(query, key, start=0 if past is None else past.key.shape[-2], note=note)
        score_mod = position_encoding.score_mod
    if past is not None:
        key = note("keys", np.concatenate([past.key, key], axis=-2))
        value = note("values", np.concatenate([past.value, value], axis=-2))
    mask = causal_mask(key.shape[-2], window=window)[-x.shape[-2] :]
    mask = None if mask.all() else mask
    return attention(query, key, value, mask=mask, score_mod=score_mod, softmax=softmax, note=note), KVCache(key, value)


@shapes("int T, int n_blocks -> T")
def page_slots(positions, table, *, block_size):
    """The slot of each position in a paged cache: `table[position // block_size] * block_size + position % block_size`.

    - `positions`: (T,), positions in the text, from 0
    - `table`: (n_blocks,), the block table: the physical block of each logical one
    - `block_size`: tokens in a block

    Source: Kwon et al. 2023, 4.2 (block table). Raises ValueError for a block size below 1, for a negative position, and for one
    that the table's blocks do not reach.
    """
    positions, table = np.asarray(positions).astype(int), np.asarray(table).astype(int)
    if block_size < 1:
        raise ValueError(f"block_size={block_size} holds no token; give it at least 1")
    room = len(table) * block_size
    if (positions < 0).any() or (positions >= room).any():
        raise ValueError(f"positions {positions.tolist()} in a table of {len(table)} blocks of {block_size}, which hold 0 to {room - 1}; add a block")
    return table[positions // block_size] * block_size + positions % block_size


@shapes("int T -> T")
def ring_slots(positions, *, window):
    """The slot of each position in a ring buffer: `position % window`, where it overwrites the token that has left the window.

    Source: the rolling buffer cache of Jiang et al. 2023, 2. Raises ValueError for a window below 1 and a negative position.
    """
    positions = np.asarray(positions).astype(int)
    if window < 1:
        raise ValueError(f"window={window} leaves no slot; give it at least 1")
    if (positions < 0).any():
        raise ValueError(f"positions {positions.tolist()}; they count from 0")
    return positions % window


@shapes("T d, int T -> n_slots d")
def write_slots(rows, slots, *, n_slots):
    """A store of `n_slots` rows with each row in its slot, and zeros elsewhere; a later row overwrites an earlier one.

    - `rows`: (T, d), in the order of writing
    - `slots`: (T,), the slot of each row
    - `n_slots`: the size of the store

    `store[slots]` reads the rows back. Source: the blocks of Kwon et al. 2023, 4.2. Raises ValueError for a slot outside the store.
    """
    slots = np.asarray(slots)
    if (slots < 0).any() or (slots >= n_slots).any():
        raise ValueError(f"slots {slots.tolist()} in a store of {n_slots}, which has 0 to {n_slots - 1}")
    holds = np.full(n_slots, len(slots))  # len(slots) is the index of a row of zeros, appended below
    holds[slots] = np.arange(len(slots))
    return np.concatenate([rows, np.zeros((1, rows.shape[-1]))])[holds]


def kv_bytes(n_tokens, *, n_layers, n_kv_heads, d_k, d_v=None, bytes_per_number=2):  # -> int
    """The size of a cache in bytes: n_tokens · n_layers · n_kv_heads · (d_k + d_v) · bytes_per_number (Kwon et al. 2023, 3).

    - `n_tokens`: of all texts of a batch together
    - `n_layers`, `n_kv_heads`, `d_k`, `d_v`: the sizes of the model; d_v is d_k if None
    - `bytes_per_number`: 2 in fp16 and bf16

    Raises ValueError for a size below 0.
    """
    sizes = {"n_tokens": n_tokens, "n_layers": n_layers, "n_kv_heads": n_kv_heads, "d_k": d_k, "d_v": d_v, "bytes_per_number": bytes_per_number}
    for name, size in sizes.items():
        if size is not None and size < 0:
            raise ValueError(f"kv_bytes: {name}={size}; it is at least 0")
    return n_tokens * n_layers * n_kv_heads * (d_k + (d_k if d_v is None else d_v)) * bytes_per_number
