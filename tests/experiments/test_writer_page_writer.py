"""The tiny GPT of the page: its int8 record, and its NumPy output against torch."""

from dataclasses import fields, replace

import numpy as np
import pytest
import torch

from pencil.cli import record
from pencil.data.text import load as load_text
from pencil.errors import TaskError
from pencil.experiments import records
from pencil.experiments.quantization import STEPS, pack, quantize, rows_of, unpack
from pencil.experiments.writer import page_writer, tiny_gpt
from pencil.model import Config, Decoder
from pencil.params import flatten
from pencil.random import Mulberry32
from pencil.reference import stable_softmax

TEXTS = ["The film ", "T", "\n", "It was not the best film, and yet nobody left before the end. The music was"]


@pytest.fixture(scope="module")
def writer():
    return page_writer.read()


@pytest.fixture(scope="module")
def model(writer):
    """The same numbers in torch, which has a road of its own."""
    return Decoder.from_params(writer.params, page_writer.CONFIG).eval()


# ---- bytes


@pytest.mark.parametrize("shape", [(5, 7), (1, 1), (9,), (3, 4, 2)])
def test_each_number_is_the_nearest_step_of_its_row(shape):
    array = np.random.default_rng(0).normal(size=shape) * 10.0 ** np.random.default_rng(1).integers(-6, 6, (*shape[:-1], 1))
    scales, numbers = quantize(array)
    found = numbers * scales[:, None].astype(float)
    off = np.abs(found - array.reshape(found.shape)).max(1)
    assert (off <= scales * (0.5 + 1e-5)).all() and (np.abs(numbers).max(1) == STEPS).all()


def test_a_row_of_zeros_stays_one_and_what_is_no_number_is_refused():
    scales, numbers = quantize(np.zeros((2, 3)))
    assert (scales == 1).all() and not numbers.any()
    for odd in (np.nan, np.inf):
        with pytest.raises(ValueError, match="infinite or none"):
            quantize([[1.0, odd]])


def test_what_is_unpacked_packs_to_the_same_bytes(writer):
    arrays = flatten(writer.params)
    packed = pack(arrays)
    again = unpack(packed)
    assert all((again[name] == array).all() and again[name].shape == array.shape for name, array in arrays.items())
    assert pack(again) == packed and rows_of(packed["shapes"]) == sum(len(quantize(array)[0]) for array in arrays.values())
    kept = records.read("writer")
    assert pack({name: arrays[name] for name in kept["shapes"]})["numbers"] == kept["numbers"]  # in its own order
    with pytest.raises(ValueError, match=r"bytes where the shapes need .* pack the arrays again"):
        unpack(packed | {"shapes": packed["shapes"] | {"norm.gain": [47]}})
    short = replace(kept, result=kept.result | {"numbers": packed["numbers"][:40]})
    with pytest.raises(
        ValueError, match=r"30 bytes where the shapes of the record writer need \d+; measure it anew: python -m pencil record writer --"
    ):
        page_writer.read(short)


# ---- the writer


def test_its_recipe_is_the_one_that_it_was_trained_by():
    trained = replace(tiny_gpt.SHORT.sizes, softmax=stable_softmax)
    assert all(getattr(trained, each.name) == getattr(page_writer.CONFIG, each.name) for each in fields(page_writer.CONFIG))


@pytest.mark.parametrize("text", TEXTS)
def test_logits_and_weights_of_every_head_against_torch(writer, model, text):
    named, theirs = {}, {}
    writer.sample_next(text, note=lambda name, value: named.setdefault(name, value))
    ids = torch.tensor(writer.ids(text)[-writer.positions :])
    logits = model(ids, note=lambda name, value: theirs.setdefault(name, value))
    np.testing.assert_allclose(named["logits"], logits[-1].detach(), atol=1e-9, rtol=0)
    heads = [name for name in named if name.endswith(".weights")]
    assert len(heads) == 8
    for name in heads:
        np.testing.assert_allclose(named[name], theirs[name].detach(), atol=1e-9, rtol=0)


def test_nothing_behind_the_last_letter_is_looked_at(writer):
    named = {}
    ids = np.array([*writer.ids("The film "), 50, 3, 0, 7])
    page_writer.sample_next(ids, [8], writer.params, 1.0, 57, 0.0, lambda name, value: named.setdefault(name, value))
    bare = {}
    writer.sample_next("The film ", note=lambda name, value: bare.setdefault(name, value))
    np.testing.assert_allclose(named["logits"], bare["logits"], atol=1e-12, rtol=0)


def test_with_keep_1_it_takes_torch_s_likeliest(writer, model):
    text = "The "
    for _ in range(60):  # longer than its positions
        text += writer.vocabulary[int(model(torch.tensor(writer.ids(text)[-writer.positions :]))[-1].argmax())]
    assert writer.write("The ", 60, top_k=1) == text


def test_a_text_goes_on_alike_whoever_wrote_it(writer):
    long = writer.write("The film ", 30, 0.9, 20, seed=5)
    assert writer.write(long[:20], 19, 0.9, 20, seed=5) == long
    assert writer.write("The film ", 30, 0.9, 20, seed=6) != long
    rng = Mulberry32(5)
    assert [page_writer.uniform(5, number) for number in range(4)] == [rng.next_uint32() / 2**32 for _ in range(4)]


def test_what_it_cannot_go_on_from(writer):
    with pytest.raises(ValueError, match="'ß' is none of its 57 letters"):
        writer.write("Straße")
    with pytest.raises(ValueError, match="the text is empty"):
        writer.write("")


# ---- the record


@pytest.mark.slow
def test_the_record_s_loss_is_that_of_its_bytes():
    kept, found = records.read("writer"), page_writer.measure()
    assert found["val_loss_in_int8"] == pytest.approx(kept["val_loss_in_int8"], abs=1e-5)
    assert all(found[name] == kept[name] for name in ("vocabulary", "trained", "shapes", "numbers"))


@pytest.mark.slow
def test_a_checkpoint_is_measured_before_and_after(tmp_path):
    tokenizer = tiny_gpt.train_tokenizer(load_text())
    params = tiny_gpt.build_model(Config(d_model=8, n_heads=2, n_layers=1, vocab_size=1, max_len=12), tokenizer)
    tiny_gpt.save(tmp_path / "new.safetensors", tiny_gpt.TinyGPT(params, tokenizer))
    found = page_writer.measure(tmp_path / "new.safetensors")
    assert found["val_loss"] == pytest.approx(found["val_loss_in_int8"], abs=0.05)
    assert found["val_loss"] > 3  # it has learned nothing yet
    small = page_writer.read(found)
    assert small.positions == 12 and len(small.write("The ", 3)) == 7


def test_a_recording_that_takes_no_other_device_says_so():
    with pytest.raises(TaskError, match="writer is measured on a CPU"):
        record.main(["writer", "--device", "cuda"])
    with pytest.raises(TaskError, match="device='abacus' is not known"):
        record.main(["writer_ladder", "--device", "abacus"])
