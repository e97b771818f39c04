"""What a value would be, had others stood in the place of steps before it."""

from pencil.rounding import on_paper
from pencil.trace.array import ancestors
from pencil.trace.readings import NumberSystem, work


def substituted(target, others):  # traced array, {step: the array in its place} -> (exact, paper) of the target
    """Work the graph again, with the numbers of each other array, which has the shape of its step. Nothing is recorded.

    A number that is lost on the way, as by 0/0, is NaN or infinite.
    """
    trace, put, touched = target.trace, {step.id: other for step, other in others.items()}, set()
    for step in ancestors([target]):
        if step.id in put or touched.intersection(a.id for a in step.args):
            touched.add(step.id)
    known = {step.id: put.get(step.id, step) for step in ancestors([target]) if step.id in put or step.id not in touched}
    paper = NumberSystem("paper", write=lambda x: on_paper(x, trace.places, trace.figures))
    return tuple(work(target, system, {i: getattr(step, system.name) for i, step in known.items()}) for system in (NumberSystem("exact"), paper))
