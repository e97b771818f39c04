"""Which tensor of a GPT-2 or Llama checkpoint holds which of our arrays, and how to transform it.

GPT-2's linear layers are `Conv1D` with a weight of shape (in, out), and one of them holds query, key and value of all heads. Llama's rotary
embedding pairs the two halves of a head, ours pairs neighbours: the rows of query and key are permuted.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
import torch

from pencil.model.config import Config
from pencil.reference import BlockConfig, Rotary, gelu, gelu_erf, relu, rms_norm, silu, stable_softmax

ACTIVATIONS = {"gelu_new": gelu, "gelu_pytorch_tanh": gelu, "gelu": gelu_erf, "relu": relu, "silu": silu, "swish": silu}

LARGEST = float(np.finfo(np.float32).max)
MASKS = (".attn.bias", ".attn.masked_bias")  # suffixes: older GPT-2 files store the causal mask
ALSO = {  # aliases of GPT-2's sizes; if a file has both, transformers uses these
    "hidden_size": "n_embd", "num_attention_heads": "n_head", "num_hidden_layers": "n_layer", "max_position_embeddings": "n_positions",
}  # fmt: skip


class Source(NamedTuple):
    """One of their tensors: its shape, and how to extract our arrays from it."""

    shape: tuple
    parts: dict  # {our flat name: function of the tensor}


class Layout(NamedTuple):
    """The contents of a config.json in our terms."""

    sizes: Config
    config: BlockConfig
    sources: dict  # {their name without a prefix: Source}
    prefix: str  # optional prefix of their names
    unused: tuple  # suffixes of tensors that are not parameters


class Settings:
    """Typed access to the settings of a config.json. Each method raises ValueError with the setting's name for an invalid value."""

    def __init__(self, said):
        self.said = said

    def size(self, name, default=None):
        """A positive integer."""
        found = default if self.said.get(name) is None else self.said[name]
        if type(found) is not int or found < 1:
            raise ValueError(f"config.json says {name}={found!r}; a whole number from 1 on is wanted")
        return found

    def number(self, name, default):
        """A positive number, finite in float32."""
        found = self.said.get(name, default)
        if type(found) not in (int, float) or not 0 < found <= LARGEST:
            raise ValueError(f"config.json says {name}={found!r}; a number above 0 that float32 can hold is wanted")
        return found

    def boolean(self, name, default):
        """True or False."""
        found = self.said.get(name, default)
        if not isinstance(found, bool):
            raise ValueError(f"config.json says {name}={found!r}; true or false is wanted")
        return found

    def activation(self, name, default):
        """The function of pencil.reference for the name of an activation."""
        found = self.said.get(name, default)
        if not isinstance(found, str) or found not in ACTIVATIONS:
            raise ValueError(f"config.json says {name}={found!r}; known are {', '.join(ACTIVATIONS)}")
        return ACTIVATIONS[found]

    def only(self, **fixed):
        """Raise ValueError unless each of these settings is absent or has this value."""
        for name, wanted in fixed.items():
            found = self.said.get(name, wanted)
            if found != wanted or isinstance(found, bool) != isinstance(wanted, bool):  # 1 is no true
                raise ValueError(f"config.json says {name}={found!r}; what is read here has {name}={wanted!r}")


def layout_of(said):  # dict of a config.json -> Layout
    """The layout of the model that a config.json describes. Raises ValueError for an unknown model type and for an unsupported setting."""
    kinds = {"gpt2": gpt2, "llama": llama}
    kind = said.get("model_type")
    if not isinstance(kind, str) or kind not in kinds:
        raise ValueError(f"config.json says model_type={kind!r}; known are {', '.join(kinds)}")
    settings = Settings(said)
    settings.only(quantization_config=None, is_causal=True)
    return kinds[kind](settings)


