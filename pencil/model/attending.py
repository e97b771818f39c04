"""Scaled dot-product attention and multi-head attention (Vaswani et al. 2017, 3.2).

`attention` is one head. `MultiHeadAttention` makes the queries, keys and values of all heads in one projection, runs the heads
side by side, and projects their concatenated outputs. `AttentionContext` has the masks and the position tables of a forward
pass without a note: a stack computes it once for all its blocks.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F

from pencil.model.config import Config
from pencil.model.functional import norm_of
from pencil.model.heads import QKV, check_heads, check_noted, is_grouped
from pencil.model.masks import check_axes, check_mask, per_head, with_causal
from pencil.model.module import Module, check_eval, config_of, linear, linear_arrays, named
from pencil.model.positions import Alibi, apply_rope, position_encoding_of
from pencil.note import scoped


def attention(query, key, value, *, mask=None, score_mod=None, causal=False, dropout=0.0, note=None):  # (…,T,d_k) (…,S,d_k) (…,S,d_v) -> (…,T,d_v)
    """The average of the values, weighted by softmax(query · key / √d_k) (Vaswani et al. 2017, eq. 1).

    Without a note it is torch's scaled_dot_product_attention; with one each step runs by itself and is named.

    Args:
        query: (…, T, d_k), one row a query.
        key: (…, S, d_k), one row a key; without a note its heads, the third axis from the end, may be fewer: each serves a group.
        value: (…, S, d_v), one row a key.
        mask: (…, T, S) bool, True where a query may attend; without a note it may hold numbers to add to the scores.
        score_mod: a function of (scaled scores, note=) that gives the biased scores; with a note only.
        causal: whether a query sees no key after its own position; the last query stands at the last key.
        dropout: the probability that a weight is dropped, without a note.
        note: a function of (name, value), called with scores, scaled, masked, weights, weighted_values, context.

    Raises ValueError as `check_axes` does; with a note, for dropout, heads in groups, a mask of numbers and a fully masked row; without one, for a
    score_mod (torch's kernel takes it as numbers in the mask) and for a mask of numbers that is to be causal too.
    """
    check_axes(mask, query)
    if note is None:
        if score_mod is not None:
            raise ValueError("a score_mod and no note: add its numbers to the scores by the mask, or give a note")
        if causal and (mask is not None or query.shape[-2] != key.shape[-2]):  # torch's own causal mask takes neither
            mask, causal = with_causal(mask, query.shape[-2], key.shape[-2], query.device), False
        options = {"attn_mask": mask, "is_causal": causal, "dropout_p": dropout, "enable_gqa": is_grouped(query, key)}
        return F.scaled_dot_product_attention(query, key, value, **options)
    check_noted(query, key, dropout)
    scaled = note("scaled", note("scores", query @ key.mT) / key.shape[-1] ** 0.5)  # the width of a key, not of the model
    if score_mod is not None:
        scaled = score_mod(scaled, note=note)
    if causal:
        mask = with_causal(mask, *scaled.shape[-2:], scaled.device)
    if mask is not None:
        check_mask(mask, every_row=True)
        scaled = note("masked", scaled.masked_fill(~mask, -torch.inf))
    weights = note("weights", scaled.softmax(-1))
    weighted_values = note("weighted_values", weights.unsqueeze(-1) * value.unsqueeze(-3))
    return note("context", weighted_values.sum(-2))


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


def attention_context(x, *, mask=None, causal=False, position_encoding=None, start=0, positions=None):  # (..., T, d) (..., T, S) -> AttentionContext
    """Combine the mask, the causal mask and the position encoding into arguments of scaled_dot_product_attention.

    Args:
        x: (…, T, d) rows that the queries are made of.
        mask: (…, T, S) bool, True where a query may attend; of no more axes than x.
        causal: whether a query sees no key behind its own position.
        position_encoding: the layer's Rotary or Alibi, or None.
        start: how many rows the cache holds already.
        positions: (…, S) the position of each row so far in its own text; 0, 1, 2, … if None.

    Raises ValueError for a mask that is not boolean, and as `check_axes` does.
    """
    check_mask(mask)
    check_axes(mask, x)
    queries = x.shape[-2]
    keys = start + queries
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


class MultiHeadAttention(Module):
    """Every head attends to the same rows; the outputs are concatenated and projected (Vaswani et al. 2017, 3.2.2).

    Heads may share keys and values in groups of one size (Ainslie et al. 2023); a cache then holds those of a group once.

    Args:
        sizes: a Config, or AttentionParams, of which the shapes are used.
        config: a BlockConfig, of which the `position_encoding` and, for queries and keys, the `norm` and eps are used; see `config_of` for None.
        dropout: the probability that an attention weight is dropped, in training.
        cross: whether keys and values are made of another text, the `memory`.

    Raises ValueError for heads of different widths, for groups of different sizes and for biases on some projections only: all heads
    run at once.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, cross=False):
        super().__init__()
        params = sizes.attention(cross) if isinstance(sizes, Config) else sizes
        bias = check_heads(params)
        head, self.n_heads, self.dropout = params.heads[0], len(params.heads), dropout
        self.n_kv_heads = sum(one.key is not None for one in params.heads)
        (self.d_k, self.d_model), (self.d_v, source_dim) = head.query.shape, head.value.shape
        self.widths = [self.n_heads * self.d_k, self.n_kv_heads * self.d_k, self.n_kv_heads * self.d_v]
        self.is_cross = cross or source_dim != self.d_model
        if self.is_cross:
            self.query = linear(self.widths[0], self.d_model, bias)
            self.key_value = linear(sum(self.widths[1:]), source_dim, bias)
        else:
            self.qkv = linear(sum(self.widths), self.d_model, bias)
        self.output = linear(*params.output.shape, params.output_bias is not None)
        config = config_of(sizes, config)
        self.position_encoding = None if self.is_cross else position_encoding_of(config, self.n_heads, self.d_k)
        self.query_norm, self.key_norm = (norm_of(norm, config, self.d_k) for norm in (params.query_norm, params.key_norm))

    def forward(self, x, *, mask=None, memory=None, causal=False, layer_cache=None, attn_context=None, note=None):  # (…, T, d) (…, T, S) -> (…, T, d)
        """The output row of each position.

        Args:
            x: (…, T, d) rows that the queries are made of, and without a memory the keys and values too.
            mask: (…, T, S) bool, True where a query may attend, the same for all heads. Two axes are (T, S), for the whole batch;
                a padding mask (B, S) goes through `key_mask` first.
            memory: (…, S, d_memory) rows of another text that the keys and values are made of.
            causal: whether a query sees no row behind its own; not with a memory, whose rows have another order.
            layer_cache: this layer's LayerCache, from a stack.
            attn_context: an AttentionContext, from a stack; computed here if None.
            note: a function of (name, value); with several heads the names have head1., head2., … in front.

        Raises ValueError for rows of another width, for a missing memory or one together with causal, for a mask of numbers or
        with more axes than x and, with a note, for a fully masked row.
        """
        self.check(x)
        if memory is None and self.is_cross:
            raise ValueError("cross-attention without a memory; pass the other text's rows as memory")
        if memory is not None and causal:
            raise ValueError("causal=True and a memory: its rows are another text's, and none is behind a query; leave causal out, or give a mask")
        if note is not None:
            return self._noted(x, mask, note, memory, causal)
        if attn_context is None:
            attn_context = self.attention_context(x, mask=mask, causal=causal, memory=memory)
        query, key, value = self._project(x, memory, layer_cache)
        query, key = _normalized(self.query_norm, query), _normalized(self.key_norm, key)
        if attn_context.rotation is not None:
            query, key = apply_rope(query, *attn_context.rotation), apply_rope(key, *attn_context.rotation)
        if layer_cache is not None and memory is None:
            key, value = layer_cache.extend(key, value, attn_context.start)
        heads = attention(query, key, value, mask=attn_context.mask, causal=attn_context.causal, dropout=self.dropout if self.training else 0.0)
        return self.output(heads.transpose(-3, -2).flatten(-2))

    def attention_context(self, x, *, mask=None, causal=False, memory=None, start=0, positions=None):  # -> AttentionContext
        """The masks and position tables of this layer, see the function of the same name; layers of a stack share one."""
        return attention_context(
            x, mask=mask, causal=causal, position_encoding=self.position_encoding if memory is None else None, start=start, positions=positions
        )

    def _project(self, x, memory, layer_cache=None):  # -> (..., H, T, d_k) (..., H, S, d_k) (..., H, S, d_v)
        if memory is None:
            rows = self.qkv(x)
            if self.d_k == self.d_v:  # all heads by one view
                counts = self.n_heads, self.n_kv_heads, self.n_kv_heads
                heads = rows.view(*rows.shape[:-1], sum(counts), self.d_k).split(counts, -2)
                return tuple(part.transpose(-3, -2) for part in heads)
            query, key, value = rows.split(self.widths, -1)
            return self._split(query, self.d_k), self._split(key, self.d_k), self._split(value, self.d_v)
        to_query, to_key_value = self._cross_projections()
        query = self._split(to_query(x), self.d_k)
        if layer_cache is not None and layer_cache.memory_kv is not None:  # the memory is projected once
            return query, *layer_cache.memory_kv
        key, value = to_key_value(memory).split(self.widths[1:], -1)
        memory_kv = self._split(key, self.d_k), self._split(value, self.d_v)
        if layer_cache is not None:
            layer_cache.memory_kv = memory_kv
        return query, *memory_kv

    def _cross_projections(self):  # -> the projection of the queries, that of keys and values
        if self.is_cross:
            return self.query, self.key_value
        query, key_value = slice(self.widths[0]), slice(self.widths[0], None)
        return (lambda rows: _partial_linear(rows, self.qkv, query)), (lambda rows: _partial_linear(rows, self.qkv, key_value))

    def _split(self, rows, width):  # (..., T, H·width) -> (..., H, T, width)
        return rows.view(*rows.shape[:-1], rows.shape[-1] // width, width).transpose(-3, -2)

    def _noted(self, x, mask, note, memory, causal):
        check_eval(self, note)
        check_mask(mask)
        check_axes(mask, x)
        if causal:
            mask = with_causal(mask, x.shape[-2], x.shape[-2], x.device)
        (queries, keys, values), outputs, group = self._project(x, memory), [], self.n_heads // self.n_kv_heads
        encoding = self.position_encoding if memory is None else None
        for h in range(self.n_heads):
            head_note = note if self.n_heads == 1 else scoped(note, f"head{h + 1}")
            query = _normalized(self.query_norm, head_note("query", queries.select(-3, h)), scoped(head_note, "query_norm"))
            key = None  # in all heads of a group but the first
            if h % group == 0:
                key, value = head_note("key", keys.select(-3, h // group)), head_note("value", values.select(-3, h // group))
                key = _normalized(self.key_norm, key, scoped(head_note, "key_norm"))
            if encoding is not None:
                query, key = encoding.rotate(query, key, head_note)
            if key is not None:
                group_key = key
            score_mod = None if encoding is None else encoding.score_mod(h)
            outputs.append(attention(query, group_key, value, mask=mask, score_mod=score_mod, note=head_note))
        concat = outputs[0] if self.n_heads == 1 else note("concat", torch.cat(outputs, -1))
        return named(note, "attn_out", self.output(concat))

    def check(self, x):
        """Raise ValueError for rows of another width, and for a single row without an axis of positions."""
        if x.shape[-1] != self.d_model or x.dim() < 2:
            raise ValueError(f"x has the shape {tuple(x.shape)}; the query weight reads rows of {self.d_model}: (..., tokens, {self.d_model})")

    def arrays(self):
        """head1.query, … , output, their biases, query_norm, key_norm; those of the heads are slices of the joint projections."""
        found = self._head_arrays("weight", "") | self._head_arrays("bias", "_bias") | linear_arrays(self.output, "output")
        return found | super().arrays()  # the norms

    def _head_arrays(self, kind, suffix):
        fused = [self.query, self.key_value] if self.is_cross else [self.qkv]
        if getattr(fused[0], kind) is None:
            return {}
        parts = [part for layer, widths in zip(fused, self._fused_widths(), strict=True) for part in getattr(layer, kind).split(widths)]
        counts = self.n_heads, self.n_kv_heads, self.n_kv_heads
        heads = [(name, part.unflatten(0, (count, -1)), self.n_heads // count) for name, part, count in zip(QKV, parts, counts, strict=True)]
        return {  # a group's key and value belong to its first head
            f"head{h + 1}.{name}{suffix}": part[h // group] for h in range(self.n_heads) for name, part, group in heads if h % group == 0
        }

    def _fused_widths(self):
        return [self.widths[:1], self.widths[1:]] if self.is_cross else [self.widths]


def _partial_linear(x, layer, rows):  # some rows of a linear layer's weight
    return F.linear(x, layer.weight[rows], None if layer.bias is None else layer.bias[rows])


def _normalized(norm, rows, note=None):
    return rows if norm is None else norm(rows, note=note)
