"""PatchLab: a picture to draw in, its four patches as sticks, and a block that says which letter it is."""

from dataclasses import replace
from itertools import product

import numpy as np

from pencil.examples import LETTER_L, LETTERS
from pencil.reference import Recipe, block, cut, first, in_front, linear, seat, sine_cosine_2d
from pencil.reference.vit import patch_size
from pencil.trace import Trace, under
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.widgets.position_lab import LABELS as TAGS
from pencil.worked import Worked

PLACES = ("token", "one", "two", "three", "four")  # as a page is read
LABELS = TAGS | {"sequence": "with the token", "x": "seated", "logits": "answer", "widen": "first", "narrow": "second"}
SPECK = Recipe(eps=1e-5)  # an empty patch is a flat row
SWAPPED = [1, 0, 3, 2]  # the left half and the right half of the picture


def nothing(trace):
    """No seats."""
    return None, ()


def seat_table(trace):
    """A learned row for the token and for each place."""
    return trace.given("seats", LETTERS.seats, words=PLACES), (Part("given", "seats", "The seat table"),)


def waves(trace):
    """One wave down the rows, one along the columns; the class token has no place, so nothing is added to it."""
    down, along, nowhere = trace.given("down", np.arange(2.0)), trace.given("along", np.arange(2.0)), trace.given("nowhere", np.zeros((1, 4)))
    stamp = sine_cosine_2d(down, along, 4, under(trace, "wave"))
    said = {"down": "Seats down", "along": "Seats along", "nowhere": "The token's seat"}
    parts = *(Part("given", name, says) for name, says in said.items()), Part("lines", "wave.stamp", "The stamps", by="row")
    return np.concatenate([nowhere, stamp]), parts


WAYS = {"seat table": seat_table, "waves": waves, "nothing": nothing}


class PatchLab(Lab):
    """A picture and every grid to change; patches, sticks, shares and the answer follow. Swap the halves, and see which way notices."""

    def __init__(self, picture=LETTER_L, machine=LETTERS):
        orders = {"in place": None, "halves swapped": SWAPPED}
        choices = [Choice("Seats", tuple(WAYS)), Choice("Patches", tuple(orders))]
        super().__init__([_variant(picture, machine, *way) for way in product(WAYS.values(), orders.values())], choices)


def _variant(picture, machine, way, order):
    trace = Trace()
    patches = cut(trace.given("picture", picture), patch_size(machine.patch.shape[1], 1), trace)
    grids = trace.given_each("grid", replace(machine, seats=None, class_token=None))
    sticks = trace("stick", linear(patches if order is None else patches[order], grids.patch))
    token = trace.given("class_token", machine.class_token)
    x, (table, told) = in_front(token, sticks, trace), way(trace)
    x = x if table is None else seat(x, table, trace)
    rows = block(x, grids.blocks[0], trace, recipe=SPECK)
    trace("logits", linear(first(rows, note=trace), grids.head))
    seated = Part("lines", "x", "With the seats", by="row")
    parts = (
        Part("given", "picture", "Draw: press and drag, or arrows and Space. 0 is paper, 1 ink.", paint=True),
        Part("heat", "patch", "The patches, laid flat: one a row"),
        Part("lines", "logits", "The answer: a score for L, one for J"),
        Part("heat", "weights", "Shares: the first row is the class token's."),
        Part("lines", "stick", "The sticks", by="row"),
        Part("given", "class_token", "The class token"),
        *((*told, seated) if told else ()),
        *(Part("given", name, f"The {_called(name)}") for name in trace.names if name.startswith("grid.")),
    )
    labels = {name: word for name in trace.names if (word := _called(name)) != name}
    return Variant(Worked(trace, labels), one_step("Patches", *parts))


def _called(name):  # grid.block1.attention.head1.query -> ASK grid
    last = name.rpartition(".")[2]
    return LABELS.get(last, last) + " grid" if name.startswith("grid.") else LABELS.get(name, name)
