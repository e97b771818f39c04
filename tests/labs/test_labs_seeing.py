"""The lesson of the digits, its machines and rivals, and the recordings on a few pictures."""

import json

import numpy as np
import pytest
import torch

from pencil.data.pictures import Digits
from pencil.labs import seeing, seeing_record
from pencil.labs.records import read
from pencil.labs.training import Training
from pencil.reference import cut


@pytest.fixture(autouse=True)
def as_before():
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
    pile, seen = bars(40), []

    def model(pictures):
        seen.append(pictures)
        return torch.zeros(len(pictures), 10)

    lesson = seeing.Seeing(pile, pile, smudge=0.2)
    lesson.loss(model, np.arange(40), "cpu")
    lesson.marks(model, np.arange(40), "cpu")
    away = seen[0] - torch.tensor(pile.pixels)
    assert away.std() == pytest.approx(0.2, rel=0.05) and torch.equal(seen[1], torch.tensor(pile.pixels))
    seeing.Seeing(pile, pile).loss(model, np.arange(40), "cpu")
    assert torch.equal(seen[2], seen[1])


def test_patches_moved_are_the_same_patches_in_other_places():
    pictures, order = np.random.default_rng(0).normal(size=(3, 4, 6)), np.array([5, 0, 3, 1, 2, 4])
    for before, after in zip(pictures, seeing.patches_moved(pictures, 2, order), strict=True):
        np.testing.assert_array_equal(cut(after, 2), cut(before, 2)[order])


@pytest.mark.parametrize("name", seeing_record.machines(8, 2))
def test_every_machine_learns_where_a_bar_stands_save_the_one_without_seats(name):
    torch.manual_seed(0)
    model = seeing_record.machines(8, 2, 16)[name]()
    study, sealed = bars(400), bars(100, seed=1)
    trained = seeing.learn(model, study, Training(passes=12, rate=3e-3, batch=16), smudge=0)
    accuracy = seeing.sit(model, sealed)
    assert trained.history[-1]["loss"] < trained.history[0]["loss"]
    if name == "no seats":  # which half of a patch the bar fills is all that it can see
        assert accuracy < 0.5
    else:
        assert accuracy > 0.9


def test_without_seats_moved_patches_change_no_score():
    torch.manual_seed(1)
    pictures = bars(20).pixels
    moved = seeing.patches_moved(pictures, 2, np.random.default_rng(0).permutation(16))
    seated = seeing.looks_across(8, 2).eval()
    assert not torch.allclose(seated(torch.tensor(moved)), seated(torch.tensor(pictures)), atol=1e-3)
    bare = seeing.looks_across(8, 2, seats=False).eval()
    torch.testing.assert_close(bare(torch.tensor(moved)), bare(torch.tensor(pictures)), rtol=1e-4, atol=1e-5)


def test_the_sealed_pile_is_not_looked_at_while_learning():
    study = bars(80)
    model = seeing.plain_rival(8)
    trained = seeing.learn(model, study, Training(passes=2), smudge=0)
    first = seeing.sit(model, Digits(study.pixels[:64], study.labels[:64]))
    assert trained.history[-1]["accuracy"] == pytest.approx(first)


@pytest.mark.parametrize("name", ["digits_vit", "mnist_vit"])
def test_what_the_chapter_quotes_is_recorded(name):
    record = read(name)
    assert record["runs"].keys() == seeing_record.machines(8, 2).keys()
    for runs in record["runs"].values():
        assert len(runs) == len(record["seeds"])
        assert all(0.1 < run["accuracy"] <= 1 and run["dials"] > 0 and run["cpu_seconds"] > 0 for run in runs)
    assert set(record.provenance["data"]) == {f"mnist t10k-{part}-ubyte.gz" for part in ("images-idx3", "labels-idx1") if name == "mnist_vit"}


def test_a_recording_on_few_pictures(monkeypatch):
    few = Training(passes=1, batch=32)
    monkeypatch.setattr(seeing_record.pictures, "load", lambda: type("Piles", (), {"train": bars(40), "test": bars(20)}))
    monkeypatch.setattr(seeing_record.pictures, "mnist_test", lambda: bars(60, 28))
    small = seeing_record.digits(setting=few, runs=2)
    assert small["seeds"] == [0, 1] and (small["study"], small["sealed"]) == (40, 20)
    other = seeing_record.mnist(setting=few, studied=40)
    assert (other["study"], other["sealed"]) == (40, 20)
    assert json.loads(json.dumps(other)) == other


def test_the_same_seed_gives_the_same_marks():
    study, sealed, setting = bars(60), bars(30, seed=1), Training(passes=2, batch=16)
    (one, found), (same, again) = (
        seeing_record.one_run(seeing_record.machines(8, 2, 8)["learned seats"], study, sealed, 3, setting) for _ in range(2)
    )
    assert found["accuracy"] == again["accuracy"] and torch.equal(one.seats, same.seats)


@pytest.mark.slow
def test_a_recorded_run_on_the_digits_says_the_same_again():
    recorded = read("digits_vit")["runs"]["logistic regression"][0]
    piles = seeing_record.pictures.load()
    _, again = seeing_record.one_run(lambda: seeing.plain_rival(8), piles.train, piles.test, 0, seeing_record.DIGITS)
    assert again["accuracy"] == pytest.approx(recorded["accuracy"], abs=0.01)


@pytest.mark.slow
def test_a_recorded_run_on_mnist_says_the_same_again(real_data, monkeypatch):
    real_data("mnist", "t10k-images-idx3-ubyte.gz")
    recorded = read("mnist_vit")["runs"]["logistic regression"][0]
    monkeypatch.setattr(seeing_record, "machines", lambda side, *_: {"logistic regression": lambda: seeing.plain_rival(side)})
    again = seeing_record.mnist()["runs"]["logistic regression"][0]
    assert again["accuracy"] == pytest.approx(recorded["accuracy"], abs=0.01)
