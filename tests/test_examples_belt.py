"""The two-memory worker's fixed grids do what chapter 04 says of them."""

import numpy as np
import pytest

from pencil.examples import BELT_GRIDS, BELT_SLOTS, BELT_STICKS, WALK_STICKS, WALK_WORDS
from pencil.reference import lstm


def walked(text):
    noted = {}
    memories = lstm(np.array([BELT_STICKS.get(word, [0, 0]) for word in text.split()], float), BELT_GRIDS, noted.setdefault)
    return memories, noted


def test_the_sticks_are_the_walkers_and_each_slot_has_a_name():
    np.testing.assert_array_equal([BELT_STICKS[word] for word in WALK_WORDS], WALK_STICKS)
    assert len(BELT_SLOTS) == len(BELT_GRIDS.keep.bias) == 2


@pytest.mark.parametrize(
    "text, good",
    [("good", True), ("very good", True), ("not good", False), ("not very good", False), ("not once was the film good", False), ("film good", True)],
)
def test_a_not_turns_the_sound_round(text, good):
    assert (walked(text)[0][-1, 0] > 0) == good


@pytest.mark.parametrize("gate", ["keep", "admit", "show"])
def test_the_voters_read_the_word_alone(gate):
    assert not getattr(BELT_GRIDS, gate).hidden.any()


@pytest.mark.parametrize(
    "word, votes",
    [
        ("not", {"keep": [0.881, 0.881], "admit": [0.119, 0.881], "show": [0.119, 0.881]}),
        ("good", {"keep": [0.881, 0.119], "admit": [0.881, 0.119], "show": [0.881, 0.881]}),
        ("film", {"keep": [0.881, 0.881], "admit": [0.119, 0.119], "show": [0.119, 0.881]}),
    ],
)
def test_only_two_votes_come_up(word, votes):
    noted = walked(word)[1]
    for name, vote in votes.items():
        np.testing.assert_allclose(noted[f"step1.{name}"], vote, atol=5e-4)


def test_praise_uses_the_not_up():
    noted = walked("not film good")[1]
    denial = [noted[f"step{t}.belt"][1] for t in (1, 2, 3)]
    assert denial[1] > 0.8 * denial[0] and denial[2] < 0.2 * denial[1]
