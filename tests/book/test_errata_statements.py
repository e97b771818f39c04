"""The statements of book/errata.md that a few lines can show. The page names each of these tests."""

import numpy as np
import pytest

from pencil import examples as ex
from pencil.reference import (
    PADDING,
    AttentionParams,
    ClassifierParams,
    MLPParams,
    QKVParams,
    Vocabulary,
    add_positions,
    attention,
    binary_cross_entropy,
    classifier,
    layer_norm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    pad_or_truncate,
    padding_mask,
    qkv,
    self_attention,
    sigmoid,
    sinusoidal,
    softmax,
    weighted_sum,
)
from pencil.rounding import show
from pencil.trace import Trace


@pytest.fixture
def random():
    """Every test draws the same numbers, whichever ran before it."""
    return np.random.default_rng(6)


def params(random, rows=12, width=4):
    heads = tuple(QKVParams(*random.normal(size=(3, width, width))) for _ in range(2))
    above = np.full(3, 9.0)  # a bias that lets everything through the ReLU, or some machines would give every text the same answer
    head = MLPParams(random.normal(size=(3, width)), above, random.normal(size=(1, 3)) / 9, random.normal(size=1))
    return ClassifierParams(random.normal(size=(rows, width)), AttentionParams(heads, random.normal(size=(width, 2 * width))), head)


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


def test_work_grows_with_the_square(random):
    trace = Trace()
    self_attention(trace.given("embedding", random.normal(size=(100, 4))), trace.given_each("params", ex.REVIEW_PARAMS), note=trace)
    assert trace.find("scores").exact.size == 10_000
    assert np.allclose(softmax(np.zeros(100)), 0.01)


# ---- words into numbers


def test_zeros_go_to_the_end():
    assert pad_or_truncate(np.array([73, 88]), max_len=100).tolist() == [73, 88] + [PADDING] * 98
    assert pad_or_truncate(np.arange(1, 501), max_len=100).tolist() == list(range(1, 101))


def test_padding_and_unknown_differ():
    book = Vocabulary({"the": 1, "movie": 2, "rare": 3}, 2)
    assert list(book.ids(["rare", "never"])) == [book.unknown] * 2
    assert book.unknown != PADDING and book.unknown not in (1, 2)


def test_sheet_after_padding(random):
    ids = pad_or_truncate(np.array([73, 88]), max_len=100)
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
    self_attention(trace.given("embedding", ex.ROWS, words=ex.REVIEW), trace.given_each("params", ex.REVIEW_PARAMS), note=trace)
    moves = [name for name in trace.names if name in ("query", "key", "value", "scores", "scaled", "weights", "context")]
    assert len(moves) == 7 and len({"query", "key", "value"} & set(moves)) == 3  # five moves when the tags count as one


def test_tags_are_dot_products():
    _, _, value = qkv(ex.ROWS, ex.REVIEW_PARAMS)
    shares = softmax(np.array([[1.0, 4.0]]))
    assert value[1, 1] == ex.REVIEW_PARAMS.value[1] @ ex.ROWS[1]
    assert np.isclose(weighted_sum(shares, value)[0, 1], shares[0] @ value[:, 1])


def test_linear_in_the_values_alone(random):
    x, params = random.normal(size=(3, 4)), QKVParams(*random.normal(size=(3, 4, 4)))
    query, key, value = qkv(x, params)
    assert np.allclose(attention(query, key, 2 * value), 2 * attention(query, key, value))
    assert not np.allclose(self_attention(2 * x, params), 2 * self_attention(x, params))


def test_spread_of_dot_products(random):
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
    self_attention(ex.ROWS @ np.eye(4), QKVParams(*np.ones((3, 2, 4))))
    q = trace.given("query", np.ones((1, 2)))
    attention(q, trace.given("key", np.ones((1, 2))), trace.given("value", np.ones((1, 2))), note=trace)
    assert np.isclose(trace.find("scores").exact.item() / trace.find("scaled").exact.item(), np.sqrt(2))


def test_a_head_may_be_wide(random):
    heads = tuple(QKVParams(*random.normal(size=(3, 32, 32))) for _ in range(2))
    x = random.normal(size=(5, 32))
    noted = {}
    out = multi_head_attention(x, AttentionParams(heads, random.normal(size=(32, 64))), note=noted.setdefault)
    assert noted["concat"].shape == (5, 64) and out.shape == (5, 32)


def test_one_head_needs_no_output_grid(random):
    x, params, output = random.normal(size=(3, 4)), QKVParams(*random.normal(size=(3, 4, 4))), random.normal(size=(4, 4))
    folded = QKVParams(params.query, params.key, output @ params.value)
    assert np.allclose(self_attention(x, params) @ output.T, self_attention(x, folded))


