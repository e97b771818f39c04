"""Reverse-mode differentiation on the recorded graph.

Each operation has a vector-Jacobian product, written in NumPy on traced arrays: from the gradient of its result to that of each operand.
So gradients are recorded, named and replayed like every other value.
"""

import numpy as np

from pencil.note import GRAD
from pencil.trace.array import TracedArray, ancestors
from pencil.trace.operations import TraceError, matrix_product


def backward(loss, noted=None):  # traced number, names or None -> {name: traced gradient}
    """The gradient of a loss with respect to every named value that it depends on (reverse mode: Linnainmaa 1970).

    - `loss`: a single number of a trace
    - `noted`: names of the values whose gradients are named, and rounded on paper; None is all

    The gradient of `weights` is named `grad.weights`, and has its labels. At a tie np.maximum(x, 0) has the gradient 0, as torch.relu;
    np.maximum(x, y) and np.max divide theirs evenly, as torch. Raises ValueError for a loss that is not one number and for an unknown
    name in `noted`; TraceError for a loss that is not traced or depends on no input, and for a second loss of a trace.
    """
    if not isinstance(loss, TracedArray):
        raise TraceError(f"backward got a plain {type(loss).__name__}; hand it the loss of a trace: backward(trace.names['loss'])")
    if loss.size != 1:
        raise ValueError(f"a loss is one number and this one has the shape {loss.shape}; add it up or average it: loss.sum()")
    trace, way = loss.trace, ancestors([loss])
    if known := next((name for name in trace.names if name.startswith(f"{GRAD}.")), None):
        raise TraceError(f"this trace has gradients already, such as {known}; take another trace for another loss")
    if unknown := sorted(set(noted or ()) - set(trace.names)):
        raise ValueError(f"noted names {unknown[0]!r}, which this trace has not; it has {', '.join(trace.names)}")
    if not any(step.op == "given" for step in way):
        raise TraceError("the loss follows nothing given; take what it depends on by trace.given")
    written = {step.args[0].id: step for step in reversed(way) if step.op == "note"}
    gradient = {loss.id: trace.as_traced(np.ones(loss.shape))}
    products = {product.id for step in way if (product := matrix_product(step)) is not None}
    for step in reversed(way):
        if step.id not in gradient:  # a mask, or ids: they have no gradient
            continue
        if step.name and step is not loss and (noted is None or step.name in noted):
            gradient[step.id] = trace.note(f"{GRAD}.{step.name}", gradient[step.id])
        if step.args:
            _accumulate(gradient, step, written, step.id in products)
    return {step.name: gradient[step.id] for step in way if step.name and step.id in gradient and step is not loss}


def _accumulate(gradient, step, written, is_product):
    """Add to each operand's gradient what it gets by way of this step."""
    if step.op in ELEMENTWISE:
        parts = ELEMENTWISE[step.op](gradient[step.id], written.get(step.id, step), *step.args)
    else:
        parts = OF_ARRAYS[step.op](gradient[step.id], step, *step.args)
    for operand, part in zip(step.args, parts, strict=True):
        if part is not None and operand.op != "constant":
            if is_product and all(operand.shape[axis] == size for axis, size in enumerate(step.shape) if size > 1):
                step.trace.unsummed_products.add(part.id)  # no axis is left to sum over, so `matrix_product` cannot recognize it
            part = _unbroadcast(part, operand)
            gradient[operand.id] = gradient[operand.id] + part if operand.id in gradient else part


def _unbroadcast(part, operand):  # sum over the axes along which the operand was broadcast
    while part.ndim > operand.ndim:
        part = part.sum(0)
    for axis, size in enumerate(operand.shape):
        if size == 1 and part.shape[axis] != 1:
            part = part.sum(axis, keepdims=True)
    return part


def _broadcast_back(gradient, step):  # to the shape of what the step reduced
    operand = step.args[0]
    if not step.attrs["keepdims"]:
        gradient = gradient.reshape(tuple(1 if axis in step.attrs["axis"] else size for axis, size in enumerate(operand.shape)))
    return np.broadcast_to(gradient, operand.shape)


