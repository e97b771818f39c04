"""The activations and LayerNorm (Ba, Kiros and Hinton 2016)."""

import torch
import torch.nn.functional as F
from torch import nn

from pencil import reference
from pencil.model.config import Config
from pencil.model.module import Module, config_of
from pencil.reference.functional import NOISE


def gelu(x):  # (...) -> (...)
    """GELU in its tanh approximation, as in GPT-2 (Hendrycks and Gimpel 2016)."""
    return F.gelu(x, approximate="tanh")


ACTIVATIONS = {reference.relu: F.relu, reference.gelu: gelu, reference.gelu_erf: F.gelu}


def activation_of(config):  # BlockConfig -> function of a tensor
    """The torch form of the config's activation; a function of torch is used as it is. Raises ValueError for any other."""
    activation = config.activation
    if activation in ACTIVATIONS:
        return ACTIVATIONS[activation]
    name = getattr(activation, "__name__", repr(activation))
    if (getattr(activation, "__module__", None) or "").partition(".")[0] != "torch":
        raise ValueError(f"activation={name} has no torch form here; take relu, gelu or gelu_erf of pencil.reference, or a function of torch")
    return activation


class LayerNorm(Module):
    """Subtract each row's mean, divide by its standard deviation (over d, not d−1), then apply gain and bias if there are any.

    Args:
        sizes: a Config, or LayerNormParams, which say whether there is a gain and a bias.
        config: a BlockConfig, of which the `eps` is added to the variance; see `config_of` for None.
        width: d, the width of a row; None is that of the Config, or of the params' gain or bias.

    Raises ValueError without a width for params that have neither a gain nor a bias, and for a gain or bias of another width.
    """

    def __init__(self, sizes, config=None, *, width=None):
        super().__init__()
        norm = sizes.norm() if isinstance(sizes, Config) else sizes
        width = _width(sizes, norm, width)
        self.width, self.eps = (width,), config_of(sizes, config).eps
        self.gain = None if norm.gain is None else nn.Parameter(torch.ones(width))
        self.bias = None if norm.bias is None else nn.Parameter(torch.zeros(width))

    def forward(self, x, *, note=None):  # (..., d) -> (..., d)
        """The normalized rows. Without a note it is torch's layer_norm; with one each step runs by itself and is named.

        torch raises its own error for rows of another width. With a note raises ValueError for a constant row when eps is 0;
        without one the result is NaN there.
        """
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
        return {name: array for name, array in (("gain", self.gain), ("bias", self.bias)) if array is not None}


def _width(sizes, norm, width):  # the width of a row
    known = {"the Config's d_model": sizes.d_model} if isinstance(sizes, Config) else {}
    known |= {f"the {name}": len(array) for name in ("gain", "bias") if (array := getattr(norm, name)) is not None}
    if width is None and not known:
        raise ValueError("params without a gain and a bias do not say how wide a row is; give the LayerNorm a width: LayerNorm(params, width=8)")
    width = next(iter(known.values())) if width is None else width
    for name, size in known.items():
        if size != width:
            raise ValueError(f"{name} is {size} wide, and a row is {width}; give both one width")
    return width


def _is_flat(rows):  # constant but for rounding errors
    return rows.amax(-1) - rows.amin(-1) <= NOISE * torch.finfo(rows.dtype).eps * rows.abs().amax(-1)
