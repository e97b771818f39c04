"""Decoders of `transformers` with random weights, and ours with the same ones: Llama, and Mistral with its sliding window."""

import torch
from pairs import shaken
from pairs_modern import attention_of, feed_forward_of, in_full, norm_of_gain
from pairs_transformers import NO_IDS
from transformers import LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM

from pencil.model import Decoder
from pencil.reference import BlockConfig, BlockParams, DecoderParams, Rotary, rms_norm, silu

KINDS = {"llama": (LlamaConfig, LlamaForCausalLM), "mistral": (MistralConfig, MistralForCausalLM)}
# (width, heads, heads with a key, width of a head, width of the MLP, blocks)
SHAPES = [(6, 3, 1, 2, 5, 1), (12, 4, 2, 6, 7, 2), (10, 2, 2, 4, 11, 3)]
EPS = 1e-6


def read(weight):
    return weight.detach().numpy()


def writers(kind, seed, shape, how="eager", **more):  # -> theirs, ours
    """Both in float64, with norms that compute in it."""
    width, heads, pairs, d_k, d_ff, depth = shape
    config, model = KINDS[kind]
    sizes = {"hidden_size": width, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "intermediate_size": d_ff}
    rest = {"num_hidden_layers": depth, "vocab_size": 11, "rms_norm_eps": EPS, "attn_implementation": how, "max_position_embeddings": 32}
    theirs = in_full(shaken(model(config(**sizes, **rest, **NO_IDS, **more)), seed, torch.float64), EPS).eval()
    body = theirs.model
    blocks = tuple(
        BlockParams(
            attention_of(layer.self_attn, heads, pairs, read),
            feed_forward_of(layer.mlp, read),
            (norm_of_gain(layer.input_layernorm, read), norm_of_gain(layer.post_attention_layernorm, read)),
        )
        for layer in body.layers
    )
    params = DecoderParams(read(body.embed_tokens.weight), blocks, None, norm_of_gain(body.norm, read), read(theirs.lm_head.weight))
    ours = BlockConfig(norm=rms_norm, eps=EPS, activation=silu, position_encoding=Rotary())
    return theirs, Decoder.from_params(params, ours).double().eval()
