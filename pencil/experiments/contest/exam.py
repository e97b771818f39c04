"""The exam: the test set is opened once for each final model, and each two models are compared review by review.

A final model has been chosen on the validation set, down to its epoch. All models sit the same exam, so what tells two of them apart is the
reviews that one of them gets right and the other does not (McNemar 1947). The record keeps how many those are, and no review.
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
MAX_LEN = 100  # words of a review that are read


def p_value(only_one, only_other):  # how many reviews one model alone gets right, the other alone -> float
    """How likely so lopsided a split is, or a more lopsided one, where the two models are equally good: McNemar's exact test, two-sided."""
    return binomtest(only_one, only_one + only_other).pvalue if only_one + only_other else 1.0


def train_and_test(
    source, name, seed=0, max_len=MAX_LEN, training=TrainingConfig()
):  # -> JSON-able: what the model gets right, a bit for each review
    """Train one model, choose its epoch or penalty on the validation set, and open the test set, once."""
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


def collect(found, source="full"):  # what `train_and_test` gave -> JSON-able
    """Each model's mark, and of each two models: how many reviews both get right, one alone, the other alone, neither."""
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
    """Train and test each model that is not done, or with `only_done` none, and compare those that are."""
    torch.set_num_threads(threads)
    folder = scratch(f"exam-{source}")
    listed = {f"{max_len}-{name}-{seed}": lambda name=name: train_and_test(source, name, seed, max_len) for name in final}
    if not only_done:
        run_all(listed, folder)
    return collect(list(results(listed, folder).values()), source)
