"""The reference against torch's own attention and transformer layers, with biases, other texts to ask, and both norm orders.

Tolerance 1e-10 in float64: both sides add the same products in another order, which moves the last two or three of
sixteen digits, and a LayerNorm of a nearly flat row makes up to four more of that. In float32 1e-5. A wrong eps, a transposed
grid or a swapped norm order moves the first digits: the last tests here try each of them.
"""

from dataclasses import replace

import numpy as np
import pytest
import torch
from agree import assert_reference_agrees
from pairs import SEEDS, SHAPES, decoder_layer_pair, encoder_layer_pair, masks, multihead_pair

from pencil.params import map_arrays

pytestmark = pytest.mark.slow
DTYPES = [torch.float64, torch.float32]
every = pytest.mark.parametrize
over = [every("seed", SEEDS), every("shape", SHAPES, ids=str), every("dtype", DTYPES, ids=str)]


def over_all(test):
    for mark in over:
        test = mark(test)
    return test


@over_all
@every("bias", [True, False])
def test_heads(seed, shape, dtype, bias):
    for mask in masks(seed, shape[1], shape[1]):
        assert_reference_agrees(multihead_pair(seed, shape, dtype, mask, bias))


@over_all
@every("memory_width, slots", [(1, 1), (5, 4), (16, 9)])
def test_heads_that_ask_a_text_of_another_width(seed, shape, dtype, memory_width, slots):
    for mask in masks(seed, shape[1], slots, causal=False):
        assert_reference_agrees(multihead_pair(seed, shape, dtype, mask, memory_width=memory_width, slots=slots))


@over_all
@every("norm_first", [True, False])
@every("activation", ["relu", "gelu"])
def test_a_reader_block(seed, shape, dtype, norm_first, activation):
    for mask in masks(seed, shape[1], shape[1]):
        assert_reference_agrees(encoder_layer_pair(seed, shape, dtype, mask, activation, norm_first))


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("norm_first", [True, False])
def test_a_reader_block_on_torchs_fast_path(seed, shape, norm_first):
    pair = encoder_layer_pair(seed, shape, torch.float64, norm_first=norm_first, hooks=False)
    run = pair.run
    pair.run = lambda x: (run(x)[0], {"out": run(x)[0]})
    with torch.inference_mode():
        assert_reference_agrees(pair)


@over_all
@every("eps", [1e-12, 1e-5, 0.5])
def test_a_reader_block_without_biases_and_with_another_eps(seed, shape, dtype, eps):
    assert_reference_agrees(encoder_layer_pair(seed, shape, dtype, eps=eps, bias=False))


@over_all
@every("norm_first", [True, False])
@every("activation", ["relu", "gelu"])
def test_a_block_that_also_asks_another_text(seed, shape, dtype, norm_first, activation):
    words, slots = shape[1], 4
    for mask in masks(seed, words, words):
        for memory_mask in masks(seed + 1, words, slots, causal=False):
            assert_reference_agrees(decoder_layer_pair(seed, shape, dtype, mask, memory_mask, activation, norm_first, slots=slots))


# ---- and it would have been seen


def spoilt_bundle(pair, change):
    made = pair.bundle
    pair.bundle = lambda read: change(made(read))
    return pair


def transposed(name):
    """The grid of that flat name the other way round."""
    return lambda bundle: map_arrays(bundle, lambda found, grid: grid.T if found == name else grid)


def swapped_norms(bundle):
    return replace(bundle, norms=bundle.norms[::-1])


def swapped_heads(bundle):
    return replace(bundle, attention=replace(bundle.attention, heads=bundle.attention.heads[::-1]))


SQUARE = (2, 5, 4, 2, 4)  # every grid but those of the heads may be turned round and still fits


@every(
    "change",
    [transposed("attention.output"), transposed("feed_forward.up"), transposed("feed_forward.down"), swapped_norms, swapped_heads],
    ids=["output", "up", "down", "norms", "heads"],
)
@every("norm_first", [True, False])
def test_a_wrong_grid_is_seen(change, norm_first):
    pair = spoilt_bundle(encoder_layer_pair(0, SQUARE, torch.float64, norm_first=norm_first), change)
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_reference_agrees(pair)


@every("wrong", [{"eps": 1e-6}, {"norm_first": False}, {"activation": np.tanh}], ids=lambda wrong: next(iter(wrong)))
def test_a_wrong_choice_is_seen(wrong):
    pair = encoder_layer_pair(0, SQUARE, torch.float64)
    pair.config = replace(pair.config, **wrong)
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_reference_agrees(pair)


def test_the_other_gelu_is_seen():
    from pencil.reference import gelu

    pair = encoder_layer_pair(0, SQUARE, torch.float64, activation="gelu")
    pair.config = replace(pair.config, activation=gelu)
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_reference_agrees(pair)


def test_a_wrong_mask_is_seen():
    pair = encoder_layer_pair(0, SQUARE, torch.float64, np.tri(5, dtype=bool))
    pair.mask = np.tri(5, k=1, dtype=bool)
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_reference_agrees(pair)
