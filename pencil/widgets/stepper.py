"""Stepper: the lab of any trace, value by value; and `steps_of`, which groups the values of a run into steps."""

from itertools import groupby

from pencil.widgets.lab import Lab, Part, Step, Variant
from pencil.worked import Worked


class Stepper(Lab):
    """Steps through a run, one named value after another, each with its worked lines and the inputs that it is computed from.

    - `run`: a Trace, or a Worked with labels
    - `moves`: {label: names} of values that share a step
    """

    def __init__(self, run, moves=None):
        worked = run if isinstance(run, Worked) else Worked(run)
        worked = Worked(worked.trace, worked.labels, worked.whole, worked.track)  # without the name of the run
        super().__init__([Variant(worked, steps_of(worked, moves))])


def steps_of(worked, moves=None):  # Worked, {label: (name, …)} -> tuple of Step
    """The steps of a run: consecutive values of one scope and one move share a step.

    The names of a move are matched without scopes: `scores` matches head1.scores too. Any other value is a step by itself.
    Raises ValueError for a run that names only inputs.
    """
    mover = {name: label for label, names in (moves or {}).items() for name in names}
    noted = [array for array in worked.trace.names.values() if array.op != "given"]
    if not noted:
        raise ValueError("the run has given numbers alone; note a value: trace('total', x.sum())")

    def move_of(array):
        *scope, last = array.name.split(".")
        return mover.get(last, worked.labels.get(array.name, array.name)), tuple(scope)

    steps = []
    for (label, scope), arrays in groupby(noted, move_of):
        steps.append(_step(_title(label, scope, steps), list(arrays), worked))
    return tuple(steps)


def _title(label, scope, steps):  # unique, since the script identifies a step by its title
    title = f"{scope[-1]}: {label}" if scope and scope[-1].startswith(("head", "block", "step")) else label
    return f"{title} again" if title in {step.label for step in steps} else title


def _step(label, arrays, worked):
    givens = dict.fromkeys(given for array in arrays for given in _given_behind(array))
    parts = [Part("given", given.name, worked.labels.get(given.name, given.name)) for given in givens if given.ndim <= 2]
    return Step(label, (*parts, Part("lines", " ".join(array.name for array in arrays))))


def _given_behind(array):
    """The inputs that a named value is computed from without another named value in between."""
    for step in array.args:
        if step.op == "given":
            yield step
        elif step.name is None:
            yield from _given_behind(step)
