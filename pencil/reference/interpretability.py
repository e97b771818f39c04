"""Looking inside a trained decoder: attention patterns of heads, the logit lens, and the ablation of heads.

A pattern is a (T, T) bool mask of (query, key) pairs, such as each token and the one before it. A head is scored by the attention weight
that it gives to the pairs of a pattern.
"""

from dataclasses import replace

import numpy as np

from pencil.note import no_note
from pencil.reference.attending import AttentionParams
from pencil.reference.contracts import shapes
from pencil.reference.functional import linear
from pencil.reference.transformers import unembed


@shapes("int T -> T T")
def previous_token_mask(ids):
    """Each token and the one before it (Elhage et al. 2021: previous token head). Raises ValueError unless `ids` is a row of ids."""
    return np.eye(len(ids), k=-1, dtype=bool)


@shapes("int T -> T T")
def first_token_mask(ids):
    """Each later token and the first (Xiao et al. 2024: attention sink). Raises ValueError unless `ids` is a row of ids."""
    return np.tri(len(ids), k=-1, dtype=bool) & (np.arange(len(ids)) == 0)


@shapes("int T -> T T")
def same_token_mask(ids):
    """Each token and its earlier occurrences (Wang et al. 2023: duplicate token head). Raises ValueError unless `ids` is a row of ids."""
    ids = np.asarray(ids)
    return (ids[:, None] == ids) & np.tri(len(ids), k=-1, dtype=bool)


@shapes("int T -> T T")
def induction_mask(ids):
    """Each token and those that followed its earlier occurrences (Olsson et al. 2022: induction head).

    Raises ValueError unless `ids` is a row of ids.
    """
    same = same_token_mask(ids)
    return np.pad(same[:, :-1], ((0, 0), (1, 0))) & np.tri(len(same), k=-1, dtype=bool)


@shapes("T S, bool T S -> ()")
def pattern_score(weights, pattern, *, note=no_note):
    """The attention weight that a head gives to a pattern, averaged over the queries that have a key in it.

    - `weights`: (T, S), the attention weights of one head
    - `pattern`: (T, S) bool, such as `induction_mask(ids)`

    Source: Olsson et al. 2022 (prefix matching score). Raises ValueError for an empty pattern, and for one of another shape.
    """
    rows = np.asarray(pattern).any(-1)
    if not rows.any():
        raise ValueError("the pattern is empty: give a longer text, or one in which a token comes again")
    given = note("given", (weights * np.where(pattern, 1.0, 0.0)).sum(-1))
    return note("pattern_score", given.sum() / rows.sum())


@shapes("... T d -> ... T rows")
def logit_lens(x, params, *, config, note=no_note):
    """The logits of an intermediate residual stream: the final norm and the unembedding, applied after any block (logit lens).

    - `x`: (..., T, d), the rows after any block, or before the first
    - `params`: the DecoderParams of the model; its final norm and its output weight are used
    - `config`: its BlockConfig

    Source: nostalgebraist 2020. Raises ValueError for rows of another width.
    """
    rows = x if params.norm is None else config.norm(x, norm=params.norm, eps=config.eps, note=note)
    return unembed(rows, params, note=note)


@shapes("... T d_v, params.output: d_model d_concat -> ... T d_model")
def head_output(context, params, *, head, note=no_note):
    """What one head adds to the residual stream: its context times its columns of the output weight.

    - `context`: (..., T, d_v), the weighted sum of the head's values; in a layer with a gate, times the gate
    - `params`: the AttentionParams of its layer, whose heads are of one width
    - `head`: its number, from 1 on

    All heads and the output bias added up are `attn_out`. Source: Elhage et al. 2021 (heads are independent and additive). Raises
    ValueError for a head that is not there, and for a context of another width.
    """
    columns = _columns(params, head)
    if context.shape[-1] != len(columns):
        raise ValueError(f"the context is {context.shape[-1]} wide, and head {head} has {len(columns)} columns of the output weight")
    return note("head_out", linear(context, params.output[:, columns]))


@shapes("gates: heads -> _")
def gate_heads(params, gates):  # -> AttentionParams
    """The layer with each head's output multiplied by a gate: 1 leaves a head unchanged, 0 removes it.

    - `params`: the AttentionParams of the layer
    - `gates`: (heads,), a number for each head

    Source: Voita et al. 2019, eq. 8. Raises ValueError for another number of gates than of heads.
    """
    if len(gates) != len(params.heads):
        raise ValueError(f"{len(gates)} gates for {len(params.heads)} heads; give each head one")
    return replace(params, output=params.output * np.repeat(gates, params.output.shape[1] // len(params.heads)))


def without_head(params, *, block, head, mean=None):  # DecoderParams or EncoderParams -> the same
    """The model with one head ablated: its output is zero, or a given mean, at every token; all else is unchanged.

    - `params`: the DecoderParams or EncoderParams
    - `block`, `head`: their numbers, from 1 on
    - `mean`: (d_model,), the mean of the head's `head_output` over many tokens (mean ablation); None is zero

    Source: Voita et al. 2019; Michel et al. 2019; by the mean Wang et al. 2023. Raises ValueError for a block or a head that is not there,
    and for a mean of another width.
    """
    if not 1 <= block <= len(params.blocks):
        raise ValueError(f"there is no block {block}; there are 1 to {len(params.blocks)}")
    layer = params.blocks[block - 1]
    _columns(layer.attention, head)
    gates = np.array([float(k != head) for k in range(1, len(layer.attention.heads) + 1)])
    attention = gate_heads(layer.attention, gates)
    if mean is not None:
        if np.shape(mean) != attention.output.shape[:1]:
            raise ValueError(f"the mean has the shape {np.shape(mean)}; a row that the head adds to is {len(attention.output)} wide")
        attention = replace(attention, output_bias=mean if attention.output_bias is None else attention.output_bias + mean)
    gated = replace(layer, attention=attention)
    return replace(params, blocks=(*params.blocks[: block - 1], gated, *params.blocks[block:]))


def _columns(params, head):  # AttentionParams, number -> the columns of the output weight that read this head
    if not isinstance(params, AttentionParams) or not 1 <= head <= len(params.heads):
        raise ValueError(f"there is no head {head}; there are 1 to {len(getattr(params, 'heads', ()))}")
    width = params.output.shape[1] // len(params.heads)
    return np.arange((head - 1) * width, head * width)
