"""Which mechanisms the machines of today have: the defaults of the configuration classes of transformers, read off and counted.

Nothing is fetched and no model is made. A released checkpoint may have other numbers than its class's defaults: Llama 3 is a LlamaConfig too.
"""

import os
from collections import Counter

CLASSES = (
    *("LlamaConfig", "Llama4TextConfig", "Qwen3Config", "Qwen3MoeConfig", "Qwen3NextConfig", "Qwen3_5TextConfig", "Qwen3_5MoeTextConfig"),
    *("DeepseekV3Config", "DeepseekV32Config", "DeepseekV4Config", "Glm4Config", "Glm4MoeConfig", "GlmMoeDsaConfig", "Glm5NextTextConfig"),
    *("KimiLinearConfig", "Gemma3TextConfig", "Gemma3nTextConfig", "Gemma4TextConfig", "GptOssConfig", "MistralConfig", "Ministral3Config"),
    *("Mistral4Config", "Olmo2Config", "Olmo3Config", "OlmoHybridConfig", "SmolLM3Config"),
)
FIELDS = {  # entry: the fields that may hold it, of which the first that is there counts
    "n_layers": ("num_hidden_layers",),
    "n_heads": ("num_attention_heads",),
    "n_kv_heads": ("num_key_value_heads",),
    "head_dim": ("head_dim",),
    "latent_dim": ("kv_lora_rank",),
    "query_latent_dim": ("q_lora_rank",),
    "rope_dim": ("qk_rope_head_dim",),
    "window": ("sliding_window",),
    "chunk": ("attention_chunk_size",),
    "indexed": ("index_topk",),
    "shared_cache_layers": ("num_kv_shared_layers",),
    "keys_as_values": ("attention_k_eq_v",),
    "bias": ("attention_bias",),
    "n_experts": ("num_local_experts", "num_experts", "n_routed_experts"),
    "experts_per_token": ("num_experts_per_tok", "num_experts_per_token"),
    "shared_experts": ("n_shared_experts", "num_shared_experts"),
    "residual_streams": ("hc_mult",),
}
KEEPING = {
    "full_attention",
    "sliding_attention",
    "chunked_attention",
    "indexed_attention",
}  # kinds of layers that keep a row for every token they see


def measure():  # -> JSON-able, for `python -m pencil record who_uses_what`
    """Every machine's entries by the name of its configuration class; None is a field that the class does not have, or leaves empty."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import transformers  # only here: reading the record needs no transformers

    return {"release": transformers.__version__, "machines": [entries(getattr(transformers, name)()) for name in CLASSES]}


def entries(config):  # PreTrainedConfig -> {entry: value}
    """The entries of one configuration, and what is counted from them."""
    given = config.to_dict()
    found = {"class": type(config).__name__, "model_type": given["model_type"]}
    found |= {entry: next((given[name] for name in names if given.get(name) is not None), None) for entry, names in FIELDS.items()}
    found["layer_types"] = dict(Counter(layer_types(given)))
    rotated = given.get("no_rope_layers")  # 1 where a layer rotates, 0 where it does not
    found["layers_without_positions"] = None if rotated is None else rotated.count(0)
    found["rope"] = sorted({kind for kind, _ in _ropes(given)})
    found["rope_theta"] = sorted({theta for _, theta in _ropes(given)})
    found["by_layer"] = sorted({field for layer in (given.get("per_layer_config") or {}).values() for field in layer})  # fields that layers have anew
    return found | {"kept": kept(found)}


def layer_types(given):  # {field: value} -> the kind of each layer
    """The kinds that the configuration lists; without a list all layers are alike, and have the window where there is one."""
    alike = "full_attention" if given.get("sliding_window") is None else "sliding_attention"
    return given.get("layer_types") or [alike] * given["num_hidden_layers"]


def kept(found):  # -> int, or None where no one number says it
    """How many numbers a token leaves in a layer that keeps a row for each: a key and a value for each head that has them, or latent and rotary key.

    Those of an indexer are not counted. None for layers of several widths, where no layer keeps such rows, and where the class has no head_dim:
    what would be derived from the other defaults is not what its released models have.
    """
    if found["by_layer"] or not KEEPING & found["layer_types"].keys():
        return None
    if found["latent_dim"] is not None:
        return found["latent_dim"] + (found["rope_dim"] or 0)
    if found["head_dim"] is None:
        return None
    return (1 if found["keys_as_values"] else 2) * found["n_kv_heads"] * found["head_dim"]


def _ropes(given):  # -> [(kind, base)], one or one for each kind of layer
    parameters = given.get("rope_parameters") or {}
    parts = [parameters] if "rope_type" in parameters else [part for part in parameters.values() if isinstance(part, dict)]
    return [(part["rope_type"], part["rope_theta"]) for part in parts]


COLUMNS = ("model", "heads", "kept", "all", "others", "see", "experts")
LETTERS = {"sliding": "w", "chunked": "c", "indexed": "i", "linear": "s"}  # window, chunk, index, state; z is a compressed cache


def rows(machines):  # -> [(text of each of COLUMNS)]
    """The table as texts: heads and those with a key of their own, numbers kept, layers that see all, the others by kind, and how far they see."""
    return [_row(one) for one in machines]


def _row(one):
    others = Counter()
    for kind, count in one["layer_types"].items():
        if kind != "full_attention":
            others[LETTERS.get(kind.partition("_")[0], "z")] += count
    heads = str(one["n_heads"]) if one["latent_dim"] else f"{one['n_heads']}/{one['n_kv_heads']}"
    see = {"w": one["window"], "c": one["chunk"], "i": one["indexed"]}
    seen = next((str(see[letter]) for letter in others if see.get(letter)), "")
    experts = f"{one['n_experts']}/{one['experts_per_token']}" if one["n_experts"] else ""
    name, full = one["model_type"].removesuffix("_text"), one["layer_types"].get("full_attention", 0)
    kinds = " ".join(f"{count}{letter}" for letter, count in others.items())
    return name, heads, "" if one["kept"] is None else str(one["kept"]), str(full), kinds, seen, experts
