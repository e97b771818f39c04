"""Training beside busy neighbours: steps a second on one thread and on several, with nothing else and with two busy loops a core.

Threads that wait awake take the processor from the very thread that they wait for. So the commands of `python -m pencil` let them wait
asleep, as libgomp's `OMP_WAIT_POLICY=PASSIVE` has it. Both ways are measured; by the commands' own, several threads must not fall below half
of one thread's speed beside the busy loops, or this ends with status 1. What trains is the transformer of chapter 08, on full rows.

Run it with `make bench`. For the record: `python benchmarks/bench_threads.py --seconds 30 --record FILE`, on a machine that does nothing else.
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
SEED = 0  # of the first pass; each further one has the next
LOOPS, LEAST = 2, 0.5  # busy loops a core; the share of one thread's speed that is demanded
WAITS = ("PASSIVE", "ACTIVE")  # as the commands have it, and as libgomp would
WIDTHS = "{:<10}{:>8}{:>14}{:>14}{:>16}".format


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=max(2, os.cpu_count() or 2), help="beside one: as many as there are cores")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement: 10")
    parser.add_argument("--record", type=Path, help="write what was measured to this file, with where and when")
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)  # the process that trains: on so many threads
    return parser.parse_args(argv)


def steps_a_second(threads, seconds):
    """How many steps of 64 reviews the training loop does in a second, in this process."""
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
    train(model, task, TrainingConfig(epochs=1, seed=SEED))  # the first pays for plans and caches
    start, passes = perf_counter(), 0
    while (spent := perf_counter() - start) < seconds or not passes:
        train(model, task, TrainingConfig(epochs=1, seed=SEED + passes))
        passes += 1
    return 10 * passes / spent


@contextmanager
def neighbours(count):
    """So many processes that do nothing, as fast as they can."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def measured(waiting, threads, seconds):  # -> steps a second, in a process of its own: the policy is read once, when torch comes in
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    settings = {"OMP_WAIT_POLICY": waiting, "PYTHONPATH": paths, "OMP_NUM_THREADS": str(threads)}
    command = [sys.executable, __file__, "--only", str(threads), "--seconds", str(seconds)]
    return json.loads(subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, encoding="utf-8").stdout)


def measure(given):
    """Every row, as it is done: steps a second on so many threads, alone and beside the busy loops, and the share of one thread's speed."""
    of_one = {}
    for waiting, threads in product(WAITS, (1, given.threads)):
        alone = measured(waiting, threads, given.seconds)
        with neighbours(LOOPS * os.cpu_count()):
            beside = measured(waiting, threads, given.seconds)
        yield {"waiting": waiting, "threads": threads, "alone": alone, "beside": beside, "share": beside / of_one.setdefault(waiting, beside)}


def record(given, argv, rows):
    """What was measured, with where, when and how."""
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
