"""The drawings of patches and of optimizer paths, and the words of a graph."""

from itertools import chain

import numpy as np
import pytest
from drawn import DRAWN, cut, descended, painted, parsed, returned
from drawn_runs import judged

from pencil import drawings, examples


def numbers(group):
    return [(mark.get("data-value"), mark.text) for mark in group.iter("tspan") if mark.get("class") == "pencil-number"]


def test_a_patch_is_laid_flat_line_behind_line():
    groups = list(parsed(drawings.patches(cut(), "t")).iter("g"))
    assert len(groups) == 2 + 4
    assert [text for _, text in numbers(groups[0])] == [str(int(pixel)) for pixel in examples.LETTER_L.ravel()]
    flat = [numbers(group) for group in groups[2:]]
    assert numbers(groups[1]) == list(chain(*flat))  # the square has the numbers of its row, in the same order
    assert [text for _, text in flat[2]] == ["1", "0", "1", "1"]


def test_the_lines_of_a_patch_keep_their_colours_on_the_way():
    groups = list(parsed(drawings.patches(cut(), "t")).iter("g"))
    edges = [[mark.get("stroke") for mark in group.iter("rect") if mark.get("stroke")] for group in groups[1:]]
    assert edges[0] == list(chain(*edges[1:])) and len(set(edges[1])) == 2 and edges[1][0] == edges[1][1] != edges[1][2]


def test_ink_is_filled_and_paper_is_not():
    marks = [mark for mark in parsed(drawings.patches(cut(), "t")).iter("rect") if mark.get("data-paint")]
    assert {mark.get("fill-opacity") for mark in marks} == {"0", "0.45"} and len(marks) == 3 * 16


@pytest.mark.parametrize(
    "worked, names, says",
    [
        (cut(np.eye(6), 2), {}, r"image is 6 × 6, patch is 9 × 4; a picture of at most 5 × 5"),
        (cut(np.eye(4), 4), {}, r"patch is 1 × 16"),
        (cut(), {"patch": "short"}, r"image is 4 × 4, short is 1 × 4; .* its square patches fit"),
    ],
)
def test_a_picture_that_does_not_fit_is_refused(worked, names, says):
    with pytest.raises(ValueError, match=says):
        drawings.patches(worked, "t", **names)


def test_a_slope_splits_at_each_sum_and_where_its_copies_meet_they_add_up():
    worked = returned()
    drawing = drawings.block_gradients(worked, "cat", "t")
    groups = [numbers(group) for group in parsed(drawing).iter("g")]
    names = [list(dict.fromkeys(reference.partition("[")[0] for reference, _ in group)) for group in groups]
    branches = ["activated", "hidden", "norm2.normalized"], ["context", "norm1.normalized"]
    assert names[1::3] == [["cat.grad.out"], ["cat.grad.residual"]] and names[3::3] == [["cat.grad.residual"], ["cat.grad.x"]]
    assert names[2::3] == [
        [*(f"cat.grad.{row}" for row in rows), back] for rows, back in zip(branches, ("cat.network.back", "cat.attention.back"), strict=True)
    ]
    for wire, branch, met in zip(groups[1::3], groups[2::3], groups[3::3], strict=True):
        one, other, both = ([float(worked.trace.find(reference).exact) for reference, _ in group[-4:]] for group in (wire, branch, met))
        np.testing.assert_allclose(np.add(one, other), both)


def spots(group):
    return np.array([[float(mark.get("cx")), float(mark.get("cy"))] for mark in group.iter("ellipse") if mark.get("fill") != "none"])


def test_a_way_goes_from_spot_to_spot_and_its_rings_are_as_steep_as_the_valley():
    worked = descended()
    for group, scope in zip(parsed(drawings.valley(worked, {"slow": "Slow", "fast": "Too fast"}, "t")).iter("g"), ("slow", "fast"), strict=True):
        rings = np.array([[float(mark.get(r)) for r in ("rx", "ry")] for mark in group.iter("ellipse") if mark.get("fill") == "none"])
        assert rings[:, 0] / rings[:, 1] == pytest.approx([8**0.5] * 2, abs=0.01) and rings[0] / rings[1] == pytest.approx([2**0.5] * 2, abs=0.01)
        scale = rings[0, 0] / worked.trace.find("rings").exact[0, 0]
        middle = next(mark for mark in group.iter("ellipse"))
        drawn = (spots(group) - [float(middle.get("cx")), float(middle.get("cy"))]) / [scale, -scale]
        assert drawn == pytest.approx(worked.trace.find(f"{scope}.path").exact, abs=0.01)
        ends = [[float(line.get(key)) for key in ("x1", "y1", "x2", "y2")] for line in group.iter("line")]
        assert ends == pytest.approx(np.hstack([spots(group)[:-1], spots(group)[1:]]), abs=0.01)


def test_a_spot_beyond_the_frame_is_held_at_its_edge():
    drawing = drawings.valley(descended(fast=0.5), {"fast": "Too fast"}, "t")
    (frame,) = parsed(drawing).iter("rect")
    low, high = float(frame.get("y")), float(frame.get("y")) + float(frame.get("height"))
    _, out, far_out = spots(next(parsed(drawing).iter("g")))[:, 1]
    assert (low, high) == pytest.approx((far_out - 3, out + 3))


def test_the_words_of_a_valley_say_whether_a_way_leads_down():
    said = repr(drawings.valley(descended(steps=1), {"slow": "Slow", "fast": "Too fast"}, "t"))
    assert "1. Slow, learning rate 0.05: 1 step, and the loss goes from 6 to 3.245." in said
    assert "2. Too fast, learning rate 0.27: 1 step, and the loss goes from 6 to 6.448." in said


