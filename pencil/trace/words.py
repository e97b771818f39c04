"""Row words: given once, on the input, and carried along by every step."""

import numpy as np


def along(op, args, shape):  # -> (axes, of)
    """What an operation between arrays does to the words of its operands."""
    of = next((a.of for a in args if a.of), ())
    if op == "matmul":
        a, b = args
        axes = (a.axes[:-1] if a.ndim >= b.ndim else b.axes[:-2] + a.axes[-2:-1]) + b.axes[-1:]
        return axes, of
    if op == "take":
        table, ids = args
        return ids.axes + table.axes[1:], of
    axes = [None] * len(shape)
    for a in args:
        for i, words in enumerate(a.axes, start=len(shape) - a.ndim):
            if words and axes[i] is None and len(words) == shape[i]:
                axes[i] = words
    return tuple(axes), of


def reduced(array, axis, keepdims):  # -> (axes, of)
    """A reduction forgets the words of the axes that it adds up."""
    axes = tuple(None if i in axis else w for i, w in enumerate(array.axes) if keepdims or i not in axis)
    return axes, array.of


def moved(arrays, index):  # index: (...) positions in the arrays laid end to end -> (axes, of)
    """Where the words went when numbers were only carried about.

    An axis of the result keeps the words of a source axis when, all along it, each place holds
    numbers of one word and no two places share it. Numbers that are all of one word are `of` it.
    """
    axes, of = [None] * index.ndim, next((a.of for a in arrays if a.of), ())
    vocabulary = sorted({w for a in arrays for words in a.axes if words for w in words})
    for source_axis in range(max(a.ndim for a in arrays)) if index.size else ():
        ids = np.concatenate([_word_ids(a, source_axis, vocabulary) for a in arrays])[index]
        if (ids < 0).any():
            continue
        for target in range(index.ndim):
            lines = np.moveaxis(ids, target, 0).reshape(index.shape[target], -1)
            first = lines[:, 0].tolist()
            if axes[target] is None and (lines == lines[:, :1]).all() and len(set(first)) == len(first):
                axes[target] = tuple(vocabulary[i] for i in first)
                break
        else:
            if len(np.unique(ids)) == 1:
                of += (vocabulary[int(ids.flat[0])],)
    return tuple(axes), of


def _word_ids(array, axis, vocabulary):  # -> (size,) the word of each number along that axis, -1 for none
    if axis >= array.ndim or not array.axes[axis]:
        return np.full(array.size, -1)
    ids = np.array([vocabulary.index(w) for w in array.axes[axis]])
    shape = [1] * array.ndim
    shape[axis] = len(ids)
    return np.broadcast_to(ids.reshape(shape), array.shape).ravel()
