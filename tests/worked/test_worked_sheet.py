"""Worked lines: digits, sums that may be bound, labels, HTML, and errors."""

import re
from html import unescape

import numpy as np
import pytest

from pencil import examples
from pencil.reference import block, self_attention
from pencil.rounding import MINUS, show
from pencil.trace import Trace
from pencil.worked import Worked, html, plain
from pencil.worked.fragments import exact_digits

SPAN = re.compile(
    r'<span class="pencil-number"( data-track="exact")?(?: data-more)?(?: data-label="[^"]+")?'
    r' data-value="([^"]+)" data-exact="([^"]+)">([^<]*)</span>'
)


def review_trace():
    trace = Trace()
    self_attention(trace.given("embedding", examples.ROWS, words=examples.REVIEW), trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    return trace


def pair_trace():
    trace = Trace()
    block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    return trace


def mixing_trace():
    trace = Trace()
    trace("context", trace.given("grid", examples.MIXING_MATRIX) @ trace.given("row", examples.MIXING_ROW))
    return trace


@pytest.fixture(scope="module")
def review():
    return Worked(review_trace())


@pytest.fixture(scope="module")
def pair():
    return Worked(pair_trace())


# ---- digits


@pytest.mark.parametrize(
    "reference, digits",
    [
        ("nolan.weights[ended]", "0.953"),
        ("nolan.exp_sum", "57.32"),
        ("nolan.scores[ended]", "8"),
        ("nolan.weights", "[0.047, 0.953]"),
        ("scores", "[[2, 8], [0, 4]]"),
        ("nolan.weighted_values", "[[0.094, 0, 0, 0.047], [0, 2.859, 0.953, 0]]"),
        ("params.value[3]", "[0, 1, 0, −1]"),
    ],
)
def test_a_number_row_or_grid_is_written(review, reference, digits):
    assert review.row(reference) == digits


def test_number_is_for_one_number(review):
    assert review.number("nolan.weights[ended]") == "0.953"
    with pytest.raises(ValueError, match=r"nolan.weights is \(2,\) numbers, not one; add an index, or ask for row\(\)"):
        review.number("nolan.weights")


def test_whole_numbers_keep_their_places_where_the_page_wants_it():
    worked = Worked(review_trace(), whole=False)
    assert worked.row("nolan.scores") == "[2.000, 8.000]"
    assert worked.row("nolan.embedding") == "[2, 1, 1, 0]"  # given numbers stand as they were given


@pytest.mark.parametrize(
    "given, digits", [(0.5, "0.5"), (1.41421, "1.41421"), (-2.0, "−2"), (1200.0, "1200"), (-0.0, "0"), (0.1 + 0.2, "0.3"), (1e-5, "0.00001")]
)
def test_a_given_number_is_written_as_it_was_given(given, digits):
    trace = Trace()
    trace.given("x", [given])
    assert Worked(trace).number("x") == digits


def test_a_rounded_number_is_never_bare_though_it_rounds_to_a_whole_one(pair):
    assert pair.number("cat.scores[sat]") == "1.999"
    assert pair.number("cat.scaled[sat]") == "1.000"
    assert pair.number("sat.residual[3]") == "1"


# ---- sums that prose may bind


@pytest.mark.parametrize(
    "reference, sums",
    [
        ("nolan.scores[ended]", {"2·3 + 0·0 + 1·2 + 0·0 = 8", "2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8"}),
        ("nolan.scores[nolan]", {"2·1 + 0·0 + 1·0 + 0·0 = 2"}),
        ("nolan.scaled", {"[2, 8] / 2 = [1, 4]"}),
        ("nolan.exp[ended]", {"e^4 = 54.60"}),
        ("nolan.exp_sum", {"2.718 + 54.60 = 57.32"}),
        ("nolan.weights[nolan]", {"2.718 / 57.32 = 0.047"}),
        ("nolan.weighted_values[ended]", {"0.953 × [0, 3, 1, 0] = [0, 2.859, 0.953, 0]"}),
        ("nolan.context", {"[0.094, 0, 0, 0.047] + [0, 2.859, 0.953, 0] = [0.094, 2.859, 0.953, 0.047]"}),
        ("nolan.embedding", set()),
        ("nolan.embedding[0]", set()),
        ("scores", set()),
        ("nolan.scores", set()),  # its numbers have sums, the row has none
    ],
)
def test_the_sums_of_a_value(review, reference, sums):
    assert review.sums(reference) == sums


def test_an_average_may_be_bound_with_its_total_or_without():
    assert Worked(pair_trace()).sums("cat.norm1.mean") == {"(2 + 1 + 1 + 0) / 4 = 1", "(2 + 1 + 1 + 0) / 4 = 4 / 4 = 1"}


def test_the_sum_is_the_worked_line_without_its_label(pair):
    for name in pair.trace.names:
        for number in pair.numbers(name):
            sums = pair.sums(number.reference)
            assert not sums or pair.text(number.reference).partition(" = ")[2] in sums


# ---- labels and layout


def test_labels_change_what_is_shown_and_no_reference(review):
    labelled = Worked(review.trace, {"weights": "share"})
    assert labelled.text("nolan.weights") == review.text("nolan.weights").replace("weights", "share")
    assert [n.reference for n in labelled.numbers("nolan.weights")] == ["nolan.weights[nolan]", "nolan.weights[ended]"]
    with pytest.raises(KeyError):
        labelled.number("nolan.share[ended]")


def test_a_label_for_nothing_is_refused(review):
    with pytest.raises(ValueError, match=r"a label for 'wieghts', which the trace does not name; it has .*weights"):
        Worked(review.trace, {"wieghts": "share"})


@pytest.mark.parametrize("scope", ["", "grad."])
def test_an_output_beside_an_embedding_is_the_unembedding(scope):
    model, attention = Trace(), Trace()
    for name in ("embedding", "output", "attention.output"):
        model.given(f"{scope}params.{name}", examples.ROWS)
    attention.given(f"{scope}params.output", examples.ROWS)
    assert Worked(model).label(f"{scope}params.output") == f"{scope}unembedding"
    assert Worked(model).label(f"{scope}params.attention.output") == Worked(attention).label(f"{scope}params.output") == f"{scope}W_O"


def test_a_track_is_paper_or_exact(review):
    with pytest.raises(ValueError, match="track='Exact'; it is 'paper', 'exact', 'fractions' or a format"):
        Worked(review.trace, track="Exact")
    for odd in (None, review.trace.fractions()):
        with pytest.raises(ValueError, match="is no Trace; hand in the trace, and name another reading of it: track='fractions'"):
            Worked(odd)


def test_the_layout_can_be_asked_for(review):
    assert review.lines("nolan.weights", by="number") == [
        "nolan.share[nolan] = 2.718 / 57.32 = 0.047",
        "nolan.share[ended] = 54.60 / 57.32 = 0.953",
        "nolan.share = [0.047, 0.953]",
    ]
    assert review.lines("nolan.scores", by="row") == ["nolan.score = [2, 8]"]


def test_an_unknown_reference_is_refused_by_name(review):
    for ask in (review.text, review.lines, review.row, review.number, review.sums, review.numbers, review.show):
        with pytest.raises(KeyError, match="nothing is named 'scroes'"):
            ask("scroes")


# ---- HTML


def test_text_and_html_say_the_same(review, pair):
    for worked in (review, pair):
        shown = worked.show(*worked.trace.names)
        paragraphs = re.findall(r"<p [^>]*>(.*?)</p>", shown._repr_html_().replace("&nbsp;", " "))
        assert [unescape(re.sub(r"<[^>]+>", "", p)) for p in paragraphs] == repr(shown).splitlines()
        assert repr(shown).splitlines() == [line for name in worked.trace.names for line in worked.lines(name)]


def test_a_block_of_lines_stands_in_one_div(review):
    assert review.show("nolan.scaled")._repr_html_() == (
        '<div class="pencil-worked" data-show="nolan.scaled" style="font-family: monospace">\n<p style="margin: 0">nolan.scaled =&nbsp;['
        '<span class="pencil-number" data-label="nolan.score[nolan]" data-value="nolan.scores[nolan]" data-exact="2">2</span>,&nbsp;'
        '<span class="pencil-number" data-label="nolan.score[ended]" data-value="nolan.scores[ended]" data-exact="8">8</span>] /&nbsp;2 =&nbsp;['
        '<span class="pencil-number" data-value="nolan.scaled[nolan]" data-exact="1">1</span>,&nbsp;'
        '<span class="pencil-number" data-value="nolan.scaled[ended]" data-exact="4">4</span>]</p>\n</div>'
    )


def test_what_is_shown_says_how_it_was_written():
    exact = Worked(review_trace(), whole=False, track="exact", run="other")
    assert exact.show("nolan.weights[0]", "scores", by="row").binding == {
        "show": "nolan.weights[0] scores", "run": "other", "track": "exact", "whole": "no", "by": "row",
    }  # fmt: skip


@pytest.mark.parametrize("track", ["paper", "exact"])
def test_every_number_in_the_html_is_the_one_that_its_reference_finds(track):
    for trace in (review_trace(), pair_trace(), mixing_trace()):
        worked = Worked(trace, track=track)
        source = worked.show(*trace.names)._repr_html_()
        spans = list(SPAN.finditer(source))
        assert len(spans) == source.count("<span") > 30
        for span in spans:
            said, reference, exact, text = span.groups()
            value = trace.find(unescape(reference))
            digits = worked.number(reference)
            taken_away = source[: span.start()].endswith(f" {MINUS}&nbsp;") and digits == MINUS + text  # a − b for a + (−b)
            assert text == digits or taken_away
            assert exact == exact_digits(float(value.exact))
            assert bool(said) == (track == "exact" and digits != Worked(trace).number(reference))  # the track is said where it matters


def test_no_digit_of_a_line_stands_outside_a_span_save_the_numbers_of_the_code(review):
    """What is bare is a constant of the recipe (the 2 of √4) or a row's place; all else can be opened by a reader."""
    bare = SPAN.sub("", review.show("nolan.scores", "nolan.exp", "nolan.weights", "nolan.weighted_values", "nolan.context")._repr_html_())
    assert re.findall(r"\d", re.sub(r"<[^>]+>", "", bare)) == ["6", "2"]  # the step 6 + 2


def test_the_run_stands_in_every_reference():
    worked = Worked(review_trace(), run="swapped")
    references = [span[1] for span in SPAN.findall(worked.show("nolan.weights")._repr_html_())]
    assert references and all(r.startswith("swapped.nolan.") for r in references)


def test_no_line_of_the_html_can_break_after_a_sign(review, pair):
    for worked in (review, pair):
        assert not re.search(r"[=≈+−/×·,] ", re.sub(r"<[^>]+>", "", worked.show(*worked.trace.names)._repr_html_()))


def test_a_number_says_whether_it_has_more_digits(review):
    spans = review.show("nolan.exp", "nolan.weights", "nolan.scores")._repr_html_().split("<span ")[1:]
    assert {span.partition(">")[2].partition("<")[0] for span in spans if "data-more" in span} == {"2.718", "54.60", "57.32", "0.047", "0.953"}
    whole = Worked(review.trace, whole=False)
    assert whole.row("nolan.scores[ended]") == "8.000" and "data-more" not in whole.show("nolan.scores")._repr_html_()


def test_a_number_taken_away_has_no_more_digits_for_its_sign():
    trace = Trace()
    trace("total", trace.given("x", [2, -3]).sum())
    shown = Worked(trace).show("total")
    assert repr(shown) == "total = 2 − 3 = −1" and "data-more" not in shown._repr_html_()


@pytest.mark.parametrize(
    "x, digits",
    [
        (20 / 21, "0.952381"), (0.5, "0.5"), (8.0, "8"), (-0.0, "0"), (0.1 + 0.2, "0.3"), (-1 / 3, "−0.333333"), (0.99999996, "1.000000"),
        (4.54e-5, "0.0000454"), (1e-12, "0"), (54.598150033, "54.598150"), (2.5e9, show(2.5e9)), (-np.inf, "−∞"), (np.nan, "NaN"),
    ],
)  # fmt: skip
def test_exact_digits(x, digits):
    assert exact_digits(x) == digits


def test_a_number_says_the_page_s_word_for_itself(review):
    labelled = Worked(review.trace, {"weights": "share", "exp_sum": "exp_sum"}, run="swapped")
    assert labelled.labelled("nolan.weights[ended]") == "swapped.nolan.share[ended]"
    assert (labelled.labelled("nolan.weights"), labelled.labelled("scores")) == ("swapped.nolan.share", "swapped.score")
    assert (labelled.labelled("nolan.exp_sum"), labelled.labelled("nolan.query")) == ("", ""), "it says its own name"
    assert labelled.labelled("nolan.query[0]") == "swapped.nolan.query number 1"
    shown = labelled.show("nolan.weights")._repr_html_()
    assert re.findall(r'data-label="([^"]+)" data-value="([^"]+)"', shown) == [
        (f"swapped.nolan.share[{word}]", f"swapped.nolan.weights[{word}]") for word in ("nolan", "ended")
    ]


def test_what_a_number_says_is_what_its_line_says(review):
    labels = {name: name.upper() for name in review.trace.names}
    labelled = Worked(review.trace, labels)
    for name in labelled.trace.names:
        for number in labelled.numbers(name):
            assert number.labelled == labelled.labelled(number.reference)


def test_labels_are_escaped():
    trace = review_trace()
    shown = Worked(trace, {"weights": "<b>A & B</b>"}).show("nolan.weights")
    assert "nolan.&lt;b&gt;A &amp; B&lt;/b&gt;" in shown._repr_html_() and "<b>" not in shown._repr_html_()
    assert "nolan.<b>A & B</b>" in repr(shown)


def test_fragments_of_plain_text_are_escaped():
    assert html(["a < b & c"]) == "a &lt; b &amp; c" and plain(["a < b & c"]) == "a < b & c"


def test_showing_is_stable_and_has_no_address(review):
    assert repr(review.show("scores")) == repr(review.show("scores")) and "0x" not in repr(review.show("scores"))


def test_infinity_is_written_as_a_sign():
    trace = Trace()
    trace("masked", np.where(np.tri(2, dtype=bool), trace.given("scores", np.ones((2, 2)), words=["a", "b"]), -np.inf))
    assert Worked(trace).row("masked") == "[[1, −∞], [1, 1]]"
