"""General properties: probabilities, shifts, permutations, masks, padding, means."""

import numpy as np
import pytest
from draws import arrays, heads, sizes
from hypothesis import given
from hypothesis import strategies as st

from pencil.params import flatten
from pencil.reference import (  # fmt: skip
    AttentionParams,
    BlockParams,
    FeedForwardParams,
    QKVParams,
    binary_cross_entropy,
    block,
    embed,
    layer_norm,
    mean_pool,
    multi_head_attention,
    sigmoid,
    softmax,
    stable_softmax,
)

# ---- softmax


@given(st.data(), sizes, sizes, st.sampled_from([softmax, stable_softmax]))
def test_shares_are_positive_and_sum_to_one(data, rows, columns, form):
    shares = form(data.draw(arrays(rows, columns, low=-30, high=30)))
    assert (shares > 0).all()
    np.testing.assert_allclose(shares.sum(-1), 1, rtol=0, atol=1e-14)


@given(st.data(), sizes, st.integers(-50, 50), st.sampled_from([softmax, stable_softmax]))
def test_adding_one_number_to_all_scores_changes_no_share(data, columns, shift, form):
    scores = data.draw(arrays(2, columns))
    np.testing.assert_allclose(form(scores + shift), form(scores), rtol=1e-12)


@given(st.data(), sizes)
def test_the_stable_form_gives_the_same_shares(data, columns):
    scores = data.draw(arrays(3, columns, low=-20, high=20))
    np.testing.assert_allclose(stable_softmax(scores), softmax(scores), rtol=1e-13)


@pytest.mark.parametrize("shift", [700, 1e4, 1e300, -700, -1e4, -1e300])
def test_the_stable_form_stands_any_finite_score(shift):
    shares = stable_softmax(np.array([[1.0, 4.0, 0.0]]) + shift)
    assert np.isfinite(shares).all() and shares.sum() == pytest.approx(1, abs=1e-15)


@given(st.data(), st.integers(2, 5))
def test_a_greater_score_has_a_greater_share(data, columns):
    scores = data.draw(arrays(1, columns))
    assert (np.argsort(softmax(scores)) == np.argsort(scores)).all()


@given(st.data(), sizes, st.integers(2, 5))
def test_a_masked_score_gets_no_share_and_the_others_are_as_if_it_were_not_there(data, rows, columns):
    scores = data.draw(arrays(rows, columns))
    hidden = scores.copy()
    hidden[:, -1] = -np.inf
    shares = softmax(hidden)
    assert (shares[:, -1] == 0).all()
    np.testing.assert_allclose(shares[:, :-1], softmax(scores[:, :-1]), rtol=1e-14)


# ---- attention


# ---- padding


# ---- layer norm and block


@given(st.data(), sizes, st.integers(2, 6))
def test_a_tamed_row_has_middle_zero_and_typical_distance_one(data, words, d):
    out = layer_norm(data.draw(arrays(words, d)))
    np.testing.assert_allclose(out.mean(-1), 0, atol=1e-12)
    np.testing.assert_allclose((out * out).mean(-1), 1, rtol=1e-12)


@given(st.data(), st.integers(2, 6), st.integers(-9, 9), st.integers(1, 20))
def test_taming_forgets_where_a_row_stood_and_how_wide_it_was(data, d, shift, scale):
    x = data.draw(arrays(2, d))
    np.testing.assert_allclose(layer_norm(x * scale + shift), layer_norm(x), rtol=1e-9, atol=1e-9)


@given(st.data(), st.integers(2, 4))
def test_taming_reads_no_other_row(data, words):
    x = data.draw(arrays(words, 3))
    np.testing.assert_array_equal(layer_norm(x)[:1], layer_norm(x[:1]))


@given(st.data(), st.integers(1, 4))
def test_a_block_whose_branches_are_zero_is_the_stream_itself(data, words):
    x, (params,) = data.draw(arrays(words, 4)), data.draw(heads(4))
    silent = BlockParams(AttentionParams((params,), np.zeros((4, len(params.value)))), FeedForwardParams(np.ones((2, 4)), np.zeros((4, 2))))
    np.testing.assert_array_equal(block(x, silent), x)


# ---- sigmoid and loss


@given(st.floats(-30, 30))
def test_sigmoid_is_the_second_share_of_zero_and_z(z):
    assert sigmoid(np.array([z]))[0] == pytest.approx(softmax(np.array([0, z]))[1], rel=1e-13)
    assert sigmoid(np.array([z])) + sigmoid(np.array([-z])) == pytest.approx(1, abs=1e-15)


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_the_miss_falls_as_the_chance_of_the_truth_rises(a, b):
    low, high = sorted((a, b))
    one, zero = np.array([1]), np.array([0])
    assert binary_cross_entropy(np.array([high]), one) <= binary_cross_entropy(np.array([low]), one)
    assert binary_cross_entropy(np.array([high]), zero) >= binary_cross_entropy(np.array([low]), zero)
    assert binary_cross_entropy(np.array([a]), one) == pytest.approx(binary_cross_entropy(np.array([1 - a]), zero), rel=1e-12)


def test_no_function_changes_what_it_was_given():
    rng = np.random.default_rng(2)
    x, table = rng.normal(size=(3, 4)), rng.normal(size=(5, 4))
    params = QKVParams(*rng.normal(size=(3, 4, 4)))
    bundle = BlockParams(AttentionParams((params,), rng.normal(size=(4, 4))), FeedForwardParams(rng.normal(size=(6, 4)), rng.normal(size=(4, 6))))
    before = [a.copy() for a in (x, table, *flatten(bundle).values())]
    block(x, bundle, mask=np.tri(3, dtype=bool))
    multi_head_attention(x, AttentionParams((params, params), rng.normal(size=(4, 8))))
    mean_pool(embed([0, 1], table), mask=np.array([True, False]))
    stable_softmax(x)
    assert all(np.array_equal(a, b) for a, b in zip(before, (x, table, *flatten(bundle).values()), strict=True))
