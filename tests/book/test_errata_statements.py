"""The statements of book/errata.md that a few lines can show. Every test here is named on the page."""

import numpy as np
import pytest

from pencil import examples as ex
from pencil.reference import (
    PADDING,
    Attention,
    Classifier,
    Dictionary,
    Grids,
    Head,
    attention,
    average,
    binary_cross_entropy,
    classifier,
    classify,
    layer_norm,
    multi_head_attention,
    pad_or_chop,
    padding_mask,
    seat,
    self_attention,
    sigmoid,
    sine_cosine,
    softmax,
    tags,
    weighted_sum,
)
from pencil.rounding import show
from pencil.trace import Trace

random = np.random.default_rng(6)


def machine(rows=12, width=4):
    heads = tuple(Grids(*random.normal(size=(3, width, width))) for _ in range(2))
    head = Head(random.normal(size=(3, width)), random.normal(size=3), random.normal(size=(1, 3)), random.normal(size=1))
    return Classifier(random.normal(size=(rows, width)), Attention(heads, random.normal(size=(width, 2 * width))), head)


# ---- the walk


def test_steps_shrink_or_enlarge():
    def signal(grid, steps=89):  # the slope of the last memory for the first: a product of diag(1 - tanh^2) @ grid
        memory, slope = np.full(2, 1e-6), np.eye(2)
        for _ in range(steps):
            memory = np.tanh(grid @ memory)
            slope = np.diag(1 - memory**2) @ grid @ slope
        return np.linalg.norm(slope)

    assert signal(0.5 * np.eye(2)) < 1e-9
    assert signal(np.array([[0.0, 1.5], [-1.5, 0.0]])) < 1e-9  # tanh shrinks a large memory
    turn = np.array([[1.0, 3.0], [0.0, 1.0]])
    assert signal(turn) > 1  # a grid can enlarge it


def test_work_grows_with_the_square():
    trace = Trace()
    self_attention(trace.given("stick", random.normal(size=(100, 4))), trace.given_each("grid", ex.REVIEW_GRIDS), trace)
    assert trace.find("scores").exact.size == 10_000
    assert np.allclose(softmax(np.zeros(100)), 0.01)


# ---- words into numbers


def test_zeros_go_to_the_end():
    assert pad_or_chop(np.array([73, 88]), 100).tolist() == [73, 88] + [PADDING] * 98
    assert pad_or_chop(np.arange(1, 501), 100).tolist() == list(range(1, 101))


def test_padding_and_unknown_differ():
    book = Dictionary({"the": 1, "movie": 2, "rare": 3}, 2)
    assert list(book.ids(["rare", "never"])) == [book.unknown] * 2
    assert book.unknown != PADDING and book.unknown not in (1, 2)


def test_sheet_after_padding():
    ids = pad_or_chop(np.array([73, 88]), 100)
    sheet = random.normal(size=(102, 4))[ids]
    assert sheet.shape == (100, 4) and (ids == PADDING).sum() == 98


def test_one_hot_and_counts():
    one_hot = np.eye(3)
    assert all(one_hot[i] @ one_hot[j] == 0 for i in range(3) for j in range(3) if i != j)
    assert show(np.linalg.norm(one_hot[0] - one_hot[1])) == show(np.sqrt(2)) == "1.414"
    assert (one_hot[0] + one_hot[2]).tolist() == [1, 0, 1]  # what the slide calls one-hot is the count of a text


# ---- attention


def test_moves_counted():
    trace = Trace()
    self_attention(trace.given("stick", ex.ROWS, words=ex.REVIEW), trace.given_each("grid", ex.REVIEW_GRIDS), trace)
    moves = [name for name in trace.names if name in ("query", "key", "value", "scores", "scaled", "weights", "mixed")]
    assert len(moves) == 7 and len({"query", "key", "value"} & set(moves)) == 3  # five moves when the tags count as one


def test_tags_are_dot_products():
    _, _, value = tags(ex.ROWS, ex.REVIEW_GRIDS)
    shares = softmax(np.array([[1.0, 4.0]]))
    assert value[1, 1] == ex.REVIEW_GRIDS.value[1] @ ex.ROWS[1]
    assert np.isclose(weighted_sum(shares, value)[0, 1], shares[0] @ value[:, 1])


def test_linear_in_the_values_alone():
    x, grids = random.normal(size=(3, 4)), Grids(*random.normal(size=(3, 4, 4)))
    query, key, value = tags(x, grids)
    assert np.allclose(attention(query, key, 2 * value), 2 * attention(query, key, value))
    assert not np.allclose(self_attention(2 * x, grids), 2 * self_attention(x, grids))


def test_spread_of_dot_products():
    for width, spread in ((4, 2), (32, np.sqrt(32)), (64, 8), (512, np.sqrt(512))):
        q, k = random.normal(size=(2, 4000, width))
        assert abs((q * k).sum(1).std() / spread - 1) < 0.05
        u, v = random.random(size=(2, 4000, width))
        assert abs((u * v).sum(1).mean() / (width / 4) - 1) < 0.05  # one sign: the mean grows


def test_only_gaps_saturate():
    scores = np.array([2.0, 8.0])
    assert np.allclose(softmax(scores), softmax(scores + 100))
    assert not np.allclose(softmax(scores), softmax(scores / 2))


def test_divisor_of_a_narrow_head():
    trace = Trace()
    self_attention(ex.ROWS @ np.eye(4), Grids(*np.ones((3, 2, 4))))
    q = trace.given("query", np.ones((1, 2)))
    attention(q, trace.given("key", np.ones((1, 2))), trace.given("value", np.ones((1, 2))), trace)
    assert np.isclose(trace.find("scores").exact.item() / trace.find("scaled").exact.item(), np.sqrt(2))


