"""A picture as a short text: cut into patches, a class token in front, seats that know rows and columns."""

import numpy as np

from pencil.reference.checks import check_numbers, check_rows
from pencil.reference.positions import BASE, sine_cosine
from pencil.trace.notes import exact, under


def cut(picture, size, note=exact):  # (H, W) or (C, H, W) -> (patches, C·size²)
    """Cut into squares that do not overlap, row by row from the top left, and lay each flat: sheet by sheet, row by row.

    Source: Dosovitskiy et al. 2021, 3.1. Raises ValueError for a picture that does not come out even.
    """
    check_numbers(picture=picture)
    if picture.ndim not in (2, 3):
        raise ValueError(f"the picture has the shape {picture.shape}; give one picture: (height, width), or (sheets, height, width) in colour")
    height, width = picture.shape[-2:]
    if size < 1 or height % size or width % size:
        raise ValueError(f"a picture of {height}×{width} does not split into patches of {size}×{size}; take a size that divides both")
    sheets = 1 if picture.ndim == 2 else len(picture)
    squares = picture.reshape((sheets, height // size, size, width // size, size)).transpose((1, 3, 0, 2, 4))
    return note("patch", squares.reshape((height * width // size**2, sheets * size**2)))


def in_front(class_token, sticks, note=exact):  # (1, d) (n, d) -> (1 + n, d)
    """The class token before all sticks: a learned row that shows nothing and asks everybody (BERT: Devlin et al. 2019).

    Raises ValueError for a token that is not one row of the sticks' width.
    """
    check_numbers(class_token=class_token, sticks=sticks)
    check_rows(class_token=class_token, sticks=sticks)
    if class_token.shape != (1, sticks.shape[-1]):
        raise ValueError(f"the class token has the shape {class_token.shape}; it is one row as wide as a stick: (1, {sticks.shape[-1]})")
    return note("sequence", np.concatenate([class_token, sticks]))


def sine_cosine_2d(rows, columns, width, note=exact, base=BASE):  # (R,) (C,) -> (R·C, width)
    """Seats for a picture: one half of the slots tells the row of the patch by a wave, the other half its column.

    Source: He et al. 2022, Masked Autoencoders, in their code; the wave is Vaswani et al. 2017, 3.5. Filed as rows.… and
    columns.…, and the whole as stamp. Raises ValueError for a width that does not split into two halves of pairs.
    """
    if width % 4:
        raise ValueError(f"two waves fill the slots in pairs, and the width is {width}; take a multiple of 4")
    by_row = sine_cosine(rows, width // 2, under(note, "rows"), base)
    by_column = sine_cosine(columns, width // 2, under(note, "columns"), base)
    row, column = np.divmod(np.arange(len(rows) * len(columns)), len(columns))
    return note("stamp", np.concatenate([by_row[row], by_column[column]], axis=-1))
