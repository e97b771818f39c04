"""Several processes give the numbers of one; the curve is that of the same batches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from small_tasks import SMALL, build, task

from pencil.experiments.training.distributed import SINGLE_PROCESS, ProcessGroup, process_group
from pencil.experiments.training.loop import evaluate, train

RUN = """
import json, sys
from small_tasks import SMALL, build, task
from pencil.experiments.training.loop import train
from pencil.experiments.training.distributed import process_group
with process_group() as group:
    done = train(build(sys.argv[1], dropout=0.0), task(), SMALL, sys.argv[2], group)
    if group.rank == 0:
        print(json.dumps([group.size, done.history]))
"""


def torchrun(processes, *argv):
    """What `torchrun --nproc-per-node N ...` does, on this machine."""
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes), *argv]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Transformer", "LSTM", "SimpleRNN", "BiLSTM"])
def test_two_processes_give_the_curve_of_one(tmp_path, name):
    script = tmp_path / "run.py"
    script.write_text(RUN)
    size, history = json.loads(torchrun(2, str(script), name, str(tmp_path / "kept")))
    alone = train(build(name, dropout=0.0), task(), SMALL)
    assert size == 2 and len(history) == len(alone.history) == 3
    for ours, theirs in zip(alone.history, history, strict=True):
        assert ours.keys() == theirs.keys() and all(abs(ours[metric] - theirs[metric]) <= 1e-5 for metric in ours)
    with pytest.raises(ValueError, match=r"the checkpoint is of 2 process\(es\), and these are 1; start as many"):
        train(build(name, dropout=0.0), task(), SMALL, tmp_path / "kept")


@pytest.mark.slow
def test_the_command_under_torchrun_says_everything_once():
    printed = torchrun(2, "-m", "pencil", "experiment", "contest", "--model", "Averages", "--epochs", "1", "--dropout", "0", "--threads", "1")
    alone = subprocess.run(
        [sys.executable, "-m", "pencil", "experiment", "contest", "--model", "Averages", "--epochs", "1", "--dropout", "0", "--threads", "1"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert printed == alone.stdout and printed.count("best on the test set: Averages") == 1


def test_the_shares_of_a_batch_are_the_batch():
    batch = np.arange(11)
    assert sorted(np.concatenate([ProcessGroup(rank, 3).shard(batch) for rank in range(3)])) == batch.tolist()
    assert max(len(ProcessGroup(rank, 3).shard(batch)) for rank in range(3)) == 4
    assert (SINGLE_PROCESS.shard(batch) == batch).all() and SINGLE_PROCESS.all_gather(5) == [5]


def test_who_gets_no_text_of_a_short_exam_has_the_marks_of_all(monkeypatch):
    monkeypatch.setattr(ProcessGroup, "all_gather", lambda group, mine: [({"accuracy": 3.0}, 4), mine])
    monkeypatch.setattr(ProcessGroup, "shard", lambda group, index: index[:0])
    assert evaluate(build("LSTM"), task(), SMALL, ProcessGroup(1, 2)) == {"accuracy": 0.75}


def test_without_torchrun_nobody_is_joined(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with process_group() as group:
        assert group is SINGLE_PROCESS


def test_the_slopes_of_all_processes_are_added(monkeypatch):
    """Two processes played by one: what is sent is doubled on its way."""
    model = torch.nn.Linear(3, 2)
    model.bias.requires_grad_(False)
    monkeypatch.setattr(torch.distributed, "all_reduce", lambda row: row.mul_(2))
    ProcessGroup(0, 2).all_reduce_grads(model.parameters())
    assert model.bias.grad is None and (model.weight.grad == 0).all()
    model.weight.grad = torch.ones(2, 3)
    ProcessGroup(0, 2).all_reduce_grads(model.parameters())
    assert (model.weight.grad == 2).all()
