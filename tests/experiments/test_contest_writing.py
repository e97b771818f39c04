"""Masked language modelling and the writing contest: masks, losses against a plain loop, and runs on the embedded reviews."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from small_tasks import ROWS, encoded_reviews

from pencil.data import text
from pencil.experiments.contest import entrants, pretraining, writing
from pencil.experiments.contest.pretraining import BlankTask
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.writer.text_task import loss_by_position


def test_a_window_is_a_run_of_the_text_and_holds_words_where_there_are_enough():
    ids = torch.tensor([[1, 2, 3, 4, 5, 6], [7, 8, 0, 0, 0, 0]])
    seen = {tuple(pretraining.windows(ids, torch.Generator().manual_seed(seed), length=3)[0].tolist()) for seed in range(50)}
    assert seen == {(1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6)}
    assert pretraining.windows(ids, length=3)[1].tolist() == [7, 8, 0]


def test_what_stands_under_a_blank_is_not_seen(monkeypatch):
    """Whatever the blanked words are, the logits are the same."""
    texts, model = encoded_reviews(8, max_len=100), entrants.build_block(ROWS + 1, 100).eval()
    monkeypatch.setattr(pretraining, "BLANKS", 2.0)  # every word is a blank
    other = replace(texts, ids=np.where(texts.ids > 0, 1, 0))
    said = [BlankTask(each, each, ROWS)._fill(model, each, np.arange(8), "cpu", torch.Generator().manual_seed(0)) for each in (texts, other)]
    assert torch.equal(said[0][0], said[1][0]) and not torch.equal(said[0][1], said[1][1])


def test_a_fine_tuned_model_begins_with_what_was_learned_and_a_new_head():
    learned = entrants.build_block(ROWS + 1, pretraining.WINDOW, seed=7).state_dict()
    for name in pretraining.MODELS:
        model = pretraining.build_model(name, ROWS, 1, learned)
        assert torch.equal(model.embedding, learned["embedding"])
        assert not torch.equal(model.head.layer1.weight, learned["head.layer1.weight"])


@pytest.mark.slow
def test_pretraining_on_the_book_s_own_reviews(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(tmp_path))
    configs = {100: TrainingConfig(epochs=1)}, replace(pretraining.PRETRAINING, epochs=1)
    record = pretraining.measure(threads=torch.get_num_threads(), source="embedded", configs=configs)
    assert len(record["runs"]) == 12 and {run["pretrained"] for run in record["runs"]} == {True, False} and len(record["blanks"]["loss"]) == 1
    json.dumps(record)


def test_the_recorded_pretraining_has_both_kinds_and_labels_of_both_kinds():
    record = read("pretraining")
    asked = {(run["model"], run["labels"], run["pretrained"]) for run in record["runs"]}
    assert asked == {(name, labels, True) for name in pretraining.MODELS for labels in (1000, 20_000)} | {
        (name, 1000, False) for name in pretraining.MODELS
    }
    for run in record["runs"]:
        assert len(set(run["accuracy"])) > 1, "a model that says one thing to all has learned nothing"


@pytest.mark.parametrize("name", writing.SIZES)
def test_the_loss_at_each_place_is_that_of_a_plain_loop(name):
    sizes = replace(writing.SIZES[name], d_model=8, hidden_size=6, d_ff=8, n_heads=2, n_layers=1)
    model, ids = writing.build_model(name, 11, sizes=sizes).eval(), np.random.default_rng(0).integers(0, 11, 60)
    expected = np.zeros(10)
    starts = range(0, 50, 4)
    for start in starts:
        with torch.no_grad():
            probs = model(torch.tensor(ids[start : start + 10])[None])[0].softmax(-1)
        expected -= [np.log(probs[place, ids[start + place + 1]].item()) for place in range(10)]
    np.testing.assert_allclose(loss_by_position(model, ids, length=10, stride=4), expected / len(starts), rtol=1e-5)


def test_nobody_sees_the_letter_that_comes():
    ids = torch.randint(0, 11, (1, 20), generator=torch.Generator().manual_seed(0))
    for name in writing.SIZES:
        model = writing.build_model(name, 11).eval()
        with torch.no_grad():
            assert torch.allclose(model(ids)[:, :12], model(ids.clone().index_fill(1, torch.arange(12, 20), 3))[:, :12], atol=1e-5)


def test_the_three_parts_of_the_text_lie_side_by_side():
    vocab_size, learned, chosen, exam = writing.make_splits("abcde" * 20)
    assert vocab_size == 5 and (len(learned), len(chosen), len(exam)) == (80, 10, 10)


@pytest.mark.slow
def test_each_model_has_the_rate_of_its_best_trial_and_a_run_from_each_seed(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(tmp_path))
    for name, value in {"SECONDS": 0.05, "TRIAL_SECONDS": 0.05, "SEEDS": (0, 1), "RATES": (1e-3, 1e-2), "WINDOW": 16}.items():
        monkeypatch.setattr(writing, name, value)
    small = {
        name: replace(sizes, d_model=8, hidden_size=6, d_ff=8, n_heads=2, n_layers=1)
        for name, sizes in writing.SIZES.items()
        if name in ("LSTM", "Rotary")
    }
    monkeypatch.setattr(writing, "SIZES", small)
    monkeypatch.setattr(text, "load", lambda source: "abcab bcabc " * 200)
    record = writing.measure(threads=torch.get_num_threads(), source="embedded")
    assert [(run["seed"], run["model"]) for run in record["runs"]] == [(seed, name) for seed in (0, 1) for name in writing.SIZES]
    for run in record["runs"]:
        tried = record["tried"][run["model"]]
        assert set(tried) == {"0.001", "0.01"} and tried[str(run["lr"])] == min(tried.values()) and len(run["by_position"]) == 16
    json.dumps(record)


def test_the_recorded_writers_have_equal_parameters_and_equal_time():
    record = read("writing_contest")
    runs = record["runs"]
    counts, seconds = ([run[key] for run in runs] for key in ("n_parameters", "cpu_seconds"))
    assert {(run["model"], run["seed"]) for run in runs} == {(name, seed) for name in writing.SIZES for seed in writing.SEEDS}
    assert max(counts) < 1.1 * min(counts) and max(seconds) < 1.5 * min(seconds)
    for run in runs:
        assert len(run["by_position"]) == record["window"] and run["exam"] == pytest.approx(np.mean(run["by_position"][record["window"] // 2 :]))
        assert str(run["lr"]) == min(record["tried"][run["model"]], key=record["tried"][run["model"]].get)
