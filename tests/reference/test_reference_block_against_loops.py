"""Every named value of positions, MLP, block, stack and the whole models against the same written with lists and loops."""

import numpy as np
import plain
import pytest
from draws import arrays, blocks, decoders, encoders, heads, layers, lists_of, masks, mlps, norms, perhaps
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import (  # fmt: skip
    Alibi,
    BlockConfig,
    DecoderParams,
    EncoderDecoderParams,
    Rotary,
    add_positions,
    alibi,
    apply_rope,
    block,
    causal_mask,
    decoder,
    encoder,
    encoder_decoder,
    feed_forward,
    gelu,
    gelu_erf,
    key_mask,
    layer_norm,
    linear,
    multi_head_attention,
    padding_mask,
    relu,
    self_attention,
    sinusoid,
    sinusoidal,
    softmax,
    stable_softmax,
    stack,
    unembed,
)

lengths, widths = st.integers(1, 4), st.integers(2, 5)
ids_of_a_text = st.lists(st.integers(1, 5), min_size=1, max_size=4).flatmap(lambda ids: st.integers(0, 2).map(lambda empty: ids + [0] * empty))
ACTIVATIONS = {"relu": relu, "gelu": gelu, "gelu_erf": gelu_erf}


def assert_same(noted, expected, figures=1e-12):
    """All names, no others, and every number: both sides differ only in the order of their sums."""
    assert set(noted) == set(expected)
    for name, value in expected.items():
        assert np.shape(noted[name]) == np.shape(value), name
        np.testing.assert_allclose(noted[name], value, rtol=figures, atol=figures, err_msg=name)


def plainly(mask):
    return None if mask is None else mask.tolist()


@st.composite
def chosen(draw, words=None):
    """(a BlockConfig, the same choices for plain.block): with positions of any numbers where the count of words is known."""
    norm_first, eps, activation, stable = (
        draw(st.booleans()),
        draw(st.sampled_from([0.0, 1e-5, 0.1])),
        draw(st.sampled_from(list(ACTIVATIONS))),
        draw(st.booleans()),
    )
    positions, told = draw(placed(words)) if words else (None, None)
    config = BlockConfig(
        norm_first=norm_first, eps=eps, activation=ACTIVATIONS[activation], softmax=stable_softmax if stable else softmax, position_encoding=positions
    )
    return config, {"norm_first": norm_first, "eps": eps, "activation": activation, "lower": stable, "positions": told}


@st.composite
def placed(draw, words):
    kind, given_positions = draw(st.sampled_from([None, "rotary", "alibi"])), draw(st.booleans())
    positions = draw(arrays(words, low=0, high=9)) if given_positions else None
    plain_positions = positions.tolist() if given_positions else list(range(words))
    if kind == "rotary":
        base = draw(st.sampled_from([10_000.0, 7.0]))
        return Rotary(positions, base), (kind, plain_positions, base)
    if kind == "alibi":
        slope = draw(st.sampled_from([2.0**-8, 0.5]))
        return Alibi(positions, slope), (kind, plain_positions, slope)
    return None, None


# ---- the parts


@given(st.data(), lengths, st.integers(1, 4), st.integers(1, 4))
def test_linear_with_and_without_a_bias(data, words, d, out):
    x, grid, bias = data.draw(arrays(words, d)), data.draw(arrays(out, d)), data.draw(perhaps(out))
    np.testing.assert_allclose(linear(x, grid, bias), plain.linear(x.tolist(), grid.tolist(), plainly(bias)), rtol=1e-13, atol=1e-14)


@given(st.data(), lengths, st.integers(1, 5), st.sampled_from(list(ACTIVATIONS)))
def test_feed_forward_with_every_activation(data, words, d, activation):
    x, params = data.draw(arrays(words, d, low=-5, high=5)), data.draw(mlps(d))
    noted = {}
    assert feed_forward(x, params, note=noted.setdefault, activation=ACTIVATIONS[activation]) is noted["mlp_out"]
    assert_same(noted, plain.feed_forward(x.tolist(), lists_of(params), activation))


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_an_activation_far_out_is_the_identity_or_zero(activation):
    x = np.array([-40.0, -6.0, -1.0, 0.0, 1e-8, 1.0, 6.0, 40.0])
    np.testing.assert_allclose(ACTIVATIONS[activation](x), [plain.ACTIVATIONS[activation](v) for v in x.tolist()], rtol=1e-12, atol=1e-15)
    assert ACTIVATIONS[activation](x)[-1] == 40 and abs(ACTIVATIONS[activation](x)[0]) < 1e-15


