"""Attention (Vaswani et al. 2017): scaled dot-product attention, the projections to query, key and value, and several heads.

Here T is the number of queries, S of keys and values, d_k the width of a query or key, d_v of a value. `...` is a batch.
"""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import Array, check_mask, shapes
from pencil.reference.functional import LayerNormParams, layer_norm, linear, sigmoid, softmax
from pencil.reference.positions import check_position_encoding


@shapes("... T d_k, ... S d_k -> ... T S")
def attention_scores(query, key, *, note=no_note):
    """The dot product of every query with every key (Vaswani et al. 2017, 3.2.1). Raises ValueError for shapes that do not fit."""
    return note("scores", query @ key.swapaxes(-1, -2))


@shapes("... T S, ... S d_v -> ... T d_v")
def weighted_sum(weights, value, *, note=no_note):
    """Weights @ value, with the products named (Vaswani et al. 2017, 3.2.1). Raises ValueError unless each value has a weight."""
    weighted_values = note("weighted_values", weights[..., :, None] * value[..., None, :, :])
    return note("context", weighted_values.sum(-2))


@shapes("... T d_k, ... S d_k, ... S d_v -> ... T d_v")
def attention(query, key, value, *, mask=None, score_mod=None, sink=None, width=None, softmax=softmax, note=no_note):
    """Scaled dot-product attention: softmax(query @ keyᵀ / √d_k) @ value (Vaswani et al. 2017, eq. 1).

    - `query`, `key`, `value`: one row for each token; as many values as keys
    - `mask`: bool, broadcast to (..., T, S): True where a query may attend to a key; two axes are (T, S). None masks nothing
    - `score_mod`: a function of (scaled scores, note=) that changes them before the mask, such as `Alibi.score_mod`
    - `sink`: a score that joins the sum of each row and has no value, as in `softmax`; None where there is none
    - `width`: the scores are divided by its root; None is d_k
    - `softmax`: `softmax` or, for large scores, `stable_softmax`

    Raises ValueError for shapes or a mask that do not fit, and for a query that may attend to nothing.
    """
    scores = attention_scores(query, key, note=note)
    scaled = note("scaled", scores / (width or key.shape[-1]) ** 0.5)  # the width of a key, not of the model
    if score_mod is not None:
        scaled = score_mod(scaled, note=note)
    if mask is not None:
        check_mask(mask, scores.shape)
        scaled = note("masked", np.where(mask, scaled, -np.inf))
    weights = softmax(scaled, note=note) if sink is None else softmax(scaled, sink=sink, note=note)
    return weighted_sum(weights, value, note=note)


@dataclass(frozen=True)
class QKVParams:
    """The projections of one head: weight matrices (numbers out, numbers in), with or without biases.

    A head without `key` and `value` shares those of the head before it (grouped-query attention: Ainslie et al. 2023).
    """

    query: Array  # (d_k, d_model)
    key: Array | None = None  # (d_k, d_model)
    value: Array | None = None  # (d_v, d_model)
    query_bias: Array | None = None  # (d_k,)
    key_bias: Array | None = None  # (d_k,)
    value_bias: Array | None = None  # (d_v,)


def check_own(head):
    """Raise ValueError for QKVParams with a key or a value and not the other, and with a bias for a key or value that it does not have."""
    if (head.key is None) != (head.value is None):
        raise ValueError("a head has a key or a value, and not the other; give it both, or neither and it shares those of the head before it")
    if head.key is None and not (head.key_bias is None and head.value_bias is None):
        raise ValueError("a head without key and value has a bias for them, which nothing would add; leave it out, or give it its key and value")


