"""The claims of chapter 11, recomputed with loops and the math module, independent of the reference."""

import math

import numpy as np
import pytest

from pencil.examples import PAIR_BLOCK, PAIR_EMBEDDINGS, PAIR_HEAD, PAIR_POSITIONS
from pencil.reference import Alibi, Rotary, add_positions, block, causal_mask, layer_norm, self_attention, sinusoidal, stack
from pencil.rounding import show

CAT, SAT = PAIR_EMBEDDINGS.tolist()
ASK, OFFER = (2, 0, 3, 1), (3, 2, 1, 0)  # which slot each row of the grid reads


def stamp(place, width):
    return [f(place / 10000 ** (2 * i / width)) for i in range(width // 2) for f in (math.sin, math.cos)]


def distance(gap, width):  # from the gap alone: each hand adds 2 − 2 cos
    return math.sqrt(sum(2 - 2 * math.cos(gap / 10000 ** (2 * i / width)) for i in range(width // 2)))


def tamed(row):
    middle = sum(row) / len(row)
    spread = math.sqrt(sum((x - middle) ** 2 for x in row) / len(row))
    return [(x - middle) / spread for x in row]


def turn(row, place):
    out = []
    for i in range(len(row) // 2):
        angle, (a, b) = place / 10000 ** (2 * i / len(row)), row[2 * i : 2 * i + 2]
        out += [a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)]
    return out


def shares(rows, places=None, slope=0.0, turned=False):
    asks, offers = ([[tamed(row)[k] for k in grid] for row in rows] for grid in (ASK, OFFER))
    places = places or range(len(rows))
    if turned:
        asks, offers = ([turn(row, p) for row, p in zip(tags, places, strict=True)] for tags in (asks, offers))
    found = []
    for ask, here in zip(asks, places, strict=True):
        scores = [
            sum(a * b for a, b in zip(ask, offer, strict=True)) / 2 - slope * abs(here - there) for offer, there in zip(offers, places, strict=True)
        ]
        raised = [math.exp(s) for s in scores]
        found.append([r / sum(raised) for r in raised])
    return found


def added(rows, positions, times=1):
    return [[times * x + s for x, s in zip(row, seat_row, strict=True)] for row, seat_row in zip(rows, positions, strict=True)]


def reference(rows, positions=None):
    seen = {}
    self_attention(layer_norm(np.array(rows, float)), PAIR_HEAD, note=seen.setdefault, position_encoding=positions)
    return seen["weights"]


# told by: (by hand, by the reference), for "cat sat" and for "sat cat"; what the chapter prints for the other word's share, exactly
WAYS = {
    "nothing": (shares, reference, "0.500 0.881", "0.500 0.881"),
    "table": (
        lambda rows: shares(added(rows, PAIR_POSITIONS.tolist())),
        lambda rows: reference(add_positions(np.array(rows), PAIR_POSITIONS)),
        "0.731 0.500",
        "0.269 0.881",
    ),
    "encoding": (
        lambda rows: shares(added(rows, [stamp(0, 4), stamp(1, 4)], 2)),
        lambda rows: reference(add_positions(2 * np.array(rows), sinusoidal(np.arange(2.0), width=4))),
        "0.434 0.892",
        "0.693 0.912",
    ),
    "rotary": (lambda rows: shares(rows, turned=True), lambda rows: reference(rows, Rotary()), "0.299 0.921", "0.701 0.921"),
    "alibi": (lambda rows: shares(rows, slope=0.5), lambda rows: reference(rows, Alibi(slope=0.5)), "0.378 0.818", "0.378 0.818"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_each_encoding_does_to_the_weights_of_cat_and_sat(way):
    by_hand, by_reference, straight, swapped = WAYS[way]
    for rows, printed in (([CAT, SAT], straight), ([SAT, CAT], swapped)):
        np.testing.assert_allclose(by_reference(rows), by_hand(rows), atol=1e-12)
        first, second = by_hand(rows)
        other = [first[1], second[0]] if rows[0] == CAT else [second[0], first[1]]  # cat's for sat, sat's for cat
        assert " ".join(show(x) for x in other) == printed


def test_the_sinusoidal_encoding_of_position_one():
    assert [show(x) for x in stamp(1, 4)] == ["0.841", "0.540", "0.010", "1.000"]
    np.testing.assert_allclose(sinusoidal(np.arange(50.0), width=12), [stamp(k, 12) for k in range(50)], atol=1e-12)


def test_the_distance_of_two_sinusoidal_encodings_depends_only_on_the_offset():
    assert [show(distance(gap, 4)) for gap in (1, 3, 6)] == ["0.959", "1.995", "0.289"]
    rows = sinusoidal(np.arange(60.0), width=16)
    for start, gap in ((0, 1), (5, 1), (31, 7), (2, 50)):
        assert np.linalg.norm(rows[start + gap] - rows[start]) == pytest.approx(distance(gap, 16), abs=1e-12)


@pytest.mark.parametrize(
    ("width", "grows", "nearest"), [(2, 3, 710), (4, 3, 1885), (8, 3, 63), (10, 3, 6), (12, 3, 1), (64, 5, 1), (256, 24, 1), (512, 43, 1)]
)
def test_up_to_which_offset_the_distance_grows_and_which_position_is_nearest(width, grows, nearest):
    found = [distance(gap, width) for gap in range(2001)]
    assert next(gap for gap in range(2000) if found[gap + 1] < found[gap]) == grows
    assert min(range(1, 2001), key=found.__getitem__) == nearest


def test_the_next_position_is_the_nearest_of_two_thousand_from_width_twelve_on():
    for width in [*range(12, 66, 2), 128, 256, 512, 768]:
        rates = 10000.0 ** (-2 * np.arange(width // 2) / width)
        far = (2 - 2 * np.cos(np.outer(np.arange(1, 2001), rates))).sum(-1)
        assert far.argmin() == 0, width


def test_among_more_positions_it_takes_a_wider_row():
    nearest = {width: min(range(1, 20_001), key=lambda gap, width=width: distance(gap, width)) for width in (12, 16)}
    assert nearest[12] > 1 and nearest[16] == 1


@pytest.mark.parametrize("blocks", [1, 3])
def test_without_positions_blocks_are_permutation_equivariant(blocks):
    text = np.array([CAT, SAT, CAT, [3, 1, 0, 2]])
    out, order = stack(text, [PAIR_BLOCK] * blocks), [3, 1, 0, 2]
    np.testing.assert_allclose(stack(text[order], [PAIR_BLOCK] * blocks), out[order], atol=1e-12)
    np.testing.assert_allclose(out[0], out[2], atol=1e-12)


def test_a_second_cat_counts():
    assert [show(x) for x in shares([CAT, CAT, SAT])[2]] == ["0.468", "0.468", "0.063"]


def test_a_causal_mask_leaks_some_order_and_a_second_block_more():
    def last(rows, blocks):
        return stack(np.array(rows), [PAIR_BLOCK] * blocks, mask=causal_mask(3))[-1]

    np.testing.assert_allclose(last([CAT, SAT, CAT], 1), last([SAT, CAT, CAT], 1), atol=1e-12)
    assert np.abs(last([CAT, SAT, CAT], 2) - last([SAT, CAT, CAT], 2)).max() > 0.1
    first, second = (block(np.array(rows), PAIR_BLOCK, mask=causal_mask(2)) for rows in ([CAT, SAT], [SAT, CAT]))
    assert np.abs(first[0] - second[1]).max() > 0.1  # cat's row


@pytest.mark.parametrize("shift", [1, 5, 400])
def test_shifted_positions_leave_rotary_and_alibi_and_not_the_sinusoidal_encoding(shift):
    places = [shift, shift + 1]
    np.testing.assert_allclose(shares([CAT, SAT], places, turned=True), shares([CAT, SAT], turned=True), atol=1e-10)
    np.testing.assert_allclose(shares([CAT, SAT], places, slope=0.5), shares([CAT, SAT], slope=0.5), atol=1e-12)
    stamped = shares(added([CAT, SAT], [stamp(p, 4) for p in places], 2))
    assert abs(stamped[0][1] - shares(added([CAT, SAT], [stamp(0, 4), stamp(1, 4)], 2))[0][1]) > 0.01
    assert math.hypot(*turn([1, -1, -1, 1], shift)) == pytest.approx(2, abs=1e-12)
