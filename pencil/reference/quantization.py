"""Quantization: numbers as whole multiples of a scale, or as codes of a small table; and a linear layer on whole numbers.

What a format makes of every number that a run writes down is another question: `Trace.in_format`, by the rules of `pencil.formats`.
"""

import numpy as np

from pencil.formats import FORMATS
from pencil.note import no_note, scoped
from pencil.reference.contracts import numbers, shapes
from pencil.reference.functional import linear

NF4 = np.array(FORMATS["nf4"].codes)


@shapes("*shape -> *shape, _")
def absmax_quantize(x, *, bits=8, axis=-1, note=no_note):
    """Symmetric quantization: the largest |x| becomes the largest whole number, and zero stays zero (Dettmers et al. 2022: absmax).

    - `x`: (...), numbers
    - `bits`: of a whole number, which lies between −(2^(bits − 1) − 1) and as much above zero: −127 and 127 for 8 bits
    - `axis`: along which one scale serves all numbers: −1 for one a row, None for one for all

    The scale keeps its axes, with size 1, so that `whole * scale` are the numbers again, each off by at most half a scale. Where all
    numbers are zero the scale is 1. Half-way cases go to the even number, as in torch. Raises ValueError for bits that are not a whole number
    of at least 2.
    """
    largest_whole = _half(bits) - 1
    largest = note("largest", np.absolute(x).max(axis, keepdims=True))
    scale = note("scale", np.where(largest > 0, largest / largest_whole, 1))
    return note("whole", np.rint(note("steps", x / scale))), scale


@shapes("... n -> ... n, ... 1, ... 1")
def zero_point_quantize(x, *, bits=8, note=no_note):
    """Asymmetric quantization of each row: its range, stretched to hold 0, over all whole numbers (Jacob et al. 2018, eq. 1).

    - `x`: (..., n), rows
    - `bits`: of a whole number, from −2^(bits − 1) to 2^(bits − 1) − 1

    `(whole - zero_point) * scale` are the numbers again; 0 is kept exactly, as the whole number `zero_point`. A row of zeros has the scale 1.
    Raises ValueError for bits that are not a whole number of at least 2.
    """
    half = _half(bits)
    low = note("low", -np.maximum((-x).max(-1, keepdims=True), 0))
    high = note("high", np.maximum(x.max(-1, keepdims=True), 0))
    spread = note("spread", high - low)
    scale = note("scale", np.where(spread > 0, spread / (2 * half - 1), 1))
    zero_point = note("zero_point", np.rint(-half - low / scale))
    shifted = np.rint(note("steps", x / scale)) + zero_point
    return note("whole", np.minimum(np.maximum(shifted, -half), half - 1)), scale, zero_point


@shapes("..., ..., zero_point?: ... -> ...")
def dequantize(whole, scale, *, zero_point=None, note=no_note):
    """The numbers again: (whole − zero_point) · scale (Jacob et al. 2018, eq. 1).

    - `whole`: (...), from `absmax_quantize` or `zero_point_quantize`
    - `scale`, `zero_point`: as they gave them

    Raises ValueError for shapes that do not broadcast.
    """
    return note("restored", (whole if zero_point is None else whole - zero_point) * scale)


