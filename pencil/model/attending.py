"""Scaled dot-product attention and multi-head attention (Vaswani et al. 2017, 3.2).

`attention` is one head. `MultiHeadAttention` makes the queries, keys and values of all heads in one projection, runs the heads
side by side, and projects their concatenated outputs.
"""

import torch
import torch.nn.functional as F
from torch import nn

from pencil.model.attention_context import attention_context
from pencil.model.config import Config
from pencil.model.functional import norm_of, normalized
from pencil.model.heads import QKV, check_heads, check_noted, is_grouped
from pencil.model.masks import check_axes, check_mask, in_window, with_causal
from pencil.model.module import Module, check_eval, check_rows, config_of, linear, linear_arrays, named
from pencil.model.positions import apply_rope, position_encoding_of
from pencil.note import scoped


def attention(  # (…,T,d_k) (…,S,d_k) (…,S,d_v) -> (…,T,d_v)
    query, key, value, *, mask=None, score_mod=None, causal=False, sink=None, width=None, dropout=0.0, note=None
):
    """The average of the values, weighted by softmax(query · key / √d_k) (Vaswani et al. 2017, eq. 1).

    Without a note it is torch's scaled_dot_product_attention; with one each step runs by itself and is named.

    Args:
        query: (…, T, d_k), one row a query.
        key: (…, S, d_k), one row a key; without a note its heads, the third axis from the end, may be fewer: each serves a group.
        value: (…, S, d_v), one row a key.
        mask: (…, T, S) bool, True where a query may attend; without a note it may hold numbers to add to the scores.
        score_mod: a function of (scaled scores, note=) that gives the biased scores; with a note only.
        causal: whether a query sees no key after its own position; the last query stands at the last key.
        sink: a score that joins the sum of each row and has no value; without a note also (H, 1, 1), one for each head.
        width: the scores are divided by its root; None is d_k.
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
        if sink is not None:
            key, value, mask, causal = *_with_sink(query, key, value, mask, causal, sink), False
        options = {"attn_mask": mask, "is_causal": causal, "dropout_p": dropout, "enable_gqa": is_grouped(query, key)}
        options["scale"] = None if width is None else width**-0.5
        return F.scaled_dot_product_attention(query, key, value, **options)
    check_noted(query, key, dropout)
    return _noted_attention(query, key, value, mask, score_mod, causal, sink, width, note)


def _noted_attention(query, key, value, mask, score_mod, causal, sink, width, note):
    scaled = note("scaled", note("scores", query @ key.mT) / (width or key.shape[-1]) ** 0.5)  # the width of a key, not of the model
    if score_mod is not None:
        scaled = score_mod(scaled, note=note)
    if causal:
        mask = with_causal(mask, *scaled.shape[-2:], scaled.device)
    if mask is not None:
        check_mask(mask, every_row=True)
        scaled = note("masked", scaled.masked_fill(~mask, -torch.inf))
    if sink is not None:
        scaled = torch.cat([scaled, sink.expand(*scaled.shape[:-1], 1)], -1)
    weights = note("weights", scaled.softmax(-1)[..., : key.shape[-2]])
    weighted_values = note("weighted_values", weights.unsqueeze(-1) * value.unsqueeze(-3))
    return note("context", weighted_values.sum(-2))


def _with_sink(query, key, value, mask, causal, sink):  # -> key and value with a row of zeros more, and numbers to add, with the sink's column
    if causal:
        mask = with_causal(None, query.shape[-2], key.shape[-2], query.device)
    mask = query.new_ones(1, 1, dtype=torch.bool) if mask is None else mask
    added = torch.zeros_like(mask, dtype=query.dtype).masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else mask
    batch = torch.broadcast_shapes(added.shape[:-2], sink.shape[:-2])
    column = sink.to(query.dtype).expand(*batch, query.shape[-2], 1)
    key, value = (torch.cat([rows, torch.zeros_like(rows[..., :1, :])], -2) for rows in (key, value))
    return key, value, torch.cat([added.expand(*batch, query.shape[-2], key.shape[-2] - 1), column], -1)


class MultiHeadAttention(Module):
    """Every head attends to the same rows; the outputs are concatenated and projected (Vaswani et al. 2017, 3.2.2).

    Heads may share keys and values in groups of one size (Ainslie et al. 2023); a cache then holds those of a group once.

    Args:
        sizes: a Config, or AttentionParams, of which the shapes are used.
        config: a BlockConfig, of which the `position_encoding` and, for queries and keys, the `norm` and eps are used;
            only beside params, where None is BlockConfig().
        dropout: the probability that an attention weight is dropped, in training.
        cross: whether keys and values are made of another text, the `memory`.

    Raises ValueError for heads of different widths, for groups of different sizes and for biases on some projections only: all heads
    run at once.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, cross=False):
        super().__init__()
        params = sizes.attention_params(cross) if isinstance(sizes, Config) else sizes
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
        self.gate = None if params.gate is None else linear(*params.gate.shape, params.gate_bias is not None)
        self.sinks = None if params.sinks is None else nn.Parameter(torch.zeros(self.n_heads))
        config = config_of(sizes, config)
        self.position_encoding = None if self.is_cross else position_encoding_of(config, self.n_heads, self.d_k)
        self.window, self.score_width = config.window, config.score_width
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
        query, key = normalized(self.query_norm, query), normalized(self.key_norm, key)
        if attn_context.rotation is not None:
            query, key = apply_rope(query, *attn_context.rotation), apply_rope(key, *attn_context.rotation)
        if layer_cache is not None and memory is None:
            key, value = layer_cache.extend(key, value, attn_context.start)
        options = {"mask": attn_context.mask, "causal": attn_context.causal, "width": self.score_width}
        options |= {"sink": None if self.sinks is None else self.sinks[:, None, None], "dropout": self.dropout if self.training else 0.0}
        heads = attention(query, key, value, **options)
        concat = heads.transpose(-3, -2).flatten(-2)
        return self.output(concat if self.gate is None else concat * self.gate(x).sigmoid())

    def attention_context(self, x, *, mask=None, causal=False, memory=None, start=0, positions=None):  # -> AttentionContext
        """The masks and position tables of this layer, see the function of the same name; layers of a stack share one."""
        own = {"position_encoding": self.position_encoding, "window": self.window} if memory is None else {}
        return attention_context(x, mask=mask, causal=causal, start=start, positions=positions, **own)

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
        if memory is None:
            mask = in_window(mask, x.shape[-2], x.shape[-2], self.window, x.device)
        (queries, keys, values), outputs, group = self._project(x, memory), [], self.n_heads // self.n_kv_heads
        encoding = self.position_encoding if memory is None else None
        for h in range(self.n_heads):
            head_note = note if self.n_heads == 1 else scoped(note, f"head{h + 1}")
            query = normalized(self.query_norm, head_note("query", queries.select(-3, h)), scoped(head_note, "query_norm"))
            key = None  # in all heads of a group but the first
            if h % group == 0:
                key, value = head_note("key", keys.select(-3, h // group)), head_note("value", values.select(-3, h // group))
                key = normalized(self.key_norm, key, scoped(head_note, "key_norm"))
            if encoding is not None:
                query, key = encoding.rotate(query, key, head_note)
            if key is not None:
                group_key = key
            score_mod = None if encoding is None else encoding.score_mod(h)
            options = {"score_mod": score_mod, "sink": None if self.sinks is None else self.sinks[h], "width": self.score_width}
            outputs.append(attention(query, group_key, value, mask=mask, **options, note=head_note))
        concat = outputs[0] if self.n_heads == 1 else note("concat", torch.cat(outputs, -1))
        if self.gate is not None:
            gate = note("attn_gate", self.gate(x))
            concat = note("gated_concat", concat * note("attn_gate.prob", gate.sigmoid()))
        return named(note, "attn_out", self.output(concat))

    def check(self, x):
        """Raise ValueError for rows of another width, and for a single row without an axis of positions."""
        check_rows(x, self.d_model, "query")

    def arrays(self):
        """head1.query, … , output, gate, their biases, sinks, query_norm, key_norm; those of the heads are slices of the joint projections."""
        views = self._head_arrays("weight", "") | self._head_arrays("bias", "_bias") | linear_arrays(self.output, "output")
        views |= ({} if self.gate is None else linear_arrays(self.gate, "gate")) | ({} if self.sinks is None else {"sinks": self.sinks})
        return views | super().arrays()  # the norms

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
