"""The replay proof: it passes every machine of the reference and finds what was frozen or baked in."""

import numpy as np
import pytest
from trace_runs import RUNS, WORDS

from pencil.reference import attention, layer_norm
from pencil.trace import Trace, TraceError, still_true

ROWS = [[2.0, 1, 1, 0], [0, 1, 2, 1]]


def record(function, **given):
    trace = Trace()
    function({name: trace.given(name, value, words=WORDS.get(name)) for name, value in given.items()}, trace)
    return trace


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_every_machine_of_the_reference_follows_its_givens(run):
    trace = record(run.function, **run.start)
    noted = sum(value.op == "note" for value in trace.names.values())
    assert still_true(run.function, trace, draws=2, redraw=run.draws) == 2 * noted


def test_a_value_frozen_by_a_peep_at_its_number_is_found():
    def machine(given, note):
        x = given["x"]
        largest = np.max(getattr(x, "exact", x))  # a plain number: the trace does not know where it came from
        return note("lowered", x - largest)

    with pytest.raises(TraceError, match="'lowered' does not follow the given values"):
        still_true(machine, record(machine, x=ROWS))


def test_a_decision_taken_while_recording_is_found():
    def machine(given, note):
        x = given["x"]
        return note("bent", x if np.min(getattr(x, "exact", x)) >= 0 else x * 0)

    with pytest.raises(TraceError, match="'bent'"):
        still_true(machine, record(machine, x=ROWS))


def test_a_name_far_down_the_line_is_compared_as_well():
    constant = []

    def machine(given, note):
        shares = note("weights", given["x"] / given["x"].sum())
        constant.append(getattr(shares, "exact", shares)[0])
        return note("scaled", shares * float(constant[-1]))

    with pytest.raises(TraceError, match="'scaled'"):
        still_true(machine, record(machine, x=[1.0, 3.0]))


@pytest.mark.parametrize("baked", [np.eye(4), np.arange(4.0), np.full((2, 4), 0.5)])
def test_a_grid_that_was_passed_plain_is_found(baked):
    def machine(given, note):
        return note("projected", given["x"] @ baked) if baked.shape == (4, 4) else note("moved", given["x"] + baked)

    with pytest.raises(TraceError, match=r"baked into the program; hand it in with given\(\)"):
        still_true(machine, record(machine, x=ROWS))


@pytest.mark.parametrize("mask", [np.tri(2, dtype=bool), np.where(np.tri(2), 0, -np.inf)], ids=["look or not", "nothing or minus infinity"])
def test_masks_may_be_constants(mask):
    def machine(given, note):
        scores = given["x"] @ given["x"].T
        return note("masked", np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask)

    assert still_true(machine, record(machine, x=ROWS)) == 3


def test_single_numbers_may_be_constants():
    def machine(given, note):
        return layer_norm(given["x"] / np.sqrt(32), note, eps=1e-5)

    assert still_true(machine, record(machine, x=ROWS), draws=1) == 7


def test_rows_read_from_the_wrong_place_are_found():
    def machine(given, note):
        order = np.argsort(getattr(given["x"], "exact", given["x"])[:, 0])
        return note("sorted", given["x"][order])

    trace = record(machine, x=ROWS)
    with pytest.raises(TraceError, match="'sorted'"):
        still_true(machine, trace, draws=8)


def test_infinite_values_are_compared_too():
    def machine(given, note):
        return attention(given["x"], given["x"], given["x"], note, mask=np.tri(2, dtype=bool))

    assert still_true(machine, record(machine, x=ROWS)) == 3 * 8


def test_the_redrawn_givens_are_new_ones_and_of_the_same_shape():
    seen = []

    def machine(given, note):
        seen.append(given["x"])
        return note("y", given["x"] + 1)

    still_true(machine, record(machine, x=ROWS), draws=4)
    plain = [x for x in seen if isinstance(x, np.ndarray)]
    assert [x.shape for x in plain] == [(2, 4)] * 4
    assert len({x.tobytes() for x in plain}) == 4
