"""What must hold for any numbers: order and the lack of it, no look ahead, no trace of padding, batches, two texts."""

from dataclasses import replace

import numpy as np
import pytest
from draws import arrays, blocks, decoders, encoders, layers, masks, norms, workers
from hypothesis import given, settings
from hypothesis import strategies as st

from pencil.reference import (
    Alibi,
    EncoderDecoder,
    Norm,
    Recipe,
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
)  # fmt: skip

quick = settings(max_examples=25, deadline=None, derandomize=True)
close = {"rtol": 1e-8, "atol": 1e-9}  # width 2 and small spreads make LayerNorm steep
lengths, widths, words_alone = st.integers(1, 4), st.integers(2, 5), st.lists(st.integers(1, 5), min_size=1, max_size=4)
RECIPES = {
    "Pre-LN": Recipe(eps=1e-5),
    "Post-LN": Recipe(norm_first=False, eps=1e-5),
    "GELU and the stable softmax": Recipe(eps=1e-5, bend=gelu, softmax=stable_softmax),
    "Rotary": Recipe(eps=1e-5, positions=Rotary()),
    "Alibi": Recipe(norm_first=False, eps=1e-5, positions=Alibi()),
}
recipes = st.sampled_from(list(RECIPES)).map(RECIPES.get)
orderless = st.sampled_from([RECIPES[name] for name in ("Pre-LN", "Post-LN", "GELU and the stable softmax")])


def same(ours, theirs):
    np.testing.assert_allclose(ours, theirs, **close)


# ---- order, and the lack of it


@quick
@given(st.data(), lengths, widths, orderless)
def test_a_block_and_a_stack_swap_with_their_words(data, words, d, recipe):
    x, grids = data.draw(arrays(words, d)), tuple(data.draw(blocks(d)) for _ in range(2))
    order, norm = data.draw(st.permutations(range(words))), data.draw(norms(d))
    same(block(x[order], grids[0], recipe=recipe), block(x, grids[0], recipe=recipe)[order])
    same(stack(x[order], grids, recipe=recipe, norm=norm), stack(x, grids, recipe=recipe, norm=norm)[order])


@quick
@given(st.data(), st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any), widths, orderless)
def test_an_encoder_without_seats_swaps_with_its_words_and_its_padding(data, ids, d, recipe):
    machine = data.draw(encoders(6, 0, d))
    order = data.draw(st.permutations(range(len(ids))))
    same(encoder(np.array(ids)[order], machine, recipe=recipe), encoder(np.array(ids), machine, recipe=recipe)[order])


@pytest.mark.parametrize("told", ["seats", "Rotary", "Alibi"])
@pytest.mark.parametrize("seed", range(3))
def test_an_encoder_that_is_told_the_order_does_not(told, seed):
    rng = np.random.default_rng(seed)
    machine, recipe = random_encoder(rng, seats=told == "seats"), RECIPES.get(told, Recipe())
    ids, order = np.array([1, 2, 3]), [2, 0, 1]
    moved = np.abs(encoder(ids[order], machine, recipe=recipe) - encoder(ids, machine, recipe=recipe)[order]).max()
    assert moved > 1e-5  # Alibi leans by 2^-8 a seat in the last head: little, and far above the noise


@pytest.mark.parametrize("seed", range(3))
def test_a_causal_mask_alone_tells_the_order(seed):
    rng = np.random.default_rng(seed)
    grids, x, order = random_encoder(rng, seats=False).blocks, rng.normal(size=(3, 4)), [2, 0, 1]
    assert np.abs(stack(x[order], grids, mask=causal_mask(3)) - stack(x, grids, mask=causal_mask(3))[order]).max() > 1e-3


def random_encoder(rng, seats):
    from pencil.reference import Attention, Block, Encoder, FeedForward, Grids

    def one():
        heads = tuple(Grids(*rng.normal(size=(3, 2, 4)) * 2) for _ in range(2))
        return Block(Attention(heads, rng.normal(size=(4, 4))), FeedForward(rng.normal(size=(8, 4)), rng.normal(size=(4, 8))))

    return Encoder(rng.normal(size=(6, 4)), (one(), one()), rng.normal(size=(3, 4)) if seats else None)


# ---- no word looks ahead


