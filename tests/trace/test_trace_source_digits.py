"""Every digit that the text on the block prints, "Transformers With Pencil", comes out of the trace, on the track that it is printed on.

The digits are copied by hand. What is printed wrongly is listed in book/errata.md and tested at the end.
"""

import numpy as np
import pytest
from printed import digits, rows

from pencil import examples
from pencil.reference import add_positions, attention, block, causal_mask, linear, sinusoidal, softmax
from pencil.rounding import on_paper
from pencil.trace import Trace

# rows of the block: name, word, digits on paper
BLOCK = """
embedding         cat   1 0 1 0
embedding         sat   0 1 1 0
x                 cat   2 1 1 0
x                 sat   0 1 2 1
norm1.mean        cat   1.000
norm1.deviation   cat   1.000 0.000 0.000 -1.000
norm1.square      cat   1.000 0.000 0.000 1.000
norm1.square_sum  cat   2.000
norm1.variance    cat   0.500
norm1.std         cat   0.707
norm1.normalized  cat   1.414 0.000 0.000 -1.414
norm1.mean        sat   1.000
norm1.deviation   sat   -1.000 0.000 1.000 0.000
norm1.square      sat   1.000 0.000 1.000 0.000
norm1.square_sum  sat   2.000
norm1.variance    sat   0.500
norm1.std         sat   0.707
norm1.normalized  sat   -1.414 0.000 1.414 0.000
query             cat   0.000 1.414 -1.414 0.000
query             sat   1.414 -1.414 0.000 0.000
key               cat   -1.414 0.000 0.000 1.414
key               sat   0.000 1.414 0.000 -1.414
value             cat   0.000 0.000 -1.414 1.414
value             sat   0.000 1.414 0.000 -1.414
scaled            cat   0.000 1.000
scaled            sat   -1.000 -1.000
exp               cat   1.000 2.718
exp               sat   0.368 0.368
exp_sum           cat   3.718
weights           cat   0.269 0.731
weights           sat   0.500 0.500
weighted_values[cat] cat   0.000 0.000 -0.380 0.380
weighted_values[sat] cat   0.000 1.034 0.000 -1.034
weighted_values[cat] sat   0.000 0.000 -0.707 0.707
weighted_values[sat] sat   0.000 0.707 0.000 -0.707
context           cat   0.000 1.034 -0.380 -0.654
context           sat   0.000 0.707 -0.707 0.000
attn_out          cat   0.000 1.034 -0.380 -0.654
attn_out          sat   0.000 0.707 -0.707 0.000
residual          cat   2.000 2.034 0.620 -0.654
residual          sat   0.000 1.707 1.293 1.000
norm2.mean        cat   1.000
norm2.deviation   cat   1.000 1.034 -0.380 -1.654
norm2.square      cat   1.000 1.069 0.144 2.736
norm2.square_sum  cat   4.949
norm2.variance    cat   1.237
norm2.std         cat   1.112
norm2.normalized  cat   0.899 0.930 -0.342 -1.487
norm2.mean        sat   1.000
norm2.deviation   sat   -1.000 0.707 0.293 0.000
norm2.square      sat   1.000 0.500 0.086 0.000
norm2.square_sum  sat   1.586
norm2.variance    sat   0.397
norm2.std         sat   0.630
norm2.normalized  sat   -1.587 1.122 0.465 0.000
hidden            cat   -0.031 1.145 1.829 0.588
hidden            sat   -2.709 0.465 -0.465 1.587
activated         cat   0.000 1.145 1.829 0.588
activated         sat   0.000 0.465 0.000 1.587
mlp_out           cat   1.145 1.829 0.588 0.000
mlp_out           sat   0.465 0.000 1.587 0.000
out               cat   3.145 3.863 1.208 -0.654
out               sat   0.465 1.707 2.880 1.000
"""

# where the exact track, shown to three places, has other digits: all such rows, and only these
BLOCK_EXACT = """
scores            cat   0.000 2.000
scores            sat   -2.000 -2.000
norm2.square      cat   1.000 1.069 0.145 2.734
norm2.square_sum  cat   4.948
norm2.variance    sat   0.396
norm2.normalized  sat   -1.588 1.123 0.465 0.000
hidden            cat   -0.030 1.145 1.829 0.588
hidden            sat   -2.711 0.465 -0.465 1.588
activated         sat   0.000 0.465 0.000 1.588
mlp_out           sat   0.465 0.000 1.588 0.000
out               cat   3.145 3.863 1.207 -0.654
out               sat   0.465 1.707 2.881 1.000
"""


