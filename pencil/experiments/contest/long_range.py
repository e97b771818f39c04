"""Synthetic long-range tasks: the label depends on two words that are `gap` positions apart.

In `reach` the first word is "not" or "so" and the last one "good" or "bad"; "so … good" and "not … bad" are positive, so
neither word alone is informative. In `order` both classes have the same words: "not … good" against "good … not". The words
between are random, from fifty without meaning.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import torch

from pencil.experiments.contest import entrants
from pencil.experiments.contest.encoding import Encoded
from pencil.experiments.contest.reviews_task import ReviewsTask
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import refuse_beyond_memory
from pencil.experiments.training.jobs import results, run_all, scratch
from pencil.experiments.training.loop import train

TASKS = ("reach", "order")
NOT, SO, GOOD, BAD, FIRST, ROWS = 1, 2, 3, 4, 5, 55  # ids; those of the words without meaning are FIRST to ROWS - 1
NUMBER_BYTES = 8  # of an id
GAPS = (1, 5, 10, 20, 40, 60, 79)
MODELS = (*entrants.MODELS, entrants.WITH_POSITIONS)
SEEDS = range(5)  # many, since results vary with the seed at the largest gaps
TRAINING = TrainingConfig(epochs=40, lr=3e-3, stopping_threshold=0.999)


def make_texts(task, gap, count, seed):  # -> Encoded, rows of gap + 1 words
    """`count` random texts, half of them positive. Raises ValueError for an unknown task and for a gap below 1."""
    if task not in TASKS or gap < 1:
        raise ValueError(f"task={task!r}, gap={gap}; the task is one of {', '.join(TASKS)}, and the gap at least 1")
    refuse_beyond_memory(count * (gap + 1) * NUMBER_BYTES, {"texts": count, "gap": gap})
    rng = np.random.default_rng((seed, gap, TASKS.index(task)))
    ids = rng.integers(FIRST, ROWS, (count, gap + 1))
    one, other = np.arange(count) % 2 == 0, np.arange(count) // 2 % 2 == 0
    if task == "reach":
        ids[:, 0], ids[:, -1] = np.where(one, NOT, SO), np.where(other, GOOD, BAD)
        labels = one != other
    else:
        ids[:, 0], ids[:, -1] = np.where(one, NOT, GOOD), np.where(one, GOOD, NOT)
        labels = ~one
    return Encoded(ids.astype(np.int32), labels.astype(np.int8))


def build_model(name, seed=0):  # -> module, untrained
    """A model of the contest, or the Transformer with positions, without dropout. Raises ValueError for an unknown name."""
    entrants.refuse_unknown(name, MODELS)
    if name == entrants.WITH_POSITIONS:
        return entrants.build_block(ROWS, max(GAPS) + 1, seed, dropout=0.0)
    return entrants.build_model(name, ROWS, seed, dropout=0.0)


def train_and_test(name, task, gap, seed=0, count=2000, training=TRAINING):  # -> accuracy on 1,000 new texts, number of epochs
    """Train a model on `count` texts with this gap, until it reaches the stopping threshold or the last epoch."""
    texts = ReviewsTask(make_texts(task, gap, count, seed), make_texts(task, gap, 1000, seed + 1000))
    trained = train(build_model(name, seed), texts, replace(training, seed=seed), description=f"{name} {task} {gap}")
    return trained.history[-1]["accuracy"], len(trained.history)


def jobs(seed=0, gaps=GAPS, models=MODELS, seeds=SEEDS, training=TRAINING, count=2000):  # -> {key: function}
    """A job for every seed, task, gap and model; `seed` is added to each of `seeds`."""
    runs = [(task, number + seed, gap, name) for number in seeds for task in TASKS for gap in gaps for name in models]
    return {f"{task}-{gap}-{name}-{run}": lambda r=(task, run, gap, name): _job(*r, training, count) for task, run, gap, name in runs}


def _job(task, seed, gap, name, training, count):
    accuracy, epochs = train_and_test(name, task, gap, seed, count, training)
    return {"task": task, "gap": gap, "model": name, "seed": seed, "accuracy": accuracy, "epochs": epochs}


def collect(found, models=MODELS):  # {key: result} -> JSON-able
    """Collect the results; a gap is included once all models have been run on it."""
    done = Counter((run["task"], run["gap"], run["seed"]) for run in found.values())
    complete = [run for run in found.values() if done[run["task"], run["gap"], run["seed"]] == len(models)]
    return {"texts": 2000, "max_epochs": TRAINING.epochs, "runs": complete}


def measure(seed=0, threads=1, only_done=False):  # -> JSON-able, for `python -m pencil record long_range`
    """Run the missing jobs (none with `only_done`), and collect the results."""
    torch.set_num_threads(threads)
    listed, folder = jobs(seed), scratch("long-range")
    run_all(listed, folder, only_done)
    return collect(results(listed, folder))
