"""Every written number has a reference, which finds the number again."""

import numpy as np
from hypothesis import given
from random_traces import traces

from pencil.trace import Trace
from pencil.trace.names import positions
from pencil.worked import Worked


@given(traces())
def test_the_reference_of_every_number_of_every_value_finds_that_number(trace):
    worked = Worked(trace)
    for name, array in trace.names.items():
        numbers = worked.numbers(name)
        assert len(numbers) == array.size
        for number, at in zip(numbers, positions(trace.find(name)), strict=True):
            found = trace.find(number.reference)
            assert found.array is array and found.index == at
            assert found.exact == array.exact[at] and np.ndim(found.exact) == 0


def test_a_number_of_which_a_word_of_the_columns_is_known_is_found_by_the_word_of_its_row():
    trace = Trace()
    counts = trace.given("counts", np.array([[3, 1], [2, 4]]), words=("king", "queen"), columns=("crown", "salad"))
    trace("picked", counts[0, 1] + 1)
    (number,) = Worked(trace).numbers("picked")
    assert trace.names["picked"].row_word == ("king", "salad")
    assert number.reference == "king.picked" and trace.find(number.reference).exact == 2


@given(traces())
def test_no_two_numbers_share_a_reference(trace):
    worked = Worked(trace)
    references = [number.reference for name in trace.names for number in worked.numbers(name)]
    assert len(set(references)) == len(references)


@given(traces())
def test_a_run_is_named_first_and_taken_off_again_finds_the_number(trace):
    worked = Worked(trace, run="swapped")
    for name in trace.names:
        for number, at in zip(worked.numbers(name), positions(trace.find(name)), strict=True):
            run, _, reference = number.reference.partition(".")
            assert run == "swapped" and trace.find(reference).index == at


@given(traces())
def test_every_axis_with_words_has_as_many_of_them_as_places(trace):
    for step in trace.steps:
        assert all(words is None or (len(words) == size == len(set(words))) for words, size in zip(step.axes, step.shape, strict=True))
