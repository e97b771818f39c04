"""Patches, the class token, seats for pictures and the whole vision transformer, against plain loops; and what each refuses."""

import math
from dataclasses import replace

import numpy as np
import plain
import pytest
from draws import lists_of

from pencil import examples, reference
from pencil.trace import Trace

SPECK = reference.Recipe(eps=1e-5)


def cut_by_loops(sheets, size):
    """Patch by patch from the top left; in a patch sheet by sheet, row by row."""
    height, width = len(sheets[0]), len(sheets[0][0])
    corners = [(y, x) for y in range(0, height, size) for x in range(0, width, size)]
    return [[sheet[y + i][x + j] for sheet in sheets for i in range(size) for j in range(size)] for y, x in corners]


@pytest.mark.parametrize("shape, size", [((4, 4), 2), ((2, 6), 2), ((6, 3), 3), ((3, 4, 8), 4), ((2, 2, 4), 1), ((5, 5), 5)])
def test_cut_against_loops(shape, size):
    picture = np.random.default_rng(0).normal(size=shape)
    sheets = picture.tolist() if len(shape) == 3 else [picture.tolist()]
    np.testing.assert_array_equal(reference.cut(picture, size), cut_by_loops(sheets, size))


def test_a_grid_on_patches_is_a_convolution_that_does_not_overlap():
    rng = np.random.default_rng(1)
    picture, grid, size = rng.normal(size=(3, 6, 4)), rng.normal(size=(5, 12)), 2
    kernel = grid.reshape(5, 3, 2, 2)
    slid = [
        [sum(kernel[k, c, i, j] * picture[c, y + i, x + j] for c in range(3) for i in range(2) for j in range(2)) for k in range(5)]
        for y in range(0, 6, 2)
        for x in range(0, 4, 2)
    ]
    np.testing.assert_allclose(reference.linear(reference.cut(picture, size), grid), slid, rtol=1e-12)


