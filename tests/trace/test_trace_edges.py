"""Where a trace would quietly say something else than NumPy does, it refuses; where it follows, names stay with their owners."""

import json

import numpy as np
import pytest

from pencil.reference import embed, softmax
from pencil.trace import Trace, TraceError, exact, still_true
from pencil.worked import Worked


def pair(**more):
    trace = Trace()
    return trace, trace.given("x", [[3, 1], [2, 2]], words=["cat", "sat"], **more)


def test_masks_that_are_added_are_refused():
    _, x = pair()
    for added in (lambda: (x > 1) + (x > 2), lambda: (x > 1) @ np.ones((2, 2), bool)):
        with pytest.raises(TraceError, match=r"np\.where"):
            added()


def test_a_mask_is_no_given():
    with pytest.raises(ValueError, match="pass it plain"):
        Trace().given("real", np.array([True, False]))


@pytest.mark.parametrize("axis", [5, -3])
def test_an_axis_that_is_not_there_is_numpys_error(axis):
    with pytest.raises(np.exceptions.AxisError):
        pair()[1].sum(axis)


def test_a_nan_in_the_code_is_refused():
    with pytest.raises(TraceError, match="NaN"):
        np.where(np.eye(2, dtype=bool), pair()[1], np.nan)


def test_an_empty_part_records_and_comes_back():
    trace, x = pair()
    trace("y", np.concatenate([x[:, :2], x[:, 2:]], axis=-1))
    again = Trace.load(json.loads(json.dumps(trace.program())))
    assert again.names["y"].exact.tolist() == [[3, 1], [2, 2]]


@pytest.mark.parametrize("ids", [[-1, 0], [9, 0], [0.5, 0]])
def test_edited_ids_outside_the_table_are_refused_on_replay(ids):
    trace = Trace()
    embed(trace.given("ids", [1, 0]), trace.given("table", np.eye(3)), trace)
    with pytest.raises(ValueError, match=r"none of the table's 3 rows"):
        Trace.load(trace.program(), {"ids": ids})


def test_a_proof_that_compares_nothing_is_refused():
    trace, x = pair()
    trace("y", x + 1)
    with pytest.raises(TraceError, match="'y' was noted while recording"):
        still_true(lambda given, note: None, trace)


def test_what_has_no_digits_on_paper_is_refused_by_name():
    trace = Trace()
    with pytest.raises(ValueError, match=r"'weights' has no number on paper.*stable_softmax"):
        softmax(trace.given("scores", [-8, -9]), trace)


def struck_out(x, note):  # 0.90997 is below 0.91, and written it is not
    kept = note("kept", np.where(note("written", x) < 0.91, x, -np.inf))
    return note("raised", np.exp(note("lowered", kept - 1)))


def test_what_a_mask_strikes_out_on_paper_alone_stays_struck_out_in_later_steps():
    trace = Trace()
    raised = struck_out(trace.given("x", [0.90997, 0.2]), trace)
    assert trace.names["lowered"].paper.tolist() == [-np.inf, -0.8] and raised.paper.tolist() == [0, 0.449]
    assert np.array_equal(raised.exact, struck_out(np.array([0.90997, 0.2]), exact))


@pytest.mark.parametrize(
    "step",
    [lambda x, small, kept: np.where(small < 1, -1 / small, 0) * 2, lambda x, small, kept: kept - kept],
    ids=["divided by what is written 0", "an infinity less itself"],
)
def test_a_number_lost_on_paper_beside_a_mask_is_refused(step):
    trace = Trace()
    x = trace.given("x", [0.0001, 0.90997])
    small = trace("small", x)
    kept = trace("kept", np.where(small < 0.91, x, -np.inf))
    with pytest.raises(ValueError, match="'lost' has no number on paper"):
        trace("lost", step(x, small, kept))


def test_a_value_of_two_words_belongs_to_neither():
    trace, x = pair()
    gap = trace("gap", x[0] - x[1])
    assert gap.of == ()
    with pytest.raises(KeyError, match="no row for 'cat'"):
        trace.find("cat.gap")
    swapped = trace("swapped", x[::-1] + x)
    assert swapped.axes == (None, None)


def test_a_leading_word_never_reads_a_column_of_another_words_row():
    trace = Trace()
    weights = trace.given("weights", [[0.1, 0.9], [0.4, 0.6]], words=["cat", "sat"], columns=["cat", "sat"])
    trace("w", weights[0])
    assert trace.find("cat.w[sat]").exact == 0.9
    with pytest.raises(KeyError):
        trace.find("sat.w")


def test_a_grid_of_one_row_stays_a_grid():
    trace = Trace()
    trace.given("one", [[1, 2]])
    assert trace.find("one").exact.shape == (1, 2)


@pytest.mark.parametrize(
    "value, words, says",
    [(3.0, ["a"], "single number"), ([1, 2], [1, 2], "no words"), ([1, 2], "ab", "list of words"), ([1, 2], ["a", "a"], "twice")],
)
def test_odd_words_are_refused_in_words(value, words, says):
    with pytest.raises(ValueError, match=says):
        Trace().given("x", value, words=words)


def test_a_name_that_begins_with_a_word_is_said_to():
    trace, x = pair()
    with pytest.raises(TraceError, match="begins with the word 'cat'"):
        trace("cat.y", x + 1)


def test_a_look_up_by_traced_ids_is_written_as_the_number_it_fetched():
    trace = Trace()
    embed(trace.given("ids", [1, 0]), trace.given("table", [[1, 2], [5, 7]]), trace)
    assert Worked(trace).lines("stick") == ["stick[0] = [5, 7]", "stick[1] = [1, 2]"]


def test_a_speck_under_the_root_is_written_out():
    trace, x = pair()
    trace("y", np.sqrt(x + 1e-6))
    assert Worked(trace).text("cat.y[0]") == "cat.y[0] = √(3 + 0.000001) = 1.732"


def test_no_step_is_written_between_cut_numbers():
    trace = Trace()
    h = trace("h", trace.given("g", [[1, 1, 1, 2]], words=["a"]) / 6)
    trace("n", h @ np.array([[6.0], [6], [6], [6]]))
    assert Worked(trace, track="exact").text("a.n") == "a.n = 0.167·6 + 0.167·6 + 0.167·6 + 0.333·6 ≈ 5.000"
