"""The numbers that an input may have: a count is whole, a probability lies between 0 and 1, some heads share others evenly."""

import numpy as np

from pencil.rounding import as_given


def refuse_outside(trace, name, value, whole=False, least=0, most=np.inf, divides=""):
    """Raise ValueError for a number below `least` or above `most`, for a fraction if `whole`, and for one that does not divide the input `divides`.

    The message is the same as in pencil/web/engine/limits.js.
    """
    shared = trace.names[divides].exact.item() if divides else 0

    def is_off(x):
        return x < least or x > most or bool(whole and x % 1) or bool(divides and shared % x)

    odd = next(filter(is_off, value.ravel().tolist()), None)
    if odd is None:
        return
    near = min(max(np.floor(odd + 0.5) if whole else odd, least), most)
    while is_off(near):
        near -= 1
    kind, also = "whole number" if whole else "number", f" that divides {divides!r}" if divides else ""
    to = f"to {as_given(most)}" if np.isfinite(most) else "on"
    raise ValueError(f"{name!r} is a {kind} from {as_given(least)} {to}{also}, and {as_given(odd)} is none; type {as_given(near)}, for example")
