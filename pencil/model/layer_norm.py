"""LayerNorm: tame one row to middle 0 and typical distance 1 (Ba, Kiros and Hinton 2016)."""

import torch
import torch.nn.functional as F
from torch import nn

from pencil.model.part import Part
from pencil.reference.layer_norm import NOISE


class LayerNorm(Part):
    """Take off the row's own mean, divide by its own spread, then gain and bias, where it has them.

    Raises ValueError for a row of another width, and, with a note, for a flat row when eps is 0 (which the
    fast path makes NaN).
    """

    def __init__(self, norm, recipe, width):
        super().__init__()
        self.width, self.eps = (width,), recipe.eps
        self.gain = None if norm.gain is None else nn.Parameter(torch.ones(width))
        self.bias = None if norm.bias is None else nn.Parameter(torch.zeros(width))

    def forward(self, x, note=None):  # (..., d) -> (..., d)
        """The tamed rows."""
        if note is None:
            return F.layer_norm(x, self.width, self.gain, self.bias, self.eps)
        if self.eps == 0 and _is_flat(x).any():
            raise ValueError("a flat row has the spread 0 and cannot be divided by it; give layer_norm a small eps, such as 1e-5")
        mean = note("mean", x.mean(-1, keepdim=True))
        deviation = note("deviation", x - mean)
        square = note("square", deviation * deviation)
        square_sum = note("square_sum", square.sum(-1, keepdim=True))
        variance = note("variance", square_sum / x.shape[-1])  # divide by d, not d-1
        std = note("std", (variance + self.eps).sqrt())
        return self._affine(note("normalized", deviation / std), note)

    def _affine(self, x, note):
        if self.gain is None and self.bias is None:
            return x
        scaled = x if self.gain is None else x * self.gain
        return note("affine", scaled if self.bias is None else scaled + self.bias)

    def arrays(self):
        """gain and bias, where it has them."""
        return {name: part for name, part in (("gain", self.gain), ("bias", self.bias)) if part is not None}


def _is_flat(rows):  # float noise aside
    return rows.amax(-1) - rows.amin(-1) <= NOISE * torch.finfo(rows.dtype).eps * rows.abs().amax(-1)
