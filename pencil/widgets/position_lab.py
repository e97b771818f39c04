"""PositionLab: two words in either order, and five ways to tell where each sits."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from pencil.examples import PAIR, PAIR_EMBEDDINGS, PAIR_HEAD, PAIR_SEATS
from pencil.reference import Alibi, Rotary, layer_norm, seat, self_attention, sine_cosine
from pencil.trace import Trace, under
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

LABELS = {
    "query": "ASK",
    "key": "OFFER",
    "value": "HANDOVER",
    "scores": "score",
    "scaled": "shrunk",
    "weights": "share",
    "mixed": "new row",
    "norm1.normalized": "tamed",
}
GRIDS = {"grid.query": "ASK grid", "grid.key": "OFFER grid", "grid.value": "HANDOVER grid"}
SEATS = np.arange(2.0)
GIVEN_SEATS = Part("given", "seats", "The seats")
TAGS = (Part("lines", "norm1.normalized", "Tamed", by="row"), Part("lines", "query key", "ASK and OFFER", by="row"))
SHARES = (
    Part("heat", "scores", "Scores: a row asks, a column is asked."),
    Part("heat", "weights", "Shares: each row makes one whole."),
    Part("lines", "mixed", "The new rows", by="row"),
)


@dataclass(frozen=True)
class Told:
    """How the seats are told: the rows with them, what tells them inside attention, and what to show before and behind the tags."""

    x: object
    positions: object = None
    before: tuple = ()
    behind: tuple = ()


def nothing(x, trace):
    """No word knows where it sits."""
    return Told(x)


def seat_table(x, trace):
    """A learned row for each seat is added to the stick."""
    seated = seat(x, trace.given("table", PAIR_SEATS), under(trace, "seated"))
    return Told(seated, before=(Part("given", "table", "The seat table"), Part("lines", "seated.x", "The sticks with their seats", by="row")))


def stamp(x, trace):
    """A wave for each seat is added to the stick, which is made louder first."""
    table = sine_cosine(trace.given("seats", SEATS), x.shape[-1], trace)
    seated = seat(trace("enlarged", x * np.sqrt(x.shape[-1])), table, under(trace, "seated"))
    return Told(seated, before=(GIVEN_SEATS, Part("lines", "stamp enlarged seated.x", "The stamps, and the louder sticks with them", by="row")))


def rotary(x, trace):
    """ASK and OFFER are turned by the seat's angle before they meet."""
    turned = Part("lines", "query.turned key.turned", "ASK and OFFER, turned", by="row")
    return Told(x, Rotary(trace.given("seats", SEATS)), before=(GIVEN_SEATS,), behind=(turned,))


def lean(x, trace):
    """For each seat of distance something is taken off the score."""
    alibi = Alibi(trace.given("seats", SEATS), trace.given("slope", 0.5))
    slope = Part("given", "slope", "The slope: what a seat of distance costs", range=(0, 3, 0.1))
    return Told(x, alibi, before=(GIVEN_SEATS, slope), behind=(Part("heat", "leaned", "The shrunk scores, leaned"),))


WAYS = {"nothing": nothing, "seat table": seat_table, "stamp": stamp, "rotary": rotary, "ALiBi": lean}


class PositionLab(Lab):
    """Sticks, grids and what tells the seat to change; scores, shares and new rows follow. Swap the words, and see which way notices."""

    def __init__(self, words=PAIR, rows=PAIR_EMBEDDINGS, grids=PAIR_HEAD):
        orders = {" ".join(words): [0, 1], " ".join(reversed(words)): [1, 0]}
        choices = [Choice("Told by", tuple(WAYS)), Choice("Order", tuple(orders))]
        super().__init__([_variant(words, rows, grids, *way) for way in product(WAYS.values(), orders.values())], choices)


def _variant(words, rows, grids, way, order):
    trace = Trace()
    stick = trace.given("stick", rows, words=words)  # always in one order, so that a changed stick stays its word's
    x = stick if order == [0, 1] else stick[order]
    told = way(x, trace)
    tamed = layer_norm(told.x, under(trace, "norm1"))
    self_attention(tamed, trace.given_each("grid", grids), trace, positions=told.positions)
    parts = (Part("given", "stick", "The sticks"), *told.before, *TAGS, *told.behind, *SHARES)
    labels = {name: label for name, label in (LABELS | GRIDS).items() if name in trace.names}
    return Variant(Worked(trace, labels), one_step("Order", *parts, *(Part("given", name, f"The {label}") for name, label in GRIDS.items())))
