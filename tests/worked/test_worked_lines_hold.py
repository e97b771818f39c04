"""Every line that is written is true: the checker's own reader of equations finds nothing to object to.

The two were written apart: the lines come from the graph, the reader knows only their text.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from random_traces import MACHINES, traces

from pencil.checker.equations import holds
from pencil.trace.names import positions
from pencil.worked import Worked

pytestmark = pytest.mark.hypothesis  # two of them have their property inside, where the mark is not seen
few = settings(max_examples=settings.default.max_examples // 5)  # each of them is a whole chapter's run


def equation(line):
    """The line without its label: what is left are sums and their results."""
    return line.partition(" = ")[2]


def finite(trace):  # names of values that can be worked out in digits; −∞ has none
    return [name for name, value in trace.names.items() if np.isfinite(value.paper).all()]


def only_moved(step):  # a sum or maximum over one number is that number, a mask only chooses, a second name says nothing new
    return step.op in ("gather", "where", "note") or (step.op in ("sum", "max") and step.size == step.args[0].size)


LONG = ("post_block", "tidy_block")  # as long as "block", which stays
EACH = [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in MACHINES]


@pytest.mark.parametrize("params", EACH)
def test_every_line_of_a_random_machine_is_true(params):
    @few
    @given(traces(params))
    def lines_are_true(trace):
        worked = Worked(trace)
        for name in finite(trace):
            for by in (None, "number"):
                for line in worked.lines(name, by):
                    if "∞" not in line:
                        assert holds(equation(line)) in (True, None), line

    lines_are_true()


@pytest.mark.parametrize("params", EACH)
def test_every_number_that_was_worked_out_has_a_true_sum(params):
    """A line that says nothing is not false; so each noted number must have a sum of its own, or be one that was only moved."""

    @few
    @given(traces(params))
    def sums_are_true(trace):
        worked = Worked(trace)
        for name in finite(trace):
            value = trace.find(name)
            for number in worked.numbers(name):
                sums = worked.sums(number.reference)
                moved = trace.names[name].op == "given" or only_moved(trace.names[name].args[0])
                assert sums or moved, number.reference
                assert all(holds(s) for s in sums if "∞" not in s), sums
            assert len(positions(value)) == len(worked.numbers(name))

    sums_are_true()


@few
@given(traces())
def test_a_line_without_whole_numbers_made_bare_is_true_as_well(trace):
    worked = Worked(trace, whole=False)
    for name in finite(trace):
        for line in worked.lines(name):
            if "∞" not in line:
                assert holds(equation(line)) in (True, None), line


@few
@given(traces())
def test_on_the_exact_track_whatever_stands_before_about_is_equal_as_written(trace):
    """There the shown digits are cut, and a line says so: `≈` where anything was cut, `=` only where what is written is true."""
    worked = Worked(trace, track="exact")
    for name in finite(trace):
        for line in worked.lines(name):
            assert holds(equation(line).partition(" ≈ ")[0]) in (True, None), line


def test_the_reader_of_equations_would_object():
    """The property above can fail: a false last digit is found in each kind of line."""
    for true in ("2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8", "[2, 8] / 2 = [1, 4]", "e^4 = 54.60", "(1 + 2) / 4 = 3 / 4 = 0.750", "max(−0.031, 0) = 0"):
        assert holds(true) is True
        assert holds(true[:-1] + "5" if true[-1] != "]" else true[:-2] + "5]") is False
