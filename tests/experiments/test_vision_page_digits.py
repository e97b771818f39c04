"""The vision transformer of the page: its int8 record, and its NumPy output against torch."""

import numpy as np
import pytest
import torch

from pencil.data import images
from pencil.data.images import Digits, DigitSplits
from pencil.experiments import records
from pencil.experiments.exported import CONFIG
from pencil.experiments.quantization import pack
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.vision import page_digits
from pencil.model import ViT
from pencil.params import flatten


@pytest.fixture(scope="module")
def params():
    return page_digits.read()


def test_every_weight_of_every_head_against_torch(params):
    model = ViT.from_params(params, CONFIG).double().eval()
    for image in (*images.load().test.pixels[:3].astype(float), np.zeros((8, 8))):
        named, theirs = {}, {}
        probs = page_digits.probabilities(image, params, lambda name, value, named=named: named.setdefault(name, value))
        logits = model(torch.tensor(image), note=theirs.setdefault)
        np.testing.assert_allclose(probs, logits.softmax(-1).detach(), atol=1e-9, rtol=0)
        heads = [name for name in named if name.endswith(".weights")]
        assert len(heads) == 8
        for name in heads:
            np.testing.assert_allclose(named[name], theirs[name].detach(), atol=1e-9, rtol=0)


def test_the_record_is_the_chapter_s_machine(params):
    """The same training as the first of the chapter's table; and what the page says of the bytes is counted again."""
    kept, table = records.read("page_digits"), records.read("digits_vit")["runs"][page_digits.MODEL][0]
    assert kept["accuracy"] == table["accuracy"] >= 0.97 and kept["n_parameters"] == table["n_parameters"]
    sealed = images.load().test
    assert kept["n_test"] == len(sealed) and kept["accuracy_in_int8"] == pytest.approx(page_digits.accuracy(sealed, params), abs=1e-9)
    arrays = flatten(params)
    assert pack({name: arrays[name] for name in kept["shapes"]})["numbers"] == kept["numbers"]
    assert sum(array.size for array in arrays.values()) == kept["n_parameters"]


def test_a_recording_on_few_pictures(monkeypatch):
    rng = np.random.default_rng(0)
    few = Digits(rng.random((20, 8, 8), dtype=np.float32), rng.integers(0, 10, 20).astype(np.int8))
    monkeypatch.setattr(images, "load", lambda: DigitSplits(few, few))
    found = page_digits.measure(seed=3, threads=torch.get_num_threads(), config=TrainingConfig(epochs=1, batch_size=10))
    small = page_digits.read(found)
    assert found["n_test"] == 20 and found["accuracy_in_int8"] == page_digits.accuracy(few, small) and 0 <= found["accuracy"] <= 1


@pytest.mark.slow
def test_the_recorded_training_says_the_same_again():
    assert page_digits.measure(threads=torch.get_num_threads())["accuracy"] == pytest.approx(records.read("page_digits")["accuracy"], abs=0.015)
