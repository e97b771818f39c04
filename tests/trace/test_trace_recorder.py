"""Inputs and notes of a trace, and the two tracks."""

from dataclasses import dataclass

import numpy as np
import pytest

from pencil import examples
from pencil.reference import attention, block, self_attention
from pencil.trace import Trace, TraceError, no_note, scoped


def test_the_note_that_does_nothing_gives_back_the_very_same_value():
    value = np.ones(3)
    assert no_note("scores", value) is value


def test_a_scope_stands_before_the_name():
    heard = []
    scoped(lambda name, value: heard.append((name, value)), "head1")("scores", 3)
    assert heard == [("head1.scores", 3)]


def test_the_same_code_runs_plain_and_traced_to_the_same_last_bit():
    trace = Trace()
    traced = self_attention(trace.given("embedding", examples.ROWS), trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    assert np.array_equal(traced.exact, self_attention(examples.ROWS, examples.REVIEW_PARAMS))


def test_the_exact_track_is_never_rounded():
    trace = Trace()
    third = trace("third", trace.given("x", [1.0]) / 3)
    assert trace("back", third * 3).exact == 1
    assert third.exact == 1 / 3


def test_on_paper_the_rounded_number_is_carried_on():
    trace = Trace()
    third = trace("third", trace.given("x", [1.0]) / 3)
    assert third.paper == 0.333
    assert trace("back", third * 3).paper == 0.999


def test_what_is_not_noted_is_not_rounded():
    trace = Trace()
    third = trace.given("x", [1.0]) / 3
    assert third.paper == 1 / 3
    assert trace("back", third * 3).paper == 1


def test_a_dot_product_is_rounded_once_at_its_end():
    trace = Trace()
    row = trace.given("row", [0.0004, 0.0004, 0.0004])
    assert trace("dot", row @ np.ones(3)).paper == 0.001  # 0.0012; each product alone would round to nothing


def test_given_numbers_are_taken_as_they_are_on_both_tracks():
    trace = Trace()
    x = trace.given("x", [0.12345])
    assert x.exact == x.paper == 0.12345


def test_the_page_decides_its_places():
    trace = Trace(places=1, figures=None)
    assert trace("third", trace.given("x", [100.0]) / 3).paper == 33.3


def test_names_stand_in_the_order_of_the_work():
    trace = Trace()
    x = trace.given("x", examples.ROWS)
    attention(x, x, x, note=trace)
    assert list(trace.names) == ["x", "scores", "scaled", "exp", "exp_sum", "weights", "weighted_values", "context"]


def test_the_block_notes_every_number_that_is_written_down():
    trace = Trace()
    block(trace.given("x", examples.ROWS), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    norm = ["mean", "deviation", "square", "square_sum", "variance", "std", "normalized"]
    looked = ["query", "key", "value", "scores", "scaled", "exp", "exp_sum", "weights", "weighted_values", "context", "attn_out", "residual"]
    thought = ["hidden", "activated", "mlp_out", "out"]
    noted = [name for name, value in trace.names.items() if value.op == "note"]
    assert noted == [*(f"norm1.{n}" for n in norm), *looked, *(f"norm2.{n}" for n in norm), *thought]


def test_a_bundle_of_grids_is_given_field_by_field():
    trace = Trace()
    params = trace.given_each("params", examples.PAIR_BLOCK)
    assert list(trace.names) == [
        "params.attention.head1.query", "params.attention.head1.key", "params.attention.head1.value", "params.attention.output",
        "params.feed_forward.up", "params.feed_forward.down",
    ]  # fmt: skip
    assert type(params) is type(examples.PAIR_BLOCK)
    assert params.attention.heads[0].key is trace.names["params.attention.head1.key"]
    assert np.array_equal(params.feed_forward.up.exact, examples.PAIR_BLOCK.feed_forward.up)


def test_the_units_of_a_bundle_name_the_numbers_of_its_single_rows():
    trace = Trace()
    trace.given_each("params", examples.RNN_PARAMS, units=examples.RNN_UNITS)
    assert trace.names["params.bias"].axes == (examples.RNN_UNITS,)
    assert trace.names["params.weight_hh"].axes == (None, None)


def test_a_bundle_stays_what_it_was():
    @dataclass(frozen=True)
    class Bundle:
        grid: object

    plain = Bundle(np.ones((2, 2)))
    assert Trace().given_each("b", plain).grid.shape == (2, 2)
    assert isinstance(plain.grid, np.ndarray)


@pytest.mark.parametrize("value", [[], np.ones((0, 3)), [np.nan], [[1.0, np.nan]]])
def test_a_given_is_made_of_numbers(value):
    with pytest.raises(ValueError, match=r"given 'x' is (empty|not all numbers).*give it numbers"):
        Trace().given("x", value)


@pytest.mark.parametrize(
    "value",
    ["12", ["1", "2"], "many", [[1], [2, 3]], [10**400], {"a": 1}, (i for i in range(3))],
    ids=lambda value: f"{type(value).__name__} {str(value)[:9]}",
)
def test_a_given_is_an_array(value):
    with pytest.raises(ValueError, match=r"given 'x' is no array of numbers: .*; give it numbers, all rows of one length"):
        Trace().given("x", value)


def test_a_name_is_a_text_and_a_bundle_a_dataclass():
    trace = Trace()
    x = trace.given("x", [1, 2])
    for name in (3, True, None):
        with pytest.raises(TraceError, match=f"{name} is no name"):
            trace.given(name, [1])
        with pytest.raises(TraceError, match=f"{name} is no name"):
            trace.note(name, x)
    with pytest.raises(TraceError, match="given_each reads a dataclass of arrays, and 'params' is a list; an array goes into `given`"):
        Trace().given_each("params", [1, 2])


def test_a_single_number_has_no_rows_to_name():
    with pytest.raises(ValueError, match="'x'"):
        Trace().given("x", 3.0, words=["nolan"])


def test_a_given_may_be_infinite_a_single_number_or_a_list_of_whole_numbers():
    trace = Trace()
    assert trace.given("a", -np.inf).exact == -np.inf
    assert trace.given("b", 3).shape == ()
    assert trace.given("c", [1, 2]).exact.dtype == float


def test_later_changes_to_a_given_array_do_not_reach_the_trace():
    mine = np.ones(2)
    trace = Trace()
    x = trace.given("x", mine)
    mine[0] = 99
    assert x.exact.tolist() == [1, 1] and trace.program()["steps"][0]["value"] == [1, 1]


def test_later_changes_to_a_plain_operand_do_not_reach_the_program():
    mine = np.ones(2)
    trace = Trace()
    y = trace("y", trace.given("x", [1.0, 2.0]) + mine)
    mine[0] = 99
    assert y.exact.tolist() == [2, 3] and Trace.load(trace.program()).find("y").exact.tolist() == [2, 3]


def test_values_of_two_traces_do_not_mix():
    first, second = Trace().given("x", [1.0]), Trace().given("y", [2.0])
    for mix in (lambda: first + second, lambda: np.concatenate([first, second]), lambda: np.where(first > 0, first, second)):
        with pytest.raises(TraceError, match="belongs to another trace"):
            mix()


def test_a_traced_value_shows_its_name_and_shape_and_no_address():
    x = Trace().given("x", [[1.0, 2.0]])
    assert repr(x) == "<x (1, 2)>" and repr(x + 1) == "<add (1, 2)>"
