"""A linear layer in int8 against float32: time and size, for one row and for many, with three int8 implementations."""

import warnings

import numpy as np
import torch

from pencil.experiments.facts.norms_speed import time_in_turns
from pencil.experiments.records import as_recorded
from pencil.model.module import linear, seeded
from pencil.model.quantization import QuantizedLinear, absmax_quantize

WIDTHS, ROWS, ROUNDS = (256, 1024, 2048), (1, 128), 40


class IntegerProduct(torch.nn.Module):
    """Activations quantized row by row, an integer matrix product, and both scales applied to the result (Dettmers et al. 2022)."""

    def __init__(self, base):
        super().__init__()
        quantized, scale = absmax_quantize(base.weight.detach())
        self.quantized, self.scale = quantized.T.contiguous(), scale.T

    def forward(self, x):  # (rows, d_in) -> (rows, d_out)
        quantized, scale = absmax_quantize(x)
        return torch._int_mm(quantized, self.quantized) * scale * self.scale


def packed(base):  # -> module
    """torch's dynamically quantized linear layer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch.ao is deprecated in favour of torchao
        return torch.ao.quantization.quantize_dynamic(torch.nn.Sequential(base), {torch.nn.Linear}, dtype=torch.qint8)


def layers(width, seed=0):  # -> {name: layer}
    """The same layer in each implementation."""
    with seeded(seed):
        base = linear(width, width, bias=False).eval()
    return {"float32": base, "unpacked": QuantizedLinear(base), "integers": IntegerProduct(base), "library": packed(base)}


def told(width, rows, rounds, seed):  # -> JSON-able
    """For each implementation: microseconds, the ratio to float32's time in each round (quartiles), and the error of its output."""
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
    """The result of `told` by rows and width, and the bytes of the weight in float32 and in int8 with a scale for each row."""
    torch.set_num_threads(threads)
    return {
        "widths": list(widths),
        "rows": list(rows),
        "rounds": rounds,
        "bytes": [[4 * width * width, width * width + 4 * width] for width in widths],
        "by_rows": {str(n): [told(width, n, rounds, seed) for width in widths] for n in rows},
    }
