"""How fast the torch model is beside its peers, as ratios within one run.

Both of a row are timed in turns, a little of one and a little of the other; the median of the rounds counts. Both are warm
before the first round, and compiled where the row says so. Peers do the same work: the same sizes, count of learned numbers,
bend and mask. The bare matrix products of the learned grids are timed in the same turns: ours and the peer have them in common,
and "at most" is what would be left with these alone, done by torch.mm. "Kernels" is what would be left
with the kernels of torch that ours runs, called one by one from Python without modules and autograd: what is large there is won by other
kernels alone, what is small by calling fewer. A product of two large squares is timed in the same turns too: its speed is the peak that
the machine has been seen to reach, and each row says its share of it. On one thread of a CPU the time that counts is the processor's, so
that what else the machine does is none of it.

What no model can win on one thread of a CPU, the columns and the last line say. A training step at these sizes is to 78 % matrix products and to
12 % attention, in kernels of torch that a peer calls too. Were all else free, it would be 1.2 to 1.3 times as fast as transformers'; so it is 1.1 to
1.2 times, within some per cent of its "kernels" (query, key and value are views of one product, nothing large is copied, the optimiser is fused;
compiled it is no faster). Half of what it wins are the many passes of transformers' GELU, and half the memory that transformers gives back and asks
for anew, 40,000 pages a step: where MALLOC_TRIM_THRESHOLD_ keeps them, it is 1.07 times. nanoGPT is ahead by its GELU without tanh, 26 ms a step
against 60. Attention as two products and a softmax takes one and a half times as long as torch's kernel.

Writing word by word at a width of 256 waits for the weights, 13.6 MB for each word, so that eager "kernels" is below 3 and only a compiled step,
whose loops for one row replace the library's, is 3 times as fast as `generate`. At the size of the book's page the weights lie in the processor's
cache, and calls are what costs: there eager is about 3 times as fast too. Reading at once is held against products and attention alone; norms, GELU
and sums come on top, so nothing that has them reaches 1.

The experts do the same products as Mixtral's, and little else takes time: there is next to nothing to win at these sizes. A checkpoint that is opened
waits for its weights as well, half a GB for each word of GPT-2; ours lie column by column, which a CPU reads faster for a single row.

Run it with `make bench`. On a GPU: `python benchmarks/bench_model.py --device cuda --gpt2 --record FILE`.
"""

import argparse
import sys
from dataclasses import asdict, replace
from importlib.util import find_spec
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
FULL = {"length": 1024, "width": 768, "heads": 12, "blocks": 12, "rows": 50257}  # GPT-2 124M as it is given out
GPT2_124M = {"dtype": "bfloat16", "batch": 8, **FULL}
WIDTHS = "{:<42}{:<34}{:>10}{:>10}{:>9}{:>9}{:>9}   {}".format


def parse(argv):
    """The words of the command line -> Setting, threads, file to record in."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--dtype", choices=DTYPES, help="float32; with --gpt2 bfloat16")
    for name in ("batch", "length", "width", "heads", "blocks", "rows"):
        parser.add_argument(f"--{name}", type=int, help=f"{USUAL[name]}; with --gpt2 {GPT2_124M[name]}")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=1, help="of the CPU: 1")
    parser.add_argument("--gpt2", action="store_true", help="the sizes of GPT-2 124M, and the whole of it as well as its block")
    parser.add_argument("--record", type=Path, help="write what was measured to this file, with where and when")
    given = parser.parse_args(argv)
    usual = GPT2_124M if given.gpt2 else USUAL
    sizes = {name: value if getattr(given, name) is None else getattr(given, name) for name, value in usual.items()}
    return Setting(given.device, **sizes, rounds=given.rounds, whole=given.gpt2), given.threads, given.record


def measure(setting, compiles):
    """Every row, as it is done."""
    for rows in (block_rows, writer_rows) if setting.whole else (block_rows,):
        yield from rows(setting)
        if compiles:
            yield from rows(setting, compiled=True)
    yield from mixture_rows(setting)
    yield from training_rows(setting)
    if compiles and setting.whole:
        yield from training_rows(setting, compiled=True)
    yield from reading_rows(setting)
    yield from writing_rows(setting)
    if compiles:
        yield from compiled_writing_rows(setting)
    if not setting.whole:
        small = setting.like(PLANS["embedded"].sizes)
        yield from training_rows(small, "tiny GPT")
        yield from writing_rows(small, "tiny GPT: ", grows=False)
        if compiles:
            yield from compiled_writing_rows(small, "tiny GPT: ")
        yield from opened_rows(setting, "Llama")
        yield from opened_rows(replace(setting, **FULL), "GPT-2")


def line(row, top):
    """One row of the table, with its share of a large product's speed, and of what the chip can do at most, where that is known."""
    rates = [f"{show(row.per_second, 0)} words a second"] if row.words else []
    rates += [f"{show(row.tflops, 3)} TFLOP/s"] if row.operations else []
    rates += [f"{show(100 * row.share, 1)} % of a large product"] if row.operations and row.share else []
    rates += [f"{show(100 * row.tflops / top, 1)} % of peak"] if top and row.operations else []
    kernels = show(row.with_kernels, 2) if row.with_kernels else ""
    times = show(row.ours_ms), show(row.peer_ms), show(row.faster, 2), kernels, show(row.at_most, 2)
    return WIDTHS(row.what, row.peer, *times, ", ".join(rates))


def say_what(setting, top, reason):
    """Everything that a reader of the table has to know, and what it leaves out."""
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
    """What was measured, with where, when and how."""
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
    setting, threads, file = parse(argv)
    torch.manual_seed(SEED)
    torch.set_num_threads(threads)
    top, reason = peak(device_name(setting), setting.dtype), cannot_compile(setting.device)
    say_what(setting, top, reason)
    rows = []
    for row in measure(setting, compiles=reason is None):
        rows.append(row)
        print(line(row, top), flush=True)
    spent = step_shares(setting)
    print("\na training step of ours: " + ", ".join(f"{kind} {show(100 * share, 1)} %" for kind, share in spent.items()))
    if file:
        record(file, setting, argv, top, rows, spent)


if __name__ == "__main__":
    main(sys.argv[1:])
