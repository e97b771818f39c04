"""Random programs in which every step is noted, for testing number formats."""

import numpy as np
import torch

from pencil.trace import Trace

SHAPES = [(), (3,), (2, 3), (3, 1), (1, 3)]


def equal(here, there):
    """The same numbers, or none on both sides. Of 0 and −0 the standard does not say which is the greater."""
    return (here == there) | (np.isnan(here) & np.isnan(there))


class Plain:
    """Writes one, and notes each step: + − × ÷ √, the greater and the smaller, choices and moves, with IEEE 754 leaving no choice in any step."""

    def __init__(self, seed):
        self.rng, self.trace, self.pool = np.random.default_rng(seed), Trace(places=9, figures=None), []

    def write(self):
        for k in range(3):
            shape = SHAPES[self.rng.integers(len(SHAPES))]
            size = 10.0 ** self.rng.integers(-3, 3)
            self.pool.append(self.trace.given(f"g{k}", np.round(self.rng.normal(size=shape) * size, 4)))
        for _ in range(self.rng.integers(4, 12)):
            with np.errstate(all="ignore"):
                self.sentence()
        return self.trace

    def sentence(self):
        x, y = (self.pool[self.rng.integers(len(self.pool))] for _ in range(2))
        ways = [
            lambda: x + y, lambda: x - y, lambda: x * y, lambda: x / self.note(np.abs(y) + 1), lambda: np.maximum(x, y), lambda: np.minimum(x, y),
            lambda: np.sqrt(np.abs(x)), lambda: -x, lambda: np.where(x > y, x, 0.5), lambda: np.abs(x), lambda: x.max(), lambda: x.reshape(-1)[::-1],
            lambda: x * 2.0, lambda: x * x, lambda: np.rint(x),
        ]  # fmt: skip
        try:
            value = ways[self.rng.integers(len(ways))]()
            if np.size(value.exact) <= 9:
                self.note(value)
        except ValueError:  # shapes that do not fit, or no number on paper
            return

    def note(self, value):
        self.pool.append(self.trace.note(f"v{len(self.pool)}", value))
        return self.pool[-1]


def in_torch(trace, dtype):  # -> {name: tensor of the dtype}
    """The program on tensors of a dtype. What has no name is worked in float32, as torch itself does for numbers of few bits."""
    done, wide = {}, torch.float32
    for step in trace.steps:
        args = [done[a.id] for a in step.args]
        if step.op in ("given", "constant"):
            value = torch.from_numpy(step.exact.copy())
            done[step.id] = value if value.dtype == torch.bool else value.to(wide)
            if step.op == "given":
                done[step.id] = done[step.id].to(dtype).to(wide)
        elif step.op == "note":
            done[step.id] = args[0].to(dtype).to(wide)
        else:
            done[step.id] = IN_TORCH[step.op](step, *args)
    return {name: done[step.id].to(dtype) for name, step in trace.names.items()}


def moved(step, *args):
    flat = torch.cat([a.reshape(-1) for a in args])
    return flat[torch.from_numpy(np.asarray(step.attrs["index"])).long()].reshape(step.shape)


IN_TORCH = {
    "exp": lambda step, x: x.exp(),
    "where": lambda step, mask, x, y: torch.where(mask, x, y),
    "matmul": lambda step, x, y: x @ y,
    "maximum": lambda step, x, y: torch.maximum(x, y),
    "minimum": lambda step, x, y: torch.minimum(x, y),
    "sqrt": lambda step, x: x.double().sqrt().to(x.dtype),  # float32's own is a bit off: √0.99951171875 is 0x1.ffdffep-1, and torch says 0x1.ffep-1
    "absolute": lambda step, x: x.abs(),
    "rint": lambda step, x: x.round(),
    "add": lambda step, x, y: x + y,
    "subtract": lambda step, x, y: x - y,
    "multiply": lambda step, x, y: x * y,
    "divide": lambda step, x, y: x / y,
    "negative": lambda step, x: -x,
    "greater": lambda step, x, y: x > y,
    "max": lambda step, x: x.amax(step.attrs["axis"], keepdim=step.attrs["keepdims"]) if x.ndim else x,
    "sum": lambda step, x: x.sum(step.attrs["axis"], keepdim=step.attrs["keepdims"]),
    "gather": moved,
}  # fmt: skip
