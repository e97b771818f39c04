"""The exam and the Transformer with positions: counts by hand, runs on the embedded reviews, and the record."""

import json
from itertools import combinations
from math import comb

import numpy as np
import pytest
import torch

from pencil.experiments.contest import entrants, exam, leaderboard, whole_block
from pencil.experiments.contest.forget_bias import one_ratio
from pencil.experiments.contest.saliency import late_to_early
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig


def test_the_p_value_is_that_of_tossed_coins():
    by_hand = 2 * sum(comb(10, n) for n in (7, 8, 9, 10)) / 2**10
    assert exam.p_value(7, 3) == exam.p_value(3, 7) == pytest.approx(by_hand)
    assert exam.p_value(5, 5) == exam.p_value(0, 0) == 1


def test_pairs_are_split_review_by_review():
    answers = {"a": [1, 1, 0, 0, 1], "b": [1, 0, 1, 0, 1], "c": [0, 0, 0, 0, 0]}
    found = [{"model": name, "reviews": 5, "right": np.packbits(right).tobytes().hex()} for name, right in answers.items()]
    record = exam.collect(found)
    assert [each["test"] for each in record["marks"]] == [0.6, 0.6, 0.0] and not any("right" in each for each in record["marks"])
    assert record["pairs"][0] == {"one": "a", "other": "b", "both": 2, "only_one": 1, "only_other": 1, "neither": 1}
    assert [(pair["one"], pair["other"], pair["only_one"]) for pair in record["pairs"][1:]] == [("a", "c", 3), ("b", "c", 3)]


@pytest.mark.slow
def test_the_exam_on_the_book_s_own_reviews(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(tmp_path))
    monkeypatch.setattr(exam.train_and_test, "__defaults__", (0, 20, TrainingConfig(epochs=1)))
    final = ("Averages", exam.COUNTED)
    record = exam.measure(threads=torch.get_num_threads(), source="embedded", final=final, max_len=20)
    (pair,) = record["pairs"]
    assert [each["model"] for each in record["marks"]] == list(final) and pair["both"] + pair["only_one"] == 1000 * record["marks"][0]["test"]
    assert exam.measure(threads=torch.get_num_threads(), only_done=True, source="embedded", final=final, max_len=20) == record
    json.dumps(record)


def test_the_block_is_judged_on_validation_alone():
    run = whole_block.one_run("embedded", 20, 0, TrainingConfig(epochs=2))
    assert len(run["accuracy"]) == 2 and run["best_epoch"] == np.argmax(run["accuracy"]) + 1 and not {"last", "best", "test"} & run.keys()
    model = entrants.build_block(30, 20)
    assert model.positions.shape == (20, 32) and len(model.stack.blocks) == 1


def test_the_recorded_exam_adds_up():
    record = read("exam")
    marks = {each["model"]: each for each in record["marks"]}
    assert set(marks) == {*entrants.MODELS, entrants.WITH_POSITIONS, exam.COUNTED} and len(record["pairs"]) == len(list(combinations(marks, 2)))
    for pair in record["pairs"]:
        assert sum(pair[part] for part in ("both", "only_one", "only_other", "neither")) == 25_000
        assert pair["both"] + pair["only_one"] == round(25_000 * marks[pair["one"]]["test"])
        assert pair["both"] + pair["only_other"] == round(25_000 * marks[pair["other"]]["test"])


def test_the_recorded_block_has_several_seeds_at_a_hundred_words():
    runs = read("whole_block")["runs"]
    assert len({run["seed"] for run in runs if run["max_len"] == 100}) >= 3 and any(run["max_len"] == 400 for run in runs)


def test_the_fade_is_ten_words_against_ten():
    assert late_to_early(np.array([1.0] * 10 + [99.0] * 80 + [2.0] * 10)) == 2 and late_to_early(np.array([1.0, 5.0, 3.0]), ends=1) == 3


def test_the_recorded_fades_are_those_of_the_first_biases():
    record = read("forget_bias")
    for bias in (1.0, 2.0):
        recorded = record["fades"][record["biases"].index(bias)]
        assert one_ratio(bias, 0) == pytest.approx(recorded[0], rel=0.02)
    assert one_ratio(None, 0) == pytest.approx(record["plain"][0], rel=0.02)


def test_metrics_of_validation_and_of_the_record():
    run = {"accuracy": [0.5, 0.8, 0.7], "cpu_seconds": 3.0}
    assert [leaderboard.mark(run, metric) for metric in ("chosen", "end", "cpu_seconds")] == [0.8, 0.7, 3.0]
