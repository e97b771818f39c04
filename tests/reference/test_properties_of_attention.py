"""General properties of attention and its masks: permutations, batches, heads, padding."""

from dataclasses import replace

import numpy as np
import pytest
from draws import arrays, close, heads, masks, sizes
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import (  # fmt: skip
    AttentionParams,
    ClassifierParams,
    MLPParams,
    QKVParams,
    attention,
    classifier,
    mean_pool,
    multi_head_attention,
    self_attention,
)


def draw_attention(data, words, d=3):
    x, (params,) = data.draw(arrays(words, d, low=-1, high=1)), data.draw(heads(d))
    return x, params


@given(st.data(), sizes)
def test_swapping_words_swaps_the_rows_with_them(data, words):
    x, params = draw_attention(data, words)
    order = data.draw(st.permutations(range(words)))
    np.testing.assert_allclose(self_attention(x[order], params), self_attention(x, params)[order], **close)


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


@given(st.data(), sizes, sizes, sizes)
def test_every_new_row_lies_between_the_values(data, queries, keys, d_v):
    q, k, v = data.draw(arrays(queries, 2)), data.draw(arrays(keys, 2)), data.draw(arrays(keys, d_v))
    out = attention(q, k, v)
    assert (out <= v.max(0) + 1e-12).all() and (out >= v.min(0) - 1e-12).all()


@given(st.data(), sizes, sizes)
def test_a_query_of_zeros_averages_the_values(data, keys, d_v):
    k, v = data.draw(arrays(keys, 3)), data.draw(arrays(keys, d_v))
    np.testing.assert_allclose(attention(np.zeros((1, 3)), k, v)[0], v.mean(0), **close)


@given(st.data(), st.integers(2, 5))
def test_where_a_query_may_not_look_nothing_changes_its_row(data, words):
    x, params = draw_attention(data, words)
    changed = x.copy()
    changed[-1] += 1  # the last word is seen by itself alone
    before, after = (self_attention(rows, params, mask=np.tri(words, dtype=bool)) for rows in (x, changed))
    np.testing.assert_allclose(after[:-1], before[:-1], **close)


@given(st.data(), sizes, sizes)
def test_a_mask_gives_what_leaving_the_keys_out_gives(data, queries, keys):
    q, k, v = data.draw(arrays(queries, 2)), data.draw(arrays(keys, 2)), data.draw(arrays(keys, 3))
    mask = data.draw(masks(queries, keys))
    out = attention(q, k, v, mask=mask)
    for row in range(queries):
        seen = mask[row]
        np.testing.assert_allclose(out[row : row + 1], attention(q[row : row + 1], k[seen], v[seen]), **close)


@given(st.data(), sizes)
def test_batches_are_texts_side_by_side(data, words):
    q, k, v = data.draw(arrays(2, words, 3)), data.draw(arrays(2, words, 3)), data.draw(arrays(2, words, 2))
    together = attention(q, k, v)
    for i in range(2):
        np.testing.assert_allclose(together[i], attention(q[i], k[i], v[i]), **close)


@given(st.data(), sizes)
def test_one_head_with_an_output_grid_of_ones_on_the_diagonal_is_self_attention(data, words):
    x, (params,) = data.draw(arrays(words, 3)), data.draw(heads(3, 1, d_v=3))
    np.testing.assert_allclose(multi_head_attention(x, AttentionParams((params,), np.eye(3))), self_attention(x, params), **close)


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


def draw_machine(data):
    table, params = data.draw(arrays(6, 3, low=-1, high=1)), data.draw(heads(3, 2, d_v=2))
    head = MLPParams(data.draw(arrays(2, 3)), data.draw(arrays(2)), data.draw(arrays(1, 2)), data.draw(arrays(1)))
    return ClassifierParams(table, AttentionParams(tuple(params), data.draw(arrays(3, 4))), head)


@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 6))
def test_more_padding_never_changes_the_masked_answer(data, ids, zeros):
    params = draw_machine(data)
    np.testing.assert_allclose(classifier(np.array(ids + [0] * zeros), params), classifier(np.array(ids), params), **close)


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


@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=5), st.booleans())
def test_the_machine_without_positions_reads_a_text_in_any_order_alike(data, ids, masked):
    params = draw_machine(data)
    order = data.draw(st.permutations(ids))
    np.testing.assert_allclose(classifier(np.array(order), params, padding=masked), classifier(np.array(ids), params, padding=masked), **close)


@given(st.data(), st.integers(1, 4), st.integers(0, 3))
def test_an_average_leaves_the_masked_rows_out(data, real, padding):
    x = data.draw(arrays(real + padding, 3))
    mask = np.arange(real + padding) < real
    np.testing.assert_allclose(mean_pool(x, mask=mask), x[:real].mean(0), **close)
