"""What is left of an early word: how fast a late memory moves when an early one does, step by step along the walk."""

import numpy as np

from pencil.reference.checks import check_fit, check_numbers, check_rows
from pencil.trace.notes import exact, under


def step_slope(memory, cell, note=exact):  # (d_h,) -> (d_h, d_h)
    """How the memory after one step moves when the memory before it moves: diag(1 − h²)·W_hh, h being the memory after the step.

    Row i, column j: slot i of the new memory, slot j of the old one. Source: Pascanu et al. 2013. Raises ValueError for more than one memory,
    and for a grid that does not read it.
    """
    check_numbers(memory=memory)
    if np.ndim(memory) != 1:
        raise ValueError(f"memory has the shape {np.shape(memory)}; the slope is that of one step: hand in one memory, such as memories[1]")
    check_fit("the memory", memory.shape[-1], "the memory's grid", cell.hidden, out=memory.shape[-1])
    steepness = note("steepness", 1 - memory * memory)  # the slope of tanh where it stands: tanh'(z) = 1 − tanh²(z)
    return note("slope", steepness[:, None] * cell.hidden)


def fade(memories, cell, note=exact):  # (T, d_h) -> (d_h, d_h)
    """How the last memory of a walk moves when the first one does: the product of the slopes of all steps between them.

    Source: Bengio, Simard and Frasconi 1994; Pascanu, Mikolov and Bengio 2013, eq. 5. Filed as step2.slope, step3.slope,
    step3.reach, …, where reach is the product so far. Raises ValueError for fewer than two memories, and as `step_slope` does.
    """
    check_numbers(memories=memories)
    check_rows(memories=memories)
    if len(memories) < 2:
        raise ValueError(f"{len(memories)} memory: there is no step between the first and the last; walk along two words at least")
    reach = None
    for t in range(1, len(memories)):
        inside = under(note, f"step{t + 1}")
        slope = step_slope(memories[t], cell, inside)
        reach = slope if reach is None else inside("reach", slope @ reach)
    return reach
