"""What a trained decoder does inside: what its heads look at, what each block would say, and what changes without a head.

A pattern is a mask of looks, True where a token's look is of some kind; a head is known by the shares that it gives to a pattern.
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
    """Each token's look at the one before it (Elhage et al. 2021: previous token head). Raises ValueError for what are no ids."""
    return np.eye(len(ids), k=-1, dtype=bool)


@shapes("int T -> T T")
def first_token_mask(ids):
    """Each later token's look at the first, where attention often rests (Xiao et al. 2024: attention sink). Raises ValueError for what are no ids."""
    return np.tri(len(ids), k=-1, dtype=bool) & (np.arange(len(ids)) == 0)


@shapes("int T -> T T")
def same_token_mask(ids):
    """Each token's look at the same token earlier in the text (Wang et al. 2023: duplicate token head). Raises ValueError for what are no ids."""
    ids = np.asarray(ids)
    return (ids[:, None] == ids) & np.tri(len(ids), k=-1, dtype=bool)


@shapes("int T -> T T")
def induction_mask(ids):
    """Each token's look at what stood behind the same token earlier (Olsson et al. 2022: induction head). Raises ValueError for what are no ids."""
    same = same_token_mask(ids)
    return np.pad(same[:, :-1], ((0, 0), (1, 0))) & np.tri(len(same), k=-1, dtype=bool)


@shapes("T S, bool T S -> ()")
def pattern_score(weights, pattern, *, note=no_note):
    """The share that a head gives to the looks of a pattern, on average over the tokens that have such a look.

    - `weights`: (T, S), the shares of one head
    - `pattern`: bool, the looks that are meant, such as `induction_mask(ids)`

    Source: Olsson et al. 2022 (prefix matching score). Raises ValueError for a pattern that no token has, and for one that does not fit.
    """
    rows = np.asarray(pattern).any(-1)
    if not rows.any():
        raise ValueError("no token has a look of this pattern: give a longer text, or one in which a token comes again")
    given = note("given", (weights * np.where(pattern, 1.0, 0.0)).sum(-1))
    return note("pattern_score", given.sum() / rows.sum())


@shapes("... T d -> ... T rows")
def logit_lens(x, params, *, config, note=no_note):
    """The logits that rows of the residual stream would give if no further block came (nostalgebraist 2020, logit lens).

    - `x`: (..., T, d), the rows behind any block, or before the first
    - `params`: the DecoderParams of the whole machine; its last norm and its output weight are used
    - `config`: its BlockConfig

    Source: nostalgebraist 2020. Raises ValueError for rows of another width.
    """
    rows = x if params.norm is None else config.norm(x, norm=params.norm, eps=config.eps, note=note)
    return unembed(rows, params, note=note)


@shapes("... T d_v, params.output: d_model d_concat -> ... T d_model")
def head_output(context, params, *, head, note=no_note):
    """What one head adds to the residual stream: its context times its columns of the output weight.

    - `context`: (..., T, d_v), what the head takes home
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
    """A layer whose heads add their output times a gate each: 1 leaves a head as it is, 0 takes it out.

    - `params`: the AttentionParams of the layer
    - `gates`: (heads,), a number for each head

    Source: Voita et al. 2019, eq. 8. Raises ValueError for another number of gates than of heads.
    """
    if len(gates) != len(params.heads):
        raise ValueError(f"{len(gates)} gates for {len(params.heads)} heads; give each head one")
    return replace(params, output=params.output * np.repeat(gates, params.output.shape[1] // len(params.heads)))


def without_head(params, *, block, head):  # DecoderParams -> DecoderParams
    """A decoder in which one head adds nothing; its neighbours get no larger, and nothing is trained again.

    - `params`: the DecoderParams
    - `block`, `head`: their numbers, from 1 on

    Source: Voita et al. 2019; Michel et al. 2019. Raises ValueError for a block or a head that is not there.
    """
    if not 1 <= block <= len(params.blocks):
        raise ValueError(f"there is no block {block}; there are 1 to {len(params.blocks)}")
    layer = params.blocks[block - 1]
    _columns(layer.attention, head)
    gates = np.array([float(k != head) for k in range(1, len(layer.attention.heads) + 1)])
    gated = replace(layer, attention=gate_heads(layer.attention, gates))
    return replace(params, blocks=(*params.blocks[: block - 1], gated, *params.blocks[block:]))


def _columns(params, head):  # AttentionParams, number -> the columns of the output weight that read this head
    if not isinstance(params, AttentionParams) or not 1 <= head <= len(params.heads):
        raise ValueError(f"there is no head {head}; there are 1 to {len(getattr(params, 'heads', ()))}")
    width = params.output.shape[1] // len(params.heads)
    return np.arange((head - 1) * width, head * width)
