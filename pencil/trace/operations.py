"""The whole language of a program: what a recorded step may be, and how NumPy spells it."""

import numpy as np

TRACKS = ("exact", "paper")


class TraceError(TypeError):
    """The trace would lose sight of a value; the message says where, and what to write instead."""


class TraceAttributeError(TraceError, AttributeError):
    """The same of an attribute, so that hasattr answers no, and getattr takes its default."""


REMEDIES = {  # for what others write most, in the language of the trace
    "dot": "write x @ y", "einsum": "write x @ y", "outer": "write x[:, None] * y", "inner": "write x @ y.T",
    "norm": "write np.sqrt((x * x).sum(-1))", "min": "write -(-x).max(-1)", "clip": "write np.minimum(np.maximum(x, low), high)",
    "var": "write ((x - x.mean(-1, keepdims=True)) ** 2).mean(-1)", "std": "write np.sqrt(((x - x.mean(-1, keepdims=True)) ** 2).mean(-1))",
    "reciprocal": "write 1 / x", "log1p": "write np.log(1 + x)", "expm1": "write np.exp(x) - 1",
    "round": "write np.rint(x)", "log2": "write np.log(x) / np.log(2)",
}  # fmt: skip


def refuse(what, remedy="write it with @, +, -, *, /, **, np.exp, np.sqrt, sum, mean, max or np.where", error=TraceError):
    raise error(f"the trace would lose sight of {what}; {remedy}")


def remedy_for(name):  # -> the remedy as the arguments of `refuse`: none where it has no better one than its own
    return [REMEDIES[name]] if name in REMEDIES else []


def _reduction(f):
    return lambda a, axis, keepdims: f(a, axis=axis, keepdims=keepdims)


def _gather(*arrays, index, shape):
    return np.concatenate([np.ravel(a) for a in arrays])[index].reshape(shape)


def _take(table, ids):
    if (odd := _outside(ids, len(table))).size:
        raise ValueError(f"id {odd[0]} is none of the table's {len(table)} rows (0 to {len(table) - 1}); map rare words to unknown first")
    return table[ids.astype(int)]


def _outside(ids, count):  # (...) of floats -> those that are no index of `count` things
    return ids[~((ids >= 0) & (ids < count) & (ids == np.floor(ids)))]


def _along(f):  # a function along one axis
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
    "argsort": _along(lambda a, axis: np.argsort(a, axis, kind="stable").astype(float)),  # of equal ones the first comes first
    "take_along_axis": _along(_take_along_axis),
    "gather": _gather,  # every function that only carries numbers about
    "take": _take,  # table[ids]: the look-up of an embedding
    "note": lambda a: a,  # on paper: rounded, and the rounded number is carried on
}

# What a step costs, in the currency of a `Bill`: so many for each number of its result. What is not here is carried about, or costs nothing.
EACH_COSTS = {
    "add": "additions", "subtract": "additions", "multiply": "multiplications", "divide": "divisions",
    **dict.fromkeys(("exp", "log", "sqrt", "sin", "cos", "tanh", "power"), "functions"),
    **dict.fromkeys(("maximum", "minimum", "greater", "greater_equal", "less", "less_equal", "equal"), "comparisons"),
}  # fmt: skip


def cost(step):  # traced array -> {currency: count}
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


def matrix_product(step):  # traced array -> the multiplication, or None
    """What a sum ends, where that is a matrix product written part by part: two arrays are multiplied that repeat, each along an axis of its own."""
    product = _written(step.args[0]) if step.op == "sum" else step
    if step.op != "sum" or product.op != "multiply" or product.args[0] is product.args[1]:
        return None
    added, (one, other) = set(step.attrs["axis"]), (_repeated_axes(a, product.shape) for a in product.args)
    if any(product.shape[axis] > 1 for axis in added & (one | other)):
        return None
    return product if any(i != j for i in one - added for j in other - added) else None


def _repeated_axes(a, shape):  # -> the axes of a product along which this operand of it stays the same
    a = _written(a)
    index = np.asarray(a.attrs["index"]).reshape(a.shape) if a.op == "gather" else np.arange(a.size).reshape(a.shape)
    index = np.broadcast_to(index, shape)
    return {axis for axis in range(len(shape)) if (index == index.take([0], axis)).all()}


def _written(a):  # the step that a note wrote down
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
