"""The record of chapter 08: each model in each setting with several seeds, and the baselines.

Every run is a job, so that recording can be interrupted and resumed.
"""

from dataclasses import dataclass, replace
from functools import cache
from time import process_time

import torch

from pencil.experiments.contest import entrants
from pencil.experiments.contest.baselines import fit_baselines
from pencil.experiments.contest.bigrams import with_bigrams
from pencil.experiments.contest.encoding import Encoded, EncodingConfig
from pencil.experiments.contest.saliency import full_rows, gradient_norms
from pencil.experiments.contest.word_cosines import cosines
from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.jobs import results, run_all, scratch

SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class Setting:
    """How the models read a review: length of a row, which end is kept, and whether padding is masked."""

    max_len: int = 100
    keep: str = "first"
    masked: bool = True

    name = property(lambda self: f"{self.keep}-{self.max_len}-{'masked' if self.masked else 'bare'}")


LAST = Setting(keep="last")
SETTINGS = (Setting(), LAST, Setting(masked=False), Setting(keep="last", masked=False), Setting(max_len=400))  # the most important first
BASELINES = {Setting(): (False,), LAST: (False,), Setting(max_len=400): (False, True)}  # values: whether bigrams are counted too


def jobs(source="full", seed=0, settings=SETTINGS, seeds=SEEDS, training=TrainingConfig()):  # -> {key: function}
    """All jobs in order; `seed` is added to each of `seeds`."""
    listed = {}
    for setting in settings:
        for number in seeds:
            for name in entrants.MODELS:
                run = number + seed
                listed[f"{setting.name}-{name}-{run}"] = lambda s=setting, n=name, r=run: one_run(source, s, n, r, training)
        for bigrams in BASELINES.get(setting, ()):
            listed[f"{setting.name}-baselines{'-bigrams' * bigrams}"] = lambda s=setting, b=bigrams: baseline_run(source, s, b)
    return listed


@cache
def _splits(source, max_len, keep):
    from pencil.data.reviews import load

    return entrants.make_splits(load(source), EncodingConfig(max_len=max_len, keep=keep))


def one_run(source, setting, name, seed, training=TrainingConfig()):  # -> JSON-able
    """One model with one seed: learning curve, accuracies, word cosines and saliency before and after training, and CPU time."""
    splits, training = _splits(source, setting.max_len, setting.keep), replace(training, seed=seed)
    untrained = entrants.build_model(name, splits.vocabulary.num_embeddings, seed, setting.masked)
    before = cosines(untrained.embedding.detach().numpy(), splits.vocabulary)
    start = process_time()
    result, model = entrants.run_model(name, splits, training, setting.masked)
    took = process_time() - start
    after = cosines(model.embedding.detach().cpu().numpy(), splits.vocabulary)
    saliency = {when: gradient_norms(each, full_rows(splits.validation)) for when, each in (("new", untrained), ("trained", model))}
    return {
        "max_len": setting.max_len, "keep": setting.keep, "masked": setting.masked, "model": name, "seed": seed,
        "last": result.last, "best": result.best, "short": result.short, "best_epoch": result.best_epoch,
        "loss": as_recorded([row["loss"] for row in result.history]),
        "accuracy": as_recorded([row["accuracy"] for row in result.history]),
        "val_loss": as_recorded([row["val_loss"] for row in result.history]),
        "cosines": {pair: as_recorded([before[pair], after[pair]]) for pair in before},
        "saliency": {when: list(map(float, row)) for when, row in saliency.items()},  # not rounded: they may be far below ten decimals
        "cpu_seconds": as_recorded(took), "threads": torch.get_num_threads(),
    }  # fmt: skip


def baseline_run(source, setting, bigrams):  # -> JSON-able
    """The baselines in one setting; with `bigrams` they count bigrams as well as words."""
    splits = _splits(source, setting.max_len, setting.keep)
    encoded, width = [splits.train, splits.validation, splits.test], splits.vocabulary.num_embeddings
    if bigrams:
        ids, width = with_bigrams([each.ids for each in encoded], width)
        encoded = [Encoded(rows, each.labels) for rows, each in zip(ids, encoded, strict=True)]
    return {"max_len": setting.max_len, "keep": setting.keep, "bigrams": bigrams, "features": width, "accuracies": fit_baselines(*encoded, width)}


def collect(found, source="full"):  # {key: result} -> the record
    """Collect the runs and the baselines; saliency is kept for the first setting only."""
    first = SETTINGS[0]
    runs = [
        {key: value for key, value in result.items() if key != "saliency" or _setting_of(result) == first}
        for result in found.values()
        if "model" in result
    ]
    return {"source": source, "runs": runs, "baselines": [result for result in found.values() if "accuracies" in result]}


def _setting_of(result):
    return Setting(result["max_len"], result["keep"], result["masked"])


def measure(seed=0, threads=1, only_done=False, source="full", settings=SETTINGS):  # -> JSON-able, for `python -m pencil record contest`
    """Run the missing jobs (none with `only_done`), and collect the results."""
    torch.set_num_threads(threads)
    listed, folder = jobs(source, seed, settings), scratch(f"contest-{source}")
    run_all(listed, folder, only_done)
    return collect(results(listed, folder), source)
