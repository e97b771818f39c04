"""Attention that stores the score matrix against attention that does not: time and memory, forward and forward plus backward."""

import resource
import subprocess
import sys
from time import perf_counter

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.records import as_recorded
from pencil.model.flash import flash_attention
from pencil.paths import ROOT

HEADS, WIDTH, LENGTHS, ROUNDS, TILE = 8, 64, (2048, 4096, 8192), 3, (512, 512)
GPU_LENGTHS, GPU_ROUNDS = (4096, 8192, 16384), 5
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}  # on a GPU; its fast products are those of 16 bits


def square(query, key, value):
    """Attention as the formula has it, with the whole (T, T) score matrix."""
    return (query * query.shape[-1] ** -0.5 @ key.mT).softmax(-1) @ value


def tiled(query, key, value):
    """The book's flash attention in plain torch."""
    return flash_attention(query, key, value, block_size=TILE)[0]


def kernel(query, key, value):
    """The book's Triton kernel, on a GPU."""
    from pencil.model.flash_kernel import flash_attention as fused  # Triton may be missing where there is no GPU

    return fused(query, key, value)


def sdpa_of_three_axes(query, key, value):
    """torch's attention without a batch axis: on a CPU it then silently falls back to the score matrix (torch 2.13)."""
    return F.scaled_dot_product_attention(query[0], key[0], value[0])[None]


WAYS = {"square": square, "tiled": tiled, "sdpa": F.scaled_dot_product_attention, "sdpa_of_three_axes": sdpa_of_three_axes}


def rows(length, learns=False, device="cpu", dtype=torch.float32):  # -> query, key, value: (1, heads, length, width)
    """Random inputs, the same for the same length; `learns` sets requires_grad."""
    generator = torch.Generator().manual_seed(length)
    return [torch.randn(1, HEADS, length, WIDTH, generator=generator).to(device, dtype).requires_grad_(learns) for _ in range(3)]


def run(way, arrays):
    """Forward and, if the arrays require gradients, backward."""
    out = way(*arrays)
    if out.requires_grad:
        out.sum().backward()
    if out.is_cuda:
        torch.cuda.synchronize()


def peak(name, length, learns):  # -> MiB
    """The peak memory beyond that of the inputs. Measured in a new process, since a process's maximum RSS never decreases."""
    code = f"from {__name__} import _peak_here; print(_peak_here({name!r}, {length}, {learns}, {torch.get_num_threads()}))"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, cwd=ROOT).stdout)


def _peak_here(name, length, learns, threads):
    torch.set_num_threads(threads)
    run(WAYS[name], rows(64, learns=learns))  # loads libraries
    arrays = rows(length, learns=learns)
    before = _most_held()
    run(WAYS[name], arrays)
    return _most_held() - before


def _most_held():  # MiB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def seconds(ways, length, rounds, learns=False, **placed):  # {name: function} -> {name: median}
    """The median time of each function; the rounds are interleaved, so that other load on the machine affects all alike.

    `placed` is the device and the dtype of `rows`.
    """
    arrays, taken = rows(length, learns, **placed), []
    for way in ways.values():
        run(way, rows(64, learns, **placed))
    for _ in range(rounds):
        taken.append([_seconds(way, arrays) for way in ways.values()])
    return dict(zip(ways, as_recorded(np.median(taken, 0)), strict=True))


def _seconds(way, arrays):
    start = perf_counter()
    run(way, arrays)
    return perf_counter() - start


def measure(seed=0, threads=2, lengths=LENGTHS, rounds=ROUNDS):  # -> JSON-able, for `python -m pencil record flash_memory`
    """The seconds of a forward pass for each length, and the memory in MiB at the last one, forward and for a training step."""
    torch.set_num_threads(threads)
    longest = lengths[-1]
    found = {"heads": HEADS, "width": WIDTH, "tile": list(TILE), "lengths": list(lengths), "rounds": rounds}
    found["square_mib"] = HEADS * longest**2 * 4 / 2**20
    found["mib"] = {name: as_recorded(peak(name, longest, False)) for name in WAYS}
    found["training_mib"] = {name: as_recorded(peak(name, longest, True)) for name in WAYS}
    return found | {"seconds": _by_length(WAYS, lengths, rounds)}


def _by_length(ways, lengths, rounds, **asked):  # -> {name: [seconds, by length]}
    taken = [seconds(ways, length, rounds, **asked) for length in lengths]
    return {name: [one[name] for one in taken] for name in ways}


def measure_gpu(seed=0, device="cpu", lengths=GPU_LENGTHS, rounds=GPU_ROUNDS):  # -> JSON-able, for `python -m pencil record flash_kernel`
    """The same on a GPU, in each of DTYPES, with the book's Triton kernel as well. Raises ValueError for any device but cuda."""
    if device != "cuda":
        raise ValueError("flash_kernel is measured on a GPU: type `python -m pencil record flash_kernel --device cuda` where there is one")
    ways = WAYS | {"kernel": kernel}
    found = {"heads": HEADS, "width": WIDTH, "tile": list(TILE), "lengths": list(lengths), "rounds": rounds}
    for name, dtype in DTYPES.items():
        both = {"": False, "training_": True}
        found[name] = {f"{kind}mib": {way: _gpu_peak(ways[way], lengths[-1], learns, dtype) for way in ways} for kind, learns in both.items()}
        for kind, learns in both.items():
            found[name][f"{kind}seconds"] = _by_length(ways, lengths, rounds, learns=learns, device=device, dtype=dtype)
    return found


def _gpu_peak(way, length, learns, dtype):  # -> MiB
    arrays = rows(length, learns, "cuda", dtype)
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    run(way, arrays)
    return as_recorded((torch.cuda.max_memory_allocated() - before) / 2**20)
