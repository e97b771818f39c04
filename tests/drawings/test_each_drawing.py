"""What each drawing shows, and what it refuses."""

import re

import numpy as np
import pytest
from drawn import DRAWN, SUM, attended, belted, landed, looked_at, looked_up, masked, multiplied, painted, parsed, two_headed
from hypothesis import given
from hypothesis import strategies as st

from pencil import drawings, examples, reference
from pencil.drawings.canvas import Canvas
from pencil.drawings.paint import Paint
from pencil.reference import LSTMParams, RNNParams, block, causal_mask, lstm, rnn
from pencil.trace import Trace
from pencil.worked import Worked


def test_more_words_than_a_phone_has_room_for_are_refused():
    with pytest.raises(ValueError, match=r"4 words answer; 3 columns fit on a phone: use shares\(\)"):
        drawings.attention(attended(words=list("abcd"), rows=np.vstack([examples.ROWS, examples.ROWS])), "a", "t")


def test_a_look_at_more_words_than_fit_beside_each_other_is_refused():
    with pytest.raises(ValueError, match="3 words answer with 2 numbers each; 2 times 4 fit on a phone"):
        drawings.look(looked_up(), "t")


def test_a_number_that_is_given_is_marked_for_the_page_and_no_other():
    worked, drawing = DRAWN["look"]()
    marked = {number.get("data-value") for mark in parsed(drawing).iter("g") if mark.get("class") == "given" for number in mark.iter("tspan")}
    given_numbers = [number for word in ("nolan", "ended") for number in worked.numbers(f"{word}.key")]
    assert marked == {number.reference for number in [*worked.numbers("nolan.query"), *given_numbers]}
    canvas = Canvas(worked, "t")
    canvas.cells(0, 0, "nolan.scores")
    assert not [mark for mark in parsed(canvas.drawing(50)).iter("g") if mark.get("class")]


def test_the_arrow_of_a_larger_share_is_thicker_and_its_head_grows_with_it():
    svg = parsed(DRAWN["look"]()[1])
    arrows = [(float(mark.get("stroke-width")), mark.get("marker-end")) for mark in svg.iter("line")]
    assert len(arrows) == 2 and arrows[0] < arrows[1] and arrows[0][1] == arrows[1][1]
    (head,) = svg.iter("marker")
    assert arrows[0][1] == f"url(#{head.get('id')})" and head.get("markerUnits") is None  # a marker is measured in the thickness of its line


def test_who_asks_is_named_where_others_ask_as_well():
    assert "1. The query [1, 0] goes to every key." in repr(DRAWN["attention of one query"]()[1])
    two = looked_up([[1, 0], [0, 1]], ("first", "second"))
    assert "1. first asks. Its query [1, 0] goes to every key." in repr(drawings.attention(two, "first", "t"))


def test_what_is_covered_has_no_line_and_is_not_spoken_of():
    _, drawing = DRAWN["masked shares"]()
    painted = [mark.get("data-paint").split()[-1] for mark in parsed(drawing).iter() if mark.get("data-paint")]
    pairs = ["the the", "cat the", "cat cat", "sat the", "sat cat", "sat sat"]
    assert [f"{asks}.weights[{asked}]" for asks, asked in map(str.split, pairs)] == painted
    assert "1. the: 1 to the.\n" in repr(drawing)
    with pytest.raises(ValueError, match=r"the mask is \(2, 2\) and weights is \(3, 3\): give a row for each word that asks"):
        drawings.shares(masked(), "weights", "t", mask=causal_mask(2))


