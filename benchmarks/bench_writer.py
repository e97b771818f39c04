"""Training speed and loss of the tiny GPT of chapter 14 against nanoGPT, with the same sizes, text, batch size and number of steps.

The whole training loop is timed: sampling windows, forward, backward, clipping, AdamW; not the evaluation. The two take turns, 200 steps
at a time; nanoGPT's CPU run has ten such turns. On one thread, CPU time is measured. Both are evaluated by our code and, if transformers is
installed, by its GPT-2 with their weights. Run it with `make bench`. For the record:
`python benchmarks/bench_writer.py --data full --passes 10 --record FILE`.
"""

import argparse
import shlex
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import torch
from parts.judge import as_gpt2, judged_loss
from parts.nanogpt import CPU_RUN, Loop, NanoGPT

from pencil.data.text import load
from pencil.experiments import records
from pencil.experiments.training.loop import train
from pencil.experiments.writer.samples import WatchedTask, eval_loss
from pencil.experiments.writer.tiny_gpt import PLANS, TinyGPT, build_model, make_splits, write
from pencil.rounding import show

PROMPT, COUNT, TEMPERATURE = "\n", 300, 0.8
PACKAGES = ("torch", "transformers")
WIDTHS = "{:<10}{:>10}{:>8}{:>12}{:>16}{:>22}{:>18}".format


def parse(argv):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", choices=["embedded", "full"], default="embedded", help="the book's reviews, or tiny Shakespeare")
    parser.add_argument("--characters", type=int, help="take only so many of the text: all")
    parser.add_argument("--passes", type=int, default=1, help="of 200 steps: 1")
    parser.add_argument("--steps", type=int, help="of a pass: 200")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="of the CPU: 1")
    parser.add_argument("--record", type=Path, help="write what was measured to this file, with where and when")
    return parser.parse_args(argv)


def side_by_side(plan, splits):
    """Train both in turns -> our model, nanoGPT's, {name: CPU seconds}."""
    (tokenizer, train_ids, test_ids), sizes, training = splits, plan.sizes, plan.training
    ours = TinyGPT(build_model(sizes, tokenizer, training.seed), tokenizer)
    torch.manual_seed(training.seed)
    theirs = NanoGPT(len(tokenizer.pieces), sizes.max_len, sizes.d_model, sizes.n_heads, sizes.n_layers)
    steps = plan.windows // training.batch_size
    loop = Loop(theirs, torch.from_numpy(train_ids.astype("int64")), training.batch_size, **CPU_RUN | {"steps": steps * training.epochs})
    spent, begun = {"ours": 0.0, "nanoGPT": 0.0}, process_time()

    def turn(passes):
        nonlocal begun
        if passes:
            spent["ours"] += process_time() - begun
            begun = process_time()
            loop.run(steps)
            spent["nanoGPT"] += process_time() - begun
        begun = process_time()

    short = test_ids[: sizes.max_len + 1]  # our loop evaluates after each epoch, within the timing: on one window only
    train(ours.model, WatchedTask(train_ids, short, sizes.max_len, plan.windows, look=turn), training)
    turn(training.epochs)
    return ours, theirs, spent


def examine(model, test_ids, length):
    """The loss in overlapping windows, in non-overlapping windows, and the former by transformers' GPT-2."""
    found = {"loss": eval_loss(model, test_ids, length), "side_by_side": eval_loss(model, test_ids, length, stride=length)}
    return found | ({"judged": judged_loss(as_gpt2(model), test_ids, length)} if find_spec("transformers") else {})


def measure(given):
    """The result for the record."""
    plan = PLANS["full"]
    windows = plan.windows if given.steps is None else given.steps * plan.training.batch_size
    plan = replace(plan, training=replace(plan.training, epochs=given.passes, seed=given.seed), windows=windows)
    splits = tokenizer, _, test_ids = make_splits(load(given.data)[: given.characters])
    ours, theirs, spent = side_by_side(plan, splits)
    torch.manual_seed(given.seed)
    written = theirs.generate(torch.from_numpy(tokenizer.encode(PROMPT).astype("int64"))[None], COUNT, TEMPERATURE)
    texts = {
        "ours": write(ours, PROMPT, COUNT, TEMPERATURE, seed=given.seed),
        "nanoGPT": tokenizer.decode(written[0].numpy()),
    }
    found = {}
    for name, model in {"ours": ours.model, "nanoGPT": theirs}.items():
        count = sum(p.numel() for p in model.parameters())
        exams = {key: records.as_recorded(loss) for key, loss in examine(model, test_ids, plan.sizes.max_len).items()}
        found[name] = {"n_parameters": count, "cpu_seconds": records.as_recorded(spent[name]), **exams, "text": texts[name]}
    steps = given.passes * plan.windows // plan.training.batch_size
    return {"data": given.data, "steps": steps, "batch": plan.training.batch_size, "threads": given.threads, "writers": found}


def main(argv):
    given = parse(argv)
    torch.set_num_threads(given.threads)
    found = measure(given)
    print(f"writers beside one another: {found['steps']} steps of {found['batch']} windows, {records.cpu(given.threads)}")
    print(WIDTHS("", "weights", "s", "× faster", "loss", "side by side", "by transformers"))
    base = found["writers"]["nanoGPT"]["cpu_seconds"]
    for name, one in found["writers"].items():
        judged = show(one["judged"]) if "judged" in one else "not installed"
        took = one["cpu_seconds"]
        print(WIDTHS(name, one["n_parameters"], show(took, 1), show(base / took, 2), show(one["loss"]), show(one["side_by_side"]), judged))
    if given.record:
        command = shlex.join(["python", "benchmarks/bench_writer.py", *argv])
        records.write(given.record, found, records.provenance(command, given.seed, records.cpu(given.threads), hashes(given.data), PACKAGES))


def hashes(data):
    """The sha256 of the text, unless it is the embedded one."""
    from pencil.data.downloads import sha256_of

    return {"shakespeare": sha256_of("shakespeare")} if data == "full" else {}


if __name__ == "__main__":
    main(sys.argv[1:])
