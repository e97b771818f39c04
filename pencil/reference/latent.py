"""Multi-head latent attention (MLA; DeepSeek-V2: DeepSeek-AI 2024, 2.1): one short row for each token, from which all heads make key and value.

T is the number of tokens, d_c the width of the short row (the latent), d_k of what a head makes of it as its key, d_v of a value, d_r of the part
of query and key that is rotated, d_q of the row that the queries are made from.
"""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.attending import attention, project_output
from pencil.reference.contracts import Array, shapes
from pencil.reference.functional import LayerNormParams, layer_norm, linear, softmax
from pencil.reference.positions import Rotary, check_position_encoding


@dataclass(frozen=True)
class LatentAttentionParams:
    """A layer of multi-head latent attention. A cache keeps the latent and the rotated key of each token, d_c + d_r numbers for all heads.

    A head's query is d_k + d_r wide. Its first part meets the key that the head makes from the latent, the second one the `rotary_key`, which is
    made from the row itself and is the same in all heads: a position can turn it without turning what is made from the latent. Only the output
    has a bias.
    """

    heads: tuple  # of QKVParams: query (d_k + d_r, d_q), key (d_k, d_c), value (d_v, d_c)
    down: Array  # (d_c, d_model)
    output: Array  # (d_model, sum of d_v)
    norm: LayerNormParams | None = None  # of the latent
    rotary_key: Array | None = None  # (d_r, d_model); None has no rotated part
    query_down: Array | None = None  # (d_q, d_model); None makes the queries from the row itself
    query_norm: LayerNormParams | None = None  # of the row that `query_down` makes
    output_bias: Array | None = None  # (d_model,)


@shapes(
    "... T d_model, params.down: d_c d_model, params.rotary_key?: d_r d_model, params.query_down?: d_q d_model, "
    "params.output: d_model d_concat -> ... T d_model"
)
def latent_attention(x, params, *, mask=None, position_encoding=None, norm=layer_norm, width=None, absorbed=False, softmax=softmax, note=no_note):
    """Multi-head latent attention of the tokens of a text to one another.

    - `x`: one row for each token
    - `params`: the projections
    - `mask`, `width`, `softmax`: as in `attention`, for every head; a width of None is d_k + d_r
    - `position_encoding`: as in `self_attention`; Rotary turns the rotary key, and the part of each query that meets it
    - `norm`: the function of the params' norms: `layer_norm`, or `rms_norm` as DeepSeek has it
    - `absorbed`: makes no keys and no values: each query is brought to the latent's width by the head's key matrix, attends to the latents
      themselves (in the scope `short`), and the head's value matrix reads the weighted sum. The result is the same

    Source: DeepSeek-AI 2024, eq. 9 to 19. Raises ValueError for heads without a key and a value of their own or with biases, for a query that is
    not d_k + d_r wide, for Rotary without a rotary key, and as `attention` does.
    """
    check_position_encoding(position_encoding)
    check_latent(params, position_encoding)
    latent = _short(x, params.down, params.norm, norm, "latent", note)
    rows = x if params.query_down is None else _short(x, params.query_down, params.query_norm, norm, "query_latent", note)
    rotary_key = None if params.rotary_key is None else note("rotary_key", linear(x, params.rotary_key))
    n_heads, contexts, attend = len(params.heads), [], _absorbed if absorbed else _expanded
    for i, head in enumerate(params.heads, start=1):
        head_note = note if n_heads == 1 else scoped(note, f"head{i}")
        query, rotary_query = _query(rows, head, rotary_key, note=head_note)
        encoding = None if position_encoding is None else position_encoding.for_head(i, n_heads)
        if encoding is not None and rotary_key is not None:
            rotary_query, turned = encoding.rotate(rotary_query, rotary_key if i == 1 else None, note=head_note)
            rotary_key = rotary_key if turned is None else turned  # once: it is the same in all heads
        options = {"mask": mask, "score_mod": None if encoding is None else encoding.score_mod, "width": width, "softmax": softmax}
        contexts.append(attend(query, latent, head, rotary_query, rotary_key, **options, note=head_note))
    return project_output(contexts[0] if n_heads == 1 else note("concat", np.concatenate(contexts, axis=-1)), params, note=note)


def check_latent(params, position_encoding):
    """Raise ValueError for heads, or a position encoding, that latent attention does not have."""
    if not params.heads:
        raise ValueError("no heads: give at least one QKVParams(query, key, value)")
    for i, head in enumerate(params.heads, start=1):
        if head.key is None or head.value is None:
            raise ValueError(f"head{i} has no key or no value; in latent attention each head makes its own from the latent")
        if any(bias is not None for bias in (head.query_bias, head.key_bias, head.value_bias)):
            raise ValueError(f"head{i} has a bias; in latent attention queries, keys and values have none")
        wide = len(head.key) + (0 if params.rotary_key is None else len(params.rotary_key))
        if len(head.query) != wide:
            raise ValueError(f"head{i}.query makes {len(head.query)} numbers, and key and rotary key together {wide}; make them equal")
    if isinstance(position_encoding, Rotary) and params.rotary_key is None:
        raise ValueError("Rotary turns the rotary key, and there is none; give the params a rotary_key (a Config a rope_dim)")


def _short(x, down, norm_params, norm, name, note):  # the row made shorter, and normalized
    short = note(name, linear(x, down))
    return short if norm_params is None else norm(short, norm=norm_params, note=scoped(note, f"{name}_norm"))


@shapes("... T d_q, head.query: width d_q -> ... T d_k, ... T d_r", name="latent_attention")
def _query(rows, head, rotary_key, *, note):
    query, d_k = note("query", linear(rows, head.query)), len(head.key)
    return (query, None) if rotary_key is None else (query[..., :d_k], query[..., d_k:])


@shapes("... T d_k, ... T d_c, head.key: d_k d_c, head.value: d_v d_c -> ... T d_v", name="latent_attention")
def _expanded(query, latent, head, rotary_query, rotary_key, *, note, **options):
    key, value = note("key", linear(latent, head.key)), note("value", linear(latent, head.value))
    query, key = _joined(query, rotary_query, "query", note), _joined(key, rotary_key, "key", note)
    return attention(query, key, value, **options, note=note)


@shapes("... T d_k, ... T d_c, head.key: d_k d_c, head.value: d_v d_c -> ... T d_v", name="latent_attention")
def _absorbed(query, latent, head, rotary_query, rotary_key, *, width, note, **options):
    short = scoped(note, "short")
    width = width or query.shape[-1] + (0 if rotary_query is None else rotary_query.shape[-1])
    query = _joined(short("query", query @ head.key), rotary_query, "query", short)
    context = attention(query, _joined(latent, rotary_key, "key", short), latent, **options, width=width, note=short)
    return note("context", linear(context, head.value))


def _joined(rows, rotary, name, note):
    return rows if rotary is None else note(f"{name}.joined", np.concatenate([rows, rotary], axis=-1))
