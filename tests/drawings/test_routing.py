"""The drawing of a router."""

import numpy as np
import pytest
from drawn import routed

from pencil import drawings, examples, reference
from pencil.trace import Trace
from pencil.worked import Worked


def test_a_line_is_as_thick_as_the_expert_counts_and_each_word_has_its_step():
    drawing = drawings.routing(routed(), "Two words and four experts")
    said = repr(drawing).splitlines()[1:]
    assert said == [
        "  1. How much say each expert has for “cat”: [0.571, 0.429, 0, 0].",
        "  2. How much say each expert has for “sat”: [0, 0.692, 0.308, 0].",
    ]
    svg = drawing.svg()
    assert svg.count("<line") == 8 and svg.count('stroke-width="0"') == 4  # two of four experts are at work for each of two words


def test_a_dropped_word_keeps_a_grey_line_to_the_expert_that_it_wanted():
    worked = routed()
    worked.trace("kept", worked.trace.names["router.gates"] * np.array([[1, 0, 1, 1], [1, 1, 1, 1]]))  # expert two has no room for cat
    drawing = drawings.routing(worked, "One finds no room", "kept", "router.gates")
    assert repr(drawing).splitlines()[1:] == [
        "  1. “cat” asks the experts for [0.571, 0.429, 0, 0], and gets [0.571, 0, 0, 0].",
        "  2. “sat” asks the experts for [0, 0.692, 0.308, 0], and gets [0, 0.692, 0.308, 0].",
    ]
    cat, sat = ([line for line in part.split("<line")[1:] if 'stroke-width="0"' not in line] for part in drawing.svg().split('data-step="2"'))
    grey = [["--quiet" in line.split("/>")[0] for line in lines] for lines in (cat, sat)]
    assert grey == [[True, False, True], [True, False, True, False]]  # the grey line of what is kept lies below its own


def test_more_words_than_have_room_are_refused():
    trace = Trace()
    words = ["the", "old", "cat", "sat", "on"]
    reference.mixture_of_experts(trace.given("x", [[1, k] for k in range(5)], words=words), trace.given_each("p", examples.EXPERTS), note=trace)
    with pytest.raises(ValueError, match=r"the shape \(5, 4\)"):
        drawings.routing(Worked(trace), "Five words")
    trace = Trace()
    reference.mixture_of_experts(trace.given("x", examples.EXPERTS_ROWS), trace.given_each("p", examples.EXPERTS), note=trace)
    with pytest.raises(ValueError, match="give up to 4 words"):
        drawings.routing(Worked(trace), "Nobody has a name")
