"""What must hold for any numbers: shares, shifts, swaps, masks, padding, averages."""

from dataclasses import replace

import numpy as np
import pytest
from draws import arrays, heads, masks
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil.params import flatten
from pencil.reference import (  # fmt: skip
    AttentionParams,
    BlockParams,
    ClassifierParams,
    FeedForwardParams,
    MLPParams,
    QKVParams,
    attention,
    binary_cross_entropy,
    block,
    classifier,
    embed,
    layer_norm,
    mean_pool,
    multi_head_attention,
    self_attention,
    sigmoid,
    softmax,
    stable_softmax,
)

quick = settings(max_examples=40, deadline=None, derandomize=True)
sizes = st.integers(1, 5)
close = {"rtol": 1e-12, "atol": 1e-13}


# ---- softmax


@quick
@given(st.data(), sizes, sizes, st.sampled_from([softmax, stable_softmax]))
def test_shares_are_positive_and_sum_to_one(data, rows, columns, form):
    shares = form(data.draw(arrays(rows, columns, low=-30, high=30)))
    assert (shares > 0).all()
    np.testing.assert_allclose(shares.sum(-1), 1, rtol=0, atol=1e-14)


@quick
@given(st.data(), sizes, st.integers(-50, 50), st.sampled_from([softmax, stable_softmax]))
def test_adding_one_number_to_all_scores_changes_no_share(data, columns, shift, form):
    scores = data.draw(arrays(2, columns))
    np.testing.assert_allclose(form(scores + shift), form(scores), rtol=1e-12)


@quick
@given(st.data(), sizes)
def test_the_stable_form_gives_the_same_shares(data, columns):
    scores = data.draw(arrays(3, columns, low=-20, high=20))
    np.testing.assert_allclose(stable_softmax(scores), softmax(scores), rtol=1e-13)


@pytest.mark.parametrize("shift", [700, 1e4, 1e300, -700, -1e4, -1e300])
def test_the_stable_form_stands_any_finite_score(shift):
    shares = stable_softmax(np.array([[1.0, 4.0, 0.0]]) + shift)
    assert np.isfinite(shares).all() and shares.sum() == pytest.approx(1, abs=1e-15)


@quick
@given(st.data(), st.integers(2, 5))
def test_a_greater_score_has_a_greater_share(data, columns):
    scores = data.draw(arrays(1, columns))
    assert (np.argsort(softmax(scores)) == np.argsort(scores)).all()


@quick
@given(st.data(), sizes, st.integers(2, 5))
def test_a_masked_score_gets_no_share_and_the_others_are_as_if_it_were_not_there(data, rows, columns):
    scores = data.draw(arrays(rows, columns))
    hidden = scores.copy()
    hidden[:, -1] = -np.inf
    shares = softmax(hidden)
    assert (shares[:, -1] == 0).all()
    np.testing.assert_allclose(shares[:, :-1], softmax(scores[:, :-1]), rtol=1e-14)


# ---- attention


def draw_attention(data, words, d=3):
    x, (params,) = data.draw(arrays(words, d, low=-1, high=1)), data.draw(heads(d))
    return x, params


@quick
@given(st.data(), sizes)
def test_swapping_words_swaps_the_rows_with_them(data, words):
    x, params = draw_attention(data, words)
    order = data.draw(st.permutations(range(words)))
    np.testing.assert_allclose(self_attention(x[order], params), self_attention(x, params)[order], **close)


@quick
@given(st.data(), sizes)
def test_after_averaging_the_order_is_gone(data, words):
    x, params = draw_attention(data, words)
    order = data.draw(st.permutations(range(words)))
    np.testing.assert_allclose(mean_pool(self_attention(x[order], params)), mean_pool(self_attention(x, params)), **close)


def test_a_word_said_twice_counts_twice_so_a_text_is_no_set():
    zero, same = np.zeros((1, 2)), np.eye(2)
    listens_equally = QKVParams(zero, zero, same)
    assert self_attention(np.array([[6.0, 0], [0, 6]]), listens_equally)[0].tolist() == [3, 3]
    assert self_attention(np.array([[6.0, 0], [6, 0], [0, 6]]), listens_equally)[0] == pytest.approx([4, 2], abs=1e-14)


