"""The worker's bend in torch: which function stands for which of the reference's."""

from math import pi, sqrt

import torch
import torch.nn.functional as F

from pencil import reference

SLOPE, CUBE = 2 * sqrt(2 / pi), 2 * sqrt(2 / pi) * 0.044715


def gelu(x):  # (...) -> (...)
    """GELU in the form with tanh (Hendrycks and Gimpel 2016).

    ½(1 + tanh z) is sigmoid(2z), and on a CPU torch is half as quick again at a sigmoid as at a tanh; so there the bend
    is worked out as x · sigmoid(2z). Elsewhere, and inside torch.compile, it is torch's own.
    """
    if x.device.type != "cpu" or x.dtype not in (torch.float32, torch.float64) or torch.compiler.is_compiling():
        return F.gelu(x, approximate="tanh")
    return _Gelu.apply(x) if x.requires_grad and torch.is_grad_enabled() else _share(x).mul_(x)


def _share(x):  # sigmoid(2z), in one piece of memory
    return torch.addcmul(x.new_tensor(SLOPE), x, x, value=CUBE).mul_(x).sigmoid_()


class _Gelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        share = _share(x)
        ctx.save_for_backward(x, share)
        return x * share

    @staticmethod
    def backward(ctx, slope):  # (share + x · share · (1 − share) · d(2z)/dx) · slope
        x, share = ctx.saved_tensors
        if torch.is_grad_enabled():  # a slope of the slope is wanted: torch's own can be differentiated once more
            return torch.ops.aten.gelu_backward(slope, x, approximate="tanh")
        steep = torch.addcmul(x.new_tensor(SLOPE), x, x, value=3 * CUBE).mul_(x)
        return torch.addcmul(share, share, share, value=-1).mul_(steep).add_(share).mul_(slope)


BENDS = {reference.relu: F.relu, reference.gelu: gelu, reference.gelu_erf: F.gelu}


def bend_of(recipe):  # Recipe -> function of a tensor
    """torch's own form of the recipe's bend. Raises ValueError for one that torch has not."""
    bend = recipe.bend
    if bend in BENDS:
        return BENDS[bend]
    name = getattr(bend, "__name__", repr(bend))
    if (getattr(bend, "__module__", None) or "").partition(".")[0] != "torch":
        raise ValueError(f"bend={name} has no torch form here; take relu, gelu or gelu_erf of pencil.reference, or a function of torch")
    return bend
