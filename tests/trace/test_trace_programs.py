"""Traces as JSON programs: round trips are the same on both tracks, and right with other inputs."""

import json

import numpy as np
import pytest
from trace_runs import RUNS

from pencil.trace import Trace


@pytest.fixture
def rng():
    """Every test draws the same numbers, whichever ran before it."""
    return np.random.default_rng(5)


def recorded(run):
    trace = Trace()
    run.function(run.given(trace), trace)
    return trace


def through_json(program):
    return json.loads(json.dumps(program, allow_nan=False))  # JSON has no infinity: the program must not rely on it


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_program_that_comes_back_is_the_same_on_both_tracks(run):
    trace = recorded(run)
    again = Trace.load(through_json(trace.program()))
    assert list(again.names) == list(trace.names)
    for name, value in trace.names.items():
        assert np.array_equal(again.names[name].exact, value.exact)
        assert np.array_equal(again.names[name].paper, value.paper)
        assert again.names[name].axes == value.axes and again.names[name].row_word == value.row_word
    assert again.words == trace.words


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_with_other_givens_a_program_gives_what_plain_numpy_gives(rng, run):
    program = through_json(recorded(run).program())
    for _ in range(3):
        others = run.redrawn(rng)
        plain = {}
        run.function(others, plain.setdefault)
        again = Trace.load(program, {name: value.tolist() for name, value in others.items()})
        assert set(plain) == set(again.names) - set(others)
        for name, value in plain.items():
            assert np.allclose(again.names[name].exact, value, rtol=1e-13, atol=1e-14), name


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_with_other_givens_the_paper_track_is_that_of_a_fresh_trace(rng, run):
    program = through_json(recorded(run).program())
    others = run.redrawn(rng)
    fresh = Trace()
    run.function({name: fresh.given(name, value) for name, value in others.items()}, fresh)
    again = Trace.load(program, others)
    for name, value in fresh.names.items():
        assert np.array_equal(again.names[name].paper, value.paper, equal_nan=True), name


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_program_that_comes_back_leaves_as_it_came(run):
    program = through_json(recorded(run).program())
    assert through_json(Trace.load(program).program()) == program


def test_only_the_given_values_and_constants_are_stored():
    trace = recorded(RUNS[0])
    stored = [step for step in trace.program()["steps"] if "value" in step]
    assert {step["op"] for step in stored} == {"given", "constant"}
    assert [step["value"] for step in stored if step["op"] == "constant"] == [[2]]  # the root of the tag width
    assert len(json.dumps(trace.program())) < 3000


def test_a_step_that_no_name_stands_on_is_left_out():
    trace = Trace()
    x = trace.given("x", [1.0, 2.0])
    x * 17  # computed, never named
    trace("y", x + 1)
    assert [step["op"] for step in trace.program()["steps"]] == ["given", "constant", "add", "note"]


def test_infinity_is_written_as_a_word():
    trace = Trace()
    trace("masked", np.where(np.tri(2, dtype=bool), trace.given("x", [[1.0, np.inf], [3.0, -np.inf]]), -np.inf))
    program = json.loads(json.dumps(trace.program(), allow_nan=False))
    again = Trace.load(program)
    assert again.find("x").exact.tolist() == [[1, np.inf], [3, -np.inf]]
    assert again.find("masked").exact.tolist() == [[1, -np.inf], [3, -np.inf]]


def test_columns_come_back_as_columns():
    trace = Trace()
    trace.given("nudge", [1.0, 2.0], columns=["left", "right"])
    trace.given("table", [[1.0, 2.0]], words=["nolan"], columns=["left", "right"])
    again = Trace.load(through_json(trace.program()))
    assert again.names["nudge"].axes == (("left", "right"),)
    assert again.names["table"].axes == (("nolan",), ("left", "right"))
    assert again.words == ("nolan",)


@pytest.mark.parametrize("shape, numbers", [([2], ["1", "2"]), ([], ["1"])])
def test_a_constant_has_a_label_for_each_number_of_its_last_axis(shape, numbers):
    constant = {"op": "constant", "shape": shape, "value": numbers, "columns": ["left", "middle", "right"]}
    with pytest.raises(ValueError, match=r"has the labels .'left', 'middle', 'right'.; give one for each number of its last axis"):
        Trace.load({"places": 3, "figures": 4, "steps": [constant]})


def test_the_places_and_figures_of_the_page_come_back():
    trace = Trace(places=2, figures=3)
    trace("third", trace.given("x", [10.0]) / 3)
    assert trace.find("third").paper == 3.33
    assert Trace.load(through_json(trace.program())).find("third").paper == 3.33


def test_a_minus_zero_stays_one():
    trace = Trace()
    trace("y", 1 / trace.given("x", [-0.0]))
    assert Trace.load(through_json(trace.program())).find("y").exact == -np.inf


def test_a_given_that_the_program_has_not_is_refused():
    with pytest.raises(ValueError, match="no given 'sticks'"):
        Trace.load(recorded(RUNS[0]).program(), {"sticks": [[1.0]]})


def test_a_given_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"'embedding' has the shape \(3, 4\).* recorded with \(2, 4\)"):
        Trace.load(recorded(RUNS[0]).program(), {"embedding": np.ones((3, 4))})


def test_a_program_can_be_loaded_twice_without_being_changed():
    program = recorded(RUNS[0]).program()
    before = json.dumps(program)
    Trace.load(program, {"embedding": np.ones((2, 4))})
    assert json.dumps(program) == before
    assert Trace.load(program).find("nolan.weights[ended]").paper == 0.953
