"""The drawings of arrows in a plane, LSTM steps, products and blocks."""

import numpy as np
import pytest
from drawn import DRAWN, SUM, painted, parsed
from drawn_runs import belted, landed, multiplied

from pencil import drawings, examples
from pencil.drawings.canvas import AMBER, BLUE, RED
from pencil.reference import LSTMParams, RNNParams, attention, block, lstm, rnn
from pencil.trace import Trace
from pencil.worked import Worked


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


def test_the_arrow_that_answers_the_title_alone_has_its_colour():
    svg = parsed(drawings.plane(landed(), SUM, "A sum", answer="there"))
    colours = [mark.get("stroke") for mark in svg.iter("line") if mark.get("marker-end")]
    assert colours == [BLUE, BLUE, RED, RED, AMBER]


def test_an_arrow_head_that_follows_is_in_the_picture_once():
    for name in ("plane", "plane of a run"):
        svg = parsed(DRAWN[name]()[1])
        heads = [mark.get("id") for mark in svg.iter("marker")]
        assert len(heads) == len(set(heads)) == 2
        assert {mark.get("marker-end") for mark in svg.iter("line") if mark.get("marker-end")} == {f"url(#{head})" for head in heads}


def test_the_blocks_of_the_formula_have_the_shapes_of_their_products():
    trace = Trace()
    rows = {"query": [[1.0, 0.0], [0.0, 1.0]], "key": examples.LOOKUP_KEYS, "value": examples.LOOKUP_VALUES}
    attention(*(trace.given(name, numbers) for name, numbers in rows.items()), note=trace)
    svg = parsed(drawings.formula(Worked(trace), "t"))
    said = ["".join(text.itertext()) for text in svg.iter("text")]
    assert [text for text in said if "×" in text] == ["2 × 2", "2 × 3", "2 × 3", "2 × 3", "3 × 2", "2 × 2"]
    turned = [span.get("data-value") for span in svg.iter("tspan") if (span.get("data-value") or "").startswith("key")]
    assert turned == [f"key[{k}, {i}]" for i in range(2) for k in range(3)], "the keys are columns"
    trace = Trace()
    attention(*(trace.given(name, np.eye(5)) for name in rows), note=trace)
    with pytest.raises(ValueError, match="5 queries and 5 keys; 4 of each fit"):
        drawings.formula(Worked(trace), "t")
    trace = Trace()
    attention(*(trace.given(name, np.eye(4)) for name in rows), note=trace)
    with pytest.raises(ValueError, match=r"weights, value, context are 4 \+ 4 \+ 4 columns wide, too many for a phone"):
        drawings.formula(Worked(trace), "t")


def test_a_context_is_pulled_by_discs_as_large_as_its_shares_and_its_query_can_be_dragged():
    trace = Trace()
    given = {"query": [[1.0, 0.0]], "key": examples.LOOKUP_KEYS, "value": examples.LOOKUP_VALUES}
    items = {"query": ["asked"], "key": ["east", "north", "northeast"], "value": ["east", "north", "northeast"]}
    attention(*(trace.given(name, numbers, words=items[name]) for name, numbers in given.items()), note=trace)
    svg = parsed(drawings.pull(Worked(trace), "asked", "t"))
    discs = [(float(mark.get("rx")), float(mark.get("ry"))) for mark in svg.iter("ellipse")]
    shares = trace.find("asked.weights").exact
    assert discs == [(pytest.approx(1.5 + 15 * share, abs=0.01),) * 2 for share in shares]
    assert sum(mark.get("class") == "given" for mark in svg.iter("g")) == 2
    (arrow,) = [mark for mark in svg.iter("line") if mark.get("marker-end")]
    bands = [mark for mark in svg.iter("line") if mark.get("stroke") == RED]
    assert len(bands) == 3 and all((band.get("x1"), band.get("y1")) == (arrow.get("x2"), arrow.get("y2")) for band in bands)


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


def near_tips():
    trace = Trace()
    for name, row in {"far": [2.0, 0.0], "top": [0.0, 3.0], "near": [0.095, 2.858], "below": [0.238, 2.642]}.items():
        trace.given(name, row)
    ends = [("far", "value of far"), ("top", "value of top"), ("top", "far", "the line"), ("near", "near.context"), ("below", "below.context")]
    return drawings.plane(Worked(trace), ends, "Tips side by side")


def test_an_arrow_between_two_drawn_tips_joins_them():
    assert "3. the line joins value of far and value of top.\n" in repr(near_tips())


def test_labels_of_tips_side_by_side_stand_in_the_order_of_the_tips():
    labels = {text.text: float(text.get("y")) for text in parsed(near_tips()).iter("text")}
    assert labels["value of top"] < labels["near.context"] < labels["below.context"]


def test_arrows_that_no_plane_can_show_are_refused():
    with pytest.raises(ValueError, match=r"king.embedding has the shape \(3,\); an arrow takes the slots 0 and 3 of a row"):
        drawings.plane(landed(), SUM, "t", slots=(0, 3))
    with pytest.raises(ValueError, match="away: nothing but zeros in the slots 2 and 2; choose two others"):
        drawings.plane(landed(), ["away"], "t", slots=(2, 2))
    with pytest.raises(ValueError, match="no arrows"):
        drawings.plane(landed(), [], "t")
    with pytest.raises(ValueError, match="answer='their' is no arrow from the origin; these are: "):
        drawings.plane(landed(), SUM, "t", answer="their")


