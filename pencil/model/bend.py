"""The worker's bend in torch: which function stands for which of the reference's."""

import torch
import torch.nn.functional as F

from pencil import reference


def gelu(x):  # (...) -> (...)
    """GELU in the form with tanh (Hendrycks and Gimpel 2016)."""
    return F.gelu(x, approximate="tanh")


def gelu_(x):  # (...) -> (...)
    """The same, in the memory of x."""
    return torch.ops.aten.gelu_(x, approximate="tanh")


def gelu_erf_(x):  # (...) -> (...)
    """GELU in the form with erf, in the memory of x."""
    return torch.ops.aten.gelu_(x)


BENDS = {reference.relu: F.relu, reference.gelu: gelu, reference.gelu_erf: F.gelu}
IN_PLACE = {F.relu: torch.relu_, gelu: gelu_, F.gelu: gelu_erf_}  # fresh memory costs time


def bend_of(recipe):  # Recipe -> function of a tensor
    """torch's own form of the recipe's bend. Raises ValueError for one that torch has not."""
    bend = recipe.bend
    if bend in BENDS:
        return BENDS[bend]
    name = getattr(bend, "__name__", repr(bend))
    if (getattr(bend, "__module__", None) or "").partition(".")[0] != "torch":
        raise ValueError(f"bend={name} has no torch form here; take relu, gelu or gelu_erf of pencil.reference, or a function of torch")
    return bend
