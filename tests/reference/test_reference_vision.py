"""Patches, class token, 2-d positions and the whole vision transformer against plain loops; and what each refuses."""

import math
from dataclasses import replace

import numpy as np
import plain
import pytest
from draws import lists_of

from pencil import examples, reference
from pencil.trace import Trace

CONFIG = reference.BlockConfig(eps=1e-5)


def patches_by_loops(channels, size):
    """Patch by patch from the top left; in a patch channel by channel, row by row."""
    height, width = len(channels[0]), len(channels[0][0])
    corners = [(y, x) for y in range(0, height, size) for x in range(0, width, size)]
    return [[channel[y + i][x + j] for channel in channels for i in range(size) for j in range(size)] for y, x in corners]


@pytest.mark.parametrize("shape, size", [((4, 4), 2), ((2, 6), 2), ((6, 3), 3), ((3, 4, 8), 4), ((2, 2, 4), 1), ((5, 5), 5)])
def test_patchify_against_loops(shape, size):
    image = np.random.default_rng(0).normal(size=shape)
    channels = image.tolist() if len(shape) == 3 else [image.tolist()]
    np.testing.assert_array_equal(reference.patchify(image, size=size), patches_by_loops(channels, size))


def test_a_linear_layer_on_patches_is_a_convolution_that_does_not_overlap():
    rng = np.random.default_rng(1)
    image, grid, size = rng.normal(size=(3, 6, 4)), rng.normal(size=(5, 12)), 2
    kernel = grid.reshape(5, 3, 2, 2)
    slid = [
        [sum(kernel[k, c, i, j] * image[c, y + i, x + j] for c in range(3) for i in range(2) for j in range(2)) for k in range(5)]
        for y in range(0, 6, 2)
        for x in range(0, 4, 2)
    ]
    np.testing.assert_allclose(reference.linear(reference.patchify(image, size=size), grid), slid, rtol=1e-12)


