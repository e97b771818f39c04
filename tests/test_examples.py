"""The book's fixed numbers are those of its sources, and the parameters that we added give the printed queries, keys and values."""

import numpy as np
import pytest

from pencil import examples
from pencil.params import flatten
from pencil.reference import (  # fmt: skip
    AttentionParams,
    ClassifierParams,
    RNNClassifierParams,
    attention,
    block,
    build_vocabulary,
    classifier,
    cross_attention,
    mean_pool,
    mlp_head,
    multi_head_attention,
    qkv,
    rnn_classifier,
    self_attention,
)

PRINTED_TAGS = {
    "query": [[2, 0, 1, 0], None],
    "key": [[1, 0, 0, 0], [3, 0, 2, 0]],
    "value": [[2, 0, 0, 1], [0, 3, 1, 0]],
}


def test_the_running_rows_are_nolan_and_ended_and_cat_and_sat():
    assert examples.ROWS.tolist() == [[2, 1, 1, 0], [0, 1, 2, 1]]
    assert examples.REVIEW == ("nolan", "ended") and examples.PAIR == ("cat", "sat")
    assert np.array_equal(examples.PAIR_EMBEDDINGS + examples.PAIR_POSITIONS, examples.ROWS)
    assert examples.PAIR_EMBEDDINGS.tolist() == [[1, 0, 1, 0], [0, 1, 1, 0]]
    assert examples.PAIR_POSITIONS.tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]


@pytest.mark.parametrize("tag, rows", PRINTED_TAGS.items())
def test_the_grids_give_the_printed_tags(tag, rows):
    made = dict(zip(PRINTED_TAGS, qkv(examples.ROWS, examples.REVIEW_PARAMS), strict=True))[tag]
    for row, printed in zip(made, rows, strict=True):
        assert printed is None or row.tolist() == printed


def test_the_want_grid_is_the_printed_one():
    assert examples.REVIEW_PARAMS.query.tolist() == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


def test_the_grids_that_the_source_leaves_out_are_the_ones_the_book_fixed():
    assert examples.REVIEW_PARAMS.key.tolist() == [[0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]]
    assert examples.REVIEW_PARAMS.value.tolist() == [[1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 1], [0, 1, 0, -1]]


def test_the_ranks_are_the_printed_ones():
    assert examples.REVIEW_RANKS == {"the": 1, "movie": 2, "was": 3, "boring": 4, "nolan": 73, "ended": 88}


def test_the_block_grids_re_order_slots_as_printed():
    one, two, three, four = 10.0, 20.0, 30.0, 40.0
    row = np.array([[one, two, three, four]])
    asked, offered, handed = qkv(row, examples.PAIR_HEAD)
    assert asked.tolist() == [[three, one, four, two]]
    assert offered.tolist() == [[four, three, two, one]]
    assert handed.tolist() == [[two, three, four, one]]
    assert examples.PAIR_BLOCK.attention.heads == (examples.PAIR_HEAD,)
    assert (row @ examples.PAIR_BLOCK.attention.output.T).tolist() == row.tolist()
    worker = examples.PAIR_BLOCK.feed_forward
    assert worker.up.tolist() == [[1, -1, 0, 0], [0, 0, 1, -1], [1, 1, 0, 0], [0, 1, 1, 0]]
    assert (row @ worker.down.T).tolist() == [[two, three, four, one]]


def test_the_mixing_grid_and_its_row_are_the_printed_ones():
    assert examples.MIXING_MATRIX.tolist() == [[0.5, 0.2, 0.1, 0.0], [-0.3, 0.4, 0.0, 0.6], [0.1, 0.1, 0.7, 0.2], [0.0, 0.5, 0.5, 0.5]]
    assert examples.MIXING_ROW.tolist() == [1.414, 0, 0, -1.414]


def test_the_soft_lookup_is_the_printed_one():
    assert examples.LOOKUP_KEYS.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert examples.LOOKUP_VALUES.tolist() == [[10, 0], [0, 10], [5, 5]]
    assert examples.LOOKUP_QUERY.tolist() == [[1, 0]]
    out = attention(examples.LOOKUP_QUERY, examples.LOOKUP_KEYS, examples.LOOKUP_VALUES)
    assert out.ravel() == pytest.approx([6.017, 3.983], abs=5e-4)


def test_the_new_sticks_of_the_review():
    out = self_attention(examples.ROWS, examples.REVIEW_PARAMS)
    assert out[0] == pytest.approx([0.0949, 2.8577, 0.9526, 0.0474], abs=5e-5)  # what un-rounded code prints
    assert out[1] == pytest.approx([0.238, 2.642, 0.881, 0.119], abs=5e-4)


