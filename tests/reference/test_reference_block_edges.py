"""Blocks and whole models at their limits: remedies work, no NaN, and parameters are not modified."""

from dataclasses import replace

import numpy as np
import pytest
from block_cases import both_params, cross_block, decoder_params, encoder_params, flat, head, loud, ones, pair, x

from pencil.reference import (  # fmt: skip
    Alibi,
    BlockConfig,
    DecoderParams,
    LayerNormParams,
    Rotary,
    add_positions,
    attention,
    block,
    decoder,
    encoder,
    encoder_decoder,
    first_token,
    key_mask,
    last_token,
    layer_norm,
    linear,
    max_pool,
    mean_pool,
    multi_head_attention,
    self_attention,
    sinusoidal,
    stable_softmax,
    unembed,
)
from pencil.trace import Trace


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: block(x, None), "params is a NoneType; give the block BlockParams"),
        (lambda: block(x, head), "params is a QKVParams; give the block BlockParams"),
        (lambda: self_attention(x, pair), r"qkv: params has no query: it holds a BlockParams where one with params\.query belongs"),
        (lambda: self_attention(x, replace(head, key=None)), r"a key or a value, and not the other"),
    ],
)
def test_parameters_of_another_kind(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_remedies_can_be_followed():
    assert np.isfinite(block(flat, pair, config=BlockConfig(eps=1e-5))).all()
    assert np.isfinite(block(x, loud(400), config=BlockConfig(softmax=stable_softmax))).all()
    assert np.isfinite(block(x, cross_block, memory=x)).all()
    assert sinusoidal(np.arange(2), width=4).shape == (2, 4)
    assert key_mask([1, 0]).shape == (1, 2)


def test_ids_may_be_a_plain_list():
    assert np.array_equal(encoder([1, 2], encoder_params), encoder(np.array([1, 2]), encoder_params))
    assert np.array_equal(decoder([1, 2], decoder_params), decoder(np.array([1, 2]), decoder_params))
    assert np.array_equal(encoder_decoder([1, 2], [2, 1], both_params), encoder_decoder(np.array([1, 2]), np.array([2, 1]), both_params))


def test_mistakes_are_named_under_a_trace_as_well():
    trace = Trace()
    rows = trace.given("x", x)
    for mistake, part in (
        (lambda: block(rows, pair, memory=rows), "no cross-attention to read it"),
        (lambda: block(rows * 0, pair), "flat row"),
        (lambda: block(rows, pair, mask=np.zeros((2, 2), bool)), "whole row"),
        (lambda: add_positions(rows, trace.given("positions", ones(1, 4))), "2 tokens and 1 positions"),
        (lambda: self_attention(rows, head, position_encoding=Rotary(trace.given("positions_of_head", ones(1)))), "1 positions for 2 tokens"),
        (lambda: layer_norm(rows, norm=LayerNormParams(trace.given("gain", ones(3)))), "layer_norm: d is 4 in x (2, 4) and 3 in norm.gain (3,)"),
        (
            lambda: linear(rows, trace.given("weight", ones(3, 4)), trace.given("bias", ones(2))),
            "linear: d_out is 3 in weight (3, 4) and 2 in bias (2,)",
        ),
    ):
        with pytest.raises(ValueError) as refusal:
            mistake()
        assert part in str(refusal.value)


def test_parameters_and_config_are_frozen():
    for bundle in (
        pair,
        pair.attention,
        pair.feed_forward,
        LayerNormParams(),
        encoder_params,
        decoder_params,
        both_params,
        BlockConfig(),
        Rotary(),
        Alibi(),
    ):
        with pytest.raises(AttributeError):
            setattr(bundle, next(iter(bundle.__dataclass_fields__)), None)


def test_a_row_that_may_attend_to_nothing_gives_no_nan():
    """The refusal comes in the softmax; nothing after it has run."""
    noted = {}
    with pytest.raises(ValueError, match="whole row"):
        attention(x, x, x, note=noted.setdefault, mask=np.zeros((2, 2), bool))
    assert "weights" not in noted and not any(np.isnan(value).any() for value in noted.values())
    with pytest.raises(ValueError, match="whole row"):
        multi_head_attention(x, pair.attention, mask=np.zeros((2, 2), bool))


@pytest.mark.parametrize("pool", [mean_pool, max_pool, first_token, last_token])
def test_pooling_refuses_a_batch(pool):
    with pytest.raises(ValueError, match=r"x has the shape \(2, 3, 4\); it takes \(T, d\)"):
        pool(ones(2, 3, 4))


def test_lists_and_nan_as_parameters():
    for gain, part in (([1, 1, 1, 1], "gain is a list"), (np.array([1, np.nan, 1, 1]), r"gain\[1\] is NaN")):
        with pytest.raises(ValueError, match=part):
            layer_norm(x, norm=LayerNormParams(gain))
    with pytest.raises(ValueError, match="x is a list"):
        unembed([1, 2], decoder_params)
    with pytest.raises(ValueError, match=r"output\[0, 0\] is NaN"):
        unembed(x, DecoderParams(decoder_params.embedding, decoder_params.blocks, output=ones(5, 4) * np.nan))
