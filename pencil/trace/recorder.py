"""Trace: records the steps of a run and the names of its values."""

from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from pencil.note import GRAD, WRONG
from pencil.params import map_arrays
from pencil.rounding import FIGURES, PLACES, on_paper
from pencil.trace import costs, program, rationals, readings, row_words
from pencil.trace.array import TracedArray, TracedNumber, TracedRows
from pencil.trace.limits import limits_of, refuse_outside
from pencil.trace.names import find
from pencil.trace.operations import OPERATIONS, TraceError, refuse
from pencil.trace.undefined import check_defined

ARITHMETIC = {"add", "subtract", "negative", "matmul", "exp", "log", "sqrt", "sin", "cos", "tanh", "power"}


class Trace:
    """Records one run of unchanged NumPy code. Inputs come from `given`, and the trace itself is the `note` to pass to that code.

    The run can then be evaluated in other number systems: `fractions()` is exact, `in_format("bf16")` rounds to a machine format.
    `bill()` counts operations, reads and writes. `places` and `figures` are the rounding rule of the paper track (see `pencil.rounding`).
    """

    def __init__(self, places=PLACES, figures=FIGURES):
        self.places, self.figures = places, figures
        self.steps, self.names, self.words = [], {}, ()
        self.texts = {}  # word of a reference -> the label as it was given, where that is another
        self.given_exactly = {}  # id of a step -> what was given as fractions or logarithms, which a float cannot hold
        self.unsummed_products = set()  # ids of multiplications that are matrix products with an inner size of 1, see `gradients`

    def given(self, name, value, words=None, columns=None, *, whole=False, least=None, most=None, divides=None):  # array -> TracedArray
        """An input of the run, recorded under a name.

        - `value`: a number or an array of numbers; a `Fraction` or `ln(3)` is kept exactly for `fractions()`, and is a float elsewhere
        - `words`: labels of the first axis, any texts. A reference may lead with one, as in `nolan.weights`; those of *the* and *mat.*
          behind another *the* are `the2` and `mat` (see `texts`).
        - `columns`: labels of the last axis
        - `whole`, `least`, `most`: the limits of its numbers. Where one of them is given, `least` is 0 unless it says otherwise.
        - `divides`: the name of an earlier single number that each of these has to divide; both are whole

        What takes its place in `load`, or on a page, is held to the limits too; `fractions` takes any number.

        Raises ValueError for a mask, a NaN, an empty array, a repeated label, a number of labels that does not fit, a number outside
        the limits, and for limits that contradict each other, are not finite, or have more than ten decimals.
        """
        _refuse_no_name(name)
        floats = _frozen(_floats(name, value))
        exactly, value = rationals.exact_or_none(value), floats
        if value.size == 0 or np.isnan(value).any():
            raise ValueError(f"given {name!r} is {'empty' if value.size == 0 else 'not all numbers'}: {value.tolist()}; give it numbers")
        limits = limits_of(self, name, whole, least, most, divides)
        refuse_outside(self, name, value, **limits)
        axes = [None] * value.ndim
        if value.ndim < 2 and words is not None and columns is not None:
            raise ValueError(f"{name!r} is one row: give it words or columns, not both")
        for axis, labels in ((0, words), (-1, columns)):
            if labels is not None:
                if isinstance(labels, str) or not all(isinstance(w, str) for w in labels):
                    raise ValueError(f"{labels!r} are no words for {name!r}; give a list of words: ['nolan', 'ended']")
                if value.ndim == 0:
                    raise ValueError(f"{name!r} is a single number and has no rows to name; leave out the words {list(labels)}")
                axes[axis] = self._referred(name, labels, value.shape[axis])
        self.words += tuple(w for w in (axes[0] if words is not None else ()) if w not in self.words)
        step = self._named(name, self._step("given", (), limits, (value, value), (tuple(axes), ())))
        if exactly is not None:
            self.given_exactly[step.id] = exactly
        return step

    def given_each(self, scope, bundle, units=None):  # frozen dataclass of arrays -> the same, traced
        """Every array of a params dataclass as an input: `given_each("params", QKVParams(...))` gives params.query, params.key, params.value.

        `units`: labels of the numbers of each single row, as a bias is.
        """
        if not is_dataclass(bundle):
            raise TraceError(f"given_each reads a dataclass of arrays, and {scope!r} is a {type(bundle).__name__}; an array goes into `given`")
        return map_arrays(bundle, lambda name, array: self.given(name, array, columns=units if np.ndim(array) == 1 else None), scope)

    def note(self, name, value):  # TracedArray -> TracedArray
        """Name a value, and round it on the paper track.

        Raises ValueError for a NaN and for a value that only exists without rounding (its divisor is rounded to 0, say), and TraceError
        for what is no TracedArray and for a name that is taken or no identifier.
        """
        _refuse_no_name(name)
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
        """The same run in exact fractions: `trace.fractions()["nolan.weights"]` is an array of Fraction.

        `given` replaces named values, inputs or others: {"exp": [[1, 3]]} says what e^score is. A value that is irrational (√2, e^1,
        tanh 1) raises TraceError when it is asked for.
        """
        return rationals.fraction_reading(self, given)

    def in_format(self, name, scale=None):  # str -> Reading
        """The same run in a machine format: fp16, bf16, fp8_e4m3, fp8_e5m2, int8, int4 or nf4.

        Inputs and named values are rounded to the format; what lies between, and constants of the code, is in double precision, like a
        wide accumulator. int8, int4 and nf4 use one scale for each array: `scale`, or the largest absolute value over 127, 7 or 1.
        """
        return readings.in_format(self, name, scale)

    def bill(self, *names, fast=0):  # names of values -> Bill
        """The cost of the run, or of the steps between these values and the named values that they are computed from.

        `fast` is how many numbers fit into fast memory; see `Bill` for how reads and writes are counted.
        """
        return costs.bill(self, names, fast)

    def program(self):
        """The graph as JSON-able data: inputs and steps, without computed values."""
        return program.export(self)

    @classmethod
    def load(cls, exported, given=None):
        """Replay an exported program, with other inputs if `given` has any: `given={"embedding": [...]}`."""
        return program.replay(cls, exported, given or {})

    def record(self, op, args):
        """Record an elementwise operation, a matmul, a where or a take."""
        args = tuple(self.as_traced(a) for a in args)
        if op == "matmul" and min(a.ndim for a in args) == 1:
            return self._vector_product(*args)
        if op in ARITHMETIC and all(a.exact.dtype.kind == "b" for a in args):
            refuse("arithmetic with masks alone, where NumPy answers with a mask or in half precision", "write np.where(mask, 1, 0) first")
        tracks = self._run(op, args, {})
        return self._step(op, args, {}, tracks, row_words.along(op, args, np.shape(tracks[0])))

    def reduce(self, op, x, axis, keepdims):
        """Record a sum, mean or max along some axes."""
        x = self.as_traced(x)
        axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
        attrs = {"axis": axes, "keepdims": bool(keepdims)}
        return self._step(op, (x,), attrs, self._run(op, (x,), attrs), row_words.reduced(x, **attrs))

    def along(self, op, args, axis):
        """Record a cumsum, an argsort or a take_along_axis."""
        attrs = {"axis": (normalize_axis_index(axis, args[0].ndim),)}
        tracks = self._run(op, args, attrs)
        return self._step(op, args, attrs, tracks, row_words.along_axis(args[0], **attrs))

    def move(self, function, first, *args, **kwargs):
        """Record a function that only moves numbers (reshape, indexing, …) as a gather; its index is found by running it on positions."""
        if any(isinstance(a, TracedArray) for a in (*args, *kwargs.values())):
            refuse(f"np.{getattr(function, '__name__', 'index')} of several values", "give it one at a time, or a list of them")
        many = isinstance(first, (list, tuple))
        arrays = [self.as_traced(a) for a in (first if many else [first])]
        ends = accumulate(a.size for a in arrays)
        positions = [np.arange(end - a.size, end).reshape(a.shape) for a, end in zip(arrays, ends, strict=True)]
        index = function(positions if many else positions[0], *args, **kwargs)
        if isinstance(index, list):  # np.split gives several
            return [self.gather(arrays, np.asarray(i)) for i in index]
        return self.gather(arrays, np.asarray(index))

    def gather(self, arrays, index):
        """Record a gather: the numbers at `index` of the flattened, concatenated arrays."""
        attrs = {"index": index.ravel(), "shape": index.shape}
        return self._step("gather", tuple(arrays), attrs, self._run("gather", arrays, attrs), row_words.moved(arrays, index))

    def again(self, step, args):
        """Record the operation of a step on other arrays of the same shapes."""
        return self._step(step.op, tuple(args), step.attrs, self._run(step.op, args, step.attrs), (step.axes, step.row_word))

    def here(self):
        """The state of the trace, for `back_to`."""
        return len(self.steps), dict(self.names), self.words, dict(self.texts)

    def back_to(self, here):
        """Drop everything that was recorded after `here()` was called."""
        steps, names, self.words, self.texts = here
        del self.steps[steps:]
        self.names = dict(names)
        self.given_exactly = {number: exactly for number, exactly in self.given_exactly.items() if number < steps}  # the ids will be used again
        self.unsummed_products = {number for number in self.unsummed_products if number < steps}

    @contextmanager
    def scratch(self):
        """What is recorded inside this `with` block is dropped at its end."""
        here = self.here()
        try:
            yield self
        finally:
            self.back_to(here)

    def _vector_product(self, a, b):  # as np.matmul treats vectors: an axis of size 1 is added, and removed from the result
        rows = np.expand_dims(a, 0) if a.ndim == 1 else a
        columns = np.expand_dims(b, -1) if b.ndim == 1 else b
        product = self.record("matmul", (rows, columns))
        if b.ndim == 1:
            product = product[..., 0]
        return (product[0] if b.ndim == 1 else product[..., 0, :]) if a.ndim == 1 else product

    def _run(self, op, args, attrs):
        with np.errstate(all="ignore"):
            exact = OPERATIONS[op](*(a.exact for a in args), **attrs)
            if all(a.paper is a.exact for a in args):  # nothing was rounded yet
                return exact, exact
            return exact, OPERATIONS[op](*(a.paper for a in args), **attrs)

    def _step(self, op, args, attrs, tracks, words):
        step = (TracedRows if tracks[0].ndim else TracedNumber)(self, op, args, attrs, tracks, words)
        step.id = len(self.steps)
        self.steps.append(step)
        return step

    def as_traced(self, x, columns=None):
        """A TracedArray as it is; a plain number, array or mask becomes a constant of the program. `columns`: labels of its last axis."""
        if isinstance(x, TracedArray):
            if x.trace is not self:
                raise TraceError(f"{x!r} belongs to another trace; give its numbers to this one with given()")
            return x
        _refuse_odd(x)
        value = _frozen(np.array(x))
        if value.dtype.kind == "f" and np.isnan(value).any():
            refuse("a NaN in the code", "leave it out: what is not a number has no digits")
        if value.dtype == object:
            refuse("a list that mixes traced and plain values", "write np.stack")
        if columns and value.shape[-1:] != (len(columns),):
            raise ValueError(f"a constant of the shape {value.shape} has the labels {list(columns)}; give one for each number of its last axis")
        axes = (*(None,) * (value.ndim - 1), tuple(columns)) if columns else (None,) * value.ndim
        return self._step("constant", (), {}, (value, value), (axes, ()))

    def _named(self, name, step):
        if name in self.names:
            raise TraceError(f"the name {name!r} is taken; file it in a scope: scoped(note, 'part')")
        if name.partition(".")[0] in self.words:
            word = name.partition(".")[0]
            raise TraceError(f"{name!r} begins with the word {word!r}, which names a row; choose another name, or a scope: scoped(note, 'part')")
        step.name = name
        self.names[name] = step
        return step

    def _referred(self, name, texts, size):  # labels of an axis -> the words by which references find its parts
        if len(texts) != size:
            raise ValueError(f"{name!r} has {size} rows and {len(texts)} words {list(texts)}; give one word a row")
        known = {word: word for axes in (step.axes for step in self.names.values()) for axis in axes if axis for word in axis} | self.texts
        found = row_words.references(texts, known, {first.partition(".")[0] for first in (*self.names, name)})
        self.texts |= {word: text for word, text in zip(found, texts, strict=True) if word != text}
        return found


