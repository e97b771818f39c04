"""Features of single labs: random draws, announcements, two heat maps at once; and the font of all labs."""

import numpy as np
import pytest
from labs import LABS, cell, expected, put, shown

from pencil.examples import LETTER_PATCHES

SMALLEST = 11  # pixels, on a phone


# ---- SamplingLab draws


def test_it_draws_what_python_draws_and_keeps_a_tally(bare):
    with bare("sampling") as (lab, box, _):
        once, often = (box.get_by_role("button", name=name) for name in ("Draw again", "Draw a hundred times"))
        for button, times in ((once, 1), (once, 1), (often, 100), (once, 1)):
            button.click()
            lab.draw(times)
            assert shown(box) == expected(lab)
        assert sum(lab.givens["counts"]) == 103
        drawn, shares = lab.trace.find("frequencies").exact, lab.trace.find("weights").exact
        np.testing.assert_allclose(drawn, shares, atol=0.15)


def test_dice_are_rolled_and_checked_as_in_python_the_right_way_and_the_wrong_one(bare):
    with bare("dice") as (lab, box, _):
        assert shown(box) == expected(lab)
        for variant in (0, 1):
            box.locator("select").select_option(str(variant))
            lab.variant = variant
            for name, times in (("Roll again", 1), ("Roll a hundred times", 100)):
                box.get_by_role("button", name=name).click()
                lab.draw(times)
                assert shown(box) == expected(lab)
            assert sum(lab.givens["counts"]) == 101
        cell(box, "target_parts", 0).fill("0")
        assert "A face has a part above zero" in box.locator(".pencil-part:has([data-name=target_parts]) .wrong").inner_text()


# ---- what is counted


def test_a_count_takes_no_fraction_and_heads_are_shared_out_evenly(bare):
    with bare("cache") as (lab, box, tab):
        before = shown(box)[len(lab.givens) :]
        for name, typed, says in (
            ("blocks", "2.5", "“number of blocks” must be a whole number, 1 or more. Type 3, for example."),
            ("words", "0", "“number of words” must be a whole number, 1 or more. Type 1, for example."),
            ("kept_heads", "5", "that divides “number of heads”. Type 4, for example."),
            (
                "heads",
                "10",
                "“number of heads with a key and value” must be a whole number, 1 or more, that divides “number of heads”. Type 10, for example.",
            ),
            ("size", "0", "type 2, or 0.5 for four bits"),
        ):
            cell(box, name, 0).fill(typed)
            assert says in box.locator(f".pencil-part:has([data-name={name}]) .wrong").inner_text()
            assert shown(box)[len(lab.givens) :] == before, name
            tab.keyboard.press("Enter")
        for name, typed, number in (("kept_heads", "4", 4), ("size", "½", 0.5), ("words", "32,768", 32768)):
            cell(box, name, 0).fill(typed)
            put(lab, name, 0, number)
        assert shown(box)[len(lab.givens) :] == expected(lab)[len(lab.givens) :]


def test_a_bit_turns_at_a_press_and_each_format_has_its_own(bare):
    with bare("bits") as (lab, box, _):
        cell(box, "fraction", 0).click()
        put(lab, "fraction", 0, 0)
        assert shown(box) == expected(lab)
        box.locator(".pencil-controls select").first.select_option(label="fp16")
        assert box.locator("[data-name=fraction]").count() == 10 and box.locator("[data-name=exponent]").count() == 5


def test_long_numbers_have_commas_in_lines_and_on_cards_and_none_in_cells(bare):
    with bare("cache") as (lab, box, tab):
        assert ["bytes of the text = 36,864·1,024 = 37,748,736"] in shown(box) and cell(box, "words", 0).input_value() == "1024"
        assert float(lab.trace.find("text").exact) == 37748736
        box.locator(".pencil-lab-live .pencil-number[data-value='text']").first.click()
        card = tab.locator(".pencil-card")
        assert card.locator(".pencil-worked").inner_text().replace("\xa0", " ") == "bytes of the text = 36,864·1,024 = 37,748,736"
        assert card.locator(".exact").inner_text() == "exactly 37,748,736"


