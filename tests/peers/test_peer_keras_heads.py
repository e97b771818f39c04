"""Keras' MultiHeadAttention (torch backend) with heads of any width, biases, another text to ask, and masks: forward and slopes.

nn.MultiheadAttention has heads that share the width; Keras' may each be as wide as they like, and their values of yet another width.
Two tolerances: with its shares asked for, Keras keeps to float64, and 1e-10 holds; without them this backend works attention out in
float32 whatever the policy says, so 2e-6 (see test_peer_keras.py).
"""

import numpy as np
import pytest
import torch
from agree import assert_model_agrees, assert_reference_agrees
from pairs import DOUBLE, SEEDS, Pair, draw, leaf, masks, shares

from pencil.reference import AttentionParams, QKVParams

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:__array__ implementation")]  # Keras 3 on NumPy 2
every = pytest.mark.parametrize

# (batch, words, width, heads, key_dim, value_dim): never the width shared out among the heads
SHAPES = [(1, 1, 2, 1, 1, 1), (1, 3, 2, 2, 3, 3), (2, 1, 5, 3, 4, 2), (1, 6, 4, 1, 9, 4), (2, 5, 8, 2, 8, 8), (3, 7, 6, 3, 1, 5)]


def keras_pair(keras, seed, shape, mask=None, slots=None, bias=True, with_shares=True):
    """The layer and its bundle; with `slots` it asks another text."""
    batch, words, width, heads, key_dim, value_dim = shape
    layer = keras.layers.MultiHeadAttention(heads, key_dim, value_dim, use_bias=bias)
    inputs = [leaf(draw(seed, batch, words, width), torch.float64)]
    if slots is not None:
        inputs.append(leaf(draw(seed + 100, batch, slots, width), torch.float64))
    layer.build(*(tuple(x.shape) for x in (inputs[0], inputs[-1])))
    layer.set_weights([draw(seed + i, *w.shape) / (w.shape[0] ** 0.5 if len(w.shape) > 2 else 3) for i, w in enumerate(layer.weights)])

    def bundle(read):  # Keras: (d_model, heads, key_dim) and back (heads, value_dim, d_model), with a bias each
        parts = [read(w.value) for w in layer.weights]
        params, biases = (parts[0::2], parts[1::2]) if bias else (parts, [None] * 4)
        split = [[grid[:, h].T for h in range(heads)] for grid in params[:3]]
        split += [[None] * heads if b is None else [b[h] for h in range(heads)] for b in biases[:3]]
        return AttentionParams(tuple(QKVParams(*head) for head in zip(*split, strict=True)), params[3].reshape(-1, width).T, biases[3])

    def run(x, memory=None):
        allowed = None if mask is None else torch.tensor(np.broadcast_to(mask, (batch, *mask.shape)).copy())
        asked = x if memory is None else memory
        if not with_shares:
            out = layer(x, asked, attention_mask=allowed, training=False)
            return out, {"attn_out": out}
        out, weights = layer(x, asked, attention_mask=allowed, return_attention_scores=True, training=False)
        return out, {"attn_out": out} | shares(weights)

    return Pair("attention", bundle, run, inputs, torch.float64, mask)


def cases(seed, shape):
    """(mask, slots) for a text of its own and for another text."""
    words = shape[1]
    yield from ((mask, None) for mask in masks(seed, words, words))
    yield from ((mask, slots) for slots in (1, 4) for mask in masks(seed, words, slots, causal=False))


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("bias", [True, False])
def test_the_reference(keras, seed, shape, bias):
    for mask, slots in cases(seed, shape):
        assert_reference_agrees(keras_pair(keras, seed, shape, mask, slots, bias))


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("bias", [True, False])
@every("explicit", [False, True], ids=["fast", "explicit"])
def test_the_model_and_its_slopes(keras, seed, shape, bias, explicit):
    for mask, slots in cases(seed, shape):
        assert_model_agrees(keras_pair(keras, seed, shape, mask, slots, bias), explicit)


@every("shape", SHAPES, ids=str)
def test_without_its_shares_keras_falls_back_to_float32(keras, shape):
    pair = keras_pair(keras, 0, shape, with_shares=False)
    assert_reference_agrees(pair, 2e-6)
    if shape[1] > 1:
        with pytest.raises(AssertionError):
            assert_reference_agrees(pair, DOUBLE)


@every("name", ["query", "key", "value"])
def test_two_heads_changed_round_are_seen(keras, name):
    pair = keras_pair(keras, 0, SHAPES[4])
    made = pair.bundle

    def changed(read):
        bundle = made(read)
        first, second = (vars(head) for head in bundle.heads)
        return AttentionParams(
            (QKVParams(**first | {name: second[name]}), QKVParams(**second | {name: first[name]})), bundle.output, bundle.output_bias
        )

    pair.bundle = changed
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_reference_agrees(pair)
