"""Row words: given once, on the input, and carried along by every step."""

import numpy as np


def along(op, args, shape):  # -> (axes, row_word)
    """What an operation between arrays does to the words of its operands."""
    owners = [a.row_word for a in args if a.row_word]
    row_word = owners[0] if len(set(owners)) == 1 or (owners and op == "add") else ()  # what is added to a word's row leaves it that word's
    if op == "take":
        table, ids = args
        return ids.axes + table.axes[1:], row_word
    axes = tuple(_shared(args, i - len(shape), n) for i, n in enumerate(shape))
    if op == "matmul":  # rows from the left, columns from the right; what stands before them is batch
        axes = axes[:-2] + args[0].axes[-2:-1] + args[1].axes[-1:]
    return axes, row_word


def _shared(args, axis, size):  # the words of one axis, where all operands that have any agree
    words = {w for a in args if (w := _aligned(a, axis)) and len(w) == size}
    return words.pop() if len(words) == 1 else None


def _aligned(array, axis):  # axis: counted from the end
    return array.axes[axis] if -axis <= array.ndim else None


def reduced(array, axis, keepdims):  # -> (axes, row_word)
    """A reduction forgets the words of the axes that it adds up."""
    axes = tuple(None if i in axis else w for i, w in enumerate(array.axes) if keepdims or i not in axis)
    return axes, array.row_word


def along_axis(array, axis):  # -> (axes, row_word)
    """A sum of several words is none of theirs, nor is a place in an order, nor what is looked up by places: the axis forgets its words."""
    return tuple(None if i in axis else w for i, w in enumerate(array.axes)), array.row_word


def moved(arrays, index):  # index: (...) positions in the arrays laid end to end -> (axes, row_word)
    """Where the words went when numbers were only carried about.

    An axis of the result keeps the words of a source when, all along it, each place holds numbers
    of one word and no two places share it. Numbers that are all of one word are of that word.
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


def _labels(arrays):  # -> for each source of words, the word of every number, laid end to end
    sources = [[_every(a, a.row_word[k] if k < len(a.row_word) else None) for a in arrays] for k in range(max(len(a.row_word) for a in arrays))]
    sources += [[_along_axis(a, axis) for a in arrays] for axis in range(max(a.ndim for a in arrays))]
    return [np.concatenate(parts) for parts in sources]


def _every(array, word):
    return np.full(array.size, word, object)


def _along_axis(array, axis):
    if axis >= array.ndim or not array.axes[axis]:
        return _every(array, None)
    shape = [1] * array.ndim
    shape[axis] = -1
    return np.broadcast_to(np.array(array.axes[axis], object).reshape(shape), array.shape).ravel()


def _spread(at, axis):  # one word at each place along the axis, and no word twice
    lines = np.moveaxis(at, axis, 0).reshape(at.shape[axis], -1)
    return bool((lines == lines[:, :1]).all()) and len(set(lines[:, 0])) == len(lines)
