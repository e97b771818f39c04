"""The numbers of book/errata.md, recomputed. The page names each of these tests."""

import numpy as np
from errata_runs import lookup, pair, review

from pencil import examples as ex
from pencil.reference import QKVParams, attention, softmax, stable_softmax
from pencil.reference.text import Vocabulary
from pencil.rounding import show
from pencil.trace import Trace


def written(row):  # (d,) -> the digits of a row
    return [show(x) for x in row]


# ---- The whole block


def test_mixing_grid():
    trace = Trace()
    trace("mixing", trace.given("grid", ex.MIXING_MATRIX) @ trace.given("row", ex.MIXING_ROW))
    assert written(trace.find("mixing").paper) == ["0.707", "−1.273", "−0.141", "−0.707"]
    assert written(ex.MIXING_MATRIX @ (np.array([1, 0, 0, -1]) * np.sqrt(2))) == ["0.707", "−1.273", "−0.141", "−0.707"]


def test_raw_scores_on_paper():
    scores = pair().find("scores")
    assert [written(row) for row in scores.paper] == [["0.000", "1.999"], ["−1.999", "−1.999"]]
    assert np.allclose(scores.exact, [[0, 2], [-2, -2]], atol=1e-12)


def test_scaled_scores_agree():
    scaled = pair().find("scaled")
    assert written(scaled.paper.ravel()) == written(scaled.exact.ravel()) == ["0.000", "1.000", "−1.000", "−1.000"]


def test_block_on_paper_and_exactly():
    trace = pair()
    both = {  # reference: (paper, exact)
        "cat.norm2.square": (["1.000", "1.069", "0.144", "2.736"], ["1.000", "1.069", "0.145", "2.734"]),
        "cat.norm2.square_sum": ("4.949", "4.948"),
        "sat.norm2.variance": ("0.397", "0.396"),
        "sat.norm2.normalized": (["−1.587", "1.122", "0.465", "0.000"], ["−1.588", "1.123", "0.465", "0.000"]),
        "cat.hidden[0]": ("−0.031", "−0.030"),
        "sat.hidden[0]": ("−2.709", "−2.711"),
        "cat.out": (["3.145", "3.863", "1.208", "−0.654"], ["3.145", "3.863", "1.207", "−0.654"]),
        "sat.out": (["0.465", "1.707", "2.880", "1.000"], ["0.465", "1.707", "2.881", "1.000"]),
    }
    for reference, (paper, exact) in both.items():
        value = trace.find(reference)
        digits = show if np.ndim(value.exact) == 0 else written
        assert (digits(value.paper), digits(value.exact)) == (paper, exact), reference


def test_mask_changes_the_first_word():
    masked, open_ = pair(mask=np.tri(2, dtype=bool)), pair()
    assert written(masked.find("cat.weights").exact) == ["1.000", "0.000"]
    assert written(masked.find("cat.out").paper) == ["2.000", "2.122", "−0.414", "2.536"]
    assert written(masked.find("cat.out").exact) == ["2.000", "2.123", "−0.414", "2.537"]
    assert np.array_equal(masked.find("sat.out").paper, open_.find("sat.out").paper)


def test_stream_is_not_tamed():
    out = pair().find("cat.out").exact
    assert (show(out.mean()), show(out.std())) == ("1.890", "1.761")


def test_speck_and_the_digits():
    plain, small, large = pair(), pair(eps=1e-5), pair(eps=1e-3)
    for name, value in plain.names.items():
        assert np.array_equal(value.paper, small.names[name].paper), name
    assert (show(plain.find("cat.norm1.normalized[0]").exact), show(large.find("cat.norm1.normalized[0]").exact)) == ("1.414", "1.413")


def test_share_of_its_own():
    assert show(pair().find("cat.weights[cat]").exact) == "0.269"


def test_thirds():
    assert written(softmax(np.zeros(3))) == ["0.333"] * 3
    assert show(0.333 + 0.333 + 0.333) == "0.999"


# ---- The look-across machine and the kata


