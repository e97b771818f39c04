"""What several chapters share: two rows of four numbers, and how the modules beside this one write their matrices down."""

import numpy as np


def matrix(*rows):  # lists of numbers -> (rows, columns)
    """A float array from its rows."""
    return np.array(rows, float)


def permutation(*columns):  # -> (len(columns), 4)
    """A weight matrix whose row k reads the one column it names, counted from 0."""
    return np.eye(4)[list(columns)]


# They run through the whole book: nolan and ended in the film review, cat and sat in the block.
ROWS = matrix([2, 1, 1, 0], [0, 1, 2, 1])