def test_a_valley_refuses_what_is_no_way():
    with pytest.raises(ValueError, match=r"0 paths in \[\]; 1 to 3 have a colour"):
        drawings.valley(descended(), {}, "t")
    worked = descended()
    worked.trace("bad.path", worked.trace.names["start"] * 1)
    with pytest.raises(ValueError, match=r"bad\.path has the shape \(2,\); a path is a row of spots"):
        drawings.valley(worked, {"bad": "Bad"}, "t")


def test_a_graph_tells_values_on_the_way_down_and_slopes_on_the_way_back():
    worked, drawing = DRAWN["graph"]()
    down, back = f"Begin with pooled {worked.row('pooled')}.", f"Back. The gradient of pooled is {worked.row('grad.pooled')}."
    assert down in repr(drawing) and back in repr(drawing)


def test_a_graph_says_beside_its_arrows_and_in_its_steps_what_is_done():
    drawing = DRAWN["graph with moves"]()[1]
    said, at = repr(drawing), {text.text: (float(text.get("x")), float(text.get("y"))) for text in parsed(drawing).iter("text") if text.text}
    assert "from pooled (unit dials)." in said and "Back (× unit dials). The gradient of pooled" in said and "Back (if awake)." in said
    for down, back, below in (("unit dials", "× unit dials", "hidden"), ("relu", "if awake", "activation")):
        assert at[down][0] < at[below][0] < at[back][0] and at[down][1] == at[back][1] < at[below][1]
    assert not any("×" in str(text.text) for text in parsed(DRAWN["graph"]()[1]).iter("text"))


def test_four_machines_stand_side_by_side_each_with_its_words_and_its_answer():
    drawing = drawings.classifiers("t", words=("a", "b"))
    panels = [[text.text for text in group.iter("text")] for group in parsed(drawing).iter("g")]
    assert [panel[0] for panel in panels] == ["SimpleRNN", "LSTM", "BiLSTM", "Transformer"]
    assert all({"a", "b", "logit"} <= set(panel) for panel in panels)
    corners = {
        (float(text.get("x")) > 200, float(text.get("y")) > 180)
        for group in parsed(drawing).iter("g")
        for text in group.iter("text")
        if text.get("font-weight")
    }
    assert len(corners) == 4


def test_only_the_one_that_looks_across_joins_every_word_with_every_word():
    *walkers, across = parsed(drawings.classifiers("t")).iter("g")
    assert len([line for line in across.iter("line") if line.get("stroke") == drawings.canvas.BLUE]) == 3 * 3
    slanted = [line for group in walkers for line in group.iter("line") if line.get("x1") != line.get("x2") and line.get("y1") != line.get("y2")]
    assert not slanted


def test_what_the_first_word_says_fades_from_memory_to_memory_and_a_look_reaches_every_word():
    walk, look = parsed(drawings.path_lengths("t", words=("not", "a", "good"))).iter("g")
    left = [float(box.get("fill-opacity")) for box in walk.iter("rect")]
    assert len(left) == 3 and left[1] / left[0] == pytest.approx(left[2] / left[1], abs=0.03) and left[1] < left[0]
    assert len([way for way in look.iter("path") if way.get("fill") == "none"]) == 2
    with pytest.raises(ValueError, match=r"1 words in .*: 2 to 5 fit"):
        drawings.path_lengths("t", words=("not",))


def test_glue_is_as_wide_as_both_results_and_the_output_grid_brings_the_old_width_back():
    stick, heads, glue, new = ([box for box in group.iter("rect")] for group in parsed(drawings.multi_head("t", width=3)).iter("g"))
    assert (len(stick), len(heads), len(glue), len(new)) == (3, 2 + 6, 6, 3)


@pytest.mark.parametrize("words", [(), ("a", "b", "c", "d")])
def test_machines_of_too_many_words_are_refused(words):
    with pytest.raises(ValueError, match=f"{len(words)} words in .*: 1 to 3 fit"):
        drawings.classifiers("t", words)


def test_a_review_shows_every_row_on_the_way_to_its_answer_and_the_answer_as_a_bar():
    worked, drawing = DRAWN["review"]()
    numbers = {mark.get("data-value") for mark in parsed(drawing).iter("tspan")}
    for name in ("embedding", "query", "key", "value", "scores", "weights", "context"):
        assert {f"{word}.{name}[{other}]" for word in examples.REVIEW for other in _places(worked, name)} <= numbers, name
    assert {"pooled[3]", "activated[1]", "sigmoid.prob"} <= numbers
    *_, bar = (mark for mark in parsed(drawing).iter("rect") if "sigmoid.prob" in mark.get("data-paint", ""))
    ((attribute, stands, should),) = painted(worked, bar)
    assert attribute == "width" and abs(stands - should) < 0.01 and stands > 0.9 * 150
    said = [text.text for text in parsed(DRAWN["review of a run"]()[1]).iter("text")]
    assert said[-2:] == ["no", "yes"]


def _places(worked, name):  # of a row of that name: words, or numbers from 0
    value = worked.trace.find(name)
    return examples.REVIEW if value.exact.shape == (2, 2) else range(value.exact.shape[1])


def test_a_review_of_three_words_is_refused():
    with pytest.raises(ValueError, match=r"the rows are \(3, 4\); 2 lanes of 4 slots fit on a phone"):
        drawings.review(judged(words=list("abc"), rows=np.eye(3, 4)), "t")
