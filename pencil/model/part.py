"""What every part of the model can do: be built like a bundle of the reference, and tell its arrays by their flat names."""

import torch
from torch import nn

from pencil.bundles import flatten
from pencil.model import weights
from pencil.reference.block import Recipe
from pencil.trace.notes import under

GPT2_WIDTH, GPT2_STD = 768, 0.02  # GPT-2's width, and the spread of its first weights (Radford et al. 2019)


class Part(nn.Module):
    """A torch module that mirrors a bundle: `arrays` gives each of its learned arrays, as a view, by the bundle's own name."""

    @classmethod
    def like(cls, bundle, recipe=Recipe(), dtype=torch.float64, device=None, **options):  # bundle -> module
        """A module with the sizes and the numbers of a reference bundle.

        `options` are those of the class (dropout, padding, pool, norm). Raises ValueError for a bundle that has no
        one torch form (heads of different widths, biases on some tags only).
        """
        model = cls(bundle, recipe, **options).to(device=device, dtype=dtype)
        weights.load(model, cls.flatten(bundle, **options))
        return model

    @staticmethod
    def flatten(bundle, **options):  # bundle -> {name: array}
        """The bundle's arrays by flat name."""
        return flatten(bundle)

    def arrays(self):  # -> {name: view of a parameter}
        """Every learned array by its flat name: the parts in the bundle's order, each behind its own name."""
        found = {}
        for name, part in self.named_children():
            if isinstance(part, Part):
                found |= {f"{name}.{inner}": view for inner, view in part.arrays().items()}
        return found


def say(note, name, value):  # -> value
    """Name a value, where there is a note."""
    return value if note is None else note(name, value)


def within(note, scope):  # -> note
    """The note that files in a scope, where there is a note."""
    return None if note is None else under(note, scope)


def drop(x, share, training):  # (...) -> (...)
    """Dropout while practising (Srivastava et al. 2014)."""
    return nn.functional.dropout(x, share) if share and training else x


def check_still(part, note):
    """Refuse a note while dropout is on: the values would be others each time."""
    if note is not None and part.training and part.dropout:
        raise ValueError(f"a note while dropout={part.dropout} is on would name other values each time; call model.eval() first")


def spread(width):  # numbers that a row adds up -> standard deviation
    """How large the first weights are: GPT-2's 0.02 at its width of 768, and more for a narrower row, as 1/√width.

    So the numbers that come out have one size whatever the width (LeCun et al. 1998). Biases start at 0, gains at 1;
    a stack makes the grids that write into its stream smaller (see stack.py).
    """
    return GPT2_STD * (GPT2_WIDTH / width) ** 0.5


def table(array):  # (rows, d) -> Parameter
    """A learned table of the array's shape, at its first numbers."""
    rows, width = array.shape
    return nn.Parameter(torch.randn(rows, width) * spread(width))


def grid(d_out, d_in, bias):  # -> nn.Linear
    """A learned grid of weight-rows at its first numbers; its bias, where there is one, at 0."""
    made = nn.utils.skip_init(nn.Linear, d_in, d_out, bias=bias)
    nn.init.normal_(made.weight, std=spread(d_in))
    if bias:
        nn.init.zeros_(made.bias)
    return made


def grid_arrays(made, name):  # -> {name: view}
    """A grid's weight by its name, and its bias as name_bias."""
    return {name: made.weight} | ({} if made.bias is None else {f"{name}_bias": made.bias})