@pytest.mark.parametrize("rows, columns, width", [(2, 2, 4), (3, 1, 8), (2, 5, 12)])
def test_sinusoidal_2d_against_loops(rows, columns, width):
    wanted = []
    for r in range(rows):
        for c in range(columns):
            row = []
            for seat in (r, c):
                for i in range(width // 4):
                    angle = seat / 10_000 ** (2 * i / (width / 2))
                    row += [math.sin(angle), math.cos(angle)]
            wanted.append(row)
    np.testing.assert_allclose(reference.sinusoidal_2d(np.arange(rows), np.arange(columns), width=width), wanted, atol=1e-12)


@pytest.mark.parametrize("token", [True, False])
@pytest.mark.parametrize("positions", [True, False])
def test_the_vit_against_loops(token, positions):
    rng = np.random.default_rng(2)
    params = replace(
        examples.LETTERS,
        positions=rng.normal(size=(4 + token, 4)) if positions else None,
        class_token=rng.normal(size=(1, 4)) if token else None,
        patch_bias=rng.normal(size=4),
        head_bias=rng.normal(size=2),
        norm=reference.LayerNormParams(rng.normal(size=4), rng.normal(size=4)),
    )
    image, noted = rng.normal(size=(4, 4)), {}
    logits = reference.vit(image, params, note=noted.setdefault, config=CONFIG)
    lists = lists_of(params)
    x = plain.linear(patches_by_loops([image.tolist()], 2), lists.patch, lists.patch_bias)
    x = (lists.class_token or []) + x
    x = plain.add(x, lists.positions) if positions else x
    names = plain.block(x, lists.blocks[0], eps=1e-5)
    rows = plain.layer_norm(names["out"], 1e-5, lists.norm.gain, lists.norm.bias)["affine"]
    summary = rows[0] if token else [math.fsum(slot) / len(rows) for slot in zip(*rows, strict=True)]
    np.testing.assert_allclose(noted["block1.weights"], names["weights"], rtol=1e-10)
    np.testing.assert_allclose(noted["pooled"], summary, rtol=1e-10)
    np.testing.assert_allclose(logits, plain.linear([summary], lists.head, lists.head_bias)[0], rtol=1e-10)
    entered = ["patch", "embedding"] + ["sequence"] * token + ["x"] * positions
    assert list(noted)[: len(entered) + 1] == [*entered, "block1.norm1.mean"]


@pytest.mark.parametrize("order", [[1, 0, 3, 2], [3, 2, 1, 0], [2, 0, 3, 1]])
def test_without_positions_the_order_of_the_patches_changes_nothing(order):
    bare = replace(examples.LETTERS, positions=None)
    patches = reference.patchify(examples.LETTER_L, size=2)[order]
    shuffled = patches.reshape(2, 2, 2, 2).transpose(0, 2, 1, 3).reshape(4, 4)
    np.testing.assert_array_equal(reference.patchify(shuffled, size=2), patches)
    before, after = (reference.vit(image, bare, config=CONFIG) for image in (examples.LETTER_L, shuffled))
    np.testing.assert_allclose(after, before, rtol=1e-12)
    seated = reference.vit(shuffled, examples.LETTERS, config=CONFIG)
    assert np.abs(seated - reference.vit(examples.LETTER_L, examples.LETTERS, config=CONFIG)).max() > 0.01


def test_learned_and_sinusoidal_positions_both_tell_the_letters_apart():
    sinusoids = np.concatenate([np.zeros((1, 4)), reference.sinusoidal_2d(np.arange(2), np.arange(2), width=4)])
    for positions in (examples.LETTERS.positions, sinusoids):
        params = replace(examples.LETTERS, positions=positions)
        said = [reference.vit(image, params, config=CONFIG).argmax() for image in (examples.LETTER_L, examples.LETTER_J)]
        assert said == [0, 1]


def test_a_trace_replays_with_another_image():
    trace = Trace()
    reference.vit(trace.given("image", examples.LETTER_L), trace.given_each("params", examples.LETTERS), note=trace, config=CONFIG)
    again = Trace.load(trace.program(), {"image": examples.LETTER_J})
    np.testing.assert_allclose(again.names["logits"].exact, reference.vit(examples.LETTER_J, examples.LETTERS, config=CONFIG), rtol=1e-12)


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: reference.patchify(np.ones((4, 4)), size=2.0), "size=2.0 is a float; a size is a whole number"),
        (lambda: reference.patchify(np.ones((4, 5)), size=2), r"4×5 does not split into patches of 2×2; take a size that divides both"),
        (lambda: reference.patchify(np.ones((4, 4)), size=0), r"patches of 0×0"),
        (lambda: reference.patchify(np.ones((1, 1, 4, 4)), size=2), r"the shape \(1, 1, 4, 4\); give one image"),
        (lambda: reference.patchify(np.full((2, 2), np.nan), size=2), "image.* is NaN"),
        (
            lambda: reference.prepend_class_token(np.ones((1, 3)), np.ones((2, 4))),
            r"prepend_class_token: d is 3 in class_token \(1, 3\) and 4 in vectors \(2, 4\)",
        ),
        (lambda: reference.prepend_class_token(np.ones(4), np.ones((2, 4))), r"class_token has the shape \(4,\)"),
        (lambda: reference.sinusoidal_2d(np.arange(2), np.arange(2), width=6), "the width is 6; take a multiple of 4"),
        (lambda: reference.vit(np.ones((4, 4)), replace(examples.LETTERS, patch=np.ones((4, 3)))), "3 numbers in 1 channel.* is not a square"),
        (lambda: reference.vit(np.ones((3, 4, 4)), examples.LETTERS), "4 numbers in 3 channel.* is not a square"),
        (
            lambda: reference.vit(np.arange(64.0).reshape(8, 8), examples.LETTERS, config=CONFIG),
            "17 rows .patches, and the class token. and 5 positions",
        ),
        (lambda: reference.vit(np.ones((1, 1, 4, 4)), examples.LETTERS), r"the image has the shape \(1, 1, 4, 4\); give one"),
    ],
)
def test_refusals(call, says):
    with pytest.raises(ValueError, match=says):
        call()
