"""Aligning a tiny GPT: sampled answers, each fine-tuning method, and the record."""

from copy import deepcopy
from dataclasses import replace
from inspect import signature

import pytest
import torch

from pencil.data.text import load
from pencil.experiments.alignment import recording, tuning
from pencil.experiments.alignment.answers import END, without_e, write_answers
from pencil.experiments.alignment.tuning import Tuning
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.writer import tiny_gpt
from pencil.experiments.writer.tiny_gpt import Plan, TinyGPT, train_writer
from pencil.model import Config

TEXT = load()[:20000]
SMALL = Plan(Config(16, 2, n_layers=1, max_len=24), TrainingConfig(epochs=1, batch_size=16, lr=1e-2, monitor="val_loss"), windows=480)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def starts_early(text):  # a preference that a writer of a minute meets often enough
    return text[:1] in "abcdefghijklm"


@pytest.fixture(scope="module")
def writer():
    torch.set_num_threads(1)
    return train_writer(TEXT, SMALL)[0]


@pytest.fixture(scope="module")
def answers(writer):
    return write_answers(writer, 300, seeded(), starts_early)


@pytest.mark.parametrize(
    "text, met", [("It was not bad.", True), ("It was bad", False), ("The film.", False), ("Enough!", False), ("Oslo?", True), ("", False)]
)
def test_the_preference(text, met):
    assert without_e(text) is met


def test_an_answer_ends_where_its_sentence_ends(writer, answers):
    assert answers.ids.shape == (300, 25) and answers.mask.shape == (300, 24)
    for row, mask, text, reward in zip(answers.ids, answers.mask, answers.texts, answers.rewards, strict=True):
        assert text == writer.tokenizer.decode(row[1:].tolist())[: len(text)] and mask.sum() == len(text) and mask[: len(text)].all()
        assert not set(text[:-1]) & set(END) and (text[-1] in END or len(text) == 24)
        assert reward == starts_early(text)
    assert len(set(answers.texts)) > 100


def test_the_same_seed_writes_the_same(writer, answers):
    assert write_answers(writer, 300, seeded(), starts_early).texts == answers.texts
    assert write_answers(writer, 300, seeded(1), starts_early).texts != answers.texts


def test_the_cache_that_wrote_and_the_pass_that_judges_give_one_chance(writer, answers):
    some = answers.take(torch.arange(3))
    with torch.no_grad():
        logits = writer.model(some.ids[:, :-1]).log_softmax(-1)
    for k in range(3):
        length = int(some.mask[k].sum())
        total = sum(logits[k, t, some.ids[k, t + 1]] for t in range(length))
        assert some.log_probs(writer.model)[k].sum().item() == pytest.approx(total.item(), rel=1e-5)


def taught(writer, teach):
    copy = TinyGPT(deepcopy(writer.model), writer.tokenizer)
    teach(copy)
    return write_answers(copy, 300, seeded(9), starts_early).rewards.mean().item()


@pytest.mark.slow
def test_each_way_of_teaching_meets_the_preference_more_often(writer, answers, monkeypatch):
    good, bad = (answers.take(torch.nonzero(answers.rewards == met)[:, 0]) for met in (1, 0))
    size = min(len(good), len(bad))
    before = taught(writer, lambda copy: None)
    monkeypatch.setattr(tuning, "write_answers", lambda who, count, generator: write_answers(who, count, generator, starts_early))
    plan = Tuning(steps=40, batch=32, lr=3e-3)
    ways = {
        "copy": lambda copy: tuning.sft(copy, good, plan, seeded()),
        "pairs": lambda copy: tuning.dpo(copy, writer.model, good.take(range(size)), bad.take(range(size)), replace(plan, beta=0.5), seeded()),
        "rewards": lambda copy: tuning.grpo(copy, writer.model, replace(plan, normalize=False), seeded()),
        "leash": lambda copy: tuning.grpo(copy, writer.model, replace(plan, beta=0.01, updates=2), seeded()),
    }
    for name, teach in ways.items():
        assert taught(writer, teach) > before + 0.1, name
    assert 0.2 < before < 0.85


def test_the_first_loss_of_pairs_is_ln_2_and_a_long_leash_lets_go(writer, answers):
    good, bad = (answers.take(torch.nonzero(answers.rewards == met)[:, 0]) for met in (1, 0))
    pairs = [each.take(range(20)) for each in (good, bad)]
    losses = tuning.dpo(TinyGPT(deepcopy(writer.model), writer.tokenizer), writer.model, *pairs, Tuning(20, 16, 1e-3, beta=0.3), seeded())
    assert losses[0] == pytest.approx(0.693147, abs=1e-4) and losses[-1] < 0.6


def test_a_small_measurement_has_every_part(monkeypatch):
    monkeypatch.setattr("pencil.data.text.load", lambda: TEXT)
    monkeypatch.setattr(recording, "JUDGED", 20)
    monkeypatch.setattr(recording, "write_answers", lambda who, count, generator: write_answers(who, count, generator, starts_early))
    few = {name: replace(one, steps=2, batch=4) for name, one in recording.TUNINGS.items()}
    found, again, other = (recording.measure(seed=seed, plan=SMALL, pool=40, tunings=few) for seed in (3, 3, 4))
    assert again | {"cpu_seconds": 0} == found | {"cpu_seconds": 0}
    assert other["taught"]["writer"]["loss"] != found["taught"]["writer"]["loss"]
    assert list(found["taught"]) == ["writer", *recording.TUNINGS] and found["taught"]["writer"]["kl"] == 0
    assert len(found["taught"]["grpo"]["curve"]) == 2 and found["taught"]["dpo"]["pairs"] <= 40


def test_a_writer_of_another_seed_cannot_be_taken_up():
    assert "checkpoint" not in signature(recording.measure).parameters and recording.SHARED is tiny_gpt.SHARED


def test_what_the_page_says_of_the_record():
    found = read("wishes")
    taught = found["taught"]
    assert found["pool"]["met"] / found["pool"]["answers"] == pytest.approx(taught["writer"]["met"], abs=0.02)
    for name in recording.TUNINGS:
        assert taught[name]["met"] > 4 * taught["writer"]["met"] and taught[name]["loss"] > taught["writer"]["loss"]
        assert taught[name]["tuning"]["steps"] == recording.TUNINGS[name].steps
    assert taught["reinforce"]["distinct"] < taught["grpo"]["distinct"] < taught["writer"]["distinct"]
    (liked, other), (liked_after, other_after) = taught["dpo"]["log_prob_before"], taught["dpo"]["log_prob_after"]
    assert other - other_after > liked_after - liked > 0, "most of the lead was made by pushing down"
    by = {figure: sorted(recording.TUNINGS, key=lambda name: taught[name][figure]) for figure in ("met", "loss", "kl")}
    assert by["met"][0] == by["loss"][0] == by["kl"][0] == "dpo" and by["met"][-1] == "reinforce" and taught["reinforce"]["met"] > 0.99
    assert taught["grpo"]["loss"] < taught["sft"]["loss"], "more of its language than by copying"
    assert {"bad.", "lamp."} <= set(taught["reinforce"]["samples"]) and "Thursday." in taught["grpo"]["samples"]
