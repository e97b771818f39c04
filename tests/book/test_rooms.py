"""What a drawing's numbers have room for is written beside them, for the page's script."""

import sys

import pytest
from bs4 import BeautifulSoup

from pencil.drawings.canvas import NARROW
from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.rooms import AIR, PLAIN, WIDTHS, give_rooms

DRAWING = '<figure class="pencil-drawing"><svg viewBox="0 0 400 100"><rect x="100" y="10" width="60" height="30"></rect>{}</svg></figure>'
NUMBER = '<tspan class="pencil-number">{}</tspan>'


def rooms(x, y=30, anchor="middle", text="1.5", style=""):
    """The room of a number, in characters, or None."""
    number = f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="20"{style}>{NUMBER.format(text)}</text>'
    page = BeautifulSoup(DRAWING.format(number), "html.parser")
    give_rooms(page)
    held = page.find("text").get("data-room")
    return held and [float(part) for part in held.split()]


@pytest.mark.parametrize("x, anchor, wide", [(130, "middle", 60 - 2 * AIR), (105, "start", 55 - AIR), (155, "end", 55 - AIR)])
def test_a_number_has_the_room_of_its_box(x, anchor, wide):
    assert rooms(x, anchor=anchor) == [round(wide / (PLAIN * 20), 1), 20]


def test_a_narrow_typeface_has_room_for_more():
    assert rooms(130, style=f' style="{NARROW}"') == [round((60 - 2 * AIR) / (WIDTHS[NARROW] * 20), 1), 20]


def test_outside_of_boxes_the_frame_counts():
    assert rooms(380, y=80, anchor="start", text="1") == [round((20 - AIR) / (PLAIN * 20), 1), 20]
    assert rooms(200, y=80) is None, "wide enough for the longest number"


@pytest.mark.parametrize("offset, factor", [(120, -91), (280, 91)])
def test_a_number_that_moves_has_the_room_of_its_nearest_place_to_the_frame(offset, factor):
    paint = ' data-paint="x {} {} -1 1 clock.cos[0];y 50 3 -1 1 clock.sin[0]"'
    assert rooms(offset, style=paint.format(offset, factor)) == [round((120 - 91 - AIR) * 2 / (PLAIN * 20), 1), 20]
    assert rooms(200, style=paint.format(200, factor)) is None, "far from it wherever it moves"
