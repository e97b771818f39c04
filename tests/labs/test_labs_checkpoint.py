"""A run that is killed goes on from its checkpoint to the same numbers; what is not its own checkpoint is refused."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from labs_lessons import SMALL, averages, lesson, machine, same

from pencil.labs import checkpoint
from pencil.labs.loop import train
from pencil.labs.team import ALONE

LONG = replace(SMALL, passes=4, save_every=3)


class Stopped(Exception):
    """What stops a run in the middle of a pass."""


def stop_at(school, number, step):
    """The same lesson, which breaks off at a step of a pass."""

    class Breaking(type(school)):
        left = (number - 1) * 13 + step  # of 13 batches a pass

        def loss(self, model, index, device):
            Breaking.left -= 1
            if Breaking.left < 0:
                raise Stopped
            return super().loss(model, index, device)

    return Breaking(school.study, school.sealed, school.padding)


@pytest.mark.parametrize("number, step", [(1, 1), (1, 4), (2, 0), (3, 12)])
@pytest.mark.parametrize("name", ["Transformer", "LSTM"])
def test_a_broken_run_goes_on_to_the_same_numbers(tmp_path, name, number, step):
    whole, broken, resumed = (machine(name) for _ in range(3))
    expected = train(whole, lesson(), LONG)
    with pytest.raises(Stopped):
        train(broken, stop_at(lesson(), number, step), LONG, tmp_path)
    torch.manual_seed(99)
    done = train(resumed, lesson(), LONG, tmp_path)
    assert done.history == expected.history and done.best == expected.best and same(whole, resumed)
    assert all(torch.equal(done.best_weights[key], expected.best_weights[key]) for key in expected.best_weights)


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_the_generator_of_another_device_is_kept_and_put_back(monkeypatch, device):
    class Elsewhere:
        drawn = torch.tensor([1, 2, 3], dtype=torch.uint8)
        get_rng_state = staticmethod(lambda: Elsewhere.drawn)
        set_rng_state = staticmethod(lambda state: setattr(Elsewhere, "drawn", state))

    monkeypatch.setitem(checkpoint.ELSEWHERE, device, Elsewhere)
    model, setting = averages(), replace(SMALL, device=device)
    optimiser = torch.optim.AdamW(model.parameters())
    state = checkpoint.state_of(model, optimiser, ALONE, {}, setting)
    Elsewhere.drawn = None
    checkpoint.put_back(state, model, optimiser, ALONE, setting)
    assert Elsewhere.drawn.tolist() == [1, 2, 3]


def test_a_run_that_is_over_is_not_trained_again(tmp_path):
    model, again = averages(), averages(seed=1)
    first = train(model, lesson(), LONG, tmp_path)
    second = train(again, stop_at(lesson(), 1, 0), LONG, tmp_path)
    assert second.history == first.history and same(model, again)


RUN = """
import sys, time
from labs_lessons import lesson, machine
from test_labs_checkpoint import LONG
from pencil.labs.loop import train
from pencil.labs.reading import Reading

class Slow(Reading):
    def loss(self, model, index, device):
        time.sleep(float(sys.argv[2]))
        return super().loss(model, index, device)

school = lesson()
done = train(machine("Transformer"), Slow(school.study, school.sealed), LONG, sys.argv[1])
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


def test_kill_9_in_the_middle_of_a_pass(tmp_path):
    expected = train(machine("Transformer"), lesson(), LONG).history
    run = start(tmp_path, pause=0.05)
    for _ in range(1200):  # until it has written in the second pass
        state = checkpoint.load(tmp_path, LONG)
        if state and state["progress"]["number"] == 2 and state["progress"]["step"]:
            break
        assert run.poll() is None, "the run was over before it could be killed"
        time.sleep(0.05)
    run.kill()  # signal 9; on Windows the process is ended as rudely
    assert run.wait() == (1 if os.name == "nt" else -9)
    left = checkpoint.load(tmp_path, LONG)["progress"]
    assert 0 < left["step"] < 13 and left["number"] < 4
    resumed = start(tmp_path, pause=0)
    said, _ = resumed.communicate(timeout=120)
    assert resumed.returncode == 0 and said.strip() == repr(expected)


def test_a_write_that_is_broken_off_leaves_the_old_checkpoint_whole(tmp_path, monkeypatch):
    checkpoint.save(tmp_path, {"setting": {}, "step": 1})

    def half(state, file):
        file.write(b"half a chec")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(KeyboardInterrupt):
        checkpoint.save(tmp_path, {"setting": {}, "step": 2})
    assert torch.load(tmp_path / checkpoint.NAME, weights_only=True)["step"] == 1


BROKEN = {
    "half": (lambda whole: whole[: len(whole) // 2], "Error: "),
    "empty": (lambda whole: b"", "EOFError"),
    "notes": (lambda whole: b"notes on the run", "UnpicklingError: "),
    "no letters": (lambda whole: b"X\1\0\0\0\xce", "UnicodeDecodeError: "),
    "out of reach": (lambda whole: b"s", "IndexError: "),
}


@pytest.mark.parametrize("left, why", BROKEN.values(), ids=BROKEN)
def test_a_broken_checkpoint_is_refused_and_stays_where_it_is(tmp_path, left, why):
    train(averages(), lesson(), LONG, tmp_path)
    file = tmp_path / checkpoint.NAME
    broken = left(file.read_bytes())
    file.write_bytes(broken)
    with pytest.raises(ValueError, match=rf"checkpoint\.pt cannot be read \(.*{why}.*\); rename it to keep it, or delete it: then the run"):
        train(averages(), lesson(), LONG, tmp_path)
    assert file.read_bytes() == broken


@pytest.mark.parametrize("state", [{"model": {}}, [1, 2], torch.ones(2)], ids=["dials alone", "list", "tensor"])
def test_what_is_no_checkpoint_of_a_run_is_refused(tmp_path, state):
    checkpoint.save(tmp_path, state)
    with pytest.raises(ValueError, match=r"checkpoint\.pt is no checkpoint of a run; rename it to keep it, or delete it"):
        checkpoint.load(tmp_path, LONG)


@pytest.mark.parametrize("wrong", [PermissionError("not yours"), MemoryError()], ids=repr)
def test_a_whole_checkpoint_that_only_now_cannot_be_read_is_not_called_broken(tmp_path, monkeypatch, wrong):
    def refuse(*_, **given):
        assert given["map_location"] == "cpu", "a GPU that is full would be told as a broken file"
        raise wrong

    checkpoint.save(tmp_path, {"setting": {}})
    monkeypatch.setattr(torch, "load", refuse)
    with pytest.raises(type(wrong)):
        checkpoint.load(tmp_path, LONG)


def test_another_run_s_checkpoint_is_refused_and_how_often_it_is_saved_is_no_matter(tmp_path):
    train(averages(), lesson(), LONG, tmp_path)
    with pytest.raises(ValueError, match=r"comes from a run with rate=0.01, and this one has rate=0.5; take another folder"):
        train(averages(), lesson(), replace(LONG, rate=0.5), tmp_path)
    train(averages(), lesson(), replace(LONG, save_every=None), tmp_path)
