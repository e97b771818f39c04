"""Quantization: numbers as integers times a scale, or as indices into a codebook; and a linear layer on 8-bit integers.

To round every value of a recorded run to a format, see `Trace.in_format` and `pencil.formats`.
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
    - `bits`: of an integer, from −(2^(bits − 1) − 1) to 2^(bits − 1) − 1: −127 to 127 for 8 bits
    - `axis`: the axis along which numbers share a scale: −1 for a scale for each row, None for a single one

    Returns the integers and the scale, which keeps the axis with size 1: `quantized * scale` is within half a scale of `x`. Where all numbers are
    zero the scale is 1. Ties go to the even number, as in torch. Raises ValueError for bits that are not a whole number of at least 2.
    """
    largest_integer = _half(bits) - 1
    largest = note("largest", np.absolute(x).max(axis, keepdims=True))
    scale = note("scale", np.where(largest > 0, largest / largest_integer, 1))
    quantized = np.rint(note("steps", x / scale))
    return note("quantized", np.minimum(np.maximum(quantized, -largest_integer), largest_integer)), scale  # a rounded scale may be too small


@shapes("... n -> ... n, ... 1, ... 1")
def zero_point_quantize(x, *, bits=8, note=no_note):
    """Asymmetric quantization of each row: its range, extended to include 0, maps to all integers (Jacob et al. 2018, eq. 1).

    - `x`: (..., n), rows
    - `bits`: of an integer, from −2^(bits − 1) to 2^(bits − 1) − 1

    Returns the integers, the scale and the zero point: `(quantized - zero_point) * scale` approximates `x`, and is exactly 0 where `x` is. A row of
    zeros has the scale 1.
    Raises ValueError for bits that are not a whole number of at least 2.
    """
    half = _half(bits)
    low = note("low", -np.maximum((-x).max(-1, keepdims=True), 0))
    high = note("high", np.maximum(x.max(-1, keepdims=True), 0))
    spread = note("spread", high - low)
    scale = note("scale", np.where(spread > 0, spread / (2 * half - 1), 1))
    zero_point = note("zero_point", np.rint(-half - low / scale))
    shifted = np.rint(note("steps", x / scale)) + zero_point
    return note("quantized", np.minimum(np.maximum(shifted, -half), half - 1)), scale, zero_point


@shapes("..., ..., zero_point?: ... -> ...")
def dequantize(quantized, scale, *, zero_point=None, note=no_note):
    """Dequantize: (quantized − zero_point) · scale (Jacob et al. 2018, eq. 1).

    - `quantized`, `scale`, `zero_point`: as `absmax_quantize` or `zero_point_quantize` returned them

    Raises ValueError for shapes that do not broadcast.
    """
    return note("restored", (quantized if zero_point is None else quantized - zero_point) * scale)


@shapes("... n -> ... groups size")
def in_groups(x, *, size):
    """Rows split into groups of `size` numbers, to give each a scale of its own: `absmax_quantize(in_groups(x, size=64))`.

    Source: Dettmers et al. 2023 (block-wise quantization). Raises ValueError for a size that does not divide the width.
    """
    width = x.shape[-1]
    check_groups(width, size)
    return x.reshape(*x.shape[:-1], width // size, size)


@shapes("*shape, codes: K -> *shape, _")
def codebook_quantize(x, *, codes=NF4, axis=-1, note=no_note):
    """The index of the code nearest to x / max |x|; with NF4 it is QLoRA's NormalFloat (Dettmers et al. 2023).

    - `x`: (...), numbers
    - `codes`: (K,), numbers from −1 to 1, ascending
    - `axis`: the axis along which numbers share a scale: −1 for a scale for each row, None for a single one

    Returns the indices and the scale. Ties go to the lower code, as in bitsandbytes. Where all numbers are zero the scale is 1. Raises
    ValueError unless there are 2 to 256 ascending codes.
    """
    check_codes(numbers(codes))
    largest = note("largest", np.absolute(x).max(axis, keepdims=True))
    scale = note("scale", np.where(largest > 0, largest, 1))
    part = note("part", x / scale)
    return note("code", np.where(part[..., None] > note("midpoints", (codes[1:] + codes[:-1]) / 2), 1, 0).sum(-1)), scale


@shapes("int ..., ..., codes: K -> ...")
def codebook_dequantize(code, scale, *, codes=NF4, note=no_note):
    """Dequantize: codes[code] · scale (Dettmers et al. 2023).

    - `code`, `scale`: as `codebook_quantize` returned them
    - `codes`: the same codebook

    Raises ValueError for an index outside the codebook.
    """
    if (numbers(code) >= len(codes)).any() or (numbers(code) < 0).any():
        raise ValueError(f"a place outside the table of {len(codes)} codes; hand in the codes that quantized it")
    table = np.broadcast_to(codes, (*code.shape, len(codes)))
    place = code.astype(int) if isinstance(code, np.ndarray) else code
    nearest = note("nearest", np.take_along_axis(table, np.expand_dims(place, -1), -1)[..., 0])
    return note("restored", nearest * scale)


@shapes("T d_in, d_out d_in -> T d_out")
def int8_linear(x, weight, *, outliers=None, note=no_note):
    """A linear layer on 8-bit integers; columns with outliers are multiplied in full precision (LLM.int8(): Dettmers et al. 2022).

    - `x`: (T, d_in), quantized with a scale for each row
    - `weight`: (d_out, d_in), quantized with a scale for each row
    - `outliers`: the threshold: a column of `x` with some |x| of at least this is not quantized; the paper takes 6. None quantizes all

    Raises ValueError for a weight that does not read the rows.
    """
    outlier_product = None
    if outliers is not None:
        is_out = note("size", np.absolute(x).max(0)) >= outliers
        outlier_product = note("outlier_product", linear(np.where(is_out, x, 0), weight))
        x, weight = note("rest", np.where(is_out, 0, x)), np.where(is_out, 0, weight)
    quantized, scale = absmax_quantize(x, note=scoped(note, "row"))
    quantized_weight, weight_scale = absmax_quantize(weight, note=scoped(note, "weight"))
    product = note("quantized_product", linear(quantized, quantized_weight))
    out = note("rescaled", note("by_row", product * scale) * weight_scale.T)
    return out if outlier_product is None else note("out", out + outlier_product)


def check_bits(bits, most=np.inf):
    """Raise ValueError for bits that are no whole number from 2 to `most`; with one bit the only integer would be zero."""
    if bits % 1 or not 2 <= bits <= most:
        raise ValueError(f"bits={bits}; take a whole number of bits, " + (f"2 to {most}" if most < np.inf else "at least 2"))


def check_groups(width, size):
    """Raise ValueError for a group size that does not divide the width of the rows."""
    if size < 1 or width % size:
        raise ValueError(f"groups of {size} in a row of {width}; take a size that divides {width}")


def check_codes(codes):
    """Raise ValueError unless a codebook has 2 to 256 finite, ascending numbers; an index is kept in a byte."""
    if not 2 <= len(codes) <= 256:
        raise ValueError(f"a table of {len(codes)} codes; take 2 to 256, for a place in it is kept in a byte")
    if not (np.diff(codes) > 0).all() or not np.isfinite(codes).all():
        raise ValueError(f"codes {list(map(float, codes))} do not grow from each to the next; take finite numbers, sort them, each once")


def _half(bits):  # 128 for 8 bits
    check_bits(bits)
    return 2 ** (bits - 1)
