"""PatchLab: what it shows is the machine of `pencil.reference`, for a drawing of a reader's own as well."""

from dataclasses import replace

import numpy as np
import pytest

from pencil import examples, reference
from pencil.widgets import PatchLab
from pencil.widgets.patch_lab import SPECK

WAVES = np.concatenate([np.zeros((1, 4)), reference.sine_cosine_2d(np.arange(2), np.arange(2), 4)])
SEATS = {"seat table": examples.LETTERS.seats, "waves": WAVES, "nothing": None}
DRAWINGS = {
    "L": examples.LETTER_L,
    "a pixel rubbed out": examples.LETTER_L - np.eye(4)[:, [3, 1, 2, 0]] * [1, 0, 0, 0],
    "grey": np.linspace(0, 1, 16),
}


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_every_way_of_the_lab_is_the_whole_machine(drawing):
    lab, picture = PatchLab(), np.reshape(DRAWINGS[drawing], (4, 4))
    for number in range(len(lab.variants)):
        lab.variant = number
        lab.givens = lab.givens | {"picture": picture}
        seats, patches = lab.chosen().values()
        seen = picture if patches == "in place" else picture[:, [2, 3, 0, 1]]
        noted = {}
        wanted = reference.vit(seen, replace(examples.LETTERS, seats=SEATS[seats]), noted.setdefault, SPECK)
        np.testing.assert_allclose(lab.trace.find("logits").exact, wanted, rtol=1e-10)
        np.testing.assert_allclose(lab.trace.find("weights").exact, noted["block1.weights"], rtol=1e-10)


def test_only_seats_notice_the_swap():
    lab, said = PatchLab(), {}
    for number in range(len(lab.variants)):
        lab.variant = number
        seats, patches = lab.chosen().values()
        said[seats, patches] = "LJ"[int(lab.trace.find("logits").exact.argmax())]
    assert {seats: said[seats, "in place"] + said[seats, "halves swapped"] for seats in SEATS} == {"seat table": "LJ", "waves": "LJ", "nothing": "LL"}


def test_an_empty_sheet_breaks_nothing():
    lab = PatchLab()
    for number in range(len(lab.variants)):
        lab.variant = number
        lab.givens = lab.givens | {"picture": np.zeros((4, 4))}
        assert np.isfinite(lab.trace.find("logits").exact).all()