@quick
@given(st.data(), sizes, sizes, sizes)
def test_every_new_row_lies_between_the_values(data, queries, keys, d_v):
    q, k, v = data.draw(arrays(queries, 2)), data.draw(arrays(keys, 2)), data.draw(arrays(keys, d_v))
    out = attention(q, k, v)
    assert (out <= v.max(0) + 1e-12).all() and (out >= v.min(0) - 1e-12).all()


@quick
@given(st.data(), sizes, sizes)
def test_a_query_of_zeros_averages_the_values(data, keys, d_v):
    k, v = data.draw(arrays(keys, 3)), data.draw(arrays(keys, d_v))
    np.testing.assert_allclose(attention(np.zeros((1, 3)), k, v)[0], v.mean(0), **close)


@quick
@given(st.data(), st.integers(2, 5))
def test_where_a_query_may_not_look_nothing_changes_its_row(data, words):
    x, params = draw_attention(data, words)
    changed = x.copy()
    changed[-1] += 1  # the last word is seen by itself alone
    before, after = (self_attention(rows, params, mask=np.tri(words, dtype=bool)) for rows in (x, changed))
    np.testing.assert_allclose(after[:-1], before[:-1], **close)


@quick
@given(st.data(), sizes, sizes)
def test_a_mask_gives_what_leaving_the_keys_out_gives(data, queries, keys):
    q, k, v = data.draw(arrays(queries, 2)), data.draw(arrays(keys, 2)), data.draw(arrays(keys, 3))
    mask = data.draw(masks(queries, keys))
    out = attention(q, k, v, mask=mask)
    for row in range(queries):
        seen = mask[row]
        np.testing.assert_allclose(out[row : row + 1], attention(q[row : row + 1], k[seen], v[seen]), **close)


@quick
@given(st.data(), sizes)
def test_batches_are_texts_side_by_side(data, words):
    q, k, v = data.draw(arrays(2, words, 3)), data.draw(arrays(2, words, 3)), data.draw(arrays(2, words, 2))
    together = attention(q, k, v)
    for i in range(2):
        np.testing.assert_allclose(together[i], attention(q[i], k[i], v[i]), **close)


@quick
@given(st.data(), sizes)
def test_one_head_with_an_output_grid_of_ones_on_the_diagonal_is_self_attention(data, words):
    x, (params,) = data.draw(arrays(words, 3)), data.draw(heads(3, 1, d_v=3))
    np.testing.assert_allclose(multi_head_attention(x, AttentionParams((params,), np.eye(3))), self_attention(x, params), **close)


@quick
@given(st.data(), sizes)
def test_the_order_of_heads_is_a_matter_of_the_output_grid(data, words):
    x, (a, b) = data.draw(arrays(words, 3, low=-1, high=1)), data.draw(heads(3, 2, d_v=2))
    output = data.draw(arrays(3, 4))
    turned = np.concatenate([output[:, 2:], output[:, :2]], axis=1)
    np.testing.assert_allclose(
        multi_head_attention(x, AttentionParams((a, b), output)), multi_head_attention(x, AttentionParams((b, a), turned)), **close
    )


def test_where_want_equals_have_the_scores_turn_symmetric():
    rng = np.random.default_rng(3)
    x, one, other, value = rng.normal(size=(4, 3)), *rng.normal(size=(3, 2, 3))
    noted = {}
    self_attention(x, QKVParams(one, one, value), note=noted.setdefault)
    np.testing.assert_allclose(noted["scores"], noted["scores"].T, **close)
    noted = {}
    self_attention(x, QKVParams(one, other, value), note=noted.setdefault)
    assert not np.allclose(noted["scores"], noted["scores"].T)


# ---- padding


def draw_machine(data):
    table, params = data.draw(arrays(6, 3, low=-1, high=1)), data.draw(heads(3, 2, d_v=2))
    head = MLPParams(data.draw(arrays(2, 3)), data.draw(arrays(2)), data.draw(arrays(1, 2)), data.draw(arrays(1)))
    return ClassifierParams(table, AttentionParams(tuple(params), data.draw(arrays(3, 4))), head)


