"""The key–value cache of a decoder: growing or allocated once, paged, and a ring buffer."""

import numpy as np
import torch

from pencil.reference.caching import page_slots


class Cache:
    """The keys and values of every block. It grows with each call, or is allocated once for `max_len` tokens.

    A cache belongs to one batch of texts, and with cross-attention to one memory. Texts of a batch may differ in length:
    padding at the end of the first ids is masked, and each text continues at the position after its own last token.

    Args:
        max_len: the number of tokens it is allocated for; None grows. An allocated cache is for generation, not for training:
            it is written in place. torch.compile needs two graphs for a whole text then, one for the prompt and one for
            each token after it.

    Raises ValueError for a max_len below 1.
    """

    def __init__(self, max_len=None):
        if max_len is not None and max_len < 1:
            raise ValueError(f"max_len={max_len} holds no token; give it at least 1, or leave it out and the cache grows")
        self.max_len, self.length, self.layers = max_len, 0, {}
        self.padding_mask = None  # (..., S): which positions hold a token, where padding is masked
        self.batch = ()  # the axes in front of the tokens
        self.memory = None  # the rows that cross-attention reads; each block keeps its own keys and values of them

    def __repr__(self):
        return f"Cache of {self.length} tokens" + (f", allocated for {self.max_len}" if self.max_len else "")

    def layer(self, number):  # -> LayerCache
        """The cache of block `number`, counted from 1."""
        if number not in self.layers:
            self.layers[number] = self.new_layer()
        return self.layers[number]

    def new_layer(self):  # -> LayerCache
        """An empty cache for one block."""
        return LayerCache(self.max_len)

    def columns(self, mask):  # (..., T, S) or None -> (..., T, rows that a layer's cache returns)
        """The columns of a mask over all rows so far that belong to the rows in the cache, in the order of the cache."""
        return mask

    def crop(self, length):
        """Keep only the first `length` tokens, for instance without rejected drafts; a shorter cache is unchanged.

        Raises ValueError for a length below 0, and for one that `longest` does not return.
        """
        if length < 0:
            raise ValueError(f"crop({length}): a cache keeps 0 tokens or more")
        if length < self.length:
            if (near := self.longest(length)) != length:
                raise ValueError(
                    f"crop({length}) of {self.length} tokens: linear attention has added them up in a state, of which only the last call can be "
                    f"taken back whole; crop({near}), and run the tokens after it again"
                )
            self.length = length  # the next call overwrites the layers' later rows
            self.padding_mask = None if self.padding_mask is None else self.padding_mask[..., :length]

    def longest(self, length):  # -> int
        """The longest length, up to this one, that `crop` can go back to: with linear attention where the last call began, or 0; else any."""
        kept = [{layer.began, layer.ended} for layer in self.layers.values() if layer.state is not None]
        return length if not kept or length >= self.length else max(n for n in {0}.union(set.intersection(*kept)) if n <= length)

    def begin(self, n_tokens, memory=None, batch=()):
        """Prepare for `n_tokens` more tokens of texts in this batch; rows of a call that failed are dropped.

        Raises ValueError for more tokens than max_len, for a batch of another shape than that of the first call, and for another
        memory than that of the first call, or none: the cache holds its keys and values.
        """
        if self.max_len is not None and self.length + n_tokens > self.max_len:
            raise ValueError(f"{self.length + n_tokens} tokens and a cache of max_len={self.max_len}; raise it, or leave it out and the cache grows")
        if self.length == 0:
            self.layers, self.memory, self.batch = {}, memory, batch  # a first call may have failed half-way
        elif memory is None and self.memory is not None:
            raise ValueError("the cache was begun with a memory and this call has none; hand in the same tensor each time, or begin a new Cache()")
        elif memory is not self.memory:
            raise ValueError("the cache keeps the keys and values of another memory; hand in the same tensor each time, or begin a new Cache()")
        elif batch != self.batch:
            raise ValueError(f"the cache has a batch of the shape {tuple(self.batch)}, and this one is {tuple(batch)}; begin a new Cache()")


class LayerCache:
    """One block's keys and values, and those of the memory for its cross-attention; with linear attention its state."""

    def __init__(self, max_len):
        self.max_len, self.key, self.value, self.memory_kv = max_len, None, None, None
        self.state, self.ended = None, 0  # of linear attention, and after how many tokens it is so
        self.state_before, self.began = None, 0  # where the last call began, for it may fail in a later block

    def state_at(self, length):
        """The state after so many tokens: where the last call ended, or where it began."""
        return self.state if length == self.ended else self.state_before

    def keep_state(self, start, end, state):
        """Store the state after a call from `start` to `end`."""
        self.state_before, self.began = self.state_at(start), start
        self.state, self.ended = state, end

    def extend(self, key, value, start):  # (..., T, d_k) (..., T, d_v) -> (..., S, d_k) (..., S, d_v)
        """Store the new rows after the first `start`, and return all rows so far."""
        if self.max_len is None:
            # rows after `start` were cropped, or belong to a call that failed
            self.key = key if start == 0 else torch.cat([self.key[..., :start, :], key], -2)
            self.value = value if start == 0 else torch.cat([self.value[..., :start, :], value], -2)
            return self.key, self.value
        if start == 0:
            self._allocate(key, value)
        count = key.shape[-2]
        self.key.narrow(-2, start, count).copy_(key)
        self.value.narrow(-2, start, count).copy_(value)
        return self.key.narrow(-2, 0, start + count), self.value.narrow(-2, 0, start + count)

    def _allocate(self, key, value):
        self.key, self.value = (rows.new_empty(*rows.shape[:-2], self.max_len, rows.shape[-1]) for rows in (key, value))


