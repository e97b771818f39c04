"""The grammar of references: `[word.]name[index, ...]`, an index being a word or a number from 0.

`nolan.weights[ended]` is `weights[0, 1]`; `nolan.weights` is a row; `scores` a matrix. A word picks an entry of a labelled axis.
A page may put `[paper|exact|count ][NN:][run.]` in front: the track (or `count` for the number of entries), the chapter and the
run; `pencil.checker.values` parses that part.
"""

import re
from dataclasses import dataclass, replace

import numpy as np

from pencil.errors import did_you_mean

REFERENCE = re.compile(r"(?P<head>[\w.]+)(?:\[(?P<inside>[^\]]*)\])?\Z")


@dataclass(frozen=True)
class Value:
    """A named value, or a part of it, as a reference finds it."""

    reference: str
    array: object  # the TracedArray
    index: tuple  # one entry an axis: a number, or a whole-axis slice

    exact = property(lambda self: self.array.exact[self.index])
    paper = property(lambda self: self.array.paper[self.index])

    def at(self, index):
        """The same array at another index."""
        return replace(self, index=index)

    @property
    def words(self):
        """For each axis that the index keeps, its labels or None."""
        return tuple(w for w, i in zip(self.array.axes, self.index, strict=True) if isinstance(i, slice))

    @property
    def texts(self):
        """The same as they were given: *the* twice, and not *the* and *the2*."""
        texts = self.array.trace.texts
        return tuple(words and tuple(texts.get(word, word) for word in words) for words in self.words)


def find(trace, reference):  # -> Value
    """The value of a reference. Raises KeyError for a reference that finds nothing; the message lists what there is."""
    match = REFERENCE.match(str(reference).strip())
    if not match:
        raise KeyError(f"{reference!r} is no reference; write name, word.name or word.name[index]")
    array, words = _split(trace, match["head"], reference)
    index = [slice(None)] * array.ndim
    rows = [i for i, w in enumerate(array.axes) if w and w[0] in trace.words]  # axes of columns take no leading word
    for word in words:
        if word in array.row_word:
            continue
        axis = rows.pop(0) if rows and not array.row_word else None
        if axis is None or word not in array.axes[axis]:
            raise KeyError(f"{reference}: {array.name} has no row for {word!r}; its rows are {_rows(array)}")
        index[axis] = array.axes[axis].index(word)
    keys = [k.strip() for k in match["inside"].split(",")] if match["inside"] else []
    free = [i for i in range(array.ndim) if isinstance(index[i], slice)]
    if len(keys) > len(free):
        raise KeyError(f"{reference}: {len(keys)} indices for {len(free)} axes of {array.name} {array.shape}")
    for key, axis in zip(keys, free, strict=False):
        index[axis] = _place(array, axis, key, reference)
    if index and isinstance(index[-1], slice) and array.shape[-1] == 1 and not array.axes[-1]:
        index[-1] = 0  # a column of width 1 (keepdims) counts as a number
    return Value(reference, array, tuple(index))


def _split(trace, head, reference):  # "nolan.head1.scores" -> (the array head1.scores, ["nolan"])
    words = []
    while head not in trace.names:
        word, dot, rest = head.partition(".")
        if not dot or word not in trace.words:
            meant = (dot and did_you_mean(word, trace.words)) or did_you_mean(head, trace.names)
            raise KeyError(f"{reference}: nothing is named {head!r}.{meant} There are {', '.join(trace.names)}")
        words.append(word)
        head = rest
    return trace.names[head], words


def _place(array, axis, key, reference):
    words, size = array.axes[axis], array.shape[axis]
    if words and key in words:
        return words.index(key)
    if key == ":":
        return slice(None)
    if key.isdecimal() and int(key) < size:
        return int(key)
    known = f"0 to {size - 1}" + (f" or {', '.join(words)}" if words else "")
    raise KeyError(f"{reference}: {array.name} has no {key!r} there; it has {known}")


def _rows(array):
    return ", ".join(w for words in array.axes if words for w in words) or "not named"


def positions(value):  # -> every index of single numbers inside a value, in reading order
    """The index, in the whole array, of each number of a value."""
    ranges = [range(n) if isinstance(i, slice) else [i] for i, n in zip(value.index, value.array.shape, strict=True)]
    return [tuple(int(r[p]) for r, p in zip(ranges, where, strict=True)) for where in np.ndindex(*map(len, ranges))]
