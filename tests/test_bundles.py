"""The flat dictionary of arrays: names, round trips, omissions, errors."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from pencil import examples
from pencil.params import flatten, map_arrays, unflatten
from pencil.reference import (  # fmt: skip
    AttentionParams,
    BlockParams,
    ClassifierParams,
    DecoderParams,
    EncoderDecoderParams,
    EncoderParams,
    FeedForwardParams,
    LayerNormParams,
    QKVParams,
    block,
    encoder_decoder,
)

rng = np.random.default_rng(8)


def draw(*shape):
    return rng.normal(size=shape)


def params(d, d_k, asked=None, biased=True):
    biases = [draw(d_k), draw(d_k), draw(d_k)] if biased else []
    return QKVParams(draw(d_k, d), draw(d_k, asked or d), draw(d_k, asked or d), *biases)


def some_block(d, cross=False):
    asked = AttentionParams((params(d, d),), draw(d, d), draw(d)) if cross else None
    norms = (
        (LayerNormParams(draw(d), draw(d)), LayerNormParams(draw(d)), LayerNormParams())
        if cross
        else (LayerNormParams(draw(d), draw(d)), LayerNormParams())
    )
    return BlockParams(
        AttentionParams((params(d, 2), params(d, 2, biased=False)), draw(d, 4)), FeedForwardParams(draw(6, d), draw(d, 6), draw(6)), norms, asked
    )


def some_machine():
    reader = EncoderParams(draw(5, 4), (some_block(4), some_block(4)), draw(3, 4), LayerNormParams(draw(4), draw(4)))
    return EncoderDecoderParams(reader, DecoderParams(draw(5, 4), (some_block(4, cross=True),), output=draw(5, 4)))


# ---- names


def test_the_names_of_the_book_block():
    assert list(flatten(examples.PAIR_BLOCK)) == [
        "attention.head1.query", "attention.head1.key", "attention.head1.value", "attention.output", "feed_forward.up", "feed_forward.down",
    ]  # fmt: skip


def test_an_entry_of_a_tuple_is_called_by_the_singular_and_its_number_from_one():
    block = some_block(4, cross=True)
    assert list(flatten(block)) == [
        "attention.head1.query", "attention.head1.key", "attention.head1.value",
        "attention.head1.query_bias", "attention.head1.key_bias", "attention.head1.value_bias",
        "attention.head2.query", "attention.head2.key", "attention.head2.value", "attention.output",
        "feed_forward.up", "feed_forward.down", "feed_forward.up_bias",
        "norm1.gain", "norm1.bias", "norm2.gain",
        "cross.head1.query", "cross.head1.key", "cross.head1.value",
        "cross.head1.query_bias", "cross.head1.key_bias", "cross.head1.value_bias", "cross.output", "cross.output_bias",
    ]  # fmt: skip
    assert flatten(block)["attention.head2.key"] is block.attention.heads[1].key


def test_a_machine_of_two_halves_names_its_halves_and_their_blocks():
    names = list(flatten(some_machine()))
    assert names[0] == "encoder.embedding" and names[-1] == "decoder.output"
    assert {"encoder.block1.attention.head1.query", "encoder.block2.feed_forward.down", "encoder.positions", "encoder.norm.bias"} <= set(names)
    assert {"decoder.embedding", "decoder.block1.cross.head1.key", "decoder.block1.norm2.gain"} <= set(names)
    assert not {"decoder.positions", "decoder.norm.gain", "decoder.block1.norm3.gain"} & set(names)


def test_what_is_none_is_not_there():
    assert flatten(LayerNormParams()) == {}
    assert list(flatten(LayerNormParams(bias=np.ones(2)))) == ["bias"]
    assert list(flatten(QKVParams(*np.ones((3, 2, 2))))) == ["query", "key", "value"]


# ---- there and back


@pytest.mark.parametrize(
    "bundle",
    [
        examples.REVIEW_PARAMS,
        examples.REVIEW_HEAD,
        examples.PAIR_BLOCK,
        LayerNormParams(),
        some_block(4),
        some_block(2, cross=True),
        ClassifierParams(draw(5, 4), AttentionParams((params(4, 3),), draw(4, 3)), examples.REVIEW_HEAD),
        some_machine(),
    ],
    ids=lambda bundle: type(bundle).__name__,
)
def test_flattened_and_filled_it_is_what_it_was(bundle):
    arrays = flatten(bundle)
    back = unflatten(bundle, dict(reversed(arrays.items())))  # by name, in any order
    assert type(back) is type(bundle)
    assert list(flatten(back)) == list(arrays)
    assert all(flatten(back)[name] is array for name, array in arrays.items())


def test_filled_with_other_numbers_it_computes_with_them():
    bundle = some_block(4)
    doubled = unflatten(bundle, {name: 2 * array for name, array in flatten(bundle).items()})
    assert np.array_equal(doubled.feed_forward.up, 2 * bundle.feed_forward.up)
    assert doubled.norms[1] == LayerNormParams() and doubled.cross is None and isinstance(doubled.attention.heads, tuple)
    assert not np.allclose(block(examples.ROWS, doubled), block(examples.ROWS, bundle))


def test_a_machine_that_went_there_and_back_says_the_same():
    params, source, target = some_machine(), np.array([1, 2]), np.array([3, 4, 1])
    back = unflatten(params, {name: array.copy() for name, array in flatten(params).items()})
    assert np.array_equal(encoder_decoder(source, target, back), encoder_decoder(source, target, params))


def test_each_hands_over_every_array_with_its_name_and_builds_from_the_answers():
    seen = {}
    shapes = map_arrays(examples.PAIR_BLOCK, lambda name, array: seen.setdefault(name, array).shape, scope="params")
    assert seen == {f"params.{name}": array for name, array in flatten(examples.PAIR_BLOCK).items()}
    assert shapes.attention.heads[0].query == (4, 4) and shapes.norms == (LayerNormParams(), LayerNormParams()) and shapes.cross is None


def test_a_list_in_the_place_of_a_tuple_is_read_alike_and_comes_back_as_a_tuple():
    listed = replace(examples.PAIR_BLOCK.attention, heads=[examples.PAIR_HEAD, examples.PAIR_HEAD])
    assert "head2.value" in flatten(listed)
    assert isinstance(map_arrays(listed, lambda name, array: array).heads, tuple)


def test_a_bundle_is_never_changed():
    bundle = some_block(4)
    before = flatten(bundle)
    unflatten(bundle, {name: array + 1 for name, array in before.items()})
    assert all(flatten(bundle)[name] is array for name, array in before.items())


# ---- refusals


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda arrays: arrays.pop("attention.output"), ["'attention.output' is missing", "the arrays are attention.head1.query"]),
        (lambda arrays: arrays.update({"attention.head2.query": np.eye(4)}), ["'attention.head2.query' is not known here", "feed_forward.down"]),
        (lambda arrays: arrays.update({"feed_forward.up": np.ones((6, 4))}), ["feed_forward.up has the shape (6, 4)", "(4, 4) is wanted"]),
        (lambda arrays: arrays.update({"attention.head1.key": np.ones(4)}), ["attention.head1.key has the shape (4,)", "(4, 4) is wanted"]),
        (lambda arrays: arrays.clear(), ["is missing"]),
    ],
    ids=["one too few", "one too many", "another size", "a row for a grid", "nothing"],
)
def test_arrays_that_do_not_fill_the_bundle_are_refused_by_name(change, says):
    arrays = flatten(examples.PAIR_BLOCK)
    change(arrays)
    with pytest.raises(ValueError) as refusal:
        unflatten(examples.PAIR_BLOCK, arrays)
    for part in says:
        assert part in str(refusal.value)


def test_an_array_for_a_part_that_is_none_is_refused():
    with pytest.raises(ValueError, match="'query_bias' is not known here"):
        unflatten(examples.REVIEW_PARAMS, flatten(examples.REVIEW_PARAMS) | {"query_bias": np.ones(4)})


def test_any_frozen_dataclass_is_a_bundle():
    @dataclass(frozen=True)
    class Step:
        grid: object

    @dataclass(frozen=True)
    class Walk:
        steps: tuple
        last: Step

    walk = Walk((Step(np.eye(2)), Step(np.ones((2, 2)))), Step(np.zeros(3)))
    assert list(flatten(walk)) == ["step1.grid", "step2.grid", "last.grid"]
