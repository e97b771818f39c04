"""Labels of axes: given with an input, and propagated through every step.

`axes` has for each axis a tuple of labels or None, `row_word` the labels that indexing has picked. Each function returns both.
"""

import numpy as np


def along(op, args, shape):  # -> (axes, row_word)
    """The labels of the result of an operation between arrays."""
    owners = [a.row_word for a in args if a.row_word]
    row_word = owners[0] if len(set(owners)) == 1 or (owners and op == "add") else ()  # a sum with the row of another word keeps the first word
    if op == "take":
        table, ids = args
        return ids.axes + table.axes[1:], row_word
    axes = tuple(_shared(args, i - len(shape), n) for i, n in enumerate(shape))
    if op == "matmul":  # rows from the left operand, columns from the right one
        axes = axes[:-2] + args[0].axes[-2:-1] + args[1].axes[-1:]
    return axes, row_word


def _shared(args, axis, size):  # the labels of one axis, if all operands that have any agree
    words = {w for a in args if (w := _aligned(a, axis)) and len(w) == size}
    return words.pop() if len(words) == 1 else None


def _aligned(array, axis):  # axis: counted from the end
    return array.axes[axis] if -axis <= array.ndim else None


def reduced(array, axis, keepdims):  # -> (axes, row_word)
    """A reduction drops the labels of its axes."""
    axes = tuple(None if i in axis else w for i, w in enumerate(array.axes) if keepdims or i not in axis)
    return axes, array.row_word


def along_axis(array, axis):  # -> (axes, row_word)
    """cumsum, argsort and take_along_axis drop the labels of their axis."""
    return tuple(None if i in axis else w for i, w in enumerate(array.axes)), array.row_word


def moved(arrays, index):  # index: (...) positions in the arrays laid end to end -> (axes, row_word)
    """The labels of a gather.

    An axis of the result gets the labels of a source axis if each place along it holds numbers of one label, and no two places of the
    same. If all numbers have one label, it becomes a `row_word`.
    """
    axes, row_word = [None] * index.ndim, ()
    for words in _labels(arrays) if index.size else ():
        at = np.asarray(words[index], object).reshape(index.shape)  # a single index gives the bare word
        if None in at.flat:
            continue
        target = next((i for i in range(index.ndim) if axes[i] is None and _spread(at, i)), None)
        if target is not None:
            axes[target] = tuple(np.moveaxis(at, target, 0).reshape(index.shape[target], -1)[:, 0])
        elif len(set(at.flat)) == 1:
            row_word += (at.flat[0],)
    return tuple(axes), row_word


def _labels(arrays):  # -> for each labelled axis and row_word, the label of every number of the flattened, concatenated arrays
    sources = [[_every(a, a.row_word[k] if k < len(a.row_word) else None) for a in arrays] for k in range(max(len(a.row_word) for a in arrays))]
    labelled = {axis for a in arrays for axis, words in enumerate(a.axes) if words}
    sources += [[_along_axis(a, axis) for a in arrays] for axis in sorted(labelled)]
    return [np.concatenate(parts) for parts in sources]


def _every(array, word):
    return np.full(array.size, word, object)


def _along_axis(array, axis):
    if axis >= array.ndim or not array.axes[axis]:
        return _every(array, None)
    shape = [1] * array.ndim
    shape[axis] = -1
    return np.broadcast_to(np.array(array.axes[axis], object).reshape(shape), array.shape).ravel()


def _spread(at, axis):  # one label at each place along the axis, and no label twice
    lines = np.moveaxis(at, axis, 0).reshape(at.shape[axis], -1)
    return bool((lines == lines[:, :1]).all()) and len(set(lines[:, 0])) == len(lines)