def test_new_sticks():
    mixed = review().find("context")
    assert [written(row) for row in mixed.paper] == [["0.094", "2.859", "0.953", "0.047"], ["0.238", "2.643", "0.881", "0.119"]]
    assert [written(row) for row in mixed.exact] == [["0.095", "2.858", "0.953", "0.047"], ["0.238", "2.642", "0.881", "0.119"]]


def test_shares_with_maximum_off():
    weights = review(stable_softmax).find("nolan.weights")
    assert (written(weights.paper), written(weights.exact)) == (["0.048", "0.952"], ["0.047", "0.953"])


def test_code_without_rounded_shares():
    exact = review().find("nolan.context").exact
    assert [f"{x:.4f}" for x in exact] == ["0.0949", "2.8577", "0.9526", "0.0474"]


def test_one_place_of_the_new_stick():
    assert [show(x, places=1) for x in review().find("nolan.context").exact] == ["0.1", "2.9", "1.0", "0.0"]


def test_rank_outside_the_dictionary():
    size, kept = 80_000, 10_000
    book = Vocabulary({"the": 1, "qxzbr": 79_999}, kept)
    assert 400_000 > size > kept
    assert list(book.ids(["qxzbr"])) == [book.unknown]


def test_rows_of_the_table():
    rows = Vocabulary({"the": 1}, 10_000).num_embeddings
    assert (rows, rows * 4, rows * 32) == (10_002, 40_008, 320_064)


def test_belt_fades_too():
    assert f"{0.9**79:.5f}" == "0.00024"
    assert show(0.99**79, places=2) == "0.45"


def test_miss_is_a_natural_log():
    assert [show(-np.log(p)) for p in (0.96, 0.10)] == ["0.041", "2.303"]
    assert [show(-np.log10(p)) for p in (0.96, 0.10)] == ["0.018", "1.000"]


def test_parameters_of_two_heads():
    def params(width, key_dim, heads):  # three grids with biases, then the output grid with its own
        glue = heads * key_dim
        return glue, 3 * (width * glue + glue) + glue * width + width

    assert params(32, 32, 2) == (64, 8_416)
    assert params(32, 16, 2) == (32, 4_224)


# ---- The soft lookup


def test_blend_of_the_soft_lookup():
    trace = lookup()
    assert written(trace.find("weights[0]").exact) == ["0.401", "0.198", "0.401"]
    assert (written(trace.find("context[0]").exact), written(trace.find("context[0]").paper)) == (["6.017", "3.983"], ["6.015", "3.985"])


def test_no_longer_query_dominates():
    longer = attention(100 * ex.LOOKUP_QUERY, ex.LOOKUP_KEYS, ex.LOOKUP_VALUES)
    assert np.allclose(longer, [[7.5, 2.5]])
    keys = ex.LOOKUP_KEYS.copy()
    keys[2] = [-1, 1]
    assert np.allclose(attention(100 * ex.LOOKUP_QUERY, keys, ex.LOOKUP_VALUES), [[10, 0]])


def test_dot_products_of_three_keys():
    assert (ex.LOOKUP_KEYS @ ex.LOOKUP_QUERY[0]).tolist() == [1, 0, 1]  # perpendicular is 0; the longer key ties


def test_softmax_slopes():
    slopes = [shares[0] * (1 - shares[0]) for shares in (softmax(np.array([2.0, 8.0])), softmax(np.array([1.0, 4.0])))]
    assert [f"{s:.3g}" for s in slopes] == ["0.00247", "0.0452"]
    assert show(slopes[1] / slopes[0], places=1) == "18.3"


# ---- The slides


def test_head_width():
    assert 50 // 10 == 5
    heads = [QKVParams(*np.zeros((3, 5, 50))) for _ in range(10)]
    assert sum(len(h.value) for h in heads) == 50


def test_same_dials_for_ten_heads():
    assert 3 * 50 * 50 == 10 * 3 * 50 * 5 == 7_500


def test_matrix_product():
    product = np.array([[3, 4], [7, 2], [5, 9]]) @ np.array([[3, 1, 5], [6, 9, 7]])
    assert product.tolist() == [[33, 39, 43], [33, 25, 49], [69, 86, 88]]


def test_rules_of_thumb_disagree():
    words = 1_000_000
    assert 50 < np.sqrt(words) / np.log2(words) < 51
