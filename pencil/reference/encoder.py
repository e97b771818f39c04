"""A reader: every word looks both ways, and each comes out as a row that knows its text (BERT: Devlin et al. 2019)."""

from dataclasses import dataclass

from pencil.reference.block import Recipe
from pencil.reference.embedding import embed
from pencil.reference.layer_norm import Norm
from pencil.reference.masks import key_mask
from pencil.reference.positions import seat
from pencil.reference.stack import stack
from pencil.trace.notes import exact


@dataclass(frozen=True)
class Encoder:
    """Every learned number of a reader. Without `seats` the blocks tell positions (Recipe.positions), or nobody does."""

    table: object  # (rows, d_model)
    blocks: tuple  # of Block
    seats: object = None  # (max_len, d_model)
    norm: Norm | None = None


def enter(ids, machine, note):  # (..., T) -> (..., T, d_model)
    """Ids to sticks, and the seats added where the machine has any."""
    sticks = embed(ids, machine.table, note)
    return sticks if machine.seats is None else seat(sticks, machine.seats, note)


def encoder(ids, machine, note=exact, recipe=Recipe()):  # (..., T) -> (..., T, d_model)
    """Look up, seat, and run the blocks; nobody looks at padding.

    Source: Vaswani et al. 2017, 3.1. Raises ValueError as its parts do.
    """
    return stack(enter(ids, machine, note), machine.blocks, note, key_mask(ids), recipe, machine.norm)
