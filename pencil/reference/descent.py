"""Turning the dials: one step down the slope, plain or by Adam."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_numbers
from pencil.trace.notes import exact


def descend(dials, slope, rate, note=exact):  # (...) (...) () -> (...)
    """A step against the slope, as long as the slope is steep times the learning rate (Cauchy 1847; torch.optim.SGD).

    Raises ValueError for dials and a slope of different shapes.
    """
    _check_slope(dials, slope)
    return note("moved", dials - note("step", rate * slope))


@dataclass(frozen=True)
class Adam:
    """The settings of Adam, as its authors advise; in torch.optim.Adam they are lr, betas and eps."""

    rate: object = 0.001
    keep: object = 0.9  # how much of the running mean of slopes stays from step to step: beta 1
    keep_square: object = 0.999  # and of the running mean of their squares: beta 2
    eps: float = 1e-8

    def __post_init__(self):
        for name in ("keep", "keep_square"):
            share = getattr(self, name)
            if isinstance(share, (int, float)) and not 0 <= share < 1:
                raise ValueError(f"{name}={share} is no share of what was; take one from 0 up to, and not including, 1")


@dataclass(frozen=True)
class Momentum:
    """What Adam remembers of the steps before, for each dial: the running means of slopes and of their squares, and how many steps."""

    mean: object = 0.0
    square: object = 0.0
    steps: int = 0


def adam(dials, slope, settings=Adam(), before=Momentum(), note=exact):  # (...) (...) -> (...), Momentum
    """One step of Adam (Kingma and Ba 2015; torch.optim.Adam): each dial moves by its mean slope over its typical slope, times the rate.

    The means start at 0, so they are divided by the share of them that slopes have filled so far. The first step is
    therefore about one rate long for every dial, however steep its slope. Raises ValueError as `descend` does.
    """
    _check_slope(dials, slope)
    count = before.steps + 1
    mean = note("mean", settings.keep * before.mean + (1 - settings.keep) * slope)
    square = note("square", settings.keep_square * before.square + (1 - settings.keep_square) * (slope * slope))
    fair_mean = note("fair_mean", mean / (1 - settings.keep**count))
    fair_square = note("fair_square", square / (1 - settings.keep_square**count))
    typical = note("typical", np.sqrt(fair_square) + settings.eps)
    step = note("step", settings.rate * fair_mean / typical)
    return note("moved", dials - step), Momentum(mean, square, count)


def _check_slope(dials, slope):
    check_numbers(dials=dials, slope=slope)
    if np.shape(dials) != np.shape(slope):
        raise ValueError(f"dials of the shape {np.shape(dials)} and a slope of the shape {np.shape(slope)}; each dial has one slope")
