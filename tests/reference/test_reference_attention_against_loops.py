"""Every named value of attention and of the classifier against the same written with lists and loops."""

import numpy as np
import plain
import pytest
from draws import arrays, heads, layers, lists, lists_of, masks
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil import examples
from pencil.reference import (  # fmt: skip
    AttentionParams,
    ClassifierParams,
    MLPParams,
    QKVParams,
    attention,
    attention_scores,
    binary_cross_entropy,
    classifier,
    cross_attention,
    embed,
    first_token,
    last_token,
    layer_norm,
    linear,
    max_pool,
    mean_pool,
    mlp_head,
    multi_head_attention,
    qkv,
    self_attention,
    sigmoid,
    softmax,
    stable_softmax,
    weighted_sum,
)

quick = settings(max_examples=25, deadline=None, derandomize=True)
sizes = st.integers(1, 4)
POOLS = {"average": mean_pool, "greatest": max_pool, "first": first_token, "last": last_token}


def assert_same(noted, expected):
    """All names, no others, and every number to twelve figures: both sides differ only in the order of their sums."""
    assert set(noted) == set(expected)
    for name, value in expected.items():
        assert np.shape(noted[name]) == np.shape(value), name
        np.testing.assert_allclose(noted[name], value, rtol=1e-12, atol=1e-12, err_msg=name)


def form(stable):
    return stable_softmax if stable else softmax


def plainly(mask):
    return None if mask is None else mask.tolist()


@quick
@given(st.data(), sizes, sizes, sizes, sizes, st.booleans(), st.booleans())
def test_attention(data, queries, keys, d_k, d_v, masked, stable):
    q, k, v = data.draw(arrays(queries, d_k)), data.draw(arrays(keys, d_k)), data.draw(arrays(keys, d_v))
    mask = data.draw(masks(queries, keys)) if masked else None
    noted = {}
    out = attention(q, k, v, note=noted.setdefault, mask=mask, softmax=form(stable))
    assert_same(noted, plain.attention(*lists(q, k, v), plainly(mask), stable))
    assert out is noted["context"]


@quick
@given(st.data(), sizes, sizes, st.booleans(), st.booleans())
def test_self_attention(data, words, d_model, masked, biased):
    x, (params,) = data.draw(arrays(words, d_model)), data.draw(heads(d_model, biased=biased))
    mask = data.draw(masks(words, words)) if masked else None
    noted = {}
    out = self_attention(x, params, note=noted.setdefault, mask=mask)
    assert_same(noted, plain.head_values(x.tolist(), lists_of(params), plainly(mask)))
    assert out is noted["context"]


@quick
@given(st.data(), sizes, sizes, sizes, sizes, st.booleans(), st.booleans())
def test_cross_attention_of_two_texts_of_their_own_lengths_and_widths(data, words, asked, d_model, d_memory, masked, biased):
    x, memory = data.draw(arrays(words, d_model)), data.draw(arrays(asked, d_memory))
    (params,) = data.draw(heads(d_model, biased=biased, d_memory=d_memory))
    mask = data.draw(masks(words, asked)) if masked else None
    noted = {}
    out = cross_attention(x, memory, params, note=noted.setdefault, mask=mask)
    assert_same(noted, plain.head_values(x.tolist(), lists_of(params), plainly(mask), memory=memory.tolist()))
    assert out is noted["context"]


@quick
@given(st.data(), sizes, sizes, st.booleans(), st.booleans())
def test_heads_of_any_width(data, words, d_model, masked, stable):
    x, layer = data.draw(arrays(words, d_model)), data.draw(layers(d_model))
    mask = data.draw(masks(words, words)) if masked else None
    noted = {}
    out = multi_head_attention(x, layer, note=noted.setdefault, mask=mask, softmax=form(stable))
    assert_same(noted, plain.multi_head(x.tolist(), lists_of(layer), plainly(mask), stable))
    assert out is noted["attn_out"]
    assert ("concat" in noted) == (len(layer.heads) > 1)  # one head alone has nothing to concatenate


@quick
@given(st.data(), sizes, sizes, sizes, sizes)
def test_heads_of_cross_attention(data, words, asked, d_model, d_memory):
    x, memory, layer = data.draw(arrays(words, d_model)), data.draw(arrays(asked, d_memory)), data.draw(layers(d_model, d_memory=d_memory))
    mask = data.draw(masks(words, asked))
    noted = {}
    multi_head_attention(x, layer, note=noted.setdefault, mask=mask, memory=memory)
    assert_same(noted, plain.multi_head(x.tolist(), lists_of(layer), mask.tolist(), memory=memory.tolist()))


@pytest.mark.parametrize(
    "d_model, d_k", [(32, 32), (32, 16), (4, 2)], ids=["two of 32 concatenated to 64", "two of 16 concatenated to 32", "4 into 2 + 2"]
)
def test_two_heads_in_the_widths_of_the_book(d_model, d_k):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(3, d_model))
    params = tuple(QKVParams(*rng.normal(size=(3, d_k, d_model)) / np.sqrt(d_model)) for _ in range(2))
    layer, noted = AttentionParams(params, rng.normal(size=(d_model, 2 * d_k))), {}
    multi_head_attention(x, layer, note=noted.setdefault)
    assert noted["concat"].shape == (3, 2 * d_k) and noted["attn_out"].shape == (3, d_model)
    np.testing.assert_allclose(noted["head1.scaled"], noted["head1.scores"] / d_k**0.5, rtol=1e-15)
    assert_same(noted, plain.multi_head(x.tolist(), lists_of(layer)))


