"""A value recomputed with other arrays in place of steps that it depends on."""

from pencil.rounding import on_paper
from pencil.trace.array import ancestors
from pencil.trace.readings import NumberSystem, evaluate


def substituted(target, others):  # TracedArray, {step: TracedArray of the same shape} -> (exact, paper) of the target
    """Evaluate the target on both tracks with other arrays in place of some steps. Nothing is recorded, and nothing is refused: 0/0 is NaN."""
    trace, replaced, changed, known = target.trace, {step.id: other for step, other in others.items()}, set(), {}
    for step in ancestors([target]):
        if step.id in replaced or any(a.id in changed for a in step.args):
            changed.add(step.id)
        if step.id in replaced or step.id not in changed:
            known[step.id] = replaced.get(step.id, step)
    systems = NumberSystem("exact"), NumberSystem("paper", write=lambda x: on_paper(x, trace.places, trace.figures))
    return tuple(evaluate(target, system, {i: getattr(step, system.name) for i, step in known.items()}) for system in systems)