@shapes("... n -> ... groups size")
def in_groups(x, *, size):
    """Rows cut into groups of so many numbers, each of which gets a scale of its own: `absmax_quantize(in_groups(x, size=64))`.

    Source: Dettmers et al. 2023 (block-wise quantization). Raises ValueError for a size that does not divide the width.
    """
    width = x.shape[-1]
    check_groups(width, size)
    return x.reshape(*x.shape[:-1], width // size, size)


@shapes("*shape, codes: K -> *shape, _")
def codebook_quantize(x, *, codes=NF4, axis=-1, note=no_note):
    """The nearest code of x over the largest |x|; with the table of NF4 it is QLoRA's NormalFloat (Dettmers et al. 2023).

    - `x`: (...), numbers
    - `codes`: numbers from −1 to 1, in their order
    - `axis`: along which one scale serves all numbers: −1 for one a row, None for one for all

    Half-way between two codes the lower is taken, as in bitsandbytes. Where all numbers are zero the scale is 1. Raises ValueError for a table
    that is not 2 to 256 codes in their order.
    """
    check_codes(numbers(codes))
    largest = note("largest", np.absolute(x).max(axis, keepdims=True))
    scale = note("scale", np.where(largest > 0, largest, 1))
    part = note("part", x / scale)
    return note("code", np.where(part[..., None] > note("halves", (codes[1:] + codes[:-1]) / 2), 1, 0).sum(-1)), scale


@shapes("int ..., ..., codes: K -> ...")
def codebook_dequantize(code, scale, *, codes=NF4, note=no_note):
    """The numbers again: the code at each place of the table, times the scale (Dettmers et al. 2023).

    - `code`, `scale`: from `codebook_quantize`
    - `codes`: the same table

    Raises ValueError for a place that is not in the table.
    """
    if (numbers(code) >= len(codes)).any() or (numbers(code) < 0).any():
        raise ValueError(f"a place outside the table of {len(codes)} codes; hand in the codes that quantized it")
    table = np.broadcast_to(codes, (*code.shape, len(codes)))
    place = code.astype(int) if isinstance(code, np.ndarray) else code
    nearest = note("nearest", np.take_along_axis(table, np.expand_dims(place, -1), -1)[..., 0])
    return note("restored", nearest * scale)


@shapes("T d_in, d_out d_in -> T d_out")
def int8_linear(x, weight, *, outliers=None, note=no_note):
    """A linear layer on whole numbers of 8 bits; columns with outliers are multiplied apart, as they are (Dettmers et al. 2022: LLM.int8()).

    - `x`: (T, d_in), rows; one scale each
    - `weight`: (d_out, d_in); one scale for each of its rows
    - `outliers`: a column of `x` is one where some |x| is at least this; the paper takes 6. None takes no column apart

    Raises ValueError for a weight that does not read the rows.
    """
    apart = None
    if outliers is not None:
        is_out = note("size", np.absolute(x).max(0)) >= outliers
        apart = note("apart", linear(np.where(is_out, x, 0), weight))
        x, weight = note("rest", np.where(is_out, 0, x)), np.where(is_out, 0, weight)
    whole, scale = absmax_quantize(x, note=scoped(note, "row"))
    whole_weight, weight_scale = absmax_quantize(weight, note=scoped(note, "weight"))
    product = note("whole_product", linear(whole, whole_weight))
    out = note("rescaled", note("by_row", product * scale) * weight_scale.T)
    return out if apart is None else note("out", out + apart)


def check_bits(bits, most=np.inf):
    """Raise ValueError for bits that are no whole number from 2 to `most`: one bit leaves no whole number but zero."""
    if bits % 1 or not 2 <= bits <= most:
        raise ValueError(f"bits={bits}; take a whole number of bits, " + (f"2 to {most}" if most < np.inf else "at least 2"))


def check_groups(width, size):
    """Raise ValueError for groups of a size that does not divide the row."""
    if size < 1 or width % size:
        raise ValueError(f"groups of {size} in a row of {width}; take a size that divides {width}")


def check_codes(codes):
    """Raise ValueError for a table that is not 2 to 256 finite numbers, each larger than the one before: a place is kept in a byte."""
    if not 2 <= len(codes) <= 256:
        raise ValueError(f"a table of {len(codes)} codes; take 2 to 256, for a place in it is kept in a byte")
    if not (np.diff(codes) > 0).all() or not np.isfinite(codes).all():
        raise ValueError(f"codes {list(map(float, codes))} do not grow from each to the next; take finite numbers, sort them, each once")


def _half(bits):  # how many of the whole numbers lie below zero
    check_bits(bits)
    return 2 ** (bits - 1)