@shapes("... T d_model, memory?: ... S d_memory -> ... T d_k, ... S d_k, ... S d_v")
def qkv(x, params, *, memory=None, note=no_note):
    """Query, key and value of every token (Vaswani et al. 2017, 3.2.2); key and value are None for a head that has none of its own.

    - `x`: one row for each token
    - `params`: the projections of a head
    - `memory`: the rows of another text, from which keys and values are made; None makes them from `x`

    Raises ValueError for a projection that does not read the width of its rows, for a head with a key or a value and not the other, and
    for a bias of a key or value that a head does not have.
    """
    return _project_qkv(x, x if memory is None else memory, params, note=note)


@shapes(
    "... T d_model, ... S d_memory, params.query: d_k d_model, params.key?: d_k d_memory, params.value?: d_v d_memory, "
    "params.query_bias?: d_k, params.key_bias?: d_k, params.value_bias?: d_v -> ... T d_k, ... S d_k, ... S d_v",
    name="qkv",
)
def _project_qkv(x, memory, params, *, note):
    check_own(params)
    query = note("query", linear(x, params.query, params.query_bias))
    if params.key is None:
        return query, None, None
    return query, note("key", linear(memory, params.key, params.key_bias)), note("value", linear(memory, params.value, params.value_bias))


@shapes("... T d_model -> ... T d_v")
def self_attention(x, params, *, mask=None, position_encoding=None, softmax=softmax, note=no_note):
    """Attention of the tokens of a text to one another (Vaswani et al. 2017, 3.2.3).

    - `x`: one row for each token
    - `params`: the projections of one head
    - `mask`, `softmax`: as in `attention`
    - `position_encoding`: a `Rotary` or an `Alibi`, where positions are encoded inside attention; else None

    Raises ValueError as `qkv` and `attention` do.
    """
    check_position_encoding(position_encoding)
    query, key, value = qkv(x, params, note=note)
    if position_encoding is None:
        return attention(query, key, value, mask=mask, softmax=softmax, note=note)
    query, key = position_encoding.rotate(query, key, note=note)
    return attention(query, key, value, mask=mask, score_mod=position_encoding.score_mod, softmax=softmax, note=note)


@shapes("... T d_model, ... S d_memory -> ... T d_v")
def cross_attention(x, memory, params, *, mask=None, softmax=softmax, note=no_note):
    """Attention of the tokens of one text to those of another (Vaswani et al. 2017, 3.2.3: encoder-decoder attention).

    - `x`: the rows that the queries are made from
    - `memory`: the rows of the other text, that keys and values are made from
    - `params`: the projections of one head
    - `mask`, `softmax`: as in `attention`

    Raises ValueError as `qkv` and `attention` do.
    """
    return attention(*qkv(x, params, memory=memory, note=note), mask=mask, softmax=softmax, note=note)


@dataclass(frozen=True)
class AttentionParams:
    """An attention layer: the projections of each head, and the output projection of their concatenated contexts.

    `query_norm` and `key_norm` normalize each head's queries and keys, all heads with the same gain (QK norm: after Henry et
    al. 2020; as here in Qwen3). `sinks` has one score for each head, which joins the sum of its softmax and has no value (gpt-oss: OpenAI 2025).
    `gate` is a projection of the row, whose sigmoid multiplies the concatenated contexts number by number (Qiu et al. 2025; Qwen3-Next).
    """

    heads: tuple  # of QKVParams
    output: Array  # (d_model, sum of d_v)
    output_bias: Array | None = None  # (d_model,)
    query_norm: LayerNormParams | None = None
    key_norm: LayerNormParams | None = None
    sinks: Array | None = None  # (heads,)
    gate: Array | None = None  # (sum of d_v, d_model)
    gate_bias: Array | None = None  # (sum of d_v,)

    def __post_init__(self):
        if not isinstance(self.heads, tuple | list):
            raise ValueError(f"heads is a {type(self.heads).__name__}; give the layer a tuple of heads, also of one: AttentionParams((head,), …)")


