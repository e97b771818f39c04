"""The loop does what a loop in plain torch does; a seed gives the same numbers; it stops when it should."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from labs_lessons import SMALL, averages, lesson, machine, same, sheets

from pencil.labs import contest
from pencil.labs.device import DEVICES, device_of
from pencil.labs.loop import examine, train
from pencil.labs.reading import Reading, answers
from pencil.labs.training import Training


@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("name", contest.MACHINES)
def test_the_loop_is_plain_torch(name, padding):
    """Adam, binary cross-entropy, the batches in turn: written out again, with whole rows instead of cut ones."""
    ours, plain, school = machine(name, 0.0, padding), machine(name, 0.0, padding), lesson(padding)
    history = train(ours, school, SMALL).history
    adam = torch.optim.Adam(plain.parameters(), lr=1e-2, eps=1e-7)
    for row in history:
        losses = []
        for index in school.batches(0, row["pass"], 8):
            ids, labels = torch.tensor(school.study.ids[index]), torch.tensor(school.study.labels[index], dtype=torch.float32)
            loss = torch.nn.BCELoss()(plain(ids).squeeze(-1), labels)
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item() * len(index))
        with torch.no_grad():
            said = plain(torch.tensor(school.sealed.ids)).squeeze(-1).numpy() > 0.5
        assert row["loss"] == pytest.approx(sum(losses) / 100, abs=2e-5)
        assert row["accuracy"] == (said == (school.sealed.labels == 1)).mean()
        assert (answers(ours, school.sealed, padding) == said).all() or row["pass"] < 3


def test_every_text_is_read_once_in_a_pass_and_batches_are_of_like_length():
    pile = sheets(1000)
    school = Reading(pile, pile)
    first, again, second = (school.batches(3, number, 8) for number in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first, again, strict=True)) and len(first) == 125
    for made in (first, second):
        assert sorted(np.concatenate(made)) == list(range(1000))
    assert [list(batch) for batch in first] != [list(batch) for batch in second]
    spreads = [np.ptp(pile.lengths[batch]) for batch in first]
    assert np.mean(spreads) < 1 < np.mean([np.ptp(pile.lengths[batch]) for batch in Reading(pile, pile, False).batches(3, 1, 8)])
    assert {len(batch) for batch in school.batches(3, 1, 64)} == {64, 1000 % 64}


@pytest.mark.parametrize("name", contest.MACHINES)
def test_a_seed_gives_the_same_numbers_and_another_seed_others(name):
    runs = [train(made := machine(name), lesson(), replace(SMALL, seed=seed)) and made for seed in (5, 5, 6)]
    assert same(runs[0], runs[1]) and not same(runs[0], runs[2])


def test_the_numbers_hang_on_the_seed_alone_and_the_caller_keeps_his_own():
    one, other = machine("Transformer"), machine("Transformer")
    torch.manual_seed(1)
    first = train(one, lesson(), SMALL)
    torch.manual_seed(2)
    before = torch.get_rng_state()
    assert train(other, lesson(), SMALL).history == first.history
    assert torch.equal(torch.get_rng_state(), before)


def test_it_learns():
    model = averages()
    history = train(model, lesson(), replace(SMALL, passes=30)).history
    assert history[-1]["accuracy"] > 0.9 > 0.7 > history[0]["accuracy"]
    assert history[-1]["loss"] < history[0]["loss"] / 2


def test_it_stops_when_it_gets_no_better_and_hands_back_the_best():
    model = averages()
    done = train(model, lesson(), replace(SMALL, passes=200, patience=3))
    marks = done.column("accuracy")
    assert len(marks) == done.best + 3 < 200 and marks[done.best - 1] == max(marks) and max(marks) > max(marks[: done.best - 1])
    model.load_state_dict(done.best_weights)
    assert examine(model, lesson())["accuracy"] == pytest.approx(max(marks))


def test_it_stops_when_it_is_good_enough():
    marks = train(averages(), lesson(), replace(SMALL, passes=200, enough=0.9)).column("accuracy")
    assert marks[-1] >= 0.9 > max(marks[:-1])


def test_a_loss_is_the_better_the_lower():
    done = train(averages(), lesson(), replace(SMALL, passes=200, patience=2, watch="exam_loss"))
    losses = done.column("exam_loss")
    assert losses[done.best - 1] == min(losses) and len(losses) == done.best + 2
    assert train(averages(), lesson(), replace(SMALL, passes=200, watch="exam_loss", enough=0.4)).column("exam_loss")[-1] <= 0.4


def test_the_rate_climbs_and_falls():
    plan = Training(rate=0.1, warm=4, fall=True)
    assert [plan.rate_at(step, 10) for step in range(10)] == pytest.approx(
        [0.025, 0.05, 0.075, 0.1, 0.1, 0.5 / 6, 0.4 / 6, 0.3 / 6, 0.2 / 6, 0.1 / 6]
    )
    assert Training(rate=0.1).rate_at(9, 10) == 0.1


def test_a_long_slope_is_cut_and_decay_pulls_to_nothing():
    start, still, free = averages(), averages(), averages()
    train(still, lesson(), replace(SMALL, clip=1e-9, passes=1))  # far below Adam's eps, so that hardly a step is left
    train(free, lesson(), replace(SMALL, passes=1))
    moved = [(model.table - start.table).norm() for model in (still, free)]
    assert 0 < moved[0] < moved[1] / 10
    plain, pulled = averages(), averages()
    train(plain, lesson(), SMALL)
    train(pulled, lesson(), replace(SMALL, decay=10.0))
    assert pulled.table.norm() < plain.table.norm() / 2


@pytest.mark.parametrize(
    "wrong, says",
    [
        ({"passes": 0}, "passes=0"),
        ({"batch": 0}, "batch=0"),
        ({"patience": 0}, "patience=0"),
        ({"save_every": 0}, "save_every=0"),
        ({"rate": 0.0}, "rate=0.0"),
        ({"rate": float("nan")}, "rate=nan"),
        ({"clip": -1.0}, "clip=-1.0"),
        ({"decay": -0.1}, "decay=-0.1"),
        ({"seed": -1}, "seed=-1"),
        ({"mixed": True}, "mixed precision is for cuda"),
    ],
)
def test_settings_that_make_no_sense(wrong, says):
    with pytest.raises(ValueError, match=says):
        Training(**wrong)


def test_a_device_that_is_not_here_and_one_that_there_is_not():
    away = [name for name in DEVICES if name not in _here()]
    assert away, "this machine has every device; there is nothing to refuse"
    for name in away:
        with pytest.raises(ValueError, match=f"device='{name}' is not here; take cpu"):
            train(averages(), lesson(), replace(SMALL, device=name))
    with pytest.raises(ValueError, match="device='tpu' is not known; take one of cpu, cuda, mps"):
        device_of("tpu")


def _here():
    return {"cpu"} | ({"cuda"} if torch.cuda.is_available() else set()) | ({"mps"} if torch.backends.mps.is_available() else set())


def test_a_mark_that_the_exam_does_not_give():
    with pytest.raises(ValueError, match="watch='beauty' is no mark of this exam; take one of loss, accuracy, exam_loss"):
        train(averages(), lesson(), replace(SMALL, watch="beauty"))
