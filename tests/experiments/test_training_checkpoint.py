"""A killed run resumes from its checkpoint with the same numbers; checkpoints of other runs are refused."""

import errno
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_tasks import LONG, SMALL, build, mean_embedding, same, task

from pencil.experiments.training import checkpoint
from pencil.experiments.training.distributed import SINGLE_PROCESS
from pencil.experiments.training.identity import identity_of
from pencil.experiments.training.loop import train


class Interrupted(Exception):
    """What stops a run in the middle of a pass."""


def stop_at(made, number, step):
    """The same lesson, which breaks off at a step of a pass."""

    class Breaking(type(made)):
        left = (number - 1) * 13 + step  # of 13 batches a pass

        def loss(self, model, index, device):
            Breaking.left -= 1
            if Breaking.left < 0:
                raise Interrupted
            return super().loss(model, index, device)

    Breaking.__name__ = type(made).__name__
    return Breaking(made.train, made.validation, made.padding)


@pytest.mark.parametrize("number, step", [(1, 1), (1, 4), (2, 0), (3, 12)])
@pytest.mark.parametrize("name", ["Transformer", pytest.param("LSTM", marks=pytest.mark.slow)])
def test_a_broken_run_goes_on_to_the_same_numbers(tmp_path, name, number, step):
    whole, broken, resumed = (build(name) for _ in range(3))
    expected = train(whole, task(), LONG)
    with pytest.raises(Interrupted):
        train(broken, stop_at(task(), number, step), LONG, tmp_path)
    torch.manual_seed(99)
    done = train(resumed, task(), LONG, tmp_path)
    assert done.history == expected.history and done.best_epoch == expected.best_epoch and same(whole, resumed)
    assert all(torch.equal(done.best_state[key], expected.best_state[key]) for key in expected.best_state)


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_the_generator_of_another_device_is_kept_and_put_back(monkeypatch, device):
    class Accelerator:
        drawn = torch.tensor([1, 2, 3], dtype=torch.uint8)
        get_rng_state = staticmethod(lambda: Accelerator.drawn)
        set_rng_state = staticmethod(lambda state: setattr(Accelerator, "drawn", state))

    monkeypatch.setitem(checkpoint.ACCELERATORS, device, Accelerator)
    model, config = mean_embedding(), replace(SMALL, device=device)
    optimizer = torch.optim.AdamW(model.parameters())
    state = checkpoint.capture(model, optimizer, SINGLE_PROCESS, {}, config, {})
    Accelerator.drawn = None
    checkpoint.restore(state, model, optimizer, SINGLE_PROCESS, config)
    assert Accelerator.drawn.tolist() == [1, 2, 3]


def test_a_run_that_is_over_is_not_trained_again(tmp_path):
    model, again = mean_embedding(), mean_embedding(seed=1)
    first = train(model, task(), LONG, tmp_path)
    second = train(again, stop_at(task(), 1, 0), LONG, tmp_path)
    assert second.history == first.history and same(model, again)


RUN = """
import sys, time
from small_tasks import LONG, build, task
from pencil.experiments.training.loop import train
from pencil.experiments.contest.reviews_task import ReviewsTask

whole = ReviewsTask.loss

def slow(*args):
    time.sleep(float(sys.argv[2]))
    return whole(*args)

ReviewsTask.loss = slow
done = train(build("Transformer"), task(), LONG, sys.argv[1])
print(repr(done.history))
"""


def start(folder, pause):
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(folder), str(pause)],
        env=os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": str(torch.get_num_threads())},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_kill_9_in_the_middle_of_a_pass(tmp_path):
    expected = train(build("Transformer"), task(), LONG).history
    this, run = identity_of(build("Transformer"), task(), LONG), start(tmp_path, pause=0.05)
    for _ in range(1200):  # until it has written in the second pass
        state = checkpoint.load(tmp_path, this)
        if state and state["progress"]["epoch"] == 2 and state["progress"]["step"]:
            break
        assert run.poll() is None, "the run was over before it could be killed"
        time.sleep(0.05)
    run.kill()  # signal 9; on Windows the process is ended as rudely
    assert run.wait() == (1 if os.name == "nt" else -9)
    left = checkpoint.load(tmp_path, this)["progress"]
    assert 0 < left["step"] < 13 and left["epoch"] < 4
    resumed = start(tmp_path, pause=0)
    printed, _ = resumed.communicate(timeout=120)
    assert resumed.returncode == 0 and printed.strip() == repr(expected)


