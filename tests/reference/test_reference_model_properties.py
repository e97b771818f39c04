"""Properties for any numbers: permutation equivariance, causality, padding, batches, cross-attention."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from draws import arrays, blocks, decoders, encoders, layers, masks, mlps, norms
from hypothesis import given
from hypothesis import strategies as st

from pencil.reference import (  # fmt: skip
    Alibi,
    BlockConfig,
    EncoderDecoderParams,
    LayerNormParams,
    Rotary,
    block,
    causal_mask,
    decoder,
    encoder,
    encoder_decoder,
    feed_forward,
    gelu,
    layer_norm,
    linear,
    multi_head_attention,
    stable_softmax,
    stack,
)

close = {"rtol": 1e-8, "atol": 1e-9}  # width 2 and small spreads make LayerNorm steep
lengths, widths, words_alone = st.integers(1, 4), st.integers(2, 5), st.lists(st.integers(1, 5), min_size=1, max_size=4)
CONFIGS = {
    "Pre-LN": BlockConfig(eps=1e-5),
    "Post-LN": BlockConfig(norm_first=False, eps=1e-5),
    "GELU and the stable softmax": BlockConfig(eps=1e-5, activation=gelu, softmax=stable_softmax),
    "Rotary": BlockConfig(eps=1e-5, position_encoding=Rotary()),
    "Alibi": BlockConfig(norm_first=False, eps=1e-5, position_encoding=Alibi()),
}
configs = st.sampled_from(list(CONFIGS)).map(CONFIGS.get)
orderless = st.sampled_from([CONFIGS[name] for name in ("Pre-LN", "Post-LN", "GELU and the stable softmax")])


def same(ours, theirs):
    np.testing.assert_allclose(ours, theirs, **close)


# ---- order, and the lack of it


@given(st.data(), lengths, widths, orderless)
def test_a_block_and_a_stack_are_permutation_equivariant(data, words, d, config):
    x, params = data.draw(arrays(words, d)), tuple(data.draw(blocks(d)) for _ in range(2))
    order, norm = data.draw(st.permutations(range(words))), data.draw(norms(d))
    same(block(x[order], params[0], config=config), block(x, params[0], config=config)[order])
    same(stack(x[order], params, config=config, norm=norm), stack(x, params, config=config, norm=norm)[order])


@given(st.data(), st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any), widths, orderless)
def test_an_encoder_without_positions_is_permutation_equivariant(data, ids, d, config):
    params = data.draw(encoders(6, 0, d))
    order = data.draw(st.permutations(range(len(ids))))
    same(encoder(np.array(ids)[order], params, config=config), encoder(np.array(ids), params, config=config)[order])


@pytest.mark.parametrize("told", ["positions", "Rotary", "Alibi"])
@pytest.mark.parametrize("seed", range(3))
def test_an_encoder_with_positions_is_not_permutation_equivariant(told, seed):
    rng = np.random.default_rng(seed)
    params, config = random_encoder(rng, positions=told == "positions"), CONFIGS.get(told, BlockConfig())
    ids, order = np.array([1, 2, 3]), [2, 0, 1]
    moved = np.abs(encoder(ids[order], params, config=config) - encoder(ids, params, config=config)[order]).max()
    assert moved > 1e-5  # Alibi takes off 2^-8 a position in the last head: little, and far above the noise


@pytest.mark.parametrize("seed", range(3))
def test_a_causal_mask_alone_tells_the_order(seed):
    rng = np.random.default_rng(seed)
    params, x, order = random_encoder(rng, positions=False).blocks, rng.normal(size=(3, 4)), [2, 0, 1]
    assert np.abs(stack(x[order], params, mask=causal_mask(3)) - stack(x, params, mask=causal_mask(3))[order]).max() > 1e-3


def random_encoder(rng, positions):
    from pencil.reference import AttentionParams, BlockParams, EncoderParams, FeedForwardParams, QKVParams

    def one():
        heads = tuple(QKVParams(*rng.normal(size=(3, 2, 4)) * 2) for _ in range(2))
        return BlockParams(AttentionParams(heads, rng.normal(size=(4, 4))), FeedForwardParams(rng.normal(size=(8, 4)), rng.normal(size=(4, 8))))

    return EncoderParams(rng.normal(size=(6, 4)), (one(), one()), rng.normal(size=(3, 4)) if positions else None)


# ---- no word looks ahead


@given(st.data(), st.integers(2, 4), widths, configs)
def test_causal_blocks_and_stacks_do_not_depend_on_later_tokens(data, words, d, config):
    x, params = data.draw(arrays(words, d)), tuple(data.draw(blocks(d, d_k=2)) for _ in range(2))
    seen = data.draw(st.integers(1, words - 1))
    changed = x.copy()
    changed[seen:] += data.draw(arrays(words - seen, d))
    for run in (
        lambda rows, mask: block(rows, params[0], mask=mask, config=config),
        lambda rows, mask: stack(rows, params, mask=mask, config=config),
    ):
        before = run(x, causal_mask(words))[:seen]
        same(run(changed, causal_mask(words))[:seen], before)
        same(run(x[:seen], causal_mask(seen)), before)  # what was not yet written is as good as not there


def padding_last(ids):
    return sorted(ids, key=lambda id: id == 0)


@given(st.data(), st.lists(st.integers(1, 5), min_size=2, max_size=5), widths, configs)
def test_the_logits_of_a_decoder_do_not_depend_on_later_tokens(data, ids, d, config):
    params, seen = data.draw(decoders(6, 5, d, d_k=2)), data.draw(st.integers(1, len(ids) - 1))
    other = ids[:seen] + data.draw(st.lists(st.integers(0, 5), min_size=len(ids) - seen, max_size=len(ids) - seen).map(padding_last))
    before = decoder(np.array(ids), params, config=config)[:seen]
    same(decoder(np.array(other), params, config=config)[:seen], before)
    same(decoder(np.array(ids[:seen]), params, config=config), before)


# ---- padding leaves no trace


@given(st.data(), words_alone, st.integers(1, 4), widths, configs)
def test_padding_never_changes_a_real_row_of_an_encoder_or_a_decoder(data, ids, empty, d, config):
    padded, real = np.array(ids + [0] * empty), slice(len(ids))
    for params, run in ((data.draw(encoders(6, 8, d, d_k=2)), encoder), (data.draw(decoders(6, 8, d, d_k=2)), partial(decoder, padding=True))):
        rows = run(np.array(ids), params, config=config)
        same(run(padded, params, config=config)[real], rows)
        params.embedding[0] += data.draw(arrays(d))  # another embedding of padding
        tied = run is not encoder and params.output is None  # then row 0 is also the unembedding of token 0
        same(run(padded, params, config=config)[real][..., 1 if tied else 0 :], rows[..., 1 if tied else 0 :])


@pytest.mark.slow
@given(st.data(), words_alone, words_alone, st.integers(1, 3), st.integers(1, 3), widths, orderless)
def test_padding_of_either_text_never_changes_the_logits(data, source, target, empty, empty_target, d, config):
    params = EncoderDecoderParams(data.draw(encoders(6, 8, d)), data.draw(decoders(6, 8, d, None, d)))
    said = encoder_decoder(np.array(source), np.array(target), params, config=config)
    longer = encoder_decoder(np.array(source + [0] * empty), np.array(target + [0] * empty_target), params, config=config)
    same(longer[: len(target)], said)
    params.encoder.embedding[0] += data.draw(arrays(d))
    same(encoder_decoder(np.array(source + [0] * empty), np.array(target), params, config=config), said)


# ---- batches


def padded(texts):
    longest = max(map(len, texts))
    return np.array([ids + [0] * (longest - len(ids)) for ids in texts])


@given(st.data(), st.lists(words_alone, min_size=2, max_size=3), widths, configs)
def test_the_texts_of_a_batch_are_independent(data, texts, d, config):
    for params, run in ((data.draw(encoders(6, 5, d, d_k=2)), encoder), (data.draw(decoders(6, 5, d, d_k=2)), partial(decoder, padding=True))):
        together = run(padded(texts), params, config=config)
        for rows, ids in zip(together, texts, strict=True):
            same(rows[: len(ids)], run(np.array(ids), params, config=config))
        for rows, ids in zip(together, padded(texts), strict=True):  # the rows of the padding as well
            same(rows, run(ids, params, config=config))


@pytest.mark.slow
@given(st.data(), st.lists(st.tuples(words_alone, words_alone), min_size=2, max_size=3), widths, orderless)
def test_the_pairs_of_a_batch_are_independent(data, pairs, d, config):
    params = EncoderDecoderParams(data.draw(encoders(6, 5, d)), data.draw(decoders(6, 5, d, None, d)))
    sources, targets = zip(*pairs, strict=True)
    together = encoder_decoder(padded(sources), padded(targets), params, config=config)
    for said, (source, target) in zip(together, pairs, strict=True):
        same(said[: len(target)], encoder_decoder(np.array(source), np.array(target), params, config=config))


@given(st.data(), lengths, lengths, widths, configs)
def test_a_block_takes_two_axes_of_batch(data, words, asked, d, config):
    params = data.draw(blocks(d, 2, 3))
    x, memory = data.draw(arrays(2, 3, words, d)), data.draw(arrays(2, 3, asked, 3))
    out = block(x, params, config=config, memory=memory)
    same(out[1, 2], block(x[1, 2], params, config=config, memory=memory[1, 2]))


# ---- two texts


@given(st.data(), lengths, st.integers(2, 4), widths, orderless)
def test_cross_attention_ignores_the_order_of_the_memory_and_masked_rows(data, words, asked, d, config):
    params, x, memory = data.draw(blocks(d, None, 3)), data.draw(arrays(words, d)), data.draw(arrays(asked, 3))
    out, order = block(x, params, config=config, memory=memory), data.draw(st.permutations(range(asked)))
    same(block(x, params, config=config, memory=memory[order]), out)
    seen = data.draw(masks(1, asked))[0]
    same(block(x, params, config=config, memory=memory, memory_mask=seen), block(x, params, config=config, memory=memory[seen]))


@given(st.data(), lengths, lengths, widths)
def test_cross_attention_with_a_zero_output_changes_nothing(data, words, asked, d):
    params, x, memory = data.draw(blocks(d, None, 3)), data.draw(arrays(words, d)), data.draw(arrays(asked, 3))
    deaf = replace(params, cross=replace(params.cross, output=np.zeros_like(params.cross.output), output_bias=None))
    same(block(x, deaf, memory=memory), block(x, replace(params, cross=None, norms=(params.norms[0], params.norms[2]))))


@given(st.data(), lengths, widths)
def test_cross_attention_to_the_same_rows_is_self_attention(data, words, d):
    x, layer = data.draw(arrays(words, d)), data.draw(layers(d))
    same(multi_head_attention(x, layer, memory=x), multi_head_attention(x, layer))


# ---- the parts of a block


@given(st.data(), lengths, widths)
def test_rows_under_post_ln_come_out_normalized(data, words, d):
    bare = replace(data.draw(blocks(d)), norms=(LayerNormParams(), LayerNormParams()))
    out = block(data.draw(arrays(words, d)), bare, config=BlockConfig(norm_first=False))
    same(out.mean(-1), np.zeros(words))
    same(out.std(-1), np.ones(words))


@given(st.data(), lengths, widths)
def test_under_post_ln_a_block_with_zero_branches_only_normalizes(data, words, d):
    params, x = data.draw(blocks(d)), data.draw(arrays(words, d))
    layer, mlp = params.attention, params.feed_forward
    silent = replace(
        params,
        attention=replace(layer, output=np.zeros_like(layer.output), output_bias=None),
        feed_forward=replace(mlp, down=np.zeros_like(mlp.down), down_bias=None),
    )
    same(
        block(x, silent, config=BlockConfig(norm_first=False, eps=1e-5)),
        layer_norm(layer_norm(x, eps=1e-5, norm=params.norms[0]), eps=1e-5, norm=params.norms[1]),
    )
    np.testing.assert_array_equal(block(x, silent), x)


@given(st.data(), lengths, widths)
def test_without_an_activation_the_mlp_is_one_linear_layer(data, words, d):
    x, params = data.draw(arrays(words, d)), replace(data.draw(mlps(d)), up_bias=None, down_bias=None)
    same(feed_forward(x, params, activation=lambda hidden: hidden), linear(x, params.down @ params.up))


@given(st.data(), lengths, widths, configs)
def test_a_stack_is_its_blocks_in_a_row(data, words, d, config):
    x, params = data.draw(arrays(words, d)), [data.draw(blocks(d, d_k=2)) for _ in range(3)]
    out = x
    for one in params:
        out = block(out, one, config=config)
    np.testing.assert_array_equal(stack(x, params, config=config), out)


def test_no_model_changes_its_arguments():
    from pencil.params import flatten

    rng = np.random.default_rng(4)
    params = random_encoder(rng, positions=True)
    before = {name: array.copy() for name, array in flatten(params).items()}
    ids = np.array([[1, 2, 0], [3, 4, 5]])
    for config in CONFIGS.values():
        encoder(ids, params, config=config)
    assert all(np.array_equal(array, before[name]) for name, array in flatten(params).items())
    assert ids.tolist() == [[1, 2, 0], [3, 4, 5]]
