"""The exact worked lines of the book's own examples: "nolan ended", the block, the loss."""

import re

import numpy as np
import pytest

from pencil import examples
from pencil.checker.equations import holds
from pencil.paths import ROOT
from pencil.reference import (  # fmt: skip
    AttentionParams,
    attention,
    binary_cross_entropy,
    block,
    embed,
    layer_norm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    self_attention,
    stable_softmax,
)
from pencil.trace import Trace
from pencil.worked import Worked

COVER = ROOT / "book/_static/cover.svg"  # of the EPUB; cover.png is drawn from it


class Sheet(Worked):
    """Worked lines with plain spaces in their labels."""

    def text(self, reference):
        return super().text(reference).replace("\N{NO-BREAK SPACE}", " ")

    def lines(self, reference, by=None):
        return [line.replace("\N{NO-BREAK SPACE}", " ") for line in super().lines(reference, by)]


@pytest.fixture(scope="module")
def review():
    trace = Trace()
    self_attention(trace.given("embedding", examples.ROWS, words=examples.REVIEW), trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    return Sheet(trace)


@pytest.fixture(scope="module")
def pair():
    trace = Trace()
    block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    return Sheet(trace)


@pytest.mark.parametrize(
    "reference, lines",
    [
        ("embedding", ["nolan.embedding = [2, 1, 1, 0]", "ended.embedding = [0, 1, 2, 1]"]),
        (
            "nolan.query",
            [
                "W_Q row 1 [1, 0, 0, 0] · nolan.embedding = 1·2 + 0·1 + 0·1 + 0·0 = 2",
                "W_Q row 2 [0, 0, 0, 0] · nolan.embedding = 0·2 + 0·1 + 0·1 + 0·0 = 0",
                "W_Q row 3 [0, 0, 1, 0] · nolan.embedding = 0·2 + 0·1 + 1·1 + 0·0 = 1",
                "W_Q row 4 [0, 0, 0, 0] · nolan.embedding = 0·2 + 0·1 + 0·1 + 0·0 = 0",
                "nolan.query = [2, 0, 1, 0]",
            ],
        ),
        (
            "nolan.scores",
            [
                "nolan.query · nolan.key = 2·1 + 0·0 + 1·0 + 0·0 = 2",
                "nolan.query · ended.key = 2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8",
                "nolan.score = [2, 8]",
            ],
        ),
        ("ended.scores[ended]", ["ended.query · ended.key = 0·3 + 0·0 + 2·2 + 0·0 = 4"]),
        ("nolan.scaled", ["nolan.scaled = [2, 8] / 2 = [1, 4]"]),
        ("nolan.scaled[ended]", ["nolan.scaled[ended] = 8 / 2 = 4"]),
        ("nolan.exp", ["nolan.exp[nolan] = e^1 = 2.718", "nolan.exp[ended] = e^4 = 54.60", "nolan.exp = [2.718, 54.60]"]),
        ("nolan.exp_sum", ["nolan.sum of exp = 2.718 + 54.60 = 57.32"]),
        ("exp_sum", ["nolan.sum of exp = 2.718 + 54.60 = 57.32", "ended.sum of exp = 1 + 7.389 = 8.389", "sum of exp = [57.32, 8.389]"]),
        ("nolan.weights", ["nolan.share = [2.718, 54.60] / 57.32 = [0.047, 0.953]"]),
        ("nolan.weights[ended]", ["nolan.share[ended] = 54.60 / 57.32 = 0.953"]),
        (
            "nolan.weighted_values",
            [
                "nolan.weighted value[nolan] = 0.047 × [2, 0, 0, 1] = [0.094, 0, 0, 0.047]",
                "nolan.weighted value[ended] = 0.953 × [0, 3, 1, 0] = [0, 2.859, 0.953, 0]",
            ],
        ),
        ("nolan.context", ["nolan.context = [0.094, 0, 0, 0.047] + [0, 2.859, 0.953, 0] = [0.094, 2.859, 0.953, 0.047]"]),
        ("nolan.context[1]", ["nolan.context number 2 = 0 + 2.859 = 2.859"]),
    ],
)
def test_the_path_of_nolan_ended(review, reference, lines):
    assert review.lines(reference) == lines
    if len(lines) == 1:
        assert review.text(reference) == lines[0]


def test_the_cover_has_lines_of_the_book(review):
    drawn = COVER.read_text(encoding="utf-8")
    written = re.findall(r">(nolan\.[^<]+)<", drawn)
    raised = str.maketrans({"¹": "^1", "⁴": "^4"})
    wanted = [line for name in ("exp", "exp_sum", "weights") for line in review.lines(f"nolan.{name}")]
    assert [line.translate(raised) for line in written] == [line for line in wanted if not line.startswith("nolan.exp = ")]
    lane, bars = re.findall(r"M(225) 1060H(815)", drawn)[0], re.findall(r'<rect x="225" .*?width="(\d+)"', drawn)
    shares = review.trace.find("nolan.weights").paper
    assert re.findall(r'<text x="838".*?>(.*?)<', drawn) == [f"{share:.3f}" for share in shares]
    assert [int(wide) for wide in bars] == [round((int(lane[1]) - int(lane[0])) * share) for share in shares]


@pytest.mark.parametrize(
    "reference, line",
    [
        ("cat.norm1.mean", "cat.norm1.mean = (2 + 1 + 1 + 0) / 4 = 4 / 4 = 1"),
        ("cat.norm1.deviation", "cat.norm1.deviation = [2, 1, 1, 0] − 1 = [1, 0, 0, −1]"),
        ("cat.norm1.square_sum", "cat.norm1.sum of squares = 1 + 0 + 0 + 1 = 2"),
        ("cat.norm1.variance", "cat.norm1.variance = 2 / 4 = 0.500"),
        ("cat.norm1.std", "cat.norm1.standard deviation = √0.500 = 0.707"),
        ("cat.norm1.normalized", "cat.norm1.normalized = [1, 0, 0, −1] / 0.707 = [1.414, 0, 0, −1.414]"),
        ("cat.scores[sat]", "cat.query · sat.key = 0·0 + 1.414·1.414 + (−1.414)·0 + 0·(−1.414) = 1.999"),
        ("cat.scaled", "cat.scaled = [0, 1.999] / 2 = [0, 1.000]"),  # 1.000, not 1: it was rounded
        ("sat.exp[cat]", "sat.exp[cat] = e^(−1.000) = 0.368"),
        ("sat.context", "sat.context = [0, 0, −0.707, 0.707] + [0, 0.707, 0, −0.707] = [0, 0.707, −0.707, 0]"),
        ("cat.residual", "cat.residual = [2, 1, 1, 0] + [0, 1.034, −0.380, −0.654] = [2, 2.034, 0.620, −0.654]"),
        ("cat.norm2.mean", "cat.norm2.mean = (2 + 2.034 + 0.620 − 0.654) / 4 = 4 / 4 = 1"),
        ("cat.norm2.square", "cat.norm2.square = [1, 1.034, −0.380, −1.654] × [1, 1.034, −0.380, −1.654] = [1, 1.069, 0.144, 2.736]"),
        ("cat.norm2.square_sum", "cat.norm2.sum of squares = 1 + 1.069 + 0.144 + 2.736 = 4.949"),
        (
            "cat.hidden[0]",
            "W_up row 1 [1, −1, 0, 0] · cat.norm2.normalized = 1·0.899 + (−1)·0.930 + 0·(−0.342) + 0·(−1.487) = −0.031",
        ),
        ("cat.activated[0]", "cat.activation number 1 = max(−0.031, 0) = 0"),
        ("cat.mlp_out[3]", "W_down row 4 [1, 0, 0, 0] · cat.activation = 1·0 + 0·1.145 + 0·1.829 + 0·0.588 = 0"),
        ("sat.out", "sat.out = [0, 1.707, 1.293, 1] + [0.465, 0, 1.587, 0] = [0.465, 1.707, 2.880, 1]"),
    ],
)
def test_the_path_of_cat_through_the_block(pair, reference, line):
    assert pair.text(reference) == line


def test_the_head_of_the_review():
    trace = Trace()
    mlp_head(trace.given("pooled", [0.166, 2.751, 0.917, 0.083]), trace.given_each("head", examples.REVIEW_HEAD), note=trace)
    worked = Sheet(trace)
    assert worked.lines("hidden") == [
        "hidden number 1 = 1·0.166 + 1·2.751 + 0·0.917 + 0·0.083 − 1 = 1.917",
        "hidden number 2 = 0·0.166 + 0·2.751 + (−1)·0.917 + 1·0.083 + 0 = −0.834",
        "hidden = [1.917, −0.834]",
    ]
    assert worked.lines("activated")[1] == "activation number 2 = max(−0.834, 0) = 0"
    assert worked.text("logit") == "logit = 2·1.917 + 1·0 − 1 = 2.834"
    assert worked.text("sigmoid.exp") == "sigmoid.exp = e^(−2.834) = 0.059"
    assert worked.text("sigmoid.prob") == "sigmoid.probability = 1 / (1 + 0.059) = 0.944"


@pytest.mark.parametrize(
    "truth, said, chance, loss",
    [
        (1, 0.96, "target probability = 1·0.96 + (1 − 1)·(1 − 0.96) = 0.960", "loss = −ln(0.960) = 0.041"),
        (1, 0.10, "target probability = 1·0.1 + (1 − 1)·(1 − 0.1) = 0.100", "loss = −ln(0.100) = 2.303"),
        (0, 0.25, "target probability = 0·0.25 + (1 − 0)·(1 − 0.25) = 0.750", "loss = −ln(0.750) = 0.288"),
    ],
)
def test_the_miss(truth, said, chance, loss):
    trace = Trace()
    binary_cross_entropy(trace.given("said", [said]), trace.given("target", [truth]), note=trace)
    assert [Sheet(trace).text(name) for name in ("target_prob", "loss")] == [chance, loss]


def test_an_average_of_rows_is_one_line_or_a_line_a_slot():
    trace = Trace()
    mean_pool(trace.given("x", examples.ROWS, words=examples.REVIEW), note=trace)
    worked = Sheet(trace)
    assert worked.lines("pooled") == ["pooled = ([2, 1, 1, 0] + [0, 1, 2, 1]) / 2 = [1, 1, 1.500, 0.500]"]
    assert worked.lines("pooled", by="number") == [
        "pooled number 1 = (2 + 0) / 2 = 2 / 2 = 1",
        "pooled number 2 = (1 + 1) / 2 = 2 / 2 = 1",
        "pooled number 3 = (1 + 2) / 2 = 3 / 2 = 1.500",
        "pooled number 4 = (0 + 1) / 2 = 1 / 2 = 0.500",
        "pooled = [1, 1, 1.500, 0.500]",
    ]


def test_a_width_that_is_no_square_keeps_its_root():
    trace = Trace()
    attention(
        trace.given("query", examples.LOOKUP_QUERY, words=["asker"]),
        trace.given("key", examples.LOOKUP_KEYS, words=["first", "second", "third"]),
        trace.given("value", examples.LOOKUP_VALUES, words=["first", "second", "third"]),
        note=trace,
    )
    worked = Sheet(trace)
    assert worked.text("asker.scores[third]") == "asker.query · third.key = 1·1 + 0·1 = 1"
    assert worked.text("asker.scaled") == "asker.scaled = [1, 0, 1] / √2 = [0.707, 0, 0.707]"
    assert worked.text("asker.context") == "asker.context = [4.010, 0] + [0, 1.980] + [2.005, 2.005] = [6.015, 3.985]"
    assert worked.row("asker.context") == "[6.015, 3.985]"
    assert Sheet(trace, track="exact").row("asker.context") == "[6.017, 3.983]"


def test_the_stable_softmax_takes_the_highest_of_the_whole_row():
    trace = Trace()
    stable_softmax(trace.given("scores", [[3, 1.5, -2], [0, 2, 1]], words=["one", "two"]), note=trace)
    worked = Sheet(trace)
    assert worked.text("one.max") == "one.max = max(3, 1.5, −2) = 3"
    assert worked.text("one.shifted") == "one.shifted = [3, 1.5, −2] − 3 = [0, −1.500, −5]"
    assert worked.text("two.exp[0]") == "two.exp number 1 = e^(−2) = 0.135"


def test_masked_scores_are_written_without_code():
    trace = Trace()
    x = trace.given("x", examples.ROWS, words=examples.PAIR)
    attention(x, x, x, note=trace, mask=np.tri(2, dtype=bool))
    assert Sheet(trace).lines("masked") == ["cat.masked = [3, −∞]", "sat.masked = [1.500, 3]"]


def test_one_word_alone_is_written_without_empty_sums():
    trace = Trace()
    x = trace.given("x", [[2, 1]], words=["alone"])
    attention(x, x, x, note=trace)
    worked = Sheet(trace)
    assert worked.lines("scores") == ["alone.x · alone.x = 2·2 + 1·1 = 4 + 1 = 5"]
    assert worked.text("alone.exp[alone]") == "alone.exp[alone] = e^3.536 = 34.33"
    assert worked.text("alone.exp_sum") == "alone.sum of exp = 34.33"
    assert worked.text("alone.weights[alone]") == "alone.share[alone] = 34.33 / 34.33 = 1"
    assert worked.lines("context")[-1] == "alone.context = [2, 1]"


def test_a_look_up_is_written_as_the_row_that_was_fetched():
    trace = Trace()
    embed(np.array([2, 1]), trace.given("table", [[0, 0], [5, 6], [7, 8]]), note=trace)
    assert Sheet(trace).lines("embedding") == ["embedding row 1 = [7, 8]", "embedding row 2 = [5, 6]"]


def test_two_heads_are_labelled_with_their_scope():
    trace = Trace()
    heads = tuple(trace.given_each(f"grids{i}", examples.REVIEW_PARAMS) for i in (1, 2))
    stick = trace.given("embedding", examples.ROWS, words=examples.REVIEW)
    multi_head_attention(stick, AttentionParams(heads, trace.given("output", np.tile(np.eye(4), 2))), note=trace)
    worked = Sheet(trace)
    assert worked.text("nolan.head2.weights") == "nolan.head2.share = [2.718, 54.60] / 57.32 = [0.047, 0.953]"
    assert worked.text("nolan.concat") == "nolan.concatenated = [0.094, 2.859, 0.953, 0.047, 0.094, 2.859, 0.953, 0.047]"
    assert worked.text("nolan.attn_out[0]").startswith("output row 1 [1, 0, 0, 0, 1, 0, 0, 0] · nolan.concatenated = 1·0.094 + 0·2.859")


def test_numbers_of_the_exact_track_end_in_about_where_digits_were_cut(review, pair):
    exact = Sheet(review.trace, track="exact")
    assert exact.text("nolan.exp[ended]") == "nolan.exp[ended] = e^4 ≈ 54.60"
    assert exact.text("nolan.context") == "nolan.context = [0.095, 0, 0, 0.047] + [0, 2.858, 0.953, 0] ≈ [0.095, 2.858, 0.953, 0.047]"
    assert exact.text("nolan.scaled") == "nolan.scaled = [2, 8] / 2 = [1, 4]"
    assert exact.number("nolan.weights[ended]") == "0.953"
    exact = Sheet(pair.trace, track="exact")
    assert exact.text("cat.scores[sat]").endswith("1.414·1.414 + (−1.414)·0 + 0·(−1.414) ≈ 2.000")  # 1.414 is cut, so no equality


def test_an_exact_line_that_says_equals_is_true_as_it_stands(review, pair):
    for trace in (review.trace, pair.trace):
        worked = Sheet(trace, track="exact")
        equal = {line: holds(line.partition(" = ")[2]) for name in trace.names for line in worked.lines(name) if "≈" not in line}
        assert True in equal.values() and not [line for line, true in equal.items() if true is False]


def test_every_line_of_the_book_examples_is_true(review, pair):
    for worked in (review, pair):
        every = {line: holds(line.partition(" = ")[2]) for name in worked.trace.names for line in worked.lines(name)}
        assert True in every.values() and not [line for line, true in every.items() if true is False]


def test_layer_norm_with_a_speck_says_so():
    trace = Trace()
    layer_norm(trace.given("x", [[1, 3]], words=["cat"]), note=trace, eps=1e-5)
    assert Sheet(trace).text("cat.std") == "cat.standard deviation = √(1 + 0.00001) = 1.000"


def test_what_was_only_chosen_or_compared_is_written_in_digits_and_not_in_code():
    trace = Trace()
    table = trace.given("table", [[5, -6], [7, 8]])
    stick = embed(trace.given("ids", [1, 0], words=["late", "early"]), table, note=trace)
    trace("mask", stick > 0)
    trace("activated", stick * (stick > 0))
    worked = Sheet(trace)
    assert worked.lines("embedding") == ["late.embedding = [7, 8]", "early.embedding = [5, −6]"]
    assert worked.lines("mask") == ["late.mask = [1, 1]", "early.mask = [1, 0]"]
    assert worked.text("early.activated[1]") == "early.activation number 2 = (−6)·0 = 0"


def test_two_sums_that_differ_are_not_called_the_same():
    """Heads cut out of one wide tag: a line says which head it is of."""
    trace = Trace()
    x = trace.given("x", np.arange(8).reshape(2, 4), words=["one", "two"])
    split = trace("split", x.reshape(2, 2, 2).transpose(1, 0, 2))
    trace("scores", split @ split.swapaxes(-1, -2))
    lines = [Sheet(trace).text(f"{word}.scores[{head}, {other}]") for word in ("one", "two") for head in (0, 1) for other in ("one", "two")]
    assert len({line.partition(" = ")[0] for line in lines}) == len(lines)
