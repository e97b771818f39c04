"""Rotary bases, YaRN and layers without positions in the tiny GPT: the models, and the record."""

import numpy as np
import pytest
import torch

from pencil.experiments.records import read
from pencil.experiments.writer import longer_texts, position_choices
from pencil.experiments.writer.position_choices import CHOICES, build_writer, with_yarn
from pencil.model.module import state_arrays

VOCAB = 20


def turned(writer, layer):  # a query of ones at position 8, as the layer rotates it; None without a rotation
    encoding, query = writer.stack.blocks[layer].attention.position_encoding, torch.ones(1, 1, 9, 16)
    return None if encoding is None else encoding.rotate(query, query, lambda name, value: value)[0][0, 0, 8].detach().numpy()


def by_hand(base, stretch=1.0, amplitude=1.0):  # the same from the formula
    angle = 8 / base ** (np.arange(0, 16, 2) / 16) / stretch
    return amplitude * np.stack([np.cos(angle) - np.sin(angle), np.sin(angle) + np.cos(angle)], -1).ravel()


def test_the_choices_differ_in_their_positions_alone():
    rotary = state_arrays(build_writer("rotary", VOCAB))
    for name in CHOICES:
        mine = state_arrays(build_writer(name, VOCAB))
        assert list(mine) == list(rotary) and all((mine[key] == rotary[key]).all() for key in rotary)
    first, second = (turned(build_writer("one_layer_without", VOCAB), layer) for layer in (0, 1))
    assert first == pytest.approx(by_hand(10_000), abs=1e-5) and second is None
    assert turned(build_writer("large_base", VOCAB), 0) == pytest.approx(by_hand(500_000), abs=1e-5)
    assert turned(build_writer("none", VOCAB), 0) is None


def test_yarn_keeps_the_weights_and_turns_the_slow_pairs_less():
    writer = build_writer("rotary", VOCAB)
    slowed = with_yarn(writer)
    assert all((theirs == state_arrays(writer)[name]).all() for name, theirs in state_arrays(slowed).items())
    stretch = position_choices.YARN.stretch(16, 10_000)
    assert stretch[-1] == longer_texts.READ / longer_texts.TRAINED and (np.diff(stretch) >= 0).all() and stretch[0] < stretch[-1]
    assert turned(slowed, 0) == pytest.approx(by_hand(10_000, stretch, 0.1 * np.log(4) + 1), abs=1e-4)


@pytest.mark.slow
def test_a_measurement_has_two_losses_for_each_model_and_seed():
    found = position_choices.measure(seeds=1, steps=2, tuning_steps=1, source="embedded")
    assert list(found["loss"]) == [*CHOICES, "yarn", "rotary_tuned", "large_base_tuned", "yarn_tuned"]
    assert all(len(losses[which]) == 1 for losses in found["loss"].values() for which in ("seen", "last"))


def test_the_record_is_of_the_same_training_as_that_of_longer_texts():
    recorded, others = read("position_choices"), read("longer_texts")
    assert all(recorded[key] == others[key] for key in ("trained", "read", "steps", "tuning_steps", "sizes"))
    assert {len(losses[which]) for losses in recorded["loss"].values() for which in ("seen", "last")} == {position_choices.SEEDS}
    again = [np.mean(row[: others["trained"] // others["bin"]]) for row in others["loss"]["rotary"]]
    assert recorded["loss"]["rotary"]["seen"] == pytest.approx(again, abs=1e-4)  # the same writer, trained anew
