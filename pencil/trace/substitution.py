"""What a value would be, had others stood in the place of steps before it."""

import numpy as np

from pencil.rounding import on_paper
from pencil.trace.array import ancestors
from pencil.trace.operations import OPERATIONS, TRACKS


def substituted(target, others):  # traced array, {step: the array in its place} -> (exact, paper) of the target
    """Work the graph again, with the numbers of each other array, which has the shape of its step. Nothing is recorded.

    A number that is lost on the way, as by 0/0, is NaN or infinite.
    """
    trace, done = target.trace, {step.id: (other.exact, other.paper) for step, other in others.items()}
    with np.errstate(all="ignore"):
        for each in ancestors([target]):
            if each.id in done or not any(arg.id in done for arg in each.args):
                continue
            exact, paper = zip(*(done.get(arg.id, (arg.exact, arg.paper)) for arg in each.args), strict=True)
            if each.op == "note":
                done[each.id] = exact[0], on_paper(paper[0], trace.places, trace.figures)
            else:
                done[each.id] = tuple(OPERATIONS[each.op](*track, **each.attrs) for track in (exact, paper))
    return done.get(target.id, tuple(getattr(target, track) for track in TRACKS))
