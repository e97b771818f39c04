"""A picture as a short text: cut into patches, a class token in front, seats that know rows and columns."""

import torch

from pencil.model.part import say, within
from pencil.model.positions import sine_cosine
from pencil.reference.positions import BASE


def cut(pictures, size, note=None):  # (..., C, H, W) -> (..., patches, C·size²)
    """Cut into squares that do not overlap, and lay each flat (Dosovitskiy et al. 2021, 3.1).

    With a grid behind it this is a convolution of that stride. Raises ValueError for a picture that does not come out even.
    """
    height, width = pictures.shape[-2:]
    if size < 1 or height % size or width % size:
        raise ValueError(f"a picture of {height}×{width} does not split into patches of {size}×{size}; take a size that divides both")
    squares = pictures.unflatten(-1, (width // size, size)).unflatten(-3, (height // size, size))  # (..., C, h, size, w, size)
    return say(note, "patch", squares.movedim((-4, -2), (-5, -4)).flatten(-3).flatten(-3, -2))


def in_front(class_token, sticks, note=None):  # (1, d) (..., n, d) -> (..., 1 + n, d)
    """The class token before all sticks of each picture."""
    return say(note, "sequence", torch.cat([class_token.expand(*sticks.shape[:-2], 1, -1), sticks], -2))


def sine_cosine_2d(rows, columns, width, note=None, base=BASE):  # (R,) (C,) -> (R·C, width)
    """One half of the slots tells the row of the patch by a wave, the other half its column (He et al. 2022, in their code).

    Raises ValueError for a width that does not split into two halves of pairs.
    """
    if width % 4:
        raise ValueError(f"two waves fill the slots in pairs, and the width is {width}; take a multiple of 4")
    by_row = sine_cosine(rows, width // 2, within(note, "rows"), base).repeat_interleave(len(columns), 0)
    by_column = sine_cosine(columns, width // 2, within(note, "columns"), base).repeat(len(rows), 1)
    return say(note, "stamp", torch.cat([by_row, by_column], -1))
