"""Properties of the position encodings: sinusoidal, RoPE and ALiBi."""

import math

import numpy as np
import pytest
from draws import arrays, heads, layers
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import (
    Alibi,
    AttentionParams,
    LinearScaling,
    Llama3Scaling,
    QKVParams,
    Rotary,
    YarnScaling,
    alibi,
    apply_rope,
    multi_head_attention,
    self_attention,
    sinusoid,
    sinusoidal,
    softmax,
)

lengths, close = st.integers(1, 5), {"rtol": 1e-10, "atol": 1e-12}


def noted(x, params, positions):
    found = {}
    self_attention(x, params, note=found.setdefault, position_encoding=positions)
    return found


# ---- sinusoidal


def test_the_encoding_of_position_one_at_width_four():
    stamp = sinusoidal(np.array([1.0]), width=4)[0]
    np.testing.assert_allclose(stamp, [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)], rtol=1e-15)
    np.testing.assert_allclose(stamp, [0.841, 0.540, 0.010, 1.000], atol=5e-4)


def test_the_encoding_of_position_zero_is_zeros_and_ones():
    assert sinusoidal(np.array([0]), width=6)[0].tolist() == [0, 1, 0, 1, 0, 1]


@given(st.integers(1, 6), st.integers(0, 50), st.integers(0, 50), st.integers(0, 30))
def test_the_distance_of_two_encodings_depends_on_the_offset_alone(pairs, a, b, shift):
    here, there = sinusoidal(np.array([a, b]), width=2 * pairs), sinusoidal(np.array([a + shift, b + shift]), width=2 * pairs)
    np.testing.assert_allclose(np.linalg.norm(here[0] - here[1]), np.linalg.norm(there[0] - there[1]), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(here, axis=1), math.sqrt(pairs), rtol=1e-12)


# ---- rotary


@given(st.data(), lengths, st.integers(1, 4))
def test_rope_keeps_the_norm_of_every_pair_and_of_every_row(data, words, pairs):
    x, positions = data.draw(arrays(words, 2 * pairs)), data.draw(arrays(words, low=-30, high=30))
    rotated = apply_rope(x, *sinusoid(positions, width=2 * pairs))
    np.testing.assert_allclose(np.linalg.norm(rotated, axis=-1), np.linalg.norm(x, axis=-1), **close)
    pairwise = (words, pairs, 2)
    np.testing.assert_allclose(np.linalg.norm(rotated.reshape(pairwise), axis=-1), np.linalg.norm(x.reshape(pairwise), axis=-1), **close)


