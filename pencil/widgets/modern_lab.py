"""ModernLab: the block of chapter 16 with each part in its old or its modern form, and the parameter count of a model of any size."""

from dataclasses import replace
from itertools import product

from pencil.examples import GATED_FEED_FORWARD, MODERN_ATTENTION, MODERN_CONFIG, PAIR, PAIR_BLOCK, PAIR_HEAD, ROWS
from pencil.examples.words import BOOK_WORDS
from pencil.reference import BlockParams, QKVParams, Rotary, block, gelu, layer_norm, rms_norm, silu
from pencil.trace import COUNT, Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

OWN = replace(
    MODERN_ATTENTION,
    heads=tuple(QKVParams(*(getattr(PAIR_HEAD, tag)[rows] for tag in ("query", "key", "value"))) for rows in (slice(2), slice(2, 4))),
)
NORMS = {"RMSNorm": rms_norm, "LayerNorm": layer_norm}
PAIRS = {"one for both heads": MODERN_ATTENTION, "one for each head": OWN}
NETWORKS = {"SwiGLU": (GATED_FEED_FORWARD, silu), "GELU": (PAIR_BLOCK.feed_forward, gelu)}
CHOICES = (Choice("Norm", tuple(NORMS)), Choice("OFFER and HANDOVER", tuple(PAIRS)), Choice("Network", tuple(NETWORKS)))
SIZES = {"width": "Width of a row", "heads": "Heads", "pairs": "Pairs", "across": "Width of a head", "units": "Units"}  # names and labels of inputs
WORDS = BOOK_WORDS | {"query": "ASK", "key": "OFFER", "value": "HANDOVER", "output": "W_O", "attn_out": "attention", "normalized": "tamed"}
WORDS |= {"x": "row", "scores": "score", "scaled": "shrunk", "weights": "share", "square_sum": "sum of squares", "mean_square": "average square"}
WORDS |= {"mean": "middle", "variance": "average square", "std": "spread", "width": "width of a row", "across": "width of a head"}
WORDS |= {name: f"number of {name}" for name in ("heads", "pairs", "units")}
WORDS |= {"attention_parameters": "dials of attention", "feed_forward_parameters": "dials of the network", "kept": "numbers kept for a word"}
LIMITS = dict.fromkeys(SIZES, COUNT) | {"pairs": COUNT | {"divides": "heads"}}
REFUSAL = "A row of zeros, or a flat one, cannot be tamed: give its numbers some distance."


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
        Part("lines", "norm1.normalized", "Tamed", by="row"),
        Part("lines", "residual", "After attention", by="row"),
        Part("lines", "mlp_out", "From the network", by="row"),
        *(Part("given", name, label, row=name == "width") for name, label in SIZES.items()),
        Part("lines", "attention_parameters feed_forward_parameters kept", "The bill of one block in these sizes", row=True),
        Part("given", "positions", "The seats", row=True),
        *grids,
    )
    labels = {name: _called(name) for name in trace.names}
    return Variant(Worked(trace, labels), one_step("Block", *parts))


def _grid(name):  # params.attention.head1.query -> Head 1: the ASK grid
    head, _, called = _called(name).rpartition(".")
    return f"Head {head.removeprefix('head')}: the {called} grid" if head else f"The {called} grid"


def _bill(trace, attention, feed_forward):
    """The number of parameters of a block, and of cached numbers per token, for any sizes; the initial sizes are those of the example."""
    pairs = [head for head in attention.heads if head.key is not None]
    gated = feed_forward.gate is not None
    toy = ROWS.shape[1], len(attention.heads), len(pairs), len(attention.heads[0].query), len(feed_forward.up)
    width, heads, pairs, across, units = (trace.given(name, size, **LIMITS[name]) for name, size in zip(SIZES, toy, strict=True))
    trace("attention_parameters", 2 * (heads + pairs) * across * width)
    trace("feed_forward_parameters", (3 if gated else 2) * width * units)
    trace("kept", 2 * pairs * across)


def _called(name):  # params.attention.head1.query -> head1.ASK; norm2.normalized -> tamed again
    *scope, last = name.split(".")
    word = WORDS.get(last, last) + " again" * ("norm2" in scope)
    return ".".join([*(part for part in scope if part.startswith("head")), word])
