"""What holds for every drawing: numbers and Paints agree with the run, steps have texts, and it fits on a phone."""

import numpy as np
import pytest
from drawn import DRAWN, painted, parsed
from drawn_runs import attended

from pencil import drawings
from pencil.drawings.canvas import ROOM, Canvas
from pencil.rounding import show

COLUMN = 341  # pixels, of a phone that is 390 wide
# these have no run; a plane's numbers stand in its words
# fmt: off
UNNUMBERED = [
    "classifiers", "context_windows", "drafted", "flow", "gaps", "machines", "maps", "merges", "multi_head", "pages", "path_lengths",
    "position_encodings", "ring", "seeing", "seq2seq", "sharing", "sliding_windows with a needle", "sliding_windows", "tiles",
    "training_stages", "window", "writer",
]
# fmt: on


@pytest.mark.parametrize("name", DRAWN)
def test_every_number_is_the_one_that_its_reference_finds(name):
    worked, drawing = DRAWN[name]()
    found = [mark for mark in parsed(drawing).iter() if mark.get("class") == "pencil-number"]
    assert len(found) >= 4 or "shares" in name or name.startswith(("pairs", "plane", "projections", "valley")) or name in UNNUMBERED
    run = f"{worked.run}." if worked.run else ""
    for mark in found:
        assert mark.get("data-value").startswith(run)
        reference = mark.get("data-value").removeprefix(run)
        digits = worked.number(reference)
        assert mark.text == (digits if len(digits) <= ROOM else show(worked.trace.find(reference).exact))


@pytest.mark.parametrize("name", DRAWN)
def test_what_a_number_paints_is_what_stands_in_the_attribute(name):
    worked, drawing = DRAWN[name]()
    for mark in parsed(drawing).iter():
        for attribute, stands, should in painted(worked, mark):
            assert stands == pytest.approx(should, abs=0.006), attribute


def test_a_thicker_line_carries_more():
    worked = attended()
    widths = [float(m.get("stroke-width")) for m in parsed(drawings.shares(worked, "weights", "t")).iter() if m.get("data-paint")]
    assert np.argsort(widths).tolist() == np.argsort(worked.trace.find("weights").exact.ravel()).tolist()


@pytest.mark.parametrize("name", DRAWN)
def test_each_step_has_its_marks_and_its_words(name):
    _, drawing = DRAWN[name]()
    groups = [int(mark.get("data-step")) for mark in parsed(drawing).iter() if mark.get("data-step")]
    assert groups == list(range(1, len(drawing.steps) + 1)) and all(drawing.steps)
    assert drawing._repr_html_().count("<li>") == len(drawing.steps)
    assert repr(drawing).count("\n") == len(drawing.steps)


def test_the_words_are_those_of_the_page():
    said = repr(drawings.attention(attended(), "nolan", "One word"))
    assert "1. nolan asks. Its WANT [2, 0, 1, 0] goes to every HAVE." in said
    assert "2. WANT · HAVE = score: [2, 8]." in said
    assert "nolan.NEW: [0.094, 2.859, 0.953, 0.047]." in said


def test_a_drawing_fits_a_phone_and_stays_inside_its_frame():
    for name, draw in DRAWN.items():
        svg = parsed(draw()[1])
        _, _, width, height = map(float, svg.get("viewBox").split())
        assert width <= 400
        for text in svg.iter("text"):
            for mark in (text, *text) if text.get("y") else text:
                assert 0 <= float(mark.get("x", 0)) <= width and 10 <= float(mark.get("y", 10)) <= height, name
        for mark in svg.iter("line"):
            ends = [[float(mark.get(f"{axis}{k}")) for axis in "xy"] for k in (1, 2)]
            assert np.min(ends) >= 0 and (np.max(ends, 0) <= (width, height)).all(), name
        for mark in svg.iter("rect"):
            x, y, w, h = (float(mark.get(key, 0)) for key in ("x", "y", "width", "height"))
            assert min(x, y) >= 0 and x + w <= width and y + h <= height, name


@pytest.mark.parametrize("name", DRAWN)
def test_no_type_is_smaller_than_eleven_pixels_on_a_phone(name):
    svg = parsed(DRAWN[name]()[1])
    scale = COLUMN / float(svg.get("viewBox").split()[2])
    assert min(float(text.get("font-size")) for text in svg.iter("text")) * min(scale, 1) >= 11


def test_signs_that_are_markup_are_written_as_signs():
    canvas = Canvas(attended(), 'a < b & "c"')
    canvas.text(1, 2, "x < y & z")
    drawing = canvas.drawing(50)
    assert parsed(drawing).find("text").text == "x < y & z" and parsed(drawing).get("aria-label") == 'a < b & "c"'
