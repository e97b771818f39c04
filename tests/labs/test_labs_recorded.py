"""What the chapter quotes is there and whole; on the real reviews a run anew says the same."""

import numpy as np
import pytest
import torch

from pencil.labs import contest, contest_record, distance, standings
from pencil.labs.contest_record import Setting
from pencil.labs.records import read


def test_the_source_s_setting_is_recorded_for_every_machine():
    record = read("contest")
    assert standings.settings(record)[0] == (100, "first", True)
    for name in contest.MACHINES:
        runs = standings.runs(record, name)
        assert runs and len({run["seed"] for run in runs}) == len(runs)
        for run in runs:
            assert len(run["accuracy"]) == len(run["loss"]) == len(run["exam_loss"]) == 5
            assert np.argmax(run["accuracy"]) + 1 == run["chosen"] and 0.5 < run["last"] < 1 and 0.5 < run["best"] < 1
            assert len(run["slopes"]["new"]) == len(run["slopes"]["trained"]) == 100 and min(run["slopes"]["new"]) >= 0
    assert record.provenance["data"]["imdb"] and "record contest" in record.provenance["command"]


def test_every_setting_that_stands_there_has_three_seeds_or_more_and_all_machines():
    """Padding masked and bare, both ends of a review; a mean of two tells nothing of luck."""
    record = read("contest")
    assert {(100, "first", True), (100, "last", True), (100, "first", False)} <= set(standings.settings(record))
    for setting in standings.settings(record):
        for name in contest.MACHINES:
            assert len({run["seed"] for run in standings.runs(record, name, *setting)}) >= 3, (setting, name)


def test_the_largest_distance_is_recorded_from_several_seeds_for_every_machine():
    asked = {(run["machine"], run["seed"]) for run in read("distance")["runs"] if (run["task"], run["gap"]) == ("reach", max(distance.GAPS))}
    assert {name for name, _ in asked} == set(distance.MACHINES)
    for name in distance.MACHINES:
        assert len([seed for machine, seed in asked if machine == name]) >= 3


def test_standings_pick_and_average():
    record = {
        "runs": [dict(slots=100, keep="first", masked=True, machine="LSTM", seed=s, last=x) for s, x in enumerate((0.5, 0.7, 0.9))]
        + [dict(slots=100, keep="last", masked=True, machine="LSTM", seed=0, last=0.1)],
        "baselines": [{"slots": 100, "keep": "first", "pairs": True, "marks": {"x": 1}}],
    }
    assert standings.table(record, "last", ["LSTM", "BiLSTM"]) == {"LSTM": (pytest.approx(0.7), 0.5, 0.9)}
    assert standings.table(record, "last", ["LSTM"], 100, "last") == {"LSTM": (0.1, 0.1, 0.1)}
    assert standings.settings(record) == [(100, "first", True), (100, "last", True)] and standings.spread([]) is None
    assert standings.baselines(record) == {} and standings.baselines(record, pairs=True) == {"x": 1}


def test_the_search_is_recorded_with_every_trial_and_one_exam():
    record = read("winning")
    marks = {trial["setting"]["name"]: max(trial["accuracy"]) for trial in record["trials"]}
    exam, chosen = record["exam"], max(marks, key=marks.get)
    assert len(marks) == len(record["trials"]) >= 4 and exam["trial"] == chosen
    for trial in record["trials"]:
        assert len(trial["accuracy"]) == trial["setting"]["training"]["passes"] and np.argmax(trial["accuracy"]) + 1 == trial["chosen"]
        assert trial["cpu_seconds"] > 0 and trial["seconds"] > 0 and "sealed" not in trial
        if trial["setting"]["name"] == chosen:
            assert trial["chosen"] == exam["passes"]
    assert 0.8 < exam["sealed"] < 1 and exam["seconds"] < 600  # ten minutes on two cores


def test_a_gap_of_the_distance_says_the_same_again():
    """Two that are quick: one that learns the far word, and one that has to guess."""
    recorded = {(run["task"], run["gap"], run["machine"], run["seed"]): run for run in read("distance")["runs"]}
    for task, gap, name in (("reach", 79, "BiLSTM"), ("order", 5, "Averages")):
        accuracy, _ = distance.learned(name, task, gap)
        assert accuracy == pytest.approx(recorded[task, gap, name, 0]["accuracy"], abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Averages", "LSTM"])
def test_a_run_on_the_real_reviews_agrees_with_the_record(real_data, name):
    real_data("imdb")
    (recorded,) = [run for run in standings.runs(read("contest"), name) if run["seed"] == 0]
    again = contest_record.one_run("full", Setting(), name, 0)
    assert again["last"] == pytest.approx(recorded["last"], abs=0.02) and again["best"] == pytest.approx(recorded["best"], abs=0.02)
    assert torch.tensor(again["accuracy"]).sub(torch.tensor(recorded["accuracy"])).abs().max() < 0.05
