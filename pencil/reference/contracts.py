"""Shape contracts: the decorator `shapes` states the shapes of a function's arguments and results, and checks them at every call.

    @shapes("... T d_k, ... S d_k, ... S d_v -> ... T d_v")
    def attention(query, key, value, *, mask=None, ...):

A contract has one entry for each array, in the order of the parameters, and after the arrow one for each result. An entry
`path: axes` names a parameter, or a field of one, as `params.output_bias?: d_model`; with `?` it may be None. An axis is a name
or a number. A name stands for one size throughout: in the arguments, in an integer argument of that name, and in the results.
A leading `...` is a batch (batches broadcast), a leading `*name` any axes that must agree exactly, `()` a scalar, `_` anything.

Arrays of small integers, which could overflow (all but int64), and masks are converted to float64. Numbers must be finite. A word
before the axes changes that: `masked` allows −∞, `int` takes whole numbers (`ints` also an empty row), `bool` a mask, all three also
as a list; `any` does not check the numbers.

The module also has checks that a shape contract cannot express: of masks, sizes and token lists.
"""

import inspect
from dataclasses import replace
from functools import wraps
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

Array = Any  # of numbers: NumPy's, or one that a trace records

KINDS = ("masked", "int", "ints", "bool", "any")
LISTS = ("int", "ints", "bool", "any")  # the kinds that may come as a list


class Entry(NamedTuple):
    """One array of a contract, parsed once when the function is decorated."""

    label: str  # as messages name it: query, params.output
    parameter: str
    fields: tuple  # the attributes that lead from the parameter to the array
    optional: bool
    kind: str
    batch: str  # "...", "*name" or "": the axes in front of the named ones
    axes: tuple  # of names and ints

    def value(self, arguments):
        """The array, or None where it or a bundle around it is None."""
        value = arguments[self.parameter]
        for field in self.fields:
            if value is None:
                return None
            if not hasattr(value, field):
                raise _Mismatch(f"{self.parameter} has no {field}: it holds a {type(value).__name__} where one with {self.label} belongs")
            value = getattr(value, field)
        return value


def shapes(contract, *, name=None):
    """Check the arguments and the results of a function against a contract; the module docstring has the grammar.

    - `contract`: the entries of the arguments and, after the arrow, of the results
    - `name`: what messages call the function, where it is a helper of a public one

    The contract is kept as `function.shapes`. A call raises ValueError for sizes that disagree, and says which axis and where
    both stand; also for an empty array, a list, and a number that is not finite. Results are checked by shape alone. Decorating
    raises TypeError for a contract that names no parameter of the function.
    """

    def decorate(function):
        parameters, title = list(inspect.signature(function).parameters), name or function.__name__
        left, _, right = contract.partition("->")
        inputs, outputs = _entries(left, parameters), _entries(right, ["the result"] * len(right.split(",")))
        inputs = _known(inputs, function, parameters, contract)

        @wraps(function)
        def checked(*args, **kwargs):
            arguments = dict(zip(parameters, args, strict=False), **kwargs)
            sizes = {axis: (value, None, None) for axis, value in arguments.items() if type(value) is int}
            try:
                if converted := _check_inputs(inputs, arguments, sizes):
                    args = [converted.pop(parameter, value) for parameter, value in zip(parameters, args, strict=False)]
                results = function(*args, **kwargs | converted)
                for entry, x in zip(outputs, results if len(outputs) > 1 else (results,), strict=bool(outputs)):
                    if entry.batch != "_" and x is not None:
                        _check_shape(entry, np.shape(getattr(x, "exact", x)), sizes)
            except _Mismatch as mismatch:
                raise ValueError(f"{title}: {mismatch}") from None
            except (TypeError, AttributeError) as error:
                _check_note(title, arguments, "NoneType" in str(error))
                raise
            _check_note(title, arguments, results is None)
            return results

        checked.shapes = contract
        return checked

    return decorate


def _check_note(title, arguments, is_missing):  # where a value is missing
    note = arguments.get("note") if is_missing else None
    if note is not None and note("value", 1.0) is None:
        raise ValueError(f"{title}: the note returned nothing; it has to hand back each value that it is given")


def _known(inputs, function, parameters, contract):  # -> the entries that are checked
    if unknown := [entry.label for entry in inputs if entry.parameter not in parameters]:
        raise TypeError(f"{function.__name__} has no parameter for {unknown[0]!r} of the contract {contract!r}")
    return [entry for entry in inputs if entry.batch != "_"]


