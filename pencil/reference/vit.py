"""The vision transformer: a picture in, a score for each class out. Between the two stands the stack, unchanged."""

from dataclasses import dataclass
from math import isqrt

from pencil.reference.block import Recipe
from pencil.reference.checks import check_numbers
from pencil.reference.layer_norm import Norm
from pencil.reference.linear import linear
from pencil.reference.patches import cut, in_front
from pencil.reference.pooling import average, first
from pencil.reference.positions import seat
from pencil.reference.stack import stack
from pencil.trace.notes import exact


@dataclass(frozen=True)
class ViT:
    """Every learned number of a vision transformer. Without `seats` nobody knows which patch came from where."""

    patch: object  # (d_model, numbers of a patch)
    blocks: tuple  # of Block
    head: object  # (classes, d_model)
    class_token: object = None  # (1, d_model); without it the class is read off the average
    seats: object = None  # (rows, d_model), one for each row; the class token's own seat first, where there is one
    norm: Norm | None = None
    patch_bias: object = None  # (d_model,)
    head_bias: object = None  # (classes,)


def vit(picture, machine, note=exact, recipe=Recipe()):  # (H, W) or (C, H, W) -> (classes,)
    """Cut, make sticks, put the class token in front, seat, run the blocks, and read the class off the first row.

    Source: Dosovitskiy et al. 2021, eq. 1 to 4. Raises ValueError for a grid whose patches are no squares, for more or fewer
    rows than seats, and as its parts do.
    """
    check_numbers(picture=picture)
    if picture.ndim not in (2, 3):
        raise ValueError(f"a picture of the shape {picture.shape}; give one, as (height, width) or (sheets, height, width)")
    size = patch_size(machine.patch.shape[1], 1 if picture.ndim == 2 else len(picture))
    x = note("stick", linear(cut(picture, size, note), machine.patch, machine.patch_bias))
    if machine.class_token is not None:
        x = in_front(machine.class_token, x, note)
    if machine.seats is not None:
        check_seats(machine.seats, x)
        x = seat(x, machine.seats, note)
    x = stack(x, machine.blocks, note, recipe=recipe, norm=machine.norm)
    summary = (average if machine.class_token is None else first)(x, note=note)
    return note("logits", linear(summary, machine.head, machine.head_bias))


def check_seats(seats, rows):
    """Raises ValueError unless there is one seat for each row: a picture has all its places, or it is another machine's."""
    if len(seats) != rows.shape[-2]:
        raise ValueError(
            f"{rows.shape[-2]} rows (patches, and the class token) and {len(seats)} seats; give a picture of the size that the seats are for"
        )


def patch_size(numbers, sheets):  # -> int
    """The side of a patch of so many numbers, on so many sheets. Raises ValueError where that is no square."""
    side = isqrt(numbers // sheets)
    if side < 1 or sheets * side**2 != numbers:
        raise ValueError(f"a patch of {numbers} numbers on {sheets} sheet(s) is no square; its grid needs sheets·side·side dials a row")
    return side
