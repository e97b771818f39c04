"""The record of chapter 08 is complete; on the real reviews a new run agrees with it."""

import numpy as np
import pytest
import torch

from pencil.experiments.contest import entrants, leaderboard, long_range, recording
from pencil.experiments.contest.recording import Setting
from pencil.experiments.records import read


def test_the_source_s_setting_is_recorded_for_every_machine():
    record = read("contest")
    assert leaderboard.settings(record)[0] == (100, "first", True)
    for name in entrants.MODELS:
        runs = leaderboard.runs(record, name)
        assert runs and len({run["seed"] for run in runs}) == len(runs)
        for run in runs:
            assert len(run["accuracy"]) == len(run["loss"]) == len(run["val_loss"]) == 5
            assert np.argmax(run["accuracy"]) + 1 == run["best_epoch"] and 0.5 < run["last"] < 1 and 0.5 < run["best"] < 1
            assert len(run["saliency"]["new"]) == len(run["saliency"]["trained"]) == 100 and min(run["saliency"]["new"]) >= 0
    assert record.provenance["data"]["imdb"] and "record contest" in record.provenance["command"]


def test_every_setting_that_stands_there_has_three_seeds_or_more_and_all_machines():
    """Padding masked and bare, both ends of a review; a mean of two tells nothing of luck."""
    record = read("contest")
    assert {(100, "first", True), (100, "last", True), (100, "first", False)} <= set(leaderboard.settings(record))
    for setting in leaderboard.settings(record):
        for name in entrants.MODELS:
            assert len({run["seed"] for run in leaderboard.runs(record, name, *setting)}) >= 3, (setting, name)


def test_the_largest_distance_is_recorded_from_several_seeds_for_every_machine():
    asked = {(run["model"], run["seed"]) for run in read("long_range")["runs"] if (run["task"], run["gap"]) == ("reach", max(long_range.GAPS))}
    assert {name for name, _ in asked} == set(long_range.MODELS)
    for name in long_range.MODELS:
        assert len([seed for model, seed in asked if model == name]) >= 3


def test_collect_leaves_what_was_found_as_it_is():
    """It keeps the saliency of the first setting alone, and a second call says the same."""
    run = {"model": "LSTM", "max_len": 100, "keep": "first", "masked": True, "saliency": {"new": [0.5]}}
    found = {"a": run, "b": run | {"keep": "last"}, "c": {"accuracies": {"x": 1}}}
    record = recording.collect(found)
    assert ["saliency" in run for run in record["runs"]] == [True, False] and record["baselines"] == [found["c"]]
    assert "saliency" in found["b"] and recording.collect(found) == record


def test_leaderboard_pick_and_average():
    record = {
        "runs": [dict(max_len=100, keep="first", masked=True, model="LSTM", seed=s, last=x) for s, x in enumerate((0.5, 0.7, 0.9))]
        + [dict(max_len=100, keep="last", masked=True, model="LSTM", seed=0, last=0.1)],
        "baselines": [{"max_len": 100, "keep": "first", "bigrams": True, "accuracies": {"x": 1}}],
    }
    assert leaderboard.table(record, "last", ["LSTM", "BiLSTM"]) == {"LSTM": (pytest.approx(0.7), 0.5, 0.9)}
    assert leaderboard.table(record, "last", ["LSTM"], 100, "last") == {"LSTM": (0.1, 0.1, 0.1)}
    assert leaderboard.settings(record) == [(100, "first", True), (100, "last", True)] and leaderboard.spread([]) is None
    assert leaderboard.baselines(record) == {} and leaderboard.baselines(record, bigrams=True) == {"x": 1}


def test_the_search_is_recorded_with_every_trial_and_one_exam():
    record = read("hyperparameter_search")
    metrics = {trial["setting"]["name"]: max(trial["accuracy"]) for trial in record["trials"]}
    exam, chosen = record["test"], max(metrics, key=metrics.get)
    assert len(metrics) == len(record["trials"]) >= 4 and exam["trial"] == chosen
    for trial in record["trials"]:
        assert len(trial["accuracy"]) == trial["setting"]["training"]["epochs"] and np.argmax(trial["accuracy"]) + 1 == trial["best_epoch"]
        assert trial["cpu_seconds"] > 0 and trial["seconds"] > 0 and "test_accuracy" not in trial
        if trial["setting"]["name"] == chosen:
            assert trial["best_epoch"] == exam["epochs"]
    assert 0.8 < exam["test_accuracy"] < 1 and exam["seconds"] < 600  # ten minutes on two cores


@pytest.mark.slow
def test_a_gap_of_the_distance_says_the_same_again():
    """Two that are quick: one that learns the far word, and one that has to guess."""
    recorded = {(run["task"], run["gap"], run["model"], run["seed"]): run for run in read("long_range")["runs"]}
    for task, gap, name in (("reach", 79, "BiLSTM"), ("order", 5, "Averages")):
        accuracy, _ = long_range.train_and_test(name, task, gap)
        assert accuracy == pytest.approx(recorded[task, gap, name, 0]["accuracy"], abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Averages", "LSTM"])
def test_a_run_on_the_real_reviews_agrees_with_the_record(real_data, name):
    real_data("imdb")
    (recorded,) = [run for run in leaderboard.runs(read("contest"), name) if run["seed"] == 0]
    again = recording.one_run("full", Setting(), name, 0)
    assert again["last"] == pytest.approx(recorded["last"], abs=0.02) and again["best"] == pytest.approx(recorded["best"], abs=0.02)
    assert torch.tensor(again["accuracy"]).sub(torch.tensor(recorded["accuracy"])).abs().max() < 0.05
