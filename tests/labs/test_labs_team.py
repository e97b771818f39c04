"""Several processes give the numbers of one; the curve is that of the same batches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from labs_lessons import SMALL, lesson, machine

from pencil.labs.loop import examine, train
from pencil.labs.team import ALONE, Team, joined

RUN = """
import json, sys
from labs_lessons import SMALL, lesson, machine
from pencil.labs.loop import train
from pencil.labs.team import joined
with joined() as team:
    done = train(machine(sys.argv[1], dropout=0.0), lesson(), SMALL, sys.argv[2], team)
    if team.rank == 0:
        print(json.dumps([team.size, done.history]))
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
    alone = train(machine(name, dropout=0.0), lesson(), SMALL)
    assert size == 2 and len(history) == len(alone.history) == 3
    for ours, theirs in zip(alone.history, history, strict=True):
        assert ours.keys() == theirs.keys() and all(abs(ours[mark] - theirs[mark]) <= 1e-5 for mark in ours)
    with pytest.raises(ValueError, match=r"the checkpoint is of 2 process\(es\), and these are 1; start as many"):
        train(machine(name, dropout=0.0), lesson(), SMALL, tmp_path / "kept")


@pytest.mark.slow
def test_the_command_under_torchrun_says_everything_once():
    said = torchrun(2, "-m", "pencil", "lab", "contest", "--machine", "Averages", "--passes", "1", "--dropout", "0", "--threads", "1")
    alone = subprocess.run(
        [sys.executable, "-m", "pencil", "lab", "contest", "--machine", "Averages", "--passes", "1", "--dropout", "0", "--threads", "1"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said == alone.stdout and said.count("best on the sealed pile: Averages") == 1


def test_the_shares_of_a_batch_are_the_batch():
    batch = np.arange(11)
    assert sorted(np.concatenate([Team(rank, 3).share(batch) for rank in range(3)])) == batch.tolist()
    assert max(len(Team(rank, 3).share(batch)) for rank in range(3)) == 4
    assert (ALONE.share(batch) == batch).all() and ALONE.gather(5) == [5]


def test_who_gets_no_text_of_a_short_exam_has_the_marks_of_all(monkeypatch):
    monkeypatch.setattr(Team, "gather", lambda team, mine: [({"accuracy": 3.0}, 4), mine])
    monkeypatch.setattr(Team, "share", lambda team, index: index[:0])
    assert examine(machine("LSTM"), lesson(), SMALL, Team(1, 2)) == {"accuracy": 0.75}


def test_without_torchrun_nobody_is_joined(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with joined() as team:
        assert team is ALONE


def test_the_slopes_of_all_processes_are_added(monkeypatch):
    """Two processes played by one: what is sent is doubled on its way."""
    model = torch.nn.Linear(3, 2)
    model.bias.requires_grad_(False)
    monkeypatch.setattr(torch.distributed, "all_reduce", lambda row: row.mul_(2))
    Team(0, 2).add_slopes(model.parameters())
    assert model.bias.grad is None and (model.weight.grad == 0).all()
    model.weight.grad = torch.ones(2, 3)
    Team(0, 2).add_slopes(model.parameters())
    assert (model.weight.grad == 2).all()