def test_a_fraction_that_is_typed_is_not_called_exact_where_its_digits_go_on(bare):
    with bare("softmax") as (_lab, box, tab):
        says = {"1/3": "more exactly 0.333333", "√2": "more exactly 1.414214", "1/4": "exactly 0.25"}
        for typed, said in says.items():
            cell(box, "scores", 0).fill(typed)
            box.locator(
                ".pencil-lab-live .pencil-number[data-value='first.tempered'], .pencil-lab-live .pencil-number[data-value='tempered[first]']"
            ).first.click()
            assert tab.locator(".pencil-card .exact").inner_text() == said


def test_other_shares_begin_the_tally_anew(bare):
    with bare("sampling") as (lab, box, _):
        again, scores = box.get_by_role("button", name="Draw again"), len(lab.givens["counts"])

        def tally():
            return [float(cell(box, "counts", k).input_value()) for k in range(scores)]

        for change in (lambda: cell(box, "scores", 0).fill("1.5"), lambda: cell(box, "temperature", 0).fill("2")):
            again.click()
            assert sum(tally()) == 1
            change()
            assert sum(tally()) == 0
        again.click()
        cell(box, "u", 0).fill("0.1")
        assert sum(tally()) == 1, "a u that is typed is no other share"
        box.get_by_role("button", name="Add a score").click()
        assert sum(tally()) == 0


@pytest.mark.parametrize("name, links", [("sampling", "SamplingLab"), ("softmax", "SoftmaxLab")])
def test_no_temperature_is_below_zero(bare, name, links):
    with bare(name) as (lab, box, _):
        for typed in ("-1", "0"):
            cell(box, "temperature", 0).fill(typed)
            assert "A temperature is above zero" in box.locator(".pencil-part:has([data-name=temperature]) .wrong").inner_text()
            with pytest.raises(ValueError, match="A temperature is above zero"):
                put(lab, "temperature", 0, float(typed))
        assert shown(box)[2:] == expected(lab)[2:], "what follows stands as it was"
        cell(box, "temperature", 0).fill("2")
        put(lab, "temperature", 0, 2)
        assert shown(box) == expected(lab)
    with bare(name, fragment=f"#pencil:{links}/temperature:0=-1") as (lab, box, _tab):
        assert shown(box) == expected(lab), "nor by a link"


def test_a_tally_is_no_number_of_the_reader_s(bare):
    with bare("sampling") as (_, box, _tab):
        box.get_by_role("button", name="Draw a hundred times").click()
        assert box.locator(".pencil-lab-said").inner_text().startswith("u is yours")


def test_a_link_carries_the_tally(bare):
    with bare("sampling") as (_, box, tab):
        box.get_by_role("button", name="Draw a hundred times").click()
        tab.wait_for_function("location.hash.includes('counts')")
        fragment, there = tab.evaluate("location.hash"), shown(box)
    with bare("sampling", fragment=fragment) as (_, box, _tab):
        assert shown(box) == there


# ---- PatchLab


def test_it_says_the_letter_and_when_the_scores_are_equal(bare):
    with bare("patch") as (lab, box, _):
        said = box.locator(".pencil-lab-live .says [role=status]")
        assert said.inner_text() == "The machine says L."
        box.locator("select").nth(1).select_option(label="halves swapped")
        lab.variant = 1
        assert said.inner_text() == "The machine says J." and shown(box) == expected(lab)
        for place, score in enumerate([0] * 8):
            cell(box, "params.head", place).fill(str(score))
        assert said.inner_text() == "L and J are equal."
        box.get_by_role("button", name="Clear the picture").click()
        put(lab, "params.head", slice(8), 0)
        put(lab, "image", slice(16), 0)
        assert said.inner_text() == "The picture is empty: there is no letter to judge." and shown(box) == expected(lab)


