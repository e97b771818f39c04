"""PositionLab: five position encodings for two words in either order."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from pencil.examples import BLOCK_WORDS, PAIR, PAIR_EMBEDDINGS, PAIR_HEAD, PAIR_POSITIONS
from pencil.examples.words import book_labels
from pencil.reference import Alibi, Rotary, add_positions, layer_norm, self_attention, sinusoidal
from pencil.trace import Trace, scoped
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

LABELS = {
    "query": "ASK",
    "key": "OFFER",
    "query.rotated": "turned\N{NO-BREAK SPACE}ASK",
    "key.rotated": "turned\N{NO-BREAK SPACE}OFFER",
    "value": "HANDOVER",
    "scores": "score",
    "scaled": "shrunk",
    "weights": "share",
    "context": "new row",
    "seated.x": "seated",
    "bias": "lean",
    "table": "seat table",
    "enlarged": "louder stick",
}
NORM = ("mean", "deviation", "square", "square_sum", "variance", "std", "normalized")
LABELS |= {f"norm{k}.{part}": BLOCK_WORDS.get(part, part) + " again" * (k == 2) for k in (1, 2) for part in NORM}
PARAMS = {"params.query": "ASK grid", "params.key": "OFFER grid", "params.value": "HANDOVER grid"}
POSITIONS = np.arange(2.0)
GIVEN_POSITIONS = Part("given", "positions", "The seats")
PROJECTIONS = (Part("lines", "norm1.normalized", "Tamed", by="row"), Part("lines", "query key", "ASK and OFFER", by="row"))
SHARES = (
    Part("heat", "scores", "Scores: a row asks, a column is asked."),
    Part("heat", "weights", "Shares: each row makes one whole."),
    Part("lines", "context", "The new rows", by="row"),
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
    embedded = add_positions(x, trace.given("table", PAIR_POSITIONS), note=scoped(trace, "seated"))
    shown = Part("given", "table", "The seat table"), Part("lines", "seated.x", "The sticks with their seats", by="row")
    return PositionWay(embedded, before=shown)


def sinusoids(x, trace):
    """A sinusoidal encoding of each position, added to the token embedding, which is scaled by √d_model first."""
    table = sinusoidal(trace.given("positions", POSITIONS), width=x.shape[-1], note=trace)
    embedded = add_positions(trace("enlarged", x * np.sqrt(x.shape[-1])), table, note=scoped(trace, "seated"))
    return PositionWay(
        embedded, before=(GIVEN_POSITIONS, Part("lines", "encoding enlarged seated.x", "The stamps, and the louder sticks with them", by="row"))
    )


def rotary(x, trace):
    """Queries and keys are rotated by an angle proportional to their position (RoPE)."""
    turned = Part("lines", "query.rotated key.rotated", "ASK and OFFER, turned", by="row")
    return PositionWay(x, Rotary(trace.given("positions", POSITIONS)), before=(GIVEN_POSITIONS,), behind=(turned,))


def alibi(x, trace):
    """Scores are lowered by `slope` times the distance (ALiBi)."""
    bias = Alibi(trace.given("positions", POSITIONS), trace.given("slope", 0.5))
    slope = Part("given", "slope", "The slope: what a seat of the gap costs", range=(0, 3, 0.1))
    return PositionWay(x, bias, before=(GIVEN_POSITIONS, slope), behind=(Part("heat", "biased", "The shrunk scores, leaned"),))


WAYS = {"nothing": nothing, "seat table": learned, "stamp": sinusoids, "rotary": rotary, "ALiBi": alibi}


class PositionLab(Lab):
    """Inputs: embeddings and weights. Choices: position encoding, order of the words. Shows scores, attention weights and contexts."""

    def __init__(self, words=PAIR, rows=PAIR_EMBEDDINGS, params=PAIR_HEAD):
        orders = {" ".join(words): [0, 1], " ".join(reversed(words)): [1, 0]}
        choices = [Choice("Told by", tuple(WAYS)), Choice("Order", tuple(orders))]
        super().__init__([_variant(words, rows, params, *way) for way in product(WAYS.values(), orders.values())], choices)


def _variant(words, rows, params, way, order):
    trace = Trace()
    embedding = trace.given("embedding", rows, words=words)  # in a fixed order, so that an edit stays with its word
    x = embedding if order == [0, 1] else embedding[order]
    told = way(x, trace)
    normalized = layer_norm(told.x, note=scoped(trace, "norm1"))
    self_attention(normalized, trace.given_each("params", params), note=trace, position_encoding=told.positions)
    parts = (Part("given", "embedding", "The sticks"), *told.before, *PROJECTIONS, *told.behind, *SHARES)
    labels = {name: label for name, label in (LABELS | PARAMS).items() if name in trace.names}
    return Variant(
        Worked(trace, book_labels(trace.names, labels)),
        one_step("Order", *parts, *(Part("given", name, f"The {label}") for name, label in PARAMS.items())),
    )
