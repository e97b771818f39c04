"""PatchLab: a vision transformer with four patches that classifies letters."""

from dataclasses import replace
from itertools import product

import numpy as np

from pencil.examples import LETTER_L, LETTER_PATCHES, LETTERS
from pencil.reference import BlockConfig, add_positions, block, first_token, linear, patchify, prepend_class_token, sinusoidal_2d
from pencil.reference.vision import patch_size
from pencil.trace import Trace, scoped
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked
from pencil.worked.labels import label_of

LABELS = {"sequence": "with the class token", "x": "row", "image": "picture", "seen": "patch", "order": "patch number", "patch": "all patches"}
LABELS |= {"params.patch": "patch matrix", "positions": "position embedding", "params.head": "W"}
LABELS |= {f"wave.{way}.{name}": f"{name} {along}" for way, along in (("rows", "down"), ("columns", "along")) for name in ("angle", "sin", "cos")}
LABELS |= {
    "class_token": "class token",
    "row_positions": "position down",
    "column_positions": "position along",
    "class_position": "position of the class token",
}
CALLED = {"params.patch": "patch matrix", "params.head": "head: a row for L, one for J"}
BLANK = "The picture is empty: there is no letter to judge."
CONFIG = BlockConfig(eps=1e-5)  # an empty patch has variance zero
IN_PLACE, SWAPPED = [0, 1, 2, 3], [1, 0, 3, 2]  # orders of the patches; the second one swaps the halves of the image


def nothing(trace):
    """No positions."""
    return None, ()


def learned(trace):
    """A learned row for the class token and for each patch."""
    return trace.given("positions", LETTERS.positions), (Part("given", "positions", "The position embeddings"),)


def sinusoidal(trace):
    """Sinusoids of the row and of the column; nothing is added to the class token."""
    rows, columns = trace.given("row_positions", np.arange(2.0)), trace.given("column_positions", np.arange(2.0))
    of_token = trace.given("class_position", np.zeros((1, 4)))
    encoding = sinusoidal_2d(rows, columns, width=4, note=scoped(trace, "wave"))
    said = {"row_positions": "Positions down", "column_positions": "Positions along", "class_position": "What is added to the class token"}
    parts = *(Part("given", name, label) for name, label in said.items()), Part("lines", "wave.encoding", "The position encodings", by="row")
    return np.concatenate([of_token, encoding]), parts


WAYS = {"learned": learned, "sinusoids": sinusoidal, "none": nothing}


class PatchLab(Lab):
    """Inputs: an image and all parameters. Choices: position encoding, order of the patches. Shows embeddings, weights and logits."""

    def __init__(self, image=LETTER_L, params=LETTERS):
        orders = {"in place": IN_PLACE, "halves swapped": SWAPPED}
        choices = [Choice("Positions", tuple(WAYS)), Choice("Patches", tuple(orders))]
        super().__init__([_variant(image, params, *way) for way in product(WAYS.values(), orders.values())], choices)


def _variant(image, vit, way, order):
    trace = Trace()
    patches = patchify(trace.given("image", image, most=1), size=patch_size(vit.patch.shape[1], 1), note=trace)
    params = trace.given_each("params", replace(vit, positions=None, class_token=None))
    seen = trace("seen", patches[trace.given("order", order, words=[LETTER_PATCHES[place] for place in order], whole=True, most=3)])
    vectors = trace("embedding", linear(seen, params.patch))
    token = trace.given("class_token", vit.class_token, words=["class"])
    x, (table, told) = prepend_class_token(token, vectors, note=trace), way(trace)
    x = x if table is None else add_positions(x, table, note=trace)
    rows = block(x, params.blocks[0], note=trace, config=CONFIG)
    trace("logits", linear(first_token(rows, note=trace), params.head))
    embedded = Part("lines", "x", "With the positions", by="row")
    parts = (
        Part("given", "image", "Draw: press and drag, or arrows and Space. 0 is paper, 1 ink.", paint=True, clear="Clear the picture"),
        Part("says", "logits", "The machine says", words=("L", "J"), blank=("image", BLANK)),
        Part("heat", "seen", "The patches, laid flat, by what they show in the letter L"),
        Part("lines", "logits", "The logits: a score for L, one for J"),
        Part("heat", "weights", "Shares: the first row is the class token's."),
        Part("lines", "embedding", "The embeddings", by="row"),
        Part("given", "class_token", "The class token"),
        Part("given", "order", "Which patch comes first, second, third, last: counted from 0, as a page is read"),
        *((*told, embedded) if told else ()),
        *(Part("given", name, f"The {CALLED.get(name, f'weight matrix {_label(name)}')}") for name in trace.names if name.startswith("params.")),
    )
    return Variant(Worked(trace, {name: label for name in trace.names if (label := _label(name))}), one_step("Patches", *parts))


def _label(name):  # params.block1.attention.head1.query -> W_Q, for there is one block and one head
    return LABELS.get(name) or (label_of(name).rpartition(".")[2] if name.startswith("params.") else "")
