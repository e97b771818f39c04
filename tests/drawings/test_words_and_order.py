"""The drawings of words, embeddings and positions."""

import numpy as np
import pytest
from drawn import DRAWN, biased, measured, painted, parsed, stamped, turned
from drawn_runs import landed
from hypothesis import given
from hypothesis import strategies as st

from pencil import drawings
from pencil.drawings.canvas import AMBER, BLUE, RED
from pencil.drawings.hands import RADIUS
from pencil.drawings.paint import Paint
from pencil.reference import causal_mask, train_bpe
from pencil.trace import Trace
from pencil.worked import Worked

WORDS = ["the", "cat", "sat", "on", "the", "mat"]


def groups(name):  # the marks of each step
    return list(parsed(DRAWN[name]()[1]).iter("g"))


def numbers(mark, *names):
    return np.array([float(mark.get(name)) for name in names])


def test_a_token_has_one_colour_wherever_it_stands_and_an_empty_slot_is_blank():
    _, chips, ids, _, rows = groups("tokens")
    colours, said = [box.get("fill") for box in chips.iter("rect")], [text.text or "" for text in chips.iter("text")]
    assert said == ["the", "cat", "saw", "the", "dog", ""]
    assert colours[0] == colours[3] and len(set(colours)) == 5
    assert [mark.text for mark in ids.iter("tspan")] == ["1", "2", "3", "1", "4", "0"]
    assert colours == [box.get("fill") for box in rows.iter("rect")]
    assert "2. It is cut into 5 tokens" in repr(DRAWN["tokens"]()[1]) and "an empty slot has one as well: [1, 2, 3, 1, 4, 0]" in repr(
        DRAWN["tokens"]()[1]
    )


def test_each_row_that_is_fetched_has_a_line_from_its_place_in_the_table():
    *_, table, rows = groups("tokens")
    ids = [1, 2, 3, 1, 4, 0]
    labels = [(text.text, float(text.get("x"))) for text in table.iter("text") if text.text]
    assert [word for word, _ in labels] == [*"0a1b2c3d4e"]
    columns = [x for _, x in labels[::2]]
    lines = [line for line in rows.iter("line") if line.get("data-paint")]
    assert [float(line.get("x1")) for line in lines] == pytest.approx([columns[i] for i in ids], abs=0.01)
    (paint,) = {tuple(line.get("data-paint").split()[:5]) for line in lines}
    assert [float(paint[1]) + float(paint[2]) * i for i in range(5)] == pytest.approx(columns, abs=0.01) and paint[3:] == ("0", "4")
    assert [text[0].text for text in table.iter("text") if not text.text] == [number.text for number in DRAWN["tokens"]()[0].numbers("table")]


def test_one_wire_goes_from_encoder_to_decoder_and_attention_comes_from_every_memory():
    encoder, bottleneck, decoder, attention = groups("seq2seq")
    memories = [box.get("x") for box in encoder.iter("rect")]
    assert [text.text for text in decoder.iter("text")][-3:] == ["die", "Katze", "saß"]
    (wire,), looks = list(bottleneck.iter("line")), list(attention.iter("line"))
    assert float(memories[-1]) == float(next(decoder.iter("rect")).get("x")) and wire.get("x1") == wire.get("x2")
    assert len(looks) == len(memories) == 3
    widths = [float(look.get("stroke-width")) for look in looks]
    assert max(widths) == widths[1] > widths[0] and max(widths) < float(wire.get("stroke-width"))
    assert "reads each word it has written before it writes the next" in repr(DRAWN["seq2seq"]()[1])


def test_more_slots_and_longer_words_than_fit_are_refused():
    for words, said in (([*"abcdefgh"], "8 slots, a word of 1 letters"), (["xylophone"], "1 slots, a word of 9 letters")):
        trace = Trace()
        ids = trace.given("ids", np.ones(len(words)), words=words)
        trace("embedding", trace.given("table", np.ones((2, 2)))[ids])
        with pytest.raises(ValueError, match=said):
            drawings.tokens(Worked(trace), "text", "t")
    with pytest.raises(ValueError, match="a table of 8 rows; 7 fit on a phone"):
        drawings.tokens(Worked(_full(rows=8)), "a b", "t")
    assert "an empty slot" not in repr(drawings.tokens(Worked(_full()), "a b", "t"))


def _full(rows=3):  # a text that leaves no slot empty
    trace = Trace()
    trace("embedding", trace.given("table", np.ones((rows, 2)))[trace.given("ids", [1, 2], words=["a", "b"])])
    return trace


