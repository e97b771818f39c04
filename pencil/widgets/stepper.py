"""Stepper: any trace, line by line; and how a run is cut into moves."""

from itertools import groupby

from pencil.widgets.lab import Lab, Part, Step, Variant
from pencil.worked import Worked


class Stepper(Lab):
    """Any run, one named value after the other, each with its worked lines and with the given numbers that it is made of.

    Takes a trace, or a Worked where names have labels. With `moves`, {what it is called: names}, values go together in one step.
    """

    def __init__(self, run, moves=None):
        worked = run if isinstance(run, Worked) else Worked(run)
        worked = Worked(worked.trace, worked.labels, worked.whole, worked.track)  # a lab has one run, which needs no name
        super().__init__([Variant(worked, steps_of(worked, moves))])


def steps_of(worked, moves=None):  # Worked, {label: (name, …)} -> tuple of Step
    """A run in steps: values that follow one another, in one scope and of one move, stand together.

    A name is the last part of a value's name: `scores` is head1.scores as well. What belongs to no move is a step of its own.
    Raises ValueError for a run that names nothing but givens.
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


def _title(label, scope, steps):  # a move that comes twice says so: the script finds a step by what it is called
    title = f"{scope[-1]}: {label}" if scope and scope[-1].startswith(("head", "block", "step")) else label
    return f"{title} again" if title in {step.label for step in steps} else title


def _step(label, arrays, worked):
    givens = dict.fromkeys(given for array in arrays for given in _given_behind(array))
    parts = [Part("given", given.name, worked.labels.get(given.name, given.name)) for given in givens if given.ndim <= 2]
    return Step(label, (*parts, Part("lines", " ".join(array.name for array in arrays))))


def _given_behind(array):
    """The given values that a noted one is made of directly, with nothing noted between."""
    for step in array.args:
        if step.op == "given":
            yield step
        elif step.name is None:
            yield from _given_behind(step)
