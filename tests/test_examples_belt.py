"""The LSTM parameters of chapter 04 do what the chapter says."""

import numpy as np
import pytest

from pencil.examples import LSTM_PARAMS, LSTM_VECTORS, RNN_UNITS, RNN_VECTORS, RNN_WORDS
from pencil.reference import lstm


def walked(text):
    noted = {}
    hidden_states = lstm(np.array([LSTM_VECTORS.get(word, [0, 0]) for word in text.split()], float), LSTM_PARAMS, note=noted.setdefault)
    return hidden_states, noted


def test_the_sticks_are_the_walkers_and_each_slot_has_a_name():
    np.testing.assert_array_equal([LSTM_VECTORS[word] for word in RNN_WORDS], RNN_VECTORS)
    assert len(RNN_UNITS) == len(LSTM_PARAMS.forget_gate.bias) == 2


@pytest.mark.parametrize(
    "text, good",
    [("good", True), ("very good", True), ("not good", False), ("not very good", False), ("not once was the film good", False), ("film good", True)],
)
def test_a_not_turns_the_sound_round(text, good):
    assert (walked(text)[0][-1, 0] > 0) == good


@pytest.mark.parametrize("gate", ["forget_gate", "input_gate", "output_gate"])
def test_the_voters_read_the_word_alone(gate):
    assert not getattr(LSTM_PARAMS, gate).weight_hh.any()


@pytest.mark.parametrize(
    "word, votes",
    [
        ("not", {"forget_gate": [0.881, 0.881], "input_gate": [0.119, 0.881], "output_gate": [0.119, 0.881]}),
        ("good", {"forget_gate": [0.881, 0.119], "input_gate": [0.881, 0.119], "output_gate": [0.881, 0.881]}),
        ("film", {"forget_gate": [0.881, 0.881], "input_gate": [0.119, 0.119], "output_gate": [0.119, 0.881]}),
    ],
)
def test_only_two_votes_come_up(word, votes):
    noted = walked(word)[1]
    for name, vote in votes.items():
        np.testing.assert_allclose(noted[f"step1.{name}"], vote, atol=5e-4)


def test_praise_uses_the_not_up():
    noted = walked("not film good")[1]
    denial = [noted[f"step{t}.cell"][1] for t in (1, 2, 3)]
    assert denial[1] > 0.8 * denial[0] and denial[2] < 0.2 * denial[1]
