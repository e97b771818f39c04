"""Hyperparameter search: each trial is evaluated on the validation set, and the best one once on the test set.

Every trial is trained on the same four fifths of the training set and validated on the rest. The best one is then retrained
on the whole training set, for the number of epochs that the validation set chose.
"""

from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from time import perf_counter, process_time

import numpy as np
import torch

from pencil.experiments.contest.bigram_classifier import BigramClassifier
from pencil.experiments.contest.bigrams import frequent_bigrams
from pencil.experiments.contest.encoding import Encoded, EncodingConfig
from pencil.experiments.contest.entrants import POST_CONFIG, Splits, make_splits
from pencil.experiments.contest.reviews_task import ReviewsTask, predict
from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.jobs import results, run_all, scratch
from pencil.experiments.training.loop import train
from pencil.model.config import Config
from pencil.model.module import seeded

ENCODING = EncodingConfig(vocab_size=20_000, max_len=400, keep="last")


@dataclass(frozen=True)
class Trial:
    """One setting.

    Args:
        name: what the record calls it.
        attention: as in BigramClassifier.
        min_count: how often a bigram must occur in the training set to get a vector; None for no bigrams.
        dropout: as in BigramClassifier.
        encoding: how reviews become rows.
        training: how it is trained.
        zero_init: as in BigramClassifier.
    """

    name: str
    attention: str = "none"
    min_count: int | None = 3
    dropout: float = 0.1
    encoding: EncodingConfig = ENCODING
    training: TrainingConfig = TrainingConfig()
    zero_init: bool = False


BASE = TrainingConfig(epochs=4, lr=5e-3, eps=1e-6)  # a larger eps makes the updates of rarely used weights smaller
DECAYED = replace(BASE, epochs=3, weight_decay=1.0, decay_all=True, linear_decay=True)
LONGER = replace(ENCODING, max_len=800)
TRIALS = (
    Trial("words", min_count=None, training=TrainingConfig(epochs=3)),
    Trial("pairs", training=TrainingConfig(epochs=4)),
    Trial("larger eps", training=BASE),
    Trial("decay", training=DECAYED),
    Trial("more decay", dropout=0.3, training=replace(DECAYED, weight_decay=3.0)),
    Trial("much larger eps", training=replace(BASE, epochs=3, lr=2e-2, eps=1e-5)),
    Trial("more slots", encoding=LONGER, training=DECAYED),
    Trial("both", encoding=LONGER, training=replace(DECAYED, weight_decay=1.7)),
    Trial("the summary asks", attention="summary", min_count=5, dropout=0.5, training=replace(BASE, lr=2e-3)),
    Trial("the summary asks, held", attention="summary", dropout=0.5, training=replace(DECAYED, epochs=2, lr=2e-3, weight_decay=3.0)),
    Trial("every word asks", attention="words", min_count=5, dropout=0.3, training=replace(DECAYED, epochs=2, lr=2e-3)),
    Trial("silent, the summary", attention="summary", encoding=LONGER, training=DECAYED, zero_init=True),
    Trial("silent, every word", attention="words", encoding=LONGER, training=DECAYED, zero_init=True),
    Trial(
        "silent, more decay", attention="summary", dropout=0.3, encoding=LONGER, training=replace(DECAYED, weight_decay=2.0), zero_init=True
    ),
)  # fmt: skip


def build_model(trial, vocabulary, train_set, seed):  # Trial, Vocabulary, Encoded -> BigramClassifier, untrained
    """The model of a trial, of the contest's width; `train_set` supplies its bigrams."""
    vocab_size = vocabulary.num_embeddings
    sizes = Config(
        POST_CONFIG.d_model, POST_CONFIG.n_heads, d_ff=2 * POST_CONFIG.d_model, head_hidden_size=POST_CONFIG.head_hidden_size, vocab_size=vocab_size
    )
    known = None if trial.min_count is None else frequent_bigrams(train_set.ids, vocab_size, trial.min_count)
    with seeded(seed):
        return BigramClassifier(sizes, known, trial.attention, dropout=trial.dropout, zero_init=trial.zero_init)


def run_trial(trial, splits, seed=0):  # Trial, Splits -> JSON-able
    """Train, and evaluate on the validation set after each epoch; the test set is not used."""
    model = build_model(trial, splits.vocabulary, splits.train, seed)
    trained, seconds = _train(model, ReviewsTask(splits.train, splits.validation), trial, seed, trial.training.epochs)
    curve = {name: as_recorded(trained.column(name)) for name in ("loss", "accuracy", "val_loss")}
    return {"setting": asdict(trial), "seed": seed, "n_parameters": _n_parameters(model), "best_epoch": trained.best_epoch} | curve | seconds


def run_test(trial, splits, epochs, seed=0):  # Trial, Splits, int -> JSON-able
    """Train on training and validation set together for `epochs` epochs, and evaluate on the test set."""
    whole = Encoded(*(np.concatenate([getattr(part, name) for part in (splits.train, splits.validation)]) for name in ("ids", "labels")))
    model = build_model(trial, splits.vocabulary, whole, seed)
    _, seconds = _train(model, ReviewsTask(whole, splits.validation), trial, seed, epochs)
    right = predict(model, splits.test) == (splits.test.labels > 0)
    return {"trial": trial.name, "seed": seed, "n_parameters": _n_parameters(model), "epochs": epochs, "test_accuracy": float(right.mean())} | seconds


def _train(model, task, trial, seed, epochs):  # -> TrainingResult, {"seconds", "cpu_seconds"}
    config = replace(trial.training, seed=seed, epochs=epochs)
    clock, processor = perf_counter(), process_time()
    trained = train(model, task, config, description=trial.name)
    return trained, {"seconds": as_recorded(perf_counter() - clock), "cpu_seconds": as_recorded(process_time() - processor)}


def _n_parameters(model):
    return sum(p.numel() for p in model.parameters())


def best(found):  # {name: result of run_trial} -> name
    """The trial with the highest validation accuracy at any epoch."""
    return max(found, key=lambda name: max(found[name]["accuracy"]))


@cache
def _splits(source, encoding) -> Splits:
    from pencil.data.reviews import load

    return make_splits(load(source), encoding)


def _key(trial, *numbers):  # the key of a job, with a hash of the setting
    return "-".join([trial.name, sha256(repr(trial).encode()).hexdigest()[:8], *map(str, numbers)])


def measure(seed=0, threads=2, source="full", trials=TRIALS):  # -> JSON-able, for `python -m pencil record hyperparameter_search`
    """Run the trials that are not done, then test the best one."""
    torch.set_num_threads(threads)
    folder, by_name = scratch(f"hyperparameter-search-{source}"), {trial.name: trial for trial in trials}
    jobs = {_key(trial, seed): lambda t=trial: run_trial(t, _splits(source, t.encoding), seed) for trial in trials}
    run_all(jobs, folder)
    found = {result["setting"]["name"]: result for result in results(jobs, folder).values()}
    chosen = by_name[best(found)]
    epochs = found[chosen.name]["best_epoch"]
    final = {f"test-{_key(chosen, epochs, seed)}": lambda: run_test(chosen, _splits(source, chosen.encoding), epochs, seed)}
    run_all(final, folder)
    return {"source": source, "trials": list(found.values()), "test": results(final, folder).popitem()[1], "threads": threads}