class _Mismatch(Exception):
    """A violated contract; `shapes` turns it into a ValueError that names the function."""


def _entries(side, labels):  # "... T d, bias?: d" -> list of Entry; one without a path of its own takes the label in its place
    entries = []
    for place, part in enumerate(filter(None, map(str.strip, side.split(",")))):
        path, _, written = part.rpartition(":")
        axes = written.split()
        kind = axes.pop(0) if axes[0] in KINDS else ""
        batch = axes.pop(0) if axes and (axes[0][0] in ".*" or axes[0] == "_") else ""
        label = path.rstrip("?") or labels[place]
        parameter, *fields = label.split(".")
        sizes = () if axes == ["()"] else tuple(int(axis) if axis.isdecimal() else axis for axis in axes)
        entries.append(Entry(label, parameter, tuple(fields), path.endswith("?"), kind, batch, sizes))
    return entries


def _check_inputs(inputs, arguments, sizes):  # -> {parameter: its converted argument}
    """Check the arguments, and convert those whose dtype could overflow."""
    converted = {}
    for entry in inputs:
        if entry.parameter in arguments and not ((x := entry.value(arguments)) is None and entry.optional):
            _check_shape(entry, _check_values(entry, x).shape, sizes)
            if (wide := _widened(entry, x)) is not x:
                held = converted.get(entry.parameter, arguments[entry.parameter])
                converted[entry.parameter] = _with_field(held, entry.fields, wide)
    return converted


def _check_shape(entry, shape, sizes):
    """Compare a shape with its entry, and each size with earlier ones of that axis: `sizes` is {axis: (size, label, shape)}."""
    n_axes, n_batch = len(entry.axes), len(shape) - len(entry.axes)
    if n_batch < 0 or (n_batch and not entry.batch):
        raise _wrong_rank(entry, shape)
    for axis, size in zip(entry.axes, shape[n_batch:] if n_axes else (), strict=True):
        if type(axis) is int:
            if size != axis:
                raise _wrong_rank(entry, shape)
        elif (met := sizes.setdefault(axis, (size, entry.label, shape)))[0] != size:
            raise _Mismatch(f"{axis} is {met[0]} in {_where(met)} and {size} in {entry.label} {shape}")
    if entry.batch:
        _check_batch(entry, shape, shape[:n_batch], sizes)


def _check_batch(entry, shape, size, sizes):
    met = sizes.setdefault(entry.batch, (size, entry.label, shape))
    if met[0] == size:
        return
    try:
        if entry.batch != "...":
            raise ValueError
        sizes["..."] = np.broadcast_shapes(met[0], size), *met[1:]
    except ValueError:
        what = "the batch" if entry.batch == "..." else entry.batch[1:]
        raise _Mismatch(f"{what} is {met[0]} in {_where(met)} and {size} in {entry.label} {shape}") from None


def _where(met):
    return "the arguments" if met[1] is None else f"{met[1]} {met[2]}"


def _wrong_rank(entry, shape):
    axes = [str(axis) for axis in (entry.batch, *entry.axes) if axis != ""]
    return _Mismatch(f"{entry.label} has the shape {shape}; it takes ({', '.join(axes)}{',' if len(axes) == 1 else ''})")


def _check_values(entry, x):  # -> the plain array
    """Refuse a list where an array is wanted, an empty array, and what is not a number or not finite."""
    if type(x) is np.ndarray and x.dtype == np.float64 and not entry.kind and x.size and np.isfinite(x).all():
        return x  # the common case; all that follows is for other arguments and for messages
    label, kind = entry.label, entry.kind
    if x is None:
        raise _Mismatch(f"{label} is None; give it an array")
    if isinstance(x, list | tuple) and kind not in LISTS:
        raise _Mismatch(f"{label} is a {type(x).__name__}; make it an array: np.array({label})")
    if type(x).__module__.partition(".")[0] == "torch":
        raise _Mismatch(f"{label} is a torch {type(x).__name__}; hand in its numbers, {label}.detach().cpu().numpy(), or take pencil.model")
    if isinstance(x, np.ma.MaskedArray | np.matrix):
        masked = isinstance(x, np.ma.MaskedArray)
        remedy = f"hand in its numbers, {label}.data, and a mask" if masked else f"its * is no elementwise product; hand in np.asarray({label})"
        raise _Mismatch(f"{label} is a {type(x).__name__}: {remedy}")
    plain = np.asarray(getattr(x, "exact", x))
    if kind == "any" or (kind == "ints" and plain.size == 0):
        return plain
    if plain.size == 0:
        raise _Mismatch(f"{label} is empty: its shape is {plain.shape}; give it at least one row and one number")
    if plain.dtype.kind not in "biuf":
        raise _Mismatch(f"{label} is of the type {plain.dtype}; give it numbers")
    if kind in ("int", "ints"):
        _check_whole(label, plain)
    if kind == "bool" and (odd := plain[~np.isin(plain, (0, 1))]).size:
        raise _Mismatch(f"{label} holds {odd.flat[0]}; a mask holds True where a row counts and False elsewhere")
    finite = np.isfinite(plain)
    if not finite.all() and (bad := np.argwhere(~finite & ~((kind == "masked") & np.isneginf(plain))).tolist()):
        what = "NaN, not a number" if np.isnan(plain[tuple(bad[0])]) else "infinite"
        raise _Mismatch(f"{label}{bad[0]} is {what}; mend it before it spreads to the whole row")
    return plain


