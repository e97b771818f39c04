"""Wrong arguments of blocks and of whole models are a ValueError that names both values and the remedy."""

from dataclasses import replace

import numpy as np
import pytest
from block_cases import both_params, cross_block, decoder_params, embedding, encoder_params, flat, head, loud, ones, pair, x
from draws import check_refusal

from pencil.reference import (  # fmt: skip
    Alibi,
    AttentionParams,
    BlockConfig,
    BlockParams,
    EncoderDecoderParams,
    EncoderParams,
    FeedForwardParams,
    LayerNormParams,
    QKVParams,
    Rotary,
    add_positions,
    alibi,
    apply_rope,
    block,
    causal_mask,
    cross_attention,
    decoder,
    encoder,
    encoder_decoder,
    feed_forward,
    first_token,
    key_mask,
    last_token,
    layer_norm,
    linear,
    max_pool,
    self_attention,
    sinusoid,
    sinusoidal,
    stable_softmax,
    stack,
    unembed,
)

nan, inf = np.nan, np.inf


def with_norm(**parts):
    return replace(pair, norms=(LayerNormParams(**parts), LayerNormParams()))


WRONG = {
    # biases, gains
    "a bias for other rows": (lambda: linear(x, ones(3, 4), ones(4)), ["linear: d_out is 3 in weight (3, 4) and 4 in bias (4,)"]),
    "a bias that is a matrix": (lambda: linear(x, ones(3, 4), ones(3, 1)), ["linear: bias has the shape (3, 1); it takes (d_out,)"]),
    "a bias that is a list": (lambda: linear(x, ones(3, 4), [0, 0, 0]), ["bias is a list", "np.array(bias)"]),
    "NaN in a bias": (lambda: linear(x, ones(2, 4), np.array([0, nan])), ["bias[1] is NaN"]),
    "a weight matrix of another width": (lambda: linear(x, ones(2, 3)), ["linear: d_in is 4 in x (2, 4) and 3 in weight (2, 3)"]),
    "a bias of a projection": (
        lambda: self_attention(x, replace(head, key_bias=ones(3))),
        ["qkv: d_k is 4 in params.query (4, 4) and 3 in params.key_bias (3,)"],
    ),
    "a bias of the output projection": (
        lambda: block(x, replace(pair, attention=replace(pair.attention, output_bias=ones(2)))),
        ["multi_head_attention: d_model is 4 in params.output (4, 4) and 2 in params.output_bias (2,)"],
    ),
    "a bias of the MLP": (
        lambda: feed_forward(x, FeedForwardParams(ones(6, 4), ones(4, 6), ones(4))),
        ["feed_forward: d_ff is 6 in params.up (6, 4) and 4 in params.up_bias (4,)"],
    ),
    "a gain for another width": (
        lambda: layer_norm(x, norm=LayerNormParams(gain=ones(3))),
        ["layer_norm: d is 4 in x (2, 4) and 3 in norm.gain (3,)"],
    ),
    "a bias of the norm for another width": (lambda: block(x, with_norm(bias=ones(5))), ["layer_norm: d is 4 in x (2, 4) and 5 in norm.bias (5,)"]),
    "a gain for each row": (lambda: layer_norm(x, norm=LayerNormParams(ones(2, 4))), ["layer_norm: norm.gain has the shape (2, 4); it takes (d,)"]),
    # flat rows
    "a flat row": (lambda: layer_norm(flat, norm=LayerNormParams(ones(4))), ["flat row", "eps", "1e-5"]),
    "a flat row in a block": (lambda: block(flat, pair), ["flat row", "eps", "1e-5"]),
    "a flat row in an encoder": (lambda: encoder(np.array([1, 0]), encoder_params), ["flat row", "eps"]),
    "a flat row after the MLP, under Post-LN": (
        lambda: block(np.array([[1.0, -1], [1, -1]]), flattening(), config=BlockConfig(norm_first=False)),
        ["flat row", "eps"],
    ),
    # two texts
    "a memory and no cross-attention": (
        lambda: block(x, pair, memory=x),
        ["a memory", "no cross-attention", "cross=AttentionParams(...)", "leave the memory out"],
    ),
    "cross-attention and no memory": (lambda: block(x, cross_block), ["has cross-attention", "nothing to attend to", "as memory"]),
    "an encoder whose blocks have cross-attention": (
        lambda: encoder(np.array([1, 2]), EncoderParams(embedding, (cross_block,))),
        ["has cross-attention", "nothing to attend to"],
    ),
    "an encoder-decoder without cross-attention": (
        lambda: encoder_decoder(np.array([1, 2]), np.array([1]), EncoderDecoderParams(encoder_params, decoder_params)),
        ["a memory", "no cross-attention"],
    ),
    "two norms for three sublayers": (
        lambda: block(x, replace(cross_block, norms=(LayerNormParams(),) * 2), memory=x),
        ["2 norms for 3 sublayers", "one norm for each"],
    ),
    "three norms for two sublayers": (lambda: block(x, replace(pair, norms=(LayerNormParams(),) * 3)), ["3 norms for 2 sublayers"]),
    "a memory of another width": (lambda: cross_attention(x, ones(3, 5), head), ["qkv: d_memory is 5 in memory (3, 5) and 4 in params.key (4, 4)"]),
    "a memory that is one row": (lambda: cross_attention(x, x[0], head), ["cross_attention: memory has the shape (4,); it takes (..., S, d_memory)"]),
    "an empty memory": (lambda: block(x, cross_block, memory=ones(0, 4)), ["memory is empty", "(0, 4)"]),
    "NaN in a memory": (lambda: cross_attention(x, x * nan, head), ["memory[0, 0] is NaN"]),
    "a memory that is a list": (lambda: cross_attention(x, [[1, 2, 3, 4]], head), ["memory is a list"]),
    "a mask for another memory": (lambda: block(x, cross_block, memory=ones(3, 4) * np.arange(4), memory_mask=ones(2, 2) > 0), ["(2, 2)", "(2, 3)"]),
    "memories of another batch": (
        lambda: cross_attention(ones(2, 3, 4), ones(3, 3, 4), head),
        ["cross_attention: the batch is (2,) in x (2, 3, 4) and (3,) in memory (3, 3, 4)"],
    ),
    # positions
    "more tokens than positions": (lambda: add_positions(ones(3, 4), ones(2, 4)), ["3 tokens and 2 positions", "truncate the text"]),
    "a text longer than max_len": (lambda: encoder(np.array([1, 2, 1]), replace(encoder_params, positions=ones(2, 4))), ["3 tokens and 2 positions"]),
    "positions of another width": (lambda: add_positions(x, ones(2, 3)), ["add_positions: d is 4 in x (2, 4) and 3 in encoding (2, 3)"]),
    "positions that are one row": (lambda: add_positions(x, ones(4)), ["add_positions: encoding has the shape (4,); it takes (max_len, d)"]),
    "sinusoids of an odd width": (lambda: sinusoid(np.arange(2), width=3), ["in pairs", "width is 3", "take 4"]),
    "sinusoids of no width": (lambda: sinusoidal(np.arange(2), width=0), ["width is 0", "take 2"]),
    "sinusoids for a position that is no row": (lambda: sinusoid(np.float64(1), width=4), ["sinusoid: positions has the shape (); it takes (T,)"]),
    "sinusoids for a matrix of positions": (lambda: sinusoidal(ones(2, 2), width=4), ["sinusoidal: positions has the shape (2, 2); it takes (T,)"]),
    "sinusoids for a list": (lambda: sinusoid([0, 1], width=4), ["positions is a list", "np.array(positions)"]),
    "ALiBi for a matrix of positions": (lambda: alibi(ones(2, 2), slope=0.5), ["alibi: positions has the shape (2, 2); it takes (T,)"]),
    "ALiBi for no positions": (lambda: alibi(ones(0), slope=0.5), ["positions is empty"]),
    "angles for other tokens": (lambda: apply_rope(x, *sinusoid(np.arange(3), width=4)), ["apply_rope: T is 2 in x (2, 4) and 3 in sin (3, 2)"]),
    "angles for another width": (lambda: apply_rope(x, *sinusoid(np.arange(2), width=6)), ["rows (2, 4)", "angles (2, 3)"]),
    "angles that are one row": (lambda: apply_rope(x, ones(2), ones(2)), ["apply_rope: sin has the shape (2,); it takes (T, pairs)"]),
    "sines and cosines that differ in width": (
        lambda: apply_rope(x, ones(2, 2), ones(2, 1)),
        ["apply_rope: pairs is 2 in sin (2, 2) and 1 in cos (2, 1)"],
    ),
    "RoPE in a head of odd width": (lambda: self_attention(x, QKVParams(*ones(3, 3, 4)), position_encoding=Rotary()), ["width is 3", "take 4"]),
    "RoPE for other positions": (
        lambda: self_attention(x, head, position_encoding=Rotary(np.arange(1))),
        ["1 positions for 2 tokens", "each token one", "0, 1, 2"],
    ),
    "ALiBi for a table of positions": (lambda: self_attention(x, head, position_encoding=Alibi(np.ones((2, 2)))), ["4 positions for 2 tokens"]),
    "one position for all": (lambda: self_attention(x, head, position_encoding=Alibi(ones(1))), ["1 positions for 2 tokens"]),
    # masks
    "a mask for no tokens": (lambda: causal_mask(0), ["0 tokens", "at least 1"]),
    "a text of padding alone": (lambda: key_mask([0, 0]), ["all 2 positions", "padding", "leave such a text out"]),
    "a batch with one text of padding alone": (lambda: key_mask([[1, 0], [0, 0]]), ["all 2 positions of a text are padding"]),
    "padding alone in an encoder": (lambda: encoder(np.zeros(3, int), encoder_params), ["all 3 positions of a text are padding"]),
    "padding alone in a decoder": (lambda: decoder(np.zeros(3, int), decoder_params, padding=True), ["all 3 positions of a text are padding"]),
    "padding alone in an encoder-decoder": (
        lambda: encoder_decoder(np.zeros(2, int), np.array([1]), both_params),
        ["all 2 positions of a text are padding"],
    ),
    "a whole row masked": (lambda: block(x, pair, mask=np.array([[True, True], [False, False]])), ["whole row", "masked", "at least one key"]),
    "a whole row masked, stable": (
        lambda: block(x, pair, mask=np.zeros((2, 2), bool), config=BlockConfig(softmax=stable_softmax)),
        ["whole row", "0/0", "at least one key"],
    ),
    "a memory masked whole": (lambda: block(x, cross_block, memory=x, memory_mask=np.zeros((1, 2), bool)), ["whole row", "masked"]),
    "padding before the first token of a decoder": (
        lambda: decoder(np.array([0, 1, 2]), replace(decoder_params, embedding=with_padding_row()), padding=True),
        ["a token stands after padding", "leave padding=True out"],
    ),
    "a mask of another length": (lambda: stack(x, (pair,), mask=causal_mask(3)), ["mask (3, 3)", "scores (2, 2)"]),
    # whole models
    "no blocks": (lambda: stack(x, ()), ["no blocks", "at least one BlockParams(...)"]),
    "no heads": (lambda: block(x, replace(pair, attention=AttentionParams((), np.eye(4)))), ["no heads", "QKVParams(query, key, value)"]),
    "no heads in cross-attention": (lambda: block(x, replace(cross_block, cross=AttentionParams((), np.eye(4))), memory=x), ["no heads"]),
    "an id beyond the embedding": (lambda: decoder(np.array([1, 9]), decoder_params), ["id 9 is outside the embedding's 5 rows"]),
    "no ids": (lambda: decoder(np.array([], int), decoder_params), ["ids is empty"]),
    "an output projection of another width": (
        lambda: unembed(x, replace(decoder_params, output=ones(5, 3))),
        ["unembed: d_model is 4 in x (2, 4) and 3 in params.output (5, 3)"],
    ),
    "an output projection that is transposed": (
        lambda: decoder(np.array([1, 2]), replace(decoder_params, output=ones(4, 7))),
        ["unembed: d_model is 4 in x (2, 4) and 7 in params.output (4, 7)"],
    ),
    "a block for another width": (
        lambda: encoder(np.array([1, 2]), EncoderParams(embedding[:, :3], (pair,))),
        ["multi_head_attention: d_model is 3 in x (2, 3) and 4 in params.output (4, 4)"],
    ),
    "scores that overflow": (lambda: block(x, loud(400), config=BlockConfig()), ["more than a float holds", "stable_softmax"]),
    # pooling
    "nothing to pool": (lambda: max_pool(x, mask=[False, False]), ["all 2 positions are padding", "there is no row to pool"]),
    "no first token": (lambda: first_token(x, mask=[False, False]), ["there is no row to pool"]),
    "a mask for other rows": (lambda: last_token(x, mask=[True]), ["last_token: T is 2 in x (2, 4) and 1 in mask (1,)"]),
    "NaN to pool": (lambda: max_pool(np.array([[nan]])), ["x[0, 0] is NaN"]),
    "one row that is no rows": (lambda: first_token(ones(4)), ["x has the shape (4,)"]),
    # numbers
    "NaN in the up projection": (lambda: feed_forward(x, FeedForwardParams(ones(4, 4) * nan, ones(4, 4))), ["params.up[0, 0] is NaN"]),
    "an infinite position": (lambda: sinusoid(np.array([0, inf]), width=4), ["positions[1] is infinite"]),
    "NaN in a position embedding": (lambda: add_positions(x, x * nan), ["encoding[0, 0] is NaN"]),
    "NaN to rotate": (lambda: apply_rope(x * nan, *sinusoid(np.arange(2), width=4)), ["x[0, 0] is NaN"]),
}


def flattening():  # attention adds nothing, and the MLP what makes the row [1, -1] flat
    params = QKVParams(*np.zeros((3, 2, 2)))
    return BlockParams(
        AttentionParams((params,), np.zeros((2, 2))), FeedForwardParams(np.zeros((1, 2)), np.zeros((2, 1)), down_bias=np.array([-1.0, 1]))
    )


def with_padding_row():
    return np.vstack([[3.0, 1, 4, 1], x])


@pytest.mark.parametrize("mistake, parts", WRONG.values(), ids=WRONG)
def test_a_mistake_is_refused_and_the_message_names_it(mistake, parts):
    check_refusal(mistake, parts)
