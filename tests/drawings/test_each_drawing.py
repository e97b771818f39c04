"""What each drawing shows, and what it refuses."""

import re
from itertools import pairwise

import numpy as np
import pytest
from drawn import DRAWN, parsed
from drawn_runs import adapted, attended, fast_weights, in_chunks, looked_at, looked_up, masked, replaced, tiled, two_headed
from hypothesis import given
from hypothesis import strategies as st

from pencil import drawings, examples, reference
from pencil.drawings.canvas import Canvas
from pencil.drawings.paint import Paint
from pencil.reference import causal_mask, compressed_mask


def test_more_words_than_a_phone_has_room_for_are_refused():
    with pytest.raises(ValueError, match=r"4 words answer; 3 columns fit on a phone: use shares\(\)"):
        drawings.attention(attended(words=list("abcd"), rows=np.vstack([examples.ROWS, examples.ROWS])), "a", "t")


def test_a_look_at_more_words_than_fit_beside_each_other_is_refused():
    with pytest.raises(ValueError, match="3 words answer with 2 numbers each; 2 times 4 fit on a phone"):
        drawings.query_to_weights(looked_up(), "t")


def test_a_number_that_is_given_is_marked_for_the_page_and_no_other():
    worked, drawing = DRAWN["query_to_weights"]()
    marked = {number.get("data-value") for mark in parsed(drawing).iter("g") if mark.get("class") == "given" for number in mark.iter("tspan")}
    given_numbers = [number for word in ("nolan", "ended") for number in worked.numbers(f"{word}.key")]
    assert marked == {number.reference for number in [*worked.numbers("nolan.query"), *given_numbers]}
    canvas = Canvas(worked, "t")
    canvas.cells(0, 0, "nolan.scores")
    assert not [mark for mark in parsed(canvas.drawing(50)).iter("g") if mark.get("class")]


def test_the_arrow_of_a_larger_share_is_thicker_and_its_head_grows_with_it():
    svg = parsed(DRAWN["query_to_weights"]()[1])
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


def test_the_lines_of_shares_begin_beside_their_numbers_and_no_two_end_at_one_place():
    svg = parsed(DRAWN["masked shares"]()[1])
    lines = {mark.get("data-paint").split()[-1]: mark.get("d") for mark in svg.iter("path")}
    numbers = {mark[0].get("data-value"): float(mark.get("y")) for mark in svg.iter("text") if len(mark)}
    begin = {share: float(way.removeprefix("M").partition("C")[0].split()[1]) for share, way in lines.items()}
    assert {share: y + 4.5 for share, y in begin.items()} == pytest.approx(numbers)
    ends = sorted(float(way.split()[-1]) for way in lines.values())
    assert min(later - end for end, later in pairwise(ends)) >= 11  # the greatest thickness


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
    assert repr(drawing).startswith("Letters\n  1. head 1: 0.200 of its attention goes to at.\n  2. head 2: 0.200")
    assert repr(drawing).endswith("\n  4. head 4: 0.700 of its attention goes to at.")
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
        ("Begin with pooled", ""), ("hidden", " from pooled"), ("activation", " from hidden"), ("logit", " from activation"), ("loss", " from logit")
    ]  # fmt: skip
    assert "6. Back. The gradient of logit is 0.945: how much the loss changes per unit of it." in said and "gradient of loss" not in said
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


def test_an_arrow_that_passes_over_a_layer_goes_round_it():
    """Sat's row reaches the first sum past the context, and that sum the second past the hidden numbers; there and back that is four arrows."""
    _, drawing = DRAWN["graph with residual connections"]()
    wires = [path.get("d") for path in parsed(drawing).iter("path") if path.get("fill") == "none" and path.get("d").count("L") == 3]
    lanes = [float(d.split("L")[1].split()[0]) for d in wires]
    boxes = [float(box.get("x")) + float(box.get("width")) for box in parsed(drawing).iter("rect")]
    assert len(wires) == 4 and min(lanes) > max(boxes)
    assert "from sat.x and sat.context." in repr(drawing)


@given(st.floats(-5, 5), st.floats(0.1, 9), st.floats(-1e6, 1e6))
def test_a_painted_attribute_stays_between_its_ends(offset, factor, x):
    paint = Paint("width", "x", offset, factor)
    assert paint.at(0) - 0.01 <= paint.at(x) <= paint.at(1) + 0.01


def test_an_adapter_adds_what_its_small_matrices_make_to_what_the_frozen_one_makes():
    said = repr(drawings.adapter(adapted(), "cat", "t")).splitlines()[1:]
    assert said == [
        "  1. The row goes through the frozen matrix: [2, 1, 1, 0].",
        "  2. Beside it, A makes a single number of the row: 3.",
        "  3. B makes a whole row of that number again: [0, 0, 1.500, 0].",
        "  4. Their sum: [2, 1, 2.500, 0].",
    ]
    with pytest.raises(ValueError, match=r"a rank of one$"):
        drawings.adapter(adapted(b=[[0, 1]] * 4, a=[[1, 0, 1, 0]] * 2), "cat", "t")


def test_what_two_tiles_carry_is_multiplied_by_the_factor_and_divided_once():
    worked = tiled()
    drawing = drawings.memory(worked, "ask", "t")
    assert "are multiplied by the factor 0.500, and" in repr(drawing) and len(drawing.steps) == 6
    at = {name: worked.trace.find(f"ask.{name}").exact for name in ("tile2.acc", "tile2.running_sum", "context")}
    assert at["context"] == pytest.approx(at["tile2.acc"] / at["tile2.running_sum"])
    with pytest.raises(ValueError, match=r"values of the shapes \[\(4, 1\), \(4, 3\)\] in tiles of .* give keys of 1 number, values of up to 2"):
        drawings.memory(tiled(value=[[1, 2, 3]] * 4), "ask", "t")


