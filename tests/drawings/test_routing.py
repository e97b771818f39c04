"""The drawing of a router."""

import re

import numpy as np
import pytest
from drawn import parsed, routed

from pencil import drawings, examples, reference
from pencil.trace import Trace
from pencil.worked import Worked


def test_a_line_is_as_thick_as_the_expert_counts_and_each_word_has_its_step():
    drawing = drawings.routing(routed(), "Two words and four experts")
    said = repr(drawing).splitlines()[1:]
    assert said == [
        "  1. How much each expert counts for “cat”: [0.571, 0.429, 0, 0].",
        "  2. How much each expert counts for “sat”: [0, 0.692, 0.308, 0].",
    ]
    svg = drawing.svg()
    painted = re.findall('<line[^>]*data-paint[^>]*stroke-width="([^"]+)"|<line[^>]*stroke-width="([^"]+)"[^>]*data-paint', svg)
    assert len(painted) == 16 and sum("0" in pair for pair in painted) == 8  # to four experts and back; two are at work for each of two words


def test_the_line_of_a_dropped_word_is_dashed_and_ends_at_a_cross():
    worked = routed()
    gates = worked.trace.names["router.gates"]
    used = worked.trace("used", gates * np.array([[1, 0, 1, 1], [1, 1, 1, 1]]))  # expert two has no room for cat
    worked.trace("dropped", gates - used)
    drawing = drawings.routing(worked, "One finds no room", "used", "dropped")
    assert repr(drawing).splitlines()[1:] == [
        "  1. How much each expert counts for “cat”: [0.571, 0, 0, 0].",
        "  2. How much each expert counts for “sat”: [0, 0.692, 0.308, 0].",
        "  3. What would count, but finds no room: “cat” [0, 0.429, 0, 0], “sat” [0, 0, 0, 0].",
    ]
    cat, sat, lost = (
        [line for line in part.split("<line")[1:] if "data-paint" in line.split("/>")[0] and 'stroke-width="0"' not in line]
        for part in re.split('data-step="[23]"', drawing.svg())
    )
    hues = [[re.search("--[a-z]+", line.split("/>")[0]).group() for line in lines] for lines in (cat, sat, lost)]
    assert hues == [["--ink", "--ink"], ["--turn"] * 4, ["--ink", "--wrong", "--wrong"]]
    assert ["stroke-dasharray" in line.split("/>")[0] for line in lost] == [True, False, False]


def test_a_word_has_its_colour_in_a_longer_text_too():
    colours = []
    for words in (["cat", "sat"], ["the", "old", "cat", "sat"]):
        trace = Trace()
        trace.given("router.gates", np.ones((len(words), 2)) / 2, words=words)
        steps = re.split('<g data-step="[0-9]">', drawings.routing(Worked(trace), "t").svg())[1:]
        colours.append([{*re.findall('<line[^>]*? stroke="([^"]+)"', step)} for step in steps])
    assert colours[1][2:] == colours[0] and all(len(each) == 1 for each in colours[1]) and len(set.union(*colours[1])) == 4


@pytest.mark.parametrize("n_words, n_experts", [(1, 1), (2, 4), (4, 2), (3, 3), (4, 4), (1, 4)])
def test_the_residual_streams_pass_beside_the_experts_and_none_on_another(n_words, n_experts):
    trace = Trace()
    trace.given("router.gates", np.ones((n_words, n_experts)) / n_experts, words=["the", "old", "cat", "sat"][:n_words])
    svg = parsed(drawings.routing(Worked(trace), "t"))
    boxes = [(float(box.get("x")), float(box.get("x")) + float(box.get("width"))) for box in svg.iter("rect") if box.get("fill-opacity") == "0.05"]
    streams = [float(re.search(r"C.* ([0-9.]+) [0-9.]+$", path.get("d"))[1]) for path in svg.iter("path") if "C" in path.get("d")][::2]
    assert len(boxes) == n_experts and len(streams) == n_words
    assert not any(left < x < right for x in streams for left, right in boxes)
    assert min(np.diff([0, *streams, 400])) > 4


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