class PagedCache(Cache):
    """A paged cache of one text: its rows are stored in blocks of a pool, in any order (PagedAttention: Kwon et al. 2023, 4).

    Args:
        table: the block table: the physical block of each logical one.
        block_size: tokens in a block.
        n_blocks: blocks in the pool; None is as many as the table needs.

    Raises ValueError for a block outside the pool, for a block that is twice in the table, for an empty table, and for a block
    size below 1.
    """

    def __init__(self, table, block_size, n_blocks=None):
        if not table or block_size < 1:
            raise ValueError(f"table={list(table)} with block_size={block_size} holds no token; give it at least one block, of at least 1 token")
        n_blocks = max(table) + 1 if n_blocks is None else n_blocks
        if not all(0 <= block < n_blocks for block in table) or len(set(table)) < len(table):
            raise ValueError(f"table={list(table)} of a pool of {n_blocks} blocks; name each of them once at most, from 0 to {n_blocks - 1}")
        super().__init__(len(table) * block_size)
        self.slots = torch.as_tensor(page_slots(np.arange(self.max_len), list(table), block_size=block_size))
        self.n_slots = n_blocks * block_size

    def new_layer(self):  # -> PagedLayerCache
        """An empty pool for one block of the model."""
        return PagedLayerCache(self.slots, self.n_slots)


class PagedLayerCache(LayerCache):
    """The pool of one block of the model; rows are returned in the order of the text."""

    def __init__(self, slots, n_slots):
        super().__init__(n_slots)
        self.slots = slots

    def extend(self, key, value, start):  # (..., T, d_k) (..., T, d_v) -> (..., S, d_k) (..., S, d_v)
        """Store the new rows in their slots, and return all rows so far."""
        if start == 0:
            self._allocate(key, value)
            self.slots = self.slots.to(key.device)
        end = start + key.shape[-2]
        for store, rows in ((self.key, key), (self.value, value)):
            store[..., self.slots[start:end], :] = rows
        return self.key[..., self.slots[:end], :], self.value[..., self.slots[:end], :]


class RingCache(Cache):
    """A cache of the last `window` tokens: each overwrites the one that leaves the window (rolling buffer: Jiang et al. 2023, 2).

    It takes one token a call, and returns the rows of the window in the order of their slots. That order does not matter: keys are rotated
    before they are stored, and `columns` brings a mask or ALiBi's biases into it. Padding takes a slot too.

    Args:
        window: how many tokens each may attend to, itself among them.

    Raises ValueError for a window below 1.
    """

    def __init__(self, window):
        if window < 1:
            raise ValueError(f"window={window} leaves no token to attend to, not even itself; give it at least 1")
        super().__init__()
        self.window = window

    def begin(self, n_tokens, memory=None, batch=()):
        """As `Cache.begin`. Raises ValueError for more than one token: the first of them would be overwritten before it is read."""
        if n_tokens != 1:
            raise ValueError(f"{n_tokens} tokens at once and a ring of {self.window} slots; hand them in one by one")
        super().begin(n_tokens, memory, batch)

    def crop(self, length):
        """As `Cache.crop`. Raises ValueError also where a token that would return to the window has been overwritten."""
        if 0 <= length < self.length - 1 and self.length > self.window:
            raise ValueError(
                f"crop({length}) of a ring of {self.window} slots that has taken {self.length} tokens: it has overwritten some that the next token "
                f"may attend to; crop one at most, or run the text anew in a new RingCache({self.window})"
            )
        super().crop(length)

    def columns(self, mask):  # (..., 1, S) or None -> (..., 1, at most the window)
        """As `Cache.columns`: slot s holds the last row whose index is s modulo the window."""
        if mask is None or mask.shape[-1] <= self.window:
            return mask
        last = mask.shape[-1] - 1
        return mask[..., last - (last - torch.arange(self.window, device=mask.device)) % self.window]

    def new_layer(self):  # -> RingLayerCache
        """An empty ring for one block."""
        return RingLayerCache(self.window)


class RingLayerCache(LayerCache):
    """The ring of one block."""

    def extend(self, key, value, start):  # (..., 1, d_k) (..., 1, d_v) -> (..., S, d_k) (..., S, d_v), S at most the window
        """Store the new row in its slot, and return the rows of the window."""
        if start == 0:
            self._allocate(key, value)
        slot, filled = start % self.max_len, min(start + 1, self.max_len)
        self.key[..., slot : slot + 1, :] = key
        self.value[..., slot : slot + 1, :] = value
        return self.key[..., :filled, :], self.value[..., :filled, :]
