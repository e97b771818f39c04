"""The rotary positions of a config.json: the base of the angles, and their scaling for longer texts."""

from pencil.experiments.pretrained.settings import Settings
from pencil.reference import LinearScaling, Llama3Scaling, Rotary, YarnScaling

SCALINGS = {  # rope_type: how the settings of it are read
    "default": lambda rope: None,
    "linear": lambda rope: LinearScaling(rope.number("factor", None)),
    "llama3": lambda rope: Llama3Scaling(
        *(rope.number(name, None) for name in ("factor", "low_freq_factor", "high_freq_factor")), rope.size("original_max_position_embeddings")
    ),
    "yarn": lambda rope: YarnScaling(
        rope.number("factor", None), rope.size("original_max_position_embeddings"),
        rope.number("beta_fast", 32.0), rope.number("beta_slow", 1.0),
        None if rope.values.get("attention_factor") is None else rope.number("attention_factor", None), rope.boolean("truncate", True),
    ),
}  # fmt: skip
ROPE = ("rope_theta", "rope_type", "type", "partial_rotary_factor", "factor", "low_freq_factor", "high_freq_factor")
ROPE += ("original_max_position_embeddings", "beta_fast", "beta_slow", "attention_factor", "truncate")
FULL, SLIDING = "full_attention", "sliding_attention"  # what transformers calls a layer that attends to all tokens before it, or to a window


def rotary(settings, base):  # -> Rotary
    """The base of the angles and their scaling; newer files have both in rope_parameters, older ones rope_theta and rope_scaling."""
    merged = {name: settings.values[name] for name in ("rope_theta",) if name in settings.values}
    for name in ("rope_scaling", "rope_parameters"):
        given = settings.values.get(name)
        if not isinstance(given, dict | None):
            raise ValueError(f"config.json says {name}={given!r}; an object is wanted")
        if unknown := next((key for key in given or {} if key not in ROPE), None):
            raise ValueError(f"config.json says {unknown}={given[unknown]!r} in {name}; what is read here is {', '.join(ROPE)}")
        for key, value in (given or {}).items():
            if key in merged and key != "rope_theta" and merged[key] != value:
                raise ValueError(f"config.json says {key}={value!r} in rope_parameters and {merged[key]!r} in rope_scaling; keep one")
            merged[key] = value
    rope = Settings(merged)
    rope.only(partial_rotary_factor=1.0)
    kind = merged.get("rope_type", merged.get("type", "default"))  # type is its older name
    if not isinstance(kind, str) or kind not in SCALINGS:
        raise ValueError(f"config.json says rope_type={kind!r}; known are {', '.join(SCALINGS)}")
    return Rotary(base=rope.number("rope_theta", base), scaling=SCALINGS[kind](rope))


def rotaries_by_layer(settings):  # -> Rotary, Rotary
    """Gemma 3's two: of the layers that attend to all tokens before them, and of those with a window, which older files never scale."""
    nested = settings.values.get("rope_parameters") or {}
    if not isinstance(nested, dict) or set(nested) - {FULL, SLIDING}:
        raise ValueError(f"config.json says rope_parameters={nested!r}; an object with {FULL} and {SLIDING} is wanted")
    full, sliding = {"rope_parameters": nested.get(FULL)}, {"rope_parameters": nested.get(SLIDING)}
    full |= {name: settings.values[name] for name in ("rope_theta", "rope_scaling") if name in settings.values}
    if "rope_local_base_freq" in settings.values:
        sliding["rope_theta"] = settings.values["rope_local_base_freq"]
    return rotary(Settings(full), 1e6), rotary(Settings(sliding), 1e4)
