"""Random programs, made the way that real ones are: by running NumPy code under a trace.

An `Author` writes one: it draws givens, applies operations that fit what is there, and notes values on the way.
"""

import contextlib
import os

import numpy as np

from pencil.trace import Trace, TraceError, backward

SHAPES = [(), (1,), (3,), (4,), (9,), (1, 1), (2, 4), (4, 4), (3, 1), (1, 5), (2, 1, 3), (2, 3, 4), (1, 2, 1, 3), (2, 1, 3, 2), (2, 2, 3, 3)]
MANY = int(os.environ.get("PENCIL_PROGRAMS", 1000))  # how many programs the slow tests run; ten thousand were run as well
ROOM = 160  # numbers in the largest array
PLAIN, WILD, ZEROS = "plain", "wild", "zeros"


def draw(rng, shape, kind):
    """Numbers for a given: short decimals and ties, draws from the normal distribution, huge and tiny ones, zeros of both signs."""
    whole, normal = rng.integers(-9, 10, shape), rng.normal(size=shape)
    choices = [
        whole.astype(float),
        np.round(normal, 2),
        rng.integers(-4000, 4000, shape) * 0.0005,
        (rng.integers(-9999, 9999, shape) + 0.5) / 10.0 ** rng.integers(0, 5, shape),
        normal,
        rng.uniform(0.01, 3, shape),
    ]
    if kind == WILD:
        choices += [normal * 10.0 ** rng.integers(-12, 12, shape), normal * rng.choice([1e300, 1e-300, 1e150, 1e-150, 1.0], shape)]
    if kind == ZEROS:
        choices += [rng.choice([0.0, -0.0, 1.0, -1.0, 0.5], shape), np.full(shape, rng.choice([0.0, -0.0, 1.0, 0.1]))]
    return np.asarray(choices[rng.integers(len(choices))], float)


