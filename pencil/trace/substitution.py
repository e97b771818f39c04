"""A value recomputed with other arrays in place of steps that it depends on."""

import numpy as np

from pencil.rounding import on_paper
from pencil.trace.array import ancestors
from pencil.trace.operations import OPERATIONS


def substituted(target, others):  # TracedArray, {step: TracedArray of the same shape} -> (exact, paper) of the target
    """Evaluate the target on both tracks with other arrays in place of some steps. Nothing is recorded, and nothing is refused: 0/0 is NaN."""
    trace, changed = target.trace, {step.id: (other.exact, other.paper) for step, other in others.items()}
    with np.errstate(all="ignore"):
        for step in ancestors([target], changed):
            if not any(a.id in changed for a in step.args):
                continue
            exact, paper = zip(*(changed.get(a.id, (a.exact, a.paper)) for a in step.args), strict=True)
            if step.op == "note":
                changed[step.id] = exact[0], on_paper(paper[0], trace.places, trace.figures)
            else:
                changed[step.id] = tuple(np.asarray(OPERATIONS[step.op](*numbers, **step.attrs)) for numbers in (exact, paper))
    return changed.get(target.id, (target.exact, target.paper))
