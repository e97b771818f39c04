"""A layer of linear attention with the gated delta rule: Gated DeltaNet (Yang et al. 2025), as three of four layers in Qwen3-Next.

A cache holds one state for each head, however long the text is, and the last rows that the convolution still sees.
"""

import torch
import torch.nn.functional as F
from torch import nn

from pencil.model.attention_context import AttentionContext
from pencil.model.config import Config
from pencil.model.fast_weights import chunked_attention, recurrent_attention
from pencil.model.functional import norm_of, normalized
from pencil.model.masks import can_inspect, causal_mask, check_axes, check_mask, check_padding_at_end
from pencil.model.module import Module, check_fit, check_rows, config_of, linear, linear_arrays, named, new_embedding
from pencil.note import scoped
from pencil.reference.delta_net import UNIT_EPS, check_delta_heads

CHUNK_SIZE = 64  # tokens that are worked out at once (as in Qwen3-Next)
PARTS = ("query", "key", "value")
FASTEST = 16  # e^log_rate of a new head is at most this (as in Qwen3-Next)


class GatedDeltaNet(Module):
    """Linear attention with the gated delta rule, in several heads; a token sees itself and those before it.

    Args:
        sizes: a Config with linear_layers, or GatedDeltaNetParams, of which the shapes are used.
        config: a BlockConfig, of which the `norm` and eps are used, for the heads' contexts; only beside params, where None is BlockConfig().
        dropout: of attention weights, of which there are none here.

    Raises ValueError for heads of different widths, for groups of different sizes and as `reference.gated_delta_net` does.
    """

    window = position_encoding = None  # of attention with scores

    def __init__(self, sizes, config=None, *, dropout=0.0):
        super().__init__()
        params, config = sizes.linear_attention_params() if isinstance(sizes, Config) else sizes, config_of(sizes, config)
        check_delta_heads(params)
        _check_shapes(params)
        head, self.n_heads = params.heads[0], len(params.heads)
        self.n_key_heads = sum(one.query is not None for one in params.heads)
        (self.d_k, self.d_model), (self.d_v, self.conv_size) = head.query.shape, head.value_conv.shape
        self.widths = [self.n_key_heads * self.d_k, self.n_key_heads * self.d_k, self.n_heads * self.d_v]
        self.qkv = linear(sum(self.widths), self.d_model, False)
        self.conv = new_embedding(torch.empty(sum(self.widths), self.conv_size, device="meta"))
        self.beta_decay = linear(2 * self.n_heads, self.d_model, False)
        self.decay_bias = nn.Parameter(torch.ones(self.n_heads))
        self.log_rate = nn.Parameter(torch.empty(self.n_heads).uniform_(0.01, FASTEST).log())
        self.gate, self.output = linear(*params.gate.shape, False), linear(*params.output.shape, params.output_bias is not None)
        self.norm = norm_of(params.norm, config, self.d_v)

    def forward(  # (…, T, d) -> (…, T, d)
        self, x, *, mask=None, padding_mask=None, causal=False, layer_cache=None, attn_context=None, note=None
    ):
        """The output row of each position.

        Args:
            x: (…, T, d) rows.
            mask: (…, T, S) bool, which has to let each position see all tokens before it.
            padding_mask: (…, T) bool, False for padding, which writes nothing; with a note it is at the end of a text.
            causal: whether a position sees none behind itself: True, or the mask says so.
            layer_cache: this layer's LayerCache, from a stack.
            attn_context: an AttentionContext, from a stack, of which only the `start` is used.
            note: a function of (name, value); with several heads the names have head1., head2., … in front.

        Raises ValueError for rows of another width, and for a mask that lets a position see later tokens, or not all earlier ones.
        """
        self.check(x)
        _check_left_to_right(x, mask, padding_mask, causal)
        if note is not None:
            return self._noted(x, padding_mask, note)
        start = 0 if attn_context is None else attn_context.start
        order = None if padding_mask is None else (~padding_mask).byte().argsort(dim=-1, stable=True).unsqueeze(-1)  # the tokens first
        x = x if order is None else x.take_along_dim(order, -2)
        n_tokens = None if order is None else padding_mask.sum(-1, keepdim=True)
        rows, state = (None, None) if start == 0 else layer_cache.state_at(start)
        (query, key, value), rows = self._convolved(self.qkv(x), rows, n_tokens)
        beta, decay = self._gates(x, n_tokens)
        wide = beta.dtype  # of the state too
        query, key, value = _unit(query.to(wide)) / self.d_k**0.5, _unit(key.to(wide)), value.to(wide)
        how = {"chunk_size": CHUNK_SIZE} if x.shape[-2] > 1 else {}
        context, state = (chunked_attention if how else recurrent_attention)(query, key, value, beta=beta, decay=decay, state=state, **how)
        if layer_cache is not None:
            layer_cache.keep_state(start, start + x.shape[-2], (rows, state))
        concat = normalized(self.norm, context.to(x.dtype)).transpose(-3, -2).flatten(-2)
        out = self.output(concat * F.silu(self.gate(x)))
        return out if order is None else out.take_along_dim(order.argsort(-2), -2)

    def _convolved(self, rows, before, n_tokens):  # (…, T, C) -> (…, H, T, d_k) twice and (…, H, T, d_v), and the rows that the next token sees
        before = rows.new_zeros(*rows.shape[:-2], self.conv_size - 1, rows.shape[-1]) if before is None else before
        joined = torch.cat([before, rows], -2)
        mixed = F.silu((joined.unfold(-2, self.conv_size, 1) * self.conv).sum(-1))
        query, key, value = mixed.split(self.widths, -1)
        group = self.n_heads // self.n_key_heads
        shared = (self._split(part, self.d_k).repeat_interleave(group, -3) for part in (query, key))
        if n_tokens is None:
            return (*shared, self._split(value, self.d_v)), joined[..., rows.shape[-2] :, :]
        last = n_tokens + torch.arange(self.conv_size - 1, device=rows.device)
        return (*shared, self._split(value, self.d_v)), joined.take_along_dim(last.unsqueeze(-1), -2)

    def _gates(self, x, n_tokens):  # (…, T, d) -> beta and decay (…, H, T), in float32 or wider: a decay is near 1
        beta, step = self.beta_decay(x).mT.split(self.n_heads, -2)
        wide = torch.promote_types(x.dtype, torch.float32)
        beta, step = beta.to(wide).sigmoid(), F.softplus(step.to(wide) + self.decay_bias.to(wide)[:, None])
        decay = (-step * self.log_rate.to(wide).exp()[:, None]).exp()
        if n_tokens is None:
            return beta, decay
        is_token = (torch.arange(x.shape[-2], device=x.device) < n_tokens).unsqueeze(-2)
        return torch.where(is_token, beta, 0.0), torch.where(is_token, decay, 1.0)

    def _split(self, rows, width):  # (…, T, H·width) -> (…, H, T, width)
        return rows.unflatten(-1, (-1, width)).transpose(-3, -2)

    def attention_context(self, x, *, start=0, **_):  # -> AttentionContext
        """Of all that the layers of a stack share, the number of tokens before."""
        return AttentionContext(start=start)

    def _noted(self, x, padding_mask, note):
        if padding_mask is not None:
            check_padding_at_end(padding_mask)
        beta, step = self.beta_decay(x).split(self.n_heads, -1)
        beta = note("beta.prob", note("beta.logits", beta).sigmoid())
        rate, step = note("decay.rate", self.log_rate.exp()), note("decay.step", F.softplus(step + self.decay_bias))
        decay = note("decay", (-step * rate).exp())
        contexts, group, made = [], self.n_heads // self.n_key_heads, self._noted_parts(self.qkv(x))
        for h in range(self.n_heads):
            head_note = note if self.n_heads == 1 else scoped(note, f"head{h + 1}")
            if h % group == 0:
                query, key = (_noted_unit(made(name, h // group, head_note), name, head_note) for name in ("query", "key"))
                query = head_note("query.scaled", query / self.d_k**0.5)
            how = {"beta": beta[..., h], "decay": decay[..., h]}
            context, _ = recurrent_attention(query, key, made("value", h, head_note), **how, note=head_note)
            contexts.append(normalized(self.norm, context, scoped(head_note, "context_norm")))
        concat = contexts[0] if self.n_heads == 1 else note("concat", torch.cat(contexts, -1))
        gate = note("attn_gate.activated", F.silu(note("attn_gate", self.gate(x))))
        return named(note, "attn_out", self.output(note("gated_concat", concat * gate)))

    def _noted_parts(self, rows):  # (…, T, C) -> a function that gives the query, key or value of a head, with its steps named
        parts = zip(PARTS, rows.split(self.widths, -1), self.conv.split(self.widths), self._part_widths(), strict=True)
        split = {name: (part.unflatten(-1, (-1, width)), conv.unflatten(0, (-1, width))) for name, part, conv, width in parts}

        def made(name, h, note):
            part, conv = split[name]
            joined = F.pad(note(name, part[..., h, :]), (0, 0, self.conv_size - 1, 0))
            mixed = note(f"{name}.conv", (joined.unfold(-2, self.conv_size, 1) * conv[h]).sum(-1))
            return note(f"{name}.activated", F.silu(mixed))

        return made

    def _part_widths(self):
        return self.d_k, self.d_k, self.d_v

    def check(self, x):
        """Raise ValueError for rows of another width, and for a single row without an axis of positions."""
        check_rows(x, self.d_model, "query")

    def arrays(self):
        """head1.query, head1.query_conv, … , beta, decay, decay_bias, log_rate, gate, output, its bias, norm.gain; of the heads as slices."""
        views, group = {}, self.n_heads // self.n_key_heads
        for suffix, joint in (("", self.qkv.weight), ("_conv", self.conv)):
            parts = zip(PARTS, joint.split(self.widths), self._part_widths(), (group, group, 1), strict=True)
            for name, part, width, every in parts:  # a group's query and key belong to its first head
                rows = part.unflatten(0, (-1, width))
                views |= {f"head{h * every + 1}.{name}{suffix}": view for h, view in enumerate(rows)}
        views["beta"], views["decay"] = self.beta_decay.weight.split(self.n_heads)
        views |= {"decay_bias": self.decay_bias, "log_rate": self.log_rate, "gate": self.gate.weight}
        return views | linear_arrays(self.output, "output") | super().arrays()  # the norm


def _unit(rows):  # (…, T, d) -> (…, T, d)
    return rows / (rows.square().sum(-1, keepdim=True) + UNIT_EPS).sqrt()


def _noted_unit(rows, name, note):
    length = note(f"{name}.length", (rows.square().sum(-1, keepdim=True) + UNIT_EPS).sqrt())
    return note(f"{name}.unit", rows / length)


def _check_left_to_right(x, mask, padding_mask, causal):
    check_mask(mask)
    check_axes(mask, x)
    length, fits = x.shape[-2], mask is not None or causal or x.shape[-2] == 1
    if mask is not None and can_inspect(mask):
        before = True if causal and mask.shape[-2] == 1 else causal_mask(length, device=x.device)  # a mask of keys
        wanted = before if padding_mask is None else before & padding_mask.unsqueeze(-2)
        seen = mask[..., -length:]
        fits = bool(((seen & before if causal else seen) == wanted).all())
    if not fits:
        raise ValueError("linear attention reads a text from left to right; set causal=True, and mask padding alone, by the padding_mask")


def _check_shapes(params):  # torch runs all heads at once
    first, group = params.heads[0], len(params.heads) // sum(head.query is not None for head in params.heads)
    for h, head in enumerate(params.heads):
        if (head.query is None) != (h % group > 0):
            raise ValueError(f"head{h + 1}: torch shares queries and keys in groups of one size, each led by a head that has its own")
        for name in ("query", "query_conv", "key", "key_conv", "value", "value_conv") if h % group == 0 else ("value", "value_conv"):
            shape, wanted = getattr(head, name).shape, getattr(first, name).shape
            if shape != wanted:
                raise ValueError(
                    f"head{h + 1}.{name} is {tuple(shape)} and head1.{name} {tuple(wanted)}; torch runs all heads at once: give them one shape"
                )
    d_k, d_model = first.query.shape
    check_fit("the row", d_model, "head1.key", first.key, out=d_k)
    check_fit("the row", d_model, "head1.value", first.value)
    for name, rows in (("query", d_k), ("key", d_k), ("value", len(first.value))):
        check_fit("the convolution", first.value_conv.shape[-1], f"head1.{name}_conv", getattr(first, f"{name}_conv"), out=rows)
    concat = len(params.heads) * len(first.value)
    check_fit("the row", d_model, "the gate", params.gate, out=concat)
    check_fit("the concatenation of the heads", concat, "the output weight", params.output, out=d_model)
