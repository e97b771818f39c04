"""Evaluate a recorded run in another number system, such as fractions or bf16, and compare two runs.

A NumberSystem says how inputs are converted, how named values are rounded, and which operations need another implementation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from pencil.formats import format_named
from pencil.rounding import show
from pencil.trace.array import ancestors
from pencil.trace.names import find
from pencil.trace.operations import OPERATIONS


def identity(x):
    """No conversion."""
    return x


@dataclass(frozen=True)
class NumberSystem:
    """How a program is evaluated; by default exactly as recorded, in float64.

    - `name`: of the number system
    - `read`, `write`, `constant`: functions of an array, applied to inputs, to named values and to constants of the code
    - `rules`: {operation: function}, in place of NumPy's
    - `digits`: function of one number, how it is printed; None prints by `pencil.rounding`
    """

    name: str
    read: Callable = identity
    write: Callable = identity
    constant: Callable = identity
    rules: dict = field(default_factory=dict)
    digits: Callable | None = None

    def run(self, step, args):  # TracedArray, arrays of its operands -> array
        """The result of one step."""
        if step.op in ("given", "constant"):
            return (self.read if step.op == "given" else self.constant)(step.exact)
        if step.op == "note":
            return self.write(args[0])
        return self.rules.get(step.op, OPERATIONS[step.op])(*args, **step.attrs)


def evaluate(target, system, done):  # TracedArray, NumberSystem, {id of a step: array} -> array
    """The value of a step. `done` holds results by step id; those that are missing are computed and added."""
    with np.errstate(all="ignore"):
        for step in ancestors([target], done):
            done[step.id] = np.asarray(system.run(step, [done[a.id] for a in step.args]))
    return done[target.id]


class Reading:
    """A run in another number system, evaluated on demand."""

    def __init__(self, trace, system, given=None):
        self.trace, self.system = trace, system
        self._done = {_step(trace, name).id: _fitting(trace.names[name], numbers) for name, numbers in (given or {}).items()}

    name = property(lambda self: self.system.name)

    def __repr__(self):
        return f"<{self.name} of {len(self.trace.names)} names>"

    def numbers(self, array):  # TracedArray -> (...)
        """The value of a step in this system."""
        return evaluate(array, self.system, self._done)

    def __getitem__(self, reference):
        """The value of a reference: `reading["nolan.weights"]`."""
        value = find(self.trace, reference)
        return self.numbers(value.array)[value.index]

    def first_change(self):  # -> Change or None
        """The first named number, in the order of the program, whose printed digits differ from those of the exact run."""
        for name, array in self.trace.names.items():
            here = self.numbers(array)
            for at in np.ndindex(array.shape):
                if self.digits(here[at]) != self.digits(array.exact[at]):
                    return Change(name, at, float(array.exact[at]), float(here[at]), self)
        return None

    def digits(self, x):  # number -> str
        """A number printed by the rounding rule of the trace."""
        return show(float(x), self.trace.places, self.trace.figures)


@dataclass(frozen=True)
class Change:
    """A number that a reading prints with other digits than the exact run has."""

    name: str
    index: tuple
    exact: float
    here: float
    reading: Reading

    @property
    def reference(self):
        array = self.reading.trace.names[self.name]
        places = [words[i] if words else str(i) for words, i in zip(array.axes, self.index, strict=True)]
        return self.name + (f"[{', '.join(places)}]" if places else "")

    @property
    def comparison(self):
        """The number exactly and as the reading has it, without the name of the reading."""
        return f"{self.reference} is {self.reading.digits(self.exact)}, and {self.reading.digits(self.here)}"

    def __str__(self):
        return f"{self.comparison} in {self.reading.name}"


def in_format(trace, name, scale=None):  # Trace, str -> Reading
    """See `Trace.in_format`."""
    form = format_named(name)
    if scale is not None and not hasattr(form, "scale"):
        raise ValueError(f"scale={scale} is for int8, int4 and nf4; {name} has exponents of its own: leave it out")
    if scale is not None and not 0 < scale <= float(np.finfo(np.float32).max):
        raise ValueError(f"scale={scale} is no scale: it is a number above 0, and one that float32 can hold")
    options = {} if scale is None else {"scale": scale}

    def write(x):
        return x if x.dtype == bool else form.nearest(x, **options)

    return Reading(trace, FormatNumbers(name, read=write, write=write, indices=_index_steps(trace)))


@dataclass(frozen=True)
class FormatNumbers(NumberSystem):
    """The numbers of a machine format; an index, such as the id of a token, is not rounded.

    - `indices`: the ids of the steps that are used as indices
    """

    indices: frozenset = frozenset()

    def run(self, step, args):
        if step.id in self.indices and step.op in ("given", "note"):
            return args[0] if args else step.exact
        return super().run(step, args)


def _index_steps(trace):  # -> ids of the steps that are indices of a `take` or `take_along_axis`, also by way of notes and gathers
    found = set()
    for step in reversed(trace.steps):
        if step.op in ("take", "take_along_axis"):
            found.add(step.args[1].id)
        elif step.id in found and step.op in ("note", "gather"):
            found.update(a.id for a in step.args)
    return frozenset(found)


@dataclass(frozen=True)
class Comparison:
    """The result of `same`; true if all compared values are exactly equal."""

    compared: tuple  # (name, other name, count) of each pair that is equal
    difference: str  # a sentence with the first pair of numbers that differ; "" if there is none

    def __bool__(self):
        return not self.difference

    def __str__(self):
        return self.in_words(str)

    def in_words(self, label):  # function: name of a value -> str
        """What was compared, as text, with a page's own words for the values."""
        equal = [(f"{label(name)} and {label(other)}", n) for name, other, n in self.compared]
        lines = [f"{pair}: {f'all {n} numbers are' if n > 1 else 'the number is'} equal" for pair, n in equal]
        return "\n".join([*lines, *([self.difference] if self.difference else [])])