@given(st.data(), lengths, st.integers(1, 3), st.floats(-20, 20), st.floats(-20, 20))
def test_two_rotations_are_one_by_the_sum_and_the_opposite_undoes_it(data, words, pairs, a, b):
    x, ones = data.draw(arrays(words, 2 * pairs)), np.ones(words)
    once = apply_rope(apply_rope(x, *sinusoid(a * ones, width=2 * pairs)), *sinusoid(b * ones, width=2 * pairs))
    np.testing.assert_allclose(once, apply_rope(x, *sinusoid((a + b) * ones, width=2 * pairs)), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(apply_rope(apply_rope(x, *sinusoid(a * ones, width=2 * pairs)), *sinusoid(-a * ones, width=2 * pairs)), x, **close)
    np.testing.assert_array_equal(apply_rope(x, *sinusoid(0 * ones, width=2 * pairs)), x)


@given(st.data(), lengths, st.sampled_from([2, 4]), st.integers(1, 40))
def test_under_rotary_and_alibi_only_the_offset_counts(data, words, d_k, shift):
    x, (params,), positions = data.draw(arrays(words, 3)), data.draw(heads(3, d_k=d_k)), np.arange(words)
    for kind in (Rotary, Alibi):
        here, there = noted(x, params, kind(positions)), noted(x, params, kind(positions + shift))
        for name in ("scores", "weights", "context"):
            np.testing.assert_allclose(there[name], here[name], rtol=1e-9, atol=1e-10)


@given(st.data(), st.integers(2, 4))
def test_another_offset_gives_other_weights(data, words):
    x, (params,), positions = data.draw(arrays(words, 3)), data.draw(heads(3, d_k=2)), np.arange(words)
    for near, far in ((Rotary(positions), Rotary(positions * 3)), (Alibi(positions, 1.0), Alibi(positions * 3, 1.0))):
        assert np.abs(noted(x, params, near)["weights"] - noted(x, params, far)["weights"]).max() > 1e-9


@given(st.data(), lengths)
def test_tokens_at_one_position_attend_as_without_positions(data, words):
    x, (params,) = data.draw(arrays(words, 3)), data.draw(heads(3, d_k=4))
    for kind in (Rotary, Alibi):
        np.testing.assert_allclose(noted(x, params, kind(np.full(words, 7.0)))["context"], self_attention(x, params), **close)


@given(st.data(), lengths, st.integers(1, 3))
def test_positions_default_to_0_1_2(data, words, count):
    x, layer = data.draw(arrays(words, 3)), data.draw(layers(3, count, d_k=2))
    for kind in (Rotary, Alibi):
        counted = multi_head_attention(x, layer, position_encoding=kind(np.arange(words)))
        np.testing.assert_array_equal(multi_head_attention(x, layer, position_encoding=kind()), counted)


def test_values_are_never_rotated():
    x, params = np.eye(4), QKVParams(np.eye(4), np.eye(4), np.eye(4))
    found = noted(x, params, Rotary())
    assert "value.rotated" not in found and np.array_equal(found["value"], x)
    np.testing.assert_allclose(found["context"], found["weights"] @ x, rtol=1e-15)


# ---- ALiBi


@pytest.mark.parametrize("count, slopes", [(1, [2**-8]), (2, [2**-4, 2**-8]), (4, [2**-2, 2**-4, 2**-6, 2**-8]), (8, [2.0**-h for h in range(1, 9)])])
def test_the_slopes_of_n_heads_fall_from_head_to_head_by_one_factor(count, slopes):
    rng, found = np.random.default_rng(0), {}
    layer = AttentionParams(tuple(QKVParams(*rng.normal(size=(3, 2, 4))) for _ in range(count)), rng.normal(size=(4, 2 * count)))
    multi_head_attention(rng.normal(size=(3, 4)), layer, note=found.setdefault, position_encoding=Alibi())
    biases = [found[f"head{h}.bias" if count > 1 else "bias"] for h in range(1, count + 1)]
    np.testing.assert_allclose([-bias[0, 1] for bias in biases], slopes, rtol=1e-15)
    for bias, slope in zip(biases, slopes, strict=True):
        np.testing.assert_allclose(bias, [[0, -slope, -2 * slope], [-slope, 0, -slope], [-2 * slope, -slope, 0]], rtol=1e-15)


def test_one_head_alone_keeps_the_slope_that_it_was_given():
    rng, found = np.random.default_rng(0), {}
    layer = AttentionParams((QKVParams(*rng.normal(size=(3, 2, 4))),), rng.normal(size=(4, 2)))
    multi_head_attention(rng.normal(size=(2, 4)), layer, note=found.setdefault, position_encoding=Alibi(slope=0.5))
    assert found["bias"].tolist() == [[0, -0.5], [-0.5, 0]]


def test_on_equal_scores_each_step_of_distance_costs_one_factor():
    shares = softmax(alibi(np.arange(4), slope=math.log(2)))
    np.testing.assert_allclose(shares[0] / shares[0, 0], [1, 1 / 2, 1 / 4, 1 / 8], rtol=1e-14)
    np.testing.assert_allclose(shares[3], shares[0][::-1], rtol=1e-14)


SCALINGS = {"linear": LinearScaling(4.0), "llama3": Llama3Scaling(original_max_len=64), "yarn": YarnScaling(4.0, 64)}


@pytest.mark.parametrize("scaling", SCALINGS.values(), ids=list(SCALINGS))
def test_a_scaling_leaves_no_wavelength_shorter_and_none_longer_than_its_factor(scaling):
    stretch = scaling.stretch(64, 100.0)
    assert stretch.shape == (32,) and (np.diff(stretch) >= 0).all() and stretch[-1] == pytest.approx(scaling.factor)
    assert stretch[0] == (scaling.factor if isinstance(scaling, LinearScaling) else 1)


def test_yarn_raises_every_score_by_the_square_of_its_amplitude():
    plain, louder = Rotary(), Rotary(scaling=YarnScaling(1.0, 64, attention_factor=1.5))
    rows = np.random.default_rng(0).normal(size=(2, 5, 4))
    (query, key), (loud_query, loud_key) = (one.rotate(*rows) for one in (plain, louder))
    np.testing.assert_allclose(loud_query @ loud_key.T, 1.5**2 * query @ key.T, rtol=1e-12)
    assert YarnScaling(0.5, 64).amplitude == 1 and YarnScaling(np.e, 64).amplitude == pytest.approx(1.1)


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: Rotary(base=1.0, scaling=YarnScaling(4.0, 8)), "base=1.0: YarnScaling needs wavelengths that grow"),
        (lambda: YarnScaling(0.0, 8), "factor=0"),
        (lambda: YarnScaling(4.0, 8, attention_factor=-1.0), "attention_factor=-1"),
        (lambda: YarnScaling(4.0, 8, beta_fast=1.0, beta_slow=2.0), "give beta_fast the larger one"),
        (lambda: YarnScaling(4.0, 8, truncate=1), "truncate=1; take True or False"),
        (lambda: Rotary(scaling=4.0), "scaling=4.0; take LinearScaling"),
    ],
)
def test_a_scaling_that_cannot_be_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()