def test_the_two_forms_of_gelu_are_within_half_a_thousandth():
    x = np.linspace(-6, 6, 1001)
    assert 1e-4 < np.abs(gelu(x) - gelu_erf(x)).max() < 5e-4


@given(st.data(), lengths, st.integers(2, 5), st.sampled_from([0.0, 1e-5, 0.5]))
def test_layer_norm_with_gain_and_bias(data, words, d, eps):
    x, norm, noted = data.draw(arrays(words, d)), data.draw(norms(d)), {}
    out = layer_norm(x, note=noted.setdefault, eps=eps, norm=norm)
    assert_same(noted, plain.layer_norm(x.tolist(), eps, plainly(norm.gain), plainly(norm.bias)))
    assert out is noted["normalized" if norm.gain is None and norm.bias is None else "affine"]


# ---- positions


@given(st.data(), lengths, st.integers(1, 4), st.integers(0, 3))
def test_add_positions_adds_column_by_column(data, words, d, spare):
    x, table, noted = data.draw(arrays(words, d)), data.draw(arrays(words + spare, d)), {}
    assert add_positions(x, table, note=noted.setdefault) is noted["x"]
    assert_same(noted, {"x": plain.add(x.tolist(), table.tolist()[:words])})


@given(st.data(), lengths, st.integers(1, 4), st.sampled_from([10_000.0, 3.0]))
def test_sinusoid_and_sinusoidal(data, words, pairs, base):
    positions, noted = data.draw(arrays(words, low=-20, high=200)), {}
    assert sinusoidal(positions, width=2 * pairs, note=noted.setdefault, base=base) is noted["encoding"]
    expected = plain.sinusoidal(positions.tolist(), 2 * pairs, base)
    assert_same(noted, expected)
    again = {}
    sinusoid(positions, width=2 * pairs, note=again.setdefault, base=base)
    assert_same(again, {name: expected[name] for name in ("angle", "sin", "cos")})


@given(st.data(), lengths, st.integers(1, 3))
def test_rope_is_a_product_of_complex_numbers(data, words, pairs):
    x, positions, noted = data.draw(arrays(words, 2 * pairs)), data.draw(arrays(words, low=0, high=50)), {}
    angle = plain.sinusoid(positions.tolist(), 2 * pairs)["angle"]
    assert apply_rope(x, *sinusoid(positions, width=2 * pairs), note=noted.setdefault) is noted["rotated"]
    assert_same(noted, {"rotated": plain.rotate(x.tolist(), angle)})


@given(st.data(), lengths, st.sampled_from([0.5, 2.0**-8, 3.0]))
def test_alibi_takes_off_more_the_greater_the_distance(data, words, slope):
    positions, noted = data.draw(arrays(words, low=0, high=9)), {}
    assert alibi(positions, slope=slope, note=noted.setdefault) is noted["bias"]
    assert_same(noted, plain.alibi(positions.tolist(), slope))


@given(st.data(), lengths, st.booleans(), st.booleans())
def test_a_head_with_a_position_encoding(data, words, masked, biased):
    (params,) = data.draw(heads(3, d_k=data.draw(st.sampled_from([2, 4])), biased=biased))
    positions, told = data.draw(placed(words))
    x, mask, noted = data.draw(arrays(words, 3)), data.draw(masks(words, words)) if masked else None, {}
    self_attention(x, params, note=noted.setdefault, mask=mask, position_encoding=positions)
    assert_same(noted, plain.head_values(x.tolist(), lists_of(params), plainly(mask), positions=told))


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


# ---- the block


@given(st.data(), lengths, widths, st.booleans())
def test_block_in_both_orders(data, words, d, masked):
    params, (config, options) = data.draw(blocks(d, d_k=2)), data.draw(chosen(words))
    x, mask, noted = data.draw(arrays(words, d)), data.draw(masks(words, words)) if masked else None, {}
    out = block(x, params, note=noted.setdefault, mask=mask, config=config)
    assert_same(noted, plain.block(x.tolist(), lists_of(params), plainly(mask), **options), 1e-10)
    assert out is noted["out"] and list(noted)[-1] == "out"


