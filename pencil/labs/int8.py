"""Learned numbers in a byte each: every row of a grid has a scale of its own."""

import base64
from math import prod

import numpy as np

from pencil.labs.records import Record

STEPS = 127  # a byte counts from −128 to 127; as many steps down as up


def quantise(array):  # (..., width) -> scales (rows,) float32, numbers (rows, width) int8
    """The nearest of the steps that the row's greatest number leaves. A row of zeros has the scale 1.

    Raises ValueError for what is not finite.
    """
    rows = np.asarray(array, float).reshape(-1, np.shape(array)[-1])
    if not np.isfinite(rows).all():
        raise ValueError("a number is infinite or none; a byte holds neither: train anew with a smaller rate")
    scales = (np.abs(rows).max(1) / STEPS).astype(np.float32)
    scales[scales == 0] = 1
    return scales, np.clip(np.floor(rows / scales[:, None].astype(float) + 0.5), -STEPS, STEPS).astype(np.int8)


def pack(arrays):  # {name: array} -> {"shapes": {name: shape}, "numbers": base64}
    """All scales, four bytes each, then all numbers, a byte each, in the order of the arrays."""
    made = [quantise(array) for array in arrays.values()]
    scales, numbers = (np.concatenate([part.ravel() for part in parts]) for parts in zip(*made, strict=True))
    data = base64.b64encode(scales.astype("<f4").tobytes() + numbers.tobytes()).decode()
    return {"shapes": {name: list(array.shape) for name, array in arrays.items()}, "numbers": data}


def rows_of(shapes):  # {name: shape} -> how many rows, and so scales, there are
    """A grid has as many as it has rows, a bias is one."""
    return sum(prod(shape[:-1]) for shape in shapes.values())


def unpack(packed):  # what `pack` made, or a Record of it -> {name: array}
    """The numbers that the bytes stand for: byte times scale, exactly. Raises ValueError where there are more or fewer than the shapes say."""
    data, shapes = base64.b64decode(packed["numbers"]), packed["shapes"]
    end, wanted = 4 * rows_of(shapes), sum(map(prod, shapes.values()))
    if len(data) != end + wanted:
        whose = f" of the record {packed.name}" if isinstance(packed, Record) else ""
        remedy = f"measure it anew: {packed.provenance['command']}" if whose else "pack the arrays again"
        raise ValueError(f"{len(data)} bytes where the shapes{whose} need {end + wanted}; {remedy}")
    scales, numbers = np.frombuffer(data[:end], "<f4").astype(float), np.frombuffer(data[end:], np.int8)
    found, row, at = {}, 0, 0
    for name, shape in shapes.items():
        rows, size = prod(shape[:-1]), prod(shape)
        taken = numbers[at : at + size].reshape(rows, -1) * scales[row : row + rows, None]
        found[name], row, at = taken.reshape(shape), row + rows, at + size
    return found
