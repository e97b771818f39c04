"""Multi-head latent attention (MLA; DeepSeek-V2: DeepSeek-AI 2024, 2.1): the keys and values of all heads are made from one short row a token.

Without a cache the keys and values are made (the expanded form). With one it holds the short rows, and the queries attend to them as they are (the
absorbed form): no key and no value of an earlier token is made again.
"""

import torch

from pencil.model.attending import QKV, attention
from pencil.model.attention_context import attention_context
from pencil.model.config import Config
from pencil.model.functional import norm_of, normalized
from pencil.model.masks import check_axes, check_mask, in_window, with_causal
from pencil.model.module import Module, check_eval, check_fit, check_rows, config_of, linear, linear_arrays, named
from pencil.model.positions import apply_rope, position_encoding_of
from pencil.note import scoped
from pencil.reference.latent import check_latent


class LatentAttention(Module):
    """Multi-head latent attention of the tokens of a text to one another. A cache holds `latent_dim` + `rope_dim` numbers for a token.

    Args:
        sizes: a Config with a latent_dim, or LatentAttentionParams, of which the shapes are used.
        config: a BlockConfig, of which the `position_encoding` and, for the short rows, the `norm` and eps are used;
            only beside params, where None is BlockConfig().
        dropout: the probability that an attention weight is dropped, in training.

    Raises ValueError for heads of different widths and as `reference.latent_attention` does.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0):
        super().__init__()
        params, config = sizes.attention_params() if isinstance(sizes, Config) else sizes, config_of(sizes, config)
        check_latent(params, config.position_encoding)
        _check_widths(params)
        head, self.n_heads, self.dropout = params.heads[0], len(params.heads), dropout
        (self.latent_dim, self.d_model), self.d_k, self.d_v = params.down.shape, len(head.key), len(head.value)
        self.rope_dim = 0 if params.rotary_key is None else len(params.rotary_key)
        self.down = linear(self.latent_dim + self.rope_dim, self.d_model, False)
        self.query_down = None if params.query_down is None else linear(*params.query_down.shape, False)
        self.query = linear(self.n_heads * (self.d_k + self.rope_dim), head.query.shape[1], False)
        self.key_value = linear(self.n_heads * (self.d_k + self.d_v), self.latent_dim, False)
        self.output = linear(*params.output.shape, params.output_bias is not None)
        self.norm = norm_of(params.norm, config, self.latent_dim)
        self.query_norm = norm_of(params.query_norm, config, head.query.shape[1])
        self.position_encoding, self.window = position_encoding_of(config, self.n_heads, self.rope_dim), config.window
        self.score_width = config.score_width or self.d_k + self.rope_dim

    def forward(self, x, *, mask=None, causal=False, layer_cache=None, attn_context=None, note=None):  # (…, T, d) (…, T, S) -> (…, T, d)
        """The output row of each position; the arguments are those of `MultiHeadAttention.forward`.

        Raises ValueError for rows of another width, for a mask of numbers or with more axes than x and, with a note, for a fully masked row.
        """
        self.check(x)
        if note is not None:
            return self._noted(x, mask, causal, note)
        if attn_context is None:
            attn_context = self.attention_context(x, mask=mask, causal=causal)
        latent, rotary_key = self.down(x).unsqueeze(-3).split((self.latent_dim, self.rope_dim), -1)  # as of one head
        latent, rows = normalized(self.norm, latent), x if self.query_down is None else normalized(self.query_norm, self.query_down(x))
        query, rotary_query = self._split(self.query(rows)).split((self.d_k, self.rope_dim), -1)
        if attn_context.rotation is not None:
            rotary_query, rotary_key = (apply_rope(part, *attn_context.rotation) for part in (rotary_query, rotary_key))
        attend = self._expanded
        if layer_cache is not None:
            (rotary_key, latent), attend = layer_cache.extend(rotary_key, latent, attn_context.start), self._absorbed
        options = {"mask": attn_context.mask, "causal": attn_context.causal, "width": self.score_width}
        options["dropout"] = self.dropout if self.training else 0.0
        return self.output(attend(query, rotary_query, latent, rotary_key, options).transpose(-3, -2).flatten(-2))

    def _expanded(self, query, rotary_query, latent, rotary_key, options):  # (…,H,T,d_k) (…,H,T,d_r) (…,1,S,d_c) (…,1,S,d_r) -> (…,H,T,d_v)
        key, value = self.key_value(latent.squeeze(-3)).split((self.n_heads * self.d_k, self.n_heads * self.d_v), -1)
        key = torch.cat([self._split(key), rotary_key.expand(*rotary_key.shape[:-3], self.n_heads, *rotary_key.shape[-2:])], -1)
        return attention(torch.cat([query, rotary_query], -1), key, self._split(value), **options)

    def _absorbed(self, query, rotary_query, latent, rotary_key, options):  # as `_expanded`
        to_key, to_value = self._head_weights()
        query, key = torch.cat([query @ to_key, rotary_query], -1), torch.cat([latent, rotary_key], -1)
        return attention(query, key, latent, **options) @ to_value.mT

    def _head_weights(self):  # -> (H, d_k, d_c) (H, d_v, d_c)
        key, value = self.key_value.weight.split((self.n_heads * self.d_k, self.n_heads * self.d_v))
        return key.unflatten(0, (self.n_heads, -1)), value.unflatten(0, (self.n_heads, -1))

    def _split(self, rows):  # (..., T, H·width) -> (..., H, T, width)
        return rows.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def attention_context(self, x, *, mask=None, causal=False, start=0, positions=None):  # -> AttentionContext
        """The masks and position tables of this layer, see `attending.attention_context`; layers of a stack share one."""
        own = {"position_encoding": self.position_encoding, "window": self.window}
        return attention_context(x, mask=mask, causal=causal, start=start, positions=positions, **own)

    def _noted(self, x, mask, causal, note):
        check_eval(self, note)
        check_mask(mask)
        check_axes(mask, x)
        if causal:
            mask = with_causal(mask, x.shape[-2], x.shape[-2], x.device)
        mask = in_window(mask, x.shape[-2], x.shape[-2], self.window, x.device)
        latent, rotary_key = self.down(x).split((self.latent_dim, self.rope_dim), -1)
        latent = normalized(self.norm, note("latent", latent), scoped(note, "latent_norm"))
        rows = x
        if self.query_down is not None:
            rows = normalized(self.query_norm, note("query_latent", self.query_down(x)), scoped(note, "query_latent_norm"))
        rotary_key = note("rotary_key", rotary_key) if self.rope_dim else None
        queries, weights, outputs = self._split(self.query(rows)), zip(*self._head_weights(), strict=True), []
        for h, (to_key, to_value) in enumerate(weights):
            head_note = note if self.n_heads == 1 else scoped(note, f"head{h + 1}")
            query, rotary_query = head_note("query", queries.select(-3, h)).split((self.d_k, self.rope_dim), -1)
            if self.rope_dim and self.position_encoding is not None:
                rotary_query, turned = self.position_encoding.rotate(rotary_query, None if h else rotary_key, head_note)
                rotary_key = rotary_key if turned is None else turned  # once: it is the same in all heads
            key, value = head_note("key", latent @ to_key.mT), head_note("value", latent @ to_value.mT)
            if self.rope_dim:
                query, key = (
                    head_note("query.joined", torch.cat([query, rotary_query], -1)),
                    head_note("key.joined", torch.cat([key, rotary_key], -1)),
                )
            score_mod = None if self.position_encoding is None else self.position_encoding.score_mod(h)
            outputs.append(attention(query, key, value, mask=mask, score_mod=score_mod, width=self.score_width, note=head_note))
        concat = outputs[0] if self.n_heads == 1 else note("concat", torch.cat(outputs, -1))
        return named(note, "attn_out", self.output(concat))

    def check(self, x):
        """Raise ValueError for rows of another width, and for a single row without an axis of positions."""
        check_rows(x, self.d_model, "latent's")

    def arrays(self):
        """head1.query, … , down, rotary_key, query_down, output, its bias, norm, query_norm; those of the heads are slices of joint projections."""
        slices = zip(self.query.weight.unflatten(0, (self.n_heads, -1)), *self._head_weights(), strict=True)
        views = {f"head{h}.{name}": view for h, parts in enumerate(slices, start=1) for name, view in zip(QKV, parts, strict=True)}
        views["down"] = self.down.weight[: self.latent_dim]
        if self.rope_dim:
            views["rotary_key"] = self.down.weight[self.latent_dim :]
        if self.query_down is not None:
            views["query_down"] = self.query_down.weight
        return views | linear_arrays(self.output, "output") | super().arrays()  # the norms


def _check_widths(params):  # torch runs all heads at once
    first = params.heads[0]
    for h, head in enumerate(params.heads, start=1):
        for name in QKV:
            shape, wanted = getattr(head, name).shape, getattr(first, name).shape
            if shape != wanted:
                raise ValueError(
                    f"head{h}.{name} is {tuple(shape)} and head1.{name} {tuple(wanted)}; torch runs all heads at once: give them one shape"
                )
    d_c, d_model = params.down.shape
    for name, weight in (("head1.key", first.key), ("head1.value", first.value)):
        check_fit("the latent", d_c, name, weight)
    if params.rotary_key is not None:
        check_fit("the row", d_model, "rotary_key", params.rotary_key)
    if params.query_down is not None:
        check_fit("the row", d_model, "query_down", params.query_down)
    check_fit("what the queries are made from", d_model if params.query_down is None else len(params.query_down), "head1.query", first.query)
    check_fit("the concatenation of the heads", len(params.heads) * len(first.value), "the output weight", params.output, out=d_model)