@pytest.fixture(scope="module")
def pair():
    trace = Trace()
    embedding = trace.given("embedding", examples.PAIR_EMBEDDINGS, words=examples.PAIR)
    x = add_positions(embedding, trace.given("positions", examples.PAIR_POSITIONS), note=trace)
    block(x, trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    return trace


@pytest.mark.parametrize("reference, expected", rows(BLOCK))
def test_the_block_prints_these_digits_on_paper(pair, reference, expected):
    assert np.ravel(pair.find(reference).paper).tolist() == expected


@pytest.mark.parametrize("reference, expected", rows(BLOCK_EXACT))
def test_the_block_has_these_digits_on_the_exact_track(pair, reference, expected):
    assert digits(pair.find(reference), "exact") == expected


def test_the_two_tracks_of_the_block_show_other_digits_in_these_rows_and_no_others(pair):
    references = [r for r, _ in rows(BLOCK)] + ["cat.scores", "sat.scores"]
    apart = {r for r in references if digits(pair.find(r), "exact") != digits(pair.find(r), "paper")}
    assert apart == {r for r, _ in rows(BLOCK_EXACT)}


def test_raw_scores_of_the_block_are_1_999_on_paper_and_scaling_meets_a_tie(pair):
    assert pair.find("cat.scores").paper.tolist() == [0, 1.999]  # 1.414 · 1.414 = 1.999396, rounded once
    assert pair.find("sat.scores").paper.tolist() == [-1.999, -1.999]
    assert pair.find("cat.scaled[sat]").paper == 1.0  # 1.999 / 2 = 0.9995, half away from zero


def test_the_printed_tags_alone_lead_to_the_new_stick():
    """The source starts from the tags and prints no HAVE and GIVE grids; ours change nothing."""
    trace = Trace()
    query = trace.given("query", [[2, 0, 1, 0]], words=["nolan"])
    key, value = trace.given("key", [[1, 0, 0, 0], [3, 0, 2, 0]]), trace.given("value", [[2, 0, 0, 1], [0, 3, 1, 0]])
    assert attention(query, key, value, note=trace).paper.tolist() == [[0.094, 2.859, 0.953, 0.047]]


@pytest.mark.parametrize("track", ["exact", "paper"])
def test_the_mixing_box_has_two_wrong_results(track):
    trace = Trace()
    row = trace.given("row", examples.MIXING_ROW)
    mixed = trace("mixing", trace.given("grid", examples.MIXING_MATRIX) @ row)
    printed = [0.848, -1.131, -0.141, -0.707]
    assert digits(mixed, track) == [0.707, -1.273, -0.141, -0.707]
    assert [p == d for p, d in zip(printed, digits(mixed, track), strict=True)] == [False, False, True, True]


def test_the_products_inside_the_mixing_box_are_those_of_the_exact_track(pair):
    """−0.849 is 0.6 times the exact −1.41421…; times the written −1.414 it would be −0.848."""
    tamed = pair.find("cat.norm1.normalized").exact
    for row, slot, printed in ((1, 0, -0.424), (1, 3, -0.849), (2, 0, 0.141), (2, 3, -0.283), (3, 3, -0.707)):
        assert on_paper(examples.MIXING_MATRIX[row, slot] * tamed[slot]) == printed


def test_three_words_that_may_not_look_ahead_share_equally_what_they_see():
    trace = Trace()
    scores = trace.given("scores", np.zeros((3, 3)), words=["one", "two", "three"])
    softmax(np.where(causal_mask(3), scores, -np.inf), note=trace)
    assert trace.find("one.weights").paper.tolist() == [1.000, 0, 0]
    assert trace.find("two.weights").paper.tolist() == [0.500, 0.500, 0]
    assert trace.find("three.weights").paper.tolist() == [0.333, 0.333, 0.333]
    assert np.array_equal(trace.find("weights").exact, [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])


def test_the_fixed_stamp_of_seat_one():
    trace = Trace()
    sinusoidal(trace.given("positions", [0, 1]), width=4, note=trace)
    assert trace.find("encoding").paper.tolist() == [[0, 1, 0, 1], [0.841, 0.540, 0.010, 1.000]]
    assert trace.find("angle[1]").paper.tolist() == [1, 0.01]  # 1 / 10000^0 and 1 / 10000^(2/4) = 1/100
    assert trace.find("sin[1]").paper.tolist() == [0.841, 0.010] and trace.find("cos[1]").paper.tolist() == [0.540, 1.000]


@pytest.mark.parametrize(
    "reference, terms",
    [
        ("cat.norm1.normalized", [1.414, 0.000, 0.000, -1.414]),
        ("cat.norm2.normalized", [0.899, 0.930, -0.342, -1.487]),
        ("sat.norm2.normalized", [-1.587, 1.122, 0.465, 0.000]),
    ],
)
def test_the_checks_that_a_tamed_row_has_middle_zero(pair, reference, terms):
    tamed = pair.find(reference)
    assert np.ravel(tamed.paper).tolist() == terms
    assert on_paper(sum(terms)) == 0 and on_paper(np.mean(tamed.exact)) == 0


@pytest.mark.parametrize("word, middle", [("cat", [2.000, 2.034, 0.620, -0.654]), ("sat", [0.000, 1.707, 1.293, 1.000])])
def test_the_middle_of_each_stream_is_four_over_four(pair, word, middle):
    assert pair.find(f"{word}.residual").paper.tolist() == middle
    assert on_paper(sum(middle)) == 4 and pair.find(f"{word}.norm2.mean").paper == 1


def test_the_shares_of_cat_add_up_and_are_these_percentages(pair):
    own, other = pair.find("cat.weights").paper.tolist()
    assert on_paper(own + other) == 1
    assert [f"{100 * share:.1f}" for share in pair.find("cat.weights").exact] == ["26.9", "73.1"]


def test_the_square_of_scores_is_two_by_two(pair):
    assert pair.find("scores").exact.shape == (2, 2)
    assert digits(pair.find("scores"), "exact") == [0, 2, -2, -2]


def test_the_asking_grid_written_in_full(pair):
    """Row by row: each weight-row of the re-ordering grid reads one slot of tamed cat."""
    grid = [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]
    assert pair.find("params.attention.head1.query").exact.tolist() == grid
    assert on_paper(linear(np.array([1.414, 0, 0, -1.414]), np.array(grid, float))).tolist() == [0, 1.414, -1.414, 0]
    assert pair.find("params.attention.output").exact.tolist() == np.eye(4).tolist()


@pytest.mark.parametrize(
    "word, row, terms, result",
    [
        ("cat", 0, (0.899, -0.930), -0.031),
        ("cat", 1, (-0.342, 1.487), 1.145),
        ("cat", 2, (0.899, 0.930), 1.829),
        ("cat", 3, (0.930, -0.342), 0.588),
        ("sat", 0, (-1.587, -1.122), -2.709),
        ("sat", 1, (0.465, 0.000), 0.465),
        ("sat", 2, (-1.587, 1.122), -0.465),
        ("sat", 3, (1.122, 0.465), 1.587),
    ],
)
def test_each_row_of_the_worker_and_its_bend(pair, word, row, terms, result):
    assert on_paper(sum(terms)) == result
    assert pair.find(f"{word}.hidden[{row}]").paper == result
    assert pair.find(f"{word}.activated[{row}]").paper == max(result, 0)


@pytest.mark.parametrize("unwritten", ["norm2.normalized", "scaled", "weighted_values"])
def test_a_number_that_is_not_written_down_changes_printed_digits(unwritten):
    """Which numbers stand on the paper is part of the recipe: leave one out and other digits come."""
    trace = Trace()

    def note(name, value):
        return value if name == unwritten else trace(name, value)

    block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=note)
    printed = [(r, expected) for r, expected in rows(BLOCK) if unwritten not in r and not r.endswith(".embedding")]
    assert [r for r, expected in printed if np.ravel(trace.find(r).paper).tolist() != expected]
