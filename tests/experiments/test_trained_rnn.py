"""The small RNN of chapter 03 that was trained: its record is what training gives, and judges all its texts rightly."""

import numpy as np

from pencil.experiments import records
from pencil.experiments.facts import trained_rnn
from pencil.reference import RNNParams, rnn, sigmoid


def judged(found):  # -> {text: probability}, with the recorded numbers
    params = RNNParams(*(np.array(found[name]) for name in ("weight_ih", "weight_hh", "bias")))
    states = {text: rnn(np.array([trained_rnn.VECTORS[word] for word in text.split()]), params)[-1] for text in trained_rnn.TEXTS}
    return {text: float(sigmoid(np.array(found["output"]) @ state)[0]) for text, state in states.items()}


def test_the_recorded_numbers_judge_every_text_rightly():
    found = judged(records.read("trained_rnn"))
    assert len(found) == 6 and all((prob > 0.95) if trained_rnn.is_liked(text) else (prob < 0.05) for text, prob in found.items())


def test_training_finds_these_numbers():
    record = records.read("trained_rnn")
    found = trained_rnn.measure(seed=1)  # that of its command
    for name in ("weight_ih", "weight_hh", "bias", "output"):  # an optimizer's last digits differ from machine to machine
        np.testing.assert_allclose(found[name], record[name], atol=0.1001)


def test_without_training_it_guesses(monkeypatch):
    monkeypatch.setattr(trained_rnn, "STEPS", 0)
    assert all(0.2 < prob < 0.8 for prob in judged(trained_rnn.measure(seed=1)).values())