@quick
@given(st.data(), sizes, st.integers(2, 5), st.sampled_from([0.0, 1e-5, 0.5]))
def test_layer_norm(data, words, d, eps):
    x = data.draw(arrays(words, d))
    noted = {}
    out = layer_norm(x, note=noted.setdefault, eps=eps)
    assert_same(noted, plain.layer_norm(x.tolist(), eps))
    assert out is noted["normalized"]


@quick
@given(st.data(), sizes, sizes, sizes)
def test_head(data, d, hidden, words):
    head = MLPParams(data.draw(arrays(hidden, d)), data.draw(arrays(hidden)), data.draw(arrays(1, hidden)), data.draw(arrays(1)))
    summary, noted = data.draw(arrays(d)), {}
    assert mlp_head(summary, head, note=noted.setdefault) is noted["sigmoid.prob"]
    assert_same(noted, plain.mlp_head(summary.tolist(), lists_of(head)))


@quick
@given(st.data(), st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any), st.booleans(), st.booleans(), st.sampled_from(list(POOLS)))
def test_classifier_from_ids_to_answer(data, ids, masked, stable, way):
    head = MLPParams(data.draw(arrays(2, 3)), data.draw(arrays(2)), data.draw(arrays(1, 2)), data.draw(arrays(1)))
    params = ClassifierParams(data.draw(arrays(6, 3)), data.draw(layers(3)), head)
    noted = {}
    out = classifier(np.array(ids), params, note=noted.setdefault, padding=masked, softmax=form(stable), pool=POOLS[way])
    assert_same(noted, plain.classifier(ids, lists_of(params), masked, stable, way))
    assert out is noted["sigmoid.prob"] and out.shape == (1,)


@quick
@given(st.lists(st.tuples(st.integers(0, 1), st.floats(0.001, 0.999)), min_size=1, max_size=4))
def test_loss(pairs):
    truth, answer = zip(*pairs, strict=True)
    noted = {}
    binary_cross_entropy(np.array(answer), np.array(truth), note=noted.setdefault)
    assert_same(noted, plain.loss(truth, answer))


@quick
@given(st.data(), sizes, sizes, st.sampled_from(list(POOLS)))
def test_every_pooling_with_and_without_a_mask(data, words, d, way):
    x = data.draw(arrays(words, d))
    real = data.draw(st.lists(st.booleans(), min_size=words, max_size=words).filter(any))
    for mask in (None, real):
        noted = {}
        assert POOLS[way](x, mask=None if mask is None else np.array(mask), note=noted.setdefault) is noted["pooled"]
        assert_same(noted, plain.pool(x.tolist(), mask, way))


# ---- the small ones, by hand


def test_the_dot_product_adds_products_slot_by_slot():
    assert attention_scores(np.array([[2, 0, 1, 0]]), np.array([[1, 0, 0, 0], [3, 0, 2, 0]])).tolist() == [[2, 8]]


def test_a_weight_matrix_is_a_stack_of_rows():
    query, key, value = qkv(examples.ROWS, examples.REVIEW_PARAMS)
    assert query.tolist() == [[2, 0, 1, 0], [0, 0, 2, 0]]
    assert key.tolist() == [[1, 0, 0, 0], [3, 0, 2, 0]]
    assert value.tolist() == [[2, 0, 0, 1], [0, 3, 1, 0]]


def test_a_linear_layer_multiplies_and_adds_a_bias():
    assert linear(np.array([1.0, 2.0]), np.array([[3.0, 4.0], [0.0, -1.0]]), np.array([0.5, 1.0])).tolist() == [11.5, -1.0]


def test_a_weighted_sum_with_equal_weights_is_a_mean():
    assert weighted_sum(np.array([[0.5, 0.5]]), np.array([[4, 0], [0, 4]])).tolist() == [[2, 2]]


def test_embed_takes_the_row_of_each_id():
    assert embed([2, 0, 2], np.array([[9, 9], [1, 2], [3, 4]])).tolist() == [[3, 4], [9, 9], [3, 4]]


def test_sigmoid_at_zero_is_one_half():
    assert sigmoid(np.array([0.0, np.log(3)])).tolist() == pytest.approx([0.5, 0.75], abs=1e-15)


def test_the_soft_lookup_of_the_source_blends_two_keys_alike():
    """The source says the first value dominates; keys 0 and 2 tie, because the third is longer though it points away."""
    noted = {}
    out = attention(examples.LOOKUP_QUERY, examples.LOOKUP_KEYS, examples.LOOKUP_VALUES, note=noted.setdefault)
    assert noted["scores"].tolist() == [[1, 0, 1]]
    assert noted["weights"].ravel() == pytest.approx([0.4011, 0.1978, 0.4011], abs=5e-5)
    assert out.ravel() == pytest.approx([6.0167, 3.9833], abs=5e-5)