class Author:
    """Writes one program. `draws` says how to draw each given again."""

    def __init__(self, seed):
        self.seed, self.rng = seed, np.random.default_rng(seed)
        self.kind = str(self.rng.choice([PLAIN, PLAIN, PLAIN, WILD, ZEROS]))
        self.trace, self.pool, self.draws, self.count = Trace(*self.page()), [], {}, 0

    def page(self):
        return [(3, 4), (3, 4), (3, 4), (2, 3), (4, 6), (6, 9)][self.rng.integers(6)]

    def write(self):  # -> {"program", "draws", "trace"}
        for _ in range(self.rng.integers(1, 4)):
            self.give(self.shape())
        for _ in range(self.rng.integers(6, 22)):
            self.sentence()
        for value in [v for v in self.pool if v.name is None][-6:]:
            self.note(value)
        if self.rng.random() < 0.3:
            self.slopes()
        return self

    def sentence(self):
        how = [self.unary, self.binary, self.binary, self.scalar, self.product, self.reduction, self.movement, self.movement]
        how += [self.choice, self.mask, self.running, self.order, self.power, self.softmax, self.lookup, self.norm, lambda: self.give(self.shape())]
        with np.errstate(all="ignore"):
            value = how[self.rng.integers(len(how))]()
        if value is not None and 0 < value.size <= ROOM:
            self.pool.append(self.note(value) if self.rng.random() < 0.5 else value)

    def slopes(self):
        """The backward pass, from any value; where a slope has no number on paper, as far as it came."""
        value = self.pick(lambda v: v.exact.dtype != bool and np.isfinite(v.exact).all())
        if value is None:
            return
        pull = self.trace.given("pull", draw(self.rng, value.shape, PLAIN))
        self.draws["pull"] = lambda rng: draw(rng, value.shape, PLAIN)
        with contextlib.suppress(ValueError, TraceError), np.errstate(all="ignore"):  # it follows nothing given
            backward(self.trace.note("loss", (value * pull).sum()))

    # ---- what may stand in a sentence

    def shape(self):
        return SHAPES[self.rng.integers(len(SHAPES))]

    def name(self, start):
        self.count += 1
        return f"{start}{self.count}"

    def give(self, shape):
        name = self.name("g")
        self.draws[name] = lambda rng: draw(rng, shape, self.kind)
        self.pool.append(self.trace.given(name, self.draws[name](self.rng)))

    def note(self, value):
        if not np.isfinite(value.exact).all() and self.rng.random() < 0.9:  # a page that is refused at once tells little
            return value
        try:
            return self.trace.note(self.name("v"), value)
        except ValueError:  # no number on paper: not with the numbers that it is recorded with
            return value

    def pick(self, fits=lambda v: True):
        fitting = [v for v in self.pool if fits(v)]
        return fitting[self.rng.integers(len(fitting))] if fitting else None

    def sane(self, test):  # mostly values that an operation is made for, now and then any
        return lambda v: self.rng.random() < 0.03 or (test(v.exact) and test(v.paper))

    def unary(self):
        def within(limit):
            return lambda x: np.abs(x).max() <= limit

        kinds = [
            (np.exp, within(20)), (np.rint, within(1e9)),
            (np.log, lambda x: x.min() > 0), (np.sqrt, lambda x: x.min() >= 0), (np.tanh, lambda x: True),
            (np.negative, lambda x: True), (np.abs, lambda x: True), (np.square, within(1e160)), (np.sin, None), (np.cos, None),
        ]  # fmt: skip
        f, fits = kinds[self.rng.integers(len(kinds))]
        if f in (np.sin, np.cos):  # a wild number has a sine only where both sides have its every bit: in a given
            x = self.pick(lambda v: v.op == "given")
            return f(x) if x is not None and self.rng.random() < 0.3 else f(3 * np.tanh(self.pick() * 1))
        x = self.pick(self.sane(fits))
        return None if x is None else f(x * 1 if x.exact.dtype == bool else x)

    def partner(self, x):  # something that broadcasts with x
        def fits(v):
            try:
                return np.prod(np.broadcast_shapes(v.shape, x.shape)) <= ROOM
            except ValueError:
                return False

        return self.pick(fits)

    def binary(self):
        x = self.pick()
        y = self.partner(x)
        ops = [np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum]
        f = ops[self.rng.integers(len(ops))]
        if f is np.divide and not self.sane(lambda d: np.abs(d).min() > 1e-3)(y):
            return None
        if bool in (x.exact.dtype, y.exact.dtype):
            return np.multiply(x, y)
        return f(x, y)

    def scalar(self):
        c = float(self.rng.choice([2.0, 0.5, -1.0, 3.0, 0.1, 1000.0, 0.0005, 0.0, -0.0, 1e-5, 7.0]))
        x = self.pick(lambda v: v.exact.dtype != bool)
        ways = [lambda: x + c, lambda: c - x, lambda: x * c, lambda: x / (c or 2.0), lambda: np.maximum(x, c), lambda: x**2]
        return ways[self.rng.integers(len(ways))]()

    def product(self):
        x = self.pick(lambda v: v.ndim >= 1 and v.exact.dtype != bool)
        y = self.pick(lambda v: v.ndim >= 1 and v.exact.dtype != bool and x is not None)
        if x is None or y is None:
            return None
        for a, b in ((x, y), (x, y.swapaxes(-1, -2) if y.ndim > 1 else y), (x, x.swapaxes(-1, -2) if x.ndim > 1 else x)):
            try:
                sizes = np.abs(a.exact) @ np.abs(b.exact)
            except ValueError:  # they do not fit
                continue
            if sizes.size <= ROOM and (np.isfinite(sizes).all() or self.rng.random() < 0.05):
                return a @ b
        return None

    def reduction(self):
        x = self.pick()
        f = [np.sum, np.mean, np.max][self.rng.integers(3)]
        some = [d for d in range(x.ndim) if self.rng.random() < 0.5]
        axis = None if self.rng.random() < 0.3 or not some else tuple(some) if len(some) > 1 else some[0] - x.ndim * int(self.rng.integers(2))
        return f(x, axis=axis, keepdims=bool(self.rng.integers(2)))

    def running(self):
        x = self.pick(lambda v: v.ndim >= 1 and v.exact.dtype != bool)
        return None if x is None else np.cumsum(x, int(self.rng.integers(x.ndim)))

    def order(self):  # of a given's numbers, of which many are equal: float noise orders nothing
        x = self.pick(lambda v: v.ndim >= 1 and v.op == "given")
        if x is None:
            return None
        axis = int(self.rng.integers(x.ndim))
        order = np.argsort(x, axis, kind="stable")
        return np.take_along_axis(x * 2 if self.rng.random() < 0.5 else x, order, axis) if self.rng.random() < 0.7 else order

    def power(self):
        x = self.pick(self.sane(lambda v: v.dtype != bool and v.min() > 1e-3 and v.max() < 1e3))
        c = float(self.rng.choice([0.75, -0.5, 3.0, 0.0, -2.0]))
        return None if x is None else x**c if self.rng.random() < 0.7 else np.abs(c) ** np.tanh(x * 1)

    def movement(self):
        return MOVEMENTS[self.rng.integers(len(MOVEMENTS))](self, self.pick(lambda v: v.size <= ROOM / 2))

    def choice(self):  # comparisons and where
        x = self.pick()
        y = self.partner(x)
        compare = [np.greater, np.greater_equal, np.less, np.less_equal, np.equal][self.rng.integers(5)]
        mask = compare(x, y) if self.rng.random() < 0.7 else x
        other = self.partner(mask)
        if np.prod(np.broadcast_shapes(mask.shape, other.shape)) > ROOM:
            return None
        return np.where(mask, other, float(self.rng.choice([0.0, 1.0, -2.5, -np.inf]))) if self.rng.random() < 0.8 else mask

    def mask(self):  # the look-ahead mask of attention
        x = self.pick(lambda v: v.ndim >= 2 and v.exact.dtype != bool)
        return None if x is None else np.where(np.tri(*x.shape[-2:], dtype=bool), x, -np.inf)

    def softmax(self):
        x = self.pick(lambda v: v.ndim >= 1 and v.exact.dtype != bool and np.nan_to_num(v.exact, neginf=0).max() < 600)
        if x is None:
            return None
        lowered = self.note(x - x.max(-1, keepdims=True))
        raised = self.note(np.exp(lowered))
        return raised / self.note(raised.sum(-1, keepdims=True))

    def norm(self):  # layer norm, at times with nothing but noise to divide by
        x = self.pick(lambda v: v.ndim >= 1 and v.shape[-1] > 1 and v.exact.dtype != bool)
        if x is None:
            return None
        away = self.note(x - x.mean(-1, keepdims=True))
        return away / np.sqrt((away * away).mean(-1, keepdims=True) + float(self.rng.choice([0.0, 1e-5])))

    def lookup(self):
        table = self.pick(lambda v: v.ndim >= 1)
        if table is None:
            return None
        shape, rows, name = [(), (1,), (4,), (2, 2)][self.rng.integers(4)], len(table), self.name("ids")
        beyond = [rows, -1, 0.5]
        self.draws[name] = lambda rng: rng.integers(0, rows, shape).astype(float) + (rng.choice(beyond) if rng.random() < 0.08 else 0)
        return table[self.trace.given(name, self.rng.integers(0, rows, shape))]


