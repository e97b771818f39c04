"""PatchLab shows the vision transformer of `pencil.reference`, also for a new image."""

from dataclasses import replace

import numpy as np
import pytest

from pencil import examples, reference
from pencil.widgets import PatchLab
from pencil.widgets.patch_lab import CONFIG

WAVES = np.concatenate([np.zeros((1, 4)), reference.sinusoidal_2d(np.arange(2), np.arange(2), width=4)])
POSITIONS = {"learned": examples.LETTERS.positions, "sinusoids": WAVES, "none": None}
DRAWINGS = {
    "L": examples.LETTER_L,
    "a pixel rubbed out": examples.LETTER_L - np.eye(4)[:, [3, 1, 2, 0]] * [1, 0, 0, 0],
    "grey": np.linspace(0, 1, 16),
}


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_every_way_of_the_lab_is_the_whole_machine(drawing):
    lab, image = PatchLab(), np.reshape(DRAWINGS[drawing], (4, 4))
    for number in range(len(lab.variants)):
        lab.variant = number
        lab.givens = lab.givens | {"image": image}
        positions, patches = lab.chosen().values()
        seen = image if patches == "in place" else image[:, [2, 3, 0, 1]]
        noted = {}
        wanted = reference.vit(seen, replace(examples.LETTERS, positions=POSITIONS[positions]), note=noted.setdefault, config=CONFIG)
        np.testing.assert_allclose(lab.trace.find("logits").exact, wanted, rtol=1e-10)
        np.testing.assert_allclose(lab.trace.find("weights").exact, noted["block1.weights"], rtol=1e-10)


def test_only_positions_notice_the_swap():
    lab, said = PatchLab(), {}
    for number in range(len(lab.variants)):
        lab.variant = number
        positions, patches = lab.chosen().values()
        said[positions, patches] = "LJ"[int(lab.trace.find("logits").exact.argmax())]
    assert {positions: said[positions, "in place"] + said[positions, "halves swapped"] for positions in POSITIONS} == {
        "learned": "LJ",
        "sinusoids": "LJ",
        "none": "LL",
    }


def test_it_says_the_letter_and_calls_the_patches_as_the_chapter_does():
    lab = PatchLab()
    (says,) = (part for part in lab.variants[0].steps[0].parts if part.kind == "says")
    assert says.said(lab.worked) == "The machine says L."
    assert lab.trace.find("embedding").words[0] == examples.LETTER_PATCHES
    lab.variant = 1
    assert says.said(lab.worked) == "The machine says J."
    assert lab.trace.find("embedding").words[0] == ("empty", "stroke", "foot", "corner")
    lab.givens = lab.givens | {"params.head": np.zeros((2, 4))}
    assert says.said(lab.worked) == "L and J are equal."


def test_an_empty_picture_breaks_nothing():
    lab = PatchLab()
    for number in range(len(lab.variants)):
        lab.variant = number
        lab.givens = lab.givens | {"image": np.zeros((4, 4))}
        assert np.isfinite(lab.trace.find("logits").exact).all()
