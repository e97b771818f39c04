"""A run read in other numbers: its program worked again as fractions, or as a machine writes them.

The program is one. What differs is said by a number system: what a given number becomes, and what happens when a number is written down.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pencil.formats import format_named
from pencil.rounding import show
from pencil.trace.array import ancestors
from pencil.trace.names import find
from pencil.trace.operations import OPERATIONS


def as_it_is(x):
    """What neither reads nor writes changes: the exact numbers are so."""
    return x


@dataclass(frozen=True)
class NumberSystem:
    """What numbers are while a program is worked.

    - `name`: what it is called
    - `read`: of an array that is given
    - `write`: of an array that is noted
    - `constant`: of an array that stands in the code
    - `rules`: {operation: function}, for what NumPy cannot do with these numbers by itself
    - `digits`: of one number, how it is written; None where that is by the book's rule
    """

    name: str
    read: Callable = as_it_is
    write: Callable = as_it_is
    constant: Callable = as_it_is
    rules: dict = field(default_factory=dict)
    digits: Callable | None = None

    def run(self, step, args):  # traced array, arrays of its operands -> array
        """One step of a program in these numbers."""
        if step.op in ("given", "constant"):
            return (self.read if step.op == "given" else self.constant)(step.exact)
        if step.op == "note":
            return self.write(args[0])
        return self.rules.get(step.op, OPERATIONS[step.op])(*args, **step.attrs)


def work(target, system, done):  # traced array, NumberSystem, {id of a step: array} -> array
    """The numbers of a step; what is worked out on the way is kept in `done`, and what is there already is taken as it is."""
    with np.errstate(all="ignore"):
        for step in ancestors([target], done):
            done[step.id] = np.asarray(system.run(step, [done[a.id] for a in step.args]))
    return done[target.id]


class Reading:
    """A run in another number system. What nobody asks for is not worked out."""

    def __init__(self, trace, system, given=None):
        self.trace, self.system = trace, system
        self._done = {_step(trace, name).id: _fitting(trace.names[name], numbers) for name, numbers in (given or {}).items()}

    name = property(lambda self: self.system.name)

    def __repr__(self):
        return f"<{self.name} of {len(self.trace.names)} names>"

    def numbers(self, array):  # traced array -> (...)
        """The numbers of a step, in this system."""
        return work(array, self.system, self._done)

    def __getitem__(self, reference):
        """The number, row or grid of a reference: `reading["nolan.weights"]`."""
        value = find(self.trace, reference)
        return self.numbers(value.array)[value.index]

    def first_change(self):  # -> Change or None
        """The first named number whose shown digits are others than those of the exact one, in the order of the program."""
        for name, array in self.trace.names.items():
            here = self.numbers(array)
            for at in np.ndindex(array.shape):
                if self.digits(here[at]) != self.digits(array.exact[at]):
                    return Change(name, at, float(array.exact[at]), float(here[at]), self)
        return None

    def digits(self, x):  # number -> str
        """A number as the trace writes it, in its places and figures."""
        return show(float(x), self.trace.places, self.trace.figures)


@dataclass(frozen=True)
class Change:
    """Where a reading first shows other digits than the exact numbers."""

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

    def __str__(self):
        return f"{self.reference} is {self.reading.digits(self.exact)}, and {self.reading.digits(self.here)} in {self.reading.name}"


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

    return Reading(trace, Written(name, read=write, write=write, indices=_index_steps(trace)))


@dataclass(frozen=True)
class Written(NumberSystem):
    """The numbers of a format; an index, such as the id of a token, stays as it is.

    - `indices`: the ids of the steps that are used as indices
    """

    indices: frozenset = frozenset()

    def run(self, step, args):
        if step.id in self.indices and step.op in ("given", "note"):
            return args[0] if args else step.exact
        return super().run(step, args)


def _index_steps(trace):  # -> ids of the steps that `take` and `take_along_axis` look up by, and of those that only carry them there
    found = set()
    for step in reversed(trace.steps):
        if step.op in ("take", "take_along_axis"):
            found.add(step.args[1].id)
        elif step.id in found and step.op in ("note", "gather"):
            found.update(a.id for a in step.args)
    return frozenset(found)


@dataclass(frozen=True)
class Comparison:
    """What two readings say of pairs of names; true where all of them are equal, to the last digit."""

    compared: tuple  # (name, other name, count) of each pair that is equal
    difference: str  # the first pair of numbers that is not; "" where there is none

    def __bool__(self):
        return not self.difference

    def __str__(self):
        said = [f"{name} and {other}: {f'all {n} numbers are' if n > 1 else 'the number is'} equal" for name, other, n in self.compared]
        return "\n".join([*said, *([self.difference] if self.difference else [])])


def same(one, other, names):  # Trace or Reading twice, {name: name} -> Comparison
    """Hold values of one run against those of another, with no tolerance: two programs for the same sum, worked in fractions, are equal or not.

    A trace is read in fractions; a reading as it is. `names` says which value of the first stands against which of the second. Raises
    ValueError where nothing would be compared, and for shapes that differ.
    """
    if not names:
        raise ValueError("names={} compares nothing; name the values: {'mixed': 'acc'}")
    one, other = (x if isinstance(x, Reading) else x.fractions() for x in (one, other))
    compared = []
    for name, opposite in names.items():
        here, there = (reading.numbers(_step(reading.trace, n)) for reading, n in ((one, name), (other, opposite)))
        if here.shape != there.shape:
            raise ValueError(f"{name!r} has the shape {here.shape} and {opposite!r} has {there.shape}; take their parts by np.reshape or a row")
        for at in np.ndindex(here.shape):
            if here[at] != there[at]:
                place = f"[{', '.join(map(str, at))}]" if at else ""
                said = [f"{n}{place} is {(reading.system.digits or str)(x[at])}" for n, reading, x in ((name, one, here), (opposite, other, there))]
                return Comparison(tuple(compared), " and ".join(said))
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


def towards(array):  # TracedArray -> str
    """The name that a step is worked out for: its own, else that of the first noted value behind it."""
    reached = {array.id}
    for step in array.trace.steps[array.id :]:
        if step.id in reached or any(a.id in reached for a in step.args):
            if step.name:
                return step.name
            reached.add(step.id)
    return array.op
