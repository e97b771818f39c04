"""The training loop agrees with plain torch, is reproducible, and stops when it should."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from small_tasks import SMALL, build, encoded_reviews, mean_embedding, same, task

from pencil.experiments.contest import entrants
from pencil.experiments.contest.reviews_task import ReviewsTask, predict
from pencil.experiments.training import loop
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import DEVICES, device_of
from pencil.experiments.training.loop import evaluate, train


@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("name", entrants.MODELS)
def test_the_loop_is_plain_torch(name, padding):
    """Adam, binary cross-entropy, the batches in turn: written out again, with whole rows instead of cut ones."""
    ours, plain, made = build(name, 0.0, padding), build(name, 0.0, padding), task(padding)
    history = train(ours, made, SMALL).history
    adam = torch.optim.Adam(plain.parameters(), lr=1e-2, eps=1e-7)
    for row in history:
        losses = []
        for index in made.batches(0, row["epoch"], 8):
            ids, labels = torch.tensor(made.train.ids[index]), torch.tensor(made.train.labels[index], dtype=torch.float32)
            loss = torch.nn.BCELoss()(plain(ids).squeeze(-1), labels)
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item() * len(index))
        with torch.no_grad():
            said = plain(torch.tensor(made.validation.ids)).squeeze(-1).numpy() > 0.5
        assert row["loss"] == pytest.approx(sum(losses) / 100, abs=2e-5)
        assert row["accuracy"] == (said == (made.validation.labels == 1)).mean()
        assert (predict(ours, made.validation, padding) == said).all() or row["epoch"] < 3


@pytest.mark.parametrize("accumulate", [2, 3, 20])
def test_gradients_that_accumulate_are_those_of_the_whole_batch(accumulate, monkeypatch):
    whole, parted, seen, loss = mean_embedding(), mean_embedding(), [], ReviewsTask.loss
    config = replace(SMALL, lr=1.0, eps=1.0)  # with such an eps a step of AdamW grows with its gradient
    history = train(whole, task(), config).history
    monkeypatch.setattr(ReviewsTask, "loss", lambda self, model, index, device: seen.append(len(index)) or loss(self, model, index, device))
    in_parts = train(parted, task(), replace(config, accumulate=accumulate)).history
    monkeypatch.undo()
    assert max(seen) == -(-8 // accumulate)  # of a batch of 8
    for row, other in zip(history, in_parts, strict=True):
        assert row["loss"] == pytest.approx(other["loss"], rel=1e-5) and row["accuracy"] == other["accuracy"]
    for parameter, other in zip(whole.parameters(), parted.parameters(), strict=True):
        np.testing.assert_allclose(parameter.detach(), other.detach(), rtol=1e-4, atol=1e-6)


def test_a_reader_who_waits_sees_the_pass_and_the_loss(monkeypatch, capsys):
    monkeypatch.setattr("pencil.experiments.training.progress.is_interactive", lambda: True)
    row = train(mean_embedding(), task(), replace(SMALL, epochs=1), description="Averages").history[0]
    shown = [float(loss) for loss in re.findall(r"Averages pass 1 of 1: .*loss=([\d.]+)", capsys.readouterr().err.replace("\r", "\n"))]
    assert shown and np.mean(shown) == pytest.approx(row["loss"], rel=0.3)


def test_every_text_is_read_once_in_a_pass_and_batches_are_of_like_length():
    reviews = encoded_reviews(1000)
    made = ReviewsTask(reviews, reviews)
    first, again, second = (made.batches(3, number, 8) for number in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first, again, strict=True)) and len(first) == 125
    for batches in (first, second):
        assert sorted(np.concatenate(batches)) == list(range(1000))
    assert [list(batch) for batch in first] != [list(batch) for batch in second]
    spreads = [np.ptp(reviews.lengths[batch]) for batch in first]
    assert np.mean(spreads) < 1 < np.mean([np.ptp(reviews.lengths[batch]) for batch in ReviewsTask(reviews, reviews, False).batches(3, 1, 8)])
    assert {len(batch) for batch in made.batches(3, 1, 64)} == {64, 1000 % 64}


@pytest.mark.parametrize("name", entrants.MODELS)
def test_a_seed_gives_the_same_numbers_and_another_seed_others(name):
    runs = [train(made := build(name), task(), replace(SMALL, seed=seed)) and made for seed in (5, 5, 6)]
    assert same(runs[0], runs[1]) and not same(runs[0], runs[2])


def test_the_numbers_hang_on_the_seed_alone_and_the_caller_keeps_his_own():
    one, other = build("Transformer"), build("Transformer")
    torch.manual_seed(1)
    first = train(one, task(), SMALL)
    torch.manual_seed(2)
    before = torch.get_rng_state()
    assert train(other, task(), SMALL).history == first.history
    assert torch.equal(torch.get_rng_state(), before)


def test_it_learns():
    model = mean_embedding()
    history = train(model, task(), replace(SMALL, epochs=30)).history
    assert history[-1]["accuracy"] > 0.9 > 0.7 > history[0]["accuracy"]
    assert history[-1]["loss"] < history[0]["loss"] / 2


def test_it_stops_when_it_gets_no_better_and_hands_back_the_best():
    model = mean_embedding()
    done = train(model, task(), replace(SMALL, epochs=200, patience=3))
    accuracies = done.column("accuracy")
    assert (
        len(accuracies) == done.best_epoch + 3 < 200
        and accuracies[done.best_epoch - 1] == max(accuracies)
        and max(accuracies) > max(accuracies[: done.best_epoch - 1])
    )
    model.load_state_dict(done.best_state)
    assert evaluate(model, task())["accuracy"] == pytest.approx(max(accuracies))


def test_it_stops_when_it_is_good_enough():
    accuracies = train(mean_embedding(), task(), replace(SMALL, epochs=200, stopping_threshold=0.9)).column("accuracy")
    assert accuracies[-1] >= 0.9 > max(accuracies[:-1])


def test_a_loss_is_the_better_the_lower():
    done = train(mean_embedding(), task(), replace(SMALL, epochs=200, patience=2, monitor="val_loss"))
    losses = done.column("val_loss")
    assert losses[done.best_epoch - 1] == min(losses) and len(losses) == done.best_epoch + 2
    assert train(mean_embedding(), task(), replace(SMALL, epochs=200, monitor="val_loss", stopping_threshold=0.4)).column("val_loss")[-1] <= 0.4


def test_the_rate_climbs_and_falls():
    config = TrainingConfig(lr=0.1, warmup_steps=4, linear_decay=True)
    assert [config.lr_at(step, 10) for step in range(10)] == pytest.approx(
        [0.025, 0.05, 0.075, 0.1, 0.1, 0.5 / 6, 0.4 / 6, 0.3 / 6, 0.2 / 6, 0.1 / 6]
    )
    assert TrainingConfig(lr=0.1).lr_at(9, 10) == 0.1


def test_a_long_slope_is_cut_and_decay_pulls_to_nothing():
    start, still, free = mean_embedding(), mean_embedding(), mean_embedding()
    train(still, task(), replace(SMALL, grad_clip=1e-9, epochs=1))  # far below Adam's eps, so that hardly a step is left
    train(free, task(), replace(SMALL, epochs=1))
    moved = [(model.embedding - start.embedding).norm() for model in (still, free)]
    assert 0 < moved[0] < moved[1] / 10
    plain, pulled = mean_embedding(), mean_embedding()
    train(plain, task(), SMALL)
    train(pulled, task(), replace(SMALL, weight_decay=10.0, decay_all=True))
    assert pulled.embedding.norm() < plain.embedding.norm() / 2


@pytest.mark.parametrize(
    "wrong, says",
    [
        ({"epochs": 0}, "epochs=0"),
        ({"batch_size": 0}, "batch_size=0"),
        ({"patience": 0}, "patience=0"),
        ({"save_every": 0}, "save_every=0"),
        ({"accumulate": 0}, "accumulate=0; give it a whole number, at least 1"),
        ({"lr": 0.0}, "lr=0.0"),
        ({"lr": float("nan")}, "lr=nan"),
        ({"grad_clip": -1.0}, "grad_clip=-1.0"),
        ({"weight_decay": -0.1}, "weight_decay=-0.1"),
        ({"seed": -1}, "seed=-1"),
        ({"amp": True}, "mixed precision is for cuda"),
        ({"epochs": 1.5}, r"epochs=1\.5; give it a whole number, at least 1"),
        ({"epochs": None}, "epochs=None; give it a whole number"),
        ({"epochs": True}, "epochs=True; give it a whole number"),
        ({"batch_size": float("nan")}, "batch_size=nan; give it a whole number"),
        ({"seed": 2**70}, r"give it a whole number, at least 0 and below 2\^63"),
        ({"lr": float("inf")}, "lr=inf; give it a finite number above 0"),
        ({"lr": "1e-3"}, "lr='1e-3'; give it a finite number above 0"),
        ({"grad_clip": float("inf")}, "grad_clip=inf; give it a finite number above 0"),
        ({"weight_decay": float("nan")}, "weight_decay=nan; give it a finite number, 0 or more"),
        ({"stopping_threshold": float("nan")}, "stopping_threshold=nan; give it a finite number"),
        ({"betas": (0.9, float("nan"))}, "betas="),
    ],
)
def test_settings_that_make_no_sense(wrong, says):
    with pytest.raises(ValueError, match=says):
        TrainingConfig(**wrong)


def test_a_device_that_is_not_here_and_one_that_there_is_not():
    away = [name for name in DEVICES if name not in _here()]
    assert away, "this machine has every device; there is nothing to refuse"
    for name in away:
        with pytest.raises(ValueError, match=f"device='{name}' is not here; take cpu"):
            train(mean_embedding(), task(), replace(SMALL, device=name))
    with pytest.raises(ValueError, match="device='tpu' is not known; take one of cpu, cuda, mps"):
        device_of("tpu")


def _here():
    return {"cpu"} | ({"cuda"} if torch.cuda.is_available() else set()) | ({"mps"} if torch.backends.mps.is_available() else set())


def test_a_mark_that_the_exam_does_not_give():
    with pytest.raises(ValueError, match="monitor='beauty' is no metric of this task; take one of loss, accuracy, val_loss"):
        train(mean_embedding(), task(), replace(SMALL, monitor="beauty"))


def test_a_run_whose_numbers_are_none_says_when_and_keeps_its_checkpoint(tmp_path):
    class Broken(ReviewsTask):
        """Its validation loss is NaN from the second pass on."""

        def metrics(self, model, index, device):
            found = super().metrics(model, index, device)
            return found | {"val_loss": found["val_loss"] * float("nan")} if (tmp_path / "checkpoint.pt").exists() else found

    made = task()
    with pytest.raises(ValueError, match=r"val_loss is nan in pass 2: a smaller lr than 0\.01, or grad_clip, may help"):
        train(mean_embedding(), Broken(made.train, made.validation), replace(SMALL, monitor="val_loss"), tmp_path)
    kept = torch.load(tmp_path / "checkpoint.pt", weights_only=True)["progress"]
    assert kept["epoch"] == 2 and kept["best_epoch"] == 1
    with pytest.raises(ValueError, match="loss is nan in pass 1"):
        train(mean_embedding(), made, replace(SMALL, lr=1e38))


@pytest.mark.parametrize("save_every, bad_step, number", [(3, 6, 1), (None, 26, 2)])
def test_a_gradient_that_is_none_is_seen_before_a_save(tmp_path, save_every, bad_step, number):
    class Broken(ReviewsTask):
        """The gradient of its loss is NaN in one step, in which the loss is as it was: that of √|0·w|."""

        step = 0

        def loss(self, model, index, device):
            Broken.step += 1
            return super().loss(model, index, device) + ((next(model.parameters()) * 0).abs().sum().sqrt() if Broken.step == bad_step else 0)

        def metrics(self, model, index, device):
            return {"accuracy": super().metrics(model, index, device)["accuracy"]}

    made, config = task(), replace(SMALL, save_every=save_every)
    with pytest.raises(ValueError, match=rf"the weight [\w.]+ is nan in pass {number}: a smaller lr"):
        train(mean_embedding(), Broken(made.train, made.validation), config, tmp_path)
    kept = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert all(weights.isfinite().all() for weights in kept["model"].values())
    Broken.step = 0
    if save_every is None:  # without a folder it is seen at the end of the pass
        with pytest.raises(ValueError, match=r"the weight [\w.]+ is nan in pass 2"):
            train(mean_embedding(), Broken(made.train, made.validation), config)


def test_the_weights_are_looked_at_once_an_epoch(tmp_path, monkeypatch):
    looked, look = [], loop._refuse_not_finite_state
    monkeypatch.setattr(loop, "_refuse_not_finite_state", lambda run: looked.append(run) or look(run))
    for folder in (None, tmp_path):
        looked.clear()
        train(mean_embedding(), task(), SMALL, folder)
        assert len(looked) == SMALL.epochs


def test_a_weight_without_end_is_told_as_one():
    model = mean_embedding()
    with torch.no_grad():
        model.embedding[0] = -torch.inf  # the row of padding, which no text reads
    with pytest.raises(ValueError, match="the weight embedding is -inf in pass 1: a smaller lr"):
        train(model, task(), SMALL)


def test_every_metric_is_looked_at():
    class Broken(ReviewsTask):
        def metrics(self, model, index, device):
            return super().metrics(model, index, device) | {"other": float("inf")}

    made = task()
    with pytest.raises(ValueError, match="other is inf in pass 1"):
        train(mean_embedding(), Broken(made.train, made.validation), SMALL)


def test_a_set_without_an_example_is_refused_before_anything_is_trained():
    made, nothing = task(), encoded_reviews(0)
    for broken, name in ((replace(made, train=nothing), "training"), (replace(made, validation=nothing), "validation")):
        with pytest.raises(ValueError, match=f"the {name} set is empty"):
            train(mean_embedding(), broken, SMALL)


def test_a_loss_that_is_none_in_the_middle_of_a_pass_leaves_the_checkpoint_that_stood(tmp_path):
    class Broken(ReviewsTask):
        """Its loss is NaN once a checkpoint stands."""

        def loss(self, model, index, device):
            return super().loss(model, index, device) * (float("nan") if (tmp_path / "checkpoint.pt").exists() else 1.0)

    made = task()
    with pytest.raises(ValueError, match="loss is nan in pass 1"):
        train(mean_embedding(), Broken(made.train, made.validation), replace(SMALL, save_every=3), tmp_path)
    kept = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert kept["progress"]["step"] == 3 and all(weights.isfinite().all() for weights in kept["model"].values())
