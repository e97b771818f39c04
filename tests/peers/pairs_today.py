"""Pairs with the attention of today's machines in transformers: gpt-oss (sinks), Qwen3-Next (a gate) and DeepSeek-V3 (latents). Nothing is fetched.

Where the library rotates the two halves of a head, the rows of query and key are dealt out as in `pairs_modern`.
"""

import numpy as np
from pairs import Pair, draw, leaf, shaken
from pairs_modern import in_full, neighbours, tables
from pairs_transformers import added
from torch import nn
from transformers import DeepseekV3Config, GptOssConfig, Qwen3NextConfig
from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3Attention
from transformers.models.gpt_oss.modeling_gpt_oss import GptOssAttention
from transformers.models.qwen3_next.modeling_qwen3_next import Qwen3NextAttention

from pencil.reference import (
    AttentionParams,
    BlockConfig,
    DeltaHeadParams,
    GatedDeltaNetParams,
    LatentAttentionParams,
    LayerNormParams,
    QKVParams,
    Rotary,
    rms_norm,
)

# (batch, words, width, heads, heads with a key, width of a head)
SHAPES = [(1, 1, 2, 1, 1, 2), (1, 3, 6, 3, 1, 2), (2, 5, 12, 4, 2, 6), (1, 9, 10, 2, 2, 4), (2, 7, 5, 6, 3, 8)]
# (batch, words, width, heads, width of a key, its rotated part, width of a value, the latent, the queries' latent or None)
LATENT_SHAPES = [(1, 1, 2, 1, 1, 2, 1, 1, None), (1, 3, 6, 3, 2, 2, 3, 4, 5), (2, 5, 12, 4, 5, 6, 3, 7, None), (2, 7, 5, 2, 3, 4, 8, 2, 3)]
EPS = 1e-6  # of the library's norms


def named_by_head(name, rows, heads):
    """(…, H, T, width) -> the rows of each head by our name."""
    return {name if heads == 1 else f"head{h + 1}.{name}": rows[:, h] for h in range(heads)}


def in_heads(rows, count):
    """(…, T, count · width) -> (…, count, T, width)."""
    return rows.unflatten(-1, (count, -1)).transpose(1, 2)


def dealt(rows):
    """The columns of each head, halves paired -> neighbours paired."""
    return rows[..., np.arange(rows.shape[-1]).reshape(2, -1).T.ravel()]


def seen(layer, names):
    """What each linear layer of {name: layer} makes, and what the output layer reads ("mixed"), as the layer runs."""
    kept = {}
    for name, module in names.items():
        module.register_forward_hook(lambda _, __, out, name=name: kept.__setitem__(name, out))
    layer.o_proj.register_forward_pre_hook(lambda _, given: kept.__setitem__("mixed", given[0]))
    return kept


def every_key(mask, words):
    """The mask; where there is none all True, for torch's kernel, as the library calls it, would cover the future (its own steps fall to float32)."""
    return np.ones((words, words), bool) if mask is None else mask


def grouped_heads(query, key, value, biases):
    """QKVParams of each head; the first of a group has the group's key and value."""
    heads, pairs = len(query), len(key)
    query_bias, key_bias, value_bias = biases
    found = []
    for h in range(heads):
        k, first = divmod(h * pairs, heads)
        own = {} if first else {"key": key[k], "value": value[k], "key_bias": key_bias[k], "value_bias": value_bias[k]}
        found.append(QKVParams(query[h], query_bias=query_bias[h], **own))
    return tuple(found)


