"""The operations that a trace can record, the NumPy functions that map to them, and what each costs."""

import numpy as np

TRACKS = ("exact", "paper")


class TraceError(TypeError):
    """The trace cannot record an operation, or a name is invalid; the message says what to write instead."""


class TraceAttributeError(TraceError, AttributeError):
    """A TraceError that is also an AttributeError, so that hasattr is False and getattr takes its default."""


REMEDIES = {  # what the trace does not follow: what to write instead
    "log1p": "write np.log(1 + x)", "expm1": "write np.exp(x) - 1", "tensordot": "write np.einsum",
    **dict.fromkeys(("argmax", "argmin"), "take it of the numbers: np.argmax(x.exact)"),
    **dict.fromkeys(("item", "tolist"), "x.exact is the array of its numbers"),
}  # fmt: skip


def refuse(what, remedy="write it with @, +, -, *, /, **, np.exp, np.sqrt, sum, mean, max or np.where", error=TraceError):
    """Raise the error for an operation that cannot be recorded."""
    raise error(f"the trace would lose sight of {what}; {remedy}")


def remedy_for(name):  # -> [remedy], or [] where the default of `refuse` is the best there is; to be unpacked into its arguments
    return [REMEDIES[name]] if name in REMEDIES else []


def _reduction(f):
    return lambda a, axis, keepdims: f(a, axis=axis, keepdims=keepdims)


def _gather(*arrays, index, shape):
    flat = arrays[0].ravel() if len(arrays) == 1 else np.concatenate([a.ravel() for a in arrays])
    return flat[index].reshape(shape)


def _take(table, ids):
    if (odd := _outside(ids, len(table))).size:
        raise ValueError(f"id {odd[0]} is none of the table's {len(table)} rows (0 to {len(table) - 1}); map rare words to unknown first")
    return table[ids.astype(int)]


def _outside(ids, count):  # (...) of floats -> those that are not whole numbers from 0 to count − 1
    return ids[~((ids >= 0) & (ids < count) & (ids == np.floor(ids)))]


def _along(f):  # NumPy's axis= takes an int, and attrs["axis"] is a tuple
    return lambda *arrays, axis: f(*arrays, axis=axis[0])


def _take_along_axis(table, ids, axis):
    if (odd := _outside(ids, table.shape[axis])).size:
        raise ValueError(f"index {odd[0]} is none of the {table.shape[axis]} along axis {axis}; take whole numbers from 0 to {table.shape[axis] - 1}")
    return np.take_along_axis(table, ids.astype(int), axis)


_UFUNCS = (
    np.add, np.subtract, np.multiply, np.divide, np.negative, np.matmul,
    np.exp, np.log, np.sqrt, np.sin, np.cos, np.tanh, np.maximum, np.minimum, np.absolute, np.rint, np.power,
    np.greater, np.greater_equal, np.less, np.less_equal, np.equal,
)  # fmt: skip

OPERATIONS = {
    **{u.__name__: u for u in _UFUNCS},
    "sum": _reduction(np.sum),
    "mean": _reduction(np.mean),
    "max": _reduction(np.max),
    "where": np.where,
    "cumsum": _along(np.cumsum),
    "argsort": _along(lambda a, axis: np.argsort(a, axis, kind="stable").astype(float)),
    "take_along_axis": _along(_take_along_axis),
    "gather": _gather,  # all functions that only move numbers: reshape, transpose, indexing, concatenate, …
    "take": _take,  # table[ids], as for an embedding
    "note": lambda a: a,  # gives a value its name; the recorder rounds it on the paper track
}

# Elementwise operations cost one of these (fields of a `Bill`) for each number of the result; `cost` has the others, and the rest is free.
EACH_COSTS = {
    "add": "additions", "subtract": "additions", "multiply": "multiplications", "divide": "divisions",
    **dict.fromkeys(("exp", "log", "sqrt", "sin", "cos", "tanh", "power"), "functions"),
    **dict.fromkeys(("maximum", "minimum", "greater", "greater_equal", "less", "less_equal", "equal"), "comparisons"),
}  # fmt: skip


def cost(step):  # TracedArray -> {field of a Bill: count}
    """The arithmetic of one step. A dot product of k numbers is k multiplications and k − 1 additions; a sort is not counted."""
    a = step.args[0] if step.args else step
    if step.op in EACH_COSTS:
        return {EACH_COSTS[step.op]: step.size}
    if step.op == "matmul":
        return {"multiplications": step.size * a.shape[-1], "additions": step.size * (a.shape[-1] - 1), "multiply_adds": step.size * a.shape[-1]}
    if step.op in ("sum", "mean"):
        products = a.size if matrix_product(step) is not None else 0
        return {"additions": a.size - step.size, "divisions": step.size * (step.op == "mean"), "multiply_adds": products}
    if step.op == "max":
        return {"comparisons": a.size - step.size}
    return {"additions": a.size - a.size // a.shape[step.attrs["axis"][0]]} if step.op == "cumsum" else {}


def matrix_product(step):  # TracedArray -> the "multiply" step, or None
    """Recognize a matrix product that is written as a broadcast product and a sum, as in `(weights[:, :, None] * value).sum(1)`.

    Each factor must be constant along an axis of its own, and the sum must not run along either of these.
    """
    product = _written(step.args[0]) if step.op == "sum" else step
    if step.op != "sum" or product.op != "multiply" or product.args[0] is product.args[1]:
        return None
    added, (one, other) = set(step.attrs["axis"]), (_repeated_axes(a, product.shape) for a in product.args)
    if any(product.shape[axis] > 1 for axis in added & (one | other)):
        return None
    return product if any(i != j for i in one - added for j in other - added) else None


def _repeated_axes(a, shape):  # -> the axes of the product along which this factor is constant
    a = _written(a)
    index = np.asarray(a.attrs["index"]).reshape(a.shape) if a.op == "gather" else np.arange(a.size).reshape(a.shape)
    index = np.broadcast_to(index, shape)
    return {axis for axis in range(len(shape)) if (index == index.take([0], axis)).all()}


def _written(a):  # the operand of a note
    return a.args[0] if a.op == "note" else a


UFUNC_NAMES = {u: u.__name__ for u in _UFUNCS}
REDUCTIONS = {np.sum: "sum", np.mean: "mean", np.max: "max", np.amax: "max"}
UFUNC_REDUCTIONS = {np.add: "sum", np.maximum: "max"}
SHAPE_QUESTIONS = {np.shape: lambda a: a.shape, np.ndim: lambda a: a.ndim, np.size: lambda a: a.size}
LIKE = {np.zeros_like: np.zeros, np.ones_like: np.ones}
GATHER_FUNCTIONS = {
    np.reshape, np.transpose, np.swapaxes, np.moveaxis, np.concatenate, np.stack, np.vstack, np.hstack,
    np.expand_dims, np.squeeze, np.broadcast_to, np.repeat, np.tile, np.flip, np.roll, np.ravel,
    np.atleast_2d, np.split, np.array_split, np.diagonal, np.copy,
}  # fmt: skip
