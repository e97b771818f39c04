"""Attention (Vaswani et al. 2017): scaled dot-product attention, the projections to query, key and value, and several heads.

Here T is the number of queries, S of keys and values, d_k the width of a query or key, d_v of a value. `...` is a batch.
"""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import check_mask, shapes
from pencil.reference.functional import linear, softmax


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
def attention(query, key, value, *, mask=None, score_mod=None, softmax=softmax, note=no_note):
    """Scaled dot-product attention: softmax(query @ keyᵀ / √d_k) @ value (Vaswani et al. 2017, eq. 1).

    - `query`, `key`, `value`: one row for each token; as many values as keys
    - `mask`: bool, broadcast to (..., T, S): True where a query may attend to a key; two axes are (T, S). None masks nothing
    - `score_mod`: a function of (scaled scores, note=) that changes them before the mask, such as `Alibi.score_mod`
    - `softmax`: `softmax` or, for large scores, `stable_softmax`

    Raises ValueError for shapes or a mask that do not fit, and for a query that may attend to nothing.
    """
    scores = attention_scores(query, key, note=note)
    scaled = note("scaled", scores / key.shape[-1] ** 0.5)  # the width of a key, not of the model
    if score_mod is not None:
        scaled = score_mod(scaled, note=note)
    if mask is not None:
        check_mask(mask, scores.shape)
        scaled = note("masked", np.where(mask, scaled, -np.inf))
    return weighted_sum(softmax(scaled, note=note), value, note=note)


@dataclass(frozen=True)
class QKVParams:
    """The projections of one head: weight matrices (numbers out, numbers in), with or without biases."""

    query: object  # (d_k, d_model)
    key: object  # (d_k, d_model)
    value: object  # (d_v, d_model)
    query_bias: object = None  # (d_k,)
    key_bias: object = None  # (d_k,)
    value_bias: object = None  # (d_v,)


@shapes("... T d_model, memory?: ... S d_memory -> ... T d_k, ... S d_k, ... S d_v")
def qkv(x, params, *, memory=None, note=no_note):
    """Query, key and value of every token (Vaswani et al. 2017, 3.2.2).

    - `x`: one row for each token
    - `params`: the projections of a head
    - `memory`: the rows of another text, from which keys and values are made; None makes them from `x`

    Raises ValueError for a projection that does not read the width of its rows.
    """
    return _project_qkv(x, x if memory is None else memory, params, note=note)


@shapes(
    "... T d_model, ... S d_memory, params.query: d_k d_model, params.key: d_k d_memory, params.value: d_v d_memory, "
    "params.query_bias?: d_k, params.key_bias?: d_k, params.value_bias?: d_v -> ... T d_k, ... S d_k, ... S d_v",
    name="qkv",
)
def _project_qkv(x, memory, params, *, note):
    return (
        note("query", linear(x, params.query, params.query_bias)),
        note("key", linear(memory, params.key, params.key_bias)),
        note("value", linear(memory, params.value, params.value_bias)),
    )


@shapes("... T d_model -> ... T d_v")
def self_attention(x, params, *, mask=None, position_encoding=None, softmax=softmax, note=no_note):
    """Attention of the tokens of a text to one another (Vaswani et al. 2017, 3.2.3).

    - `x`: one row for each token
    - `params`: the projections of one head
    - `mask`, `softmax`: as in `attention`
    - `position_encoding`: a `Rotary` or an `Alibi`, where positions are encoded inside attention; else None

    Raises ValueError as `qkv` and `attention` do.
    """
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
    """An attention layer: the projections of each head, and the output projection of their concatenated contexts."""

    heads: tuple  # of QKVParams
    output: object  # (d_model, sum of d_v)
    output_bias: object = None  # (d_model,)


@shapes("... T d_model, memory?: ... S d_memory, params.output: d_model d_concat -> ... T d_model")
def multi_head_attention(x, params, *, mask=None, memory=None, position_encoding=None, softmax=softmax, note=no_note):
    """Attention in several heads side by side, concatenated and projected (Vaswani et al. 2017, 3.2.2).

    - `x`: one row for each token
    - `params`: the projections of the heads, and that of the output
    - `mask`, `softmax`: as in `attention`, for every head
    - `memory`: the rows of another text to attend to, or None to attend to `x` itself
    - `position_encoding`: as in `self_attention`; not used with a `memory`, which has positions of its own

    Heads may differ in width; each divides its scores by the root of its own d_k. Values are named head1.…, head2.…; a single
    head has no scope and no `concat`. Raises ValueError when there is no head, when the output projection does not fit, and as
    `self_attention` does.
    """
    if not params.heads:
        raise ValueError("no heads: give at least one QKVParams(query, key, value)")
    n_heads = len(params.heads)
    contexts = []
    for i, head in enumerate(params.heads, start=1):
        head_note = note if n_heads == 1 else scoped(note, f"head{i}")
        if memory is not None:
            contexts.append(cross_attention(x, memory, head, mask=mask, softmax=softmax, note=head_note))
        else:
            encoding = position_encoding and position_encoding.for_head(i, n_heads)
            contexts.append(self_attention(x, head, mask=mask, softmax=softmax, position_encoding=encoding, note=head_note))
    concat = contexts[0] if n_heads == 1 else note("concat", np.concatenate(contexts, axis=-1))
    return _project_output(concat, params, note=note)


@shapes("... T d_concat, params.output: d_model d_concat, params.output_bias?: d_model -> ... T d_model", name="multi_head_attention")
def _project_output(concat, params, *, note):
    return note("attn_out", linear(concat, params.output, params.output_bias))
