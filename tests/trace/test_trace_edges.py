"""Where a trace could silently differ from NumPy, it refuses; elsewhere names stay with their values."""

import json

import numpy as np
import pytest

from pencil.reference import embed, softmax
from pencil.trace import Trace, TraceError, check_replay, no_note
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
    embed(trace.given("ids", [1, 0]), trace.given("table", np.eye(3)), note=trace)
    with pytest.raises(ValueError, match=r"none of the table's 3 rows"):
        Trace.load(trace.program(), {"ids": ids})


def test_an_edited_index_along_an_axis_is_refused_on_replay():
    trace = Trace()
    trace("taken", np.take_along_axis(trace.given("x", [[1, 2, 3]]), trace.given("at", [[0]]), -1))
    with pytest.raises(ValueError, match=r"index 5.0 is none of the 3 along axis 1; take whole numbers from 0 to 2"):
        Trace.load(trace.program(), {"at": [[5]]})


def test_a_proof_that_compares_nothing_is_refused():
    trace, x = pair()
    trace("y", x + 1)
    with pytest.raises(TraceError, match="'y' was noted while recording"):
        check_replay(lambda given, note: None, trace)


def test_what_has_no_digits_on_paper_is_refused_by_name():
    trace = Trace()
    with pytest.raises(ValueError, match=r"'weights' has no number on paper: 'exp_sum' is written 0.000, and .*stable_softmax"):
        softmax(trace.given("scores", [-8, -9]), note=trace)


SMALL = {  # what has no number where x = 0.0002 is written 0.000
    "divided by": (lambda x: 3 / x, "'small' is written 0.000, and nothing can be divided by it"),
    "carried about, and divided by": (lambda x: np.ones((2, 2)) / x[:, None], "'small' is written 0.000, and nothing can be divided by it"),
    "in a sum that is divided by": (lambda x: 3 / (x - 2 * x), "what stands there is written 0.000, and nothing can be divided by it"),
    "in a logarithm": (lambda x: 1 - np.log(x), "'small' is written 0.000, and it has no logarithm"),
    "raised to a power below 0": (lambda x: x**-0.5, "'small' is written 0.000, and it has no power below 0"),
}


@pytest.mark.parametrize("step, says", SMALL.values(), ids=SMALL)
def test_a_number_that_is_written_0_is_named_where_it_may_be_none(step, says):
    trace = Trace()
    small = trace("small", trace.given("x", [0.0002, 1]) * 1)
    with pytest.raises(ValueError, match=f"'lost' has no number on paper: {says}; use larger numbers"):
        trace("lost", step(small))


def test_what_np_where_leaves_out_may_be_divided_by_what_is_written_0():
    trace = Trace()
    small = trace("small", trace.given("x", [0.0002, 1]) * 1)
    assert trace("share", np.where(small > 0.1, 3 / small, 0)).paper.tolist() == [0, 3]


NO_NUMBER = {
    "a root": (lambda x: np.sqrt(x), "np.sqrt of 'x' takes a root of a number below 0"),
    "behind a root": (lambda x: 2 * np.sqrt(x - 1) + 1, "np.sqrt takes a root of a number below 0"),
    "nothing divided by nothing": (lambda x: (x - x) / (x - x), "np.divide divides 0 by 0"),
    "a logarithm": (lambda x: np.log(x), "np.log of 'x' takes a logarithm of a number below 0"),
    "a broken power": (lambda x: x**0.5, "np.power of 'x' raises a number below 0 to a power that is not whole"),
    "an infinity less itself": (lambda x: (lambda y: y - y)(np.where(x < 0, -np.inf, x)), "np.subtract takes an infinity from itself"),
    "one overflow over another": (
        lambda x: np.exp(200 * x) / np.exp(200 * x),
        "np.divide takes an infinity from itself, or times 0, or over another",
    ),
}


@pytest.mark.parametrize("step, says", NO_NUMBER.values(), ids=NO_NUMBER)
def test_what_is_no_number_is_refused_with_the_operation_that_made_it(step, says):
    trace = Trace()
    x = trace.given("x", [-1.0, 4.0])
    with pytest.raises(ValueError, match=f"'y' has no number: {says}.*np.where"):
        trace("y", step(x))
    assert list(trace.names) == ["x"]


def test_a_number_that_np_where_chooses_beside_none_is_written():
    trace = Trace()
    x = trace.given("x", [-1.0, 4.0])
    assert trace("y", np.where(x > 0, np.sqrt(x), 0)).paper.tolist() == [0, 2]


def test_a_program_runs_again_to_the_value_that_has_no_number():
    trace = Trace()
    trace("root", np.sqrt(trace.given("x", [4.0])))
    with pytest.raises(ValueError, match="'root' has no number"):
        Trace.load(trace.program(), {"x": [-4]})


def test_what_is_noted_on_a_scratch_sheet_is_forgotten():
    trace = Trace()
    x = trace.given("x", [1.0, 2.0])
    with pytest.raises(RuntimeError), trace.scratch():
        assert trace("y", x + 1).paper.tolist() == [2, 3] and "y" in trace.names
        raise RuntimeError
    assert list(trace.names) == ["x"] and trace.steps == [x]
    assert trace("y", x * 3).paper.tolist() == [3, 6]


def test_the_words_of_a_given_on_a_scratch_sheet_are_forgotten_as_well():
    trace = Trace()
    with trace.scratch():
        trace.given("rows", [[1.0], [2.0]], words=["nolan", "ended"])
    assert trace.words == ()
    assert trace.given("nolan", [1.0]).name == "nolan"  # no row has that name


def struck_out(x, note):  # 0.90997 is below 0.91, and written it is not
    kept = note("kept", np.where(note("written", x) < 0.91, x, -np.inf))
    return note("exp", np.exp(note("shifted", kept - 1)))


def test_what_a_mask_strikes_out_on_paper_alone_stays_struck_out_in_later_steps():
    trace = Trace()
    raised = struck_out(trace.given("x", [0.90997, 0.2]), trace)
    assert trace.names["shifted"].paper.tolist() == [-np.inf, -0.8] and raised.paper.tolist() == [0, 0.449]
    assert np.array_equal(raised.exact, struck_out(np.array([0.90997, 0.2]), no_note))


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
    assert gap.row_word == ()
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
    [(3.0, ["a"], "single number"), ([1, 2], [1, 2], "no words"), ([1, 2], "ab", "list of words")],
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
    embed(trace.given("ids", [1, 0]), trace.given("table", [[1, 2], [5, 7]]), note=trace)
    assert Worked(trace).lines("embedding") == ["embedding row 1 = [5, 7]", "embedding row 2 = [1, 2]"]


def test_a_speck_under_the_root_is_written_out():
    trace, x = pair()
    trace("y", np.sqrt(x + 1e-6))
    assert Worked(trace).text("cat.y[0]") == "cat.y number 1 = √(3 + 0.000001) = 1.732"


def test_no_step_is_written_between_cut_numbers():
    trace = Trace()
    h = trace("h", trace.given("g", [[1, 1, 1, 2]], words=["a"]) / 6)
    trace("n", h @ np.array([[6.0], [6], [6], [6]]))
    assert Worked(trace, track="exact").text("a.n") == "a.n = 0.167·6 + 0.167·6 + 0.167·6 + 0.333·6 ≈ 5.000"
