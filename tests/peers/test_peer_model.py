"""The torch model against every peer: forward, and the slopes of each input and of each learned number.

On both of its paths: the fast one (torch's fused attention) and the explicit one, which names every value. Tolerances as for the
reference: 1e-10 in float64, 1e-5 in float32, to the greater of 1 and the number itself. A slope in float32 is measured by the
greatest slope of its machine: where a row of width 2 is nearly flat, peers are off by 2e-5 from their own float64.
"""

from dataclasses import replace

import numpy as np
import pytest
import torch
from agree import assert_model_agrees, built
from pairs import SEEDS, SHAPES, decoder_layer_pair, encoder_layer_pair, masks, multihead_pair
from pairs_transformers import bert_layer_pair, bert_pair, bloom_block_pair, gpt2_block_pair, gpt2_pair, gptj_attention_pair

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize
EVEN = [(1, 1, 2, 1, 8), (1, 3, 4, 2, 16), (2, 5, 16, 4, 64), (3, 6, 16, 8, 64), (1, 9, 6, 1, 24)]  # pairs of slots in each head


def over_all(test):
    marks = [
        every("seed", SEEDS),
        every("shape", SHAPES, ids=str),
        every("dtype", [torch.float64, torch.float32], ids=["double", "single"]),
        every("explicit", [False, True], ids=["fast", "explicit"]),
    ]
    for mark in marks:
        test = mark(test)
    return test


@over_all
@every("bias", [True, False])
def test_heads(seed, shape, dtype, explicit, bias):
    for mask in masks(seed, shape[1], shape[1]):
        assert_model_agrees(multihead_pair(seed, shape, dtype, mask, bias), explicit)


@over_all
@every("memory_width, slots", [(1, 1), (5, 4), (16, 9)])
def test_heads_that_ask_a_text_of_another_width(seed, shape, dtype, explicit, memory_width, slots):
    for mask in masks(seed, shape[1], slots, causal=False):
        assert_model_agrees(multihead_pair(seed, shape, dtype, mask, memory_width=memory_width, slots=slots), explicit)


@over_all
@every("norm_first", [True, False])
@every("activation", ["relu", "gelu"])
def test_a_reader_block(seed, shape, dtype, explicit, norm_first, activation):
    for mask in masks(seed, shape[1], shape[1]):
        assert_model_agrees(encoder_layer_pair(seed, shape, dtype, mask, activation, norm_first), explicit)


@over_all
@every("norm_first", [True, False])
@every("activation", ["relu", "gelu"])
def test_a_block_that_also_asks_another_text(seed, shape, dtype, explicit, norm_first, activation):
    for mask, memory_mask in zip(masks(seed, shape[1], shape[1]), [*masks(seed + 1, shape[1], 4, causal=False), None], strict=True):
        assert_model_agrees(decoder_layer_pair(seed, shape, dtype, mask, memory_mask, activation, norm_first), explicit)


@over_all
@every("make", [gpt2_block_pair, bert_layer_pair])
def test_a_block_of_transformers(make, seed, shape, dtype, explicit):
    for mask in masks(seed, shape[1], shape[1]):
        assert_model_agrees(make(seed, shape, dtype, mask), explicit)


@over_all
@every("padded", [False, True])
def test_a_whole_gpt2(seed, shape, dtype, explicit, padded):
    assert_model_agrees(gpt2_pair(seed, shape, dtype, padded=padded), explicit)


@over_all
def test_the_stack_of_a_bert(seed, shape, dtype, explicit):
    assert_model_agrees(bert_pair(seed, shape, dtype), explicit)


@every("make", [gptj_attention_pair, bloom_block_pair])
@every("seed", SEEDS)
@every("shape", EVEN, ids=str)
@every("explicit", [False, True], ids=["fast", "explicit"])
def test_positions_inside_attention(make, seed, shape, explicit):
    """In float32 alone: transformers works these scores out in it whatever it is given."""
    assert_model_agrees(make(seed, shape, torch.float32), explicit)


# ---- and it would have been seen


@every("wrong", [{"eps": 1e-6}, {"norm_first": False}, {"activation": torch.tanh}], ids=lambda wrong: next(iter(wrong)))
@every("explicit", [False, True], ids=["fast", "explicit"])
def test_a_wrong_choice_is_seen(wrong, explicit):
    pair = encoder_layer_pair(0, SHAPES[4], torch.float64)
    pair.config = replace(pair.config, **wrong)
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_model_agrees(pair, explicit)


@every("name", ["attention.head2.key", "attention.output", "feed_forward.down_bias", "norm2.gain"])
def test_a_wrong_slope_is_seen(monkeypatch, name):
    """The numbers stay right, and one parameter's slope is a thousandth too great."""
    pair = encoder_layer_pair(0, SHAPES[4], torch.float64)

    def meddled(pair):
        ours = built(pair)
        views = ours.arrays()
        part = next(p for p in ours.parameters() if p.data_ptr() <= views[name].data_ptr() < p.data_ptr() + p.nbytes)
        part.register_hook(lambda slope: slope * 1.001)
        return ours

    monkeypatch.setattr("agree.built", meddled)
    with pytest.raises(AssertionError, match="the slope of"):
        assert_model_agrees(pair)


def test_the_masks_of_the_model_are_not_ignored():
    pair = encoder_layer_pair(0, SHAPES[4], torch.float64, np.tri(6, dtype=bool))
    pair.mask = None
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_model_agrees(pair)
