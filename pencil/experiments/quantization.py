"""Symmetric int8 quantization with one scale per row (absmax), and its storage as base64."""

import base64
from math import prod

import numpy as np

from pencil.experiments.records import Record

STEPS = 127  # levels on each side of zero; −128 is not used


def quantize(array):  # (..., width) -> scales (rows,) float32, integers (rows, width) int8
    """Divide each row by its scale, which is max|row| / 127, and round half up. A row of zeros gets the scale 1.

    Raises ValueError for an array that is not finite.
    """
    rows = np.asarray(array, float).reshape(-1, np.shape(array)[-1])
    if not np.isfinite(rows).all():
        raise ValueError("a number is infinite or none; a byte holds neither: train anew with a smaller rate")
    scales = (np.abs(rows).max(1) / STEPS).astype(np.float32)
    scales[scales == 0] = 1
    return scales, np.clip(np.floor(rows / scales[:, None].astype(float) + 0.5), -STEPS, STEPS).astype(np.int8)


def pack(arrays):  # {name: array} -> {"shapes": {name: shape}, "numbers": base64}
    """Quantize arrays and concatenate them: all scales as float32, then all integers as int8, in the order of the arrays."""
    quantized = [quantize(array) for array in arrays.values()]
    scales, integers = (np.concatenate([part.ravel() for part in parts]) for parts in zip(*quantized, strict=True))
    data = base64.b64encode(scales.astype("<f4").tobytes() + integers.tobytes()).decode()
    return {"shapes": {name: list(array.shape) for name, array in arrays.items()}, "numbers": data}


def rows_of(shapes):  # {name: shape} -> int
    """The total number of rows, which is the number of scales; a vector is one row."""
    return sum(prod(shape[:-1]) for shape in shapes.values())


def unpack(packed):  # what `pack` made, or a Record of it -> {name: array}
    """Dequantize: integer times scale. Raises ValueError if the number of bytes does not match the shapes."""
    data, shapes = base64.b64decode(packed["numbers"]), packed["shapes"]
    end, wanted = 4 * rows_of(shapes), sum(map(prod, shapes.values()))
    if len(data) != end + wanted:
        whose = f" of the record {packed.name}" if isinstance(packed, Record) else ""
        remedy = f"measure it anew: {packed.provenance['command']}" if whose else "pack the arrays again"
        raise ValueError(f"{len(data)} bytes where the shapes{whose} need {end + wanted}; {remedy}")
    scales, integers = np.frombuffer(data[:end], "<f4").astype(float), np.frombuffer(data[end:], np.int8)
    arrays, row, start = {}, 0, 0
    for name, shape in shapes.items():
        rows, size = prod(shape[:-1]), prod(shape)
        values = integers[start : start + size].reshape(rows, -1) * scales[row : row + rows, None]
        arrays[name], row, start = values.reshape(shape), row + rows, start + size
    return arrays
