"""The benchmark of training against Keras: arguments, missing peers, and the record. Keras itself is tested in tests/peers."""

import json
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from pencil.experiments import records
from pencil.experiments.contest import entrants
from pencil.paths import ROOT


@pytest.fixture
def bench(monkeypatch):
    """The benchmark as a module, as if it were run from its own folder."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import bench_training

    yield bench_training
    del sys.modules["bench_training"]


def test_the_rows_of_both_backends_come_into_one_record(bench, monkeypatch, tmp_path):
    """A stand-in for the two processes: each is told its backend, and leaves its rows in the file that it is told."""
    told = []

    def run(command, check):
        backend, file = command[command.index("--backend") + 1], Path(command[-1])
        told.append((backend, command[command.index("--reviews") + 1]))
        records.write(file, {"rows": [{"backend": backend}]}, {})

    monkeypatch.setattr(bench, "find_spec", lambda name: True)
    monkeypatch.setattr(bench, "subprocess", SimpleNamespace(run=run))
    file = tmp_path / "run.json"
    bench.main(["--reviews", "64", "--record", str(file)])
    record = json.loads(file.read_text(encoding="utf-8"))
    assert told == [("torch", "64"), ("tensorflow", "64")]
    rows = [{"backend": "torch"}, {"backend": "tensorflow"}]
    assert record["result"] == {"reviews": 64, "rounds": 3, "threads": 1, "keras_seed": bench.SEED, "rows": rows}
    assert record["data"] == {"embedded reviews": bench.hash_of("embedded")}
    assert record["command"] == f"python benchmarks/bench_training.py --reviews 64 --record {file}" and record["versions"]["torch"]


def test_what_is_not_installed_is_named_and_left_out(bench, monkeypatch, capsys):
    monkeypatch.setattr(bench, "find_spec", lambda name: None if name == "tensorflow" else True)
    run = SimpleNamespace(run=lambda command, check: records.write(command[-1], {"rows": []}, {}))
    monkeypatch.setattr(bench, "subprocess", run)
    bench.main([])
    assert "Keras on tensorflow: not measured, for tensorflow is not installed" in capsys.readouterr().out
    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    bench.main([])
    assert capsys.readouterr().out.count("not measured, for Keras is not installed") == 2


def test_a_record_names_the_reviews_and_keras_seed(bench, tmp_path):
    given = SimpleNamespace(reviews=64, rounds=1, threads=1, data=["embedded"], record=tmp_path / "toy.json")
    bench.record(given, ["--reviews", "64"], [])
    record = records.read("toy", tmp_path)
    assert record["keras_seed"] == record.provenance["seed"] == bench.SEED
    assert record.provenance["data"] == {"embedded reviews": bench.hash_of("embedded")} and len(bench.hash_of("embedded")) == 64


def test_what_was_recorded_stands_beside_what_is_measured(bench, monkeypatch, capsys):
    rows = [*records.read("bench_training_cpu")["rows"][:1], {"backend": "torch", "data": "full", "model": "LSTM", "masked": True}]
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    monkeypatch.setattr(bench, "measure", lambda given: (row | {"ours": 30.0, "keras": 20.0, "faster": 1.5} for row in rows))
    monkeypatch.setitem(sys.modules, "keras", SimpleNamespace(__version__="3", utils=SimpleNamespace(set_random_seed=lambda seed: None)))
    bench.table(SimpleNamespace(backend="torch", threads=torch.get_num_threads(), reviews=64))
    *_, first, second = capsys.readouterr().out.splitlines()
    assert first.split()[-2:] == ["1.50", f"{rows[0]['faster']:.2f}"] and second.split()[-2:] == ["1.50", "–"]


def test_what_was_recorded_is_whole_and_never_behind():
    """Every machine on both backends, masked and bare; the masked transformer at least twice as fast as the better of the two."""
    record, backends = records.read("bench_training_cpu"), ("torch", "tensorflow")
    rows = {(row["backend"], row["data"], row["masked"], row["model"]): row for row in record["rows"]}
    assert set(rows) == set(product(backends, ["embedded"], (True, False), entrants.FOUR)) and len(rows) == len(record["rows"])
    assert all(row["faster"] == row["ours"] / row["keras"] > 1 for row in rows.values())
    assert min(rows[backend, "embedded", True, "Transformer"]["faster"] for backend in backends) > 2
    assert "benchmarks/bench_training.py" in record.provenance["command"]
