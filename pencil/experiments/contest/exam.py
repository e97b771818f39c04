"""The exam: each final model is tested once on the test set, and each two models are compared by McNemar's test (McNemar 1947).

A final model, and its epoch, have been chosen on the validation set. Two models differ on the reviews that only one of them gets
right; the record stores the numbers of those reviews, not the reviews.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import torch
from scipy.stats import binomtest

from pencil.experiments.contest import entrants
from pencil.experiments.contest.baselines import chosen
from pencil.experiments.contest.bigrams import counts
from pencil.experiments.contest.reviews_task import predict
from pencil.experiments.contest.whole_block import fit, splits
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.jobs import results, run_all, scratch

COUNTED = "naive-Bayes features"
FINAL = ("Averages", "Transformer", "LSTM", entrants.WITH_POSITIONS, COUNTED, "BiLSTM", "SimpleRNN")
MAX_LEN = 100  # tokens of a review


def p_value(only_one, only_other):  # int, int -> float
    """McNemar's exact test, two-sided; the arguments are the numbers of reviews that only one, or only the other, model gets right."""
    return binomtest(only_one, only_one + only_other).pvalue if only_one + only_other else 1.0


def train_and_test(source, name, seed=0, max_len=MAX_LEN, training=TrainingConfig()):  # -> JSON-able; "right" has a bit for each review
    """Train one model, choose its epoch or penalty on the validation set, and test it."""
    given = splits(source, max_len)
    right, found = (_count if name == COUNTED else _train)(given, name, replace(training, seed=seed))
    return {"max_len": max_len, "model": name, "seed": seed, **found, "reviews": len(right), "right": np.packbits(right).tobytes().hex()}


def _train(given, name, training):  # -> (reviews,) bool, {"validation", "best_epoch"}
    rows, max_len = given.vocabulary.num_embeddings, given.train.ids.shape[1]
    block = name == entrants.WITH_POSITIONS
    model = entrants.build_block(rows, max_len, training.seed) if block else entrants.build_model(name, rows, training.seed)
    trained, found = fit(model, given, training, name)
    model.load_state_dict(trained.best_state)
    return predict(model, given.test) == (given.test.labels > 0), {"validation": max(found["accuracy"]), "best_epoch": trained.best_epoch}


def _count(given, name, training):  # -> (reviews,) bool, {"validation", "strength"}
    width = given.vocabulary.num_embeddings
    train, validation, test = ((counts(each.ids, width), each.labels) for each in (given.train, given.validation, given.test))
    best, score, penalty = chosen(name, train, validation)
    return best.predict(test[0]) == test[1], {"validation": score, "strength": penalty}


def collect(found, source="full"):  # results of `train_and_test` -> JSON-able
    """Each model's accuracy, and for each two models the contingency table of their correct reviews."""
    right = {each["model"]: _unpacked(each) for each in found}
    marks = [{key: value for key, value in each.items() if key != "right"} | {"test": float(right[each["model"]].mean())} for each in found]
    pairs = [{"one": one, "other": other, **_split(right[one], right[other])} for one, other in combinations(right, 2)]
    return {"source": source, "marks": marks, "pairs": pairs}


def _unpacked(each):  # -> (reviews,) bool
    return np.unpackbits(np.frombuffer(bytes.fromhex(each["right"]), np.uint8), count=each["reviews"]).astype(bool)


def _split(one, other):
    named = {"both": one & other, "only_one": one & ~other, "only_other": ~one & other, "neither": ~one & ~other}
    return {name: int(reviews.sum()) for name, reviews in named.items()}


def measure(seed=0, threads=1, only_done=False, source="full", final=FINAL, max_len=MAX_LEN):  # -> JSON-able, for `python -m pencil record exam`
    """Train and test the models that are not done (none with `only_done`), and compare those that are."""
    torch.set_num_threads(threads)
    folder = scratch(f"exam-{source}")
    listed = {f"{max_len}-{name}-{seed}": lambda name=name: train_and_test(source, name, seed, max_len) for name in final}
    run_all(listed, folder, only_done)
    return collect(list(results(listed, folder).values()), source)
