"""The layouts of Llama and of what follows it: Qwen, Mistral, SmolLM3 and Gemma 3.

Their rotary embedding pairs the two halves of a head, ours pairs neighbours: the rows of query and key are permuted.
"""

from functools import partial

from pencil.experiments.pretrained.rope import FULL, SLIDING, rotaries_by_layer, rotary
from pencil.experiments.pretrained.sources import Layout, Source, linear, neighbours, norm, plus_one, rows, unchanged
from pencil.model.config import Config
from pencil.reference import stable_softmax


def llama(settings):  # -> Layout
    """The layout of LlamaForCausalLM (Touvron et al. 2023, 2.2; since 3.1 with scaled rotary positions)."""
    bias = settings.boolean("attention_bias", False)
    settings.only(pretraining_tp=1)
    if settings.boolean("mlp_bias", False) != bias:
        raise ValueError(f"config.json says attention_bias={bias} and mlp_bias={not bias}; what is read here has both or neither")
    return _like_llama(settings, bias=bias)


def qwen2(settings):  # -> Layout
    """The layout of Qwen2ForCausalLM: Llama's, with biases of queries, keys and values."""
    settings.only(use_sliding_window=False)
    return _like_llama(settings, qkv_bias=True)


def qwen3(settings):  # -> Layout
    """The layout of Qwen3ForCausalLM: Llama's, with normalized queries and keys."""
    settings.only(use_sliding_window=False, attention_bias=False)
    return _like_llama(settings, qk_norm=True, default_head=128)


def mistral(settings):  # -> Layout
    """The layout of MistralForCausalLM (Jiang et al. 2023): Llama's, with a window. A file that does not say it has the library's; null is none."""
    none = settings.values.get("sliding_window", 0) is None
    return _like_llama(settings, default_pairs=8, window=None if none else settings.size("sliding_window", 4096))


def smollm3(settings):  # -> Layout
    """The layout of SmolLM3ForCausalLM: Llama's, with layers that leave the rotation out, every fourth where the file does not list them."""
    settings.only(use_sliding_window=False, attention_bias=False, mlp_bias=False)
    n_layers, every = settings.size("num_hidden_layers"), settings.size("no_rope_layer_interval", 4)
    rotated = settings.values.get("no_rope_layers")
    rotated = [int(i % every != 0) for i in range(1, n_layers + 1)] if rotated is None else rotated
    if not isinstance(rotated, list) or len(rotated) != n_layers or any(type(one) is not int or one not in (0, 1) for one in rotated):
        raise ValueError(f"config.json says no_rope_layers={rotated!r}; a 1 for each layer that rotates and a 0 for each other is wanted, {n_layers}")
    without = tuple(i for i, one in enumerate(rotated, start=1) if one == 0)
    return _like_llama(settings, default_pairs=4, tied=True, position_encoding=rotary(settings, 2e6), layers_without_positions=without)


def gemma3(settings):  # -> Layout
    """The layout of Gemma3ForCausalLM (Gemma Team 2025): Llama's, with sandwich norms, scaled embeddings, two kinds of layer."""
    settings.only(attention_bias=False, attn_logit_softcapping=None, final_logit_softcapping=None)
    settings.only(use_bidirectional_attention=None if settings.values.get("use_bidirectional_attention") is None else False)
    n_layers, kinds = settings.size("num_hidden_layers"), settings.values.get("layer_types")
    every = settings.size("sliding_window_pattern", settings.size("_sliding_window_pattern", 6))
    kinds = [SLIDING if i % every else FULL for i in range(1, n_layers + 1)] if kinds is None else kinds
    if not isinstance(kinds, list) or len(kinds) != n_layers or any(kind not in (FULL, SLIDING) for kind in kinds):
        raise ValueError(f"config.json says layer_types={kinds!r}; {FULL} or {SLIDING} is wanted for each of the {n_layers} layers")
    full, sliding = rotaries_by_layer(settings)
    return _like_llama(
        settings, default_head=256, default_pairs=4, tied=True, act=("hidden_activation", "gelu_pytorch_tanh"), gain=plus_one,
        position_encoding=full, window_position_encoding=sliding, window=settings.size("sliding_window", 4096),
        window_layers=tuple(i for i, kind in enumerate(kinds, start=1) if kind == SLIDING), score_width=settings.number("query_pre_attn_scalar", 256),
        qk_norm=True, sandwich_norm=True, scale_embeddings=True,
    )  # fmt: skip