def _sum(gradient, step, a):
    return (_broadcast_back(gradient, step),)


def _mean(gradient, step, a):
    return (_broadcast_back(gradient / (a.size // step.size), step),)


def _max(gradient, step, a):
    hit = np.where(np.equal(a, _broadcast_back(step, step)), 1, 0)
    return (_broadcast_back(gradient / hit.sum(step.attrs["axis"], keepdims=step.attrs["keepdims"]), step) * hit,)


def _matmul(gradient, step, a, b):
    return gradient @ b.swapaxes(-1, -2), a.swapaxes(-1, -2) @ gradient


def _gather(gradient, step, *operands):
    """A number that was copied to several places gets the sum of their gradients; one that was dropped gets 0."""
    index, start, parts, flat = np.ravel(step.attrs["index"]), 0, [], gradient.reshape((gradient.size,))
    for operand in operands:
        came = [np.flatnonzero(index == start + k) for k in range(operand.size)]
        parts.append(_collected(flat, came, operand.shape))
        start += operand.size
    return parts


def _collected(flat, came, shape):  # came: for each number of the operand, the places that it was copied to
    most, nowhere = max(map(len, came)), flat.size  # the index of a 0 that is appended to the gradients
    if most == 0:
        return None
    index = np.array([[places[k] if k < len(places) else nowhere for places in came] for k in range(most)])
    arrays = [flat, flat.trace.as_traced(0.0)] if (index == nowhere).any() else [flat]
    if most == 1:
        return flat.trace.gather(arrays, index.reshape(shape))
    return flat.trace.gather(arrays, index.reshape((most, *shape))).sum(0)


def _take(gradient, step, table, ids):
    """Each row of the table gets the gradients of the places with its id; these are found again in each replay, for ids are inputs."""
    rows, ids = gradient.reshape((ids.size, *table.shape[1:])), ids.reshape((ids.size, *[1] * (table.ndim - 1)))
    return np.stack([np.where(np.equal(ids, row), rows, 0).sum(0) for row in range(len(table))]), None


def _take_along_axis(gradient, step, table, ids):
    (axis,) = step.attrs["axis"]
    return np.stack([np.where(np.equal(ids, place), gradient, 0).sum(axis) for place in range(table.shape[axis])], axis), None


def _cumsum(gradient, step, a):  # a number is part of its own sum and of all later ones
    (axis,) = step.attrs["axis"]
    return (np.flip(np.cumsum(np.flip(gradient, axis), axis), axis),)


def _power(g, y, a, b):  # with base 0 or exponent 0 the rule may be undefined: 0, as in torch
    return g * np.where(np.equal(b, 0), 0, b * a ** (b - 1)), g * (y * np.log(np.where(np.equal(a, 0), 1, a)))


def _chosen(gradient, a, b, first, second):
    """The operand that was chosen gets the gradient. At a tie two values get half each; beside a constant the value gets 0, as in torch.relu."""
    if "constant" in (a.op, b.op):
        return np.where(first, gradient, 0), np.where(second, gradient, 0)
    return np.where(first, gradient, np.where(second, 0, gradient / 2)), np.where(second, gradient, np.where(first, 0, gradient / 2))


# The gradients of the operands a, b from the gradient g of the result; None where there is none. y is the result, rounded if it was noted.
ELEMENTWISE = {
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
    "absolute": lambda g, y, a: (np.where(a > 0, g, np.where(a < 0, -g, 0)),),
    "rint": lambda g, y, a: (g * 0,),  # 0, as of torch.round
    "power": _power,
    "where": lambda g, y, mask, a, b: (None, np.where(mask, g, 0), np.where(mask, 0, g)),
    "note": lambda g, y, a: (g,),
    **dict.fromkeys(("greater", "greater_equal", "less", "less_equal", "equal"), lambda g, y, a, b: (None, None)),
}
OF_ARRAYS = {
    "sum": _sum, "mean": _mean, "max": _max, "matmul": _matmul, "gather": _gather, "take": _take,
    "cumsum": _cumsum, "take_along_axis": _take_along_axis, "argsort": lambda g, step, a: (None,),
}  # fmt: skip