@quick
@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 6))
def test_more_padding_never_changes_the_masked_answer(data, ids, zeros):
    params = draw_machine(data)
    np.testing.assert_allclose(classifier(np.array(ids + [0] * zeros), params), classifier(np.array(ids), params), **close)


@quick
@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_the_row_behind_the_padding_never_changes_the_masked_answer(data, ids):
    params = draw_machine(data)
    table = params.embedding.copy()
    table[0] += data.draw(arrays(3))
    other = replace(params, embedding=table)
    padded = np.array([*ids, 0, 0])
    np.testing.assert_allclose(classifier(padded, other), classifier(padded, params), **close)


def test_without_masks_padding_does_change_the_answer():
    rng = np.random.default_rng(0)
    head = MLPParams(rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=(1, 2)), rng.normal(size=1))
    layer = AttentionParams((QKVParams(*rng.normal(size=(3, 2, 3))),), rng.normal(size=(3, 2)))
    params = ClassifierParams(rng.normal(size=(6, 3)), layer, head)
    short, long = np.array([3, 4]), np.array([3, 4, 0, 0, 0])
    assert not np.allclose(classifier(short, params, padding=False), classifier(long, params, padding=False))
    np.testing.assert_array_equal(classifier(short, params, padding=False), classifier(short, params))  # nothing to mask


@quick
@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=5), st.booleans())
def test_the_machine_without_positions_reads_a_text_in_any_order_alike(data, ids, masked):
    params = draw_machine(data)
    order = data.draw(st.permutations(ids))
    np.testing.assert_allclose(classifier(np.array(order), params, padding=masked), classifier(np.array(ids), params, padding=masked), **close)


@quick
@given(st.data(), st.integers(1, 4), st.integers(0, 3))
def test_an_average_leaves_the_masked_rows_out(data, real, padding):
    x = data.draw(arrays(real + padding, 3))
    mask = np.arange(real + padding) < real
    np.testing.assert_allclose(mean_pool(x, mask=mask), x[:real].mean(0), **close)


# ---- layer norm and block


@quick
@given(st.data(), sizes, st.integers(2, 6))
def test_a_tamed_row_has_middle_zero_and_typical_distance_one(data, words, d):
    out = layer_norm(data.draw(arrays(words, d)))
    np.testing.assert_allclose(out.mean(-1), 0, atol=1e-12)
    np.testing.assert_allclose((out * out).mean(-1), 1, rtol=1e-12)


@quick
@given(st.data(), st.integers(2, 6), st.integers(-9, 9), st.integers(1, 20))
def test_taming_forgets_where_a_row_stood_and_how_wide_it_was(data, d, shift, scale):
    x = data.draw(arrays(2, d))
    np.testing.assert_allclose(layer_norm(x * scale + shift), layer_norm(x), rtol=1e-9, atol=1e-9)


@quick
@given(st.data(), st.integers(2, 4))
def test_taming_reads_no_other_row(data, words):
    x = data.draw(arrays(words, 3))
    np.testing.assert_array_equal(layer_norm(x)[:1], layer_norm(x[:1]))


@quick
@given(st.data(), st.integers(1, 4))
def test_a_block_whose_branches_are_zero_is_the_stream_itself(data, words):
    x, (params,) = data.draw(arrays(words, 4)), data.draw(heads(4))
    silent = BlockParams(AttentionParams((params,), np.zeros((4, len(params.value)))), FeedForwardParams(np.ones((2, 4)), np.zeros((4, 2))))
    np.testing.assert_array_equal(block(x, silent), x)


# ---- sigmoid and loss


@quick
@given(st.floats(-30, 30))
def test_sigmoid_is_the_second_share_of_zero_and_z(z):
    assert sigmoid(np.array([z]))[0] == pytest.approx(softmax(np.array([0, z]))[1], rel=1e-13)
    assert sigmoid(np.array([z])) + sigmoid(np.array([-z])) == pytest.approx(1, abs=1e-15)


@quick
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
