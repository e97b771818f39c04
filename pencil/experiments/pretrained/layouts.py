"""Which tensor of a checkpoint holds which of our arrays, and how to transform it: GPT-2 and BERT here, the others in `llamas`.

GPT-2's linear layers are `Conv1D` with a weight of shape (in, out), and one of them holds query, key and value of all heads.
"""

from functools import partial

from pencil.experiments.pretrained.llamas import gemma3, llama, mistral, qwen2, qwen3, smollm3
from pencil.experiments.pretrained.settings import Settings
from pencil.experiments.pretrained.sources import Layout, Source, columns, conv1d, linear, norm, rows, unchanged
from pencil.model.config import Config
from pencil.reference import stable_softmax

MASKS = (".attn.bias", ".attn.masked_bias")  # suffixes: older GPT-2 files store the causal mask
ALSO = {  # aliases of GPT-2's config; if a file has both, transformers uses these
    "hidden_size": "n_embd", "num_attention_heads": "n_head", "num_hidden_layers": "n_layer", "max_position_embeddings": "n_positions",
}  # fmt: skip


def layout_of(values):  # dict of a config.json -> Layout
    """The layout of the model that a config.json describes. Raises ValueError for an unknown model type and for an unsupported setting."""
    kinds = {"gpt2": gpt2, "bert": bert, "llama": llama, "qwen2": qwen2, "qwen3": qwen3, "mistral": mistral, "smollm3": smollm3}
    kinds["gemma3_text"] = gemma3
    kind = values.get("model_type")
    if not isinstance(kind, str) or kind not in kinds:
        raise ValueError(f"config.json says model_type={kind!r}; known are {', '.join(kinds)}")
    settings = Settings(values)
    settings.only(quantization_config=None, is_causal=True)
    return kinds[kind](settings)


def gpt2(settings):  # -> Layout
    """The layout of GPT2LMHeadModel (Radford et al. 2019)."""
    settings.only(scale_attn_weights=True, scale_attn_by_inverse_layer_idx=False, add_cross_attention=False)
    names = {"d_model": "n_embd", "n_heads": "n_head", "n_layers": "n_layer", "vocab_size": "vocab_size", "max_len": "n_positions"}
    settings.only(**{other: settings.size(name) for other, name in ALSO.items()})
    inner = settings.size("n_inner", 4 * settings.size("n_embd"))
    tied = settings.boolean("tie_word_embeddings", True)
    config = Config(
        **{ours: settings.size(theirs) for ours, theirs in names.items()}, d_ff=inner, tie_embeddings=tied, softmax=stable_softmax,
        activation=settings.activation("activation_function", "gelu_new"), eps=settings.number("layer_norm_epsilon", 1e-5),
    )  # fmt: skip
    d = config.d_model
    sources = {
        "wte.weight": Source((config.vocab_size, d), {"embedding": unchanged}),
        "wpe.weight": Source((config.max_len, d), {"positions": unchanged}),
        **norm("ln_f", "norm", d),
        **({} if tied else {"lm_head.weight": Source((config.vocab_size, d), {"output": unchanged})}),
    }
    for i in range(config.n_layers):
        theirs, ours = f"h.{i}.", f"block{i + 1}."
        sources |= norm(f"{theirs}ln_1", f"{ours}norm1", d) | norm(f"{theirs}ln_2", f"{ours}norm2", d)
        sources |= _gpt2_qkv(f"{theirs}attn.c_attn", f"{ours}attention.", config)
        sources |= conv1d(f"{theirs}attn.c_proj", f"{ours}attention.output", d, d)
        sources |= conv1d(f"{theirs}mlp.c_fc", f"{ours}feed_forward.up", d, inner)
        sources |= conv1d(f"{theirs}mlp.c_proj", f"{ours}feed_forward.down", inner, d)
    return Layout(config, sources, "transformer.", MASKS)


def _gpt2_qkv(theirs, ours, config):
    """c_attn: the queries of all heads, then the keys, then the values, in the columns of one weight."""
    d, width, weights, biases = config.d_model, config.key_dim, {}, {}
    for k, what in enumerate(("query", "key", "value")):
        for h in range(config.n_heads):
            start = k * d + h * width
            weights[f"{ours}head{h + 1}.{what}"] = partial(columns, start=start, width=width)
            biases[f"{ours}head{h + 1}.{what}_bias"] = partial(rows, start=start, width=width)
    return {f"{theirs}.weight": Source((d, 3 * d), weights), f"{theirs}.bias": Source((3 * d,), biases)}


def bert(settings):  # -> Layout
    """The layout of BertModel (Devlin et al. 2019), without the pooler, which reads the first row for another task."""
    settings.only(is_decoder=False, add_cross_attention=False, position_embedding_type="absolute", pad_token_id=0)  # Encoder masks id 0
    d, inner = settings.size("hidden_size"), settings.size("intermediate_size")
    config = Config.bert(
        d, settings.size("num_attention_heads"), d_ff=inner, n_layers=settings.size("num_hidden_layers"), vocab_size=settings.size("vocab_size"),
        max_len=settings.size("max_position_embeddings"), n_token_types=settings.size("type_vocab_size", 2), softmax=stable_softmax,
        activation=settings.activation("hidden_act", "gelu"), eps=settings.number("layer_norm_eps", 1e-12),
    )  # fmt: skip
    rows = {"word": ("embedding", config.vocab_size), "position": ("positions", config.max_len), "token_type": ("token_types", config.n_token_types)}
    sources = {f"embeddings.{theirs}_embeddings.weight": Source((n, d), {ours: unchanged}) for theirs, (ours, n) in rows.items()}
    sources |= norm("embeddings.LayerNorm", "embedding_norm", d)
    for i in range(config.n_layers):
        theirs, ours = f"encoder.layer.{i}.", f"block{i + 1}."
        for what in ("query", "key", "value"):
            sources |= _by_head(f"{theirs}attention.self.{what}", f"{ours}attention.", what, config)
        sources |= linear(f"{theirs}attention.output.dense", f"{ours}attention.output", d, d, True)
        sources |= linear(f"{theirs}intermediate.dense", f"{ours}feed_forward.up", d, inner, True)
        sources |= linear(f"{theirs}output.dense", f"{ours}feed_forward.down", inner, d, True)
        sources |= norm(f"{theirs}attention.output.LayerNorm", f"{ours}norm1", d) | norm(f"{theirs}output.LayerNorm", f"{ours}norm2", d)
    return Layout(config, sources, "bert.", ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"), encoder=True)


def _by_head(theirs, ours, what, config):  # a linear layer whose rows are those of one head after the other
    d, width, ends = config.d_model, config.key_dim, {"weight": "", "bias": "_bias"}
    parts = {
        end: {f"{ours}head{h + 1}.{what}{name}": partial(rows, start=h * width, width=width) for h in range(config.n_heads)}
        for end, name in ends.items()
    }
    return {f"{theirs}.weight": Source((d, d), parts["weight"]), f"{theirs}.bias": Source((d,), parts["bias"])}
