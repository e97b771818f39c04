"""The trace: givens go in, every step and every name is kept."""

from contextlib import contextmanager

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from pencil.note import GRAD, WRONG
from pencil.params import map_arrays
from pencil.rounding import FIGURES, PLACES, on_paper
from pencil.trace import costs, program, rationals, readings, row_words
from pencil.trace.array import TracedArray
from pencil.trace.names import find
from pencil.trace.operations import OPERATIONS, TRACKS, TraceError, refuse
from pencil.trace.undefined import check_defined

ARITHMETIC = {"add", "subtract", "negative", "matmul", "exp", "log", "sqrt", "sin", "cos", "tanh", "power"}


class Trace:
    """Records one run of unchanged NumPy code. The trace itself is the `note` to hand to that code.

    The run can then be read in other numbers: `fractions()` rounds nothing, `in_format("bf16")` rounds as a machine does, and `bill()` counts
    what it computes, reads and writes.
    """

    def __init__(self, places=PLACES, figures=FIGURES):
        self.places, self.figures = places, figures
        self.steps, self.names, self.words = [], {}, ()
        self.given_exactly = {}  # id of a step -> what was given as fractions or logarithms, which a float cannot hold
        self.unsummed_products = set()  # ids of multiplications that are matrix products of one row or column, see `gradients`

    def given(self, name, value, words=None, columns=None):  # array -> traced array
        """A number that the page gives. `words` name the rows, `columns` the numbers of a row.

        A `Fraction`, and `ln(3)`, are kept as they are for `fractions()`; elsewhere their float stands for them.
        Raises ValueError for a repeated word, for a count of words that does not fit, for a NaN,
        and for an empty array.
        """
        _refuse_odd(value)
        if np.asarray(value).dtype == bool:
            raise ValueError(f"given {name!r} is a mask; a mask shapes the code: pass it plain")
        exactly = rationals.exact_or_none(value)
        value = _frozen(np.array(value, float))
        if value.size == 0 or np.isnan(value).any():
            raise ValueError(f"given {name!r} is {'empty' if value.size == 0 else 'not all numbers'}: {value.tolist()}; give it numbers")
        axes = [None] * value.ndim
        if value.ndim < 2 and words is not None and columns is not None:
            raise ValueError(f"{name!r} is one row: give it words or columns, not both")
        for axis, labels in ((0, words), (-1, columns)):
            if labels is not None:
                if isinstance(labels, str) or not all(isinstance(w, str) for w in labels):
                    raise ValueError(f"{labels!r} are no words for {name!r}; give a list of words: ['nolan', 'ended']")
                if value.ndim == 0:
                    raise ValueError(f"{name!r} is a single number and has no rows to name; leave out the words {list(labels)}")
                axes[axis] = self._unique(name, tuple(labels), value.shape[axis])
        self.words += tuple(w for w in (words or ()) if w not in self.words)
        step = self._named(name, self._step("given", (), {}, (value, value), (tuple(axes), ())))
        if exactly is not None:
            self.given_exactly[step.id] = exactly
        return step

    def given_each(self, scope, bundle):  # frozen dataclass of arrays -> the same, traced
        """Every array of a bundle: `given_each("params", QKVParams(...))` gives params.query, params.key, params.value."""
        return map_arrays(bundle, self.given, scope)

    def note(self, name, value):  # traced array -> traced array
        """Name a value and write it down: on paper it is rounded here, and carried on rounded.

        Raises ValueError for a NaN, and for a number that is lost on paper, as behind a divisor that is written 0.
        """
        if not isinstance(value, TracedArray):
            raise TraceError(f"note({name!r}) got a plain {type(value).__name__}: it depends on nothing given, or the trace lost it")
        tracks = value.exact, on_paper(value.paper, self.places, self.figures)
        if not name.startswith(f"{WRONG}."):
            check_defined(name, value, tracks[1])
        return self._named(name, self._step("note", (self.as_traced(value),), {}, tracks, self._words(name, value)))

    def _words(self, name, value):  # a gradient has the row names of its value
        scope, _, of = name.partition(".")
        owner = self.names.get(of, value) if scope == GRAD else value
        return owner.axes, owner.row_word

    __call__ = note

    def find(self, reference):
        """The value that a reference names: `nolan.weights[ended]`; see `pencil.trace.names`."""
        return find(self, reference)

    def fractions(self, given=None):  # {name: (...)} -> Reading
        """The same run in fractions, with no rounding at all; a reading's numbers are `fractions()["nolan.weights"]`.

        `given` puts exact numbers in the place of named ones, given or noted: {"exp": [[1, 3]]} says what e^score is. What no
        fraction can be (√2, e^1, tanh 1) raises TraceError that names it, once it is asked for.
        """
        return rationals.fraction_reading(self, given)

    def in_format(self, name, scale=None):  # str -> Reading
        """The same run as a machine writes it: fp16, bf16, fp8_e4m3, fp8_e5m2, int8, int4 or nf4.

        Rounded to the format is what the pencil writes down: each given number, and each value where it is noted, and the rounded one is
        carried on. In between, and in constants of the code, all is double precision, as a wide accumulator would have it.
        int8, int4 and nf4 have one scale an array: `scale`, or else the largest number of the array over 127, 7, or 1.
        """
        return readings.in_format(self, name, scale)

    def bill(self, *names, fast=0):  # names of values -> Bill
        """What the run costs: all of it, or the steps between the named values and the named ones before them.

        `fast` is how many numbers fit into fast memory at a time; see `Bill` for how reads and writes are counted.
        """
        return costs.bill(self, names, fast)

    def program(self):
        """The graph as JSON-able data: the givens and the steps, no computed value."""
        return program.export(self)

    @classmethod
    def load(cls, exported, given=None):
        """Run an exported program again, with other givens if you like: `given={"embedding": [...]}`."""
        return program.replay(cls, exported, given or {})

    def record(self, op, args):
        """One operation between arrays, on both tracks."""
        args = tuple(self.as_traced(a) for a in args)
        if op == "matmul" and min(a.ndim for a in args) == 1:
            return self._vector_product(*args)
        if op in ARITHMETIC and all(a.exact.dtype == bool for a in args):
            refuse("arithmetic with masks alone, where NumPy answers with a mask or in half precision", "write np.where(mask, 1, 0) first")
        tracks = self._run(op, args, {})
        return self._step(op, args, {}, tracks, row_words.along(op, args, np.shape(tracks[0])))

    def reduce(self, op, x, axis, keepdims):
        """Add up, average or take the greatest along some axes."""
        x = self.as_traced(x)
        axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
        attrs = {"axis": axes, "keepdims": bool(keepdims)}
        return self._step(op, (x,), attrs, self._run(op, (x,), attrs), row_words.reduced(x, **attrs))

    def along(self, op, args, axis):
        """Running sums, the order of the numbers, or a look-up by places: what goes along one axis and keeps its shape, or that of the places."""
        attrs = {"axis": (normalize_axis_index(axis, args[0].ndim),)}
        tracks = self._run(op, args, attrs)
        return self._step(op, args, attrs, tracks, row_words.along_axis(args[0], **attrs))

    def move(self, function, first, *args, **kwargs):
        """Any function that only carries numbers about is one gather, found by running it on positions."""
        if any(isinstance(a, TracedArray) for a in (*args, *kwargs.values())):
            refuse(f"np.{getattr(function, '__name__', 'index')} of several values", "give it one at a time, or a list of them")
        many = isinstance(first, (list, tuple))
        arrays = [self.as_traced(a) for a in (first if many else [first])]
        ends = np.cumsum([a.size for a in arrays])
        positions = [np.arange(end - a.size, end).reshape(a.shape) for a, end in zip(arrays, ends, strict=True)]
        index = function(positions if many else positions[0], *args, **kwargs)
        if isinstance(index, list):  # np.split gives several
            return [self.gather(arrays, np.asarray(i)) for i in index]
        return self.gather(arrays, np.asarray(index))

    def gather(self, arrays, index):
        """The numbers at `index` of the arrays laid end to end."""
        attrs = {"index": index.ravel(), "shape": index.shape}
        return self._step("gather", tuple(arrays), attrs, self._run("gather", arrays, attrs), row_words.moved(arrays, index))

    def again(self, step, args):
        """The operation of a step, on other arrays of the same shapes."""
        return self._step(step.op, tuple(args), step.attrs, self._run(step.op, args, step.attrs), (step.axes, step.row_word))

    def here(self):
        """Where the trace stands, for `back_to`."""
        return len(self.steps), dict(self.names), self.words

    def back_to(self, here):
        """Forget what was recorded since."""
        steps, names, self.words = here
        del self.steps[steps:]
        self.names = dict(names)
        self.given_exactly = {number: exactly for number, exactly in self.given_exactly.items() if number < steps}  # ids are given out again
        self.unsummed_products = {number for number in self.unsummed_products if number < steps}

    @contextmanager
    def scratch(self):
        """Within this block the trace takes notes; behind it they are forgotten, and it is as it was before."""
        here = self.here()
        try:
            yield self
        finally:
            self.back_to(here)

    def _vector_product(self, a, b):  # NumPy's rule for a row: lend it an axis, and take it back
        rows = np.expand_dims(a, 0) if a.ndim == 1 else a
        columns = np.expand_dims(b, -1) if b.ndim == 1 else b
        product = self.record("matmul", (rows, columns))
        if b.ndim == 1:
            product = product[..., 0]
        return (product[0] if b.ndim == 1 else product[..., 0, :]) if a.ndim == 1 else product

    def _run(self, op, args, attrs):
        with np.errstate(all="ignore"):
            return tuple(OPERATIONS[op](*(getattr(a, track) for a in args), **attrs) for track in TRACKS)

    def _step(self, op, args, attrs, tracks, words):
        step = TracedArray(self, op, args, attrs, tracks, words)
        step.id = len(self.steps)
        self.steps.append(step)
        return step

    def as_traced(self, x):
        """A traced array as it is; a plain number or mask met on the way becomes a constant of the program."""
        if isinstance(x, TracedArray):
            if x.trace is not self:
                raise TraceError(f"{x} belongs to another trace; give its numbers to this one with given()")
            return x
        _refuse_odd(x)
        value = _frozen(np.array(x))
        if value.dtype.kind == "f" and np.isnan(value).any():
            refuse("a NaN in the code", "leave it out: what is not a number has no digits")
        if value.dtype == object:
            refuse("a list that mixes traced and plain values", "write np.stack")
        return self._step("constant", (), {}, (value, value), ((None,) * value.ndim, ()))

    def _named(self, name, step):
        if not all(part.isidentifier() for part in name.split(".")):
            raise TraceError(f"{name!r} is no name: no reference could find it; use identifiers, with dots between them")
        if name in self.names:
            raise TraceError(f"the name {name!r} is taken; file it in a scope: scoped(note, 'part')")
        if name.partition(".")[0] in self.words:
            raise TraceError(f"{name!r} begins with the word {name.partition('.')[0]!r}, which names a row; choose another name")
        step.name = name
        self.names[name] = step
        return step

    def _unique(self, name, labels, size):
        if len(set(labels)) < len(labels):
            raise ValueError(f"{name!r} has the words {list(labels)}: one is there twice; number it (the, the2)")
        if len(labels) != size:
            raise ValueError(f"{name!r} has {size} rows and {len(labels)} words {list(labels)}; give one word a row")
        scopes = {known.partition(".")[0] for known in (*self.names, name)}
        unfit = [w for w in labels if w in scopes or not w.isidentifier()]
        if unfit:
            raise ValueError(f"{unfit[0]!r} cannot name a row of {name!r}: it is a value's name or no identifier; choose another")
        return labels


def _refuse_odd(x):
    if isinstance(x, np.ma.MaskedArray | np.matrix) or np.asarray(x).dtype.kind in "cmM":  # complex, times and dates
        refuse(f"a {type(x).__name__} of {np.asarray(x).dtype}", "hand in a plain array of numbers, np.asarray(x), and a mask apart")


def _frozen(array):  # the trace keeps a copy of its own, which nobody changes
    array.flags.writeable = False
    return array