@cache
def _is_name(name):
    return isinstance(name, str) and all(part.isidentifier() for part in name.split("."))


def _refuse_no_name(name):
    if not _is_name(name):
        raise TraceError(f"{name!r} is no name: no reference could find it; use identifiers, with dots between them")


def _floats(name, value):  # what is given -> array of floats
    try:
        _refuse_odd(value)
        array, floats = np.asarray(value), np.array(value, float)
    except (ValueError, OverflowError, TypeError) as wrong:  # rows of several lengths, a number beyond 1e308, a list of other things
        if isinstance(wrong, TraceError):
            raise
        array = np.array("")
    if array.dtype.kind in "US":
        raise ValueError(f"given {name!r} is no array of numbers: {value!r}; give it numbers, all rows of one length")
    if array.dtype == bool:
        raise ValueError(f"given {name!r} is a mask; a mask shapes the code: pass it plain")
    return floats


def _refuse_odd(x):
    if isinstance(x, np.ma.MaskedArray | np.matrix) or np.asarray(x).dtype.kind in "cmM":  # complex, times and dates
        refuse(f"a {type(x).__name__} of {np.asarray(x).dtype}", "hand in a plain array of numbers, np.asarray(x), and a mask apart")


def _frozen(array):
    array.flags.writeable = False
    return array