def test_every_row_has_the_name_of_its_patch(bare):
    with bare("patch") as (_, box, _tab):
        heads = box.locator(".pencil-lab-live .pencil-heat th[scope=row]").all_inner_texts()
        assert heads == [*LETTER_PATCHES, "class", *LETTER_PATCHES]


# ---- RNNLab and LSTMLab


def test_a_review_is_put_together_from_the_words(bare):
    with bare("rnn") as (lab, box, tab):
        words = box.locator("[data-name=ids]")
        for place, word in ((0, "good"), (2, "not")):
            words.nth(place).select_option(label=word)
            put(lab, "ids", place, lab.variants[0].steps[0].parts[0].words.index(word))
            assert shown(box) == expected(lab)
        box.get_by_role("button", name="Add a word").click()
        lab.variant += 1
        assert shown(box) == expected(lab) and words.count() == len(lab.givens["ids"])
        words.first.focus()
        tab.keyboard.press("Home")
        put(lab, "ids", 0, 0)
        assert shown(box) == expected(lab)


def test_the_cell_of_each_word_follows_another_word_before_it_and_a_weight_of_its_gate(bare):
    with bare("lstm") as (lab, box, _tab):
        cell_state = box.locator(".pencil-lab-live [data-value='third.step3.cell[sound]']").last
        box.locator("[data-do=step]").last.click()
        box.locator("[data-do=step]").last.click()
        lab.step = 2
        assert shown(box) == expected(lab) and cell_state.text_content() == "−0.847"
        box.locator("[data-name=ids]").first.select_option(label="film")
        put(lab, "ids", 0, lab.variants[0].steps[0].parts[0].words.index("film"))
        assert shown(box) == expected(lab) and cell_state.text_content() == "0.671"
        cell(box, "params.input_gate", 4).fill("−9")
        put(lab, "params.input_gate", 4, -9)
        assert shown(box) == expected(lab) and float(cell_state.text_content()) < 0.1


# ---- HeadsLab


def test_the_maps_of_two_heads_stand_side_by_side(bare):
    with bare("heads") as (_, box, _tab):
        one, other = (map_.bounding_box() for map_ in box.locator(".pencil-lab-live .pencil-heat").all())
        assert one["y"] == other["y"] and one["x"] + one["width"] < other["x"]


# ---- BlockLab


@pytest.mark.parametrize("way", ["wide", "narrow"])
def test_the_lanes_say_what_a_changed_number_was_and_what_comes_out_stays_in_sight(bare, way):
    with bare("block", way=way) as (lab, box, tab):
        (share, key), first = (
            [box.locator(f".drawing:not(:last-child) [data-value='{name}']") for name in ("cat.weights[sat]", "cat.key[1]")],
            shown(box),
        )
        assert box.locator(".was").count() == 0
        ask = cell(box, "params.attention.head1.query", 0)
        ask.fill("2")
        put(lab, "params.attention.head1.query", 0, 2)
        assert shown(box) == expected(lab)
        assert share.text_content() == "0.953" and share.locator("+ .was").text_content() == "0.731"
        assert share.get_attribute("class").split() == ["pencil-number", "changed"]
        assert key.locator("+ .was").count() == 0
        out = box.locator(".pencil-lab-live .drawing").last
        for there in (ask, share):
            there.scroll_into_view_if_needed()
            at = out.bounding_box()
            assert at["y"] >= 0 and at["y"] + at["height"] <= tab.evaluate("innerHeight")
        box.locator("select").first.select_option(label="last (Post-LN)")
        lab.variant = 2
        assert shown(box) == expected(lab) and box.locator(".was").count() > 20
        ask.fill("0")
        box.locator("select").first.select_option(label="first (Pre-LN)")
        assert shown(box) == first and box.locator(".was").count() == 0


