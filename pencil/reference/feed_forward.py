"""The small worker: widen, bend, narrow; each word by itself."""

from dataclasses import dataclass
from math import erf, pi, sqrt

import numpy as np

from pencil.reference.checks import check_fit, check_numbers
from pencil.reference.linear import linear
from pencil.trace.notes import exact


def relu(x):  # (...) -> (...)
    """Keep what is positive; zero for the rest."""
    return np.maximum(x, 0)


def gelu(x):  # (...) -> (...)
    """A bend without a corner, in the form with tanh (Hendrycks and Gimpel 2016; GPT-2, torch's approximate="tanh")."""
    return 0.5 * x * (1 + np.tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)))


_erf = np.frompyfunc(erf, 1, 1)  # NumPy has none; a trace refuses it by its name


def gelu_erf(x):  # (...) -> (...)
    """The same bend in its exact form, x times the share of a normal curve that lies below x (BERT). A trace cannot follow it: take gelu."""
    return 0.5 * x * (1 + np.asarray(_erf(x / sqrt(2)), float))


@dataclass(frozen=True)
class FeedForward:
    """The worker's two grids, with their biases where it has any."""

    widen: object  # (d_ff, d_model)
    narrow: object  # (d_model, d_ff)
    widen_bias: object = None  # (d_ff,)
    narrow_bias: object = None  # (d_model,)


def feed_forward(x, grids, note=exact, bend=relu):  # (..., d) -> (..., d)
    """Widen, bend, narrow (Vaswani et al. 2017, 3.3).

    Raises ValueError for grids that do not fit the row or one another.
    """
    check_numbers(x=x, widen=grids.widen, narrow=grids.narrow)
    check_fit("the row", x.shape[-1], "the widening grid", grids.widen)
    check_fit("the bent row", grids.widen.shape[0], "the narrowing grid", grids.narrow, out=x.shape[-1])
    hidden = note("hidden", linear(x, grids.widen, grids.widen_bias))
    bent = note("bent", bend(hidden))
    return note("worker", linear(bent, grids.narrow, grids.narrow_bias))
