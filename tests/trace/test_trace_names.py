"""References: `[word.]name[index, ...]` finds a matrix, a row or a number, or lists what there is."""

import json

import numpy as np
import pytest

from pencil import examples
from pencil.reference import AttentionParams, multi_head_attention, self_attention
from pencil.trace import Trace, TraceError, scoped


@pytest.fixture(scope="module")
def trace():
    trace = Trace()
    stick = trace.given("embedding", examples.ROWS, words=examples.REVIEW)
    self_attention(stick, trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    heads = tuple(trace.given_each(f"grids{i}", examples.REVIEW_PARAMS) for i in (1, 2))
    multi_head_attention(stick, AttentionParams(heads, trace.given("output", np.ones((4, 8)))), note=scoped(trace, "both"))
    trace.given("nudge", [0.5, -1.5])
    trace.given("colours", [[1, 2, 3]], words=["sky"], columns=["red", "green", "blue"])
    return trace


@pytest.mark.parametrize(
    "reference, exact",
    [
        ("scores", [[2, 8], [0, 4]]),
        ("nolan.scores", [2, 8]),
        ("ended.scores", [0, 4]),
        ("nolan.scores[ended]", 8),
        ("nolan.scores[1]", 8),
        ("scores[0, 1]", 8),
        ("scores[nolan, ended]", 8),
        ("scores[nolan,ended]", 8),
        ("scores[1, nolan]", 0),
        ("scores[ended]", [0, 4]),
        ("scores[:, ended]", [8, 4]),
        (" nolan.scores[ended] ", 8),
        ("nolan.embedding", [2, 1, 1, 0]),
        ("nolan.embedding[0]", 2),
        ("ended.value[1]", 3),
        ("embedding[ended, 2]", 2),
        ("params.query[2, 2]", 1),
        ("params.value[1]", [0, 0, 0, 3]),
        ("both.head2.scores[nolan, ended]", 8),
        ("nolan.both.head1.scores[ended]", 8),
        ("nudge", [0.5, -1.5]),
        ("nudge[1]", -1.5),
        ("colours[sky, green]", 2),
        ("sky.colours[blue]", 3),
    ],
)
def test_a_reference_finds_its_grid_row_or_number(trace, reference, exact):
    found = trace.find(reference).exact
    assert np.shape(found) == np.shape(exact) and np.array_equal(found, exact)


def test_a_column_of_one_number_a_word_is_read_without_an_index(trace):
    assert trace.names["exp_sum"].shape == (2, 1)
    assert trace.find("nolan.exp_sum").paper == 57.32
    assert trace.find("exp_sum").paper.tolist() == [57.32, 8.389]
    assert trace.find("exp_sum[ended]").paper == 8.389


def test_two_leading_words_take_one_axis_each(trace):
    assert trace.find("nolan.ended.weighted_values").paper.tolist() == [0, 2.859, 0.953, 0]
    assert trace.find("ended.nolan.weighted_values").paper.tolist() == [0.238, 0, 0, 0.119]
    assert trace.find("nolan.weighted_values[ended, 1]").paper == 2.859


def test_both_tracks_are_found(trace):
    found = trace.find("nolan.weights[ended]")
    assert found.paper == 0.953
    assert found.exact == pytest.approx(1 / (1 + np.exp(-3)), abs=1e-15)


def test_the_words_that_are_left_are_told(trace):
    assert trace.find("scores").words == (examples.REVIEW, examples.REVIEW)
    assert trace.find("nolan.scores").words == (examples.REVIEW,)
    assert trace.find("nolan.embedding").words == (None,)
    assert trace.find("nolan.scores[ended]").words == ()
    assert trace.find("sky.colours").words == (("red", "green", "blue"),)


@pytest.mark.parametrize(
    "reference, help",
    [
        ("nothing", ["nothing is named 'nothing'", "embedding", "weights"]),
        ("nolan.wieghts", ["nothing is named 'wieghts'. Did you mean 'weights'? There are", "embedding"]),
        ("nolam.weights", ["nothing is named 'nolam.weights'. Did you mean 'nolan'?"]),
        ("batman.weights", ["nothing is named 'batman.weights'", "weights"]),
        ("nolan.scores[batman]", ["scores has no 'batman'", "0 to 1 or nolan, ended"]),
        ("scores[0, 2]", ["scores has no '2'", "0 to 1"]),
        ("scores[-1]", ["scores has no '-1'", "0 to 1"]),
        ("nudge[7]", ["nudge has no '7'", "0 to 1"]),
        ("scores[0, 1, 0]", ["3 indices for 2 axes", "(2, 2)"]),
        ("nolan.scores[0, 1]", ["2 indices for 1 axes"]),
        ("nolan.params.query", ["params.query has no row for 'nolan'"]),
        ("nolan.ended.nolan.weighted_values", ["weighted_values has no row for 'nolan'"]),
        ("sky.embedding", ["embedding has no row for 'sky'", "nolan, ended"]),
        ("scores[0][1]", ["is no reference", "word.name[index]"]),
        ("scores[0", ["is no reference"]),
        ("nolan scores", ["is no reference"]),
        ("", ["is no reference"]),
        (3, ["nothing is named '3'"]),
    ],
)
def test_a_reference_that_finds_nothing_says_what_is_there(trace, reference, help):
    with pytest.raises(KeyError) as error:
        trace.find(reference)
    for part in help:
        assert part in str(error.value)


def test_a_name_inside_a_scope_is_not_found_without_it(trace):
    with pytest.raises(KeyError, match=r"nothing is named 'head1\.scores'"):
        trace.find("head1.scores")


def test_scopes_nest():
    trace = Trace()
    x = trace.given("x", [1.0, 2.0])
    scoped(scoped(trace, "block2"), "norm1")("mean", x.mean())
    assert trace.find("block2.norm1.mean").exact == 1.5


def test_a_name_is_given_once():
    trace = Trace()
    x = trace.given("x", [1.0])
    trace("scores", x + 1)
    for again in (lambda: trace("scores", x + 2), lambda: trace.given("x", [2.0])):
        with pytest.raises(TraceError, match=r"taken; file it in a scope: scoped\(note"):
            again()
    assert trace.find("scores").exact == 2


@pytest.mark.parametrize("name", ["nolan", "nolan.mean"])
def test_a_name_cannot_be_read_as_a_word(name):
    """`nolan.mean` would hide the row of nolan in a value named `mean`."""
    trace = Trace()
    x = trace.given("x", np.eye(2), words=["nolan", "ended"])
    with pytest.raises(TraceError, match="nolan"):
        trace(name, x.mean(-1))


@pytest.mark.parametrize("name", ["raw scores", "scores[0]", "", "größe?", ".scores"])
def test_a_name_that_no_reference_could_find_is_refused(name):
    trace = Trace()
    x = trace.given("x", [1.0])
    with pytest.raises((TraceError, ValueError)):
        trace(name, x + 1)
    with pytest.raises((TraceError, ValueError)):
        trace.given(name, [1.0])


@pytest.mark.parametrize(
    "texts, words",
    [
        (["the", "cat", "on", "the", "mat."], ["the", "cat", "on", "the2", "mat"]),
        (["the2", "the", "the"], ["the2", "the", "the3"]),
        (["the", "the", "the2"], ["the", "the2", "the2_2"]),
        (["don't", "dont", "don’t"], ["dont", "dont2", "dont3"]),
        (["x1", "2nd", "##ing", "<s>"], ["x1_2", "_2nd", "ing", "s"]),
        ([".", ",", "", " ", "größe"], ["full_stop", "comma", "word", "space", "größe"]),
    ],
)
def test_a_label_is_any_text_and_its_reference_is_unique(texts, words):
    trace = Trace()
    trace.given("x1", [1.0])
    rows = np.arange(2.0 * len(texts)).reshape(-1, 2)
    trace("doubled", 2 * trace.given("embedding", rows, words=texts, columns=["a b", "a b"]))
    assert trace.names["doubled"].axes == (tuple(words), ("a_b", "a_b2"))
    for k, word in enumerate(words):
        assert trace.find(f"{word}.doubled[a_b2]").exact == 2 * rows[k, 1]
    assert trace.find("doubled").texts == (tuple(texts), ("a b", "a b"))
    again = Trace.load(json.loads(json.dumps(trace.program())))
    assert again.find("doubled").words == trace.find("doubled").words and again.texts == trace.texts


def test_a_label_that_is_not_for_every_row_is_refused():
    with pytest.raises(ValueError, match=r"3 rows and 2 words \['the', 'cat'\]; give one word a row"):
        Trace().given("embedding", np.ones((3, 2)), words=["the", "cat"])


def test_two_inputs_of_the_same_texts_have_the_same_words():
    trace, texts = Trace(), ["the", "mat.", "the"]
    both = trace.given("embedding", np.eye(3), words=texts) + trace.given("positions", np.eye(3), words=texts)
    assert both.axes == (("the", "mat", "the2"), None)
    assert trace.given("other", np.eye(2), words=["the2", "mat"]).axes == (("the2_2", "mat2"), None)


def test_a_word_repeated_with_a_number_is_told_apart():
    trace = Trace()
    trace.given("embedding", np.eye(3), words=["the", "cat", "the2"])
    assert trace.find("the2.embedding").exact.tolist() == [0, 0, 1]