def test_the_block_gives_its_exact_rows():
    """The source prints 1.208 and 2.880, which are the paper values: see tests/trace/test_trace_source_digits.py."""
    out = block(examples.ROWS, examples.PAIR_BLOCK)
    np.testing.assert_allclose(out, [[3.145, 3.863, 1.207, -0.654], [0.465, 1.707, 2.881, 1.000]], rtol=0, atol=5e-4)


def test_the_toy_head_has_whole_numbers_and_says_liked():
    head = examples.REVIEW_HEAD
    for grid in (head.weight1, head.bias1, head.weight2, head.bias2):
        assert np.array_equal(grid, np.round(grid))
    assert (head.weight1.shape, head.weight2.shape) == ((2, 4), (1, 2))
    summary = mean_pool(self_attention(examples.ROWS, examples.REVIEW_PARAMS))
    assert mlp_head(summary, head)[0] > 0.5


def test_the_examples_fit_together_into_a_whole_machine():
    words = build_vocabulary([["nolan", "ended"]], size=2)
    table = np.vstack([np.zeros(4), examples.ROWS, np.ones(4)])
    params = ClassifierParams(table, AttentionParams((examples.REVIEW_PARAMS,) * 2, np.tile(np.eye(4), 2) / 2), examples.REVIEW_HEAD)
    said = classifier(words.ids(["nolan", "ended"]), params)
    by_hand = mlp_head(mean_pool(multi_head_attention(examples.ROWS, params.attention)), examples.REVIEW_HEAD)
    assert said == pytest.approx(by_hand, abs=1e-15)


def test_the_gap_machine_and_the_crossing_are_small_whole_numbers():
    shapes = {"MASK_VECTORS": (5, 4), "CROSS_MEMORY": (2, 4), "CROSS_ROWS": (2, 4)}
    arrays = {name: getattr(examples, name) for name in shapes}
    for params in ("MASK_PARAMS", "CROSS_PARAMS"):
        arrays |= {f"{params}.{tag}": getattr(getattr(examples, params), tag) for tag in PRINTED_TAGS}
    for name, array in arrays.items():
        assert array.shape == shapes.get(name, (4, 4)), name
        assert np.array_equal(array, np.round(array)) and abs(array).max() <= 4, name
    assert len(examples.MASK_WORDS) == len(examples.MASK_VECTORS)
    assert [examples.MASK_WORDS[i] for i in examples.MASK_TEXT] == ["cat", "gap", "fish"]
    assert len(examples.CROSS_SOURCE) == len(examples.CROSS_MEMORY) and len(examples.CROSS_TARGET) == len(examples.CROSS_ROWS)
    assert examples.CROSS_MEMORY[examples.CROSS_SOURCE.index("cat")].tolist() == examples.ROWS[0].tolist()


def test_the_looks_cross_and_none_is_all_or_nothing():
    """The first word to be written looks at the second that was read, and the second at the first."""
    seen = {}
    cross_attention(examples.CROSS_ROWS, examples.CROSS_MEMORY, examples.CROSS_PARAMS, note=seen.setdefault)
    assert seen["weights"].argmax(-1).tolist() == [1, 0]
    assert seen["weights"] == pytest.approx(np.array([[0.119, 0.881], [0.731, 0.269]]), abs=5e-4)
    assert ((seen["weights"] > 0.02) & (seen["weights"] < 0.98)).all()


def test_every_example_is_made_of_float64():
    arrays = {name: value.dtype for name, value in vars(examples).items() if isinstance(value, np.ndarray)}
    assert len(arrays) > 10 and set(arrays.values()) == {np.dtype(float)}, arrays


def test_the_walker_of_chapter_03_hears_the_not():
    """Chosen so that one word, two steps before the last, turns the answer round; every number is a half or whole."""
    params = RNNClassifierParams(examples.RNN_VECTORS, examples.RNN_PARAMS, examples.RNN_HEAD)
    answers = [rnn_classifier(np.array(ids), params, padding=False)[0] for ids in ([0, 1, 2], [1, 2], [2])]
    assert examples.RNN_WORDS == ("not", "very", "good") and answers[0] < 0.1 < 0.9 < answers[1]
    for bundle in (examples.RNN_PARAMS, examples.RNN_HEAD, examples.PAIR_RNN):
        assert all((2 * grid == np.round(2 * grid)).all() for grid in flatten(bundle).values())
