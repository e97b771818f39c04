"""A wide table into short sticks: the singular value decomposition, cut after a few directions."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_numbers, check_rows

_TIE = 1e-6  # two magnitudes this near one another count as one, or noise would choose the sign


@dataclass(frozen=True)
class Squeezed:
    """Rows written in a few directions: the rows again, as nearly as so few numbers can, are `sticks @ directions`."""

    sticks: object  # (n, width)
    directions: object  # (width, m), each of length 1, each at right angles to the others
    stretch: object  # (width,) the length of each column of the sticks: the singular values, greatest first


def squeeze(table, width):  # (n, m) -> Squeezed
    """The `width` directions along which the rows reach farthest, and how far each row goes along each (Source: Eckart and Young 1936).

    NumPy's SVD. A direction and its opposite serve alike, so the first of the longest entries of each column of sticks is
    made positive. Not traced: the SVD is no sum that a pencil writes. Raises ValueError for a width that the table has not.
    """
    check_numbers(table=table)
    check_rows(table=table)
    if not 1 <= width <= min(table.shape):
        raise ValueError(f"width={width}, and a table of {table.shape} has 1 to {min(table.shape)} directions; choose one of these")
    left, stretch, right = np.linalg.svd(table, full_matrices=False)
    sticks = left[:, :width] * stretch[:width]
    sign = signs(sticks)
    return Squeezed(sticks * sign + 0.0, right[:width] * sign[:, None] + 0.0, stretch[:width])  # + 0.0: no minus zero


def signs(columns):  # (n, width) -> (width,) of −1 and 1
    """What makes the first of the longest entries of each column positive."""
    size = np.abs(columns)
    first = (size >= (1 - _TIE) * size.max(0)).argmax(0)
    return np.where(columns[first, np.arange(columns.shape[1])] < 0, -1.0, 1.0)
