"""One machine twice: a peer with random weights, and the same weights as bundles of `pencil`.

Each maker returns a `Pair`: the peer's output and every value inside that it lets out, under our names, and the
bundle that carries its weights over. The bundle is made by reading each parameter once, so the same maker reads
the slopes: `bundle(numbers)` are the weights, `bundle(slopes)` what the peer says of each of them after `backward`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn

from pencil.reference import AttentionParams, BlockConfig, BlockParams, FeedForwardParams, LayerNormParams, QKVParams, gelu, gelu_erf, relu

DOUBLE, SINGLE = 1e-10, 1e-5
TOLERANCE = {torch.float64: DOUBLE, torch.float32: SINGLE}
BENDS = {"relu": relu, "gelu": gelu_erf, "gelu_new": gelu}  # torch and BERT call the exact form gelu

# (batch, words, width, heads, width of the MLP): one word, one head, width 2, a batch of one, and sizes that nothing divides
SHAPES = [(1, 1, 2, 1, 1), (1, 3, 2, 2, 5), (2, 1, 6, 3, 4), (1, 5, 7, 1, 9), (3, 6, 12, 4, 48), (2, 9, 10, 5, 11)]
SEEDS = range(2)


@dataclass
class Pair:
    """A peer, and what of ours it is held against."""

    what: str  # attention, block, stack, decoder: which of our functions does the same
    bundle: Callable  # read -> our bundle, each array read off one parameter of the peer
    run: Callable  # (*inputs) -> (output, {our name: value}), as torch tensors
    inputs: list  # tensors of numbers, with requires_grad
    dtype: torch.dtype
    mask: np.ndarray | None = None  # True where a query may look
    memory_mask: np.ndarray | None = None
    config: BlockConfig = field(default_factory=BlockConfig)
    more: dict = field(default_factory=dict)  # what only one kind needs


def numbers(parameter):
    """What a parameter holds."""
    return parameter.detach().numpy()


def slopes(parameter):
    """What the last `backward` says of it; a parameter that nothing depends on has none, and that is a slope of 0."""
    return np.zeros(parameter.shape) if parameter.grad is None else parameter.grad.numpy()


def draw(seed, *shape):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def leaf(array, dtype):
    return torch.tensor(np.asarray(array), dtype=dtype).requires_grad_()


def shaken(peer, seed, dtype):
    """The peer with every parameter drawn anew: as they come, biases are 0 and gains 1, and hide what is wrong with them."""
    generator = torch.Generator().manual_seed(seed)
    peer = peer.to(dtype).eval()
    with torch.no_grad():
        for name, parameter in peer.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            if parameter.ndim > 1:
                parameter.copy_(noise / min(parameter.shape) ** 0.5)
            else:
                parameter.copy_(noise * 0.3 + ("bias" not in name))
    return peer


def masks(seed, queries, keys, causal=True):
    """None, a random mask in which every query may look somewhere, and (for one text) the causal one."""
    mask = np.random.default_rng([seed, queries, keys]).random((queries, keys)) < 0.6
    mask[:, 0] = True
    return [None, mask, np.tri(queries, dtype=bool)] if causal else [None, mask]


def forbidden(mask):
    """torch's own way round: True where a query may not look."""
    return None if mask is None else torch.tensor(~mask)


def keep(modules):
    """Hooks that keep what each module of {our name: module} gives; the dictionary fills as the peer runs."""
    kept = {}
    for name, module in modules.items():
        module.register_forward_hook(lambda _, __, out, name=name: kept.__setitem__(name, out[0] if isinstance(out, tuple) else out))
    return kept


# ---- one maker for each kind of weights


def attention_of(count, query, key, value, output, biases=None, output_bias=None):
    """Grids of all heads stacked in one (heads·d_k, d) array each -> Attention."""
    split = [np.split(grid, count) for grid in (query, key, value)]
    split += [np.split(bias, count) for bias in biases] if biases is not None else [[None] * count] * 3
    return AttentionParams(tuple(QKVParams(*parts) for parts in zip(*split, strict=True)), output, output_bias)


def torch_attention(layer, read):
    """nn.MultiheadAttention, its three grids in one array or (with kdim or vdim) apart."""
    if layer.in_proj_weight is not None:
        params = np.split(read(layer.in_proj_weight), 3)
    else:
        params = [read(getattr(layer, f"{name}_proj_weight")) for name in "qkv"]
    biased = layer.in_proj_bias is not None
    biases = np.split(read(layer.in_proj_bias), 3) if biased else None
    return attention_of(layer.num_heads, *params, read(layer.out_proj.weight), biases, read(layer.out_proj.bias) if biased else None)


def norm_of(layer, read):
    return LayerNormParams(read(layer.weight), None if layer.bias is None else read(layer.bias))


def linear_pair(up, down, read):
    biases = [None if layer.bias is None else read(layer.bias) for layer in (up, down)]
    return FeedForwardParams(read(up.weight), read(down.weight), *biases)


def torch_block(layer, read):
    """nn.TransformerEncoderLayer, or with a second attention nn.TransformerDecoderLayer."""
    crossed = hasattr(layer, "multihead_attn")
    norms = [getattr(layer, f"norm{i}") for i in range(1, 4 if crossed else 3)]
    cross = torch_attention(layer.multihead_attn, read) if crossed else None
    mlp = linear_pair(layer.linear1, layer.linear2, read)
    return BlockParams(torch_attention(layer.self_attn, read), mlp, tuple(norm_of(n, read) for n in norms), cross)