def test_fast_memory_is_empty_at_first_and_then_has_each_tile_that_slow_memory_has():
    svg = parsed(drawings.memory(tiled(), "ask", "t"))

    def numbers(marks):  # -> {reference: digits} in slow memory, in fast memory
        found = [mark for mark in marks if mark.get("class") == "pencil-number" and mark.get("x")]
        return [{mark.get("data-value"): mark.text for mark in found if (float(mark.get("x")) > 198) == is_fast} for is_fast in (False, True)]

    empty, *filled = ([mark for mark in svg.iter("g") if mark.get("data-step") == str(k)] for k in (1, 2, 4))
    assert [text.text for text in empty[0].iter("text")] == ["some megabytes, empty"] and numbers(empty[0].iter()) == [{}, {}]
    slow, _ = numbers(set(svg.iter()) - {mark for group in svg.iter("g") for mark in group.iter()})
    assert slow | numbers(filled[0][0].iter())[1] == slow and slow["old.key"] == "1.099" and len(slow) == 13
    assert {**numbers(filled[0][0].iter())[1], **numbers(filled[1][0].iter())[1]} == slow


def test_what_travels_between_the_memories_is_what_the_bill_counts():
    worked = tiled()
    drawing = drawings.memory(worked, "ask", "t")
    spent = worked.trace.bill(fast=256)
    assert f"In all, {spent.reads} numbers were read and {spent.writes} written." in repr(drawing)
    carried = [int(text.text) for text in parsed(drawing).iter("text") if text.get("font-weight") == "600" and text.text.isdigit()]
    assert sum(carried[:-1]) == spent.reads and carried[-1] == spent.writes


def test_the_square_and_the_state_give_the_same_at_every_token():
    worked = fast_weights()
    drawing = drawings.state(worked, "t")
    assert len(drawing.steps) == 6 and "“sat” writes: its key times its value is added to the state. It is now [[4, 1], [2, 4]]." in repr(drawing)
    shown = [mark.get("data-value") for mark in parsed(drawing).iter() if ".square.weights" in mark.get("data-value", "")]
    assert [reference.partition(".")[0] for reference in shown] == ["a", "cat", "cat", "sat", "sat", "sat"]  # nobody looks ahead
    for t, word in enumerate(("a", "cat", "sat"), 1):
        assert worked.trace.find(f"{word}.square.context").exact == pytest.approx(worked.trace.find(f"token{t}.context").exact)
    with pytest.raises(ValueError, match=r"3 tokens with values of 3 numbers"):
        drawings.state(fast_weights(values=np.ones((4, 3))), "t")


def test_a_chunk_reads_the_state_of_the_one_before_and_no_square_crosses_it():
    drawing = drawings.chunks(in_chunks(decay=[0.5] * 4), "t")
    references = [mark.get("data-value") for mark in parsed(drawing).iter() if mark.get("class") == "pencil-number"]
    squares = [one for one in references if ".weights" in one]
    assert squares == [f"{row}.chunk{c}.weights[{key}]" for c, row, key in
                       ((1, "a", "a"), (1, "cat", "a"), (1, "cat", "cat"), (2, "sat", "sat"), (2, "on", "sat"), (2, "on", "on"))]  # fmt: skip
    assert [one for one in references if ".left" in one] == ["chunk2.left[0, 0]", "chunk2.left[1, 0]"]
    assert "[[1, 0], [0, 3]]. The next chunk needs nothing else of them." in repr(drawing) and len(drawing.steps) == 5
    assert len(drawings.chunks(in_chunks(chunk_size=3), "t").steps) == 5  # three tokens, and one
    with pytest.raises(ValueError, match="up to 4 tokens"):
        drawings.chunks(in_chunks(values=np.ones((4, 3))), "t")


def test_what_is_found_is_erased_before_the_new_value_is_written():
    drawing = drawings.delta_rule(replaced(), "t")
    assert len(drawing.steps) == 9 and "“bed” reads what its key finds: [2, 1]." in repr(drawing) and "leaves the error, [3, 4]." in repr(drawing)
    with pytest.raises(ValueError, match="a state \\(2, 3\\)"):
        drawings.delta_rule(replaced(values=np.ones((3, 3))), "t")


def test_a_mask_says_whether_it_keeps_the_needle():
    masks = {"all": np.tri(4), "three": causal_mask(4, window=3), "pressed": compressed_mask(4, rate=2).repeat(2, 1) / 2}
    drawing = drawings.sliding_windows(masks, "t", needle=0)
    assert [step for step in repr(drawing).split("\n")[1:]] == [
        "  1. All: the last word sees 4 of 4, the needle among them.",
        "  2. Three: the last word sees 3 of 4, and not the needle.",
        "  3. Pressed: the last word sees 2 entries, the needle in one of them.",
    ]
    squares = [mark for mark in parsed(drawing).iter() if mark.get("d")]
    counted = {colour: sum(mark.get("d").count("M") for mark in squares if colour in mark.get("fill")) for colour in ("--turn", "--wrong")}
    assert counted == {"--turn": 3 + 2 + 3 + 1, "--wrong": 1 + 1}  # of the three rows behind it, and one of each in the legend
    assert "needle" not in repr(drawings.sliding_windows({"all": np.tri(4)}, "t"))
