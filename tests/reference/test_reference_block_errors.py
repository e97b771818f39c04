"""What a reader can get wrong in a block or a machine is a ValueError that names both values and the remedy."""

from dataclasses import replace

import numpy as np
import pytest
from draws import check_refusal

from pencil import examples
from pencil.reference import (
    Alibi,
    Attention,
    Block,
    Decoder,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Grids,
    Norm,
    Recipe,
    Rotary,
    alibi,
    attention,
    average,
    block,
    causal_mask,
    cross_attention,
    decoder,
    encoder,
    encoder_decoder,
    feed_forward,
    first,
    greatest,
    key_mask,
    last,
    layer_norm,
    linear,
    multi_head_attention,
    rotate,
    seat,
    self_attention,
    sine_cosine,
    stable_softmax,
    stack,
    unembed,
    wave,
)  # fmt: skip
from pencil.trace import Trace

nan, inf = np.nan, np.inf
x, pair, head = examples.ROWS, examples.PAIR_BLOCK, examples.PAIR_HEAD
table = np.vstack([np.ones(4), x, x + np.arange(4)])
asker = replace(pair, cross=pair.attention, norms=(Norm(),) * 3)
reader, writer = Encoder(table, (pair,)), Decoder(table, (pair,))
translator = EncoderDecoder(reader, Decoder(table, (asker,)))
flat = np.array([[1.0, 2, 3, 4], [5, 5, 5, 5]])


def ones(*shape):
    return np.ones(shape)


def with_norm(**parts):
    return replace(pair, norms=(Norm(**parts), Norm()))


