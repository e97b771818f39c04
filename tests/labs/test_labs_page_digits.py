"""The reader of digits of the page: its bytes, its record, and what NumPy makes of it, held against torch."""

import numpy as np
import pytest
import torch

from pencil.bundles import flatten
from pencil.data import pictures
from pencil.data.pictures import Digits, Pictures
from pencil.labs import page_digits, records
from pencil.labs.int8 import pack
from pencil.labs.training import Training
from pencil.model import ViT
from pencil.model.config import GPT2


@pytest.fixture(scope="module")
def machine():
    return page_digits.read()


def test_every_share_of_every_head_against_torch(machine):
    model = ViT.like(machine, GPT2).double().eval()
    for picture in (*pictures.load().test.pixels[:3].astype(float), np.zeros((8, 8))):
        named, theirs = {}, {}
        shares = page_digits.shares(picture, machine, lambda name, value, named=named: named.setdefault(name, value))
        logits = model(torch.tensor(picture), theirs.setdefault)
        np.testing.assert_allclose(shares, logits.softmax(-1).detach(), atol=1e-9, rtol=0)
        heads = [name for name in named if name.endswith(".weights")]
        assert len(heads) == 8
        for name in heads:
            np.testing.assert_allclose(named[name], theirs[name].detach(), atol=1e-9, rtol=0)


def test_the_record_is_the_chapter_s_machine(machine):
    """The same training as the first of the chapter's table; and what the page says of the bytes is counted again."""
    kept, table = records.read("page_digits"), records.read("digits_vit")["runs"][page_digits.LEARNED][0]
    assert kept["accuracy"] == table["accuracy"] >= 0.97 and kept["dials"] == table["dials"]
    sealed = pictures.load().test
    assert kept["sealed"] == len(sealed) and kept["accuracy_in_bytes"] == pytest.approx(page_digits.right(sealed, machine), abs=1e-9)
    arrays = flatten(machine)
    assert pack({name: arrays[name] for name in kept["shapes"]})["numbers"] == kept["numbers"]
    assert sum(array.size for array in arrays.values()) == kept["dials"]


def test_a_recording_on_few_pictures(monkeypatch):
    rng = np.random.default_rng(0)
    few = Digits(rng.random((20, 8, 8), dtype=np.float32), rng.integers(0, 10, 20).astype(np.int8))
    monkeypatch.setattr(pictures, "load", lambda: Pictures(few, few))
    found = page_digits.measure(seed=3, threads=torch.get_num_threads(), setting=Training(passes=1, batch=10))
    small = page_digits.read(found)
    assert found["sealed"] == 20 and found["accuracy_in_bytes"] == page_digits.right(few, small) and 0 <= found["accuracy"] <= 1


@pytest.mark.slow
def test_the_recorded_training_says_the_same_again():
    assert page_digits.measure(threads=torch.get_num_threads())["accuracy"] == pytest.approx(records.read("page_digits")["accuracy"], abs=0.015)