def test_each_line_of_byte_pairs_is_cut_as_after_so_many_joins():
    for joins, group in enumerate(groups("merges")):
        pieces = [text.text for text in group.iter("text")][1:]
        assert pieces == [piece for word in WORDS for piece in train_bpe(WORDS, num_merges=joins).tokenize(word)]
        widths = [float(box.get("width")) for box in group.iter("rect")]
        assert widths == [18 * len(piece) - 2 for piece in pieces]
    assert "2. a and t stand side by side 3 times, and join.\n" in repr(DRAWN["merges"]()[1])
    assert "c and at stand side by side once" in repr(DRAWN["merges"]()[1])


def test_words_of_too_many_letters_are_refused():
    with pytest.raises(ValueError, match="26 letters in 2 words take 477 pixels; 400 fit on a phone"):
        drawings.merges(["abcdefghijklm"] * 2, "t")


def test_the_row_that_is_picked_is_the_fullest():
    _, table, total = groups("lookup")
    full = [float(box.get("fill-opacity")) for box in table.iter("rect")]
    assert full[2] == max(full) > 10 * full[0] == 10 * full[1]
    assert [mark.text for mark in total.iter("tspan")] == ["1", "−0.500"]


def test_the_window_reaches_its_places_to_either_side_and_not_beyond_the_sentence():
    said = repr(DRAWN["context_windows"]()[1])
    assert "1. a: its neighbours are good, film, that.\n" in said and "8. plot: its neighbours are has, a, bad." in said
    for middle, group in enumerate(groups("context_windows")):
        span, word = (box for box in group.iter("rect"))
        left, width = numbers(span, "x", "width")
        inside = [left < float(text.get("x")) < left + width for text in group.iter("text")]
        assert inside == [abs(k - middle) <= 3 for k in range(8)]
        assert numbers(word, "x", "width") @ (1, 0.5) == pytest.approx(float(list(group.iter("text"))[middle].get("x")), abs=0.01)


def test_a_window_that_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="a window of 0"):
        drawings.context_windows(["a", "film"], 0, "t")
    with pytest.raises(ValueError, match="takes 428 pixels; 400 fit on a phone"):
        drawings.context_windows(["sentence"] * 6, 3, "t")


def test_a_shadow_ends_where_a_straight_way_down_meets_the_axis():
    svg = parsed(DRAWN["projections"]()[1])
    row, axis, down, shadow = (numbers(line, "x1", "y1", "x2", "y2") for line in svg.iter("line") if line.get("data-paint"))
    zero = shadow[:2]
    assert np.array_equal(down[2:], shadow[2:]) and np.array_equal(down[:2], row[2:])
    assert (down[2:] - down[:2]) @ (axis[2:] - zero) == pytest.approx(0, abs=0.1)
    ring = svg.find("ellipse")
    assert np.array_equal(numbers(ring, "cx", "cy"), zero) and np.hypot(*(row[2:] - zero)) == pytest.approx(float(ring.get("rx")), abs=0.05)
    assert "Straight down from one to the line of other. The shadow ends at [0.600, 0]." in repr(DRAWN["projections"]()[1])


def test_shadows_are_named_and_closed_in_the_caller_s_words_and_fall_on_something():
    closing = ["It is ", ["foot[0]"], " long."]
    said = repr(drawings.projections(measured(), [(("one.unit", "this"), ("other.unit", "that"), "foot")], "t", closing=closing))
    assert "1. this: [0.6, 0.8].\n  2. that: [1, 0].\n" in said and "4. It is 0.600 long." in said
    with pytest.raises(ValueError, match="no shadows"):
        drawings.projections(measured(), [], "t")


def test_a_hand_is_as_far_to_the_right_as_its_cosine_and_as_far_up_as_its_sine():
    worked, drawing = DRAWN["clocks"]()
    tips = hands_of(drawing).reshape(7, 2, 2) / RADIUS
    assert tips[..., ::-1].reshape(7, 4) == pytest.approx(worked.trace.find("encoding").exact, abs=0.001)  # a sine comes first in its pair


def hands_of(drawing):  # -> (hands, 2): how far to the right and how far up each points
    lines = [numbers(line, "x1", "y1", "x2", "y2") for line in parsed(drawing).iter("line") if line.get("stroke") != AMBER]
    return np.array([[x2 - x1, y1 - y2] for x1, y1, x2, y2 in lines])


def amber_lines(drawing):  # -> (lines, 4)
    return np.array([numbers(line, "x1", "y1", "x2", "y2") for line in parsed(drawing).iter("line") if line.get("stroke") == AMBER])