@pytest.mark.parametrize("rows, columns, width", [(2, 2, 4), (3, 1, 8), (2, 5, 12)])
def test_a_seat_of_a_picture_is_a_wave_down_and_a_wave_along(rows, columns, width):
    wanted = []
    for r in range(rows):
        for c in range(columns):
            row = []
            for seat in (r, c):
                for i in range(width // 4):
                    angle = seat / 10_000 ** (2 * i / (width / 2))
                    row += [math.sin(angle), math.cos(angle)]
            wanted.append(row)
    np.testing.assert_allclose(reference.sine_cosine_2d(np.arange(rows), np.arange(columns), width), wanted, atol=1e-12)


@pytest.mark.parametrize("token", [True, False])
@pytest.mark.parametrize("seats", [True, False])
def test_the_whole_machine_against_loops(token, seats):
    rng = np.random.default_rng(2)
    machine = replace(
        examples.LETTERS,
        seats=rng.normal(size=(4 + token, 4)) if seats else None,
        class_token=rng.normal(size=(1, 4)) if token else None,
        patch_bias=rng.normal(size=4),
        head_bias=rng.normal(size=2),
        norm=reference.Norm(rng.normal(size=4), rng.normal(size=4)),
    )
    picture, noted = rng.normal(size=(4, 4)), {}
    logits = reference.vit(picture, machine, noted.setdefault, SPECK)
    lists = lists_of(machine)
    x = plain.linear(cut_by_loops([picture.tolist()], 2), lists.patch, lists.patch_bias)
    x = (lists.class_token or []) + x
    x = plain.add(x, lists.seats) if seats else x
    names = plain.block(x, lists.blocks[0], eps=1e-5)
    rows = plain.layer_norm(names["out"], 1e-5, lists.norm.gain, lists.norm.bias)["affine"]
    summary = rows[0] if token else [math.fsum(slot) / len(rows) for slot in zip(*rows, strict=True)]
    np.testing.assert_allclose(noted["block1.weights"], names["weights"], rtol=1e-10)
    np.testing.assert_allclose(noted["summary"], summary, rtol=1e-10)
    np.testing.assert_allclose(logits, plain.linear([summary], lists.head, lists.head_bias)[0], rtol=1e-10)
    entered = ["patch", "stick"] + ["sequence"] * token + ["x"] * seats
    assert list(noted)[: len(entered) + 1] == [*entered, "block1.norm1.mean"]


@pytest.mark.parametrize("order", [[1, 0, 3, 2], [3, 2, 1, 0], [2, 0, 3, 1]])
def test_without_seats_the_order_of_the_patches_changes_no_answer(order):
    bare = replace(examples.LETTERS, seats=None)
    patches = reference.cut(examples.LETTER_L, 2)[order]
    shuffled = patches.reshape(2, 2, 2, 2).transpose(0, 2, 1, 3).reshape(4, 4)
    np.testing.assert_array_equal(reference.cut(shuffled, 2), patches)
    before, after = (reference.vit(picture, bare, recipe=SPECK) for picture in (examples.LETTER_L, shuffled))
    np.testing.assert_allclose(after, before, rtol=1e-12)
    seated = reference.vit(shuffled, examples.LETTERS, recipe=SPECK)
    assert np.abs(seated - reference.vit(examples.LETTER_L, examples.LETTERS, recipe=SPECK)).max() > 0.01


def test_the_letters_are_told_apart_by_either_kind_of_seat():
    waves = np.concatenate([np.zeros((1, 4)), reference.sine_cosine_2d(np.arange(2), np.arange(2), 4)])
    for seats in (examples.LETTERS.seats, waves):
        machine = replace(examples.LETTERS, seats=seats)
        said = [reference.vit(picture, machine, recipe=SPECK).argmax() for picture in (examples.LETTER_L, examples.LETTER_J)]
        assert said == [0, 1]


def test_a_trace_replays_with_another_picture():
    trace = Trace()
    reference.vit(trace.given("picture", examples.LETTER_L), trace.given_each("grid", examples.LETTERS), trace, SPECK)
    again = Trace.load(trace.program(), {"picture": examples.LETTER_J})
    np.testing.assert_allclose(again.names["logits"].exact, reference.vit(examples.LETTER_J, examples.LETTERS, recipe=SPECK), rtol=1e-12)


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: reference.cut(np.ones((4, 5)), 2), r"4×5 does not split into patches of 2×2; take a size that divides both"),
        (lambda: reference.cut(np.ones((4, 4)), 0), r"patches of 0×0"),
        (lambda: reference.cut(np.ones((1, 1, 4, 4)), 2), r"the shape \(1, 1, 4, 4\); give one picture"),
        (lambda: reference.cut(np.full((2, 2), np.nan), 2), "picture.* is NaN"),
        (lambda: reference.in_front(np.ones((1, 3)), np.ones((2, 4))), r"\(1, 3\); it is one row as wide as a stick: \(1, 4\)"),
        (lambda: reference.in_front(np.ones(4), np.ones((2, 4))), r"class_token has the shape \(4,\)"),
        (lambda: reference.sine_cosine_2d(np.arange(2), np.arange(2), 6), "the width is 6; take a multiple of 4"),
        (lambda: reference.vit(np.ones((4, 4)), replace(examples.LETTERS, patch=np.ones((4, 3)))), "3 numbers on 1 sheet.* is no square"),
        (lambda: reference.vit(np.ones((3, 4, 4)), examples.LETTERS), "4 numbers on 3 sheet.* is no square"),
        (lambda: reference.vit(np.arange(64.0).reshape(8, 8), examples.LETTERS, recipe=SPECK), "17 rows .patches, and the class token. and 5 seats"),
        (lambda: reference.vit(np.ones((1, 1, 4, 4)), examples.LETTERS), r"a picture of the shape \(1, 1, 4, 4\); give one"),
    ],
)
def test_refusals(call, says):
    with pytest.raises(ValueError, match=says):
        call()
