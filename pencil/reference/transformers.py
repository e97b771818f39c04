"""Whole transformers: the encoder (BERT: Devlin et al. 2019), the decoder (GPT: Radford et al. 2018), and both (Vaswani et al. 2017).

Token ids are whole numbers, 0 is padding; T and S are the numbers of tokens of a text and of another one, `...` is a batch.
"""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.blocks import BlockConfig, stack
from pencil.reference.contracts import Array, shapes
from pencil.reference.functional import LayerNormParams, linear
from pencil.reference.masks import causal_mask, key_mask
from pencil.reference.positions import add_positions
from pencil.reference.text import embed


@dataclass(frozen=True)
class EncoderParams:
    """The parameters of an encoder. Without `positions` the order is known by `BlockConfig.position_encoding`, or not at all."""

    embedding: Array  # (rows, d_model)
    blocks: tuple  # of BlockParams
    positions: Array | None = None  # (max_len, d_model), added to the embeddings
    norm: LayerNormParams | None = None  # after the last block
    token_types: Array | None = None  # (types, d_model), added to the embeddings: which of two sentences a token is of (BERT)
    embedding_norm: LayerNormParams | None = None  # of what the first block reads (BERT)


@shapes("int ... T, params.embedding: rows d_model, types?: ... T d_model -> ... T d_model")
def embed_tokens(ids, params, *, scaled=False, types=None, note=no_note):
    """The embeddings of token ids, with the rows of their `types` added where there are any, and the position encoding where `params` has one.

    `scaled` multiplies the embeddings by √d_model first (Vaswani et al. 2017, 3.4).
    """
    vectors = embed(ids, params.embedding, note=note)
    vectors = note("scaled_embedding", vectors * vectors.shape[-1] ** 0.5) if scaled else vectors
    vectors = vectors if types is None else note("typed", vectors + types)
    return vectors if params.positions is None else add_positions(vectors, params.positions, note=note)


@shapes("int ... T, params.embedding: rows d_model, token_type_ids?: int ... T -> ... T d_model")
def encoder(ids, params, *, config=BlockConfig(), padding=True, token_type_ids=None, note=no_note):
    """One row for each token, computed from the whole text: embed, then the blocks; no token attends to padding.

    - `ids`: (..., T), one text or a batch
    - `params`: the parameters of the encoder
    - `config`: how the blocks are built (see `BlockConfig`)
    - `padding`: whether id 0 is padding; False makes it a token like any other
    - `token_type_ids`: (..., T), the row of `token_types` for each token; None is row 0 for all

    Source: Vaswani et al. 2017, 3.1; with token types and a norm of the embeddings BERT (Devlin et al. 2019). Raises ValueError for
    token_type_ids without a table of them, and as its parts do.
    """
    if params.token_types is None and token_type_ids is not None:
        raise ValueError("token_type_ids, and the encoder has no token_types; leave them out, or give EncoderParams the table")
    types = None
    if params.token_types is not None:
        types = embed(np.zeros(np.shape(ids), int) if token_type_ids is None else token_type_ids, params.token_types)
    x = embed_tokens(ids, params, scaled=config.scale_embeddings, types=types, note=note)
    mask = key_mask(ids) if padding else None
    if params.embedding_norm is not None:
        x = config.norm(x, norm=params.embedding_norm, eps=config.eps, note=scoped(note, "embedding_norm"))
    return stack(x, params.blocks, mask=mask, padding_mask=_tokens(mask), config=config, norm=params.norm, note=note)


def _tokens(mask):  # (..., 1, T), as `key_mask` returns it -> (..., T)
    return None if mask is None else mask[..., 0, :]


@dataclass(frozen=True)
class DecoderParams:
    """The parameters of a decoder. Without an `output` projection the embedding serves as one (tied weights)."""

    embedding: Array  # (rows, d_model)
    blocks: tuple  # of BlockParams; with cross-attention in an encoder-decoder
    positions: Array | None = None  # (max_len, d_model), added to the embeddings
    norm: LayerNormParams | None = None  # after the last block
    output: Array | None = None  # (rows, d_model)


@shapes("int ... T, memory?: ... S d_memory, params.embedding: rows d_model -> ... T rows_out")
def decoder(ids, params, *, config=BlockConfig(), padding=False, memory=None, memory_mask=None, note=no_note):
    """The logits of the next token after each token, one for every entry of the vocabulary.

    - `ids`: (..., T), the text so far, one text or a batch
    - `params`: the parameters of the decoder
    - `config`: how the blocks are built (see `BlockConfig`)
    - `padding`: whether id 0 is padding, at the end of a text, and is masked; in GPT-2 it is a token like any other ("!")
    - `memory`: (..., S, d_memory), the encoder's rows, for blocks with cross-attention
    - `memory_mask`: bool, True where a row of the memory may be attended to; None where all may

    Source: GPT-2 (Radford et al. 2019); with a `memory`, Vaswani et al. 2017, 3.1. Raises ValueError for a token after padding,
    and as its parts do.
    """
    x = embed_tokens(ids, params, scaled=config.scale_embeddings, note=note)
    mask, not_padding = causal_mask(x.shape[-2]), _end_padding_mask(ids) if padding else None
    mask = mask if not_padding is None else mask & not_padding
    cross = {"memory": memory, "memory_mask": memory_mask}
    x = stack(x, params.blocks, mask=mask, padding_mask=_tokens(not_padding), config=config, norm=params.norm, **cross, note=note)
    return unembed(x, params, note=note)


def _end_padding_mask(ids):  # the key mask of texts with padding at their end; None where there is no padding
    mask = key_mask(ids)
    if mask is not None and (mask[..., 1:] & ~mask[..., :-1]).any():
        raise ValueError("decoder: a token stands after padding; put the padding (id 0) at the end of the text, or leave padding=True out")
    return mask


@shapes("... T d_model, params.output?: rows d_model -> ... T rows")
def unembed(x, params, *, note=no_note):
    """The logits of each row: its dot product with the output vector of every token.

    - `x`: (..., T, d_model), as the last block returns it
    - `params`: a DecoderParams; its `output` is used, or its `embedding` where it has none (tied weights)

    Source: Press and Wolf 2017. Raises ValueError for an output projection of another width.
    """
    weight = params.embedding if params.output is None else params.output
    return note("logits", linear(x, weight))


@dataclass(frozen=True)
class EncoderDecoderParams:
    """The parameters of both halves; the decoder's blocks have cross-attention."""

    encoder: EncoderParams
    decoder: DecoderParams


@shapes("int ... S, int ... T -> ... T rows")
def encoder_decoder(source, target, params, *, config=BlockConfig(), padding=True, note=no_note):
    """The decoder's logits for the target, given the source: each target token attends to those before it and to the whole source.

    - `source`, `target`: (..., S) and (..., T), token ids, one text each or a batch
    - `params`: the parameters of both halves
    - `config`: how the blocks of both are built (see `BlockConfig`)
    - `padding`: as in `encoder` and `decoder`, for both

    Values are named encoder.… and decoder.… . Source: Vaswani et al. 2017, 3.1. Raises ValueError as its parts do.
    """
    memory = encoder(source, params.encoder, config=config, padding=padding, note=scoped(note, "encoder"))
    source_mask = key_mask(source) if padding else None
    note = scoped(note, "decoder")
    return decoder(target, params.decoder, config=config, padding=padding, memory=memory, memory_mask=source_mask, note=note)
