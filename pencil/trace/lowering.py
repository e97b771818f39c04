"""NumPy's functions that are no operations of a trace: each is written here in those that are, with NumPy's own arguments.

Sums of products and logarithms of other bases agree with NumPy within the rounding of floats, everything else to the last bit.
"""

from functools import reduce
from inspect import signature

import numpy as np

from pencil.trace.operations import refuse


def var(x, /, axis=None, *, ddof=0, keepdims=False):
    """The mean squared deviation; `ddof=1` divides by one less."""
    deviation = x - x.mean(axis, keepdims=True)
    square = deviation * deviation
    if not ddof:
        return square.mean(axis, keepdims=keepdims)
    total = square.sum(axis, keepdims=keepdims)
    return total / max(x.size // total.size - ddof, 0)


def std(x, /, axis=None, *, ddof=0, keepdims=False):
    """The root of the variance."""
    return np.sqrt(var(x, axis, ddof=ddof, keepdims=keepdims))


def least(x, /, axis=None, *, keepdims=False):
    """The minimum, as the maximum of the negative numbers."""
    return -(-x).max(axis, keepdims=keepdims)


def prod(x, /, axis=None):
    """The product along one axis, or of all numbers."""
    return reduce(np.multiply, x.ravel() if axis is None else np.moveaxis(x, axis, 0))


def clip(x, /, a_min=None, a_max=None, *, min=None, max=None):
    """Numbers outside the bounds become the bound; None is no bound."""
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


def rounded(x, /, decimals=0):
    """Rounded half to even, as NumPy does it: a product, the nearest whole number, a quotient."""
    unit = 10.0 ** abs(decimals)
    if decimals > 0:
        return x.trace.record("rint", (x * unit,)) / unit
    return x.trace.record("rint", (x / unit,)) * unit if decimals else x.trace.record("rint", (x,))


def dot(x, y, /):
    """A product of rows, matrices or single numbers."""
    if min(np.ndim(x), np.ndim(y)) == 0:
        return x * y
    if np.ndim(y) > 2:
        refuse(f"np.dot by an array of {np.ndim(y)} axes", "write x @ y, which takes batches of matrices")
    return x @ y


def inner(x, y, /):
    """The dot products of the rows of both."""
    return dot(x, np.swapaxes(y, -1, -2) if np.ndim(y) > 1 else y)


def outer(x, y, /):
    """Every number of one times every number of the other."""
    return np.ravel(x)[:, None] * np.ravel(y)


def einsum(subscripts, /, *operands):
    """The product of all operands, with an axis for each letter, summed over the letters that the result lacks."""
    given, arrow, result = subscripts.replace(" ", "").partition("->")
    given = given.split(",")
    if "." in subscripts or any(len(set(own)) < len(own) for own in given):
        refuse(f"np.einsum of {subscripts!r}", "write each axis as a letter of its own")
    letters = sorted(set("".join(given)))
    if not arrow:
        result = "".join(letter for letter in letters if "".join(given).count(letter) == 1)
    order = [*result, *(letter for letter in letters if letter not in result)]
    product = reduce(np.multiply, (_along_letters(x, own, order) for x, own in zip(operands, given, strict=True)))
    return product.sum(tuple(range(len(result), len(order)))) if len(result) < len(order) else product


def _along_letters(x, own, order):  # the axes of an operand in the order of the letters; those that it lacks have size 1
    x = np.transpose(x, [own.index(letter) for letter in order if letter in own])
    return x[tuple(slice(None) if letter in own else None for letter in order)]


def norm(x, /, ord=None, axis=None, keepdims=False):
    """The length of a row: the root of its sum of squares."""
    if ord not in (None, 2) or (ord == 2 and x.ndim > 1 and not isinstance(axis, int)):
        refuse(f"np.linalg.norm with ord={ord!r}", "leave it out for the root of the sum of squares")
    return np.sqrt((x * x).sum(axis, keepdims=keepdims))


def log_to_base(base):
    """The logarithm to a base, as a quotient of natural ones."""
    return lambda x, /: np.log(x) / np.log(x.trace.as_traced(float(base)))


def sort(x, /, axis=-1):
    """Ascending along an axis."""
    x, axis = (x.ravel(), 0) if axis is None else (x, axis)
    return np.take_along_axis(x, np.argsort(x, axis, kind="stable"), axis)


def take(x, /, indices, axis=None):
    """Rows, or other parts along an axis, by their indices."""
    x, first = (np.ravel(x), 0) if axis is None else (x, axis % np.ndim(x))
    return np.moveaxis(np.moveaxis(x, first, 0)[indices], range(np.ndim(indices)), range(first, first + np.ndim(indices)))


def diff(x, /, *, axis=-1):
    """Each number minus the one before it."""
    x = np.moveaxis(x, axis, -1)
    return np.moveaxis(x[..., 1:] - x[..., :-1], -1, axis)


def sign(x, /):
    """1, 0 or −1."""
    return np.where(x > 0, 1.0, np.where(x < 0, -1.0, 0.0))


def tril(x, /, k=0):
    """Zeros above the k-th diagonal."""
    return np.where(np.tri(*x.shape[-2:], k=k, dtype=bool), x, 0)


def triu(x, /, k=0):
    """Zeros below the k-th diagonal."""
    return np.where(np.tri(*x.shape[-2:], k=k - 1, dtype=bool), 0, x)


LOWERED = {
    np.var: var, np.std: std, np.min: least, np.amin: least, np.prod: prod, np.clip: clip, np.round: rounded, np.around: rounded,
    np.dot: dot, np.inner: inner, np.outer: outer, np.einsum: einsum, np.linalg.norm: norm,
    np.log2: log_to_base(2), np.log10: log_to_base(10), np.reciprocal: lambda x, /: 1.0 / x, np.positive: lambda x, /: x,
    np.sort: sort, np.take: take, np.diff: diff, np.sign: sign, np.tril: tril, np.triu: triu,
}  # fmt: skip


def lowered(function, args, kwargs):
    """Call the lowering of a NumPy function. Arguments that it does not take are refused by name."""
    own = LOWERED[function]
    try:
        bound = signature(own).bind(*args, **kwargs)
    except TypeError as wrong:
        refuse(f"np.{function.__name__}: {wrong}", "leave it out, or give axis= and keepdims= by name")
    return own(*bound.args, **bound.kwargs)
