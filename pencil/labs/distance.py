"""Does "not" reach "good"? Texts made for one question, with k words from the one to the other.

Two tasks. In `reach` the first word is "not" or "so" and the last one "good" or "bad", and the writer is pleased with
"so … good" and "not … bad": neither word alone says anything. In `order` both texts have the same words, and it is
"not … good" against "good … not". What stands between is drawn by lot from fifty words that mean nothing.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import torch

from pencil.labs import contest
from pencil.labs.loop import train
from pencil.labs.queue import done, scratch, work
from pencil.labs.reader import Reader
from pencil.labs.reading import Reading
from pencil.labs.sheets import Sheets
from pencil.labs.training import Training

TASKS = ("reach", "order")
NOT, SO, GOOD, BAD, FIRST, ROWS = 1, 2, 3, 4, 5, 55  # ids; the words that mean nothing are 5 to 54
GAPS = (1, 5, 10, 20, 40, 60, 79)
MACHINES = (*contest.MACHINES, "Transformer with seats")
SEEDS = range(5)  # at the largest gaps it is the lot that decides
TAUGHT = Training(passes=40, rate=3e-3, enough=0.999)  # it stops where all is right but one in a thousand


def texts(task, gap, count, seed):  # -> Sheets of rows of gap + 1 words
    """As many texts with each answer. Raises ValueError for another task and for a gap below 1."""
    if task not in TASKS or gap < 1:
        raise ValueError(f"task={task!r}, gap={gap}; the task is one of {', '.join(TASKS)}, and the gap at least 1")
    draw = np.random.default_rng((seed, gap, TASKS.index(task)))
    ids = draw.integers(FIRST, ROWS, (count, gap + 1))
    one, other = np.arange(count) % 2 == 0, np.arange(count) // 2 % 2 == 0
    if task == "reach":
        ids[:, 0], ids[:, -1] = np.where(one, NOT, SO), np.where(other, GOOD, BAD)
        labels = one != other
    else:
        ids[:, 0], ids[:, -1] = np.where(one, NOT, GOOD), np.where(one, GOOD, NOT)
        labels = ~one
    return Sheets(ids.astype(np.int32), labels.astype(np.int8))


def made(name, seed=0):  # -> module
    """A machine of the contest, or the Transformer with a seat table; nothing drops out. Raises ValueError for another name."""
    if name not in MACHINES:
        raise ValueError(f"there is no machine {name!r} in this lab; take one of {', '.join(MACHINES)}")
    if name == "Transformer with seats":
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return Reader(replace(contest.SOURCE, rows=ROWS, max_len=max(GAPS) + 1))
    return contest.machine(name, ROWS, seed, dropout=0.0)


def learned(name, task, gap, seed=0, count=2000, training=TAUGHT):  # -> share of right answers on 1,000 new texts, passes it took
    """Train a machine on texts with that gap, until all answers are right or the passes are over."""
    lesson = Reading(texts(task, gap, count, seed), texts(task, gap, 1000, seed + 1000))
    trained = train(made(name, seed), lesson, replace(training, seed=seed), says=f"{name} {task} {gap}")
    return trained.history[-1]["accuracy"], len(trained.history)


def jobs(seed=0, gaps=GAPS, machines=MACHINES, seeds=SEEDS, training=TAUGHT, count=2000):  # -> {key: function}
    """Every machine at every gap in both tasks."""
    runs = [(task, number + seed, gap, name) for number in seeds for task in TASKS for gap in gaps for name in machines]
    return {f"{task}-{gap}-{name}-{run}": lambda r=(task, run, gap, name): _job(*r, training, count) for task, run, gap, name in runs}


def _job(task, seed, gap, name, training, count):
    accuracy, passes = learned(name, task, gap, seed, count, training)
    return {"task": task, "gap": gap, "machine": name, "seed": seed, "accuracy": accuracy, "passes": passes}


def collect(found, machines=MACHINES):  # {key: result} -> JSON-able
    """What is done, and with how much practice. A gap stands in it once every machine has been asked: half a row compares nothing."""
    asked = Counter((run["task"], run["gap"], run["seed"]) for run in found.values())
    whole = [run for run in found.values() if asked[run["task"], run["gap"], run["seed"]] == len(machines)]
    return {"texts": 2000, "most_passes": TAUGHT.passes, "runs": whole}


def measure(seed=0, threads=1, only_done=False):  # -> JSON-able, for `python -m pencil record distance`
    """Do what is left (or nothing more), then put together what is done."""
    torch.set_num_threads(threads)
    todo, folder = jobs(seed), scratch("distance")
    if not only_done:
        work(todo, folder)
    return collect(done(todo, folder))
