"""The Transformer with positions on real reviews, evaluated on the validation set only."""

from dataclasses import replace
from functools import cache
from time import process_time

import torch

from pencil.experiments.contest import entrants
from pencil.experiments.contest.encoding import EncodingConfig
from pencil.experiments.contest.reviews_task import ReviewsTask
from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.jobs import results, run_all, scratch
from pencil.experiments.training.loop import train

LENGTHS, SEEDS = (100, 400), (0, 1, 2)


@cache
def splits(source, max_len):  # -> Splits
    """The reviews, encoded as in the contest's first setting but with this `max_len`; cached."""
    from pencil.data.reviews import load

    return entrants.make_splits(load(source), EncodingConfig(max_len=max_len))


def fit(model, given, training, name=""):  # module, Splits, TrainingConfig -> TrainingResult, JSON-able
    """Train a model, and evaluate it on the validation set after each epoch."""
    start = process_time()
    trained = train(model, ReviewsTask(given.train, given.validation), training, description=name)
    curve = {metric: as_recorded(trained.column(metric)) for metric in ("loss", "accuracy", "val_loss")}
    return trained, {"best_epoch": trained.best_epoch, **curve, "cpu_seconds": as_recorded(process_time() - start)}


def one_run(source, max_len, seed, training=TrainingConfig()):  # -> JSON-able
    """One length with one seed."""
    given = splits(source, max_len)
    model = entrants.build_block(given.vocabulary.num_embeddings, max_len, seed)
    _, found = fit(model, given, replace(training, seed=seed), entrants.WITH_POSITIONS)
    n_parameters = sum(p.numel() for p in model.parameters())
    return {"model": entrants.WITH_POSITIONS, "max_len": max_len, "seed": seed, "n_parameters": n_parameters} | found


def measure(seed=0, threads=1, only_done=False, source="full", lengths=LENGTHS, seeds=SEEDS):  # -> JSON-able, for `record whole_block`
    """Run the missing jobs (none with `only_done`), and collect the results."""
    torch.set_num_threads(threads)
    folder = scratch(f"whole-block-{source}")
    listed = {f"{length}-{seed + number}": lambda at=(length, seed + number): one_run(source, *at) for length in lengths for number in seeds}
    run_all(listed, folder, only_done)
    return {"source": source, "runs": list(results(listed, folder).values())}