def test_two_legs_lead_to_the_tip_of_the_second_hand():
    worked, drawing = DRAWN["clocks"]()
    (across, level, foot, still_level), (from_x, from_y, tip_x, tip_y) = amber_lines(drawing)
    right, up = (worked.trace.find(f"seat1.{name}[0]").exact for name in ("cos", "sin"))
    assert (foot - across, tip_y) == pytest.approx((RADIUS * right, level - RADIUS * up), abs=0.1)
    assert (level, foot, foot) == (still_level, from_x, tip_x) and from_y == level


def test_hands_that_crowd_are_numbered_at_their_ends():
    marks = [mark for mark in parsed(DRAWN["clocks"]()[1]).iter("tspan")]
    assert sorted(mark.text for mark in marks) == sorted("0123456" + "06")
    assert all(5 < float(text.get("x")) < 395 for text in parsed(DRAWN["clocks"]()[1]).iter("text"))


def test_a_row_of_three_clocks_is_refused():
    with pytest.raises(ValueError, match="3 pairs of slots; 2 clocks fit beside each other on a phone"):
        drawings.clocks(stamped(width=6), "t")


def test_clocks_and_turned_pairs_turn_the_same_way():
    """Towards the left, as angles are drawn: one seat on is one radian on, in both pictures."""
    for name, seats in (("clocks", range(7)), ("turns", (1, 3, 6))):
        hands = hands_of(DRAWN[name]()[1])[::2]  # the first of two: the fast clock's, the query's
        angles = np.arctan2(hands[:, 1], hands[:, 0])
        assert np.diff(angles) % (2 * np.pi) == pytest.approx(np.diff(list(seats)), abs=0.02), name


def test_both_hands_turn_and_keep_their_gap():
    drawing = DRAWN["turns"]()[1]
    hands = hands_of(drawing).reshape(3, 2, 2)
    angles = np.arctan2(hands[..., 1], hands[..., 0])
    assert np.diff(angles[:, 0]) % (2 * np.pi) == pytest.approx([2, 3], abs=0.01)  # seats 1, 3 and 6
    assert np.ptp((angles[:, 1] - angles[:, 0]) % (2 * np.pi)) < 0.01
    joined = amber_lines(drawing) @ np.array([[1, 0], [0, -1], [-1, 0], [0, 1]])  # from the key's tip to the query's
    assert joined == pytest.approx(hands[:, 0] - hands[:, 1], abs=0.05) and np.ptp(np.hypot(*joined.T)) < 0.2


def test_an_arc_is_as_long_as_the_angle_by_which_its_hand_is_rotated():
    worked, drawing = DRAWN["turns"]()
    arcs = [mark for mark in parsed(drawing).iter("circle")]
    angles = [float(worked.trace.find(f"{row}.{name}.angle[0]").exact) for row in ("early", "later", "late") for name in ("query", "key")]
    assert len(arcs) == len(angles) and {mark.get("stroke") for mark in arcs} == {BLUE, RED}
    for mark, angle in zip(arcs, angles, strict=True):
        dash, offset = float(mark.get("stroke-dasharray").split()[0]), float(mark.get("stroke-dashoffset"))
        assert (dash - offset) / float(mark.get("r")) == pytest.approx(angle, abs=0.01)
        assert mark.get("transform").startswith("matrix(1 0 0 -1 0 "), "counterclockwise"


def test_turned_rows_that_are_no_pairs_and_too_many_are_refused():
    for worked, said in ((turned(width=4), "3 rows of 4 numbers"), (turned(("a", "b", "c", "d")), "4 rows of 2 numbers")):
        with pytest.raises(ValueError, match=f"{said}; up to 3 rows of 2 fit beside each other"):
            drawings.turns(worked, "t")


def test_what_a_mask_covers_has_no_bias_and_what_costs_more_is_fuller():
    worked, drawing = DRAWN["bias"]()
    cells = {mark.get("data-value"): mark.text for mark in parsed(drawing).iter("tspan")}
    assert len(cells) == 10 and cells["on.bias[the]"] == "−1.500" and "the.bias[cat]" not in cells
    below, above = ({}, {})
    for box in parsed(drawing).iter("rect"):
        (below if "below-zero" in box.get("fill") else above)[box.get("data-paint").split()[-1]] = float(box.get("fill-opacity"))
    assert below.keys() == above.keys() == cells.keys() and not any(above.values())
    assert [below[f"on.bias[{word}]"] for word in ("the", "cat", "sat", "on")] == pytest.approx([0.7, 0.467, 0.233, 0], abs=0.01)
    assert len(list(parsed(drawings.bias(worked, "bias", "t")).iter("tspan"))) == 16


