"""Speed of the torch models relative to peers, in one run.

The two models of a row are timed in interleaved rounds after a warm-up; the median counts. Peers do the same work: the same sizes, number of
parameters, activation and mask. The bare matrix products of the weights (torch.mm), which both models have in common, are timed in the same
rounds: "at most" is the speedup that a model of these alone would have. "Kernels" is the speedup of the torch kernels that ours runs, replayed
one by one without modules and autograd: what is missing there can be gained by other kernels only, the rest by fewer calls. A large square
matrix product is timed in the same rounds too: its speed is the measured peak of the machine, of which each row shows a fraction. On one CPU
thread, CPU time is measured instead of wall-clock time.

Limits on one CPU thread, as the columns and the last line show: a training step at these sizes is 78 % matrix products and 12 % attention, in torch
kernels that a peer calls too. If everything else were free, ours would be 1.2 to 1.3 times as fast as transformers'; it is 1.1 to 1.2 times, within
a few per cent of its "kernels" (query, key and value are views of one product, nothing large is copied, the optimizer is fused; compiling does not
help). Half of the gain is transformers' GELU, which takes many passes, and half is the memory that transformers frees and allocates again, 40,000
pages per step: with MALLOC_TRIM_THRESHOLD_ set to keep them, the speedup is 1.07. nanoGPT is ahead because its GELU has no tanh, 26 ms per step
against 60. Attention as two products and a softmax takes one and a half times as long as torch's kernel.

Generation at a width of 256 is bound by reading the weights, 13.6 MB per token, so that eager "kernels" is below 3, and only a compiled step,
with its own kernels for a single row, is 3 times as fast as `generate`. At the size of the book's page the weights are in the CPU's cache, and call
overhead dominates: there eager is about 3 times as fast too. Prefill is compared with matrix products and attention alone; norms, GELU and sums come
on top, so no model reaches 1.

The mixture of experts does the same products as Mixtral's, and little else takes time, so there is little to gain at these sizes. Generation from
a checkpoint is bound by memory as well, half a GB per token for GPT-2; our weights are column-major, which a CPU reads faster for a single row.

On an H200, a training step of GPT-2 124M (recorded/bench_model_cuda.json; 8 texts of 1,024 tokens, bfloat16, 25 rounds) is 1.22 times as fast
as transformers' and as fast as nanoGPT's (1.01); compiled 1.07 and 0.97 times, at 35 % of the chip's nominal peak.
Matrix products take 71 % of the eager step, attention 8 %. The bare products are single calls that a compiled step overtakes, so "at most" bounds
nothing there.

Run it with `make bench`. On a GPU: `python benchmarks/bench_model.py --device cuda --gpt2 --record FILE`; with `--only training` a part of it.
"""

import argparse
import sys
from dataclasses import asdict, replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import torch
from parts.clock import cannot_compile
from parts.contenders import block_rows, step_shares, training_rows, writer_rows
from parts.mixtures import mixture_rows
from parts.opened import opened_rows
from parts.setting import DTYPES, SEED, Setting, device_name, peak, provenance
from parts.writing import compiled_writing_rows, reading_rows, writing_rows

from pencil.experiments import records
from pencil.experiments.writer.tiny_gpt import PLANS
from pencil.rounding import show

USUAL = {"dtype": "float32", "batch": 32, "length": 128, "width": 256, "heads": 8, "blocks": 4, "rows": 1000}
FULL = {"length": 1024, "width": 768, "heads": 12, "blocks": 12, "rows": 50257}  # GPT-2 124M
GPT2_124M = {"dtype": "bfloat16", "batch": 8, **FULL}
PARTS = ("block", "decoder", "mixture", "training", "prefill", "generation", "checkpoints")
SQUARES = {"cpu": 1024, "cuda": 8192}  # a GPU reaches its peak in larger products only
WIDTHS = "{:<42}{:<34}{:>10}{:>10}{:>9}{:>9}{:>9}   {}".format