def test_a_head_may_be_wide():
    heads = tuple(Grids(*random.normal(size=(3, 32, 32))) for _ in range(2))
    x = random.normal(size=(5, 32))
    trace = Trace()
    out = multi_head_attention(trace.given("stick", x), Attention(heads, random.normal(size=(32, 64))), trace)
    assert trace.find("glued").exact.shape == (5, 64) and out.exact.shape == (5, 32)


def test_one_head_needs_no_output_grid():
    x, grids, output = random.normal(size=(3, 4)), Grids(*random.normal(size=(3, 4, 4))), random.normal(size=(4, 4))
    folded = Grids(grids.query, grids.key, output @ grids.value)
    assert np.allclose(self_attention(x, grids) @ output.T, self_attention(x, folded))


def test_ten_heads_and_an_output_grid():
    x, heads = random.normal(size=(5, 50)), tuple(Grids(*random.normal(size=(3, 5, 50))) for _ in range(10))
    glued = np.hstack([self_attention(x, grids) for grids in heads])
    assert np.allclose(multi_head_attention(x, Attention(heads, np.eye(50))), glued)
    assert not np.allclose(multi_head_attention(x, Attention(heads, random.normal(size=(50, 50)))), glued)


def test_branch_can_cancel_the_stream():
    x = random.normal(size=4)
    assert np.all(x + -x == 0)  # nothing in the sum prevents it


# ---- order and masks


def test_order_swaps_rows_and_no_more():
    swap = [1, 0]
    rows = self_attention(ex.ROWS, ex.REVIEW_GRIDS)
    assert np.allclose(self_attention(ex.ROWS[swap], ex.REVIEW_GRIDS), rows[swap])
    assert np.allclose(average(rows[swap]), average(rows))
    seen = np.tri(2, dtype=bool)
    masked = self_attention(ex.ROWS, ex.REVIEW_GRIDS, mask=seen)
    assert not np.allclose(self_attention(ex.ROWS[swap], ex.REVIEW_GRIDS, mask=seen), masked[swap])  # a causal mask knows order


def test_price_of_the_average():
    words = {"good": 1, "not": 2, "bad": 3}
    liked, disliked = (np.array([words[w] for w in text.split()]) for text in ("good not bad", "bad not good"))
    m = machine()
    assert np.allclose(classifier(liked, m), classifier(disliked, m))


def test_repeated_words_count():
    m = machine()
    assert not np.allclose(classifier(np.array([1, 2]), m), classifier(np.array([1, 1, 2]), m))


def test_padding_moves_the_answer():
    ids, m = pad_or_chop(np.array([7, 8]), 100), machine()
    before = classifier(ids, m), classifier(ids, m, masked=False)
    m.table[PADDING] += 1
    assert np.array_equal(classifier(ids, m), before[0])
    assert not np.allclose(classifier(ids, m, masked=False), before[1])


def test_two_masks():
    m, ids = machine(), pad_or_chop(np.array([7, 8]), 6)
    real = padding_mask(ids)
    rows = multi_head_attention(m.table[ids], m.attention, mask=real[None, :])
    assert np.abs(rows[~real]).min() > 0  # padding slots still put out rows
    assert not np.allclose(average(rows), average(rows, real))
    assert np.allclose(classify(average(rows, real), m.head), classifier(ids, m))


def test_a_row_masked_whole():
    assert np.exp(-np.inf) == 0
    with pytest.raises(ValueError, match="0/0"):
        softmax(np.full((1, 3), -np.inf))


def test_first_word_sees_itself():
    weights = softmax(np.where(np.tri(3, dtype=bool), 0.0, -np.inf))
    assert np.allclose(weights, [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])


def test_waves_near_and_far():
    def stamp(seat, width):
        turns = seat / 10_000 ** (2 * np.arange(width // 2) / width)
        return np.ravel(np.column_stack([np.sin(turns), np.cos(turns)]))

    def distance(gap, width, start=0):
        return np.linalg.norm(stamp(start + gap, width) - stamp(start, width))

    assert [show(distance(gap, 4)) for gap in (1, 3, 6)] == ["0.959", "1.995", "0.289"]
    assert np.isclose(distance(6, 4), distance(6, 4, start=11))  # the gap alone decides
    wide = [distance(gap, 512) for gap in range(60)]
    assert int(np.argmin(np.diff(wide) > 0)) == 43


def test_the_plain_stamp_makes_cat_flat():
    cat = seat(ex.PAIR_EMBEDDINGS[:1], sine_cosine(np.arange(1), 4))
    assert cat.tolist() == [[1, 1, 1, 1]]
    with pytest.raises(ValueError, match="flat row"):
        layer_norm(cat)
    enlarged = seat(2 * ex.PAIR_EMBEDDINGS[:1], sine_cosine(np.arange(1), 4))
    assert np.isfinite(layer_norm(enlarged)).all()


# ---- the norm, the head, the miss


def test_middle_and_spread():
    tamed = layer_norm(random.normal(size=(3, 8)))
    assert np.allclose(tamed.mean(-1), 0) and np.allclose(tamed.std(-1), 1)


def test_dropout_keeps_the_middle():
    keep = 0.9
    assert show(1 / keep) == "1.111" and np.isclose(keep * (1 / keep), 1)
    kept = random.random(200_000) < keep  # each number by itself
    assert abs((kept / keep).mean() - 1) < 0.01


def test_sigmoid_is_a_softmax_of_two():
    for z in (-3.0, 0.0, 2.5):
        assert np.isclose(sigmoid(np.array(z)), softmax(np.array([0.0, z]))[1])


def test_miss_of_the_reference():
    assert np.isclose(binary_cross_entropy(np.array(1.0), np.array(0.96)), -np.log(0.96))
