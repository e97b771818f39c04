"""Pairs with transformers' Llama and Qwen3: whole decoder layers, from random configs. Nothing is fetched.

The library rotates the two halves of a head, we rotate neighbours; the rows of query and key are dealt out so that both mean the same.
"""

import numpy as np
import torch
from pairs import Pair, draw, keep, leaf, shaken
from pairs_transformers import added
from torch import nn
from transformers import LlamaConfig, Qwen3Config
from transformers.models.llama.modeling_llama import LlamaDecoderLayer
from transformers.models.qwen3.modeling_qwen3 import Qwen3DecoderLayer

from pencil.reference import (
    AttentionParams,
    BlockConfig,
    BlockParams,
    FeedForwardParams,
    LayerNormParams,
    QKVParams,
    Rotary,
    rms_norm,
    silu,
    sinusoid,
)
from pencil.reference.positions import BASE

KINDS = {"llama": (LlamaConfig, LlamaDecoderLayer), "qwen3": (Qwen3Config, Qwen3DecoderLayer)}
# (batch, words, width, heads, heads with a key, width of a head, width of the MLP)
SHAPES = [(1, 1, 2, 1, 1, 2, 1), (1, 3, 6, 3, 1, 2, 5), (2, 5, 12, 4, 2, 6, 7), (1, 9, 10, 2, 2, 4, 11), (2, 7, 12, 6, 3, 8, 9)]


def neighbours(rows, count):
    """Rows of all heads, halves paired -> a list with the rows of each head, neighbours paired."""
    width = len(rows) // count
    return [head[np.arange(width).reshape(2, -1).T.ravel()] for head in np.split(rows, count)]


def attention_of(layer, heads, pairs, read):
    """Llama's or Qwen3's attention -> AttentionParams."""
    biases = [None if one.bias is None else read(one.bias) for one in (layer.q_proj, layer.k_proj, layer.v_proj)]
    queries = neighbours(read(layer.q_proj.weight), heads)
    keys, values = neighbours(read(layer.k_proj.weight), pairs), np.split(read(layer.v_proj.weight), pairs)
    query_bias, key_bias = ([None] * count if bias is None else neighbours(bias, count) for bias, count in zip(biases, (heads, pairs), strict=False))
    value_bias = [None] * pairs if biases[2] is None else np.split(biases[2], pairs)
    found = []
    for h in range(heads):
        k, first = divmod(h * pairs, heads)
        own = {} if first else {"key": keys[k], "value": values[k], "key_bias": key_bias[k], "value_bias": value_bias[k]}
        found.append(QKVParams(queries[h], query_bias=query_bias[h], **own))
    gains = [LayerNormParams(neighbours(read(one.weight), 1)[0]) for one in (layer.q_norm, layer.k_norm)] if hasattr(layer, "q_norm") else []
    return AttentionParams(tuple(found), read(layer.o_proj.weight), None if layer.o_proj.bias is None else read(layer.o_proj.bias), *gains)


def feed_forward_of(mlp, read):
    """LlamaMLP -> FeedForwardParams."""
    return FeedForwardParams(read(mlp.up_proj.weight), read(mlp.down_proj.weight), gate=read(mlp.gate_proj.weight))


def in_full(peer, eps):
    """Its norms compute in float32 whatever they are given: torch's RMSNorm, with their weights, stands in for each of them.

    The weight of Gemma's norms is the gain's distance from 1.
    """
    for name, module in list(peer.named_modules()):
        if type(module).__name__.endswith("RMSNorm"):
            norm = nn.RMSNorm(len(module.weight), eps, dtype=module.weight.dtype)
            norm.weight = nn.Parameter(1 + module.weight) if type(module).__name__.startswith("Gemma") else module.weight
            peer.set_submodule(name, norm)
    return peer


def tables(words, width, dtype, base=BASE, **scaled):
    """Cosine and sine of each seat, once for each half, as the library hands them to its layers."""
    angles = sinusoid(np.arange(float(words)), width=width, base=base, **scaled)
    sin, cos = (torch.tensor(np.concatenate([part, part], -1)[None], dtype=dtype) for part in angles)
    return cos, sin


def layer_pair(kind, seed, shape, dtype, mask=None, bias=False, full=True, eps=1e-6):
    """A decoder layer. With `full`, its norms compute in the type that they are given."""
    batch, words, width, heads, pairs, d_k, d_ff = shape
    config, layer = KINDS[kind]
    sizes = {"hidden_size": width, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "intermediate_size": d_ff}
    rest = {"rms_norm_eps": eps, "attention_bias": bias, "attn_implementation": "sdpa"}
    peer = shaken(layer(config(**sizes, **rest), layer_idx=0), seed, dtype)
    kept = keep({
        "norm1.affine": peer.input_layernorm, "norm2.affine": peer.post_attention_layernorm, "attn_out": peer.self_attn,
        "gate": peer.mlp.gate_proj, "hidden": peer.mlp.up_proj, "activated": peer.mlp.act_fn, "mlp_out": peer.mlp,
    }) if not full else keep({
        "attn_out": peer.self_attn, "gate": peer.mlp.gate_proj, "hidden": peer.mlp.up_proj, "activated": peer.mlp.act_fn, "mlp_out": peer.mlp,
    })  # fmt: skip
    peer = in_full(peer, eps) if full else peer

    def run(x):
        sees = np.ones((words, words), bool) if mask is None else mask  # without one the library covers the future
        return peer(x, attention_mask=added(sees, dtype), position_embeddings=tables(words, d_k, dtype)), kept

    def bundle(read):
        norms = tuple(norm_of_gain(one, read) for one in (peer.input_layernorm, peer.post_attention_layernorm))
        return BlockParams(attention_of(peer.self_attn, heads, pairs, read), feed_forward_of(peer.mlp, read), norms)

    config = BlockConfig(norm=rms_norm, eps=eps, activation=silu, position_encoding=Rotary())
    return Pair("block", bundle, run, [leaf(draw(seed, batch, words, width), dtype)], dtype, mask, config=config)


def norm_of_gain(norm, read):
    """An RMSNorm's gain."""
    return LayerNormParams(read(norm.weight))
