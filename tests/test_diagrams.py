"""The diagram of a model: one drawing in the colours of its page, and the same in words."""

import re
from xml.etree import ElementTree

import pytest

from pencil.examples.diagrams import block_map
from pencil.worked.diagrams import BOX, LEFT, PITCH, RIGHT, TINTS, WIDTH, Diagram, Step

STEPS = (Step("a word"), Step("normalize", "layer norm"), Step("one < two", "matrix multiply"), Step("add", "addition"))


def drawn(chart):
    return ElementTree.fromstring(chart._repr_html_())


def test_each_step_is_a_box_with_its_name_and_its_kind_of_move():
    chart = block_map()
    texts = [t.text for t in drawn(chart).iter("text")]
    assert len(list(drawn(chart).iter("rect"))) == len(chart.steps) == 20
    assert all(step.name in texts and (not step.move or step.move in texts) for step in chart.steps)


def test_the_block_has_seven_kinds_of_move_in_their_order():
    moves = [step.move for step in block_map().steps if step.move]
    assert set(moves) == set(TINTS) and len(TINTS) == 7
    assert moves[:8] == ["look-up", "addition", "layer norm", "matrix multiply", "matrix multiply", "division", "softmax", "matrix multiply"]
    assert moves[8:15] == ["matrix multiply", "addition", "layer norm", "matrix multiply", "ReLU", "matrix multiply", "addition"]
    assert moves[15:] == ["layer norm", "matrix multiply", "softmax"]


def test_the_same_map_stands_there_in_words():
    chart = block_map()
    items = ["".join(item.itertext()) for item in drawn(chart).iter("li")]
    assert items == chart.in_words()
    assert repr(chart).splitlines() == [chart.caption, *(f"  {line}" for line in items)]
    assert "attention: normalize (layer norm)" in items and "the feed-forward layer: normalize (layer norm)" in items
    assert [line for line in items if ", with" in line] == [
        "add the residual (addition), with the row that came in",
        "add the residual (addition), with the residual stream",
    ]
    svg = next(drawn(chart).iter("svg"))
    assert svg.get("role") == "img" and svg.get("aria-label") == chart.caption


def test_a_wire_leads_into_the_side_of_its_last_box_and_leaves_above_the_box_it_leads_round():
    path = next(p.get("d") for p in drawn(Diagram("c", STEPS, skip_connections=((0, 3, "the row"),))).iter("path") if "q" in p.get("d"))
    x, y, ends = re.match(r"M(\d+) (\d+)H.*H(\d+)\Z", path).groups()
    assert (int(x), int(y), int(ends)) == ((LEFT + RIGHT) // 2, PITCH, RIGHT + 2)
    assert f"V{3 * PITCH + PITCH // 2 - 8}" in path


def test_rows_go_in_lanes_of_their_own_and_cross_where_they_meet():
    chart = block_map()
    assert [chart.steps[i].name for i in chart.meets] == ["scores", "mix the values"]
    assert [line for line in chart.in_words() if "meet" in line] == [
        "scores (matrix multiply), where rows meet",
        "mix the values (matrix multiply), where rows meet",
    ]
    ways = [re.match(r"M(\d+) (\d+)(?:V|L(\d+) (?=\d+\Z))(\d+)", path.get("d")) for path in drawn(chart).iter("path")]
    crossing = [(int(way[2]), {int(way[1]), int(way[3])}) for way in ways if way and way[3]]
    rails = {int(way[1]) for way in ways if way and not way[3] and int(way[4]) - int(way[2]) == PITCH - BOX - 1}
    assert [y // PITCH for y, _ in crossing] == [4, 4, 7, 7] and all(ends == rails for _, ends in crossing) and len(rails) == 2


def test_after_the_block_the_row_of_the_last_word_goes_on_alone_and_each_lane_has_its_residual():
    chart = block_map()
    ways = [re.match(r"M(\d+) (\d+)V(\d+)", path.get("d")) for path in drawn(chart).iter("path")]
    arrows = [(int(way[2]) // PITCH, int(way[1])) for way in ways if way and int(way[3]) - int(way[2]) == PITCH - BOX - 1]
    lanes = sorted({x for _, x in arrows})
    assert [sorted(x for step, x in arrows if step == i) for i in range(len(chart.steps) - 1)] == [lanes] * 15 + [lanes[1:]] * 4
    dots = [int(dot.get("cx")) for dot in drawn(chart).iter("circle")]
    assert dots == lanes * len(chart.skip_connections)


def test_nothing_is_drawn_in_a_colour_of_its_own_but_the_tints():
    html = block_map()._repr_html_()
    assert set(re.findall(r"#[0-9a-f]{6}", html)) == set(TINTS.values())
    assert 'fill="currentColor"' in html and "width: 100%" in html


def test_names_and_moves_fit_beside_one_another():
    for step in block_map().steps:  # a wide sans serif has about 0.62 of its size for a letter
        assert 14 * 0.62 * len(step.name) + 13 * 0.62 * len(step.move) < RIGHT - LEFT - 18, step
    assert BOX < PITCH and RIGHT < WIDTH


def test_signs_are_escaped():
    assert "one < two" in [t.text for t in drawn(Diagram("a < b & c", STEPS)).iter("text")]


@pytest.mark.parametrize(
    "parts, says",
    [
        ({"steps": (Step("normalize", "magic"),)}, "'normalize' is done by 'magic'; the moves are look-up"),
        ({"steps": STEPS, "skip_connections": ((2, 9, "the row"),)}, "'the row' leads from step 2 to step 9; there are steps 0 to 3"),
        ({"steps": STEPS, "parts": ((2, 1, "attention"),)}, "'attention' leads from step 2 to step 1"),
    ],
)
def test_a_map_that_cannot_be_drawn_says_why(parts, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        Diagram("caption", **parts)