def gpt2(settings):  # -> Layout
    """The layout of GPT2LMHeadModel (Radford et al. 2019)."""
    settings.only(scale_attn_weights=True, scale_attn_by_inverse_layer_idx=False, add_cross_attention=False)
    names = {"d_model": "n_embd", "n_heads": "n_head", "n_layers": "n_layer", "vocab_size": "vocab_size", "max_len": "n_positions"}
    settings.only(**{other: settings.size(name) for other, name in ALSO.items()})
    inner = settings.size("n_inner", 4 * settings.size("n_embd"))
    tied = settings.boolean("tie_word_embeddings", True)
    sizes = Config(**{ours: settings.size(theirs) for ours, theirs in names.items()}, d_ff=inner, tie_embeddings=tied)
    activation, eps = settings.activation("activation_function", "gelu_new"), settings.number("layer_norm_epsilon", 1e-5)
    d = sizes.d_model
    sources = {
        "wte.weight": Source((sizes.vocab_size, d), {"embedding": _whole}),
        "wpe.weight": Source((sizes.max_len, d), {"positions": _whole}),
        **_norm("ln_f", "norm", d),
        **({} if tied else {"lm_head.weight": Source((sizes.vocab_size, d), {"output": _whole})}),
    }
    for i in range(sizes.n_layers):
        theirs, ours = f"h.{i}.", f"block{i + 1}."
        sources |= _norm(f"{theirs}ln_1", f"{ours}norm1", d) | _norm(f"{theirs}ln_2", f"{ours}norm2", d)
        sources |= _gpt2_qkv(f"{theirs}attn.c_attn", f"{ours}attention.", sizes)
        sources |= _conv1d(f"{theirs}attn.c_proj", f"{ours}attention.output", d, d)
        sources |= _conv1d(f"{theirs}mlp.c_fc", f"{ours}feed_forward.up", d, inner)
        sources |= _conv1d(f"{theirs}mlp.c_proj", f"{ours}feed_forward.down", inner, d)
    config = BlockConfig(eps=eps, activation=activation, softmax=stable_softmax)
    return Layout(sizes, config, sources, "transformer.", MASKS)


def _gpt2_qkv(theirs, ours, sizes):
    """c_attn: the queries of all heads, then the keys, then the values, in the columns of one weight."""
    d, width, weights, biases = sizes.d_model, sizes.key_dim, {}, {}
    for k, what in enumerate(("query", "key", "value")):
        for h in range(sizes.n_heads):
            start = k * d + h * width
            weights[f"{ours}head{h + 1}.{what}"] = partial(_columns, start=start, width=width)
            biases[f"{ours}head{h + 1}.{what}_bias"] = partial(_rows, start=start, width=width)
    return {f"{theirs}.weight": Source((d, 3 * d), weights), f"{theirs}.bias": Source((3 * d,), biases)}


