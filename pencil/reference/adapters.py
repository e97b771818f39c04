"""LoRA: the weight is frozen, and a low-rank update beside it is trained (Hu et al. 2022)."""

from dataclasses import dataclass

from pencil.note import no_note
from pencil.reference.contracts import Array, check_number, shapes
from pencil.reference.functional import linear


@dataclass(frozen=True)
class LoRAParams:
    """The two matrices of the update, of rank r. A new `b` is zero, so that the layer begins unchanged."""

    a: Array  # (r, d_in)
    b: Array  # (d_out, r)


@shapes("... d_in, weight: d_out d_in, params.a: r d_in, params.b: d_out r -> ... d_out")
def lora_linear(x, weight, params, *, scaling=1.0, note=no_note):
    """A linear layer with an adapter: weight · x + scaling · b · (a · x) (Hu et al. 2022).

    - `x`: (..., d_in), one row or more
    - `weight`: (d_out, d_in), frozen
    - `params`: the adapter
    - `scaling`: alpha / r in the paper

    Raises ValueError for matrices that do not fit one another, and for a scaling that is no finite number.
    """
    check_number("scaling", scaling)
    base = note("base", linear(x, weight))
    low = note("low", linear(x, params.a))
    delta = note("delta", linear(low, params.b) * scaling)
    return note("out", base + delta)


@shapes("weight: d_out d_in, params.a: r d_in, params.b: d_out r -> d_out d_in")
def merge_lora(weight, params, *, scaling=1.0, note=no_note):
    """The weight with the adapter merged into it: weight + scaling · b @ a (Hu et al. 2022).

    - `weight`, `params`, `scaling`: as in `lora_linear`

    Raises ValueError for matrices that do not fit one another, and for a scaling that is no finite number.
    """
    check_number("scaling", scaling)
    return note("merged", weight + note("update", (params.b @ params.a) * scaling))
