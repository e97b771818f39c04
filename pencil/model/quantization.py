"""Quantization of weights to integers or codes, with a scale for each row or group of a row (Dettmers et al. 2022, 2023)."""

import torch
import torch.nn.functional as F

from pencil.formats import NF4
from pencil.model.module import Module, named
from pencil.reference.quantization import check_bits, check_codes, check_groups


def absmax_quantize(x, *, bits=8):  # (..., n) -> (..., n) whole numbers, (..., 1)
    """Symmetric quantization of each row: the largest |x| becomes the largest integer. The scale is float32 or wider.

    Raises ValueError for bits that are not a whole number from 2 to 8 (an integer is kept in a byte), and for NaN and infinities.
    """
    check_bits(bits, most=8)
    x, largest = with_largest(x)
    scale = torch.where(largest > 0, (largest / (2 ** (bits - 1) - 1)).clamp_min(torch.finfo(x.dtype).tiny), 1)
    return (x / scale).round().to(torch.int8), scale


def codebook_quantize(x, *, codes=NF4):  # (..., n) -> (..., n) places in the table, (..., 1)
    """The index of the code nearest to x / max |x| of its row; ties go to the lower code.

    The scale is float32 or wider. Raises ValueError as `check_codes` does, and for NaN and infinities.
    """
    check_codes(codes)
    x, largest = with_largest(x)
    table = torch.tensor(codes, dtype=x.dtype, device=x.device)
    scale = torch.where(largest > 0, largest, 1)
    return torch.bucketize(x / scale, (table[1:] + table[:-1]) / 2).to(torch.uint8), scale


def with_largest(x):  # (..., n) -> the same in float32 at least, (..., 1)
    """The rows in float32 or wider, where the scale of tiny numbers does not underflow, and the largest |x| of each row.

    Raises ValueError for NaN and infinities.
    """
    x = x.to(torch.promote_types(x.dtype, torch.float32))
    largest = x.abs().amax(-1, keepdim=True)
    if not largest.isfinite().all():
        raise ValueError("numbers that are NaN or infinite have no scale; quantize finite ones")
    return x, largest


class QuantizedLinear(Module):
    """A linear layer with a quantized weight, which is dequantized in each forward. It is not trained.

    Each integer or code takes a byte, also if it has fewer bits; libraries pack two codes of four bits into one.

    Args:
        base: the nn.Linear to quantize.
        bits: of an integer, 2 to 8; 8 where neither bits nor codes are given.
        codes: a codebook in place of integers, such as `pencil.formats.NF4`.
        group_size: how many numbers of a row share a scale; None is the whole row.

    Raises ValueError for bits and codes together, for a group size that does not divide the row, and as `absmax_quantize` and
    `codebook_quantize` do.
    """

    def __init__(self, base, *, bits=None, codes=None, group_size=None):
        super().__init__()
        if bits is not None and codes is not None:
            raise ValueError(f"bits={bits} and a table of {len(codes)} codes; take one of them, for the table decides how many bits a place has")
        weight = base.weight.detach()
        size = weight.shape[1] if group_size is None else group_size
        check_groups(weight.shape[1], size)
        groups = weight.unflatten(-1, (-1, size))
        quantized, scale = absmax_quantize(groups, bits=8 if bits is None else bits) if codes is None else codebook_quantize(groups, codes=codes)
        self.register_buffer("quantized", quantized)
        self.register_buffer("scale", scale)
        self.register_buffer("codes", None if codes is None else torch.tensor(codes, dtype=scale.dtype))
        self.register_buffer("like", weight.new_empty(0), persistent=False)  # its dtype follows .to(dtype), and the weight has it too
        self.register_buffer("bias", None if base.bias is None else base.bias.detach().clone())

    def _apply(self, fn, recurse=True):  # what .half(), .to(…) and their kin call
        scales = self.scale, self.codes
        super()._apply(fn, recurse)
        for name, scale in zip(("scale", "codes"), scales, strict=True):  # they move to another device and keep their format: 1e-9 is 0 in float16
            if scale is not None and getattr(self, name).dtype != scale.dtype:
                setattr(self, name, scale.to(getattr(self, name).device))
        return self

    @property
    def weight(self):  # -> (d_out, d_in)
        """The dequantized weight."""
        numbers = self.quantized if self.codes is None else self.codes[self.quantized.int()]
        return (numbers * self.scale).flatten(-2).to(self.like.dtype)

    def forward(self, x, *, note=None):  # (..., d_in) -> (..., d_out)
        """The output for each row; names out."""
        return named(note, "out", F.linear(x, self.weight, self.bias))
