"""Gears, the residual stream, rotated pairs, the whole writer and a photo in a prompt."""

import numpy as np
import pytest
from drawn import DRAWN, parsed
from drawn_runs import meshed, stacked

from pencil import drawings
from pencil.drawings.hands import fan, pairs
from pencil.widgets import RotaryLab, StateLab


def test_a_wheel_with_half_the_teeth_turns_twice_as_far():
    worked, drawing = DRAWN["gears"]()
    corners = [mark.get("d").count("L") + 1 for mark in parsed(drawing).iter("path") if mark.get("d").endswith("z") and mark.get("d").count("L") > 9]
    turns = [float(worked.trace.find(name).exact) for name in ("first", "second", "third")]
    assert np.allclose(np.array(corners) * turns, corners[0] * turns[0])
    arcs = [mark.get("transform") for mark in parsed(drawing).iter("circle")]
    assert [bool(arc) for arc in arcs] == [True, False, True], "neighbours turn in opposite directions"
    with pytest.raises(ValueError, match="2 turns"):
        drawings.gears(meshed(), ["first", "second"], ["twice", "thrice", "through"], "t")


def test_the_stream_is_what_came_in_and_all_that_was_added():
    worked, said = stacked(), repr(DRAWN["stream"]()[1])
    added = [worked.trace.find(f"cat.block{k}.{name}").exact for k in (1, 2) for name in ("attn_out", "mlp_out")]
    np.testing.assert_allclose(worked.trace.find("cat.x").exact + np.sum(added, 0), worked.trace.find("cat.block2.out").exact)
    assert said.count("adds [") == 4 and said.rstrip().endswith("[4.292, 6.434, 0.630, −0.930].")


def test_the_hands_of_a_pair_are_as_far_apart_as_the_gap_says():
    lab = RotaryLab()
    lab.givens = lab.givens | {"start": 3, "gap": 2}
    lines = [mark for mark in parsed(pairs(lab.worked, "t", parts="parts")).iter("line")]
    hands = [complex(*(float(m.get(f"{a}2")) - float(m.get(f"{a}1")) for a in "xy")).conjugate() for m in lines[1:3]]  # up is negative in SVG
    assert np.angle(hands[0] / hands[1]) == pytest.approx(2, abs=0.02)
    with pytest.raises(ValueError, match="2 pairs fit"):
        pairs(lab.worked, "t", query="parts", key="parts")


def test_the_writer_has_a_block_for_each_and_no_place_looks_ahead():
    drawing = drawings.writer("t", n_blocks=3)
    assert sum("Block " in step for step in map(str, repr(drawing).splitlines())) == 3
    looks = [mark for mark in parsed(drawing).iter("line") if mark.get("stroke-width") == "0.8"]
    assert len(looks) == 3 * (1 + 2 + 3 + 4) and all(float(mark.get("x2")) <= float(mark.get("x1")) for mark in looks)
    with pytest.raises(ValueError, match="5 letters"):
        drawings.writer("t", letters="abcde")


def test_the_patches_come_before_the_question():
    words = [text.text for text in parsed(drawings.seeing("t")).iter("text")]
    assert words.index("rows of the photo") < words.index("tokens of the question") and words[-1] == "cat"
    rows = words[words.index("projector") + 1 : words.index("rows of the photo")]
    assert rows == ["1", "2", "3", "4", "what", "is", "it", "?"]


def test_a_key_that_is_not_there_has_no_hand():
    lab = StateLab()
    hands = [mark for mark in parsed(lab.drawings["fan"]).iter("line")]
    assert len(hands) == 6
    assert [(mark.get("x1"), mark.get("y1")) == (mark.get("x2"), mark.get("y2")) for mark in hands] == [False] * 2 + [True] * 4
    with pytest.raises(ValueError, match="rows of 6 numbers; a hand has 2"):
        fan(lab.worked, "t", "both")