def test_ten_heads_and_an_output_grid(random):
    x, heads = random.normal(size=(5, 50)), tuple(QKVParams(*random.normal(size=(3, 5, 50))) for _ in range(10))
    concat = np.hstack([self_attention(x, params) for params in heads])
    assert np.allclose(multi_head_attention(x, AttentionParams(heads, np.eye(50))), concat)
    assert not np.allclose(multi_head_attention(x, AttentionParams(heads, random.normal(size=(50, 50)))), concat)


def test_branch_can_cancel_the_stream(random):
    x = random.normal(size=4)
    assert np.all(x + -x == 0)  # nothing in the sum prevents it


# ---- order and masks


def test_order_swaps_rows_and_no_more():
    swap = [1, 0]
    rows = self_attention(ex.ROWS, ex.REVIEW_PARAMS)
    assert np.allclose(self_attention(ex.ROWS[swap], ex.REVIEW_PARAMS), rows[swap])
    assert np.allclose(mean_pool(rows[swap]), mean_pool(rows))
    seen = np.tri(2, dtype=bool)
    masked = self_attention(ex.ROWS, ex.REVIEW_PARAMS, mask=seen)
    assert not np.allclose(self_attention(ex.ROWS[swap], ex.REVIEW_PARAMS, mask=seen), masked[swap])  # a causal mask knows order


def test_price_of_the_average(random):
    words = {"good": 1, "not": 2, "bad": 3}
    liked, disliked = (np.array([words[w] for w in text.split()]) for text in ("good not bad", "bad not good"))
    m = params(random)
    assert np.allclose(classifier(liked, m), classifier(disliked, m))


def test_repeated_words_count(random):
    m = params(random)
    assert not np.allclose(classifier(np.array([1, 2]), m), classifier(np.array([1, 1, 2]), m))


def test_padding_moves_the_answer(random):
    ids, m = pad_or_truncate(np.array([7, 8]), max_len=100), params(random)
    before = classifier(ids, m), classifier(ids, m, padding=False)
    m.embedding[PADDING] += 1
    assert np.array_equal(classifier(ids, m), before[0])
    assert not np.allclose(classifier(ids, m, padding=False), before[1])


def test_two_masks(random):
    m, ids = params(random), pad_or_truncate(np.array([7, 8]), max_len=6)
    real = padding_mask(ids)
    rows = multi_head_attention(m.embedding[ids], m.attention, mask=real[None, :])
    assert np.abs(rows[~real]).min() > 0  # padding slots still put out rows
    assert not np.allclose(mean_pool(rows), mean_pool(rows, mask=real))
    assert np.allclose(mlp_head(mean_pool(rows, mask=real), m.head), classifier(ids, m))


def test_a_row_masked_whole():
    assert np.exp(-np.inf) == 0
    with pytest.raises(ValueError, match="0/0"):
        softmax(np.full((1, 3), -np.inf))


def test_first_word_sees_itself():
    weights = softmax(np.where(np.tri(3, dtype=bool), 0.0, -np.inf))
    assert np.allclose(weights, [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])


def test_waves_near_and_far():
    def stamp(add_positions, width):
        turns = add_positions / 10_000 ** (2 * np.arange(width // 2) / width)
        return np.ravel(np.column_stack([np.sin(turns), np.cos(turns)]))

    def distance(gap, width, start=0):
        return np.linalg.norm(stamp(start + gap, width) - stamp(start, width))

    assert [show(distance(gap, 4)) for gap in (1, 3, 6)] == ["0.959", "1.995", "0.289"]
    assert np.isclose(distance(6, 4), distance(6, 4, start=11))  # the gap alone decides
    wide = [distance(gap, 512) for gap in range(60)]
    assert int(np.argmin(np.diff(wide) > 0)) == 43


def test_the_plain_stamp_makes_cat_flat():
    cat = add_positions(ex.PAIR_EMBEDDINGS[:1], sinusoidal(np.arange(1), width=4))
    assert cat.tolist() == [[1, 1, 1, 1]]
    with pytest.raises(ValueError, match="flat row"):
        layer_norm(cat)
    enlarged = add_positions(2 * ex.PAIR_EMBEDDINGS[:1], sinusoidal(np.arange(1), width=4))
    assert np.isfinite(layer_norm(enlarged)).all()


# ---- the norm, the head, the miss


def test_middle_and_spread(random):
    tamed = layer_norm(random.normal(size=(3, 8)))
    assert np.allclose(tamed.mean(-1), 0) and np.allclose(tamed.std(-1), 1)


def test_dropout_keeps_the_middle(random):
    keep = 0.9
    assert show(1 / keep) == "1.111" and np.isclose(keep * (1 / keep), 1)
    kept = random.random(200_000) < keep  # each number by itself
    assert abs((kept / keep).mean() - 1) < 0.01


def test_sigmoid_is_a_softmax_of_two():
    for z in (-3.0, 0.0, 2.5):
        assert np.isclose(sigmoid(np.array(z)), softmax(np.array([0.0, z]))[1])


def test_miss_of_the_reference():
    assert np.isclose(binary_cross_entropy(np.array(0.96), np.array(1.0)), -np.log(0.96))