def parse(argv):
    """Parse the command line -> Setting, parts to measure, threads, file to record in."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--dtype", choices=DTYPES, help="float32; with --gpt2 bfloat16")
    for name in ("batch", "length", "width", "heads", "blocks", "rows"):
        parser.add_argument(f"--{name}", type=int, help=f"{USUAL[name]}; with --gpt2 {GPT2_124M[name]}")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=1, help="of the CPU: 1")
    parser.add_argument("--gpt2", action="store_true", help="the sizes of GPT-2 124M, and the whole of it as well as its block")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=f"only these rows: {' '.join(PARTS)}")
    parser.add_argument("--record", type=Path, help="write what was measured to this file, with where and when")
    given = parser.parse_args(argv)
    usual = GPT2_124M if given.gpt2 else USUAL
    sizes = {name: value if getattr(given, name) is None else getattr(given, name) for name, value in usual.items()}
    setting = Setting(given.device, **sizes, rounds=given.rounds, whole=given.gpt2, square=SQUARES[given.device])
    return setting, given.only, given.threads, given.record


def measure(setting, compiles, only=PARTS):
    """Yield the rows of these parts."""
    return chain.from_iterable(rows for part, rows in _rows(setting, compiles) if part in only)


def _rows(setting, compiles):  # -> (part, generator of its rows): nothing runs before it is asked for
    for part, rows in (("block", block_rows), ("decoder", writer_rows)) if setting.whole else (("block", block_rows),):
        yield part, rows(setting)
        if compiles:
            yield part, rows(setting, compiled=True)
    yield "mixture", mixture_rows(setting)
    yield "training", training_rows(setting)
    if compiles and setting.whole:
        yield "training", training_rows(setting, compiled=True)
    yield "prefill", reading_rows(setting)
    yield "generation", writing_rows(setting)
    if compiles:
        yield "generation", compiled_writing_rows(setting)
    if not setting.whole:
        small = setting.like(PLANS["embedded"].sizes)
        yield "training", training_rows(small, "tiny GPT")
        yield "generation", writing_rows(small, "tiny GPT: ", grows=False)
        if compiles:
            yield "generation", compiled_writing_rows(small, "tiny GPT: ")
        yield "checkpoints", opened_rows(setting, "Llama")
        yield "checkpoints", opened_rows(replace(setting, **FULL), "GPT-2")


def line(row, top):
    """A row as text, with its fraction of the measured peak, and of the chip's nominal peak if that is known."""
    rates = [f"{show(row.per_second, 0)} words a second"] if row.words else []
    rates += [f"{show(row.tflops, 3)} TFLOP/s"] if row.operations else []
    rates += [f"{show(100 * row.share, 1)} % of a large product"] if row.operations and row.share else []
    rates += [f"{show(100 * row.tflops / top, 1)} % of peak"] if top and row.operations else []
    kernels = show(row.with_kernels, 2) if row.with_kernels else ""
    times = show(row.ours_ms), show(row.peer_ms), show(row.faster, 2), kernels, show(row.at_most, 2)
    return WIDTHS(row.what, row.peer, *times, ", ".join(rates))


def say_what(setting, top, reason):
    """Print the notes below the table."""
    versions = provenance(setting, ())["versions"]
    print(f"model against peers: {device_name(setting)}; {', '.join(f'{name} {version}' for name, version in versions.items())}")
    print(f"batch {setting.batch}, length {setting.length}, width {setting.width}, {setting.heads} heads, {setting.dtype};", end=" ")
    print(f"a whole writer has blocks: {setting.blocks}, rows: {setting.rows}; median of {setting.rounds} rounds in turns")
    if find_spec("transformers") is None:
        print("transformers: not measured, for it is not installed (python -m pencil env slow)")
    if reason:
        print(f"compiled: not measured, for torch.compile cannot run here: {reason}")
    if setting.device == "cuda" and top is None:
        print(f"share of peak: left out, for the table of peaks has no {setting.dtype} of {device_name(setting)}")
    print("\n" + WIDTHS("what", "peer", "ours, ms", "peer, ms", "× faster", "kernels", "at most", "ours"))


def record(file, setting, argv, top, rows, spent):
    """Write the record: the rows with their provenance."""
    rates = [
        {"faster": row.faster, "with_kernels": row.with_kernels, "at_most": row.at_most}
        | ({"tflops": row.tflops, "share": row.share} if row.operations else {})
        | ({"per_second": row.per_second} if row.words else {})
        for row in rows
    ]
    found = {
        "setting": asdict(setting),
        "peak_tflops": top,
        "step_shares": spent,
        "rows": [asdict(row) | rate for row, rate in zip(rows, rates, strict=True)],
    }
    records.write(file, found, provenance(setting, argv))


def main(argv):
    setting, only, threads, file = parse(argv)
    torch.manual_seed(SEED)
    torch.set_num_threads(threads)
    top, reason = peak(device_name(setting), setting.dtype), cannot_compile(setting.device)
    say_what(setting, top, reason)
    rows = []
    for row in measure(setting, reason is None, only):
        rows.append(row)
        print(line(row, top), flush=True)
    if not rows:
        sys.exit(f"nothing was measured: {' '.join(only)} has rows {'without' if setting.whole else 'with'} --gpt2 only")
    spent = step_shares(setting) if "training" in only else {}
    if spent:
        print("\na training step of ours: " + ", ".join(f"{kind} {show(100 * share, 1)} %" for kind, share in spent.items()))
    if file:
        record(file, setting, argv, top, rows, spent)


if __name__ == "__main__":
    main(sys.argv[1:])
