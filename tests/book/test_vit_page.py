"""What chapter 15 says of its two letters beyond the sums on its page."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from pencil.examples import LETTER_J, LETTER_L, LETTERS
from pencil.experiments.records import read
from pencil.experiments.vision.images_task import permute_patches
from pencil.reference import BlockConfig, patchify, vit

SPECK = BlockConfig(eps=1e-5)
BARE = replace(LETTERS, positions=None)


def answer(image, params=LETTERS):
    return vit(image, params, config=SPECK)


def test_without_seats_all_24_orders_are_one_picture():
    moved = [permute_patches(LETTER_L[None], 2, list(order))[0] for order in permutations(range(4))]
    assert len({image.tobytes() for image in moved}) == 24
    np.testing.assert_allclose([answer(image, BARE) for image in moved], np.tile(answer(LETTER_L, BARE), (24, 1)), rtol=1e-12)
    assert len({tuple(answer(image).round(6)) for image in moved}) > 1, "the seats tell some of them apart"


def test_what_a_machine_without_seats_does_notice():
    turned, inked = LETTER_L.reshape(2, 2, 2, 2)[:, ::-1, :, ::-1].reshape(4, 4), LETTER_L.copy()
    inked[1, 2] = 1
    assert sorted(map(tuple, patchify(turned, size=2))) != sorted(map(tuple, patchify(LETTER_L, size=2)))
    for image in (turned, inked):
        assert np.abs(answer(image, BARE) - answer(LETTER_L, BARE)).max() > 0.01


def test_the_questions_of_the_lab():
    footless = LETTER_L * np.array([[1, 1, 1, 1]] * 3 + [[1, 1, 0, 0]])
    assert answer(footless).argmax() == 0, "still an L"
    between = [answer((1 - t) * LETTER_L + t * LETTER_J)[0] for t in np.linspace(0, 1, 11)]
    assert between[0] > 0 > between[-1], "somewhere on the way the two scores are equal"


@pytest.mark.parametrize("name", ["digits_vit", "mnist_vit"])
def test_what_is_said_of_the_rivals(name):
    right = {who: np.mean([run["accuracy"] for run in runs]) for who, runs in read(name)["runs"].items()}
    assert right["convolutional network"] > right["ViT, learned positions"] > right["logistic regression"]
    assert right["ViT, no positions"] < right["logistic regression"]