def _like_llama(settings, *, default_head=None, default_pairs=None, tied=False, act=("hidden_act", "silu"), gain=unchanged, **choices):
    """What they have in common: the defaults of the file's settings (`act`: the activation's name and default), how a gain is read, and choices."""
    settings.only(partial_rotary_factor=1)
    if "position_encoding" not in choices:
        choices["position_encoding"] = rotary(settings, 1e4)
    d, heads = settings.size("hidden_size"), settings.size("num_attention_heads")
    config = Config.llama(
        d, heads, d_k=settings.size("head_dim", default_head or max(1, d // heads)), d_ff=settings.size("intermediate_size"),
        n_kv_heads=settings.size("num_key_value_heads", default_pairs or heads), n_layers=settings.size("num_hidden_layers"),
        vocab_size=settings.size("vocab_size"), tie_embeddings=settings.boolean("tie_word_embeddings", tied),
        activation=settings.activation(*act), eps=settings.number("rms_norm_eps", 1e-6),
        softmax=stable_softmax, **choices,
    )  # fmt: skip
    table = Source((config.vocab_size, d), {"embedding": unchanged})
    sources = {"embed_tokens.weight": table, **norm("norm", "norm", d, bias=False, take=gain)}
    if not config.tie_embeddings:
        sources["lm_head.weight"] = Source((config.vocab_size, d), {"output": unchanged})
    for i in range(config.n_layers):
        sources |= _llama_block(f"layers.{i}.", f"block{i + 1}.", config, gain)
    return Layout(config, sources, "model.", (".rotary_emb.inv_freq",))


def _llama_block(theirs, ours, config, gain):  # -> {their name: Source}
    d, inner, width, bias = config.d_model, config.feedforward_dim, config.key_dim, config.bias
    qkv_bias = bias if config.qkv_bias is None else config.qkv_bias
    group, found = config.n_heads // config.kv_heads, {}
    for what, heads in (("query", config.n_heads), ("key", config.kv_heads), ("value", config.kv_heads)):
        take = partial(rows, width=width) if what == "value" else partial(neighbours, width=width)
        owners = range(1, config.n_heads + 1, 1 if what == "query" else group)  # the first head of a group owns its key and value
        for end, shape in (("weight", (heads * width, d)), ("bias", (heads * width,)))[: 1 + qkv_bias]:
            ends = "_bias" * (end == "bias")
            parts = {f"{ours}attention.head{h}.{what}{ends}": partial(take, start=k * width) for k, h in enumerate(owners)}
            found[f"{theirs}self_attn.{what[0]}_proj.{end}"] = Source(shape, parts)
    if config.qk_norm:
        for what in ("query", "key"):
            found |= norm(f"{theirs}self_attn.{what[0]}_norm", f"{ours}attention.{what}_norm", width, False, lambda x: gain(neighbours(x, 0, width)))
    found |= linear(f"{theirs}self_attn.o_proj", f"{ours}attention.output", config.n_heads * width, d, bias)
    for name, shape in (("up", (d, inner)), ("gate", (d, inner)), ("down", (inner, d))):
        found |= linear(f"{theirs}mlp.{name}_proj", f"{ours}feed_forward.{name}", *shape, bias)
    names = {"input_layernorm": "norm1", "post_attention_layernorm": "norm2"}
    if config.sandwich_norm:
        names |= {"post_attention_layernorm": "sandwich_norm1", "pre_feedforward_layernorm": "norm2", "post_feedforward_layernorm": "sandwich_norm2"}
    for name, own in names.items():
        found |= norm(f"{theirs}{name}", f"{ours}{own}", d, False, gain)
    return found
