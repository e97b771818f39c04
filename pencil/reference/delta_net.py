"""A layer of linear attention with the gated delta rule: Gated DeltaNet (Yang et al. 2025), as three of four layers in Qwen3-Next.

T is the number of tokens, d_k the width of a head's query and key, d_v of its value, size the number of tokens that a convolution sees.
"""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.attending import project_output
from pencil.reference.contracts import Array, shapes
from pencil.reference.fast_weights import recurrent_attention
from pencil.reference.functional import LayerNormParams, layer_norm, linear, sigmoid, silu
from pencil.reference.masks import causal_mask

UNIT_EPS = 1e-6  # added to the squared length of a query or key, under the root (as in Qwen3-Next)


@dataclass(frozen=True)
class DeltaHeadParams:
    """The projections of one head, each with the weights of its convolution; a head without query and key shares those of the head before it."""

    value: Array  # (d_v, d_model)
    value_conv: Array  # (d_v, size), the weight of the token itself last
    query: Array | None = None  # (d_k, d_model)
    query_conv: Array | None = None  # (d_k, size)
    key: Array | None = None  # (d_k, d_model)
    key_conv: Array | None = None  # (d_k, size)


@dataclass(frozen=True)
class GatedDeltaNetParams:
    """A layer of heads that each write into a state of their own; `beta` and `decay` have a row for each head.

    A token's beta is the sigmoid of its row times `beta`. Its decay is e to −rate · step, where the rate of a head is e to its `log_rate`, and the
    step is softplus of the row times `decay`, plus `decay_bias`. `norm` normalizes each head's context, all heads with the same gain.
    """

    heads: tuple  # of DeltaHeadParams
    output: Array  # (d_model, sum of d_v)
    beta: Array  # (heads, d_model)
    decay: Array  # (heads, d_model)
    decay_bias: Array  # (heads,)
    log_rate: Array  # (heads,)
    gate: Array  # (sum of d_v, d_model); SiLU of it multiplies the concatenated contexts
    norm: LayerNormParams = LayerNormParams()
    output_bias: Array | None = None  # (d_model,)


@shapes(
    "... T d_model, params.beta: heads d_model, params.decay: heads d_model, params.decay_bias: heads, params.log_rate: heads, "
    "params.gate: d_concat d_model, params.output: d_model d_concat -> ... T d_model"
)
def gated_delta_net(x, params, *, norm=layer_norm, note=no_note):
    """Linear attention with the gated delta rule, in several heads side by side; each token sees itself and those before it.

    - `x`: one row for each token
    - `params`: the projections
    - `norm`: the function of the params' `norm`: `layer_norm`, as in a BlockConfig, or `rms_norm` as Qwen3-Next has it

    Queries, keys and values go through a causal convolution over the tokens and through SiLU; queries and keys are then made 1 long, and the
    queries divided by √d_k. Source: Yang et al. 2025, 3.4. Raises ValueError unless the first head has a query and a key and each other one
    both or neither, unless beta has a row for each head, and for shapes that do not fit.
    """
    check_delta_heads(params)
    beta = sigmoid(note("beta.logits", linear(x, params.beta)), note=scoped(note, "beta"))
    rate, step = note("decay.rate", np.exp(params.log_rate)), note("decay.step", softplus(linear(x, params.decay, params.decay_bias)))
    decay = note("decay", np.exp(-(step * rate)))
    n_heads, contexts = len(params.heads), []
    for i, head in enumerate(params.heads):
        head_note = note if n_heads == 1 else scoped(note, f"head{i + 1}")
        if head.query is not None:  # else those of the head before it
            query, key = (_unit(_convolved(x, *pair, name, head_note), name, head_note) for name, *pair in _query_and_key(head))
            query = head_note("query.scaled", query / key.shape[-1] ** 0.5)
        value = _convolved(x, head.value, head.value_conv, "value", head_note)
        context, _ = recurrent_attention(query, key, value, beta=beta[..., i], decay=decay[..., i], note=head_note)
        contexts.append(norm(context, norm=params.norm, note=scoped(head_note, "context_norm")))
    concat = contexts[0] if n_heads == 1 else note("concat", np.concatenate(contexts, axis=-1))
    gate = note("attn_gate.activated", silu(note("attn_gate", linear(x, params.gate))))
    return project_output(note("gated_concat", concat * gate), params, note=note)


def check_delta_heads(params):
    """Raise ValueError unless the heads lead groups that share query and key, and beta has a row for each of them."""
    if not params.heads or params.heads[0].query is None:
        raise ValueError(
            "the first head has no query and no key, and no head before it to share with; give it DeltaHeadParams(..., query=..., key=...)"
        )
    for i, head in enumerate(params.heads, start=1):
        own = [each is not None for each in (head.query, head.query_conv, head.key, head.key_conv)]
        if any(own) and not all(own):
            raise ValueError(f"head{i} has some of query, key and their convolutions, and not all; give it all four, or none")
    if len(params.beta) != len(params.heads):
        raise ValueError(f"beta has {len(params.beta)} rows for {len(params.heads)} heads; give each head one")


def check_left_to_right(mask, padding_mask, length):
    """Raise ValueError unless a mask lets each token see itself and all before it, save padding, which is at the end of the text."""
    wanted = causal_mask(length)
    if padding_mask is not None:
        if (padding_mask[..., 1:] & ~padding_mask[..., :-1]).any():
            raise ValueError("linear attention: a token comes after padding; put the padding at the end of the text")
        wanted = wanted & padding_mask[..., None, :]
    if not ((True if mask is None else mask) == wanted).all():
        raise ValueError("linear attention reads a text from left to right, and the mask says otherwise; give it causal_mask, as a decoder does")


@shapes("... -> ...")
def softplus(z):
    """ln(1 + e^z), above zero: a smooth `relu` (torch.nn.functional.softplus)."""
    return np.maximum(z, 0) + np.log(1 + np.exp(-np.absolute(z)))


@shapes("... T d, d size -> ... T d")
def causal_conv(x, weight):
    """Each number of a row is the weighted sum of those of the tokens up to it in the same column: the last `size` of them, the own one last.

    Before the first token there are zeros (torch.nn.Conv1d with as many groups as columns). Raises ValueError for shapes that do not fit.
    """
    length, size = x.shape[-2], weight.shape[-1]
    rows = np.concatenate([np.zeros((*x.shape[:-2], size - 1, x.shape[-1])), x], axis=-2) if size > 1 else x
    total = rows[..., :length, :] * weight[:, 0]
    for j in range(1, size):
        total = total + rows[..., j : j + length, :] * weight[:, j]
    return total


def _query_and_key(head):
    return ("query", head.query, head.query_conv), ("key", head.key, head.key_conv)


def _convolved(x, weight, conv, name, note):
    mixed = note(f"{name}.conv", causal_conv(note(name, linear(x, weight)), conv))
    return note(f"{name}.activated", silu(mixed))


def _unit(rows, name, note):
    length = note(f"{name}.length", np.sqrt((rows * rows).sum(-1, keepdims=True) + UNIT_EPS))
    return note(f"{name}.unit", rows / length)
