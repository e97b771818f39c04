"""Where a number came from: the operands of one entry of an array. An entry is a pair (array, index)."""

import numpy as np


def source(array, at):
    """Follow an entry back through steps that only move or select numbers (gather, take, where)."""
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
    """The index of an operand for the entry `at` of the result (NumPy's broadcasting)."""
    return tuple(0 if n == 1 else p for p, n in zip(at[array.ndim - operand.ndim :], operand.shape, strict=True))


def operands(array, at):
    """The operands of an entry of an elementwise step."""
    return [(x, broadcast(x, array, at)) for x in array.args]


def summands(array, at):
    """The entries that a sum, mean or max reduces."""
    arg, summed = array.args[0], array.attrs["axis"]
    kept = iter(p for i, p in enumerate(at) if not (array.attrs["keepdims"] and i in summed))
    fixed = [None if i in summed else next(kept) for i in range(arg.ndim)]
    steps = np.ndindex(*(arg.shape[i] for i in summed))
    return [(arg, tuple(dict(zip(summed, s, strict=True)).get(i, p) for i, p in enumerate(fixed))) for s in steps]


def so_far(array, at):  # -> (entries, count of the others along the axis)
    """The entries that a running sum has added up, without constant zeros."""
    (axis,), x = array.attrs["axis"], array.args[0]
    reached = [source(x, (*at[:axis], k, *at[axis + 1 :])) for k in range(at[axis] + 1)]
    added = [(a, p) for a, p in reached if not (a.op == "constant" and a.exact[p] == 0)]
    return added, x.shape[axis] - len(added)


def pairs(array, at):
    """The pairs of entries that a dot product multiplies; the weight of a linear layer comes first."""
    a, b = array.args
    left, right = broadcast(a, array, (*at[:-1], 0)), broadcast(b, array, (*at[:-2], 0, at[-1]))
    both = [((a, (*left[:-1], k)), (b, (*right[:-2], k, right[-1]))) for k in range(a.shape[-1])]
    return [(y, x) for x, y in both] if is_weight(source(*both[0][1])[0]) else both


def made_of(array, at):
    """The entries that an entry was computed from in its step; none for an input."""
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
    """Whether an array is a weight matrix: an input of two axes without labels."""
    return array.op == "given" and array.ndim == 2 and not any(array.axes)