def test_looks_that_share_a_number_have_one_shade_and_no_others_have_it():
    svg = parsed(DRAWN["gaps"]()[1])
    shades = {}
    for group in svg.iter("g"):
        for box, text in zip(group.iter("rect"), group.iter("text"), strict=True):
            shades.setdefault(text.text, set()).add((box.get("fill"), box.get("fill-opacity")))
    assert len(shades) == 7 and all(len(found) == 1 for found in shades.values())
    assert len(set.union(*shades.values())) == 7
    assert len(list(svg.iter("rect"))) == 25


def test_biases_and_gaps_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"the mask is \(2, 2\) and bias is \(4, 4\): give a row for each word that asks"):
        drawings.bias(biased(), "bias", "t", mask=causal_mask(2))
    with pytest.raises(ValueError, match="7 words along a side; 6 fit on a phone"):
        drawings.bias(biased([*"abcdefg"]), "bias", "t", mask=causal_mask(7))
    with pytest.raises(ValueError, match="7 words along a side; 6 fit on a phone"):
        drawings.gaps([*"abcdefg"], 2, "t")
    for near in (0, 3):
        with pytest.raises(ValueError, match=f"near={near} with 4 words, whose gaps are 0 to 3; take 1 to 2"):
            drawings.gaps([*"abcd"], near, "t")


def test_an_arrow_that_leaves_the_frame_keeps_its_way_and_its_word_stays_on_it():
    svg = parsed(drawings.plane(landed(), ["king.embedding"], "t"))
    line = next(mark for mark in svg.iter("line") if mark.get("marker-end"))
    word = next(mark for mark in svg.iter("text") if mark.get("data-paint"))
    zero, far = numbers(line, "x1", "y1"), landed(king=(30, 60))
    end, place = (np.array([should for _, _, should in painted(far, mark)]) for mark in (line, word))
    right, up = (end - zero) * (1, -1)
    assert up == pytest.approx(2 * right) and up > 4000
    on_its_way = place - (numbers(word, "x", "y") - numbers(line, "x2", "y2"))
    right, up = (on_its_way - zero) * (1, -1)
    assert up == pytest.approx(2 * right, abs=0.05) and right > 0
    assert 10 < place[1] < float(svg.get("viewBox").split()[3]) and 10 < place[0] < 390 and svg.get("overflow") == "hidden"


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0.1, 9), st.floats(0.1, 9))
def test_a_paint_with_a_mate_keeps_the_way_of_both(x, y, wide, tall):
    up = Paint("y", "y", low=-tall, high=tall)
    across = Paint("x", "x", low=-wide, high=wide, mate=up)
    held = across.at(x, y), Paint("y", "y", low=-tall, high=tall, mate=across).at(y, x)
    assert abs(held[0]) <= wide * 1.0001 and abs(held[1]) <= tall * 1.0001
    assert held[0] * y == pytest.approx(held[1] * x, abs=1e-6)
    if abs(x) <= wide and abs(y) <= tall:
        assert held == (x, y)


def test_a_square_of_a_stamp_is_the_fuller_the_farther_its_number_is_from_zero():
    tiles = list(parsed(drawings.position_encodings([[0.0, 1.0], [-1.0, 0.5]], "t")).iter("path"))
    full = {(mark.get("fill") == BLUE, float(mark.get("fill-opacity"))): mark.get("d").count("z") for mark in tiles}
    assert full == {(False, 0.9): 1, (True, 0.45): 1, (True, 0.9): 1}
    for wrong in (np.zeros(3), np.full((2, 2), 1.5), np.zeros((2, 41))):
        with pytest.raises(ValueError, match="give a row for each position, of up to 40 numbers from -1 to 1"):
            drawings.position_encodings(wrong, "t")


def test_the_parts_of_a_divided_whole_lie_end_to_end_and_keep_their_colours():
    worked, _ = DRAWN["divided"]()
    whole, first, last = groups("divided")[0].iter("rect")
    shares, total = worked.trace.find("asked.weights").exact, float(whole.get("width"))
    (left, long), (right, rest) = (numbers(part, "x", "width") for part in (first, last))
    assert (long / total, rest / total) == pytest.approx((shares[0], shares[2]), abs=1e-3)
    assert (right - left - long) / total == pytest.approx(shares[1], abs=1e-3)  # the middle one has what is between them
    fills = [[mark.get("fill") for mark in group.iter("path")] for group in groups("divided")]
    assert fills[0] == fills[1] and len(set(fills[0])) == 3
    with pytest.raises(ValueError, match="give two or three shares with words"):
        drawings.divided(worked, {"No row": "key"}, "t")
