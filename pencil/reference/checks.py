"""Refusals that a reader can meet: each names what it got, what was wanted, and the remedy."""

import numpy as np


def numbers(x):  # array or traced array -> ndarray
    """The plain numbers behind a value, traced or not: for checks only, never for the result."""
    return np.asarray(getattr(x, "exact", x), float)


def limits(x):  # array or traced array -> np.finfo
    """What the floats hold that a function such as np.exp makes of a value: half, single or double precision.

    A double holds e to 709.78 and no more, a single e to 88.72.
    """
    return np.finfo(np.result_type(getattr(x, "exact", x), np.float16))


def check_numbers(masked=False, **named):
    """Refuse a list, an empty array, a NaN and an infinite number, by name; −∞ passes in `masked` scores."""
    for name, x in named.items():
        if isinstance(x, list | tuple):
            raise ValueError(f"{name} is a {type(x).__name__}; make it an array: np.array({name})")
        plain = numbers(x)
        if plain.size == 0:
            raise ValueError(f"{name} is empty: its shape is {plain.shape}; give it at least one row and one number")
        odd = np.argwhere(~np.isfinite(plain) & ~(masked & np.isneginf(plain))).tolist()
        if odd:
            what = "NaN, not a number" if np.isnan(plain[tuple(odd[0])]) else "infinite"
            raise ValueError(f"{name}{odd[0]} is {what}; mend it before it spreads to the whole row")


def check_rows(**named):
    """Refuse a value that is not rows of numbers, by name."""
    for name, x in named.items():
        shape = np.shape(numbers(x))
        if len(shape) < 2:
            raise ValueError(f"{name} has the shape {shape}; give it rows of numbers: (rows, width). A single row is {name}[None, :]")


def check_fit(what, width, grid_name, grid, out=None):
    """Refuse a grid whose rows do not have one dial for each number that goes in, or that writes another width than `out`."""
    shape = np.shape(numbers(grid))
    if len(shape) != 2:
        raise ValueError(f"{grid_name} has the shape {shape}; a grid is rows of dials: (numbers out, numbers in)")
    if shape[1] != width:
        hint = "; hand it in transposed" if shape[0] == width else ""
        raise ValueError(f"{what} is {width} wide and {grid_name} {shape} reads {shape[1]}; its rows need {width} dials{hint}")
    if out is not None and shape[0] != out:
        raise ValueError(f"{grid_name} {shape} writes {shape[0]} numbers where {out} are wanted; it needs {out} rows")


def check_batch(**named):
    """Refuse two values whose leading axes, the batch, do not go together."""
    (first, a), (second, b) = named.items()
    try:
        np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise ValueError(f"{first} {a.shape} and {second} {b.shape} are batches of different sizes; give both one batch") from None


def check_mask(mask, shape):
    """Refuse a mask that does not fit the scores, or that holds anything but True and False."""
    plain = numbers(mask)
    if not np.isin(plain, (0, 1)).all():
        odd = float(plain[~np.isin(plain, (0, 1))].flat[0])
        raise ValueError(f"the mask holds {odd}; write True where a query may look and False elsewhere, not numbers to add")
    try:
        np.broadcast_to(plain, shape)
    except ValueError:
        raise ValueError(f"the mask {plain.shape} does not fit the scores {shape}; give it one entry for each query and key") from None


def check_split(tokens):
    """Refuse a text where a list of words is wanted: it would be read letter by letter."""
    if isinstance(tokens, str):
        raise ValueError(f"{tokens!r} is a text; split it into words first: {tokens!r}.split()")
