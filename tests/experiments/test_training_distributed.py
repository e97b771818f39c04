"""Data parallel training agrees with a single process."""

import json
import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_tasks import SMALL, build, encoded_reviews, mean_embedding, task

from pencil.experiments.training.distributed import SINGLE_PROCESS, ProcessGroup, process_group
from pencil.experiments.training.identity import identity_of
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
    assert printed == alone.stdout and printed.count("best by the validation set: Averages") == 1


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


@pytest.mark.parametrize(
    "other, says",
    [
        ((mean_embedding, task, replace(SMALL, lr=0.5)), "process 1 has lr=0.5, and process 0 has lr=0.01; start them all on one run"),
        ((mean_embedding, lambda: replace(task(), train=encoded_reviews(50)), SMALL), r"process 1 has task.train.ids=int32 \(50, 12\) .*process 0"),
        ((lambda: build("LSTM"), task, SMALL), "process 1 has model=RNNClassifier, and process 0 has model=MeanEmbeddingClassifier"),
    ],
    ids=["setting", "data", "model"],
)
def test_processes_with_different_runs_are_refused_before_they_wait_for_each_other(monkeypatch, other, says):
    model, data, config = other
    theirs = identity_of(model(), data(), config)
    monkeypatch.setattr(ProcessGroup, "all_gather", lambda group, mine: [mine, theirs])
    with pytest.raises(ValueError, match=says):
        train(mean_embedding(), task(), SMALL, group=ProcessGroup(0, 2))


UNEQUAL = """
import sys, torch
from small_tasks import SMALL, encoded_reviews, mean_embedding, task
from pencil.experiments.contest.reviews_task import ReviewsTask
from pencil.experiments.training.loop import train
from pencil.experiments.training.distributed import process_group
from dataclasses import replace

with process_group() as group:
    model = mean_embedding(seed=group.rank)  # each process starts with weights of its own
    model.unused = torch.nn.Parameter(torch.ones(3))
    made = replace(task(), train=encoded_reviews(9))  # of the last batch, one process has no review
    train(model, made, replace(SMALL, weight_decay=1.0, decay_all=True), f"{sys.argv[1]}/{group.rank}", group)  # no shared disk
    again = mean_embedding(seed=5)
    again.unused = torch.nn.Parameter(torch.zeros(3))
    train(again, made, replace(SMALL, weight_decay=1.0, decay_all=True), f"{sys.argv[1]}/{group.rank}", group)
    group.check_replicas(again)
    if group.rank == 0:
        torch.save([model.state_dict(), again.state_dict()], sys.argv[1] + "/two.pt")
    again.unused.data += group.rank
    try:
        group.check_replicas(again)
    except RuntimeError as error:
        said = "told" if "the weights differ from process to process" in str(error) else error
        sys.stdout.write(f"{said}\\n")  # in one piece, for two processes write
"""


@pytest.mark.slow
def test_processes_that_start_apart_end_together(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(UNEQUAL)
    assert torchrun(2, str(script), str(tmp_path)).split() == ["told", "told"]
    trained, resumed = torch.load(tmp_path / "two.pt")
    assert (trained["unused"] == 1).all(), "what has no gradient decays in no number of processes"
    assert all(torch.equal(trained[name], resumed[name]) for name in trained)
    alone = mean_embedding(seed=0)
    alone.unused = torch.nn.Parameter(torch.ones(3))
    train(alone, replace(task(), train=encoded_reviews(9)), replace(SMALL, weight_decay=1.0, decay_all=True))
    for name, weights in alone.state_dict().items():
        torch.testing.assert_close(trained[name], weights, rtol=1e-4, atol=1e-5)


def start(rank, code, tmp_path, address="127.0.0.1"):
    """A process of two, without torchrun."""
    script = tmp_path / f"{rank}.py"
    script.write_text(code)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = os.environ.get("TEST_PORT") or str(free.getsockname()[1])
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    settings = {"PYTHONPATH": paths, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": address, "MASTER_PORT": port, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, str(script)], env=os.environ | settings, stderr=subprocess.PIPE, text=True)


DYING = """
import os, sys
from small_tasks import LONG, mean_embedding, task
from pencil.experiments.training.loop import train
from pencil.experiments.training.distributed import process_group
from pencil.experiments.contest.reviews_task import ReviewsTask

class Dying(ReviewsTask):
    def metrics(self, model, index, device):
        if os.environ["RANK"] == "1":
            os._exit(9)  # as one that is killed
        return super().metrics(model, index, device)

made = task()
try:
    with process_group() as group:
        train(mean_embedding(), Dying(made.train, made.validation), LONG, None, group)
except ValueError as wrong:
    sys.exit(f"said: {wrong}")
"""


@pytest.mark.slow
def test_a_process_whose_neighbour_dies_says_so(tmp_path, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("TEST_PORT", str(free.getsockname()[1]))
    first, other = (start(rank, DYING, tmp_path) for rank in (0, 1))
    assert other.wait(timeout=300) == 9
    said = first.communicate(timeout=300)[1]
    assert "said: another process has ended, and process 0 cannot go on without it (" in said and "start them all again" in said


WAITING = """
import sys
from pencil.experiments.training import distributed
distributed.PATIENCE = 0.2
with distributed.process_group():
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("rank, address", [(0, "127.0.0.1"), (1, "127.0.0.1")], ids=["a missing process", "nobody there"])
def test_who_waits_for_others_says_so(tmp_path, rank, address):
    waiting = start(rank, WAITING, tmp_path, address)
    try:
        lines = iter(waiting.stderr.readline, "")
        said = next(line for line in lines if "waits" in line)
        assert f"process {rank} of 2 waits for the others, which meet at {address}:" in said and "is each of them started" in said
    finally:
        waiting.kill()
        waiting.communicate()


def test_an_address_that_there_is_not_is_a_sentence(monkeypatch):
    for name, value in {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "no.such.place.invalid", "MASTER_PORT": "29500"}.items():
        monkeypatch.setenv(name, value)

    def unreachable(backend):
        raise torch.distributed.DistNetworkError("The IPv6 network addresses cannot be retrieved\nmore")

    monkeypatch.setattr(torch.distributed, "init_process_group", unreachable)
    says = r"process 1 of 2 cannot reach the others at no.such.place.invalid:29500 .*: The IPv6 network .*retrieved$"
    with pytest.raises(ValueError, match=says), process_group():
        pass


def test_no_two_processes_of_any_two_runs_draw_the_same_dropout():
    assert [SINGLE_PROCESS.seed(seed) for seed in (0, 7)] == [0, 7]
    assert len({ProcessGroup(rank, 8).seed(seed) for seed in range(50) for rank in range(8)}) == 50 * 8
