"""What a reader can get wrong is a ValueError that names both values and the remedy."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from draws import check_refusal

from pencil import examples
from pencil.reference import (
    Attention,
    Classifier,
    Dictionary,
    FeedForward,
    attention,
    average,
    binary_cross_entropy,
    block,
    classifier,
    classify,
    dense,
    embed,
    feed_forward,
    layer_norm,
    match,
    multi_head_attention,
    pad_or_chop,
    self_attention,
    sigmoid,
    softmax,
    stable_softmax,
    tags,
    weighted_sum,
)  # fmt: skip
from pencil.trace import Trace

inf, nan = np.inf, np.nan
x = examples.ROWS
grids = examples.REVIEW_GRIDS
head = examples.REVIEW_HEAD
pair = examples.PAIR_BLOCK
table = np.arange(12.0).reshape(3, 4)


def ones(*shape):
    return np.ones(shape)


def grids_with(**changed):
    return replace(grids, **changed)


def block_with(**changed):
    return replace(pair, attention=replace(pair.attention, **changed))


def head_with(**changed):
    return replace(head, **changed)


def look(heads, output):
    return multi_head_attention(x, Attention(tuple(heads), output))


def work(widen, narrow):
    return feed_forward(x, FeedForward(widen, narrow))


def small_machine():
    return Classifier(table, Attention((grids,), np.eye(4)), head)


# what is done, and the parts that the message must have: what was met, what was wanted, what to do
WRONG = {
    # shapes that do not fit
    "a query wider than a key": (lambda: match(ones(2, 3), ones(2, 4)), ["query is 3 wide", "key 4", "one width for both"]),
    "attention with two widths": (lambda: attention(ones(2, 3), ones(2, 4), ones(2, 4)), ["3 wide", "key 4"]),
    "fewer values than keys": (lambda: attention(ones(2, 3), ones(3, 3), ones(2, 5)), ["3 shares for 2 value rows", "each key needs one value"]),
    "more shares than values": (lambda: weighted_sum(ones(2, 3), ones(2, 4)), ["3 shares for 2 value rows"]),
    "a mask that does not fit": (lambda: attention(x, x, x, mask=ones(3, 3) > 0), ["mask (3, 3)", "scores (2, 2)", "each query and key"]),
    "a mask with more axes": (lambda: attention(x, x, x, mask=ones(5, 2, 2) > 0), ["mask (5, 2, 2)", "scores (2, 2)"]),
    "a mask to be added": (lambda: attention(x, x, x, mask=np.where(np.tri(2), 0, -inf)), ["mask", "True where"]),
    "a query without rows": (lambda: attention(x[0], x, x), ["query", "(4,)"]),
    "a key without rows": (lambda: attention(x, x[0], x), ["key", "(4,)"]),
    "a value without rows": (lambda: weighted_sum(ones(2, 2), x[0, :2]), ["value", "(2,)"]),
    "a grid for wider sticks": (lambda: tags(x, grids_with(query=ones(4, 5))), ["stick is 4 wide", "query grid (4, 5) reads 5", "rows need 4 dials"]),
    "a grid handed in transposed": (lambda: tags(x, grids_with(value=ones(4, 2))), ["value grid (4, 2) reads 2", "transposed"]),
    "a grid that is a row": (lambda: tags(x, grids_with(key=ones(4))), ["key grid has the shape (4,)", "(numbers out, numbers in)"]),
    "an output grid for another glue": (
        lambda: look([grids, grids], ones(4, 4)),
        ["glue of the heads is 8 wide", "output grid (4, 4) reads 4", "rows need 8 dials"],
    ),
    "an output grid handed in transposed": (lambda: look([grids, grids], ones(8, 4)), ["8 wide", "(8, 4)", "transposed"]),
    "no heads": (lambda: look([], ones(4, 4)), ["no heads", "Grids(query, key, value)"]),
    "a head's WANT wider than its HAVE": (lambda: self_attention(x, grids_with(query=ones(3, 4))), ["query is 3 wide", "key 4"]),
    "a dense grid that does not fit": (lambda: dense(ones(3), ones(2, 4), ones(2)), ["stick is 3 wide", "grid (2, 4) reads 4"]),
    "nudges that do not fit": (lambda: dense(ones(4), ones(2, 4), ones(3)), ["grid of 2 rows", "bias of shape (3,)", "one number a row"]),
    "a head of two parts that do not fit": (lambda: classify(ones(4), head_with(grid2=ones(1, 3))), ["2 wide", "(1, 3) reads 3"]),
    "a summary that does not fit the head": (lambda: classify(ones(5), head), ["stick is 5 wide", "(2, 4) reads 4"]),
    "a widening grid that does not fit": (lambda: work(ones(6, 3), ones(4, 6)), ["row is 4 wide", "widening grid (6, 3)"]),
    "a narrowing grid that does not fit": (lambda: work(ones(6, 4), ones(4, 5)), ["bent row is 6 wide", "narrowing grid (4, 5)"]),
    "a block's output grid that does not fit": (lambda: block(x, block_with(output=ones(4, 3))), ["mixed row is 4 wide", "output grid (4, 3)"]),
    "a block's output grid that leads elsewhere": (lambda: block(x, block_with(output=ones(3, 4))), ["3", "4", "output grid"]),
    "a block's output grid of one row": (lambda: block(x, block_with(output=ones(1, 4))), ["1", "4", "output grid"]),
    "a block's narrowing grid of one row": (
        lambda: block(x, replace(pair, feed_forward=FeedForward(ones(4, 4), ones(1, 4)))),
        ["1", "4", "narrowing grid"],
    ),
    "a mask for other sticks": (lambda: average(x, [True, False, True]), ["2 sticks", "(3,)", "for each stick"]),
    "truths and answers of other counts": (lambda: binary_cross_entropy(np.array([1, 0]), np.array([0.9, 0.1, 0.5])), ["(2,)", "(3,)"]),
    "a row of truths and a column of answers": (lambda: binary_cross_entropy(np.array([1, 0]), np.array([[0.9], [0.1]])), ["(2,)", "(2, 1)"]),
    # nothing at all
    "no query": (lambda: attention(ones(0, 4), x, x), ["query is empty", "(0, 4)", "at least one row"]),
    "no keys": (lambda: attention(x, ones(0, 4), ones(0, 4)), ["key is empty", "(0, 4)"]),
    "no scores": (lambda: softmax(ones(2, 0)), ["scores is empty", "(2, 0)"]),
    "no scores, stable": (lambda: stable_softmax(ones(0)), ["scores is empty"]),
    "no words": (lambda: self_attention(ones(0, 4), grids), ["x is empty", "(0, 4)"]),
    "no sticks": (lambda: average(ones(0, 4)), ["x is empty"]),
    "an empty row": (lambda: layer_norm(ones(2, 0)), ["x is empty"]),
    "no ids": (lambda: embed(np.array([], int), table), ["ids is empty"]),
    "no tokens": (lambda: Dictionary({"a": 1}, 1).ids([]), ["no tokens", "at least one word"]),
    "an empty review": (lambda: classifier(np.array([], int), small_machine()), ["ids is empty"]),
    "no answer": (lambda: binary_cross_entropy(ones(0), ones(0)), ["truth is empty"]),
    "no slots": (lambda: pad_or_chop([1, 2], 0), ["max_len=0", "at least 1"]),
    "a negative number of slots": (lambda: pad_or_chop([1, 2], -3), ["max_len=-3", "at least 1"]),
    "a dictionary that keeps nothing": (lambda: Dictionary({"a": 1}, 0), ["size=0 keeps no word", "at least 1"]),
    # NaN
    "NaN in a score": (lambda: softmax(np.array([[1, nan]])), ["scores[0, 1] is NaN", "mend it"]),
    "NaN in a score, stable": (lambda: stable_softmax(np.array([1, 2, nan])), ["scores[2] is NaN"]),
    "NaN in a query": (lambda: attention(x * nan, x, x), ["query[0, 0] is NaN"]),
    "NaN in a value": (lambda: attention(x, x, np.array([[1, 1], [1, nan]])), ["value[1, 1] is NaN"]),
    "NaN in a stick": (lambda: self_attention(np.array([[1, 2, nan, 0]]), grids), ["x[0, 2] is NaN"]),
    "NaN in a grid": (lambda: self_attention(x, grids_with(key=ones(4, 4) * nan)), ["key_grid[0, 0] is NaN"]),
    "NaN in an output grid": (lambda: look([grids], ones(4, 4) * nan), ["output[0, 0] is NaN"]),
    "NaN in a row to tame": (lambda: layer_norm(np.array([1, nan])), ["x[1] is NaN"]),
    "NaN to average": (lambda: average(np.array([[nan]])), ["x[0, 0] is NaN"]),
    "NaN in a nudge": (lambda: dense(ones(2), ones(1, 2), np.array([nan])), ["bias[0] is NaN"]),
    "NaN to crush": (lambda: sigmoid(np.array([nan])), ["z[0] is NaN"]),
    "NaN in an answer": (lambda: binary_cross_entropy(np.array([1]), np.array([nan])), ["answer[0] is NaN"]),
    "NaN in a table": (lambda: embed([0], np.array([[nan]])), ["table[0, 0] is NaN"]),
    # values outside their range
    "an id beyond the table": (lambda: embed([1, 3], table), ["id 3 is outside the table's 3 rows (0 to 2)", "unknown"]),
    "a negative id, which NumPy would count from the end": (lambda: embed([1, -1], table), ["id -1 is outside", "0 to 2"]),
    "an id that is no whole number": (lambda: embed([0, 1.5], table), ["1.5", "whole"]),
    "a rank of nought": (lambda: Dictionary({"the": 0}, 5), ["ranks start at 1", "'the': 0", "0 is padding"]),
    "a truth that is neither": (lambda: binary_cross_entropy(np.array([0.5]), np.array([0.5])), ["truth is [0.5]", "0 or 1"]),
    "an answer above one": (lambda: binary_cross_entropy(np.array([1]), np.array([1.5])), ["answer is [1.5]", "sigmoid"]),
    "an answer below nought": (lambda: binary_cross_entropy(np.array([1]), np.array([-2.0])), ["answer is [-2.0]", "sigmoid"]),
    "no chance for the truth": (lambda: binary_cross_entropy(np.array([1, 0]), np.array([0.5, 1.0])), ["no chance at all", "infinite"]),
    "a flat row": (lambda: layer_norm(np.array([[1.0, 2], [3, 3]])), ["flat row", "eps", "1e-5"]),
    "a flat row whose mean has float noise": (lambda: layer_norm(np.array([0.1, 0.1, 0.1])), ["flat row", "eps"]),
    "a row that is flat but for the last bit": (lambda: layer_norm(np.array([0.3, 0.1 + 0.2])), ["flat row", "eps"]),
    "a row of one number": (lambda: layer_norm(np.array([[5.0]])), ["flat row"]),
    # padding and masks that leave nothing
    "a review of padding alone": (lambda: average(x, np.array([False, False])), ["all 2 slots are padding", "leave such a review out"]),
    "a whole row masked": (lambda: softmax(np.array([[0, 1], [-inf, -inf]])), ["whole row", "0/0", "at least one word"]),
    "a whole row masked, stable": (lambda: stable_softmax(np.array([[-inf, -inf], [0, 1]])), ["whole row", "at least one word"]),
    "a query that may look nowhere": (lambda: attention(x, x, x, mask=np.array([[True, True], [False, False]])), ["whole row", "masked"]),
    # overflow and underflow
    "a power that overflows": (lambda: softmax(np.array([[1, 710.0]])), ["e^710", "more than a float holds", "stable_softmax"]),
    "an infinite score": (lambda: softmax(np.array([[1, inf]])), ["scores[0, 1] is infinite", "mend it"]),
    "powers that all vanish": (lambda: softmax(np.array([[-800.0, -801.0]])), ["-800", "stable_softmax"]),
}


@pytest.mark.parametrize("mistake, parts", WRONG.values(), ids=WRONG)
def test_a_mistake_is_refused_and_the_message_names_it(mistake, parts):
    check_refusal(mistake, parts)


@pytest.mark.parametrize("masked", [True, False])
def test_a_review_of_padding_alone_is_refused_by_the_masked_machine_and_read_by_the_other(masked):
    ids = np.zeros(3, int)
    if masked:
        with pytest.raises(ValueError, match="all 3 slots of a text are padding"):
            classifier(ids, small_machine())
    else:
        assert classifier(ids, small_machine(), masked=False).shape == (1,)


def test_an_infinite_score_is_not_sent_to_the_stable_form_by_the_stable_form():
    with pytest.raises(ValueError) as refusal:
        stable_softmax(np.array([1, inf]))
    assert "use stable_softmax" not in str(refusal.value) and "inf" in str(refusal.value)


def test_the_greatest_power_that_fits_is_worked_out():
    assert softmax(np.array([709.0, 709.0])).tolist() == [0.5, 0.5]
    assert softmax(np.array([-708.0, -708.0])) == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("z, answer", [(-800.0, 0.0), (800.0, 1.0)])
def test_sigmoid_of_a_far_number_is_right_and_silent(z, answer):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sigmoid(np.array([z]))[0] == answer


def test_a_speck_lets_a_flat_row_pass():
    assert layer_norm(np.array([[3.0, 3.0]]), eps=1e-5).tolist() == [[0, 0]]


def test_mistakes_are_named_under_a_trace_as_well():
    trace = Trace()
    stick = trace.given("stick", x)
    for mistake, part in (
        (lambda: attention(stick, stick, trace.given("value", ones(3, 4))), "2 shares for 3 value rows"),
        (lambda: self_attention(stick, grids_with(query=ones(4, 3))), "query grid (4, 3) reads 3"),
        (lambda: layer_norm(stick * 0), "flat row"),
        (lambda: softmax(stick * 1000), "use stable_softmax"),
        (lambda: average(stick, np.array([False, False])), "all 2 slots are padding"),
        (lambda: embed(trace.given("ids", [0.0, 7.0]), trace.given("table", table)), "id 7 is outside"),
    ):
        with pytest.raises(ValueError) as refusal:
            mistake()
        assert part in str(refusal.value)


def test_a_refused_step_leaves_no_name_behind_that_was_not_reached():
    trace = Trace()
    stick = trace.given("stick", x)
    with pytest.raises(ValueError):
        attention(stick, stick, trace.given("value", ones(3, 4)), trace)
    assert "mixed" not in trace.names


def test_bundles_are_frozen():
    for bundle in (grids, head, pair, Dictionary({"a": 1}, 1)):
        with pytest.raises(AttributeError):
            setattr(bundle, next(iter(bundle.__dataclass_fields__)), None)