def test_a_write_that_is_broken_off_leaves_the_old_checkpoint_whole(tmp_path, monkeypatch):
    checkpoint.save(tmp_path, {"identity": {}, "step": 1})

    def half(state, file):
        file.write(b"half a chec")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(KeyboardInterrupt):
        checkpoint.save(tmp_path, {"identity": {}, "step": 2})
    assert torch.load(tmp_path / checkpoint.NAME, weights_only=True)["step"] == 1


def test_a_disk_that_fills_up_is_told_as_that(tmp_path, monkeypatch):
    """The writer of torch ends in an error of its own, with the disk's behind it."""

    def full(state, file):
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        except OSError:
            raise RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 64 vs 0") from None

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OSError, match="No space left"):
        checkpoint.save(tmp_path, {name: kind() for name, kind in checkpoint.PARTS.items()})
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_save_left_is_gone_with_the_next_run_and_what_the_reader_keeps_stays(tmp_path):
    left, kept = tmp_path / f".{checkpoint.NAME}.abc.part", tmp_path / f"{checkpoint.NAME}.mine"
    for file in (left, kept):
        file.write_bytes(b"half a chec")
    train(mean_embedding(), task(), LONG, tmp_path)
    assert not left.exists() and kept.read_bytes() == b"half a chec"
    assert {path.name for path in tmp_path.iterdir()} - {checkpoint.LOCK} == {checkpoint.NAME, kept.name}


def test_two_runs_at_once_in_one_folder_are_one_run_and_a_refusal(tmp_path):
    with (
        checkpoint.locked(tmp_path),
        pytest.raises(ValueError, match=r"another run is at work in .*: wait until it is over, or take another folder"),
    ):
        train(mean_embedding(), task(), LONG, tmp_path)
    assert train(mean_embedding(), task(), LONG, tmp_path).history == train(mean_embedding(), task(), LONG).history


