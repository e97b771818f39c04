"""LoRA: a linear layer stays as it is, and two narrow matrices beside it learn (Hu et al. 2022)."""

import torch
import torch.nn.functional as F
from torch import nn

from pencil.model.module import Module, named
from pencil.reference.contracts import check_number, check_size


class LoRALinear(Module):
    """base(x) + scaling · b · (a · x), of which a and b learn; b starts at 0 (Hu et al. 2022; a as PEFT draws it).

    Args:
        base: an nn.Linear or a QuantizedLinear (QLoRA: Dettmers et al. 2023), which does not learn from here on.
        rank: how many numbers stand between a and b.
        alpha: the scaling is alpha / rank; None is 1.

    Raises ValueError for a rank that is not a whole number of at least 1, and for an alpha that is no finite number.
    """

    def __init__(self, base, rank, *, alpha=None):
        super().__init__()
        check_size("rank", rank)
        check_number("alpha", rank if alpha is None else alpha)
        d_out, d_in = base.weight.shape
        like = {"dtype": base.weight.dtype, "device": base.weight.device}
        self.base, self.scaling = base.requires_grad_(False), 1.0 if alpha is None else alpha / rank
        self.a = nn.Parameter(torch.empty(rank, d_in, **like))
        self.b = nn.Parameter(torch.zeros(d_out, rank, **like))
        nn.init.kaiming_uniform_(self.a, a=5**0.5)

    @property
    def weight(self):  # -> (d_out, d_in)
        """What base and adapter multiply by together."""
        return self.base.weight + self.scaling * self.b @ self.a

    bias = property(lambda self: self.base.bias)

    def forward(self, x, *, note=None):  # (..., d_in) -> (..., d_out)
        """The output for each row; names base, low, delta, out."""
        base, low = named(note, "base", self.base(x)), named(note, "low", F.linear(x, self.a))
        return named(note, "out", base + named(note, "delta", F.linear(low, self.b) * self.scaling))

    def merge(self):  # -> nn.Linear
        """One layer that does the same."""
        merged = nn.utils.skip_init(nn.Linear, *reversed(self.weight.shape), bias=self.bias is not None, dtype=self.a.dtype, device=self.a.device)
        with torch.no_grad():
            merged.weight.copy_(self.weight)
            if self.bias is not None:
                merged.bias.copy_(self.bias)
        return merged

    def arrays(self):
        """a and b, which learn."""
        return {"a": self.a, "b": self.b}


def replace_linear(model, make, kind=nn.Linear):  # module, (layer -> layer) -> module
    """Put `make(layer)` in the place of each layer of this kind, and return the model: the same one, or `make(model)` if it is such a layer.

    A layer that stands in several places is made once. The layer inside an adapter is left alone, so a second call adds no second one. All
    else stays as it is, and learns on: for LoRA, in which nothing but the adapters learns, hand in `model.requires_grad_(False)`.

    Args:
        model: a module that is changed.
        make: such as `lambda layer: LoRALinear(layer, 1)`, `QuantizedLinear`, or `LoRALinear.merge`.
        kind: which layers are replaced.
    """
    if isinstance(model, kind):
        return make(model)
    made = {}
    for parent in [module for module in model.modules() if not isinstance(module, (kind, LoRALinear))]:
        for name, child in list(parent._modules.items()):
            if isinstance(child, kind):
                made[child] = made[child] if child in made else make(child)
                setattr(parent, name, made[child])
    return model
