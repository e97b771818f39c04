"""Where a number came from: the numbers that one place of a result is made of."""

import numpy as np


def source(array, at):
    """Look through what only moves or chooses numbers, to the array and place where a number really stands."""
    at = tuple(int(i) for i in at)
    while array.op in _MOVES:
        array, at = _MOVES[array.op](array, at)
    return array, at


def _gathered(array, at):
    flat = int(array.attrs["index"].reshape(array.shape)[at])
    for arg in array.args:
        if flat < arg.size:
            return arg, tuple(int(i) for i in np.unravel_index(flat, arg.shape))
        flat -= arg.size


def _taken(array, at):  # table[ids]
    table, ids = array.args
    return table, (int(ids.exact[at[: ids.ndim]]), *at[ids.ndim :])


def _taken_along(array, at):  # np.take_along_axis(table, ids, axis)
    (table, ids), (axis,) = array.args, array.attrs["axis"]
    return table, (*at[:axis], int(ids.exact[at]), *at[axis + 1 :])


def _chosen(array, at):  # where(mask, this, that)
    mask, this, that = array.args
    choice = this if mask.exact[broadcast(mask, array, at)] else that
    return choice, broadcast(choice, array, at)


_MOVES = {"gather": _gathered, "take": _taken, "take_along_axis": _taken_along, "where": _chosen}


def broadcast(operand, array, at):
    """Where an operand is read for the number at `at` of the result (NumPy's broadcasting)."""
    return tuple(0 if n == 1 else p for p, n in zip(at[array.ndim - operand.ndim :], operand.shape, strict=True))


def operands(array, at):
    """The operand numbers of an elementwise step."""
    return [(x, broadcast(x, array, at)) for x in array.args]


def summands(array, at):
    """The numbers that a sum or mean adds up."""
    arg, summed = array.args[0], array.attrs["axis"]
    kept = iter(p for i, p in enumerate(at) if not (array.attrs["keepdims"] and i in summed))
    fixed = [None if i in summed else next(kept) for i in range(arg.ndim)]
    steps = np.ndindex(*(arg.shape[i] for i in summed))
    return [(arg, tuple(dict(zip(summed, s, strict=True)).get(i, p) for i, p in enumerate(fixed))) for s in steps]


def so_far(array, at):  # -> (the numbers, how many are not among them)
    """The numbers that a running sum has added up; a 0 that stands in the code adds nothing, and is none of them."""
    (axis,), x = array.attrs["axis"], array.args[0]
    reached = [source(x, (*at[:axis], k, *at[axis + 1 :])) for k in range(at[axis] + 1)]
    added = [(a, p) for a, p in reached if not (a.op == "constant" and a.exact[p] == 0)]
    return added, x.shape[axis] - len(added)


def pairs(array, at):
    """The pairs of numbers that a dot product multiplies; a weight's row comes first: row of the weight times input."""
    a, b = array.args
    left, right = broadcast(a, array, (*at[:-1], 0)), broadcast(b, array, (*at[:-2], 0, at[-1]))
    both = [((a, (*left[:-1], k)), (b, (*right[:-2], k, right[-1]))) for k in range(a.shape[-1])]
    return [(y, x) for x, y in both] if is_weight(source(*both[0][1])[0]) else both


def made_of(array, at):
    """The numbers that one number was worked from, one step up; none for a given one."""
    if array.op == "note":
        return [(array.args[0], at)]
    if array.op in _MOVES:
        return [_MOVES[array.op](array, at)]
    if array.op == "matmul":
        return [number for pair in pairs(array, at) for number in pair]
    if array.op in ("sum", "mean") or (array.op == "max" and "axis" in array.attrs):
        return summands(array, at)
    return so_far(array, at)[0] if array.op == "cumsum" else operands(array, at)


def is_weight(array):
    """Whether an array is a given weight matrix: its rows stand for no words."""
    return array.op == "given" and array.ndim == 2 and not any(array.axes)
