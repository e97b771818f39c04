"""LayerNorm against RMSNorm: the time in NumPy, torch and compiled torch, and of a whole block."""

from dataclasses import replace
from time import perf_counter

import numpy as np
import torch
import torch.nn.functional as F

from pencil import reference
from pencil.experiments.records import as_recorded
from pencil.model.blocks import Block
from pencil.model.config import Config
from pencil.note import no_note
from pencil.reference.functional import LayerNormParams, _layer_norm, _rms_norm

ROWS, WIDTHS, ROUNDS, EPS = 512, (256, 768, 2048), 200, 1e-5
BLOCK_WIDTH, BLOCK_ROUNDS = 768, 20


def in_numpy(function):
    """A norm of the reference in plain NumPy, without the check of its arguments."""
    return lambda x: function(x, LayerNormParams(), EPS, no_note)


def in_torch(function, width):
    """A norm of torch without gain and bias."""
    return lambda x: function(x, (width,), eps=EPS)


def pairs(width, rows=ROWS, compiled=True):  # -> {name: (LayerNorm, RMSNorm, their argument)}
    """The functions to compare, by where they run."""
    x = _rows(rows, width)
    norms = [in_torch(function, width) for function in (F.layer_norm, F.rms_norm)]
    found = {"numpy": (in_numpy(_layer_norm), in_numpy(_rms_norm), x.numpy()), "torch": (*norms, x)}
    if compiled:
        found["compiled"] = (*(torch.compile(norm, dynamic=False) for norm in norms), x)
    return found


def blocks(width, rows=ROWS):  # -> a block with LayerNorm, one with RMSNorm, their argument
    """Two blocks that differ only in their norms."""
    config = Config(width, max(1, width // 64), eps=EPS, affine=False)
    return Block(config).eval(), Block(replace(config, norm=reference.rms_norm)).eval(), _rows(rows, width)


def _rows(rows, width):
    return torch.from_numpy(np.random.default_rng(0).normal(size=(rows, width)).astype(np.float32))


def time_in_turns(functions, x, rounds):  # -> (rounds, functions) seconds
    """Time the functions in interleaved rounds, so that other load on the machine affects all alike."""
    for function in functions:
        function(x)  # the first call compiles
    return np.array([[_seconds(function, x) for function in functions] for _ in range(rounds)])


def _seconds(function, x):
    start = perf_counter()
    function(x)
    return perf_counter() - start


def _told(functions, x, rounds):  # -> {"microseconds": two medians, "ratio": three quartiles}
    seconds = time_in_turns(functions, x, rounds)
    ratio = np.quantile(seconds[:, 1] / seconds[:, 0], (0.25, 0.5, 0.75))
    return {"microseconds": as_recorded(np.median(seconds, 0) * 1e6), "ratio": as_recorded(ratio)}


@torch.no_grad()
def measure(seed=0, threads=1, widths=WIDTHS, rounds=ROUNDS, block_rounds=BLOCK_ROUNDS, rows=ROWS, compiled=True):  # -> JSON-able
    """By place and width: the median microseconds of both, and the quartiles of RMSNorm's time over LayerNorm's within a round."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    found = {}
    for width in widths:
        for name, (layer, rms, x) in pairs(width, rows, compiled).items():
            found.setdefault(name, []).append(_told((layer, rms), x, rounds))
    layer, rms, x = blocks(BLOCK_WIDTH, rows)
    found |= {"block": _told((layer, rms), x, block_rounds), "block_width": BLOCK_WIDTH, "block_rounds": block_rounds}
    return {"rows": rows, "widths": list(widths), "rounds": rounds} | found
