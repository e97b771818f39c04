"""The modern block against torch and `transformers`: RMSNorm, SiLU and the gate, shared keys and values, whole layers of Llama and Qwen3.

Tolerances: 1e-10 in float64 and 1e-5 in float32. The library's norms fall back to float32 whatever they are given, so its layers run
twice: with torch's RMSNorm in their place, within 1e-10, and as they are, within 1e-5.
"""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from agree import assert_close, assert_model_agrees, assert_reference_agrees
from pairs import DOUBLE, SEEDS, SINGLE, draw, masks, shaken
from pairs_modern import SHAPES, feed_forward_of, layer_pair
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaMLP, LlamaRMSNorm, repeat_kv

from pencil import model, reference
from pencil.reference import LayerNormParams, feed_forward, rms_norm, silu

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize


@every("kind", ["llama", "qwen3"])
@every("bias", [False, True])
@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
def test_a_decoder_layer(kind, seed, shape, bias):
    for mask in masks(seed, shape[1], shape[1]):
        pair = layer_pair(kind, seed, shape, torch.float64, mask, bias)
        assert_reference_agrees(pair)
        assert_model_agrees(pair)
    assert_model_agrees(layer_pair(kind, seed, shape, torch.float64, masks(seed, shape[1], shape[1])[-1], bias), explicit=True)


@every("kind", ["llama", "qwen3"])
@every("dtype", [torch.float64, torch.float32], ids=str)
@every("shape", SHAPES, ids=str)
def test_a_decoder_layer_with_the_norms_of_the_library(kind, shape, dtype):
    assert_reference_agrees(layer_pair(kind, 0, shape, dtype, full=False), SINGLE * 10)


@every("width", [1, 2, 7, 33])
@every("eps", [1e-6, 0.3])
def test_rms_norm(width, eps):
    x, gain = draw(width, 3, width), draw(width + 1, width)
    ours = rms_norm(x, norm=LayerNormParams(gain), eps=eps)
    assert_close(ours, F.rms_norm(torch.tensor(x), (width,), torch.tensor(gain), eps), DOUBLE, "F.rms_norm")
    norm = LlamaRMSNorm(width, eps)
    norm.weight.data = torch.tensor(gain)
    assert_close(ours, norm(torch.tensor(x)), SINGLE, "LlamaRMSNorm")


@every("width, d_ff", [(1, 1), (3, 5), (12, 8)])
def test_the_gated_network(width, d_ff):
    peer = shaken(LlamaMLP(LlamaConfig(hidden_size=width, intermediate_size=d_ff, num_attention_heads=1)), 0, torch.float64)
    x = draw(0, 2, 5, width)
    params = feed_forward_of(peer, lambda weight: weight.detach().numpy())
    assert_close(feed_forward(x, params, activation=silu), peer(torch.tensor(x)), DOUBLE, "LlamaMLP")


@every("heads, pairs", [(4, 1), (6, 3), (5, 5)])
def test_shared_pairs_are_repeated_pairs(heads, pairs):
    query, key, value = (torch.tensor(draw(k, 2, count, 5, 4)) for k, count in enumerate((heads, pairs, pairs)))
    repeated = [repeat_kv(rows, heads // pairs) for rows in (key, value)]
    loops = [reference.attention(*(rows[:, h].numpy() for rows in (query, *repeated)), mask=np.tri(5, dtype=bool)) for h in range(heads)]
    wanted = np.stack(loops, 1)
    sdpa = F.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
    assert_close(wanted, sdpa, DOUBLE, "enable_gqa")
    assert_close(wanted, model.attention(query, key, value, causal=True), DOUBLE, "ours")
