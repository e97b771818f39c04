"""A linear layer in int8 against float32: time and size, for one row and for many, in three ways to compute with whole numbers."""

import warnings

import numpy as np
import torch

from pencil.experiments.facts.norms_speed import time_in_turns
from pencil.experiments.records import as_recorded
from pencil.model.module import linear, seeded
from pencil.model.quantization import QuantizedLinear, absmax_quantize

WIDTHS, ROWS, ROUNDS = (256, 1024, 2048), (1, 128), 40


class WholeProduct(torch.nn.Module):
    """Rows in whole numbers too, and one product of whole numbers; both scales at the end (Dettmers et al. 2022)."""

    def __init__(self, base):
        super().__init__()
        whole, scale = absmax_quantize(base.weight.detach())
        self.whole, self.scale = whole.T.contiguous(), scale.T

    def forward(self, x):  # (rows, d_in) -> (rows, d_out)
        whole, scale = absmax_quantize(x)
        return torch._int_mm(whole, self.whole) * scale * self.scale


def packed(base):  # -> module
    """torch's own int8 layer: weights packed for the processor's instructions, rows quantized as they come."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch announces that it will move to a package of its own
        return torch.ao.quantization.quantize_dynamic(torch.nn.Sequential(base), {torch.nn.Linear}, dtype=torch.qint8)


def layers(width, seed=0):  # -> {name: layer}
    """The same layer in each way."""
    with seeded(seed):
        base = linear(width, width, bias=False).eval()
    return {"float32": base, "unpacked": QuantizedLinear(base), "whole": WholeProduct(base), "library": packed(base)}


def told(width, rows, rounds, seed):  # -> JSON-able
    """Microseconds of each way, its time over float32's round by round (quartiles), and how far its numbers are off."""
    made = layers(width, seed)
    x = torch.from_numpy(np.random.default_rng(seed).normal(size=(rows, width)).astype(np.float32))
    seconds = time_in_turns(list(made.values()), x, rounds)
    exact = made["float32"](x)
    return {
        name: {
            "microseconds": as_recorded(np.median(seconds[:, k]) * 1e6),
            "ratio": as_recorded(np.quantile(seconds[:, k] / seconds[:, 0], (0.25, 0.5, 0.75))),
            "off": as_recorded(((layer(x) - exact).norm() / exact.norm()).item()),
        }
        for k, (name, layer) in enumerate(made.items())
    }


@torch.no_grad()
def measure(seed=0, threads=1, widths=WIDTHS, rows=ROWS, rounds=ROUNDS):  # -> JSON-able, for `python -m pencil record int8_speed`
    """By rows and width: what `told` says, and the bytes of a layer's weight in float32, and in int8 with a scale for each row."""
    torch.set_num_threads(threads)
    return {
        "widths": list(widths),
        "rows": list(rows),
        "rounds": rounds,
        "bytes": [[4 * width * width, width * width + 4 * width] for width in widths],
        "by_rows": {str(n): [told(width, n, rounds, seed) for width in widths] for n in rows},
    }
