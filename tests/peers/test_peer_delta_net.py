"""Layers with the gated delta rule against transformers' Qwen3-Next, built from random configs. Its delta rule computes in float32."""

from functools import partial

import numpy as np
import pytest
import torch
from pairs import shaken
from pairs_modern import in_full
from pairs_today import delta_net, gated_attention
from transformers import Qwen3NextConfig, Qwen3NextForCausalLM

from pencil.model import Cache, Config, Decoder, GatedDeltaNet, generate
from pencil.reference import (
    BlockParams,
    DecoderParams,
    FeedForwardParams,
    LayerNormParams,
    Rotary,
    decoder,
    gated_delta_net,
    rms_norm,
    stable_softmax,
)

pytestmark = pytest.mark.slow

# layers, width, heads, heads with a key, width of a head; of states: heads, those with a key, widths of key and value, tokens of a convolution
SHAPES = [
    (("full_attention", "linear_attention"), 5, 1, 1, 2, 1, 1, 1, 1, 4),
    (("linear_attention", "full_attention"), 8, 4, 2, 6, 6, 2, 3, 5, 3),
    (("linear_attention",) * 3 + ("full_attention",), 6, 2, 1, 4, 4, 4, 2, 3, 2),
]
EPS, VOCAB = 1e-6, 11


def machine(shape, seed=0):  # -> their model, our description and params
    layers, width, heads, pairs, d_k, state_heads, key_heads, state_k, state_v, size = shape
    sizes = {"hidden_size": width, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "num_hidden_layers": len(layers)}
    sizes |= {
        "linear_num_value_heads": state_heads,
        "linear_num_key_heads": key_heads,
        "linear_key_head_dim": state_k,
        "linear_value_head_dim": state_v,
    }
    sizes |= {"linear_conv_kernel_dim": size, "intermediate_size": 7, "num_experts": 0, "vocab_size": VOCAB, "layer_types": list(layers)}
    rope = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0}
    theirs = Qwen3NextForCausalLM(Qwen3NextConfig(**sizes, rms_norm_eps=EPS, rope_parameters=rope, pad_token_id=None, tie_word_embeddings=False))
    theirs = in_full(shaken(theirs, seed, torch.float32), EPS)  # whose norms' weights are gains
    config = Config.llama(width, heads, d_k=d_k, n_kv_heads=pairs, d_ff=7, n_layers=len(layers), vocab_size=VOCAB, qk_norm=True,
                          gated_attention=True, position_encoding=Rotary(), softmax=stable_softmax, linear_heads=state_heads, linear_conv_size=size,
                          linear_layers=tuple(i for i, kind in enumerate(layers, start=1) if kind == "linear_attention"),
                          linear_key_heads=key_heads, linear_d_k=state_k, linear_d_v=state_v)  # fmt: skip
    return theirs, config, params_of(theirs, heads, pairs, d_k)


def read(parameter):
    return parameter.detach().double().numpy()


def params_of(theirs, heads, pairs, d_k):
    def block(layer):
        attention = delta_net(layer.linear_attn, read) if hasattr(layer, "linear_attn") else gated_attention(layer.self_attn, heads, pairs, d_k, read)
        mlp = FeedForwardParams(read(layer.mlp.up_proj.weight), read(layer.mlp.down_proj.weight), gate=read(layer.mlp.gate_proj.weight))
        return BlockParams(attention, mlp, (gain(layer.input_layernorm), gain(layer.post_attention_layernorm)))

    blocks = tuple(block(layer) for layer in theirs.model.layers)
    return DecoderParams(read(theirs.model.embed_tokens.weight), blocks, None, gain(theirs.model.norm), read(theirs.lm_head.weight))


def gain(norm):
    return LayerNormParams(read(norm.weight))


def close(found, wanted):
    np.testing.assert_allclose(np.asarray(found), wanted.detach().numpy(), rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("length", [1, 2, 9, 70])
def test_a_layer(shape, length):
    theirs, config, params = machine(shape, seed=length)
    x = torch.randn(2, length, config.d_model, generator=torch.Generator().manual_seed(length))
    number = config.linear_layers[0] - 1
    wanted = theirs.model.layers[number].linear_attn(x)
    layer = params.blocks[number].attention
    close(gated_delta_net(x.double().numpy(), layer, norm=partial(rms_norm, eps=EPS)), wanted)
    ours = GatedDeltaNet.from_params(layer, config)
    close(ours(x.double(), causal=True).detach(), wanted)
    close(ours(x.double(), causal=True, note=lambda name, value: value).detach(), wanted)
    close(GatedDeltaNet.from_params(layer, config, torch.float32)(x, causal=True).detach(), wanted)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_whole_model_its_cache_and_what_it_writes(shape):
    theirs, config, params = machine(shape)
    ids = np.random.default_rng(1).integers(0, VOCAB, (2, 7))
    ours, cache = Decoder.from_params(params, config).eval(), Cache()
    with torch.no_grad():
        wanted = theirs(torch.tensor(ids)).logits
        close(decoder(ids, params, config=config), wanted)
        close(ours(torch.tensor(ids)), wanted)
        close(torch.cat([ours(torch.tensor(ids[:, part]), cache=cache) for part in (slice(4), slice(4, 5), slice(5, 7))], 1), wanted)
        written = theirs.generate(torch.tensor(ids), max_new_tokens=8, do_sample=False)[:, 7:]
    assert generate(ours, ids.tolist(), max_new_tokens=8, temperature=0) == written.tolist()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_padding_is_passed_by(shape):
    theirs, config, params = machine(shape)
    ids, is_token = (
        torch.tensor([[0, 0, 3, 1, 4], [2, 7, 1, 8, 2]]),
        torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]).bool(),
    )  # theirs is at the start
    with torch.no_grad():
        wanted = theirs(ids, attention_mask=is_token.long()).logits
        found = Decoder.from_params(params, config).eval()(ids, padding_mask=is_token)
    close(found[is_token], wanted[is_token])
