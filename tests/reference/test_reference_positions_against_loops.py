"""Every named value of position encodings, and masks, against the same written with lists and loops."""

from functools import partial

import looped
import numpy as np
import plain
import pytest
from draws import arrays, heads, layers, lists_of, masks, placed
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import plainly

from pencil.reference import (
    add_positions,
    alibi,
    apply_rope,
    causal_mask,
    key_mask,
    multi_head_attention,
    padding_mask,
    self_attention,
    sinusoid,
    sinusoidal,
)

quick = settings(max_examples=25, deadline=None, derandomize=True)
lengths = st.integers(1, 4)
assert_same = partial(looped.assert_same, atol=1e-12)


# ---- positions


@quick
@given(st.data(), lengths, st.integers(1, 4), st.integers(0, 3))
def test_add_positions_adds_column_by_column(data, words, d, spare):
    x, table, noted = data.draw(arrays(words, d)), data.draw(arrays(words + spare, d)), {}
    assert add_positions(x, table, note=noted.setdefault) is noted["x"]
    assert_same(noted, {"x": plain.add(x.tolist(), table.tolist()[:words])})


@quick
@given(st.data(), lengths, st.integers(1, 4), st.sampled_from([10_000.0, 3.0]))
def test_sinusoid_and_sinusoidal(data, words, pairs, base):
    positions, noted = data.draw(arrays(words, low=-20, high=200)), {}
    assert sinusoidal(positions, width=2 * pairs, note=noted.setdefault, base=base) is noted["encoding"]
    expected = plain.sinusoidal(positions.tolist(), 2 * pairs, base)
    assert_same(noted, expected)
    again = {}
    sinusoid(positions, width=2 * pairs, note=again.setdefault, base=base)
    assert_same(again, {name: expected[name] for name in ("angle", "sin", "cos")})


@quick
@given(st.data(), lengths, st.integers(1, 3))
def test_rope_is_a_product_of_complex_numbers(data, words, pairs):
    x, positions, noted = data.draw(arrays(words, 2 * pairs)), data.draw(arrays(words, low=0, high=50)), {}
    angle = plain.sinusoid(positions.tolist(), 2 * pairs)["angle"]
    assert apply_rope(x, *sinusoid(positions, width=2 * pairs), note=noted.setdefault) is noted["rotated"]
    assert_same(noted, {"rotated": plain.rotate(x.tolist(), angle)})


@quick
@given(st.data(), lengths, st.sampled_from([0.5, 2.0**-8, 3.0]))
def test_alibi_takes_off_more_the_greater_the_distance(data, words, slope):
    positions, noted = data.draw(arrays(words, low=0, high=9)), {}
    assert alibi(positions, slope=slope, note=noted.setdefault) is noted["bias"]
    assert_same(noted, plain.alibi(positions.tolist(), slope))


@quick
@given(st.data(), lengths, st.booleans(), st.booleans())
def test_a_head_with_a_position_encoding(data, words, masked, biased):
    (params,) = data.draw(heads(3, d_k=data.draw(st.sampled_from([2, 4])), biased=biased))
    positions, told = data.draw(placed(words))
    x, mask, noted = data.draw(arrays(words, 3)), data.draw(masks(words, words)) if masked else None, {}
    self_attention(x, params, note=noted.setdefault, mask=mask, position_encoding=positions)
    assert_same(noted, plain.head_values(x.tolist(), lists_of(params), plainly(mask), positions=told))


@quick
@given(st.data(), lengths)
def test_several_heads_with_a_position_encoding(data, words):
    layer, (positions, told) = data.draw(layers(3, d_k=2)), data.draw(placed(words))
    x, noted = data.draw(arrays(words, 3)), {}
    multi_head_attention(x, layer, note=noted.setdefault, position_encoding=positions)
    assert_same(noted, plain.multi_head(x.tolist(), lists_of(layer), positions=told))


# ---- masks


@pytest.mark.parametrize("words", [1, 2, 5])
def test_the_causal_mask_is_lower_triangular(words):
    assert causal_mask(words).tolist() == [[column <= row for column in range(words)] for row in range(words)]


def test_the_padding_mask_of_a_text_and_of_a_batch():
    assert padding_mask([3, 0, 7]).tolist() == [True, False, True]
    assert padding_mask(np.array([[3, 0], [1, 2]])).tolist() == [[True, False], [True, True]]


def test_the_key_mask_is_none_without_padding():
    assert key_mask([3, 7]) is None and key_mask([[3, 7], [1, 1]]) is None
    assert key_mask([3, 0]).tolist() == [[True, False]]
    assert key_mask([[3, 7, 0], [1, 1, 1]]).tolist() == [[[True, True, False]], [[True, True, True]]]