@given(st.data(), lengths, lengths, widths, st.integers(1, 4), st.booleans())
def test_block_with_cross_attention(data, words, asked, d, d_memory, masked):
    params, (config, options) = data.draw(blocks(d, 2, d_memory)), data.draw(chosen(words))
    x, memory, noted = data.draw(arrays(words, d)), data.draw(arrays(asked, d_memory)), {}
    mask, memory_mask = (data.draw(masks(words, n)) if masked else None for n in (words, asked))
    block(x, params, note=noted.setdefault, mask=mask, config=config, memory=memory, memory_mask=memory_mask)
    expected = plain.block(x.tolist(), lists_of(params), plainly(mask), memory=memory.tolist(), memory_mask=plainly(memory_mask), **options)
    assert_same(noted, expected, 1e-10)


@given(st.data(), lengths, widths, st.integers(1, 3))
def test_stack_with_and_without_a_last_norm(data, words, d, count):
    params, (config, options) = tuple(data.draw(blocks(d, d_k=2)) for _ in range(count)), data.draw(chosen(words))
    x, norm, noted = data.draw(arrays(words, d)), data.draw(st.one_of(st.none(), norms(d))), {}
    mask = causal_mask(words)
    out = stack(x, params, note=noted.setdefault, mask=mask, config=config, norm=norm)
    expected, rows = plain.stack(x.tolist(), lists_of_each(params), norm and lists_of(norm), mask=mask.tolist(), **options)
    assert_same(noted, expected, 1e-9)
    np.testing.assert_allclose(out, rows, rtol=1e-9, atol=1e-9)


def lists_of_each(params):
    return tuple(lists_of(g) for g in params)


# ---- whole models


@given(st.data(), ids_of_a_text, widths)
def test_encoder(data, ids, d):
    params, (config, options) = data.draw(encoders(6, 6, d, d_k=2)), data.draw(chosen(len(ids)))
    noted = {}
    out = encoder(np.array(ids), params, note=noted.setdefault, config=config)
    expected, rows = plain.encoder(ids, lists_of(params), **options)
    assert_same(noted, expected, 1e-9)
    np.testing.assert_allclose(out, rows, rtol=1e-9, atol=1e-9)


@given(st.data(), ids_of_a_text, widths)
def test_decoder(data, ids, d):
    params, (config, options) = data.draw(decoders(6, 6, d, d_k=2)), data.draw(chosen(len(ids)))
    noted, padding = {}, data.draw(st.booleans())
    out = decoder(np.array(ids), params, note=noted.setdefault, config=config, padding=padding)
    expected, _ = plain.decoder(ids, lists_of(params), padding, **options)
    assert_same(noted, expected, 1e-9)
    assert out is noted["logits"] and out.shape == (len(ids), 6)


@given(st.data(), ids_of_a_text, ids_of_a_text, widths, widths)
def test_encoder_decoder_of_two_texts_and_two_widths(data, source, target, d_source, d):
    params = EncoderDecoderParams(data.draw(encoders(6, 6, d_source, d_k=2)), data.draw(decoders(6, 6, d, 2, d_source)))
    config, options = data.draw(chosen())
    noted = {}
    out = encoder_decoder(np.array(source), np.array(target), params, note=noted.setdefault, config=config)
    expected, _ = plain.encoder_decoder(source, target, lists_of(params), **options)
    assert_same(noted, expected, 1e-9)
    assert out is noted["decoder.logits"]


@given(st.data(), lengths, st.integers(1, 4), st.booleans())
def test_unembed_is_tied_or_has_its_own_projection(data, words, d, tied):
    params = DecoderParams(data.draw(arrays(5, d)), (), output=None if tied else data.draw(arrays(5, d)))
    x, noted = data.draw(arrays(words, d)), {}
    assert unembed(x, params, note=noted.setdefault) is noted["logits"]
    assert_same(noted, {"logits": plain.times(x.tolist(), (params.embedding if tied else params.output).tolist())})


@pytest.mark.slow
@given(st.data(), ids_of_a_text)
def test_both_halves_may_have_given_positions_for_texts_of_one_length(data, ids):
    params = EncoderDecoderParams(data.draw(encoders(6, 0, 4, d_k=2)), data.draw(decoders(6, 0, 4, 2, 4)))
    config, options = data.draw(chosen(len(ids)))
    noted = {}
    encoder_decoder(np.array(ids), np.array(ids[::-1]) if all(ids) else np.array(ids), params, note=noted.setdefault, config=config)
    expected, _ = plain.encoder_decoder(ids, ids[::-1] if all(ids) else ids, lists_of(params), **options)
    assert_same(noted, expected, 1e-9)
