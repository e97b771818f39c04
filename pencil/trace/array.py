"""TracedArray: takes the place of a NumPy array, and records every operation on it in its trace."""

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from pencil.rounding import show_array
from pencil.trace.lowering import LOWERED, lowered
from pencil.trace.operations import (
    GATHER_FUNCTIONS,
    LIKE,
    REDUCTIONS,
    SHAPE_QUESTIONS,
    UFUNC_NAMES,
    UFUNC_REDUCTIONS,
    TraceAttributeError,
    refuse,
    remedy_for,
)


def _refusal(what, remedy=None):
    return lambda self, *args, **kwargs: refuse(what, *([remedy] if remedy else []))


class TracedArray(NDArrayOperatorsMixin):
    """The result of one step of a trace.

    - `op`, `args`, `attrs`: the operation, its operands (TracedArrays) and its other arguments, such as the axis
    - `exact`, `paper`: the values on both tracks, arrays of one shape
    - `axes`: for each axis a tuple of labels, or None
    - `row_word`: labels that an index has already picked: for `x[0]` it is ("nolan",)
    - `id`: the position among the trace's steps; `name`: what a note has called it, or None
    """

    __slots__ = ("args", "attrs", "axes", "exact", "id", "name", "op", "paper", "row_word", "trace")
    __array_priority__ = 1000
    __hash__ = object.__hash__

    def __init__(self, trace, op, args, attrs, tracks, words):
        self.trace, self.op, self.args, self.attrs = trace, op, args, attrs
        exact, paper = tracks
        self.exact = np.asarray(exact)
        self.paper = self.exact if paper is exact else np.asarray(paper)
        self.axes, self.row_word = words
        self.name = None

    shape = property(lambda self: self.exact.shape)
    ndim = property(lambda self: self.exact.ndim)
    dtype = property(lambda self: self.exact.dtype)
    size = property(lambda self: self.exact.size)
    T = property(np.transpose)

    def __repr__(self):
        return f"<{self.name or self.op} {self.shape}>"

    def __str__(self):
        return show_array(self.exact, self.trace.places, self.trace.figures)

    def __format__(self, spec):
        return str(self) if not spec else refuse(f"a value written as {{x:{spec}}}", "write {x}, which has the digits of the trace")

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        if out is not None:
            refuse(f"in-place {ufunc.__name__}", "write x = x + y, not x += y")
        if method == "reduce" and ufunc in UFUNC_REDUCTIONS and set(kwargs) <= {"axis", "keepdims"}:
            return self.trace.reduce(UFUNC_REDUCTIONS[ufunc], inputs[0], kwargs.get("axis", 0), kwargs.get("keepdims", False))
        if method == "__call__" and ufunc in LOWERED:
            return lowered(ufunc, inputs, kwargs)
        if method == "__call__" and not kwargs:
            if ufunc is np.square or (ufunc is np.power and np.isscalar(inputs[1]) and inputs[1] == 2):
                return inputs[0] * inputs[0]
            if ufunc in UFUNC_NAMES:
                return self.trace.record(UFUNC_NAMES[ufunc], inputs)
        extra = "" if method == "__call__" else f".{method}"
        refuse(f"np.{ufunc.__name__}{extra}" + (f" with {', '.join(kwargs)}" if kwargs else ""), *remedy_for(ufunc.__name__))

    def __array_function__(self, function, types, args, kwargs):
        if function in REDUCTIONS:
            return self._reduction(REDUCTIONS[function], *args, **kwargs)
        if function in GATHER_FUNCTIONS:
            if unsafe := {"out", "dtype", "casting"} & set(kwargs):
                refuse(f"np.{function.__name__} with {', '.join(sorted(unsafe))}", "leave it out; a move only carries numbers about")
            return self.trace.move(function, *args, **kwargs)
        if function in ALONG:
            return ALONG[function](*args, **kwargs)
        if function is np.where and len(args) == 3:
            return self.trace.record("where", args)
        if function in LIKE and len(args) == 1 and not kwargs:
            return LIKE[function](args[0].shape)
        if function in SHAPE_QUESTIONS and len(args) == 1 and not kwargs:
            return SHAPE_QUESTIONS[function](args[0])
        if function in LOWERED:
            return lowered(function, args, kwargs)
        refuse(f"np.{function.__name__}", *remedy_for(function.__name__))

    def _reduction(self, op, x, axis=None, *more, keepdims=False, **extra):
        if more or extra:
            refuse(f"np.{op} with {', '.join([*map(repr, more), *extra])}", "give it axis and keepdims=, no more")
        return self.trace.reduce(op, x, axis, keepdims)

    def reshape(self, *shape):
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes):
        return np.transpose(self, axes[0] if len(axes) == 1 else axes or None)

    def astype(self, dtype):
        """As floats; of a mask 1 and 0. The trace computes in no other numbers."""
        if np.dtype(dtype) != np.dtype(float):
            refuse(f".astype({np.dtype(dtype)})", "leave it out; a trace computes in double precision")
        return np.where(self, 1.0, 0.0) if self.dtype == bool else self

    def __getattr__(self, name):  # reached only for attributes that a traced array lacks
        if hasattr(np.ndarray, name) and not name.startswith("__"):
            refuse(f".{name} of a traced value", *remedy_for(name), error=TraceAttributeError)
        raise AttributeError(f"a traced array has no {name!r}")

    __array__ = _refusal(
        "a value turned into a plain array (np.asarray, np.array, plain[i] = x, plain[x])",
        "write np.stack([...]) for a list of values, also for rows that a loop makes, and np.where for plain[x]; its numbers are x.exact",
    )
    __float__ = __int__ = __index__ = __complex__ = _refusal(
        "a value turned into a plain number (float, int, math.exp, plain[i] = x)",
        "write np.exp, and for numbers that a loop makes np.stack([...]) of a list; the number itself is x.exact",
    )
    __dlpack__ = __dlpack_device__ = _refusal("a value handed to torch (torch.tensor(x))", "its numbers are x.exact: torch.tensor(x.exact)")
    __bool__ = _refusal("a decision on a traced value (if x > 0)", "write np.where(x > 0, this, that)")


