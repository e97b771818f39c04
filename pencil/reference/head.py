"""The classifier head: a summary stick in, one chance between 0 and 1 out."""

from dataclasses import dataclass

import numpy as np

from pencil.reference.checks import check_fit, check_numbers, numbers
from pencil.reference.linear import linear
from pencil.trace.notes import exact, under


def dense(x, grid, nudge):  # (..., d_in) (d_out, d_in) (d_out,) -> (..., d_out)
    """Workers side by side: each multiplies, adds, and adds its nudge (torch.nn.Linear).

    Raises ValueError for a grid that does not read the stick's width, and for another count of nudges than of workers.
    """
    check_numbers(x=x, grid=grid)
    return linear(x, grid, nudge)


def sigmoid(z, note=exact):  # (...) -> (...)
    """Crush any number to between 0 and 1: 1 / (1 + e^−z), the second share of softmax over (0, z) (torch.sigmoid).

    Raises ValueError for a NaN or an empty array.
    """
    check_numbers(z=z)
    with np.errstate(over="ignore"):  # e^800 is infinite, and 1 / (1 + ∞) the 0 that is wanted
        raised = note("raised", np.exp(-z))
    return note("answer", 1 / (1 + raised))


@dataclass(frozen=True)
class Head:
    """Two layers of workers: `grid1` (hidden, d) and `grid2` (1, hidden), with their nudges."""

    grid1: object
    nudge1: object
    grid2: object
    nudge2: object


def classify(summary, head, note=exact):  # (d,) -> (1,)
    """Workers, the ReLU bend, one last worker, sigmoid. Dropout rests at exam time: nothing is zeroed here.

    Source: the head of the film-review machine that chapter 06 follows. Raises ValueError for grids that do
    not fit one another, and for a last layer of more than one worker.
    """
    check_fit("the bent row", head.grid1.shape[0], "the last grid", head.grid2, out=1)
    hidden = note("hidden", dense(summary, head.grid1, head.nudge1))
    bent = note("bent", np.maximum(hidden, 0))
    logit = note("logit", dense(bent, head.grid2, head.nudge2))
    return sigmoid(logit, under(note, "sigmoid"))


def binary_cross_entropy(truth, answer, note=exact):  # (...) (...) -> (...)
    """The miss, in nats: minus the natural log of the chance that the machine gave to what is true.

    The same as torch's binary_cross_entropy without its mean. Raises ValueError for shapes that differ,
    for a truth that is not 0 or 1, for an answer that is no chance, and for a chance of 0, whose miss
    has no end.
    """
    check_numbers(truth=truth, answer=answer)
    t, a = numbers(truth), numbers(answer)
    if t.shape != a.shape:
        raise ValueError(f"truth has the shape {t.shape} and answer {a.shape}; give one answer for each truth")
    if not np.isin(t, (0, 1)).all():
        raise ValueError(f"truth is {t.tolist()}; it must be 0 or 1")
    if (a < 0).any() or (a > 1).any():
        raise ValueError(f"answer is {a.tolist()}; a chance lies between 0 and 1: run it through sigmoid first")
    chance = note("chance", truth * answer + (1 - truth) * (1 - answer))
    if (numbers(chance) == 0).any():
        raise ValueError("the machine gave no chance at all to what is true: −ln 0 is infinite; keep answers inside 0 and 1")
    return note("loss", -np.log(chance))
