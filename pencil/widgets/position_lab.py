"""PositionLab: five position encodings for two words in either order."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from pencil.drawings.hands import pairs
from pencil.examples import PAIR, PAIR_EMBEDDINGS, PAIR_HEAD, PAIR_POSITIONS
from pencil.reference import Alibi, Rotary, add_positions, layer_norm, self_attention, sinusoidal
from pencil.trace import Trace, scoped
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked
from pencil.worked.labels import SPACE, label_of

LABELS = {"summed.x": "input", "query.rotated": "rotated query", "key.rotated": "rotated key"}
WORDS = {"positions": "position", "bias": "ALiBi bias", "encoding": "sinusoid", "enlarged": "scaled embedding", "table": "position table"}
POSITIONS = np.arange(2.0)
GIVEN_POSITIONS = Part("given", "positions", "The positions")
PROJECTIONS = (Part("lines", "norm1.normalized", "Normalized", by="row"), Part("lines", "query key", "Query and key", by="row"))
SHARES = (
    Part("heat", "scores", "Scores: a row asks, a column is asked."),
    Part("heat", "weights", "Shares: each row makes one whole."),
    Part("lines", "context", "The new vectors", by="row"),
)


@dataclass(frozen=True)
class PositionWay:
    """A position encoding: the input rows, the encoding inside attention, and the parts to show before and after queries and keys."""

    x: object
    positions: object = None
    before: tuple = ()
    behind: tuple = ()


def nothing(x, trace):
    """No position encoding."""
    return PositionWay(x)


def learned(x, trace):
    """A learned embedding of each position, added to the token embedding."""
    embedded = add_positions(x, trace.given("table", PAIR_POSITIONS), note=scoped(trace, "summed"))
    shown = Part("given", "table", "The position table"), Part("lines", "summed.x", "The embeddings with their positions", by="row")
    return PositionWay(embedded, before=shown)


def sinusoids(x, trace):
    """A sinusoidal encoding of each position, added to the token embedding, which is scaled by √d_model first."""
    table = sinusoidal(trace.given("positions", POSITIONS), width=x.shape[-1], note=trace)
    embedded = add_positions(trace("enlarged", x * np.sqrt(x.shape[-1])), table, note=scoped(trace, "summed"))
    return PositionWay(
        embedded,
        before=(GIVEN_POSITIONS, Part("lines", "encoding enlarged summed.x", "The sinusoids, the scaled embeddings, and their sums", by="row")),
    )


def rotary(x, trace):
    """Queries and keys are rotated by an angle proportional to their position (RoPE)."""
    turned = Part("lines", "query.rotated key.rotated", "Query and key, rotated", by="row")
    return PositionWay(x, Rotary(trace.given("positions", POSITIONS)), before=(GIVEN_POSITIONS, Part("drawing", HANDS)), behind=(turned,))


def alibi(x, trace):
    """Scores are lowered by `slope` times the distance (ALiBi)."""
    bias = Alibi(trace.given("positions", POSITIONS), trace.given("slope", 0.5))
    slope = Part("given", "slope", "The slope: what one position of distance costs", range=(0, 3, 0.1))
    return PositionWay(x, bias, before=(GIVEN_POSITIONS, slope), behind=(Part("heat", "biased", "The scaled scores with the bias"),))


HANDS = "hands"
WAYS = {"nothing": nothing, "position table": learned, "sinusoids": sinusoids, "rotary": rotary, "ALiBi": alibi}


class PositionLab(Lab):
    """Inputs: embeddings and weights. Choices: position encoding, order of the words. Shows scores, attention weights and contexts."""

    def __init__(self, words=PAIR, rows=PAIR_EMBEDDINGS, params=PAIR_HEAD):
        orders = {" ".join(words): [0, 1], " ".join(reversed(words)): [1, 0]}
        choices = [Choice("Position by", tuple(WAYS)), Choice("Order", tuple(orders))]
        variants = {way: _variant(words, rows, params, WAYS[way[0]], orders[way[1]]) for way in product(WAYS, orders)}
        rotated, (first, last) = variants["rotary", " ".join(words)].worked, words
        hands = pairs(rotated, f"{last}’s query and {first}’s key, rotated", f"{last}.query.rotated", f"{first}.key.rotated")
        super().__init__(variants.values(), choices, drawings={HANDS: hands})


def _variant(words, rows, params, way, order):
    trace = Trace()
    embedding = trace.given("embedding", rows, words=words)  # in a fixed order, so that an edit stays with its word
    x = embedding if order == [0, 1] else embedding[order]
    told = way(x, trace)
    normalized = layer_norm(told.x, note=scoped(trace, "norm1"))
    self_attention(normalized, trace.given_each("params", params), note=trace, position_encoding=told.positions)
    parts = (Part("given", "embedding", "The embeddings"), *told.before, *PROJECTIONS, *told.behind, *SHARES)
    worked = Worked(trace, {name: _called(name) for name in trace.names})
    matrices = (Part("given", name, f"The weight matrix {worked.label(name)}") for name in trace.names if name.startswith("params."))
    return Variant(worked, one_step("Order", *parts, *matrices))


def _called(name):  # norm1.mean -> mean, for there is one norm
    return LABELS.get(name, label_of(name, WORDS).replace("norm1.", "")).replace(" ", SPACE)
