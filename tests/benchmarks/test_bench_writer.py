"""The comparison with nanoGPT's training loop runs in tiny sizes, and the peer follows nanoGPT's published algorithm."""

import json
import math
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from pencil.experiments import records
from pencil.model import Config
from pencil.paths import ROOT


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        import bench_writer
        from parts import nanogpt

        small = replace(bench_writer.PLANS["full"], sizes=Config(16, 2, n_layers=1, max_len=8), windows=60)
        patch.setattr(bench_writer, "PLANS", {"full": small})
        patch.setattr(bench_writer, "find_spec", lambda name: None)
        yield SimpleNamespace(main=bench_writer, nano=nanogpt)
    for name in [name for name in sys.modules if name.split(".")[0] in ("bench_writer", "parts")]:
        del sys.modules[name]


@pytest.fixture
def short_text(bench, monkeypatch):
    text = bench.main.load()[:3000]
    monkeypatch.setattr(bench.main, "load", lambda source: text)


def test_both_learn_as_long_and_are_recorded(bench, short_text, capsys, tmp_path):
    file = tmp_path / "run.json"
    bench.main.main(["--passes", "2", "--record", str(file)])
    said, result = capsys.readouterr().out, json.loads(file.read_text(encoding="utf-8"))["result"]
    assert result["steps"] == 10 and result["batch"] == 12 and list(result["writers"]) == ["ours", "nanoGPT"]
    for one in result["writers"].values():
        assert one["cpu_seconds"] > 0 and one["loss"] > 0 and one["side_by_side"] > 0 and len(one["text"]) == 1 + bench.main.COUNT
    assert said.count("not installed") == 2 and records.read("run", tmp_path).provenance["command"].endswith(f"--record {file}")


def test_its_schedule_is_a_cosine_to_a_tenth(bench):
    loop = bench.nano.Loop(bench.nano.NanoGPT(5, 4, 8, 2, 1), None, 3, **bench.nano.CPU_RUN)
    assert loop.lr_at(0) == pytest.approx(1e-3 / 101) and loop.lr_at(99) == pytest.approx(1e-3 * 100 / 101) and loop.lr_at(100) == 1e-3
    assert loop.lr_at(1050) == pytest.approx(0.55e-3) and loop.lr_at(2000) == pytest.approx(1e-4)
    assert [len(group["params"]) for group in loop.optimizer.param_groups] == [6, 3]  # two tables and four matrices; three gains


def test_a_new_one_is_as_unsure_as_can_be_and_learns(bench):
    torch.manual_seed(0)
    model, ids = bench.nano.NanoGPT(7, 6, 16, 2, 2), torch.arange(700) % 7  # each token tells the next
    spreads = {name: weight.std().item() for name, weight in model.named_parameters() if weight.ndim == 2}
    for name, spread in spreads.items():
        assert spread == pytest.approx(0.02 / math.sqrt(4) if name.endswith("c_proj.weight") else 0.02, rel=0.25)
    loop = bench.nano.Loop(model, ids, 4, **bench.nano.CPU_RUN | {"lr": 1e-2, "steps": 60, "warmup": 5})
    assert loop.run(1) == pytest.approx(np.log(7), abs=0.1) and loop.run(59) < 0.3 and loop.step == 60
    assert model.generate(torch.tensor([[3]]), 9).tolist() == [[(3 + k) % 7 for k in range(10)]]


@pytest.mark.parametrize("bias", [True, False])
def test_it_cannot_see_what_comes(bench, bias):
    model, ids = bench.nano.NanoGPT(7, 6, 16, 2, 2, bias=bias), torch.tensor([[1, 2, 3, 4, 5, 6]])
    other = ids.clone()
    other[0, 4:] = 0
    torch.testing.assert_close(model(ids)[:, :4], model(other)[:, :4])
    assert not torch.allclose(model(ids)[:, 4:], model(other)[:, 4:])


def test_the_recorded_run_says_what_the_chapter_says():
    kept = records.read("bench_writer_cpu")
    ours, theirs = kept["writers"].values()
    assert kept["steps"] == 2000 and kept["batch"] == 12 and kept["threads"] == 1 and not kept.provenance["changed_since"]
    for one in (ours, theirs):
        assert one["judged"] == pytest.approx(one["loss"], abs=1e-5) and one["side_by_side"] > one["loss"]
    assert ours["loss"] < theirs["loss"] and ours["loss"] == pytest.approx(records.read("tiny_gpt")["val_loss"][-1], abs=1e-6)
    assert theirs["side_by_side"] == pytest.approx(1.88, abs=0.05)  # as the README of nanoGPT has it
