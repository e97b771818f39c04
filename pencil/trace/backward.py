"""Slopes, worked on the same graph: how fast a loss moves along every value on the way to it.

Each operation has its adjoint, which is NumPy on traced values: what a slope of the result says about each operand.
So slopes are recorded, named, written out and replayed like every other value, and no new operation is needed.
"""

import numpy as np

from pencil.trace.array import TracedArray
from pencil.trace.notes import SLOPE
from pencil.trace.operations import TraceError


def backward(loss):  # traced number -> {name: traced slope}
    """The slope of a loss along every named value that it was worked out from (reverse mode: Linnainmaa 1970).

    The slope of `weights` is named `d.weights`, and has its rows and words. At a tie np.maximum(x, 0) has the slope 0,
    whichever way round it is written, as torch.relu; np.maximum(x, y) and np.max share theirs, as torch's. Raises
    ValueError for a loss that is not one number, and TraceError for one that no trace knows or that follows nothing
    given, and for a second loss of a trace.
    """
    if not isinstance(loss, TracedArray):
        raise TraceError(f"backward got a plain {type(loss).__name__}; hand it the loss of a trace: backward(trace.names['loss'])")
    if loss.size != 1:
        raise ValueError(f"a loss is one number and this one has the shape {loss.shape}; add it up or average it: loss.sum()")
    trace, way = loss.trace, _on_the_way(loss)
    if known := next((name for name in trace.names if name.startswith(f"{SLOPE}.")), None):
        raise TraceError(f"this trace has slopes already, such as {known}; take another trace for another loss")
    if not any(step.op == "given" for step in way):
        raise TraceError("the loss follows nothing given; take what it depends on by trace.given")
    written = {step.args[0].id: step for step in reversed(way) if step.op == "note"}
    slope = {loss.id: trace.own(np.ones(loss.shape))}
    for step in reversed(way):
        if step.id not in slope:  # a mask, or ids: nothing slopes there
            continue
        if step.name and step is not loss:
            slope[step.id] = trace.note(f"{SLOPE}.{step.name}", slope[step.id])
        if step.args:
            _hand_back(slope, step, written)
    return {step.name: slope[step.id] for step in way if step.name and step.id in slope and step is not loss}


def _on_the_way(loss):  # -> every step that the loss stands on, in order
    found, todo = set(), [loss]
    while todo:
        step = todo.pop()
        if step not in found:
            found.add(step)
            todo += step.args
    return sorted(found, key=lambda step: step.id)


def _hand_back(slope, step, written):
    """Give each operand its part; what reaches one by several ways adds up."""
    if step.op in NUMBER_BY_NUMBER:
        parts = NUMBER_BY_NUMBER[step.op](slope[step.id], written.get(step.id, step), *step.args)
    else:
        parts = OF_ARRAYS[step.op](slope[step.id], step, *step.args)
    for operand, part in zip(step.args, parts, strict=True):
        if part is not None and operand.op != "constant":
            part = _fitted(part, operand)
            slope[operand.id] = slope[operand.id] + part if operand.id in slope else part


def _fitted(part, operand):  # where a number served several places, their slopes add up
    while part.ndim > operand.ndim:
        part = part.sum(0)
    for axis, size in enumerate(operand.shape):
        if size == 1 and part.shape[axis] != 1:
            part = part.sum(axis, keepdims=True)
    return part


def _spread(slope, step):  # back to the shape of what was added up
    operand = step.args[0]
    if not step.attrs["keepdims"]:
        slope = slope.reshape(tuple(1 if axis in step.attrs["axis"] else size for axis, size in enumerate(operand.shape)))
    return np.broadcast_to(slope, operand.shape)


def _sum(slope, step, a):
    return (_spread(slope, step),)


def _mean(slope, step, a):
    return (_spread(slope / (a.size // step.size), step),)


def _max(slope, step, a):
    hit = np.where(np.equal(a, _spread(step, step)), 1, 0)
    return (_spread(slope / hit.sum(step.attrs["axis"], keepdims=step.attrs["keepdims"]), step) * hit,)


def _matmul(slope, step, a, b):
    return slope @ b.swapaxes(-1, -2), a.swapaxes(-1, -2) @ slope


def _gather(slope, step, *operands):
    """A number that was carried to several places gets all their slopes; one that was left behind gets 0."""
    index, start, parts, flat = np.ravel(step.attrs["index"]), 0, [], slope.reshape((slope.size,))
    for operand in operands:
        came = [np.flatnonzero(index == start + k) for k in range(operand.size)]
        parts.append(_collected(flat, came, operand.shape))
        start += operand.size
    return parts


def _collected(flat, came, shape):  # came: for each number of the operand the places that it went to
    most, nowhere = max(map(len, came)), flat.size  # behind the slopes stands a 0
    if most == 0:
        return None
    index = np.array([[places[k] if k < len(places) else nowhere for places in came] for k in range(most)])
    arrays = [flat, flat.trace.own(0.0)] if (index == nowhere).any() else [flat]
    if most == 1:
        return flat.trace.gather(arrays, index.reshape(shape))
    return flat.trace.gather(arrays, index.reshape((most, *shape))).sum(0)


def _take(slope, step, table, ids):
    """Each row of the table gets the slopes of the places where its id stands; they are looked for anew in each run."""
    rows, ids = slope.reshape((ids.size, *table.shape[1:])), ids.reshape((ids.size, *[1] * (table.ndim - 1)))
    return np.stack([np.where(np.equal(ids, row), rows, 0).sum(0) for row in range(len(table))]), None


def _chosen(slope, a, b, first, second):
    """Whichever was chosen gets the slope; at a tie a constant takes it, and two values get half each."""
    if "constant" in (a.op, b.op):
        return np.where(first, slope, 0), np.where(second, slope, 0)
    return np.where(first, slope, np.where(second, 0, slope / 2)), np.where(second, slope, np.where(first, 0, slope / 2))


# What a slope g of the result says about each operand; None where nothing slopes. y is the result as it was written down.
NUMBER_BY_NUMBER = {
    "add": lambda g, y, a, b: (g, g),
    "subtract": lambda g, y, a, b: (g, -g),
    "multiply": lambda g, y, a, b: (g * b, g * a),
    "divide": lambda g, y, a, b: (g / b, -(g * y / b)),
    "negative": lambda g, y, a: (-g,),
    "exp": lambda g, y, a: (g * y,),
    "log": lambda g, y, a: (g / a,),
    "sqrt": lambda g, y, a: (g / (2 * y),),
    "sin": lambda g, y, a: (g * np.cos(a),),
    "cos": lambda g, y, a: (-(g * np.sin(a)),),
    "tanh": lambda g, y, a: (g * (1 - y * y),),
    "maximum": lambda g, y, a, b: _chosen(g, a, b, a > b, b > a),
    "minimum": lambda g, y, a, b: _chosen(g, a, b, a < b, b < a),
    "where": lambda g, y, mask, a, b: (None, np.where(mask, g, 0), np.where(mask, 0, g)),
    "note": lambda g, y, a: (g,),
    **dict.fromkeys(("greater", "greater_equal", "less", "less_equal", "equal"), lambda g, y, a, b: (None, None)),
}
OF_ARRAYS = {"sum": _sum, "mean": _mean, "max": _max, "matmul": _matmul, "gather": _gather, "take": _take}
