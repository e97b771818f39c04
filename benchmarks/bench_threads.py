"""Training speed on one thread and on several, on an idle machine and with two busy loops per core.

Threads that spin while they wait take CPU time from the thread that they wait for. So `python -m pencil` sets libgomp's
`OMP_WAIT_POLICY=PASSIVE`. Both policies are measured; with PASSIVE, several threads must reach half of one thread's speed beside the busy
loops, or the exit code is 1. The model is the Transformer of chapter 08, on full rows.

Run it with `make bench`. For the record: `python benchmarks/bench_threads.py --seconds 30 --record FILE`, on an idle machine.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("numpy", "torch")
SEED = 0  # of the first epoch; incremented for each further one
LOOPS, LEAST = 2, 0.5  # busy loops per core; required fraction of one thread's speed
WAITS = ("PASSIVE", "ACTIVE")  # the policy of `python -m pencil`, and libgomp's default
WIDTHS = "{:<10}{:>8}{:>14}{:>14}{:>16}".format


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=max(2, os.cpu_count() or 2), help="beside one: as many as there are cores")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement: 10")
    parser.add_argument("--record", type=Path, help="write what was measured to this file, with where and when")
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)  # internal: train in this process, with this number of threads
    return parser.parse_args(argv)


def steps_a_second(threads, seconds):
    """Training steps of 64 reviews per second, in this process."""
    import torch

    from pencil.data.reviews import load
    from pencil.experiments.contest import entrants
    from pencil.experiments.contest.encoding import encode
    from pencil.experiments.contest.reviews_task import ReviewsTask
    from pencil.experiments.training.config import TrainingConfig
    from pencil.experiments.training.loop import train

    torch.set_num_threads(threads)
    words, reviews, _ = encode(load("embedded"))
    task = ReviewsTask(reviews[:640], reviews[:1], padding=False)
    model = entrants.build_model("Transformer", words.num_embeddings, 0, False)
    train(model, task, TrainingConfig(epochs=1, seed=SEED))  # warm-up
    start, passes = perf_counter(), 0
    while (spent := perf_counter() - start) < seconds or not passes:
        train(model, task, TrainingConfig(epochs=1, seed=SEED + passes))
        passes += 1
    return 10 * passes / spent


@contextmanager
def neighbours(count):
    """A context manager that runs `count` busy loops in other processes."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def measured(waiting, threads, seconds):  # -> steps per second, in a new process, since torch reads the policy at import
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    settings = {"OMP_WAIT_POLICY": waiting, "PYTHONPATH": paths, "OMP_NUM_THREADS": str(threads)}
    command = [sys.executable, __file__, "--only", str(threads), "--seconds", str(seconds)]
    return json.loads(subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, encoding="utf-8").stdout)


def measure(given):
    """Yield the rows: threads, steps per second alone and beside the busy loops, and the fraction of one thread's speed."""
    of_one = {}
    for waiting, threads in product(WAITS, sorted({1, given.threads})):
        alone = measured(waiting, threads, given.seconds)
        with neighbours(LOOPS * os.cpu_count()):
            beside = measured(waiting, threads, given.seconds)
        yield {"waiting": waiting, "threads": threads, "alone": alone, "beside": beside, "share": beside / of_one.setdefault(waiting, beside)}


def record(given, argv, rows):
    """The record: the rows with their provenance."""
    from pencil.experiments import records

    command = shlex.join(["python", "benchmarks/bench_threads.py", *argv])
    setting = {"seconds": given.seconds, "threads": given.threads, "cores": os.cpu_count(), "loops": LOOPS * os.cpu_count(), "demanded": LEAST}
    known = records.provenance(command, SEED, records.cpu(given.threads), packages=PACKAGES)
    records.write(given.record, setting | {"rows": rows}, known)


def main(argv):
    given = parse(argv)
    if given.only:
        print(steps_a_second(given.only, given.seconds))
        return 0
    print(f"training on 1 and on {given.threads} threads, alone and beside {LOOPS * os.cpu_count()} busy loops on {os.cpu_count()} cores")
    print(WIDTHS("waiting", "threads", "alone, a s", "beside, a s", "of one thread's"))
    rows = []
    for row in measure(given):
        rows.append(row)
        print(WIDTHS(row["waiting"].lower(), row["threads"], f"{row['alone']:.1f}", f"{row['beside']:.1f}", f"{row['share']:.2f}"), flush=True)
    kept = next(row["share"] for row in rows if (row["waiting"], row["threads"]) == (WAITS[0], given.threads))
    if given.record:
        record(given, argv, rows)
    print(f"beside busy loops {given.threads} threads have {kept:.2f} of the speed of one; at least {LEAST} is wanted")
    return int(kept < LEAST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
