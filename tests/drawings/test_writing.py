"""The drawings of text generation: a window, sampling, a cache."""

from itertools import pairwise

import numpy as np
import pytest
from drawn import ROUNDS, answered, drafted, kept, laid_out, parsed, rewarded

from pencil import drawings
from pencil.drawings.canvas import QUIET
from pencil.examples import NEXT_WORDS


def test_a_window_has_a_row_for_each_letter_that_comes():
    drawing = drawings.window("a cat\nb", "t")
    rows = [(text.text, text.find("tspan").text) for text in parsed(drawing).iter("text")]
    assert rows == [("a", "␣"), ("a ", "c"), ("a c", "a"), ("a ca", "t"), ("a cat", "↵"), ("a cat↵", "b")]
    assert [len(group.findall("text")) for group in parsed(drawing).iter("g")] == [1, 1, 4]
    assert "question 6" in repr(drawing) and "after “a␣”? Here “c”" in repr(drawing)


def test_the_shortest_window_asks_one_question():
    assert len(drawings.window("ab", "t").steps) == 1
    assert len(drawings.window("abc", "t").steps) == 2


@pytest.mark.parametrize("text, count", [("a", 1), ("", 0), ("a" * 60, 60)])
def test_a_window_that_asks_nothing_or_is_too_long_is_refused(text, count):
    with pytest.raises(ValueError, match=f"a text of {count} letters; 2 to 49 have room"):
        drawings.window(text, "t")


def stretches(drawing):
    return [(float(bar.get("x")), float(bar.get("width"))) for bar in parsed(drawing).iter("rect")]


def test_the_shares_of_a_draw_lie_end_to_end():
    worked = laid_out()
    bars = stretches(drawings.sampling(worked, "t"))
    shares = worked.trace.find("weights").exact
    assert len(bars) == len(NEXT_WORDS) == 3
    for (x, long), (after, _) in pairwise(bars):
        assert x + long == pytest.approx(after, abs=0.02)
    assert [long for _, long in bars] == pytest.approx(shares * sum(long for _, long in bars), abs=0.02)


@pytest.mark.parametrize("u, word", [(0.1, "down"), (0.8, "up"), (0.95, "off")])
def test_u_points_at_the_word_that_is_drawn(u, word):
    worked = laid_out(u)
    drawing = drawings.sampling(worked, "t")
    arrow = next(line for line in parsed(drawing).iter("line") if line.get("marker-end"))
    at = float(arrow.get("x1"))
    assert arrow.get("x2") == arrow.get("x1") and " u" in arrow.get("data-paint")
    (hit,) = [k for k, (x, long) in enumerate(stretches(drawing)) if x <= at < x + long]
    assert NEXT_WORDS[hit] == word and hit == worked.trace.find("drawn").exact


def test_a_draw_from_what_is_no_row_with_words_is_refused():
    worked = kept()
    with pytest.raises(ValueError, match=r"next\.keys has the shape \(3, 4\)"):
        drawings.sampling(worked, "t", weights="next.keys")
    with pytest.raises(ValueError, match=r"plain has the shape \(2,\) and the words \[\]; a draw takes a row of 1 to 6 with words"):
        drawings.sampling(laid_out(), "t", weights="plain")


def test_a_cache_grows_by_a_row_a_word_and_the_new_one_asks():
    worked = kept()
    drawing = drawings.cache(worked, "next", "t")
    groups = list(parsed(drawing).iter("g"))
    written = [{span.get("data-value").partition("[")[0] for span in group.iter("tspan") if span.get("data-value")} for group in groups]
    assert written == [
        {"cat.next.keys", "cat.next.values"},
        {"sat.next.keys", "sat.next.values"},
        {"new.next.keys", "new.next.values", "new.next.query"},
        {"new.next.weights"},
        {"new.next.context"},
    ]
    widths = [float(mark.get("width")) for mark in groups[3].iter("rect") if mark.get("data-paint")]
    assert np.argsort(widths).tolist() == np.argsort(worked.trace.find("new.next.weights").exact).tolist()


def test_a_cache_of_long_rows_is_refused():
    with pytest.raises(ValueError, match=r"next\.keys has rows of 5 numbers; up to 4 have room"):
        drawings.cache(kept(slots=5), "next", "t")


def test_an_answer_has_a_bar_for_each_token_that_was_guessed():
    worked = answered()
    drawing = drawings.answer(worked, "t", ["who", "sat", "say", "cat"])
    bars = [float(bar.get("y1")) - float(bar.get("y2")) for bar in parsed(drawing).iter("line")]
    misses = worked.trace.find("token_loss").exact
    assert bars == pytest.approx(misses * bars[0] / misses[0], abs=0.05)
    counts = [box.get("fill-opacity") for box in parsed(drawing).iter("rect") if box.get("data-paint")]
    assert counts == ["0", "0.3", "0.3"]


@pytest.mark.parametrize("tokens", [["sat", "say", "cat"], list("abcde")])
def test_an_answer_with_another_number_of_tokens_is_refused(tokens):
    with pytest.raises(ValueError, match=f"{len(tokens)} tokens and 3 losses"):
        drawings.answer(answered(), "t", tokens)