def same(one, other, names):  # Trace or Reading twice, {name: name} -> Comparison
    """Compare values of two runs exactly, without a tolerance: in fractions, two programs for the same result are equal or not.

    - `one`, `other`: a Reading, or a Trace, which is read in fractions
    - `names`: {name in the first: name in the second}

    Raises ValueError for no names and for shapes that differ.
    """
    if not (isinstance(names, Mapping) and names):
        raise ValueError(f"names={names!r} compares nothing; name the values: {{'mixed': 'acc'}}")
    if odd := [x for x in (one, other) if not (isinstance(x, Reading) or hasattr(x, "fractions"))]:
        raise ValueError(f"{odd[0]!r} is no run; hand in two traces, or readings of them")
    one, other = (x if isinstance(x, Reading) else x.fractions() for x in (one, other))
    compared = []
    for name, opposite in names.items():
        here, there = (reading.numbers(_step(reading.trace, n)) for reading, n in ((one, name), (other, opposite)))
        if here.shape != there.shape:
            raise ValueError(f"{name!r} has the shape {here.shape} and {opposite!r} has {there.shape}; take their parts by np.reshape or a row")
        for at in np.ndindex(here.shape):
            if here[at] != there[at]:
                place = f"[{', '.join(map(str, at))}]" if at else ""
                lines = [f"{n}{place} is {(reading.system.digits or str)(x[at])}" for n, reading, x in ((name, one, here), (opposite, other, there))]
                return Comparison(tuple(compared), " and ".join(lines))
        compared.append((name, opposite, here.size))
    return Comparison(tuple(compared), "")


def _step(trace, name):
    if name not in trace.names:
        raise KeyError(f"nothing is named {name!r}; there are {', '.join(trace.names)}")
    return trace.names[name]


def _fitting(array, numbers):
    if numbers.shape != array.shape:
        raise ValueError(f"{array.name!r} has the shape {array.shape}; what is to stand in its place has {numbers.shape}")
    return numbers


def nearest_name(array):  # TracedArray -> str
    """The name of a step, or of the first named value that depends on it; its operation if there is none."""
    reached = {array.id}
    for step in array.trace.steps[array.id :]:
        if step.id in reached or any(a.id in reached for a in step.args):
            if step.name:
                return step.name
            reached.add(step.id)
    return array.op