def sinks_pair(seed, shape, dtype, mask=None, bias=True):
    """gpt-oss: one learned score for each head in the softmax's total."""
    batch, words, width, heads, pairs, d_k = shape
    sizes = {"hidden_size": width, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "num_hidden_layers": 1}
    peer = GptOssAttention(GptOssConfig(**sizes, attention_bias=bias, attn_implementation="eager"), layer_idx=0)
    peer = shaken(peer, seed, dtype)
    kept = seen(peer, {"query": peer.q_proj, "key": peer.k_proj, "value": peer.v_proj})

    def run(x):
        cos, sin = (table[..., : d_k // 2] for table in tables(words, d_k, dtype))
        out, weights = peer(x, (cos, sin), added(mask, dtype))
        named = {"attn_out": out, "concat" if heads > 1 else "context": kept["mixed"]} | named_by_head("weights", weights, heads)
        return out, named | named_by_head("query", dealt(in_heads(kept["query"], heads)), heads)

    def bundle(read):
        query, key = neighbours(read(peer.q_proj.weight), heads), neighbours(read(peer.k_proj.weight), pairs)
        value = np.split(read(peer.v_proj.weight), pairs)
        biases = [[None] * heads] * 3
        if bias:
            split = neighbours(read(peer.q_proj.bias), heads), neighbours(read(peer.k_proj.bias), pairs), np.split(read(peer.v_proj.bias), pairs)
            biases = list(split)
        output_bias = read(peer.o_proj.bias) if bias else None
        return AttentionParams(grouped_heads(query, key, value, biases), read(peer.o_proj.weight), output_bias, sinks=read(peer.sinks))

    config = BlockConfig(norm=rms_norm, eps=EPS, position_encoding=Rotary())
    return Pair("attention", bundle, run, [leaf(draw(seed, batch, words, width), dtype)], dtype, mask, config=config)


def gated_attention(peer, heads, pairs, d_k, read):
    """Qwen3-Next's attention, its norms' weights being gains -> AttentionParams."""
    bias = peer.q_proj.bias is not None

    def split_gate(array):  # the rows of the queries and those of the gates
        by_head = np.reshape(array, (heads, 2 * d_k, *array.shape[1:]))
        return [np.reshape(part, (heads * d_k, *array.shape[1:])) for part in (by_head[:, :d_k], by_head[:, d_k:])]

    query, gate = split_gate(read(peer.q_proj.weight))
    query_bias, gate_bias = split_gate(read(peer.q_proj.bias)) if bias else (None, None)
    key, value = neighbours(read(peer.k_proj.weight), pairs), np.split(read(peer.v_proj.weight), pairs)
    biases = [[None] * heads] * 3
    if bias:
        biases = [neighbours(query_bias, heads), neighbours(read(peer.k_proj.bias), pairs), np.split(read(peer.v_proj.bias), pairs)]
    norms = [LayerNormParams(neighbours(read(norm.weight), 1)[0]) for norm in (peer.q_norm, peer.k_norm)]
    heads_of = grouped_heads(neighbours(query, heads), key, value, biases)
    output_bias = read(peer.o_proj.bias) if bias else None
    return AttentionParams(heads_of, read(peer.o_proj.weight), output_bias, *norms, gate=gate, gate_bias=gate_bias)


def delta_net(peer, read):
    """Qwen3-Next's linear attention -> GatedDeltaNetParams; its rows lie by groups: queries, keys, values and gates of each."""
    groups, heads, d_k, d_v = peer.num_k_heads, peer.num_v_heads, peer.head_k_dim, peer.head_v_dim
    each, size = heads // groups, peer.conv_kernel_size
    joint = read(peer.in_proj_qkvz.weight).reshape(groups, 2 * d_k + 2 * each * d_v, -1)
    query, key, value, gate = np.split(joint, np.cumsum([d_k, d_k, each * d_v]), axis=1)
    value, gate = value.reshape(heads, d_v, -1), gate.reshape(heads * d_v, -1)
    convs = np.split(read(peer.conv1d.weight).reshape(-1, size), np.cumsum([groups * d_k] * 2))
    query_conv, key_conv, value_conv = (conv.reshape(-1, width, size) for conv, width in zip(convs, (d_k, d_k, d_v), strict=True))
    beta, decay = (part.reshape(heads, -1) for part in np.split(read(peer.in_proj_ba.weight).reshape(groups, 2 * each, -1), 2, axis=1))
    first = lambda h: (query[h // each], query_conv[h // each], key[h // each], key_conv[h // each]) if h % each == 0 else ()  # noqa: E731
    heads_of = tuple(DeltaHeadParams(value[h], value_conv[h], *first(h)) for h in range(heads))
    rates = read(peer.dt_bias), read(peer.A_log)
    return GatedDeltaNetParams(heads_of, read(peer.out_proj.weight), beta, decay, *rates, gate, LayerNormParams(read(peer.norm.weight)))


def gate_pair(seed, shape, dtype, mask=None, bias=False):
    """Qwen3-Next: the concatenated contexts times the sigmoid of a gate, whose rows stand behind those of each head's query; QK norm."""
    batch, words, width, heads, pairs, d_k = shape
    sizes = {"hidden_size": width, "num_attention_heads": heads, "num_key_value_heads": pairs, "head_dim": d_k, "num_hidden_layers": 1}
    config = Qwen3NextConfig(**sizes, attention_bias=bias, rms_norm_eps=EPS, attn_implementation="sdpa")
    peer = shaken(Qwen3NextAttention(config, layer_idx=0), seed, dtype)
    for name in ("q_norm", "k_norm"):  # theirs multiplies by 1 + weight, in float32
        norm = nn.RMSNorm(d_k, EPS, dtype=dtype)
        norm.weight = nn.Parameter(1 + getattr(peer, name).weight.detach())
        setattr(peer, name, norm)
    kept = seen(peer, {"query": peer.q_proj, "key": peer.k_proj, "normed": peer.q_norm})

    def run(x):
        out, _ = peer(x, tables(words, d_k, dtype), added(every_key(mask, words), dtype))
        named = {"attn_out": out, "gated_concat": kept["mixed"]}
        query, gate = kept["query"].unflatten(-1, (heads, 2 * d_k)).split(d_k, -1)
        named |= named_by_head("query", dealt(query.transpose(1, 2)), heads) | {"attn_gate": gate.flatten(-2)}
        return out, named | named_by_head("query_norm.affine", dealt(kept["normed"].transpose(1, 2)), heads)

    def bundle(read):
        return gated_attention(peer, heads, pairs, d_k, read)

    config = BlockConfig(norm=rms_norm, eps=EPS, position_encoding=Rotary())
    return Pair("attention", bundle, run, [leaf(draw(seed, batch, words, width), dtype)], dtype, mask, config=config)


def latent_pair(seed, shape, dtype, mask=None, interleave=True):
    """DeepSeek-V3: latent attention with its rotated part; with `interleave` it rotates neighbours, as we do."""
    batch, words, width, heads, d_k, d_r, d_v, d_c, d_q = shape
    sizes = {"hidden_size": width, "num_attention_heads": heads, "num_key_value_heads": heads, "num_hidden_layers": 1, "v_head_dim": d_v}
    sizes |= {"qk_nope_head_dim": d_k, "qk_rope_head_dim": d_r, "kv_lora_rank": d_c, "q_lora_rank": d_q}
    config = DeepseekV3Config(**sizes, rope_interleave=interleave, attn_implementation="sdpa")
    peer = in_full(shaken(DeepseekV3Attention(config, layer_idx=0), seed, dtype), EPS)
    layers = {"down": peer.kv_a_proj_with_mqa, "latent": peer.kv_a_layernorm, "pair": peer.kv_b_proj}
    kept = seen(peer, layers | ({} if d_q is None else {"query_down": peer.q_a_proj, "query_norm": peer.q_a_layernorm}))
    deal = (lambda rows: rows) if interleave else (lambda rows: rows[np.arange(d_r).reshape(2, -1).T.ravel()])

    def run(x):
        out, _ = peer(x, tables(words, d_r, dtype), added(every_key(mask, words), dtype))
        named = {"attn_out": out, "concat" if heads > 1 else "context": kept["mixed"]}
        named |= {"latent": kept["down"][..., :d_c], "latent_norm.affine": kept["latent"]}
        named |= {} if d_q is None else {"query_latent": kept["query_down"], "query_latent_norm.affine": kept["query_norm"]}
        key, value = in_heads(kept["pair"][:, 0], heads).split((d_k, d_v), -1)
        return out, named | named_by_head("key", key, heads) | named_by_head("value", value, heads)

    def bundle(read):
        down, made = read(peer.kv_a_proj_with_mqa.weight), np.split(read(peer.kv_b_proj.weight), heads)
        queries = np.split(read((peer.q_proj if d_q is None else peer.q_b_proj).weight), heads)
        heads_of = [
            QKVParams(np.concatenate([query[:d_k], deal(query[d_k:])]), pair[:d_k], pair[d_k:]) for query, pair in zip(queries, made, strict=True)
        ]
        short = () if d_q is None else (read(peer.q_a_proj.weight), LayerNormParams(read(peer.q_a_layernorm.weight)))
        norm = LayerNormParams(read(peer.kv_a_layernorm.weight))
        return LatentAttentionParams(tuple(heads_of), down[:d_c], read(peer.o_proj.weight), norm, deal(down[d_c:]), *short)

    config = BlockConfig(norm=rms_norm, eps=EPS, position_encoding=Rotary())
    return Pair("latent", bundle, run, [leaf(draw(seed, batch, words, width), dtype)], dtype, mask, config=config)