WRONG = {
    # biases, gains
    "a bias for other rows": (lambda: linear(x, ones(3, 4), ones(4)), ["grid of 3 rows", "bias of shape (4,)", "one number a row"]),
    "a bias that is a grid": (lambda: linear(x, ones(3, 4), ones(3, 1)), ["grid of 3 rows", "(3, 1)"]),
    "a bias that is a list": (lambda: linear(x, ones(3, 4), [0, 0, 0]), ["bias is a list", "np.array(bias)"]),
    "NaN in a bias": (lambda: linear(x, ones(2, 4), np.array([0, nan])), ["bias[1] is NaN"]),
    "a grid that does not read the stick": (lambda: linear(x, ones(2, 3)), ["stick is 4 wide", "grid (2, 3) reads 3", "4 dials"]),
    "a tag's bias": (lambda: self_attention(x, replace(head, key_bias=ones(3))), ["grid of 4 rows", "bias of shape (3,)"]),
    "an output's bias": (lambda: block(x, replace(pair, attention=replace(pair.attention, output_bias=ones(2)))), ["grid of 4 rows", "(2,)"]),
    "a worker's bias": (lambda: feed_forward(x, FeedForward(ones(6, 4), ones(4, 6), ones(4))), ["grid of 6 rows", "bias of shape (4,)"]),
    "a gain for another width": (lambda: layer_norm(x, norm=Norm(gain=ones(3))), ["row is 4 wide", "gain has the shape (3,)", "one number a slot"]),
    "a bias of the norm for another width": (lambda: block(x, with_norm(bias=ones(5))), ["row is 4 wide", "bias has the shape (5,)"]),
    "a gain for each row": (lambda: layer_norm(x, norm=Norm(ones(2, 4))), ["4 wide", "gain has the shape (2, 4)"]),
    # flat rows
    "a flat row": (lambda: layer_norm(flat, norm=Norm(ones(4))), ["flat row", "eps", "1e-5"]),
    "a flat row in a block": (lambda: block(flat, pair), ["flat row", "eps", "1e-5"]),
    "a flat row in an encoder": (lambda: encoder(np.array([1, 0]), reader), ["flat row", "eps"]),
    "a flat row after the worker, under Post-LN": (
        lambda: block(np.array([[1.0, -1], [1, -1]]), flattening(), recipe=Recipe(norm_first=False)),
        ["flat row", "eps"],
    ),
    # two texts
    "a memory and nothing to ask it with": (
        lambda: block(x, pair, memory=x),
        ["a memory", "no grids", "cross=Attention(...)", "leave the memory out"],
    ),
    "grids to ask with and no memory": (lambda: block(x, asker), ["cross grids", "nothing to ask", "as memory"]),
    "an encoder whose blocks ask": (lambda: encoder(np.array([1, 2]), Encoder(table, (asker,))), ["cross grids", "nothing to ask"]),
    "a translator whose writer does not ask": (
        lambda: encoder_decoder(np.array([1, 2]), np.array([1]), EncoderDecoder(reader, writer)),
        ["a memory", "no grids"],
    ),
    "two norms for three moves": (lambda: block(x, replace(asker, norms=(Norm(),) * 2), memory=x), ["2 norms for 3 moves", "one norm a move"]),
    "three norms for two moves": (lambda: block(x, replace(pair, norms=(Norm(),) * 3)), ["3 norms for 2 moves"]),
    "a memory of another width": (lambda: cross_attention(x, ones(3, 5), head), ["stick is 5 wide", "key grid (4, 4) reads 4"]),
    "a memory that is one row": (lambda: cross_attention(x, x[0], head), ["memory has the shape (4,)", "memory[None, :]"]),
    "an empty memory": (lambda: block(x, asker, memory=ones(0, 4)), ["memory is empty", "(0, 4)"]),
    "NaN in a memory": (lambda: cross_attention(x, x * nan, head), ["memory[0, 0] is NaN"]),
    "a memory that is a list": (lambda: cross_attention(x, [[1, 2, 3, 4]], head), ["memory is a list"]),
    "a mask for another memory": (lambda: block(x, asker, memory=ones(3, 4) * np.arange(4), memory_mask=ones(2, 2) > 0), ["(2, 2)", "(2, 3)"]),
    "memories of another batch": (lambda: cross_attention(ones(2, 3, 4), ones(3, 3, 4), head), ["batches of different sizes"]),
    # positions
    "more words than seats": (lambda: seat(ones(3, 4), ones(2, 4)), ["3 words and 2 seats", "chop the text"]),
    "a text longer than its seats": (lambda: encoder(np.array([1, 2, 1]), replace(reader, seats=ones(2, 4))), ["3 words and 2 seats"]),
    "seats of another width": (lambda: seat(x, ones(2, 3)), ["stick is 4 wide", "seat row 3"]),
    "seats that are one row": (lambda: seat(x, ones(4)), ["table has the shape (4,)"]),
    "a wave of an odd width": (lambda: wave(np.arange(2), 3), ["in pairs", "width is 3", "take 4"]),
    "a wave of no width": (lambda: sine_cosine(np.arange(2), 0), ["width is 0", "take 2"]),
    "a wave for one seat that is no row": (lambda: wave(np.float64(1), 4), ["seats have the shape ()", "np.arange(words)"]),
    "a wave for a grid of seats": (lambda: sine_cosine(ones(2, 2), 4), ["seats have the shape (2, 2)"]),
    "a wave for a list": (lambda: wave([0, 1], 4), ["seats is a list", "np.array(seats)"]),
    "a lean for a grid of seats": (lambda: alibi(ones(2, 2), 0.5), ["seats have the shape (2, 2)", "one number a word"]),
    "a lean for no seats": (lambda: alibi(ones(0), 0.5), ["seats is empty"]),
    "angles for other words": (lambda: rotate(x, *wave(np.arange(3), 4)), ["rows (2, 4)", "angles (3, 2)", "each word and pair of slots"]),
    "angles for another width": (lambda: rotate(x, *wave(np.arange(2), 6)), ["rows (2, 4)", "angles (2, 3)"]),
    "angles that are one row": (lambda: rotate(x, ones(2), ones(2)), ["rows (2, 4)", "angles (2,)"]),
    "sines and cosines of two waves": (lambda: rotate(x, ones(2, 2), ones(2, 1)), ["sines (2, 2)", "cosines (2, 1)", "from one wave"]),
    "a turn in a head of odd width": (lambda: self_attention(x, Grids(*ones(3, 3, 4)), positions=Rotary()), ["width is 3", "take 4"]),
    "turns for other seats": (lambda: self_attention(x, head, positions=Rotary(np.arange(3))), ["3 seats for 2 words", "one seat", "0, 1, 2"]),
    "leans for other seats": (lambda: self_attention(x, head, positions=Alibi(np.arange(3))), ["3 seats for 2 words"]),
    "one lean for all": (lambda: self_attention(x, head, positions=Alibi(ones(1))), ["1 seats for 2 words"]),
    # masks
    "a mask for no words": (lambda: causal_mask(0), ["0 words", "at least 1"]),
    "a text of padding alone": (lambda: key_mask([0, 0]), ["all 2 slots", "padding", "leave such a text out"]),
    "a batch with one text of padding alone": (lambda: key_mask([[1, 0], [0, 0]]), ["all 2 slots of a text are padding"]),
    "padding alone, read": (lambda: encoder(np.zeros(3, int), reader), ["all 3 slots of a text are padding"]),
    "padding alone, written on": (lambda: decoder(np.zeros(3, int), writer), ["all 3 slots of a text are padding"]),
    "padding alone, translated": (lambda: encoder_decoder(np.zeros(2, int), np.array([1]), translator), ["all 2 slots of a text are padding"]),
    "a whole row masked": (lambda: block(x, pair, mask=np.array([[True, True], [False, False]])), ["whole row", "masked", "at least one word"]),
    "a whole row masked, stable": (
        lambda: block(x, pair, mask=np.zeros((2, 2), bool), recipe=Recipe(softmax=stable_softmax)),
        ["whole row", "0/0", "at least one word"],
    ),
    "a memory masked whole": (lambda: block(x, asker, memory=x, memory_mask=np.zeros((1, 2), bool)), ["whole row", "masked"]),
    "padding before the first word of a writer": (
        lambda: decoder(np.array([0, 1, 2]), replace(writer, table=x_with_a_stick())),
        ["whole row", "masked"],
    ),
    "a mask of another length": (lambda: stack(x, (pair,), mask=causal_mask(3)), ["mask (3, 3)", "scores (2, 2)"]),
    # machines
    "no blocks": (lambda: stack(x, ()), ["no blocks", "at least one Block(...)"]),
    "no heads": (lambda: block(x, replace(pair, attention=Attention((), np.eye(4)))), ["no heads", "Grids(query, key, value)"]),
    "no heads to ask with": (lambda: block(x, replace(asker, cross=Attention((), np.eye(4))), memory=x), ["no heads"]),
    "an id beyond the table": (lambda: decoder(np.array([1, 9]), writer), ["id 9 is outside the table's 5 rows"]),
    "no ids": (lambda: decoder(np.array([], int), writer), ["ids is empty"]),
    "an output grid of another width": (lambda: unembed(x, replace(writer, output=ones(5, 3))), ["row is 4 wide", "output grid (5, 3) reads 3"]),
    "an output grid handed in transposed": (
        lambda: decoder(np.array([1, 2]), replace(writer, output=ones(4, 7))),
        ["output grid (4, 7)", "transposed"],
    ),
    "a block for another width": (lambda: encoder(np.array([1, 2]), Encoder(table[:, :3], (pair,))), ["stick is 3 wide", "(4, 4) reads 4"]),
    "scores that overflow": (lambda: block(x, loud(400), recipe=Recipe()), ["more than a float holds", "stable_softmax"]),
    # pooling
    "nothing to pool": (lambda: greatest(x, [False, False]), ["all 2 slots are padding", "no word to sum up"]),
    "no first word": (lambda: first(x, [False, False]), ["no word to sum up"]),
    "a mask for other rows": (lambda: last(x, [True]), ["2 sticks", "(1,)", "for each stick"]),
    "NaN to pool": (lambda: greatest(np.array([[nan]])), ["x[0, 0] is NaN"]),
    "one row that is no rows": (lambda: first(ones(4)), ["x has the shape (4,)"]),
    # numbers
    "NaN in the widening grid": (lambda: feed_forward(x, FeedForward(ones(4, 4) * nan, ones(4, 4))), ["widen[0, 0] is NaN"]),
    "an infinite seat": (lambda: wave(np.array([0, inf]), 4), ["seats[1] is infinite"]),
    "NaN in a seat table": (lambda: seat(x, x * nan), ["table[0, 0] is NaN"]),
    "NaN to turn": (lambda: rotate(x * nan, *wave(np.arange(2), 4)), ["x[0, 0] is NaN"]),
}


