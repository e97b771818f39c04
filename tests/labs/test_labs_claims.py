"""The tasks behind the claims, the queue, and what the records are made of; small, and on the book's own reviews."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from pencil.labs import contest_record, distance, queue, records, speed
from pencil.labs.contest_record import Setting
from pencil.labs.training import Training


@pytest.mark.parametrize("gap", [1, 4, 79])
def test_neither_end_alone_tells_the_answer_of_reach(gap):
    pile = distance.texts("reach", gap, 400, seed=0)
    assert pile.ids.shape == (400, gap + 1) and pile.labels.mean() == 0.5
    for slot, words in ((0, (distance.NOT, distance.SO)), (-1, (distance.GOOD, distance.BAD))):
        for word in words:
            assert pile.labels[pile.ids[:, slot] == word].mean() == 0.5
    for first, last, liked in ((distance.NOT, distance.GOOD, 0), (distance.SO, distance.GOOD, 1), (distance.NOT, distance.BAD, 1)):
        assert set(pile.labels[(pile.ids[:, 0] == first) & (pile.ids[:, -1] == last)]) == {liked}
    assert gap == 1 or (pile.ids[:, 1:-1] >= distance.FIRST).all()


def test_in_order_both_answers_have_the_same_words():
    pile = distance.texts("order", 5, 100, seed=0)
    assert {tuple(sorted(row[[0, -1]])) for row in pile.ids} == {(distance.NOT, distance.GOOD)}
    assert (pile.labels == (pile.ids[:, 0] == distance.GOOD)).all()
    assert not (distance.texts("order", 5, 100, seed=1).ids == pile.ids).all()
    with pytest.raises(ValueError, match="task='fetch', gap=1"):
        distance.texts("fetch", 1, 4, 0)
    with pytest.raises(ValueError, match="gap=0"):
        distance.texts("order", 0, 4, 0)


def test_what_an_average_cannot_see_and_a_seat_can():
    """Same words, other order: without seats the machine gives both orders one answer; with them, and by walking, they are told apart."""
    few = replace(distance.TAUGHT, passes=8)
    assert distance.learned("Transformer", "order", 3, count=400, training=few)[0] < 0.6
    assert distance.learned("Averages", "order", 3, count=400, training=few)[0] < 0.6
    for name in ("LSTM", "SimpleRNN", "Transformer with seats"):
        accuracy, passes = distance.learned(name, "order", 3, count=400, training=few)
        assert accuracy > 0.99 and passes < 8


def test_what_is_done_is_not_done_again(tmp_path):
    calls, said = [], []
    jobs = {name: lambda n=name: calls.append(n) or {"n": n} for name in "abc"}

    def broken():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        queue.work(jobs | {"b": broken}, tmp_path, said.append)
    assert list(queue.done(jobs, tmp_path)) == ["a"]
    queue.work(jobs, tmp_path, said.append)
    found = queue.done(jobs, tmp_path)
    assert calls == ["a", "b", "c"] and {name: result["n"] for name, result in found.items()} == {name: name for name in "abc"}
    assert said[-1] == "3 of 3: c"
    assert all({"date": result["date"], **records.code()}.items() <= result.items() for result in found.values())  # of its own sitting


def test_the_record_of_the_contest_on_the_book_s_own_reviews(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_LABS", str(tmp_path))
    todo = contest_record.jobs("embedded", settings=(Setting(slots=20),), seeds=(0,), training=Training(passes=1))
    assert list(todo) == [f"first-20-masked-{name}-0" for name in ("SimpleRNN", "LSTM", "BiLSTM", "Transformer", "Averages")]
    queue.work(dict(list(todo.items())[3:]), tmp_path / "contest-embedded", lambda line: None)
    record = contest_record.measure(threads=torch.get_num_threads(), only_done=True, source="embedded", settings=(Setting(slots=20),))
    runs = record["runs"]
    assert [run["machine"] for run in runs] == ["Transformer", "Averages"] and record["baselines"] == []
    for run in runs:
        assert (run["slots"], run["keep"], run["masked"], run["seed"]) == (20, "first", True, 0)
        assert len(run["accuracy"]) == 1 and 0.3 < run["last"] < 1 and "slopes" not in run
        assert set(run["sticks"]) <= {"boring dull", "nolan the", "great excellent", "great awful"}
    json.dumps(record)
    again = contest_record.one_run("embedded", Setting(slots=20), "Averages", 0, Training(passes=1))
    slopes = again.pop("slopes")  # which the record keeps of the source's own setting alone
    assert len(slopes["new"]) == len(slopes["trained"]) == 20 and min(slopes["new"]) > 0
    assert {**again, "cpu_seconds": 0}.items() <= {**runs[1], "cpu_seconds": 0}.items()


def test_the_baselines_of_the_record():
    found = contest_record.rival("embedded", Setting(slots=30), pairs=True)
    assert found["pairs"] and found["features"] > 10_002 and all(0.4 < marks["test"] < 1 for marks in found["marks"].values())


def test_the_record_of_the_distance(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_LABS", str(tmp_path))
    todo = distance.jobs(gaps=(1,), machines=("Averages",), seeds=(0,), training=replace(distance.TAUGHT, passes=2), count=100)
    assert list(todo) == ["reach-1-Averages-0", "order-1-Averages-0"]
    queue.work(todo, tmp_path / "distance", lambda line: None)
    found = queue.done(todo, tmp_path / "distance")
    record = distance.collect(found, machines=("Averages",))
    assert [(run["task"], run["gap"], run["machine"]) for run in record["runs"]] == [("reach", 1, "Averages"), ("order", 1, "Averages")]
    assert distance.measure(threads=torch.get_num_threads(), only_done=True)["runs"] == []  # the other machines have not been asked


def test_the_record_of_the_speed():
    record = speed.measure(threads=torch.get_num_threads(), lengths=(3, 6), rounds=1)
    assert record["lengths"] == [3, 6] and set(record["milliseconds"]) == {"SimpleRNN", "LSTM", "BiLSTM", "Transformer"}
    assert all(len(row) == 2 and min(row) > 0 for row in record["milliseconds"].values()) and "CPU" in record["chip"]
    assert np.isfinite(sum(map(sum, record["milliseconds"].values())))
