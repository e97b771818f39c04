"""The digits task, its models, and the recordings on a few images."""

import json

import numpy as np
import pytest
import torch

from pencil.data.images import Digits, DigitSplits
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.vision import images_task, recording
from pencil.reference import patchify


@pytest.fixture(autouse=True)
def same_threads():
    """A recording sets the threads; what comes after it gets its own again."""
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def bars(n, side=8, seed=0):
    """Pictures of one bar: the column in which it stands is the label."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, min(side, 10), n).astype(np.int8)
    pixels = 0.1 * rng.random((n, side, side), dtype=np.float32)
    pixels[np.arange(n), :, labels] = 1
    return Digits(pixels, labels)


def test_smudged_pictures_are_learned_from_and_clean_ones_marked():
    torch.manual_seed(0)
    digits, seen = bars(40), []

    def model(images):
        seen.append(images)
        return torch.zeros(len(images), 10)

    task = images_task.ImagesTask(digits, digits, noise_std=0.2)
    task.loss(model, np.arange(40), "cpu")
    task.metrics(model, np.arange(40), "cpu")
    away = seen[0] - torch.tensor(digits.pixels)
    assert away.std() == pytest.approx(0.2, rel=0.05) and torch.equal(seen[1], torch.tensor(digits.pixels))
    images_task.ImagesTask(digits, digits).loss(model, np.arange(40), "cpu")
    assert torch.equal(seen[2], seen[1])


def test_patches_moved_are_the_same_patches_in_other_places():
    images, order = np.random.default_rng(0).normal(size=(3, 4, 6)), np.array([5, 0, 3, 1, 2, 4])
    for before, after in zip(images, images_task.permute_patches(images, 2, order), strict=True):
        np.testing.assert_array_equal(patchify(after, size=2), patchify(before, size=2)[order])


@pytest.mark.slow
@pytest.mark.parametrize("name", recording.models(8, 2))
def test_every_machine_learns_where_a_bar_stands_save_the_one_without_seats(name):
    torch.manual_seed(0)
    model = recording.models(8, 2, 16)[name]()
    train_set, test_set = bars(400), bars(100, seed=1)
    trained = images_task.fit(model, train_set, TrainingConfig(epochs=12, lr=3e-3, batch_size=16), noise_std=0)
    accuracy = images_task.accuracy(model, test_set)
    assert trained.history[-1]["loss"] < trained.history[0]["loss"]
    if name == "ViT, no positions":  # which half of a patch the bar fills is all that it can see
        assert accuracy < 0.5
    else:
        assert accuracy > 0.9


def test_without_seats_moved_patches_change_no_score():
    torch.manual_seed(1)
    images = bars(20).pixels
    moved = images_task.permute_patches(images, 2, np.random.default_rng(0).permutation(16))
    seated = images_task.small_vit(8, 2).eval()
    assert not torch.allclose(seated(torch.tensor(moved)), seated(torch.tensor(images)), atol=1e-3)
    bare = images_task.small_vit(8, 2, positions=False).eval()
    torch.testing.assert_close(bare(torch.tensor(moved)), bare(torch.tensor(images)), rtol=1e-4, atol=1e-5)


def test_the_sealed_pile_is_not_looked_at_while_learning():
    train_set = bars(80)
    model = images_task.logistic_regression(8)
    trained = images_task.fit(model, train_set, TrainingConfig(epochs=2), noise_std=0)
    first = images_task.accuracy(model, Digits(train_set.pixels[:64], train_set.labels[:64]))
    assert trained.history[-1]["accuracy"] == pytest.approx(first)


@pytest.mark.parametrize("name", ["digits_vit", "mnist_vit"])
def test_what_the_chapter_quotes_is_recorded(name):
    record = read(name)
    assert record["runs"].keys() == recording.models(8, 2).keys()
    for runs in record["runs"].values():
        assert len(runs) == len(record["seeds"])
        assert all(0.1 < run["accuracy"] <= 1 and run["n_parameters"] > 0 and run["cpu_seconds"] > 0 for run in runs)
    assert set(record.provenance["data"]) == {f"mnist t10k-{part}-ubyte.gz" for part in ("images-idx3", "labels-idx1") if name == "mnist_vit"}


def test_a_recording_on_few_pictures(monkeypatch):
    few = TrainingConfig(epochs=1, batch_size=32)
    sides = {"embedded": 8, "full": 28}
    monkeypatch.setattr(recording.images, "load", lambda source="embedded": DigitSplits(bars(40, sides[source]), bars(20, sides[source])))
    monkeypatch.setattr(recording.images, "mnist_test", lambda: bars(60, 28))
    small = recording.digits(config=few, runs=2)
    assert small["seeds"] == [0, 1] and (small["n_train"], small["n_test"]) == (40, 20)
    other = recording.mnist(config=few, n_train=40)
    assert (other["n_train"], other["n_test"]) == (40, 20)
    whole = recording.mnist_full(config=few)
    assert (whole["n_train"], whole["n_test"]) == (40, 20) and whole["runs"].keys() == other["runs"].keys()
    assert json.loads(json.dumps([other, whole])) == [other, whole]


def test_the_same_seed_gives_the_same_marks():
    train_set, test_set, config = bars(60), bars(30, seed=1), TrainingConfig(epochs=2, batch_size=16)
    build = recording.models(8, 2, 8)["ViT, learned positions"]
    (one, found), (same, again) = (recording.one_run(build, train_set, test_set, 3, config) for _ in range(2))
    assert found["accuracy"] == again["accuracy"] and torch.equal(one.positions, same.positions)


@pytest.mark.slow
def test_a_recorded_run_on_the_digits_says_the_same_again():
    recorded = read("digits_vit")["runs"]["logistic regression"][0]
    piles = recording.images.load()
    _, again = recording.one_run(lambda: images_task.logistic_regression(8), piles.train, piles.test, 0, recording.DIGITS)
    assert again["accuracy"] == pytest.approx(recorded["accuracy"], abs=0.01)


@pytest.mark.slow
def test_a_recorded_run_on_mnist_says_the_same_again(real_data, monkeypatch):
    real_data("mnist", "t10k-images-idx3-ubyte.gz")
    recorded = read("mnist_vit")["runs"]["logistic regression"][0]
    monkeypatch.setattr(recording, "models", lambda side, *_: {"logistic regression": lambda: images_task.logistic_regression(side)})
    again = recording.mnist()["runs"]["logistic regression"][0]
    assert again["accuracy"] == pytest.approx(recorded["accuracy"], abs=0.01)