def flattening():  # attention adds nothing, the worker adds what makes the row [1, -1] flat
    grids = Grids(*np.zeros((3, 2, 2)))
    return Block(Attention((grids,), np.zeros((2, 2))), FeedForward(np.zeros((1, 2)), np.zeros((2, 1)), narrow_bias=np.array([-1.0, 1])))


def x_with_a_stick():
    return np.vstack([[3.0, 1, 4, 1], x])


def loud(times):
    large = replace(head, query=head.query * times, key=head.key * times)
    return replace(pair, attention=replace(pair.attention, heads=(large,)))


@pytest.mark.parametrize("mistake, parts", WRONG.values(), ids=WRONG)
def test_a_mistake_is_refused_and_the_message_names_it(mistake, parts):
    check_refusal(mistake, parts)


def test_the_remedies_can_be_followed():
    assert np.isfinite(block(flat, pair, recipe=Recipe(eps=1e-5))).all()
    assert np.isfinite(block(x, loud(400), recipe=Recipe(softmax=stable_softmax))).all()
    assert np.isfinite(block(x, asker, memory=x)).all()
    assert sine_cosine(np.arange(2), 4).shape == (2, 4)
    assert key_mask([1, 0]).shape == (1, 2)


def test_ids_may_be_a_plain_list():
    assert np.array_equal(encoder([1, 2], reader), encoder(np.array([1, 2]), reader))
    assert np.array_equal(decoder([1, 2], writer), decoder(np.array([1, 2]), writer))
    assert np.array_equal(encoder_decoder([1, 2], [2, 1], translator), encoder_decoder(np.array([1, 2]), np.array([2, 1]), translator))


