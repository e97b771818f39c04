"""The contest's tasks and jobs, in small sizes and on the embedded reviews."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from pencil.cli import experiment
from pencil.cli import record as record_command
from pencil.errors import TaskError
from pencil.experiments import records
from pencil.experiments.contest import long_range, recording, speed
from pencil.experiments.contest.recording import Setting
from pencil.experiments.training import jobs
from pencil.experiments.training.config import TrainingConfig


@pytest.mark.parametrize("gap", [1, 4, 79])
def test_neither_end_alone_tells_the_answer_of_reach(gap):
    reviews = long_range.make_texts("reach", gap, 400, seed=0)
    assert reviews.ids.shape == (400, gap + 1) and reviews.labels.mean() == 0.5
    for slot, words in ((0, (long_range.NOT, long_range.SO)), (-1, (long_range.GOOD, long_range.BAD))):
        for word in words:
            assert reviews.labels[reviews.ids[:, slot] == word].mean() == 0.5
    for first, last, positive in ((long_range.NOT, long_range.GOOD, 0), (long_range.SO, long_range.GOOD, 1), (long_range.NOT, long_range.BAD, 1)):
        assert set(reviews.labels[(reviews.ids[:, 0] == first) & (reviews.ids[:, -1] == last)]) == {positive}
    assert gap == 1 or (reviews.ids[:, 1:-1] >= long_range.FIRST).all()


def test_in_order_both_answers_have_the_same_words():
    reviews = long_range.make_texts("order", 5, 100, seed=0)
    assert {tuple(sorted(row[[0, -1]])) for row in reviews.ids} == {(long_range.NOT, long_range.GOOD)}
    assert (reviews.labels == (reviews.ids[:, 0] == long_range.GOOD)).all()
    assert not (long_range.make_texts("order", 5, 100, seed=1).ids == reviews.ids).all()
    with pytest.raises(ValueError, match="task='fetch', gap=1"):
        long_range.make_texts("fetch", 1, 4, 0)
    with pytest.raises(ValueError, match="gap=0"):
        long_range.make_texts("order", 0, 4, 0)


def test_what_an_average_cannot_see_and_a_seat_can():
    """Same words, other order: without seats the machine gives both orders one answer; with them, and by walking, they are told apart."""
    few = replace(long_range.TRAINING, epochs=8)
    assert long_range.train_and_test("Transformer", "order", 3, count=400, training=few)[0] < 0.6
    assert long_range.train_and_test("Averages", "order", 3, count=400, training=few)[0] < 0.6
    for name in ("LSTM", "SimpleRNN", "Transformer with positions"):
        accuracy, epochs = long_range.train_and_test(name, "order", 3, count=400, training=few)
        assert accuracy > 0.99 and epochs < 8


def test_what_is_done_is_not_done_again(tmp_path):
    calls, said = [], []
    listed = {name: lambda n=name: calls.append(n) or {"n": n} for name in "abc"}

    def broken():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jobs.run_all(listed | {"b": broken}, tmp_path, log=said.append)
    assert list(jobs.results(listed, tmp_path)) == ["a"]
    jobs.run_all(listed, tmp_path, log=said.append)
    found = jobs.results(listed, tmp_path)
    assert calls == ["a", "b", "c"] and {name: result["n"] for name, result in found.items()} == {name: name for name in "abc"}
    assert said[-1] == "3 of 3: c"
    assert all({"date": result["date"], **records.code()}.items() <= result.items() for result in found.values())  # of its own sitting


@pytest.mark.parametrize("name", ["contest", "long-range"])
def test_a_model_that_there_is_not_is_told_before_another_is_trained(name, monkeypatch):
    for module in ("entrants", "long_range"):
        monkeypatch.setattr(f"pencil.experiments.contest.{module}.train", lambda *a, **k: pytest.fail("nothing may be trained"))
    with pytest.raises(TaskError, match=r"there is no model 'LSTMM' in this experiment; take one of .*Did you mean 'LSTM'"):
        experiment.main([name, "--model", "Averages", "LSTMM"])


@pytest.mark.parametrize("is_a_file", [False, True])
def test_a_record_of_nothing_is_not_written(tmp_path, monkeypatch, is_a_file):
    folder = tmp_path / "kept"
    if is_a_file:
        folder.write_text("mine", encoding="utf-8")
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(folder))
    monkeypatch.setattr(records, "write", lambda *a: pytest.fail("the record that stands would be lost"))
    with pytest.raises(TaskError, match=r"none of the \d+ measurements is done in .*kept.*, so nothing was written; leave out --done"):
        record_command.main(["long_range", "--done"])
    assert not is_a_file or folder.read_text(encoding="utf-8") == "mine"


def test_the_record_of_the_contest_on_the_book_s_own_reviews(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(tmp_path))
    todo = recording.jobs("embedded", settings=(Setting(max_len=20),), seeds=(0,), training=TrainingConfig(epochs=1))
    assert list(todo) == [f"first-20-masked-{name}-0" for name in ("SimpleRNN", "LSTM", "BiLSTM", "Transformer", "Averages")]
    jobs.run_all(dict(list(todo.items())[3:]), tmp_path / "contest-embedded", log=lambda line: None)
    record = recording.measure(threads=torch.get_num_threads(), only_done=True, source="embedded", settings=(Setting(max_len=20),))
    runs = record["runs"]
    assert [run["model"] for run in runs] == ["Transformer", "Averages"] and record["baselines"] == []
    for run in runs:
        assert (run["max_len"], run["keep"], run["masked"], run["seed"]) == (20, "first", True, 0)
        assert len(run["accuracy"]) == 1 and 0.3 < run["last"] < 1 and "saliency" not in run
        assert set(run["cosines"]) <= {"boring dull", "nolan the", "great excellent", "great awful"}
    json.dumps(record)
    again = recording.one_run("embedded", Setting(max_len=20), "Averages", 0, TrainingConfig(epochs=1))
    slopes = again.pop("saliency")  # which the record keeps of the source's own setting alone
    assert len(slopes["new"]) == len(slopes["trained"]) == 20 and min(slopes["new"]) > 0
    assert {**again, "cpu_seconds": 0}.items() <= {**runs[1], "cpu_seconds": 0}.items()


@pytest.mark.slow
def test_the_baselines_of_the_record():
    found = recording.baseline_run("embedded", Setting(max_len=30), bigrams=True)
    assert found["bigrams"] and found["features"] > 10_002 and all(0.4 < metrics["test"] < 1 for metrics in found["accuracies"].values())


def test_the_record_of_the_distance(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(tmp_path))
    todo = long_range.jobs(gaps=(1,), models=("Averages",), seeds=(0,), training=replace(long_range.TRAINING, epochs=2), count=100)
    assert list(todo) == ["reach-1-Averages-0", "order-1-Averages-0"]
    jobs.run_all(todo, tmp_path / "long-range", log=lambda line: None)
    found = jobs.results(todo, tmp_path / "long-range")
    record = long_range.collect(found, models=("Averages",))
    assert [(run["task"], run["gap"], run["model"]) for run in record["runs"]] == [("reach", 1, "Averages"), ("order", 1, "Averages")]
    assert long_range.measure(threads=torch.get_num_threads(), only_done=True)["runs"] == []  # the other machines have not been asked


def test_the_record_of_the_speed():
    record = speed.measure(threads=torch.get_num_threads(), lengths=(3, 6), rounds=1)
    assert record["lengths"] == [3, 6] and set(record["milliseconds"]) == {"SimpleRNN", "LSTM", "BiLSTM", "Transformer"}
    assert all(len(row) == 2 and min(row) > 0 for row in record["milliseconds"].values()) and "CPU" in record["chip"]
    assert np.isfinite(sum(map(sum, record["milliseconds"].values())))