def _cut(self, x):
    keys = [slice(None), slice(None, None, -1), slice(0, 1), -1, None, ..., slice(1, None) if x.ndim and x.shape[0] > 1 else slice(None)]
    return x[keys[self.rng.integers(len(keys))]] if x.ndim else np.expand_dims(x, 0)


def _turned(self, x):
    order = self.rng.permutation(x.ndim)
    return np.transpose(x, order.tolist()) if x.ndim else np.copy(x)


def _joined(f):
    def join(self, x):
        same = [v for v in self.pool if v.shape == x.shape and v.ndim >= 1]
        return f([x, same[self.rng.integers(len(same))], x]) if same else None

    return join


def _split(f):
    def split(self, x):
        parts = f(x, max(n for n in (1, 2, 3) if n == 1 or x.shape[0] % n == 0 or f is np.array_split)) if x.ndim else [x]
        return parts[self.rng.integers(len(parts))]

    return split


MOVEMENTS = [
    _cut, _turned, _split(np.split), _split(np.array_split),
    *map(_joined, (np.concatenate, np.stack, np.vstack, np.hstack)),
    lambda self, x: np.concatenate([np.ravel(self.pick()), np.ravel(x), np.ravel(self.pick())]),
    lambda self, x: np.reshape(x, (-1, x.shape[-1])) if x.ndim else np.reshape(x, (1, 1)),
    lambda self, x: x.reshape(-1),
    lambda self, x: np.swapaxes(x, 0, -1) if x.ndim else x.copy(),
    lambda self, x: np.moveaxis(x, 0, -1) if x.ndim else x.copy(),
    lambda self, x: np.expand_dims(x, int(self.rng.integers(x.ndim + 1))),
    lambda self, x: np.squeeze(x),
    lambda self, x: np.broadcast_to(x, (2, *x.shape)),
    lambda self, x: np.repeat(x, 2, axis=-1) if x.ndim else np.repeat(x, 2),
    lambda self, x: np.tile(x, 2),
    lambda self, x: np.flip(x),
    lambda self, x: np.roll(x, 1),
    lambda self, x: np.atleast_2d(x),
    lambda self, x: np.diagonal(x) if x.ndim > 1 else np.copy(x),
]  # fmt: skip