@quick
@given(st.data(), st.integers(2, 4), widths, recipes)
def test_in_a_causal_block_and_stack_no_row_changes_when_later_words_do(data, words, d, recipe):
    x, grids = data.draw(arrays(words, d)), tuple(data.draw(blocks(d, d_k=2)) for _ in range(2))
    seen = data.draw(st.integers(1, words - 1))
    changed = x.copy()
    changed[seen:] += data.draw(arrays(words - seen, d))
    for run in (lambda rows, mask: block(rows, grids[0], mask=mask, recipe=recipe), lambda rows, mask: stack(rows, grids, mask=mask, recipe=recipe)):
        before = run(x, causal_mask(words))[:seen]
        same(run(changed, causal_mask(words))[:seen], before)
        same(run(x[:seen], causal_mask(seen)), before)  # what was not yet written is as good as not there


@quick
@given(st.data(), st.lists(st.integers(1, 5), min_size=2, max_size=5), widths, recipes)
def test_the_scores_of_a_decoder_never_change_when_later_words_do(data, ids, d, recipe):
    machine, seen = data.draw(decoders(6, 5, d, d_k=2)), data.draw(st.integers(1, len(ids) - 1))
    other = ids[:seen] + data.draw(st.lists(st.integers(0, 5), min_size=len(ids) - seen, max_size=len(ids) - seen))
    before = decoder(np.array(ids), machine, recipe=recipe)[:seen]
    same(decoder(np.array(other), machine, recipe=recipe)[:seen], before)
    same(decoder(np.array(ids[:seen]), machine, recipe=recipe), before)


# ---- padding leaves no trace


@quick
@given(st.data(), words_alone, st.integers(1, 4), widths, recipes)
def test_padding_never_changes_a_real_row_of_an_encoder_or_a_decoder(data, ids, empty, d, recipe):
    padded, real = np.array(ids + [0] * empty), slice(len(ids))
    for machine, run in ((data.draw(encoders(6, 8, d, d_k=2)), encoder), (data.draw(decoders(6, 8, d, d_k=2)), decoder)):
        rows = run(np.array(ids), machine, recipe=recipe)
        same(run(padded, machine, recipe=recipe)[real], rows)
        machine.table[0] += data.draw(arrays(d))  # another stick behind the empty slots
        tied = run is decoder and machine.output is None  # then row 0 is also the unembedding of token 0
        same(run(padded, machine, recipe=recipe)[real][..., 1 if tied else 0 :], rows[..., 1 if tied else 0 :])


@quick
@given(st.data(), words_alone, words_alone, st.integers(1, 3), st.integers(1, 3), widths, orderless)
def test_padding_of_either_text_never_changes_what_is_written(data, source, target, empty, empty_target, d, recipe):
    machine = EncoderDecoder(data.draw(encoders(6, 8, d)), data.draw(decoders(6, 8, d, None, d)))
    said = encoder_decoder(np.array(source), np.array(target), machine, recipe=recipe)
    longer = encoder_decoder(np.array(source + [0] * empty), np.array(target + [0] * empty_target), machine, recipe=recipe)
    same(longer[: len(target)], said)
    machine.encoder.table[0] += data.draw(arrays(d))
    same(encoder_decoder(np.array(source + [0] * empty), np.array(target), machine, recipe=recipe), said)


# ---- batches


def padded(texts):
    longest = max(map(len, texts))
    return np.array([ids + [0] * (longest - len(ids)) for ids in texts])


@quick
@given(st.data(), st.lists(words_alone, min_size=2, max_size=3), widths, recipes)
def test_texts_side_by_side_are_each_read_and_written_alone(data, texts, d, recipe):
    for machine, run in ((data.draw(encoders(6, 5, d, d_k=2)), encoder), (data.draw(decoders(6, 5, d, d_k=2)), decoder)):
        together = run(padded(texts), machine, recipe=recipe)
        for rows, ids in zip(together, texts, strict=True):
            same(rows[: len(ids)], run(np.array(ids), machine, recipe=recipe))
        for rows, ids in zip(together, padded(texts), strict=True):  # the rows of the padding as well
            same(rows, run(ids, machine, recipe=recipe))


@quick
@given(st.data(), st.lists(st.tuples(words_alone, words_alone), min_size=2, max_size=3), widths, orderless)
def test_pairs_of_texts_side_by_side_are_each_translated_alone(data, pairs, d, recipe):
    machine = EncoderDecoder(data.draw(encoders(6, 5, d)), data.draw(decoders(6, 5, d, None, d)))
    sources, targets = zip(*pairs, strict=True)
    together = encoder_decoder(padded(sources), padded(targets), machine, recipe=recipe)
    for said, (source, target) in zip(together, pairs, strict=True):
        same(said[: len(target)], encoder_decoder(np.array(source), np.array(target), machine, recipe=recipe))