def _widened(entry, x):
    """A boolean or small-integer array as float64, or as int64 for ids; others unchanged."""
    if not isinstance(x, np.ndarray | np.generic) or x.dtype.kind not in "biu" or x.dtype == np.int64 or entry.kind == "bool":
        return x
    return x.astype(np.int64 if entry.kind in ("int", "ints") else np.float64)


def _with_field(value, fields, x):  # a frozen dataclass -> a copy with another array
    if not fields:
        return x
    return replace(value, **{fields[0]: _with_field(getattr(value, fields[0]), fields[1:], x)})


def _check_whole(label, plain):
    if plain.dtype.kind == "b":
        raise _Mismatch(f"{label} holds whole numbers, and this is a mask of True and False; hand in the ids")
    fractions = plain[np.isfinite(plain) & (plain != np.floor(plain))]
    if fractions.size:
        raise _Mismatch(f"{label} holds {fractions.flat[0]}, which is no whole number; an id is a label, not a quantity")


def numbers(x, dtype=float):  # array or traced array -> ndarray
    """The numbers of an array, traced or not, as a plain ndarray of `dtype` (None keeps its own). For checks only: results must stay traced."""
    return np.asarray(getattr(x, "exact", x), dtype)


def check_number(name, value, *, least=-np.inf, above=-np.inf):
    """Raise ValueError for a setting that is NaN, infinite, less than `least`, or not above `above`."""
    plain = numbers(value)
    if isinstance(value, bool | str | bytes | list | tuple):
        raise ValueError(f"{name}={value!r} is a {type(value).__name__}; give it a number")
    if not (np.isfinite(plain) & (plain >= least) & (plain > above)).all():
        bounds = f", {least} or more" if least > -np.inf else f" above {above}" if above > -np.inf else ""
        raise ValueError(f"{name}={plain}; give it a finite number{bounds}")


def check_size(name, size):
    """Raise ValueError for a size that is not an int of at least 1; True and 2.0 are refused."""
    if isinstance(size, bool) or not isinstance(size, Integral):
        raise ValueError(f"{name}={size!r} is a {type(size).__name__}; a size is a whole number, an int")
    if size < 1:
        raise ValueError(f"{name}={size}; a size is at least 1")


def limits(x):  # array or traced array -> np.finfo
    """The limits of the floats that np.exp would return for this value: half, single or double precision.

    In double precision e^x overflows above x = 709.78, in single precision above 88.72.
    """
    return np.finfo(np.result_type(getattr(x, "exact", x), np.float16))


def check_mask(mask, shape):
    """Raise ValueError for a mask that does not broadcast to the scores' shape, or that holds anything but True and False.

    Two axes are (queries, keys), the same for the whole batch; a padding mask (B, S) of a batch goes through `key_mask` first.
    """
    plain = numbers(mask)
    if not np.isin(plain, (0, 1)).all():
        other = float(plain[~np.isin(plain, (0, 1))].flat[0])
        raise ValueError(f"the mask holds {other}; write True where a query may attend and False elsewhere, not numbers to add")
    try:
        np.broadcast_to(plain, shape)
    except ValueError:
        raise ValueError(f"the mask {plain.shape} does not fit the scores {shape}; give it one entry for each query and key") from None


def check_tokens(tokens):
    """Raise ValueError for a str where a list of words is wanted: it would be read letter by letter."""
    if isinstance(tokens, str):
        raise ValueError(f"{tokens!r} is a text; split it into words first: {tokens!r}.split()")
