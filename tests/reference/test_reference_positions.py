"""What each way of telling the seats promises: turns that keep lengths, gaps that decide, slopes that halve, seats in a row."""

import math

import numpy as np
import pytest
from draws import arrays, heads, layers
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil.reference import Alibi, Attention, Grids, Rotary, alibi, multi_head_attention, rotate, self_attention, sine_cosine, softmax, wave

quick = settings(max_examples=30, deadline=None, derandomize=True)
lengths, close = st.integers(1, 5), {"rtol": 1e-10, "atol": 1e-12}


def noted(x, grids, positions):
    found = {}
    self_attention(x, grids, found.setdefault, positions=positions)
    return found


# ---- the wave


def test_the_stamp_of_seat_one_at_width_four():
    stamp = sine_cosine(np.array([1.0]), 4)[0]
    np.testing.assert_allclose(stamp, [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)], rtol=1e-15)
    np.testing.assert_allclose(stamp, [0.841, 0.540, 0.010, 1.000], atol=5e-4)


def test_seat_nought_is_noughts_and_ones():
    assert sine_cosine(np.array([0]), 6)[0].tolist() == [0, 1, 0, 1, 0, 1]


@quick
@given(st.integers(1, 6), st.integers(0, 50), st.integers(0, 50), st.integers(0, 30))
def test_how_far_two_stamps_are_apart_depends_on_the_gap_alone(pairs, a, b, shift):
    here, there = sine_cosine(np.array([a, b]), 2 * pairs), sine_cosine(np.array([a + shift, b + shift]), 2 * pairs)
    np.testing.assert_allclose(np.linalg.norm(here[0] - here[1]), np.linalg.norm(there[0] - there[1]), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(here, axis=1), math.sqrt(pairs), rtol=1e-12)


# ---- rotary


@quick
@given(st.data(), lengths, st.integers(1, 4))
def test_a_turn_keeps_the_length_of_every_pair_and_of_every_row(data, words, pairs):
    x, seats = data.draw(arrays(words, 2 * pairs)), data.draw(arrays(words, low=-30, high=30))
    turned = rotate(x, *wave(seats, 2 * pairs))
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1), **close)
    pairwise = (words, pairs, 2)
    np.testing.assert_allclose(np.linalg.norm(turned.reshape(pairwise), axis=-1), np.linalg.norm(x.reshape(pairwise), axis=-1), **close)


@quick
@given(st.data(), lengths, st.integers(1, 3), st.floats(-20, 20), st.floats(-20, 20))
def test_two_turns_are_one_turn_by_both_and_a_turn_back_undoes_it(data, words, pairs, a, b):
    x, ones = data.draw(arrays(words, 2 * pairs)), np.ones(words)
    once = rotate(rotate(x, *wave(a * ones, 2 * pairs)), *wave(b * ones, 2 * pairs))
    np.testing.assert_allclose(once, rotate(x, *wave((a + b) * ones, 2 * pairs)), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(rotate(rotate(x, *wave(a * ones, 2 * pairs)), *wave(-a * ones, 2 * pairs)), x, **close)
    np.testing.assert_array_equal(rotate(x, *wave(0 * ones, 2 * pairs)), x)


@quick
@given(st.data(), lengths, st.sampled_from([2, 4]), st.integers(1, 40))
def test_under_rotary_and_alibi_only_the_gap_counts(data, words, d_k, shift):
    x, (grids,), seats = data.draw(arrays(words, 3)), data.draw(heads(3, d_k=d_k)), np.arange(words)
    for kind in (Rotary, Alibi):
        here, there = noted(x, grids, kind(seats)), noted(x, grids, kind(seats + shift))
        for name in ("scores", "weights", "mixed"):
            np.testing.assert_allclose(there[name], here[name], rtol=1e-9, atol=1e-10)


@quick
@given(st.data(), st.integers(2, 4))
def test_another_gap_gives_other_shares(data, words):
    x, (grids,), seats = data.draw(arrays(words, 3)), data.draw(heads(3, d_k=2)), np.arange(words)
    for near, far in ((Rotary(seats), Rotary(seats * 3)), (Alibi(seats, 1.0), Alibi(seats * 3, 1.0))):
        assert np.abs(noted(x, grids, near)["weights"] - noted(x, grids, far)["weights"]).max() > 1e-9


@quick
@given(st.data(), lengths)
def test_in_the_same_seat_nobody_is_turned_apart(data, words):
    x, (grids,) = data.draw(arrays(words, 3)), data.draw(heads(3, d_k=4))
    for kind in (Rotary, Alibi):
        np.testing.assert_allclose(noted(x, grids, kind(np.full(words, 7.0)))["mixed"], self_attention(x, grids), **close)


@quick
@given(st.data(), lengths, st.integers(1, 3))
def test_seats_that_are_left_out_are_counted_from_nought(data, words, count):
    x, layer = data.draw(arrays(words, 3)), data.draw(layers(3, count, d_k=2))
    for kind in (Rotary, Alibi):
        counted = multi_head_attention(x, layer, positions=kind(np.arange(words)))
        np.testing.assert_array_equal(multi_head_attention(x, layer, positions=kind()), counted)


def test_values_are_never_turned():
    x, grids = np.eye(4), Grids(np.eye(4), np.eye(4), np.eye(4))
    found = noted(x, grids, Rotary())
    assert "value.turned" not in found and np.array_equal(found["value"], x)
    np.testing.assert_allclose(found["mixed"], found["weights"] @ x, rtol=1e-15)


# ---- ALiBi


@pytest.mark.parametrize("count, slopes", [(1, [2**-8]), (2, [2**-4, 2**-8]), (4, [2**-2, 2**-4, 2**-6, 2**-8]), (8, [2.0**-h for h in range(1, 9)])])
def test_the_slopes_of_n_heads_fall_from_head_to_head_by_one_factor(count, slopes):
    rng, found = np.random.default_rng(0), {}
    layer = Attention(tuple(Grids(*rng.normal(size=(3, 2, 4))) for _ in range(count)), rng.normal(size=(4, 2 * count)))
    multi_head_attention(rng.normal(size=(3, 4)), layer, found.setdefault, positions=Alibi())
    leans = [found[f"head{h}.lean" if count > 1 else "lean"] for h in range(1, count + 1)]
    np.testing.assert_allclose([-lean[0, 1] for lean in leans], slopes, rtol=1e-15)
    for lean, slope in zip(leans, slopes, strict=True):
        np.testing.assert_allclose(lean, [[0, -slope, -2 * slope], [-slope, 0, -slope], [-2 * slope, -slope, 0]], rtol=1e-15)


def test_one_head_alone_keeps_the_slope_that_it_was_given():
    rng, found = np.random.default_rng(0), {}
    layer = Attention((Grids(*rng.normal(size=(3, 2, 4))),), rng.normal(size=(4, 2)))
    multi_head_attention(rng.normal(size=(2, 4)), layer, found.setdefault, positions=Alibi(slope=0.5))
    assert found["lean"].tolist() == [[0, -0.5], [-0.5, 0]]


def test_where_all_scores_tie_each_seat_of_distance_costs_one_factor():
    shares = softmax(alibi(np.arange(4), math.log(2)))
    np.testing.assert_allclose(shares[0] / shares[0, 0], [1, 1 / 2, 1 / 4, 1 / 8], rtol=1e-14)
    np.testing.assert_allclose(shares[3], shares[0][::-1], rtol=1e-14)