def test_what_can_be_no_folder_is_refused_before_anything_is_trained(tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file/below"):
        with pytest.raises(ValueError, match=r"nothing can be kept in .*file.* \(.+\): take another folder"):
            train(mean_embedding(), task(), LONG, folder)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no file that is open")
def test_a_deleted_lock_lets_no_second_run_in(tmp_path):
    with checkpoint.locked(tmp_path):
        (tmp_path / checkpoint.LOCK).unlink()
        with pytest.raises(ValueError, match="another run is at work"), checkpoint.locked(tmp_path):
            pass
    with checkpoint.locked(tmp_path):
        pass


@pytest.mark.slow
def test_the_lock_of_a_folder_dies_with_its_run(tmp_path):
    first, other = start(tmp_path, pause=0.05), task()
    for _ in range(1200):
        if (tmp_path / checkpoint.NAME).exists():
            break
        assert first.poll() is None, "the first run was over before the second began"
        time.sleep(0.05)
    with pytest.raises(ValueError, match=r"another run is at work in .*: wait until it is over, or take another folder"):
        train(build("Transformer"), other, LONG, tmp_path)
    first.kill()
    first.communicate()
    assert train(build("Transformer"), other, LONG, tmp_path).history == train(build("Transformer"), other, LONG).history  # the lock died with it


BROKEN = {
    "half": (lambda whole: whole[: len(whole) // 2], "Error: "),
    "empty": (lambda whole: b"", "EOFError"),
    "notes": (lambda whole: b"notes on the run", "UnpicklingError: "),
    "no letters": (lambda whole: b"X\1\0\0\0\xce", "UnicodeDecodeError: "),
    "out of reach": (lambda whole: b"s", "IndexError: "),
}


@pytest.mark.parametrize("left, why", BROKEN.values(), ids=BROKEN)
def test_a_broken_checkpoint_is_refused_and_stays_where_it_is(tmp_path, left, why):
    train(mean_embedding(), task(), LONG, tmp_path)
    file = tmp_path / checkpoint.NAME
    broken = left(file.read_bytes())
    file.write_bytes(broken)
    with pytest.raises(ValueError, match=rf"checkpoint\.pt cannot be read \(.*{why}.*\); rename it to keep it, or delete it: then the run"):
        train(mean_embedding(), task(), LONG, tmp_path)
    assert file.read_bytes() == broken


def test_a_run_can_be_extended_and_not_shortened(tmp_path):
    train(mean_embedding(dropout=0.1), task(), replace(SMALL, epochs=2), tmp_path)
    longer = train(mean_embedding(dropout=0.1), task(), replace(SMALL, epochs=4), tmp_path)
    assert longer.history == train(mean_embedding(dropout=0.1), task(), replace(SMALL, epochs=4)).history
    with pytest.raises(ValueError, match=r"the checkpoint is in epoch 5, and epochs=3; give it 4 or more, or take another folder"):
        train(mean_embedding(dropout=0.1), task(), SMALL, tmp_path)
    falling = replace(SMALL, epochs=2, linear_decay=True)  # its rates depend on how many epochs there are
    train(mean_embedding(), task(), falling, tmp_path / "falling")
    with pytest.raises(ValueError, match="comes from a run with epochs=2, and this one has epochs=4"):
        train(mean_embedding(), task(), replace(falling, epochs=4), tmp_path / "falling")


def alike(one, other):
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    return len(one) == len(other) and all(map(alike, one, other)) if isinstance(one, list | tuple) else one == other


def test_a_bit_that_flips_is_refused_or_changes_nothing(tmp_path):
    train(mean_embedding(), task(), LONG, tmp_path)
    file, identity = tmp_path / checkpoint.NAME, identity_of(mean_embedding(), task(), LONG)
    whole, before, refused = file.read_bytes(), checkpoint.load(tmp_path, identity), 0
    for place in np.linspace(0, len(whole) - 1, 300).astype(int):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        try:
            assert alike(checkpoint.load(tmp_path, identity), before), place
        except ValueError as error:
            assert "cannot be read" in str(error) or "is no checkpoint" in str(error)
            refused += 1
    assert refused > 100


ALTERED = {
    "no optimizer": lambda state: state.pop("optimizer"),
    "no random states": lambda state: state["generators"].clear(),
    "another device": lambda state: state["generators"][0].pop("cpu"),
    "a weight too few": lambda state: state["model"].pop("embedding"),
    "no moments": lambda state: state["optimizer"].pop("state"),
    "no step": lambda state: state["progress"].pop("step"),
    "an epoch too many": lambda state: state["progress"].update(epoch=99),
    "an epoch before the first": lambda state: state["progress"].update(epoch=0, history=[]),
    "a best epoch to come": lambda state: state["progress"].update(best_epoch=7),
    "a step in words": lambda state: state["progress"].update(step="three"),
}


@pytest.mark.parametrize("alter", ALTERED.values(), ids=ALTERED)
def test_a_checkpoint_that_was_changed_by_hand_is_told_as_one(tmp_path, alter):
    train(mean_embedding(), task(), LONG, tmp_path)
    state = torch.load(tmp_path / checkpoint.NAME, weights_only=True)
    alter(state)
    checkpoint.save(tmp_path, state)
    with pytest.raises(ValueError, match=r"is no checkpoint of a run|is not as it was saved|is none that a run makes|is of 0 process"):
        train(mean_embedding(), task(), LONG, tmp_path)


@pytest.mark.parametrize("state", [{"model": {}}, [1, 2], torch.ones(2)], ids=["dials alone", "list", "tensor"])
def test_what_is_no_checkpoint_of_a_run_is_refused(tmp_path, state):
    checkpoint.save(tmp_path, state)
    with pytest.raises(ValueError, match=r"checkpoint\.pt is no checkpoint of a run; rename it to keep it, or delete it"):
        checkpoint.load(tmp_path, {})


@pytest.mark.parametrize("wrong", [PermissionError("not yours"), MemoryError()], ids=repr)
def test_a_whole_checkpoint_that_only_now_cannot_be_read_is_not_called_broken(tmp_path, monkeypatch, wrong):
    def refuse(*_, **given):
        assert given["map_location"] == "cpu", "a GPU that is full would be told as a broken file"
        raise wrong

    checkpoint.save(tmp_path, {name: kind() for name, kind in checkpoint.PARTS.items()})
    monkeypatch.setattr(torch, "load", refuse)
    with pytest.raises(type(wrong)):
        checkpoint.load(tmp_path, {})


def test_another_run_s_checkpoint_is_refused_and_how_often_it_is_saved_is_no_matter(tmp_path):
    train(mean_embedding(), task(), LONG, tmp_path)
    with pytest.raises(ValueError, match=r"comes from a run with lr=0.01, and this one has lr=0.5; take another folder"):
        train(mean_embedding(), task(), replace(LONG, lr=0.5), tmp_path)
    train(mean_embedding(), task(), replace(LONG, save_every=None), tmp_path)
