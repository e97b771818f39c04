"""BlockLab: the whole block, one move at a time."""

from dataclasses import replace
from itertools import product

import numpy as np

from pencil.examples import PAIR, PAIR_BLOCK, ROWS
from pencil.reference import Attention, Grids, Recipe, block, causal_mask
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Variant
from pencil.widgets.stepper import steps_of
from pencil.worked import Worked

WORDS = {"x": "row", "query": "ASK", "key": "OFFER", "value": "HANDOVER", "scores": "score", "scaled": "shrunk", "weights": "share", "parts": "part"}
WORDS |= {"projected": "attention", "output": "W_O", "widen": "first grid", "narrow": "second grid", "mean": "middle", "square_sum": "sum of squares"}
WORDS |= {"variance": "average square", "std": "distance", "normalized": "tamed"}
MOVES = {
    "Tame the rows": ("mean", "deviation", "square", "square_sum", "variance", "std", "normalized", "affine"),
    "Ask": ("query",),
    "Offer": ("key",),
    "Hand over": ("value",),
    "Score": ("scores",),
    "Shrink": ("scaled", "masked"),
    "Share out": ("raised", "total", "weights"),
    "Mix": ("parts", "mixed"),
    "Glue the heads": ("glued",),
    "Project": ("projected",),
    "Add the old row": ("stream",),
    "Widen": ("hidden",),
    "Bend": ("bent",),
    "Narrow": ("worker",),
    "Add the stream": ("thought", "out"),
}
LAST = {"Out": ("out",)}  # Post-LN adds the stream, and tames the sum
PICTURES = {"scores": "Scores: a row asks, a column is asked.", "weights": "Shares: each row makes one whole."}
CHOICES = (Choice("Norm", ("first (Pre-LN)", "last (Post-LN)")), Choice("Causal mask", ("off", "on")), Choice("Heads", ("one", "two")))


class BlockLab(Lab):
    """The block forwards and back, each move with its worked lines and the given numbers it needs; every one of them can be changed.

    Pre-LN or Post-LN, with and without a causal mask, one head or two (the same grids, cut in halves).
    """

    def __init__(self, words=PAIR, rows=ROWS, grids=PAIR_BLOCK):
        machines = grids, replace(grids, attention=_cut(grids.attention))
        ways = product((True, False), (False, True), machines)
        super().__init__([_variant(words, rows, machine, masked, norm_first) for norm_first, masked, machine in ways], CHOICES)


def _variant(words, rows, grids, masked, norm_first):
    trace = Trace()
    mask = causal_mask(len(words)) if masked else None
    block(trace.given("x", rows, words=words), trace.given_each("grid", grids), trace, mask, Recipe(norm_first))
    worked = Worked(trace, {name: _called(name) for name in trace.names})
    return Variant(worked, steps_of(worked, MOVES if norm_first else MOVES | LAST, PICTURES))


def _called(name):  # grid.attention.head1.query -> ASK grid, of two heads head1.ASK grid; norm2.mean -> middle again
    *scope, last = name.split(".")
    word = WORDS.get(last, last) + " grid" * (scope[:1] == ["grid"] and last in ("query", "key", "value"))
    return ".".join([*(part for part in scope if part.startswith("head")), word]) + " again" * ("norm2" in scope)


def _cut(attention):  # one head -> two, half as wide
    (head,) = attention.heads
    halves = zip(*(np.split(grid, 2) for grid in (head.query, head.key, head.value)), strict=True)
    return Attention(tuple(Grids(*half) for half in halves), attention.output)
