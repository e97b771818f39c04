"""One flat dictionary of arrays, both ways: the names and the arrays are those of `pencil.bundles.flatten`."""

import numpy as np
import torch

from pencil.bundles import check_same
from pencil.reference.checks import numbers


def flat(model):  # module -> {name: array}
    """Every learned array by its flat name, as NumPy copies: pencil.bundles.fill(bundle, flat(model)) runs in the reference."""
    return {name: _plain(view) for name, view in model.arrays().items()}


def load(model, arrays):  # module, {name: array} -> module
    """Write the arrays into the model, in its own type and on its own device.

    Raises ValueError for a name that is missing or unknown and for a shape that is not the model's; the model
    is then as it was.
    """
    views = model.arrays()
    ready = {name: torch.as_tensor(_array(array)) for name, array in arrays.items()}
    check_same(views, ready)
    with torch.no_grad():
        for name, view in views.items():
            view.copy_(ready[name])
    return model


def _array(array):  # NumPy, traced or torch
    return array.detach() if isinstance(array, torch.Tensor) else np.array(numbers(array))


def _plain(view):  # NumPy knows no bfloat16
    view = view.detach().cpu()
    return (view if view.dtype in (torch.float32, torch.float64) else view.float()).numpy().copy()
