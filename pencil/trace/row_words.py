"""Labels of axes: given with an input as any text, and propagated through every step as references, which are unique identifiers.

`axes` has for each axis a tuple of labels or None, `row_word` the labels that indexing has picked. Each function returns both.
"""

import re
import unicodedata
from math import prod


def references(texts, known, taken):  # labels, {reference: its text}, names -> tuple of references
    """For every text an identifier: `the`, `the2` for a second *the*, `mat` for *mat.*, `full_stop` for a full stop.

    `known` has those of earlier inputs, whose texts get the same references again; none is a name that is `taken`.
    """
    found = []
    for text in texts:
        stem, n = _identifier(text), 1
        while (word := stem if n == 1 else _numbered(stem, n)) in found or word in taken or known.get(word, text) != text:
            n += 1
        found.append(word)
    return tuple(found)


def _identifier(text):
    if text.isidentifier():
        return text
    spelt = text if re.search(r"\w", text) else unicodedata.name(text[0], "word").lower() if text else "word"
    word = re.sub(r"\W+", "_", re.sub("['’]", "", spelt)).strip("_")
    return word if word.isidentifier() else f"_{word}"


def _numbered(stem, n):
    return f"{stem}_{n}" if stem[-1].isdigit() else f"{stem}{n}"


def along(op, args, shape):  # -> (axes, row_word)
    """The labels of the result of an operation between arrays."""
    owners = [a.row_word for a in args if a.row_word]
    row_word = owners[0] if len(set(owners)) == 1 or (owners and op == "add") else ()  # a sum with the row of another word keeps the first word
    if op == "take":
        table, ids = args
        return ids.axes + table.axes[1:], row_word
    axes = _shared(args, shape)
    if op == "matmul":  # rows from the left operand, columns from the right one
        axes = axes[:-2] + args[0].axes[-2:-1] + args[1].axes[-1:]
    return axes, row_word


def _shared(args, shape):  # for each axis its labels, if all operands that have any agree
    axes = [None] * len(shape)
    for a in args:
        for i, words in enumerate(a.axes, len(shape) - len(a.axes)):
            if words and len(words) == shape[i]:
                axes[i] = words if axes[i] in (None, words) else ()
    return tuple(words or None for words in axes)


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
    axes, row_word, places = [None] * index.ndim, (), index.ravel().tolist()
    for labels in _labels(arrays) if places else ():
        at = [labels[place] for place in places]
        if None in at:
            continue
        spread = ((i, words) for i in range(index.ndim) if axes[i] is None and (words := _spread(at, index.shape, i)))
        if (target := next(spread, None)) is not None:
            axes[target[0]] = target[1]
        elif len(set(at)) == 1:
            row_word += (at[0],)
    return tuple(axes), row_word


def _labels(arrays):  # -> for each labelled axis and row_word, the label of every number of the flattened, concatenated arrays
    for k in range(max(len(a.row_word) for a in arrays)):
        yield [word for a in arrays for word in [a.row_word[k] if k < len(a.row_word) else None] * a.size]
    for axis in sorted({axis for a in arrays for axis, words in enumerate(a.axes) if words}):
        yield [word for a in arrays for word in _along_axis(a, axis)]


def _along_axis(array, axis):
    return _laid_out(array.axes[axis], array.shape, axis) if axis < array.ndim and array.axes[axis] else [None] * array.size


def _laid_out(words, shape, axis):  # the label of every number of an array whose axis has these
    return [word for word in words for _ in range(prod(shape[axis + 1 :]))] * prod(shape[:axis])


def _spread(at, shape, axis):  # -> the labels along the axis, if each place along it has one, and none is there twice; else None
    step = prod(shape[axis + 1 :])
    words = tuple(at[: step * shape[axis] : step])
    return words if len(set(words)) == len(words) and at == _laid_out(words, shape, axis) else None