def gpt2_block(layer, read):
    """Conv1D keeps its grids the other way round: (numbers in, numbers out)."""
    attn, mlp = layer.attn, layer.mlp
    params, biases = np.split(read(attn.c_attn.weight).T, 3), np.split(read(attn.c_attn.bias), 3)
    return BlockParams(
        attention_of(attn.num_heads, *params, read(attn.c_proj.weight).T, biases, read(attn.c_proj.bias)),
        FeedForwardParams(read(mlp.c_fc.weight).T, read(mlp.c_proj.weight).T, read(mlp.c_fc.bias), read(mlp.c_proj.bias)),
        (norm_of(layer.ln_1, read), norm_of(layer.ln_2, read)),
    )


def bert_block(layer, read):
    """Three nn.Linear of all heads each; the norms stand in the outputs."""
    look, mix = layer.attention.self, layer.attention.output
    asked = [look.query, look.key, look.value]
    return BlockParams(
        attention_of(
            look.num_attention_heads,
            *(read(part.weight) for part in asked),
            read(mix.dense.weight),
            [read(part.bias) for part in asked],
            read(mix.dense.bias),
        ),
        linear_pair(layer.intermediate.dense, layer.output.dense, read),
        (norm_of(mix.LayerNorm, read), norm_of(layer.output.LayerNorm, read)),
    )


# ---- pairs of torch's own layers


def shares(weights, scope=""):
    """(..., heads, T, S) -> {our name: (..., T, S)}; one head alone has no number."""
    count = weights.shape[-3]
    return {f"{scope}{'' if count == 1 else f'head{h + 1}.'}weights": weights[..., h, :, :] for h in range(count)}


def multihead_pair(seed, shape, dtype, mask=None, bias=True, memory_width=None, slots=4):
    """nn.MultiheadAttention; with a memory width it asks another text, whose rows may be of another width."""
    batch, words, width, heads, _ = shape
    crossed = memory_width is not None
    dims = {"kdim": memory_width, "vdim": memory_width} if crossed else {}
    peer = shaken(nn.MultiheadAttention(width, heads, bias=bias, batch_first=True, **dims), seed, dtype)
    inputs = [leaf(draw(seed, batch, words, width), dtype)]
    if crossed:
        inputs.append(leaf(draw(seed + 100, batch, slots, memory_width), dtype))

    def run(x, memory=None):
        asked = x if memory is None else memory
        out, weights = peer(x, asked, asked, attn_mask=forbidden(mask), average_attn_weights=False)
        return out, {"attn_out": out} | shares(weights)

    return Pair("attention", lambda read: torch_attention(peer, read), run, inputs, dtype, mask)


def encoder_layer_pair(seed, shape, dtype, mask=None, activation="relu", norm_first=True, eps=1e-5, bias=True, hooks=True):
    """nn.TransformerEncoderLayer. Without hooks and without slopes torch takes its fast path, one fused call."""
    batch, words, width, heads, d_ff = shape
    layer = nn.TransformerEncoderLayer(width, heads, d_ff, 0.0, activation, eps, batch_first=True, norm_first=norm_first, bias=bias)
    peer = shaken(layer, seed, dtype)
    last = {} if norm_first else {"out": peer.norm2}  # a Post-LN block gives the normalized row itself
    modules = {"attn_out": peer.self_attn, "hidden": peer.linear1, "mlp_out": peer.linear2, "norm1.affine": peer.norm1, "norm2.affine": peer.norm2}
    kept = keep(modules | last) if hooks else {}

    def run(x):
        out = peer(x, forbidden(mask))
        return out, dict(kept)

    config = BlockConfig(norm_first=norm_first, eps=eps, activation=BENDS[activation])
    return Pair("block", lambda read: torch_block(peer, read), run, [leaf(draw(seed, batch, words, width), dtype)], dtype, mask, config=config)


def decoder_layer_pair(seed, shape, dtype, mask=None, memory_mask=None, activation="relu", norm_first=True, eps=1e-5, slots=4):
    """nn.TransformerDecoderLayer: looks at its own text, asks a memory, thinks."""
    batch, words, width, heads, d_ff = shape
    layer = nn.TransformerDecoderLayer(width, heads, d_ff, 0.0, activation, eps, batch_first=True, norm_first=norm_first)
    peer = shaken(layer, seed, dtype)
    kept = keep({
        "attn_out": peer.self_attn, "cross.attn_out": peer.multihead_attn, "hidden": peer.linear1, "mlp_out": peer.linear2,
        "norm1.affine": peer.norm1, "norm2.affine": peer.norm2, "norm3.affine": peer.norm3,
    })  # fmt: skip

    def run(x, memory):
        out = peer(x, memory, forbidden(mask), forbidden(memory_mask))
        return out, dict(kept)

    inputs = [leaf(draw(seed, batch, words, width), dtype), leaf(draw(seed + 100, batch, slots, width), dtype)]
    config = BlockConfig(norm_first=norm_first, eps=eps, activation=BENDS[activation])
    return Pair("block", lambda read: torch_block(peer, read), run, inputs, dtype, mask, memory_mask, config)
