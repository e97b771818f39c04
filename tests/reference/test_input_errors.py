"""Wrong arguments raise a ValueError with both values and a remedy."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from draws import check_refusal

from pencil import examples
from pencil.reference import (  # fmt: skip
    AttentionParams,
    ClassifierParams,
    FeedForwardParams,
    Vocabulary,
    attention,
    attention_scores,
    binary_cross_entropy,
    block,
    classifier,
    embed,
    feed_forward,
    layer_norm,
    linear,
    mean_pool,
    mlp_head,
    multi_head_attention,
    pad_or_truncate,
    qkv,
    self_attention,
    sigmoid,
    softmax,
    stable_softmax,
    weighted_sum,
)
from pencil.trace import Trace

inf, nan = np.inf, np.nan
x = examples.ROWS
params = examples.REVIEW_PARAMS
head = examples.REVIEW_HEAD
pair = examples.PAIR_BLOCK
table = np.arange(12.0).reshape(3, 4)


def ones(*shape):
    return np.ones(shape)


def grids_with(**changed):
    return replace(params, **changed)


def block_with(**changed):
    return replace(pair, attention=replace(pair.attention, **changed))


def head_with(**changed):
    return replace(head, **changed)


def look(heads, output):
    return multi_head_attention(x, AttentionParams(tuple(heads), output))


def work(up, narrow):
    return feed_forward(x, FeedForwardParams(up, narrow))


def small_machine():
    return ClassifierParams(table, AttentionParams((params,), np.eye(4)), head)


# what is done, and the parts that the message must have: what was met, what was wanted, what to do
WRONG = {
    # shapes that do not fit
    "a query wider than a key": (
        lambda: attention_scores(ones(2, 3), ones(2, 4)),
        ["attention_scores: d_k is 3 in query (2, 3) and 4 in key (2, 4)"],
    ),
    "attention with two widths": (lambda: attention(ones(2, 3), ones(2, 4), ones(2, 4)), ["attention: d_k is 3 in query (2, 3) and 4 in key (2, 4)"]),
    "fewer values than keys": (lambda: attention(ones(2, 3), ones(3, 3), ones(2, 5)), ["attention: S is 3 in key (3, 3) and 2 in value (2, 5)"]),
    "more shares than values": (lambda: weighted_sum(ones(2, 3), ones(2, 4)), ["weighted_sum: S is 3 in weights (2, 3) and 2 in value (2, 4)"]),
    "a mask that does not fit": (lambda: attention(x, x, x, mask=ones(3, 3) > 0), ["mask (3, 3)", "scores (2, 2)", "each query and key"]),
    "a mask with more axes": (lambda: attention(x, x, x, mask=ones(5, 2, 2) > 0), ["mask (5, 2, 2)", "scores (2, 2)"]),
    "a mask to be added": (lambda: attention(x, x, x, mask=np.where(np.tri(2), 0, -inf)), ["mask", "True where"]),
    "a query without rows": (lambda: attention(x[0], x, x), ["query", "(4,)"]),
    "a key without rows": (lambda: attention(x, x[0], x), ["key", "(4,)"]),
    "a value without rows": (lambda: weighted_sum(ones(2, 2), x[0, :2]), ["value", "(2,)"]),
    "a grid for wider sticks": (lambda: qkv(x, grids_with(query=ones(4, 5))), ["qkv: d_model is 4 in x (2, 4) and 5 in params.query (4, 5)"]),
    "a grid handed in transposed": (
        lambda: qkv(x, grids_with(value=ones(4, 2))),
        ["qkv: d_memory is 4 in memory (2, 4) and 2 in params.value (4, 2)"],
    ),
    "a grid that is a row": (lambda: qkv(x, grids_with(key=ones(4))), ["qkv: params.key has the shape (4,); it takes (d_k, d_memory)"]),
    "an output grid for another glue": (
        lambda: look([params, params], ones(4, 4)),
        ["multi_head_attention: d_concat is 8 in concat (2, 8) and 4 in params.output (4, 4)"],
    ),
    "an output grid handed in transposed": (
        lambda: look([params, params], ones(8, 4)),
        ["multi_head_attention: d_model is 4 in x (2, 4) and 8 in params.output (8, 4)"],
    ),
    "no heads": (lambda: look([], ones(4, 4)), ["no heads", "QKVParams(query, key, value)"]),
    "a head's WANT wider than its HAVE": (
        lambda: self_attention(x, grids_with(query=ones(3, 4))),
        ["qkv: d_k is 3 in params.query (3, 4) and 4 in params.key (4, 4)"],
    ),
    "a dense grid that does not fit": (lambda: linear(ones(3), ones(2, 4), ones(2)), ["linear: d_in is 3 in x (3,) and 4 in weight (2, 4)"]),
    "nudges that do not fit": (lambda: linear(ones(4), ones(2, 4), ones(3)), ["linear: d_out is 2 in weight (2, 4) and 3 in bias (3,)"]),
    "a head of two parts that do not fit": (
        lambda: mlp_head(ones(4), head_with(weight2=ones(1, 3))),
        ["mlp_head: hidden is 2 in head.weight1 (2, 4) and 3 in head.weight2 (1, 3)"],
    ),
    "a summary that does not fit the head": (lambda: mlp_head(ones(5), head), ["mlp_head: d is 5 in pooled (5,) and 4 in head.weight1 (2, 4)"]),
    "a widening grid that does not fit": (lambda: work(ones(6, 3), ones(4, 6)), ["feed_forward: d is 4 in x (2, 4) and 3 in params.up (6, 3)"]),
    "a narrowing grid that does not fit": (
        lambda: work(ones(6, 4), ones(4, 5)),
        ["feed_forward: d_ff is 6 in params.up (6, 4) and 5 in params.down (4, 5)"],
    ),
    "a block's output grid that does not fit": (
        lambda: block(x, block_with(output=ones(4, 3))),
        ["multi_head_attention: d_concat is 4 in concat (2, 4) and 3 in params.output (4, 3)"],
    ),
    "a block's output grid that leads elsewhere": (
        lambda: block(x, block_with(output=ones(3, 4))),
        ["multi_head_attention: d_model is 4 in x (2, 4) and 3 in params.output (3, 4)"],
    ),
    "a block's output grid of one row": (
        lambda: block(x, block_with(output=ones(1, 4))),
        ["multi_head_attention: d_model is 4 in x (2, 4) and 1 in params.output (1, 4)"],
    ),
    "a block's narrowing grid of one row": (
        lambda: block(x, replace(pair, feed_forward=FeedForwardParams(ones(4, 4), ones(1, 4)))),
        ["feed_forward: d is 4 in x (2, 4) and 1 in params.down (1, 4)"],
    ),
    "a mask for other sticks": (lambda: mean_pool(x, mask=[True, False, True]), ["mean_pool: T is 2 in x (2, 4) and 3 in mask (3,)"]),
    "truths and answers of other counts": (lambda: binary_cross_entropy(np.array([0.9, 0.1, 0.5]), np.array([1, 0])), ["(2,)", "(3,)"]),
    "a row of truths and a column of answers": (lambda: binary_cross_entropy(np.array([[0.9], [0.1]]), np.array([1, 0])), ["(2,)", "(2, 1)"]),
    # nothing at all
    "no query": (lambda: attention(ones(0, 4), x, x), ["query is empty", "(0, 4)", "at least one row"]),
    "no keys": (lambda: attention(x, ones(0, 4), ones(0, 4)), ["key is empty", "(0, 4)"]),
    "no scores": (lambda: softmax(ones(2, 0)), ["scores is empty", "(2, 0)"]),
    "no scores, stable": (lambda: stable_softmax(ones(0)), ["scores is empty"]),
    "no words": (lambda: self_attention(ones(0, 4), params), ["x is empty", "(0, 4)"]),
    "no sticks": (lambda: mean_pool(ones(0, 4)), ["x is empty"]),
    "an empty row": (lambda: layer_norm(ones(2, 0)), ["x is empty"]),
    "no ids": (lambda: embed(np.array([], int), table), ["ids is empty"]),
    "no tokens": (lambda: Vocabulary({"a": 1}, 1).ids([]), ["no tokens", "at least one word"]),
    "an empty review": (lambda: classifier(np.array([], int), small_machine()), ["ids is empty"]),
    "no answer": (lambda: binary_cross_entropy(ones(0), ones(0)), ["prob is empty"]),
    "no slots": (lambda: pad_or_truncate([1, 2], max_len=0), ["max_len=0", "at least 1"]),
    "a negative number of slots": (lambda: pad_or_truncate([1, 2], max_len=-3), ["max_len=-3", "at least 1"]),
    "half a slot": (lambda: pad_or_truncate([1, 2], max_len=1.5), ["max_len=1.5 is a float", "whole number"]),
    "a dictionary that keeps half a word": (lambda: Vocabulary({"a": 1}, 2.5), ["size=2.5 is a float", "whole number"]),
    "a dictionary that keeps nothing": (lambda: Vocabulary({"a": 1}, 0), ["size=0 keeps no word", "at least 1"]),
    # NaN
    "NaN in a score": (lambda: softmax(np.array([[1, nan]])), ["scores[0, 1] is NaN", "mend it"]),
    "NaN in a score, stable": (lambda: stable_softmax(np.array([1, 2, nan])), ["scores[2] is NaN"]),
    "NaN in a query": (lambda: attention(x * nan, x, x), ["query[0, 0] is NaN"]),
    "NaN in a value": (lambda: attention(x, x, np.array([[1, 1], [1, nan]])), ["value[1, 1] is NaN"]),
    "NaN in a stick": (lambda: self_attention(np.array([[1, 2, nan, 0]]), params), ["x[0, 2] is NaN"]),
    "NaN in a grid": (lambda: self_attention(x, grids_with(key=ones(4, 4) * nan)), ["qkv: params.key[0, 0] is NaN, not a number"]),
    "NaN in an output grid": (lambda: look([params], ones(4, 4) * nan), ["output[0, 0] is NaN"]),
    "NaN in a row to tame": (lambda: layer_norm(np.array([1, nan])), ["x[1] is NaN"]),
    "NaN to average": (lambda: mean_pool(np.array([[nan]])), ["x[0, 0] is NaN"]),
    "NaN in a nudge": (lambda: linear(ones(2), ones(1, 2), np.array([nan])), ["linear: bias[0] is NaN, not a number"]),
    "NaN to crush": (lambda: sigmoid(np.array([nan])), ["z[0] is NaN"]),
    "NaN in an answer": (lambda: binary_cross_entropy(np.array([nan]), np.array([1])), ["prob[0] is NaN"]),
    "NaN in a table": (lambda: embed([0], np.array([[nan]])), ["embedding[0, 0] is NaN"]),
    # values outside their range
    "an id beyond the table": (lambda: embed([1, 3], table), ["id 3 is outside the embedding's 3 rows (0 to 2)", "unknown"]),
    "a negative id, which NumPy would count from the end": (lambda: embed([1, -1], table), ["id -1 is outside", "0 to 2"]),
    "an id that is no whole number": (lambda: embed([0, 1.5], table), ["1.5", "whole"]),
    "a rank of zero": (lambda: Vocabulary({"the": 0}, 5), ["ranks start at 1", "'the': 0", "0 is padding"]),
    "a truth that is neither": (lambda: binary_cross_entropy(np.array([0.5]), np.array([0.5])), ["target is [0.5]", "0 or 1"]),
    "an answer above one": (lambda: binary_cross_entropy(np.array([1.5]), np.array([1])), ["prob is [1.5]", "sigmoid"]),
    "an answer below zero": (lambda: binary_cross_entropy(np.array([-2.0]), np.array([1])), ["prob is [-2.0]", "sigmoid"]),
    "no chance for the truth": (lambda: binary_cross_entropy(np.array([0.5, 1.0]), np.array([1, 0])), ["the probability 0", "infinite"]),
    "a flat row": (lambda: layer_norm(np.array([[1.0, 2], [3, 3]])), ["flat row", "eps", "1e-5"]),
    "a flat row whose mean has float noise": (lambda: layer_norm(np.array([0.1, 0.1, 0.1])), ["flat row", "eps"]),
    "a row that is flat but for the last bit": (lambda: layer_norm(np.array([0.3, 0.1 + 0.2])), ["flat row", "eps"]),
    "a row of one number": (lambda: layer_norm(np.array([[5.0]])), ["flat row"]),
    # padding and masks that leave nothing
    "a review of padding alone": (lambda: mean_pool(x, mask=np.array([False, False])), ["all 2 positions are padding", "leave such a text out"]),
    "a whole row masked": (lambda: softmax(np.array([[0, 1], [-inf, -inf]])), ["whole row", "0/0", "at least one key"]),
    "a whole row masked, stable": (lambda: stable_softmax(np.array([[-inf, -inf], [0, 1]])), ["whole row", "at least one key"]),
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
        with pytest.raises(ValueError, match="all 3 positions of a text are padding"):
            classifier(ids, small_machine())
    else:
        assert classifier(ids, small_machine(), padding=False).shape == (1,)


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
    stick = trace.given("embedding", x)
    for mistake, part in (
        (lambda: attention(stick, stick, trace.given("value", ones(3, 4))), "attention: S is 2 in key (2, 4) and 3 in value (3, 4)"),
        (lambda: self_attention(stick, grids_with(query=ones(4, 3))), "qkv: d_model is 4 in x (2, 4) and 3 in params.query (4, 3)"),
        (lambda: layer_norm(stick * 0), "flat row"),
        (lambda: softmax(stick * 1000), "use stable_softmax"),
        (lambda: mean_pool(stick, mask=np.array([False, False])), "all 2 positions are padding"),
        (lambda: embed(trace.given("ids", [0.0, 7.0]), trace.given("table", table)), "id 7 is outside"),
    ):
        with pytest.raises(ValueError) as refusal:
            mistake()
        assert part in str(refusal.value)


def test_a_refused_step_leaves_no_name_behind_that_was_not_reached():
    trace = Trace()
    stick = trace.given("embedding", x)
    with pytest.raises(ValueError):
        attention(stick, stick, trace.given("value", ones(3, 4)), note=trace)
    assert "context" not in trace.names


def test_bundles_are_frozen():
    for bundle in (params, head, pair, Vocabulary({"a": 1}, 1)):
        with pytest.raises(AttributeError):
            setattr(bundle, next(iter(bundle.__dataclass_fields__)), None)
