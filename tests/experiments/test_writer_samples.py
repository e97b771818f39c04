"""Samples during training: the callback changes nothing, and the record agrees with the page."""

import numpy as np
import pytest

from pencil.data.text import load
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.writer import samples, tiny_gpt
from pencil.experiments.writer.tiny_gpt import Plan, TinyGPT
from pencil.model import Config
from pencil.reference import probabilities, sample
from pencil.reference.generation import count_ngrams, next_token_probs

TEXT = load()[:6000]
SMALL = Plan(Config(8, 2, n_layers=1, max_len=6), TrainingConfig(epochs=3, batch_size=4, lr=1e-2, monitor="val_loss", seed=5), windows=20)


@pytest.fixture(scope="module")
def watched():
    return samples.watch(SMALL, tiny_gpt.make_splits(TEXT), (0, 1), count=12)


def test_looking_on_changes_nothing_of_the_training(watched):
    writer, trained = tiny_gpt.train_writer(TEXT, SMALL)
    losses = [trained.history[epoch - 1]["val_loss"] for epoch in (1, 3)]
    assert [one["loss"] for one in watched[1][1:]] == pytest.approx(losses, rel=1e-6)
    assert [(one["passes"], one["steps"]) for one in watched[1]] == [(0, 0), (1, 5), (3, 15)]
    assert watched[1][2]["text"] == tiny_gpt.write(writer, samples.PROMPT, 12, samples.TEMPERATURE, seed=5)


def test_the_first_sample_is_of_a_writer_that_has_learned_nothing(watched):
    splits = tokenizer, train_ids, test_ids = tiny_gpt.make_splits(TEXT)
    new = TinyGPT(tiny_gpt.build_model(SMALL.sizes, tokenizer, 5), tokenizer)
    assert watched[1][0]["text"] == tiny_gpt.write(new, samples.PROMPT, 12, samples.TEMPERATURE, seed=5)
    for name, ids in (("loss", test_ids), ("train_loss", train_ids[-len(test_ids) :])):
        assert watched[1][0][name] == pytest.approx(samples.eval_loss(new.model, ids, 6), abs=1e-6)
    found = samples.overfit(splits, 1, letters=60, passes=2, plan=SMALL)
    assert found["passes"] == [0, 1, 2] and len(found["loss"]) == len(found["train_loss"]) == 3


def test_a_run_that_is_cut_off_goes_on_where_it_was(watched, tmp_path, monkeypatch):
    whole, begun = samples.WatchedTask.batches, []

    def cut_off(task, seed, epoch, size):
        begun.append(epoch)
        found = whole(task, seed, epoch, size)  # it looks first
        if begun == [1, 2]:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(samples.WatchedTask, "batches", cut_off)
    run = (SMALL, tiny_gpt.make_splits(TEXT), (0, 1), samples.PROMPT, 12, "small", tmp_path)
    with pytest.raises(KeyboardInterrupt):
        samples.watch(*run)
    _, seen = samples.watch(*run)
    assert begun == [1, 2, 2, 3] and [{k: v for k, v in one.items() if k != "seconds"} for one in seen] == watched[1]
    assert [one["seconds"] for one in seen] == sorted(one["seconds"] for one in seen)


@pytest.mark.parametrize("order, prompt", [(1, "a"), (3, "T"), (4, "The film ")])
def test_counting_writes_what_a_loop_writes(order, prompt):
    tokenizer, train_ids, _ = tiny_gpt.make_splits(TEXT)
    counted, ids, rng = (
        count_ngrams(train_ids, order=order, vocab_size=len(tokenizer.pieces)),
        list(tokenizer.encode(prompt)),
        np.random.default_rng(4),
    )
    for _ in range(15):  # the whole text so far, with each letter behind it
        probs = [next_token_probs(counted, np.array([*ids, each]))[-1] for each in range(len(tokenizer.pieces))]
        assert sum(probs) == pytest.approx(1)
        ids.append(int(sample(probabilities(np.log(probs), temperature=0.7), rng.random())))
    assert tiny_gpt.write_by_counting(TEXT, order, prompt, 15, 0.7, seed=4) == tokenizer.decode(np.array(ids))
    with pytest.raises(ValueError, match="the prompt is empty"):
        tiny_gpt.write_by_counting(TEXT, order, "")


def test_the_record_goes_from_junk_to_sentences():
    recorded = read("writer_samples")
    seen = recorded["samples"]
    assert [(one["passes"], one["steps"]) for one in seen] == [(0, 0), (1, 100), (10, 1000), (60, 6000)]
    losses, study = ([one[name] for one in seen] for name in ("loss", "train_loss"))
    assert losses == sorted(losses, reverse=True) and all(0 < a - b < 0.03 for a, b in zip(losses[1:], study[1:], strict=True))
    assert abs(losses[-1] - read("writer")["val_loss_in_int8"]) < 0.005  # the page's writer was trained in the same way
    texts = [*[one["text"] for one in seen], *recorded["counted"].values()]
    assert all(text.startswith(samples.PROMPT) and len(text) == len(samples.PROMPT) + samples.COUNT for text in texts)
    known = set(load().split())
    words = [np.mean([word in known for word in one["text"].split()]) for one in seen]
    assert max(words[:2]) < 0.35 and min(words[2:]) > 0.8


def test_the_record_shows_a_machine_that_knows_too_little_by_heart():
    overfit = read("writer_samples")["overfit"]
    best = int(np.argmin(overfit["loss"]))
    assert 0 < best < len(overfit["loss"]) - 1 and overfit["loss"][-1] > overfit["loss"][best] + 0.05
    assert overfit["train_loss"] == sorted(overfit["train_loss"], reverse=True) and overfit["train_loss"][-1] < 0.3
