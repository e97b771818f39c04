"""The numbers that an input may have: a count is whole, a probability lies between 0 and 1, some heads share others evenly."""

from numbers import Real

import numpy as np

from pencil.rounding import MINUS, as_given

LIMITS = ("least", "whole", "most", "divides")
COUNT = {"whole": True, "least": 1}  # the limits of what there is one of at least: heads, layers, tokens
MOST = 1e12  # of a bound; up to here `as_given` writes all digits
TRIES = 1000  # so many numbers are tried for one that would do


def limits_of(trace, name, whole, least, most, divides):  # -> {limit: value}, as a program has them; empty without limits
    """The limits of an input, see `Trace.given`. Raises ValueError for those that contradict each other, or are none."""
    if not isinstance(whole, bool | np.bool_):
        raise ValueError(f"whole={whole!r} of {name!r} is neither True nor False")
    if not whole and (least, most, divides) == (None, None, None):
        return {}
    found = {"least": _bound(name, "least", 0 if least is None else least)}
    if whole:
        found["whole"] = True
    if most is not None:
        found["most"] = _bound(name, "most", most)
    if odd := [key for key in ("least", "most") if whole and found.get(key, 0) % 1]:
        raise ValueError(f"{name!r} is whole, and {odd[0]}={found[odd[0]]} is not; give a whole number")
    if found["least"] > found.get("most", np.inf):
        raise ValueError(f"least={as_given(found['least'])} of {name!r} is above most={as_given(found['most'])}; least is 0 where none is given")
    if divides is not None:
        shared = trace.names.get(divides) if isinstance(divides, str) else None
        if not whole or shared is None or shared.op != "given" or shared.size != 1 or "whole" not in shared.attrs:
            raise ValueError(
                f"{name!r} cannot divide {divides!r}; both have to be whole=True, and the one that is divided a single number, given before"
            )
        found["divides"] = divides
    return found


def _bound(name, key, x):
    is_number = isinstance(x, Real) and not isinstance(x, bool) and abs(x) < MOST
    if not is_number or float(as_given(x).replace(MINUS, "-")) != x:  # the page writes it
        raise ValueError(f"{key}={x!r} of {name!r} is no bound; give a number below {as_given(MOST)}, of at most ten decimals")
    return float(x)


def refuse_outside(trace, name, value, least=-np.inf, whole=False, most=np.inf, divides=None):
    """Raise ValueError for an array with a number outside the limits. The message is the same as in pencil/web/engine/limits.js."""
    shared = trace.names[divides].exact.item() if divides else np.inf

    def is_off(x):
        return x < least or x > most or bool(whole and x % 1) or bool(divides and (not x or shared % x))

    odd = next(filter(is_off, value.ravel().tolist()), None)
    if odd is None:
        return
    near = min(max(float(np.floor(odd + 0.5)) if whole else odd, least), most, shared)
    near = next((near - k for k in range(TRIES) if not is_off(near - k)), None)
    reach = f" from {as_given(least)} to {as_given(most)}" if np.isfinite(most) else f", {as_given(least)} or more"
    also = f", that divides {divides!r}" if divides else ""
    hint = "" if near is None else f". Type {as_given(near)}, for example"
    raise ValueError(f"{name!r} must be a {'whole ' if whole else ''}number{reach}{also}{hint}")
