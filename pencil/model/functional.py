"""The activations, LayerNorm (Ba, Kiros and Hinton 2016) and RMSNorm (Zhang and Sennrich 2019)."""

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


ACTIVATIONS = {reference.relu: F.relu, reference.gelu: gelu, reference.gelu_erf: F.gelu, reference.silu: F.silu}


def activation_of(config):  # BlockConfig -> function of a tensor
    """The torch form of the config's activation; a function of torch is used as it is. Raises ValueError for any other."""
    activation = config.activation
    if activation in ACTIVATIONS:
        return ACTIVATIONS[activation]
    name = getattr(activation, "__name__", repr(activation))
    if (getattr(activation, "__module__", None) or "").partition(".")[0] != "torch":
        raise ValueError(f"activation={name} has no torch form here; take relu, gelu, gelu_erf or silu of pencil.reference, or a function of torch")
    return activation


class LayerNorm(Module):
    """Subtract each row's mean, divide by its standard deviation (over d, not d−1), then apply gain and bias if there are any.

    Args:
        sizes: a Config, or LayerNormParams, which say whether there is a gain and a bias.
        config: a BlockConfig, of which the `eps` is added to the variance; only beside params, where None is BlockConfig().
        width: d, the width of a row; None is that of the Config, or of the params' gain or bias.

    Raises ValueError without a width for params that have neither a gain nor a bias, and for a gain or bias of another width.
    """

    def __init__(self, sizes, config=None, *, width=None):
        super().__init__()
        norm = sizes.norm_params() if isinstance(sizes, Config) else sizes
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
            raise ValueError("a flat row has the standard deviation 0 and cannot be divided by it; give layer_norm a small eps, such as 1e-5")
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


class RMSNorm(LayerNorm):
    """Divide each row by its root mean square, then apply the gain if there is one; no mean is subtracted (Zhang and Sennrich 2019, eq. 4).

    The arguments are those of `LayerNorm`. Raises ValueError for a bias, of which RMSNorm has none, and as `LayerNorm` does.
    """

    def __init__(self, sizes, config=None, *, width=None):
        super().__init__(sizes, config, width=width)
        if self.bias is not None:
            raise ValueError("RMSNorm has a gain and no bias; leave it out: LayerNormParams(gain), or norm_bias=False in a Config")

    def forward(self, x, *, note=None):  # (..., d) -> (..., d)
        """The normalized rows. Without a note it is torch's rms_norm; with one each step runs by itself and is named.

        torch raises its own error for rows of another width. With a note raises ValueError for a row of zeros when eps is 0;
        without one the result is NaN there.
        """
        if note is None:
            return F.rms_norm(x, self.width, self.gain, self.eps)
        if self.eps == 0 and not x.any(-1).all():
            raise ValueError("a row of zeros has the root mean square 0 and cannot be divided by it; give rms_norm a small eps, such as 1e-6")
        square = note("square", x * x)
        mean_square = note("mean_square", note("square_sum", square.sum(-1, keepdim=True)) / x.shape[-1])
        rms = note("rms", (mean_square + self.eps).sqrt())
        return self._affine(note("normalized", x / rms), note)


NORMS = {reference.layer_norm: LayerNorm, reference.rms_norm: RMSNorm}


def norm_of(params, config, width):  # LayerNormParams or None, BlockConfig -> LayerNorm, RMSNorm or None
    """The norm of the config's kind, where there are params. Raises ValueError for a kind without a torch form, and as the norm does."""
    if config.norm not in NORMS:
        name = getattr(config.norm, "__name__", repr(config.norm))
        raise ValueError(f"norm={name} has no torch form here; take layer_norm or rms_norm of pencil.reference")
    return None if params is None else NORMS[config.norm](params, config, width=width)


def normalized(norm, rows, note=None):  # LayerNorm, RMSNorm or None, (..., d) -> (..., d)
    """The rows as the norm makes them, or as they are where there is none."""
    return rows if norm is None else norm(rows, note=note)


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