def llama(settings):  # -> Layout
    """The layout of LlamaForCausalLM (Touvron et al. 2023, 2.2)."""
    settings.only(pretraining_tp=1, rope_scaling=None, partial_rotary_factor=1)
    d, heads = settings.size("hidden_size"), settings.size("num_attention_heads")
    bias = settings.boolean("attention_bias", False)
    settings.only(mlp_bias=bias)
    sizes = Config(
        d, heads, settings.size("head_dim", max(1, d // heads)), d_ff=settings.size("intermediate_size"),
        n_kv_heads=settings.size("num_key_value_heads", heads), n_layers=settings.size("num_hidden_layers"),
        vocab_size=settings.size("vocab_size"), bias=bias, norm_bias=False, gated=True,
        tie_embeddings=settings.boolean("tie_word_embeddings", False),
    )  # fmt: skip
    activation, eps = settings.activation("hidden_act", "silu"), settings.number("rms_norm_eps", 1e-6)
    config = BlockConfig(True, eps, activation, stable_softmax, Rotary(base=_rope_base(settings)), rms_norm)
    table = Source((sizes.vocab_size, d), {"embedding": _whole})
    sources = {"embed_tokens.weight": table, **_norm("norm", "norm", d, bias=False)}
    if not sizes.tie_embeddings:
        sources["lm_head.weight"] = Source((sizes.vocab_size, d), {"output": _whole})
    for i in range(sizes.n_layers):
        sources |= _llama_block(f"layers.{i}.", f"block{i + 1}.", sizes)
    return Layout(sizes, config, sources, "model.", (".rotary_emb.inv_freq",))


def _rope_base(settings):
    """The base of the rotary angles: rope_theta, which newer files keep in rope_parameters."""
    found, beside = settings.said.get("rope_parameters"), settings.said.get("rope_theta", 10_000.0)
    if not isinstance(found, dict | None):
        raise ValueError(f"config.json says rope_parameters={found!r}; an object is wanted")
    fixed = {"rope_type": "default", "type": "default", "partial_rotary_factor": 1.0}  # type is its older name
    rope = Settings({"rope_theta": beside} | (found or {}))
    rope.only(**fixed)
    if more := next((name for name in rope.said if name not in ("rope_theta", *fixed)), None):
        raise ValueError(f"config.json says {more}={rope.said[more]!r} in rope_parameters; what is read here is rope_theta, {', '.join(fixed)}")
    return rope.number("rope_theta", beside)


def _llama_block(theirs, ours, sizes):  # -> {their name: Source}
    d, inner, width, bias = sizes.d_model, sizes.feedforward_dim, sizes.key_dim, sizes.bias
    group, found = sizes.n_heads // sizes.kv_heads, {}
    for what, heads in (("query", sizes.n_heads), ("key", sizes.kv_heads), ("value", sizes.kv_heads)):
        take = partial(_rows, width=width) if what == "value" else partial(_neighbours, width=width)
        owners = range(1, sizes.n_heads + 1, 1 if what == "query" else group)  # the first head of a group owns its key and value
        for end, shape in (("weight", (heads * width, d)), ("bias", (heads * width,)))[: 1 + bias]:
            ends = "_bias" * (end == "bias")
            parts = {f"{ours}attention.head{h}.{what}{ends}": partial(take, start=k * width) for k, h in enumerate(owners)}
            found[f"{theirs}self_attn.{what[0]}_proj.{end}"] = Source(shape, parts)
    found |= _linear(f"{theirs}self_attn.o_proj", f"{ours}attention.output", sizes.n_heads * width, d, bias)
    for name, shape in (("up", (d, inner)), ("gate", (d, inner)), ("down", (inner, d))):
        found |= _linear(f"{theirs}mlp.{name}_proj", f"{ours}feed_forward.{name}", *shape, bias)
    found |= _norm(f"{theirs}input_layernorm", f"{ours}norm1", d, bias=False)
    return found | _norm(f"{theirs}post_attention_layernorm", f"{ours}norm2", d, bias=False)


def _norm(theirs, ours, width, bias=True):
    ends = {"weight": "gain"} | ({"bias": "bias"} if bias else {})
    return {f"{theirs}.{end}": Source((width,), {f"{ours}.{name}": _whole}) for end, name in ends.items()}


def _conv1d(theirs, ours, d_in, d_out):
    return {f"{theirs}.weight": Source((d_in, d_out), {ours: torch.t}), f"{theirs}.bias": Source((d_out,), {f"{ours}_bias": _whole})}


def _linear(theirs, ours, d_in, d_out, bias):
    found = {f"{theirs}.weight": Source((d_out, d_in), {ours: _whole})}
    return found | ({f"{theirs}.bias": Source((d_out,), {f"{ours}_bias": _whole})} if bias else {})


def _whole(tensor):
    return tensor


def _rows(tensor, start, width):
    return tensor[start : start + width]


def _columns(tensor, start, width):
    return tensor[:, start : start + width].T


def _neighbours(tensor, start, width):  # interleave the two halves of a head: rows i and i + width/2 become neighbours
    return torch.stack([tensor[start : start + width // 2], tensor[start + width // 2 : start + width]], 1).flatten(0, 1)