def test_each_number_of_the_glue_has_the_colour_of_its_head():
    _, drawing = DRAWN["heads"]()
    glue = {
        text[0].get("data-value"): text.get("fill") for text in parsed(drawing).iter("text") if len(text) and "concat" in text[0].get("data-value")
    }
    colours = {mark.get("data-paint").split()[-1]: mark.get("fill") for mark in parsed(drawing).iter("rect") if mark.get("data-paint")}
    one, two = colours["sat.head1.weights[cat]"], colours["sat.head2.weights[cat]"]
    assert one != two and glue == {f"sat.concat[{k}]": (one, two)[k // 2] for k in range(4)}


def test_the_bars_of_two_heads_begin_at_the_words_between_them():
    bars = [mark for mark in parsed(DRAWN["heads"]()[1]).iter("rect") if mark.get("data-paint")]
    assert len(bars) == 6
    for one, two in zip(bars[:3], bars[3:], strict=True):
        assert one.get("transform") == f"rotate(180 {one.get('x')} {float(one.get('y')) + 4:g})" and not two.get("transform")
        assert float(one.get("x")) + float(two.get("x")) == 400


def test_heads_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="the run names 0 heads; 2 fit side by side on a phone"):
        drawings.heads(attended(), "nolan", "t")
    head = reference.QKVParams(*[np.eye(4)] * 3)
    wide = reference.AttentionParams((head, head), np.ones((4, 8)))
    with pytest.raises(ValueError, match=r"head1\.value is 4 numbers wide; 2 fit beside a share"):
        drawings.heads(two_headed(wide), "sat", "t")


def test_the_halves_of_the_output_matrix_are_in_the_colours_of_their_heads_and_add_up():
    worked, drawing = DRAWN["halves"]()
    groups = list(parsed(drawing).iter("g"))
    assert len(groups) == 3
    numbers = [[mark.get("data-value") for mark in group.iter("tspan")] for group in groups]
    for half, (written, read) in enumerate(zip(("head1.written", "head2.written"), (range(0, 2), range(2, 4)), strict=True)):
        assert [n for n in numbers[half] if "params" in n] == [f"params.output[{i}, {k}]" for i in range(4) for k in read]
        assert [n for n in numbers[half] if "written" in n] == [f"sat.{written}[{k}]" for k in range(4)]
    assert {box.get("fill") for box in groups[0].iter("rect")}.isdisjoint({box.get("fill") for box in groups[1].iter("rect")})
    added = sum(worked.trace.find(f"sat.head{k}.written").exact for k in (1, 2))
    np.testing.assert_allclose(added, worked.trace.find("sat.attn_out").exact, rtol=1e-12)


def test_a_strip_shows_each_letter_and_frames_the_word_that_is_spoken_of():
    _, drawing = DRAWN["strips"]()
    assert repr(drawing).startswith("Letters\n  1. head1: 0.200 of its share goes to at.\n  2. head2: 0.200")
    assert repr(drawing).endswith("\n  4. head4: 0.700 of its share goes to at.")
    first, *_, last = parsed(drawing).iter("g")
    letters = [text.text for text in first.iter("text") if text.text and len(text.text) == 1]
    assert letters == list("acat")  # a space is an empty square
    full = [float(box.get("fill-opacity")) for box in last.iter("rect")]
    assert full == pytest.approx([0.08, 0.08, 0.08, 0.48, 0.08, 0])  # the last is the frame
    with pytest.raises(ValueError, match=r"weights is \(4, 5\) and the text has 3 letters: give a column for each letter"):
        drawings.strips(looked_at(), "weights", "cat", (0, 1, "word"), "t")


def test_each_machine_has_a_line_for_each_look_and_a_square_for_each_pair():
    groups = list(parsed(DRAWN["machines"]()[1]).iter("g"))
    assert [len(list(group.iter("line"))) for group in groups] == [9, 6, 9, 6, 9 + 3]  # the last three lead down, past the others
    filled = [sum(p.get("d").count("z") for p in group.iter("path") if float(p.get("fill-opacity")) > 0.5) for group in groups]
    pale = [sum(p.get("d").count("z") for p in group.iter("path") if float(p.get("fill-opacity")) < 0.5) for group in groups]
    assert filled == [9, 6, 9, 6, 9] and pale == [0, 3, 9, 3, 0]


def test_a_text_of_four_words_is_refused():
    with pytest.raises(ValueError, match=r"4 words in \['a', 'b', 'c', 'd'\]: 1 to 3 fit beside each other on a phone"):
        drawings.machines("t", text=list("abcd"))


def test_a_graph_stands_in_the_order_in_which_one_value_is_made_of_another():
    _, drawing = DRAWN["graph"]()
    said = repr(drawing)
    assert re.findall(r"\d\. (Begin with \w+|\w+).*?( from \w+)?\.\n", said)[:5] == [
        ("Begin with pooled", ""), ("hidden", " from pooled"), ("activated", " from hidden"), ("logit", " from activated"), ("loss", " from logit")
    ]  # fmt: skip
    assert "6. Back. The slope of logit is 0.945: how much the loss moves for a little more of it." in said and "slope of loss" not in said
    found = [mark.get("data-value") for mark in parsed(drawing).iter() if mark.get("class") == "pencil-number"]
    assert "grad.pooled[3]" in found and "grad.loss" not in found


def test_rows_of_one_array_stand_beside_each_other():
    worked = attended()
    tops = {}
    drawing = drawings.graph(worked, ["nolan.scores", "nolan.weights", "nolan.context", "ended.context"], "t")
    for group in parsed(drawing).iter("g"):
        for box in group.iter("rect"):
            tops.setdefault(float(box.get("y")), []).append(float(box.get("x")))
    assert [len(row) for _, row in sorted(tops.items())] == [1, 1, 2]
    assert "0.047] and ended.NEW [0.238, 2.643, 0.881, 0.119] from nolan.share." in repr(drawing)


def test_no_arrow_joins_rows_that_do_not_depend_on_each_other():
    """Ended's mix is made of ended's shares alone; of the arrows between the layers only two are drawn."""
    worked = attended()
    drawing = drawings.graph(worked, ["nolan.weights", "ended.weights", "nolan.context", "ended.context"], "t")
    arrows = [(float(line.get("x1")) < 200, float(line.get("x2")) < 200) for line in parsed(drawing).iter("line")]
    assert sorted(arrows) == [(False, False), (True, True)]
    alone = drawings.graph(worked, ["nolan.weights", "ended.context"], "t")
    assert not list(parsed(alone).iter("line"))


def test_an_arrow_ends_where_its_numbers_say_and_a_way_begins_where_the_last_one_ended():
    _, drawing = DRAWN["plane"]()
    ends = [tuple(float(mark.get(name)) for name in ("x1", "y1", "x2", "y2")) for mark in parsed(drawing).iter("line") if mark.get("marker-end")]
    king, man, away, there, total = (np.array(end) for end in ends)
    zero = king[:2]
    assert np.array_equal(zero, man[:2]) and np.array_equal(away[:2], king[2:]) and np.array_equal(there[:2], away[2:])
    assert np.array_equal(total, [*zero, *there[2:]])
    scale = (king[2] - zero[0]) / 0.5
    for arrow, (x, y) in zip((king, man, total), ([0.5, 2], [-1, 0.5], [0, 2.5]), strict=True):
        assert arrow[2:] - zero == pytest.approx([scale * x, -scale * y], abs=0.02)


def test_an_arrow_head_that_follows_is_in_the_picture_once():
    for name in ("plane", "plane of a run"):
        svg = parsed(DRAWN[name]()[1])
        heads = [mark.get("id") for mark in svg.iter("marker")]
        assert len(heads) == len(set(heads)) == 2
        assert {mark.get("marker-end") for mark in svg.iter("line") if mark.get("marker-end")} == {f"url(#{head})" for head in heads}


@pytest.mark.parametrize("size", [1e-6, 0.01, 1e5])
def test_a_plane_follows_numbers_of_any_size(size):
    trace = Trace()
    trace.given("x", np.array([[0.5, 2], [-1, 0.5]]) * size, words=["one", "other"])
    worked = Worked(trace)
    for mark in parsed(drawings.plane(worked, ["one.x", "other.x"], "t")).iter():
        assert all(stands == pytest.approx(should, abs=0.5) for _, stands, should in painted(worked, mark))


def test_no_word_of_a_plane_stands_on_an_arrow_or_on_another_word():
    svg = parsed(DRAWN["plane"]()[1])
    boxes = []
    for text in svg.iter("text"):
        x, y, size = (float(text.get(key)) for key in ("x", "y", "font-size"))
        half = 0.28 * size * len(text.text)
        boxes.append((x - half, y - 0.75 * size, x + half, y))
    for mark in svg.iter("line"):
        ends = np.array([float(mark.get(key)) for key in ("x1", "y1", "x2", "y2")])
        for x, y in np.linspace(ends[:2], ends[2:], 100) if mark.get("marker-end") else []:
            assert not any(left < x < right and top < y < foot for left, top, right, foot in boxes)
    for k, (left, top, right, foot) in enumerate(boxes):
        assert all(right < a or c < left or foot < b or d < top for a, b, c, d in boxes[:k])


def test_a_plane_says_its_arrows_and_its_closing_words():
    worked = landed("sums")
    said = repr(drawings.plane(worked, SUM, "A sum", slots=(2, 0), closing=["So far up: ", ["there[1]"], "."]))
    assert "3. − man leads to [1.500, 1.500, 0].\n  4. + woman leads to [0, 2.500, 9].\n  5. the sum: [0, 2.500, 9]." in said
    assert "6. So far up: 2.500." in said


def test_arrows_that_no_plane_can_show_are_refused():
    with pytest.raises(ValueError, match=r"king.embedding has the shape \(3,\); an arrow takes the slots 0 and 3 of a row"):
        drawings.plane(landed(), SUM, "t", slots=(0, 3))
    with pytest.raises(ValueError, match="away: nothing but zeros in the slots 2 and 2; choose two others"):
        drawings.plane(landed(), ["away"], "t", slots=(2, 2))
    with pytest.raises(ValueError, match="no arrows"):
        drawings.plane(landed(), [], "t")


def test_a_step_of_an_lstm_is_drawn_in_the_order_in_which_it_is_worked():
    said = repr(DRAWN["lstm"]()[1])
    order = ["good comes in: [1, 0]", "added up", "keep [0.881, 0.119]", "candidate of the fourth", "keep times the old belt", "the new belt"]
    order += ["goes through tanh", "show times that is the new hidden: [−0.579, 0.089]"]
    places = [said.index(words) for words in order]
    assert places == sorted(places)


def test_before_the_first_step_of_an_lstm_there_is_nothing():
    _, drawing = DRAWN["first step of an lstm"]()
    assert [mark.text for mark in parsed(drawing).iter("text")].count("empty") == 2
    assert "The hidden and the belt are empty." in repr(drawing)
    assert not any("step2" in mark.get("data-value", "") for mark in parsed(drawing).iter("tspan"))


def test_a_step_that_an_lstm_has_not_and_one_too_wide_are_refused():
    for step in (0, 3):
        with pytest.raises(ValueError, match=f"there is no step {step}; the run has the steps 1 to 2"):
            drawings.lstm(belted(), step, "t")
    trace, gate = Trace(), RNNParams(np.eye(5), np.eye(5), np.zeros(5))
    lstm(trace.given("x", np.eye(1, 5), words=["a"]), trace.given_each("params", LSTMParams(gate, gate, gate, gate)), note=trace)
    with pytest.raises(ValueError, match="the cell state has 5 slots; 4 fit on a phone"):
        drawings.lstm(Worked(trace), 1, "t")


def test_a_product_is_told_number_by_number_each_where_its_row_meets_its_column():
    _, drawing = DRAWN["product"]()
    said = repr(drawing)
    assert "1. Row 1, column 1: −1.5 times 0 plus −0.5 times 2 is −1.\n" in said
    assert "4. Row 2, column 2: 0.5 times 1 plus 1.5 times 3 is 5." in said
    at = {number.get("data-value"): mark for mark in parsed(drawing).iter("text") for number in mark.iter("tspan")}
    at |= {mark.get("data-value"): mark for mark in parsed(drawing).iter("text") if mark.get("data-value")}
    for i, j in np.ndindex(2, 2):
        crossing = at[f"out[{i}, {j}]"]
        assert abs(float(crossing.get("y")) - float(at[f"left[{i}, 0]"].get("y"))) < 1
        assert crossing.get("x") == at[f"right[0, {j}]"].get("x")
    with pytest.raises(ValueError, match="6 columns beside each other; 5 fit on a phone"):
        drawings.product(multiplied(3, 3), "left", "right", "out", "t")


def test_a_block_of_three_words_is_refused():
    trace = Trace()
    block(trace.given("x", np.eye(3, 4), words=list("abc")), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    with pytest.raises(ValueError, match=r"the rows are \(3, 4\); 2 lanes of 4 slots fit on a phone"):
        drawings.block(Worked(trace), "t")


def test_a_block_is_told_in_the_order_in_which_it_is_worked_and_says_where_words_meet():
    ways = {
        "block": ["Each row is normalized", "Three grids", "the residual.", "row of the residual is normalized", "ReLU", "sum: out"],
        "block with the norm last": [
            "Three grids",
            "the residual.",
            "row of the residual is normalized",
            "ReLU",
            "sum: mlp_residual",
            "row of the mlp_residual is normalized",
        ],
    }
    attention = ["Three grids, 4 by 4", "the scores, 2 by 2", "the root of 4", "takes of every value", "output, makes attn_out", "the residual."]
    for name, order in ways.items():
        said = repr(DRAWN[name]()[1])
        for wanted in (["2 rows of 4 numbers", *order], attention):
            places = [said.index(words) for words in wanted]
            assert places == sorted(places), name
        assert said.count("words meet") == 1 and said.count("is normalized") == 2


def test_each_mix_of_a_block_has_a_line_from_every_word_as_thick_as_its_share():
    lines = [mark.get("data-paint").split()[-1] for mark in parsed(DRAWN["block"]()[1]).iter("line") if mark.get("data-paint")]
    assert lines == ["cat.weights[cat]", "cat.weights[sat]", "sat.weights[cat]", "sat.weights[sat]"]


def test_both_orders_begin_with_the_same_row_and_tame_it_elsewhere():
    svg = parsed(DRAWN["orders"]()[1])
    numbers = [number.get("data-value") for number in svg.iter("tspan") if number.get("data-value").endswith("[0]")]
    rows = ["x", "norm1.normalized", "attn_out", "residual", "norm2.normalized", "mlp_out", "out"]
    last = ["x", "attn_out", "residual", "norm1.normalized", "mlp_out", "mlp_residual", "out"]
    assert numbers == [f"cat.{name}[0]" for name in rows] + [f"post.cat.{name}[0]" for name in last]
    assert [text.text for text in svg.iter("text") if (text.text or "").startswith("+ ")] == [
        "+ x, residual",
        "+ residual, out",
        "+ x, residual",
        "+ norm1.normalized, mlp_residual",
    ]


def test_all_that_a_block_is_given_can_be_dragged_and_what_it_makes_is_shown():
    worked, drawing = DRAWN["givens"]()
    marked = [number.get("data-value") for mark in parsed(drawing).iter("g") if mark.get("class") == "given" for number in mark.iter("tspan")]
    names = [name for name, array in worked.trace.names.items() if array.op == "given"]
    assert marked == [number.reference for name in names for number in worked.numbers(name)]
    assert all(mark.get("data-value") in marked for mark in parsed(drawing).iter("tspan"))
    assert [mark.get("data-value") for mark in parsed(DRAWN["result"]()[1]).iter("tspan")] == [
        f"{word}.out[{k}]" for word in ("cat", "sat") for k in range(4)
    ]


@given(st.floats(-5, 5), st.floats(0.1, 9), st.floats(-1e6, 1e6))
def test_a_painted_attribute_stays_between_its_ends(offset, factor, x):
    paint = Paint("width", "x", offset, factor)
    assert paint.at(0) - 0.01 <= paint.at(x) <= paint.at(1) + 0.01


def test_the_weights_of_an_unrolled_rnn_stand_once_and_what_each_step_adds_up_on_its_arrows():
    svg = parsed(DRAWN["unrolled"]()[1])
    weights = [mark.get("data-value") for mark in svg.iter("tspan") if mark.get("data-value").startswith("params.")]
    assert len(weights) == len(set(weights)) == 2 * 2 + 2 * 2 + 2
    for k in (1, 2, 3):
        (step,) = (group for group in svg.iter("g") if group.get("data-step") == f"{k + 1}")  # the first is the empty memory
        named = " ".join(mark.get("data-value") for mark in step.iter("tspan"))
        assert all(f"step{k}.{name}" in named for name in ("from_input", "from_hidden", "preactivation", "hidden"))
    trace = Trace()
    given = RNNParams(np.ones((4, 2)), np.ones((4, 4)), np.ones(4))
    rnn(trace.given("x", np.ones((1, 2)), words=["a"]), trace.given_each("params", given), note=trace, h0=trace.given("h0", np.zeros(4)))
    with pytest.raises(ValueError, match="the input has 2 numbers and the hidden state 4; 3 fit on a phone"):
        drawings.unrolled(Worked(trace), "t")
