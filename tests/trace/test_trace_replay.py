"""The replay check passes every model of the reference, and finds constants that should depend on inputs."""

import numpy as np
import pytest
from trace_runs import RUNS, WORDS

from pencil.reference import attention, layer_norm
from pencil.trace import Trace, TraceError, check_replay

ROWS = [[2.0, 1, 1, 0], [0, 1, 2, 1]]


def record(function, **given):
    trace = Trace()
    function({name: trace.given(name, value, words=WORDS.get(name)) for name, value in given.items()}, trace)
    return trace


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_every_machine_of_the_reference_follows_its_givens(run):
    trace = record(run.function, **run.start)
    noted = sum(value.op == "note" for value in trace.names.values())
    assert check_replay(run.function, trace, draws=2, redraw=run.draws) == 2 * noted


def test_a_value_frozen_by_a_peep_at_its_number_is_found():
    def params(given, note):
        x = given["x"]
        largest = np.max(getattr(x, "exact", x))  # a plain number: the trace does not know where it came from
        return note("shifted", x - largest)

    with pytest.raises(TraceError, match="'shifted' does not follow the given values"):
        check_replay(params, record(params, x=ROWS))


def test_a_decision_taken_while_recording_is_found():
    def params(given, note):
        x = given["x"]
        return note("activated", x if np.min(getattr(x, "exact", x)) >= 0 else x * 0)

    with pytest.raises(TraceError, match="'activated'"):
        check_replay(params, record(params, x=ROWS))


def test_a_name_far_down_the_line_is_compared_as_well():
    constant = []

    def params(given, note):
        shares = note("weights", given["x"] / given["x"].sum())
        constant.append(getattr(shares, "exact", shares)[0])
        return note("scaled", shares * float(constant[-1]))

    with pytest.raises(TraceError, match="'scaled'"):
        check_replay(params, record(params, x=[1.0, 3.0]))


@pytest.mark.parametrize("baked", [np.eye(4), np.arange(4.0), np.full((2, 4), 0.5)])
def test_a_grid_that_was_passed_plain_is_found(baked):
    def params(given, note):
        return note("attn_out", given["x"] @ baked) if baked.shape == (4, 4) else note("updated", given["x"] + baked)

    with pytest.raises(TraceError, match=r"baked into the program; hand it in with given\(\)"):
        check_replay(params, record(params, x=ROWS))


@pytest.mark.parametrize("mask", [np.tri(2, dtype=bool), np.where(np.tri(2), 0, -np.inf)], ids=["look or not", "nothing or minus infinity"])
def test_masks_may_be_constants(mask):
    def params(given, note):
        scores = given["x"] @ given["x"].T
        return note("masked", np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask)

    assert check_replay(params, record(params, x=ROWS)) == 3


def test_single_numbers_may_be_constants():
    def params(given, note):
        return layer_norm(given["x"] / np.sqrt(32), note=note, eps=1e-5)

    assert check_replay(params, record(params, x=ROWS), draws=1) == 7


def test_rows_read_from_the_wrong_place_are_found():
    def params(given, note):
        order = np.argsort(getattr(given["x"], "exact", given["x"])[:, 0])
        return note("sorted", given["x"][order])

    trace = record(params, x=ROWS)
    with pytest.raises(TraceError, match="'sorted'"):
        check_replay(params, trace, draws=8)


def test_infinite_values_are_compared_too():
    def params(given, note):
        return attention(given["x"], given["x"], given["x"], note=note, mask=np.tri(2, dtype=bool))

    assert check_replay(params, record(params, x=ROWS)) == 3 * 8


def test_the_redrawn_givens_are_new_ones_and_of_the_same_shape():
    seen = []

    def params(given, note):
        seen.append(given["x"])
        return note("y", given["x"] + 1)

    check_replay(params, record(params, x=ROWS), draws=4)
    plain = [x for x in seen if isinstance(x, np.ndarray)]
    assert [x.shape for x in plain] == [(2, 4)] * 4
    assert len({x.tobytes() for x in plain}) == 4


def test_a_name_that_only_the_function_notes_is_told():
    def params(given, note):
        doubled = note("doubled", given["x"] * 2)
        return doubled if hasattr(doubled, "paper") else note("more", doubled + 1)

    with pytest.raises(TraceError, match="'more' is noted now and was not noted while recording"):
        check_replay(params, record(params, x=ROWS))


@pytest.mark.parametrize("draws", [0, -1])
def test_a_proof_that_compares_nothing_is_refused(draws):
    def params(given, note):
        return note("doubled", given["x"] * 2)

    with pytest.raises(ValueError, match=f"draws={draws} compares nothing"):
        check_replay(params, record(params, x=ROWS), draws=draws)