@shapes(
    "... T d_model, memory?: ... S d_memory, params.output: d_model d_concat, params.sinks?: heads, "
    "params.gate?: d_concat d_model, params.gate_bias?: d_concat -> ... T d_model"
)
def multi_head_attention(x, params, *, mask=None, memory=None, position_encoding=None, qk_norm=layer_norm, width=None, softmax=softmax, note=no_note):
    """Attention in several heads side by side, concatenated and projected (Vaswani et al. 2017, 3.2.2).

    - `x`: one row for each token
    - `params`: the projections of the heads, and that of the output
    - `mask`, `width`, `softmax`: as in `attention`, for every head
    - `memory`: the rows of another text to attend to, or None to attend to `x` itself
    - `position_encoding`: as in `self_attention`; not used with a `memory`, which has positions of its own
    - `qk_norm`: the function of the params' `query_norm` and `key_norm`, where it has them: `layer_norm`, as in a BlockConfig, or `rms_norm`

    Heads may differ in width; each divides its scores by the root of its own d_k. A head without key and value uses those of the
    head before it: one pair for a group of heads (grouped-query attention: Ainslie et al. 2023, 2.2), or for all (multi-query
    attention: Shazeer 2019). Values are named head1.…, head2.…; a single head has no scope and no `concat`. Raises ValueError when
    there is no head, when the first has no key and value, when there is not one sink for each head, when the output projection does not fit,
    and as `self_attention` does.
    """
    check_position_encoding(position_encoding)
    _check_heads(params)
    n_heads, contexts, key_value = len(params.heads), [], None
    for i, head in enumerate(params.heads, start=1):
        head_note = note if n_heads == 1 else scoped(note, f"head{i}")
        encoding = None if memory is not None or position_encoding is None else position_encoding.for_head(i, n_heads)
        query, *own = _encoded(*qkv(x, head, memory=memory, note=head_note), params, qk_norm, encoding, head_note)
        key_value = key_value if head.key is None else own  # a head without its own uses those of the head before it
        score_mod = None if encoding is None else encoding.score_mod
        sink = None if params.sinks is None else params.sinks[i - 1]
        options = {"mask": mask, "score_mod": score_mod, "sink": sink, "width": width, "softmax": softmax}
        contexts.append(attention(query, *key_value, **options, note=head_note))
    concat = contexts[0] if n_heads == 1 else note("concat", np.concatenate(contexts, axis=-1))
    if params.gate is not None:
        gate = note("attn_gate", linear(x, params.gate, params.gate_bias))
        concat = note("gated_concat", concat * sigmoid(gate, note=scoped(note, "attn_gate")))
    return project_output(concat, params, note=note)


def _check_heads(params):
    if not params.heads:
        raise ValueError("no heads: give at least one QKVParams(query, key, value)")
    if params.heads[0].key is None:
        raise ValueError("the first head has no key and value, and no head before it to share with; give it QKVParams(query, key, value)")
    if params.sinks is not None and len(params.sinks) != len(params.heads):
        raise ValueError(f"{len(params.sinks)} sinks for {len(params.heads)} heads; give each head one")
    if params.gate is None and params.gate_bias is not None:
        raise ValueError("a gate_bias and no gate, which it would be added to; leave it out, or give the layer its gate")


def _encoded(query, key, value, params, qk_norm, encoding, note):  # normalized first, then rotated; the key may be None
    if params.query_norm is not None:
        query = qk_norm(query, norm=params.query_norm, note=scoped(note, "query_norm"))
    if params.key_norm is not None and key is not None:
        key = qk_norm(key, norm=params.key_norm, note=scoped(note, "key_norm"))
    return (query, key, value) if encoding is None else (*encoding.rotate(query, key, note=note), value)


@shapes("... T d_concat, params.output: d_model d_concat, params.output_bias?: d_model -> ... T d_model", name="multi_head_attention")
def project_output(concat, params, *, note):
    """The output projection of the concatenated contexts."""
    return note("attn_out", linear(concat, params.output, params.output_bias))
