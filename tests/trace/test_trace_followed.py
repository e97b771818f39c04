"""Supported operations on a traced value stay traced, and give NumPy's numbers."""

import numpy as np
import pytest
from rows import ROWS, mask, plain

from pencil.trace.array import TracedArray

# what stays traced: the same code on a plain array must give the same numbers
FOLLOWED = {
    "x + 1": lambda x: x + 1,
    "1 - x": lambda x: 1 - x,
    "x + list": lambda x: [1, 1, 1, 1] + x,  # noqa: RUF005
    "numpy number * x": lambda x: np.float64(2) * x,
    "x / x.sum()": lambda x: x / x.sum(),
    "-x": lambda x: -x,
    "x ** 2": lambda x: x**2,
    "np.power(x, 2)": lambda x: np.power(x, 2),
    "np.square": np.square,
    "np.multiply": lambda x: np.multiply(x, plain),
    "x @ plain": lambda x: x @ plain.T,
    "plain @ x": lambda x: plain @ x.T,
    "x @ row": lambda x: x @ np.ones(4),
    "row @ x": lambda x: np.ones(2) @ x,
    "row @ row": lambda x: x[0] @ x[1],
    "batch @ row": lambda x: np.stack([x, x]) @ x[0],
    "row @ batch": lambda x: x[0] @ np.stack([x.T, x.T]),
    "np.matmul": lambda x: np.matmul(x, x.T),
    "np.exp": np.exp,
    "np.log": lambda x: np.log(x + 1),
    "np.sqrt": np.sqrt,
    "np.sin": np.sin,
    "np.cos": np.cos,
    "np.tanh": np.tanh,
    "np.maximum": lambda x: np.maximum(x, 1),
    "np.minimum": lambda x: np.minimum(1, x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu by a mask": lambda x: x * (x > 0),
    "x == 1": lambda x: np.where(x == 1, 5, x),
    "x <= 1": lambda x: np.where(x <= 1, 5, x),
    "abs": lambda x: abs(x - 1),
    "np.abs": lambda x: np.abs(-x),
    "np.rint": lambda x: np.rint(x * 0.7),
    "x ** 3": lambda x: x**3,
    "x ** -0.5": lambda x: (x + 1) ** -0.5,
    "2 ** x": lambda x: 2**x,
    "np.power": lambda x: np.power(x, x.T.reshape(2, 4)),
    "np.cumsum": np.cumsum,
    "np.cumsum with axis": lambda x: np.cumsum(x, axis=0),
    "x.cumsum": lambda x: x.cumsum(-1),
    "np.cumsum in double precision": lambda x: np.cumsum(x, -1, dtype=float),
    "np.argsort, stable": lambda x: np.argsort(x, kind="stable"),
    "np.argsort with axis": lambda x: np.argsort(x, axis=0, kind="stable"),
    "np.take_along_axis": lambda x: np.take_along_axis(x, np.argsort(x, kind="stable"), -1),
    "np.take_along_axis of a plain table": lambda x: np.take_along_axis(plain, np.argsort(x, 0, kind="stable"), 0),
    "np.take_along_axis by fewer places": lambda x: np.take_along_axis(x, np.argsort(x, kind="stable")[:, :2], 1),
    "np.where with a plain mask": lambda x: np.where(np.tri(2, 4, dtype=bool), x, -np.inf),
    "np.where with a traced mask": lambda x: np.where(x > 0, x, 0),
    "x.sum": lambda x: x.sum(),
    "x.sum(-1)": lambda x: x.sum(-1),
    "x.mean": lambda x: x.mean(0, keepdims=True),
    "x.max": lambda x: x.max(axis=-1, keepdims=True),
    "np.sum": lambda x: np.sum(x, axis=(0, 1)),
    "np.mean": lambda x: np.mean(x, 1, keepdims=True),
    "np.max": lambda x: np.max(x, axis=-1),
    "np.add.reduce": np.add.reduce,
    "np.add.reduce with axis": lambda x: np.add.reduce(x, axis=1, keepdims=True),
    "np.maximum.reduce": np.maximum.reduce,
    "sum()": sum,
    "x[0]": lambda x: x[0],
    "x[1, 2]": lambda x: x[1, 2],
    "x[:, 1:3]": lambda x: x[:, 1:3],
    "x[::-1]": lambda x: x[::-1],
    "x[..., None]": lambda x: x[..., None],
    "x[list]": lambda x: x[[1, 0, 1]],
    "x[ids]": lambda x: x[np.array([1, 0, 1])],
    "x[mask]": lambda x: x[mask],
    "x[ids, ids]": lambda x: x[[0, 1], [2, 3]],
    "loop over rows": lambda x: np.stack([2 * row for row in x]),
    "unpacking": lambda x: (lambda a, b: a - b)(*x),
    "x.T": lambda x: x.T,
    "x.reshape": lambda x: x.reshape(2, 2, 2),
    "x.reshape(tuple)": lambda x: x.reshape((4, -1)),
    "x.transpose": lambda x: x.reshape(2, 2, 2).transpose(1, 0, 2),
    "x.transpose(tuple)": lambda x: x.reshape(2, 2, 2).transpose((1, 0, 2)),
    "x.transpose()": lambda x: x.reshape(2, 2, 2).transpose(),
    "x.swapaxes": lambda x: x.swapaxes(0, -1),
    "np.moveaxis": lambda x: np.moveaxis(x[None], 0, -1),
    "np.concatenate": lambda x: np.concatenate([x, plain], -1),
    "np.concatenate of plain first": lambda x: np.concatenate([plain, x]),
    "np.concatenate without an axis": lambda x: np.concatenate([x, plain], axis=None),
    "np.stack": lambda x: np.stack([x, x], axis=1),
    "np.vstack": lambda x: np.vstack([x, plain]),
    "np.hstack": lambda x: np.hstack((x, plain)),
    "np.expand_dims": lambda x: np.expand_dims(x, 1),
    "np.squeeze": lambda x: np.squeeze(x[None]),
    "np.broadcast_to": lambda x: np.broadcast_to(x[0], (3, 4)),
    "np.repeat": lambda x: np.repeat(x, 2, axis=0),
    "np.tile": lambda x: np.tile(x, (2, 1)),
    "np.flip": lambda x: np.flip(x, 1),
    "np.roll": lambda x: np.roll(x, 1, axis=-1),
    "np.ravel": np.ravel,
    "np.atleast_2d": lambda x: np.atleast_2d(x[0]),
    "np.split": lambda x: np.split(x, 2, axis=-1)[1],
    "np.array_split": lambda x: np.array_split(x, 3, axis=1)[0],
    "np.diagonal": lambda x: np.diagonal(x @ x.T),
    "np.copy": np.copy,
    "one-hot look-up": lambda x: np.eye(2)[[1, 0, 1]] @ x,
}


@pytest.mark.parametrize("step", FOLLOWED.values(), ids=FOLLOWED)
def test_a_step_that_is_followed_stays_traced_and_right_on_both_tracks(x, step):
    out, wanted = step(x), step(np.array(ROWS))
    assert isinstance(out, TracedArray)
    assert out.shape == np.shape(wanted)
    assert np.array_equal(out.exact, wanted)
    assert np.array_equal(out.paper, wanted)  # nothing is noted, so nothing is rounded


@pytest.mark.parametrize("fresh", [np.zeros_like, np.ones_like])
def test_fresh_zeros_and_ones_depend_on_no_value_and_are_plain(x, fresh):
    assert type(fresh(x)) is np.ndarray and np.array_equal(fresh(x), fresh(plain))


def test_questions_about_the_shape_are_answered(x):
    assert (x.shape, x.ndim, x.size, len(x)) == ((2, 4), 2, 8, 2)
    assert (np.shape(x), np.ndim(x), np.size(x)) == ((2, 4), 2, 8)
