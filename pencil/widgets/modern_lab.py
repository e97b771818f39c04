"""ModernLab: the block of chapter 16 with each part in its old or its modern form, and the parameter count of a model of any size."""

from dataclasses import replace
from itertools import product

from pencil.examples import GATED_FEED_FORWARD, MODERN_ATTENTION, MODERN_CONFIG, PAIR, PAIR_BLOCK, PAIR_HEAD, ROWS
from pencil.reference import BlockParams, QKVParams, Rotary, block, gelu, layer_norm, rms_norm, silu
from pencil.trace import COUNT, Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked
from pencil.worked.labels import label_of

OWN = replace(
    MODERN_ATTENTION,
    heads=tuple(QKVParams(*(getattr(PAIR_HEAD, tag)[rows] for tag in ("query", "key", "value"))) for rows in (slice(2), slice(2, 4))),
)
NORMS = {"RMSNorm": rms_norm, "LayerNorm": layer_norm}
PAIRS = {"one for both heads": MODERN_ATTENTION, "one for each head": OWN}
NETWORKS = {"SwiGLU": (GATED_FEED_FORWARD, silu), "GELU": (PAIR_BLOCK.feed_forward, gelu)}
CHOICES = (Choice("Norm", tuple(NORMS)), Choice("Key and value", tuple(PAIRS)), Choice("Feed-forward layer", tuple(NETWORKS)))
SIZES = {
    "width": "Width of a row",
    "heads": "Heads",
    "pairs": "Key–value pairs",
    "across": "Width of a head",
    "units": "Units",
}  # names and labels of inputs
LABELS = {"x": "row", "positions": "position", "width": "width of a row", "across": "width of a head"}
LABELS |= {name: f"number of {name}" for name in ("heads", "pairs", "units")}
LABELS |= {
    "attention_parameters": "parameters of attention",
    "feed_forward_parameters": "parameters of feed-forward",
    "kept": "numbers kept for a word",
}
SHORT = {"gated": "params", "plain": "params"}  # scopes whose parameters are those of the network
LIMITS = dict.fromkeys(SIZES, COUNT) | {"pairs": COUNT | {"divides": "heads"}}
REFUSAL = "A row of zeros, or one whose numbers are all alike, cannot be normalized: change one of its numbers."


class ModernLab(Lab):
    """Inputs: two rows, the parameters of a block, and the sizes of a model. Choices: norm, key-value heads, feed-forward network."""

    def __init__(self):
        super().__init__([_variant(*parts) for parts in product(NORMS.values(), PAIRS.values(), NETWORKS.values())], CHOICES)


def _variant(norm, attention, network):
    trace, (feed_forward, activation) = Trace(), network
    x, seats = trace.given("x", ROWS, words=PAIR), trace.given("positions", [0, 1])
    attended = trace.given_each("params", attention)
    params = BlockParams(attended, trace.given_each("gated" if feed_forward.gate is not None else "plain", feed_forward))
    config = replace(MODERN_CONFIG, norm=norm, activation=activation, position_encoding=Rotary(seats))
    block(x, params, note=trace, config=config)
    _bill(trace, attention, feed_forward)
    grids = [Part("given", name, _grid(name)) for name in trace.names if name.startswith(("params.", "gated.", "plain."))]
    parts = (
        Part("given", "x", "The two rows that come in", refusal=REFUSAL),
        Part("heat", "out", "What comes out"),
        Part("lines", "norm1.normalized", "Normalized", by="row"),
        Part("lines", "residual", "After attention", by="row"),
        Part("lines", "mlp_out", "From the feed-forward layer", by="row"),
        *(Part("given", name, label, row=name == "width") for name, label in SIZES.items()),
        Part("lines", "attention_parameters feed_forward_parameters kept", "What one block costs in these sizes", row=True),
        Part("given", "positions", "The positions", row=True),
        *grids,
    )
    return Variant(Worked(trace, {name: _called(name) for name in trace.names}), one_step("Block", *parts))


def _grid(name):  # params.attention.head1.query -> Head 1: the weight matrix W_Q
    head, _, called = _called(name).rpartition(".")
    return f"Head {head.removeprefix('head')}: the weight matrix {called}" if head else f"The weight matrix {called}"


def _bill(trace, attention, feed_forward):
    """The number of parameters of a block, and of cached numbers per token, for any sizes; the initial sizes are those of the example."""
    pairs = [head for head in attention.heads if head.key is not None]
    gated = feed_forward.gate is not None
    toy = ROWS.shape[1], len(attention.heads), len(pairs), len(attention.heads[0].query), len(feed_forward.up)
    width, heads, pairs, across, units = (trace.given(name, size, **LIMITS[name]) for name, size in zip(SIZES, toy, strict=True))
    trace("attention_parameters", 2 * (heads + pairs) * across * width)
    trace("feed_forward_parameters", (3 if gated else 2) * width * units)
    trace("kept", 2 * pairs * across)


def _called(name):  # params.attention.head1.query -> head1.W_Q
    label = label_of(".".join(SHORT.get(part, part) for part in name.split(".")), LABELS)
    return ".".join(part for part in label.split(".") if part != "params")