class TracedNumber(TracedArray):
    """A single number. It has no index: NumPy would take it for a sequence, and answer `plain[i] = x` in its own words."""

    __slots__ = ()


class TracedRows(TracedArray):
    """An array of one axis or more, which can be counted, walked and indexed."""

    __slots__ = ()

    def __len__(self):
        return len(self.exact)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key):
        if isinstance(key, TracedArray):
            if key.exact.dtype == bool:
                refuse("a traced mask as an index: the shape would depend on the values", "write np.where(mask, x, 0)")
            return self.trace.record("take", (self, key))
        if isinstance(key, tuple) and any(isinstance(k, TracedArray) for k in key):
            refuse("an index with a traced part", "write table[ids]; only that may be traced")
        return self.trace.move(lambda positions: positions[key], self)

    __setitem__ = _refusal("a write into a traced value (x[i] = ...)", "write np.where or np.concatenate")


# ---- methods that are NumPy's functions of the same name

METHODS = (
    "sum", "mean", "max", "min", "var", "std", "prod", "round", "clip", "dot", "cumsum", "argsort",
    "swapaxes", "squeeze", "ravel", "copy", "repeat", "take", "diagonal",
)  # fmt: skip


def _method(function):
    return lambda self, *args, **kwargs: function(self, *args, **kwargs)


for name in METHODS:
    setattr(TracedArray, name, _method(getattr(np, name)))
TracedArray.flatten = TracedArray.ravel


# ---- NumPy's functions along one axis, with its own arguments


def _cumsum(x, axis=None, dtype=None):
    if dtype is not None and np.dtype(dtype) < np.dtype(float):
        refuse(f"np.cumsum with dtype={np.dtype(dtype)}", "leave it out; a trace adds in double precision")
    x, axis = (x.ravel(), 0) if axis is None else (x, axis)
    return x.trace.along("cumsum", (x,), axis)


def _argsort(x, axis=-1, kind=None):
    if kind != "stable":
        refuse("the order of equal numbers in np.argsort", 'write np.argsort(x, kind="stable")')
    return x.trace.along("argsort", (x,), axis)


def _take_along_axis(table, ids, axis=-1):
    trace = next(a.trace for a in (table, ids) if isinstance(a, TracedArray))
    table, ids = trace.as_traced(table), trace.as_traced(ids)
    if np.delete(table.shape, axis).tolist() != np.delete(ids.shape, axis).tolist():
        refuse(f"np.take_along_axis of {table.shape} by {ids.shape}", "give both the same shape but for the axis")
    return trace.along("take_along_axis", (table, ids), axis)


ALONG = {np.cumsum: _cumsum, np.argsort: _argsort, np.take_along_axis: _take_along_axis}


def ancestors(steps, known=()):  # -> list of TracedArray
    """These steps and all steps that they depend on, in the order of recording; the search stops at steps whose id is in `known`."""
    found, todo = {}, list(steps)
    while todo:
        step = todo.pop()
        if step.id not in found and step.id not in known:
            found[step.id] = step
            todo += step.args
    return [found[i] for i in sorted(found)]