def test_a_number_of_the_lanes_opens(bare):
    with bare("block") as (_, box, tab):
        box.locator("[data-value='cat.weights[sat]']").last.click()
        assert "cat.share[sat]" in tab.locator(".pencil-card").inner_text()


# ---- ModernLab, CacheLab, PagesLab, RingLab and SparseLab


def test_the_parts_of_a_block_are_chosen_and_the_rows_and_the_bill_follow(bare):
    with bare("modern") as (lab, box, _):
        for number, choice in ((4, 0), (6, 1), (7, 2)):  # LayerNorm, then a pair for each head, then GELU
            box.locator("select").nth(choice).select_option(index=1)
            lab.variant = number
            assert shown(box) == expected(lab)
        cell(box, "width", 0).fill("4096")
        put(lab, "width", 0, 4096)
        assert shown(box) == expected(lab)


def test_a_cache_of_a_reader_s_own_machine(bare):
    with bare("cache") as (lab, box, _):
        box.locator("select").select_option(label="Llama")
        lab.variant = 2
        for name, number in (("words", 1), ("kept_heads", 32)):
            cell(box, name, 0).fill(str(number))
            put(lab, name, 0, number)
            assert shown(box) == expected(lab)
        cell(box, "blocks", 0).fill("0")
        assert "must be a whole number, 1 or more. Type 1, for example." in box.locator(".pencil-part:has([data-name=blocks]) .wrong").inner_text()


def test_pages_are_laid_elsewhere_and_words_that_do_not_fit_are_refused(bare):
    with bare("pages") as (lab, box, _):
        cell(box, "table", 1).fill("3")  # the same page twice
        put(lab, "table", 1, 3)
        assert shown(box) == expected(lab) and lab.trace.find("found").exact == 3
        cell(box, "taken", 2).click()
        put(lab, "taken", 2, 1)
        assert shown(box) == expected(lab)
        cell(box, "words", 0).fill("9")
        assert "no more than the pages" in box.locator(".pencil-part:has([data-name=words]) .wrong").inner_text()
        box.locator("select").select_option(label="3")
        lab.variant = 1
        assert shown(box) == expected(lab)


def test_the_window_of_the_ring_slides(bare):
    with bare("ring") as (lab, box, tab):
        slider = box.locator("input[type=range]").first
        for key, window in (("ArrowLeft", 2), ("Home", 1), ("End", 5)):
            slider.focus()
            tab.keyboard.press(key)
            put(lab, "window", 0, window)
            assert shown(box) == expected(lab)


def test_the_needle_moves_and_every_way_follows(bare):
    with bare("sparse") as (lab, box, _):
        for variant, way in enumerate(("a window", "blocks of two", "an indexer", "entries of two")):
            box.locator("select").select_option(label=way)
            lab.variant = variant
            for name, number in (("needle", 5 + variant % 2), ("k", 1 + variant)):
                cell(box, name, 0).fill(str(number))
                put(lab, name, 0, number)
                assert shown(box) == expected(lab)


# ---- type

TYPE = """lab => {
  const walker = document.createTreeWalker(lab, NodeFilter.SHOW_TEXT), sizes = []
  const size = one => Number.parseFloat(getComputedStyle(one).fontSize)
  for (let text; text = walker.nextNode();)
    if (text.textContent.trim() && text.parentElement.getClientRects().length) sizes.push(size(text.parentElement))
  return [...sizes, ...[...lab.querySelectorAll("input, select, textarea")].map(size)]
}"""


@pytest.mark.parametrize("name", LABS)
def test_no_type_is_too_small_for_a_phone(bare, name):
    with bare(name, way="narrow") as (_, box, tab):
        sizes = box.locator(".pencil-lab-live").evaluate(TYPE)
        assert len(sizes) > 10 and min(sizes) >= SMALLEST and tab.evaluate("innerWidth") == 390
