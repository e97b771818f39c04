"""Refusals that a reader can meet: each names what it got, what was wanted, and the remedy."""

import numpy as np


def numbers(x):  # array or traced array -> ndarray
    """The plain numbers behind a value, traced or not: for checks only, never for the result."""
    return np.asarray(getattr(x, "exact", x), float)


def check_numbers(**named):
    """Refuse an empty array and a NaN, by name."""
    for name, x in named.items():
        plain = numbers(x)
        if plain.size == 0:
            raise ValueError(f"{name} is empty: its shape is {plain.shape}; give it at least one row and one number")
        if np.isnan(plain).any():
            where = tuple(int(i) for i in np.argwhere(np.isnan(plain))[0])
            raise ValueError(f"{name}{list(where)} is NaN, not a number; mend it before it spreads to the whole row")


def check_fit(what, width, grid_name, grid):
    """Refuse a grid whose rows do not have one dial for each number of the stick."""
    shape = np.shape(numbers(grid))
    if len(shape) != 2:
        raise ValueError(f"{grid_name} has the shape {shape}; a grid is rows of dials: (numbers out, numbers in)")
    if shape[1] != width:
        hint = "; hand it in transposed" if shape[0] == width else ""
        raise ValueError(f"{what} is {width} wide and {grid_name} {shape} reads {shape[1]}; its rows need {width} dials{hint}")