@quick
@given(st.data(), lengths, lengths, widths, recipes)
def test_a_block_takes_two_axes_of_batch(data, words, asked, d, recipe):
    grids = data.draw(blocks(d, 2, 3))
    x, memory = data.draw(arrays(2, 3, words, d)), data.draw(arrays(2, 3, asked, 3))
    out = block(x, grids, recipe=recipe, memory=memory)
    same(out[1, 2], block(x[1, 2], grids, recipe=recipe, memory=memory[1, 2]))


# ---- two texts


@quick
@given(st.data(), lengths, st.integers(2, 4), widths, orderless)
def test_the_order_of_the_asked_text_is_not_seen_and_a_mask_leaves_words_out(data, words, asked, d, recipe):
    grids, x, memory = data.draw(blocks(d, None, 3)), data.draw(arrays(words, d)), data.draw(arrays(asked, 3))
    out, order = block(x, grids, recipe=recipe, memory=memory), data.draw(st.permutations(range(asked)))
    same(block(x, grids, recipe=recipe, memory=memory[order]), out)
    seen = data.draw(masks(1, asked))[0]
    same(block(x, grids, recipe=recipe, memory=memory, memory_mask=seen), block(x, grids, recipe=recipe, memory=memory[seen]))


@quick
@given(st.data(), lengths, lengths, widths)
def test_a_question_that_is_not_heard_leaves_the_block_as_it_was(data, words, asked, d):
    grids, x, memory = data.draw(blocks(d, None, 3)), data.draw(arrays(words, d)), data.draw(arrays(asked, 3))
    deaf = replace(grids, cross=replace(grids.cross, output=np.zeros_like(grids.cross.output), output_bias=None))
    same(block(x, deaf, memory=memory), block(x, replace(grids, cross=None, norms=(grids.norms[0], grids.norms[2]))))


@quick
@given(st.data(), lengths, widths)
def test_asking_ones_own_rows_is_self_attention(data, words, d):
    x, layer = data.draw(arrays(words, d)), data.draw(layers(d))
    same(multi_head_attention(x, layer, memory=x), multi_head_attention(x, layer))


# ---- the parts of a block


@quick
@given(st.data(), lengths, widths)
def test_rows_under_post_ln_come_out_tamed(data, words, d):
    bare = replace(data.draw(blocks(d)), norms=(Norm(), Norm()))
    out = block(data.draw(arrays(words, d)), bare, recipe=Recipe(norm_first=False))
    same(out.mean(-1), np.zeros(words))
    same(out.std(-1), np.ones(words))


@quick
@given(st.data(), lengths, widths)
def test_under_post_ln_a_block_whose_branches_are_nought_only_tames(data, words, d):
    grids, x = data.draw(blocks(d)), data.draw(arrays(words, d))
    layer, worker = grids.attention, grids.feed_forward
    silent = replace(
        grids,
        attention=replace(layer, output=np.zeros_like(layer.output), output_bias=None),
        feed_forward=replace(worker, narrow=np.zeros_like(worker.narrow), narrow_bias=None),
    )
    same(block(x, silent, recipe=Recipe(False, 1e-5)), layer_norm(layer_norm(x, eps=1e-5, norm=grids.norms[0]), eps=1e-5, norm=grids.norms[1]))
    np.testing.assert_array_equal(block(x, silent), x)


@quick
@given(st.data(), lengths, widths)
def test_without_a_bend_the_two_grids_of_the_worker_are_one(data, words, d):
    x, grids = data.draw(arrays(words, d)), replace(data.draw(workers(d)), widen_bias=None, narrow_bias=None)
    same(feed_forward(x, grids, bend=lambda hidden: hidden), linear(x, grids.narrow @ grids.widen))


@quick
@given(st.data(), lengths, widths, recipes)
def test_blocks_in_a_line_are_one_stack(data, words, d, recipe):
    x, grids = data.draw(arrays(words, d)), [data.draw(blocks(d, d_k=2)) for _ in range(3)]
    out = x
    for one in grids:
        out = block(out, one, recipe=recipe)
    np.testing.assert_array_equal(stack(x, grids, recipe=recipe), out)


def test_no_machine_changes_what_it_was_given():
    from pencil.bundles import flatten

    rng = np.random.default_rng(4)
    machine = random_encoder(rng, seats=True)
    before = {name: array.copy() for name, array in flatten(machine).items()}
    ids = np.array([[1, 2, 0], [3, 4, 5]])
    for recipe in RECIPES.values():
        encoder(ids, machine, recipe=recipe)
    assert all(np.array_equal(array, before[name]) for name, array in flatten(machine).items())
    assert ids.tolist() == [[1, 2, 0], [3, 4, 5]]
