"""LayerNorm: tame one row to middle 0 and typical distance 1 (Ba, Kiros and Hinton 2016)."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_numbers, limits, numbers
from pencil.trace.notes import exact

NOISE = 4  # units in the last place: a row that was worked to be flat, as 0.3 and 0.1 + 0.2, is off by so few; one that differs by more is meant


@dataclass(frozen=True)
class Norm:
    """What a LayerNorm learns: a gain and a bias for each slot; None where the row stays as tamed."""

    gain: object = None  # (d,)
    bias: object = None  # (d,)


def layer_norm(x, note=exact, eps=0.0, norm=Norm()):  # (..., d) -> (..., d)
    """Take off the row's own mean, divide by its own spread, then gain and bias (Ba et al. 2016). Reads no other row.

    `eps` stands under the root. Raises ValueError for a flat row when eps is 0, and for a gain or bias
    of another width than the row.
    """
    check_numbers(x=x)
    if eps == 0 and _is_flat(x).any():
        raise ValueError("a flat row has the spread 0 and cannot be divided by it; give layer_norm a small eps, such as 1e-5")
    mean = note("mean", x.mean(-1, keepdims=True))
    deviation = note("deviation", x - mean)
    square = note("square", deviation * deviation)
    square_sum = note("square_sum", square.sum(-1, keepdims=True))
    variance = note("variance", square_sum / x.shape[-1])  # divide by d, not d-1: at d=2 the other is 41% off
    std = note("std", np.sqrt(variance + eps if eps else variance))
    return _affine(note("normalized", deviation / std), norm, note)


def _affine(x, norm, note):
    if norm.gain is None and norm.bias is None:
        return x
    for name in ("gain", "bias"):
        part = getattr(norm, name)
        if part is None:
            continue
        check_numbers(**{name: part})
        if part.shape != x.shape[-1:]:
            raise ValueError(f"a row is {x.shape[-1]} wide and the {name} has the shape {part.shape}; give one number a slot")
    scaled = x if norm.gain is None else x * norm.gain
    return note("affine", scaled if norm.bias is None else scaled + norm.bias)


def _is_flat(x):  # float noise aside: the mean of 0.1, 0.1, 0.1 is not quite 0.1
    rows = numbers(x)
    return np.ptp(rows, axis=-1) <= NOISE * limits(x).eps * np.abs(rows).max(-1)
