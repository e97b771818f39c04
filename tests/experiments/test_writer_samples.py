"""What a writer writes before, during and after training: the samples are those of the plain run, and the record has them in order."""

from dataclasses import replace

import pytest

from pencil.data.text import load
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.writer import page_writer, samples, tiny_gpt
from pencil.experiments.writer.tiny_gpt import Plan, TinyGPT
from pencil.model import Config

TEXT = load()[:6000]
SMALL = Plan(Config(8, 2, n_layers=1, max_len=6), TrainingConfig(epochs=3, batch_size=4, lr=1e-2, monitor="val_loss"), windows=20)


@pytest.fixture(scope="module")
def measured():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pencil.data.text.load", lambda: TEXT)
        patch.setattr(samples, "COUNT", 12)
        return samples.measure(seed=5, plan=SMALL)["samples"]


def test_sampling_on_the_way_changes_nothing_of_the_training(measured):
    plan = replace(SMALL, training=replace(SMALL.training, seed=5))
    writer, trained = tiny_gpt.train_writer(TEXT, plan)
    losses = [trained.history[epoch - 1]["val_loss"] for epoch in (1, 3)]
    assert [sample["loss"] for sample in measured[1:3]] == pytest.approx(losses, rel=1e-9)
    assert measured[2]["text"] == tiny_gpt.write(writer, samples.PROMPT, 12, samples.TEMPERATURE, seed=5)


def test_the_first_sample_is_of_a_writer_that_has_learned_nothing(measured):
    tokenizer, *_ = tiny_gpt.make_splits(TEXT)
    new = TinyGPT(tiny_gpt.build_model(SMALL.sizes, tokenizer, 5), tokenizer)
    assert measured[0] | {"loss": 0} == {"passes": 0, "loss": 0, "text": tiny_gpt.write(new, samples.PROMPT, 12, samples.TEMPERATURE, seed=5)}


def test_the_last_sample_is_of_the_writer_of_the_page(measured):
    carried = read("writer")
    assert measured[3]["text"] == page_writer.read(carried).write(samples.PROMPT, 12, samples.TEMPERATURE, seed=5)
    assert measured[3]["loss"] == carried["val_loss_in_int8"] and measured[3]["passes"] is None


def test_the_record_has_four_samples_each_better_than_the_one_before():
    recorded = read("writer_samples")
    losses = [sample["loss"] for sample in recorded["samples"]]
    assert losses == sorted(losses, reverse=True) and len(losses) == 4
    assert [sample["passes"] for sample in recorded["samples"]] == [0, 1, tiny_gpt.SHORT.training.epochs, None]
    texts = [sample["text"] for sample in recorded["samples"]]
    assert all(text.startswith(samples.PROMPT) and len(text) == len(samples.PROMPT) + samples.COUNT for text in texts)
    known = set(load().split())
    words = [sum(word in known for word in text.split()) / len(text.split()) for text in texts]
    assert max(words[:2]) < 0.35 and words[-1] > 0.9 and words[1:] == sorted(words[1:])