def test_a_step_of_an_lstm_is_drawn_in_the_order_in_which_it_is_worked():
    said = repr(DRAWN["lstm"]()[1])
    order = [
        "good comes in: [1, 0]",
        "added up",
        "forget gate [0.881, 0.119]",
        "candidate of the fourth",
        "The old cell times the forget gate",
        "the new cell",
    ]
    order += ["goes through tanh", "That, times the output gate, is the new hidden: [−0.579, 0.089]"]
    places = [said.index(words) for words in order]
    assert places == sorted(places)


def test_before_the_first_step_of_an_lstm_there_is_nothing():
    _, drawing = DRAWN["first step of an lstm"]()
    assert [mark.text for mark in parsed(drawing).iter("text")].count("empty") == 2
    assert "The hidden and the cell are empty." in repr(drawing)
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
        "block": ["Each row is normalized", "Three weight", "the residual.", "row of the residual is normalized", "ReLU", "once more: out"],
        "block with the norm last": [
            "Three weight matrices",
            "the residual.",
            "row of the residual is normalized",
            "ReLU",
            "once more: block output",
            "row of the block output is normalized",
        ],
    }
    attention = [
        "Three weight matrices, 4 by 4",
        "2 by 2 scores",
        "the root of 4",
        "each word mixes the values",
        "W_O, makes the attention output",
        "the residual.",
    ]
    for name, order in ways.items():
        said = repr(DRAWN[name]()[1])
        for wanted in (["2 rows of 4 numbers", *order], attention):
            places = [said.index(words) for words in wanted]
            assert places == sorted(places), name
        assert said.count("words meet") == 1 and said.count("is normalized") == 2


def test_the_two_parts_of_a_block_have_a_ground_each_and_every_residual_connection_ends_in_a_plus():
    for name in ("block", "block with the norm last"):
        svg = parsed(DRAWN[name]()[1])
        grounds = [(float(rect.get("y")), float(rect.get("y")) + float(rect.get("height"))) for rect in svg.iter("rect") if rect.get("rx") == "8"]
        assert len(grounds) == 2 and grounds[0][1] < grounds[1][0]
        named = {text.text: float(text.get("y")) for text in svg.iter("text") if text.text and text.get("font-weight")}
        rows = ("query", "context", "attention output", "hidden", "feed-forward output", "residual")
        inside = {word: [top < named[word] < foot for top, foot in grounds] for word in rows}
        assert list(inside.values()) == [[True, False]] * 3 + [[False, True]] * 2 + [[False, False]]
        assert [text.text for text in svg.iter("text")].count("+") == len([*svg.iter("circle")]) == 4


def test_each_mix_of_a_block_has_a_line_from_every_word_as_thick_as_its_share():
    lines = [mark.get("data-paint").split()[-1] for mark in parsed(DRAWN["block"]()[1]).iter("path") if mark.get("data-paint")]
    assert lines == ["cat.weights[cat]", "cat.weights[sat]", "sat.weights[cat]", "sat.weights[sat]"]


def test_both_orders_begin_with_the_same_row_and_normalize_it_elsewhere():
    svg = parsed(DRAWN["orders"]()[1])
    numbers = [number.get("data-value") for number in svg.iter("tspan") if number.get("data-value").endswith("[0]")]
    rows = ["x", "norm1.normalized", "attn_out", "residual", "norm2.normalized", "mlp_out", "out"]
    last = ["x", "attn_out", "residual", "norm1.normalized", "mlp_out", "mlp_residual", "out"]
    assert numbers == [f"cat.{name}[0]" for name in rows] + [f"post.cat.{name}[0]" for name in last]
    assert [text.text for text in svg.iter("text") if (text.text or "").startswith("+ ")] == [
        "+ x = residual",
        "+ residual = out",
        "+ x = residual",
        "+ normalized = block output",
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


def test_an_edge_of_the_paths_is_as_thick_as_its_slope_is_large_and_its_colour_is_the_sign():
    worked, drawing = DRAWN["jacobian_paths"]()
    edges = [mark for mark in parsed(drawing).iter("line") if mark.get("data-paint")]
    drawn = [(float(mark.get("stroke-width")), mark.get("stroke")) for mark in edges]
    (blue, amber), slopes = (drawn[0][1], drawn[1][1]), [1, -1.5, 3, -0.5]  # right[0, 1], left[0, 0], right[1, 1], left[0, 1]
    assert [worked.trace.find(name).exact for name in ("right[0, 1]", "left[0, 0]", "right[1, 1]", "left[0, 1]")] == slopes
    assert blue != amber and drawn == [
        (pytest.approx(12 * min(max(sign * slope, 0), 1)), colour) for slope in slopes for sign, colour in ((1, blue), (-1, amber))
    ]
    assert "".join(parsed(drawing).itertext()).endswith("1 · (−1.5) + 3 · (−0.5) = −3")