def test_mistakes_are_named_under_a_trace_as_well():
    trace = Trace()
    rows = trace.given("x", x)
    for mistake, part in (
        (lambda: block(rows, pair, memory=rows), "no grids to ask it with"),
        (lambda: block(rows * 0, pair), "flat row"),
        (lambda: block(rows, pair, mask=np.zeros((2, 2), bool)), "whole row"),
        (lambda: seat(rows, trace.given("seats", ones(1, 4))), "2 words and 1 seats"),
        (lambda: self_attention(rows, head, positions=Rotary(trace.given("places", ones(3)))), "3 seats for 2 words"),
        (lambda: layer_norm(rows, norm=Norm(trace.given("gain", ones(3)))), "gain has the shape (3,)"),
        (lambda: linear(rows, trace.given("grid", ones(3, 4)), trace.given("bias", ones(2))), "bias of shape (2,)"),
    ):
        with pytest.raises(ValueError) as refusal:
            mistake()
        assert part in str(refusal.value)


def test_the_bundles_and_the_recipe_are_frozen():
    for bundle in (pair, pair.attention, pair.feed_forward, Norm(), reader, writer, translator, Recipe(), Rotary(), Alibi()):
        with pytest.raises(AttributeError):
            setattr(bundle, next(iter(bundle.__dataclass_fields__)), None)


def test_a_row_that_may_look_nowhere_is_no_nan_anywhere():
    """The refusal comes at the shares; nothing after it has run."""
    noted = {}
    with pytest.raises(ValueError, match="whole row"):
        attention(x, x, x, noted.setdefault, np.zeros((2, 2), bool))
    assert "weights" not in noted and not any(np.isnan(value).any() for value in noted.values())
    with pytest.raises(ValueError, match="whole row"):
        multi_head_attention(x, pair.attention, mask=np.zeros((2, 2), bool))


@pytest.mark.parametrize("pool", [average, greatest, first, last])
def test_a_batch_of_texts_has_no_one_summary(pool):
    with pytest.raises(ValueError, match=r"\(2, 3, 4\), a batch of texts"):
        pool(ones(2, 3, 4))


def test_lists_and_nan_where_arrays_are_learned():
    for gain, part in (([1, 1, 1, 1], "gain is a list"), (np.array([1, np.nan, 1, 1]), r"gain\[1\] is NaN")):
        with pytest.raises(ValueError, match=part):
            layer_norm(x, norm=Norm(gain))
    with pytest.raises(ValueError, match="x is a list"):
        unembed([1, 2], writer)
    with pytest.raises(ValueError, match=r"output\[0, 0\] is NaN"):
        unembed(x, Decoder(writer.table, writer.blocks, output=ones(5, 4) * np.nan))