def test_the_arrows_of_a_group_go_as_far_as_the_advantages():
    worked = rewarded((1, 0, 0, 0))
    arrows = [line for line in parsed(drawings.group(worked, "t")).iter("line") if line.get("marker-end")]
    ways = [float(arrow.get("x2")) - float(arrow.get("x1")) for arrow in arrows]
    advantages = worked.trace.find("advantage").exact
    assert len(ways) == 4 and ways == pytest.approx(advantages * ways[0] / advantages[0], abs=0.05) and ways[0] > 0 > ways[1]


def test_a_group_that_has_no_room_is_refused():
    with pytest.raises(ValueError, match=r"shape \(9,\)"):
        drawings.group(rewarded(range(9)), "t")


def test_the_bars_of_two_dice_overlap_where_a_draft_is_kept():
    worked = drafted()
    draft, target, both, above = np.array(stretches(drawings.overlap(worked, "t"))).reshape(4, 6, 2).transpose(0, 2, 1)
    assert both[1] == pytest.approx(np.minimum(draft[1], target[1]), abs=0.02)
    assert both[1].sum() / target[1].sum() == pytest.approx(19 / 24, abs=1e-3)
    assert above[0] == pytest.approx(draft[0] + both[1], abs=0.02) and above[1] == pytest.approx(target[1] - both[1], abs=0.02)


def test_dice_of_more_faces_than_have_room_are_refused():
    with pytest.raises(ValueError, match=r"next\.keys has the shape \(3, 4\)"):
        drawings.overlap(kept(), "t", target="next.keys")


def test_the_drafts_of_a_round_fade():
    boxes = [float(box.get("fill-opacity")) for box in parsed(drawings.rounds(drafted(), "t")).iter("rect") if box.get("data-paint")]
    assert boxes == pytest.approx([0.7 * (19 / 24) ** k for k in (1, 2, 3, 4)], abs=0.006)


@pytest.mark.parametrize("n_drafts", [0, 5])
def test_a_round_of_no_drafts_or_too_many_is_refused(n_drafts):
    with pytest.raises(ValueError, match=f"n_drafts={n_drafts}; 1 to 4 have room"):
        drawings.rounds(drafted(), "t", n_drafts)


def test_pages_that_no_picture_can_show_are_refused():
    one, two, three = (["a"], [0]), (["b"], [1]), (["c"], [2])
    for texts, size, says in (
        ({"one": one, "two": two, "three": three}, 2, "3 texts and 2 colours"),
        ({"one": one, "two": (["b"], [0])}, 2, "each belongs to one text"),
        ({"one": (["a"], [4])}, 2, "each belongs to one text"),
        ({"one": one}, 3, "block_size=3; up to 2 slots"),
    ):
        with pytest.raises(ValueError, match=says):
            drawings.pages(texts, 4, size, "t")


def pushes(drawing):  # -> for each step, the height of every arrow's way, above 0 for up
    groups = [[line for line in group.iter("line") if line.get("x1") == line.get("x2")] for group in parsed(drawing).iter("g")]
    return [[float(line.get("y1")) - float(line.get("y2")) for line in lines if line.get("stroke") != QUIET] for lines in groups]


def test_each_stage_of_training_pushes_what_it_rewards_up_and_the_rest_down():
    told = [["who", "say", "cat", "end"], [0, 0, 1, 1], "up", "down", [1, 0, 0, 1]]
    start, copied, liked, checked = pushes(drawings.training_stages("t", *told))
    assert start == [] and [way > 0 for way in copied] == [True, True]
    assert [way > 0 for way in liked] == [True, False] and [way > 0 for way in checked] == [True, False, False, True]
    *_, groups = [[text.text for text in group.iter("text")] for group in parsed(drawings.training_stages("t", *told)).iter("g")]
    assert groups[1:-1] == ["right", "wrong", "wrong", "right"]


@pytest.mark.parametrize(
    "tokens, mask, rewards",
    [("abc", [1, 1], [1]), ("abcdef", [1] * 6, [1]), ("abc", [1, 1, 1], [1] * 6), ("", [], []), ("", [], [1]), ("a", [1], [])],
)
def test_stages_with_too_many_tokens_or_a_mask_of_another_length_are_refused(tokens, mask, rewards):
    with pytest.raises(
        ValueError, match=f"{len(tokens)} tokens, a mask of {len(mask)} and {len(rewards)} rewards: give each token its mask, and one to 5"
    ):
        drawings.training_stages("t", tokens, mask, "up", "down", rewards)


def test_a_round_shows_what_is_accepted_what_is_rejected_and_what_is_added():
    drawing = drawings.drafted(ROUNDS, "t")
    assert repr(drawing).splitlines()[2::2] == [
        "  2. One pass of the writer checks them all. It accepts “c”, and rejects “o”, and the writer adds “a”.",
        "  4. One pass of the writer checks them all. All are accepted, and the writer adds “s”.",
        "  6. One pass of the writer checks them all. It rejects “o”; those after it go too, and the writer adds “a”.",
    ]
    hues = [box.get("fill") for box in parsed(drawing).iter("rect") if box.get("fill-opacity") == "0.3"]
    assert [("will" in hue, "wrong" in hue, "turn" in hue).index(True) for hue in hues] == [0, 1, 2, 0, 0, 2, 1, 2]
    with pytest.raises(ValueError, match="give up to 6 single letters a round"):
        drawings.drafted([("The ", ["cat"], 1, "s")], "t")
