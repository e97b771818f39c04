"""Every lab on its own page, driven by keyboard and pointer, against NumPy."""

import numpy as np
import pytest
from conftest import ADDRESS
from labs import HTML, LABS, cell, expected, put, shown

from pencil.widgets.sampling_lab import T_REFUSED

QUICK = ("attention", "stepper")  # most kinds of parts and controls; each lab is driven in its chapter as well
every_lab = pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in LABS])
FIRST = {
    "attention": "embedding",
    "row": "query",
    "softmax": "scores",
    "sampling": "scores",
    "dice": "draft_parts",
    "keep": "words",
    "block": "x",
    "heads": "embedding",
    "rnn": "table",
    "lstm": "table",
    "mask": "scaled",
    "position": "embedding",
    "pooling": "embedding",
    "patch": "class_token",
    "modern": "x",
    "cache": "words",
    "pages": "table",
    "ring": "positions",
    "sparse": "scores",
    "state": "values",
    "rotary": "query",
    "valley": "start",
    "preference": "logits",
    "bits": "fraction",
    "stepper": "pooled",
}


@every_lab
def test_a_lab(bare, subtests, name):
    """One visit: each check begins where the pencil numbers stand, and the button brings them back to the letter."""
    with bare(name) as (_, box, tab):
        before, address = tab.evaluate(HTML), tab.evaluate(ADDRESS)
        for check in CHECKS_OF.get(name, CHECKS):
            with subtests.test(check.__name__):
                check(LABS[name](), box, tab, FIRST[name])
            box.get_by_role("button", name="Reset this lab").click()
            tab.wait_for_function("location.hash === ''")
            assert tab.evaluate(HTML) == before and tab.evaluate(ADDRESS) == address, f"not as before {check.__name__}"


def the_keyboard_alone(lab, box, tab, first_given):
    """Tab to the first cell, nudge it; walk on to every choice and every move."""
    first = box.locator(".pencil-cell").first
    for _ in range(40):
        tab.keyboard.press("Tab")
        if first.evaluate("cell => cell === document.activeElement"):
            break
    before = np.ravel(lab.givens[first_given])[0]
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Shift+ArrowDown")
    is_count = lab.trace.find(first_given).array.attrs.get("whole")
    put(lab, first_given, 0, round(before + 1 - (1 if is_count else 0.1), 10))
    assert shown(box) == expected(lab)
    tab.keyboard.press("Escape")
    for number in range(1, len(lab.variants[lab.variant].steps)):
        box.locator("[data-do=step]").last.focus()
        tab.keyboard.press("Enter")
        lab.step = number
        assert shown(box) == expected(lab)
        if number + 1 < len(lab.variants[lab.variant].steps):
            assert box.locator("[data-do=step]").last.evaluate("button => button === document.activeElement")
    to_the_first_move(box, lab)


def to_the_first_move(box, lab):
    """Back, button by button."""
    for _ in range(lab.step):
        box.locator("[data-do=step]").first.click()
    lab.step = 0


def at_first_the_pencil_numbers_stand(lab, box, tab, first_given):
    assert shown(box) == expected(lab)
    assert box.locator(".pencil-lab-said").inner_text() == ""


OUTLINE = """(lab, where) => [...lab.querySelectorAll(`${where} table`)].map(table =>
  [table.className, table.caption.textContent, [...table.querySelectorAll("th")].map(th => [th.scope, th.textContent]),
   [...table.querySelectorAll("[style]:not(input)")].map(one => one.getAttribute("style"))])"""


def the_script_draws_what_python_draws(lab, box, tab, first_given):
    """Pictures are made twice, by pencil.worked.tables and by pictures.js: the same tags, head and caption."""
    live, still = (box.evaluate(OUTLINE, where) for where in (".pencil-lab-live", ".pencil-lab-still"))
    if len(lab.variants[lab.variant].steps) == 1:
        assert live == still and live
    else:
        assert live == still[: len(live)]


def a_number_is_typed_into_a_cell(lab, box, tab, first_given):
    cell(box, first_given, 1).fill("−1.5")
    put(lab, first_given, 1, -1.5)
    assert shown(box) == expected(lab)
    assert "is yours" in box.locator(".pencil-lab-said").inner_text()


def the_pointer_drags_a_number(lab, box, tab, first_given):
    grabbed = cell(box, first_given, 0)
    grabbed.scroll_into_view_if_needed()
    at = grabbed.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 40, y, steps=5)
    tab.mouse.up()
    put(lab, first_given, 0, np.ravel(lab.givens[first_given])[0] + 3)
    assert shown(box) == expected(lab)
    assert grabbed.evaluate("cell => cell === document.activeElement && cell.selectionEnd > cell.selectionStart")


def every_variant_takes_the_reader_s_numbers_along(lab, box, tab, first_given):
    cell(box, first_given, 0).fill("2.5")
    put(lab, first_given, 0, 2.5)
    for number in [*range(len(lab.variants)), lab.variant]:  # and back to where it was: the button brings back numbers, no variant
        choose(box, lab, number)
        assert shown(box) == expected(lab), lab.chosen()
    to_the_first_move(box, lab)


def it_goes_forwards_and_back(lab, box, tab, first_given):
    moves = len(lab.variants[lab.variant].steps) - 1
    for number in [*range(1, moves + 1), *reversed(range(moves))]:
        box.locator("[data-do=step]").nth(1 if number > lab.step else 0).click()
        lab.step = number
        assert shown(box) == expected(lab)


def reset_brings_back_what_could_not_be_read(lab, box, tab, first_given):
    before = tab.evaluate(HTML)
    cell(box, first_given, 0).fill("7")
    cell(box, first_given, 1).fill("x")
    tab.wait_for_function("location.hash.startsWith('#pencil:')")
    assert tab.evaluate(HTML) != before
    box.get_by_role("button", name="Reset this lab").click()
    assert cell(box, first_given, 1).input_value() != "x"


def reset_brings_back_the_choices(lab, box, tab, first_given):
    before, choices = tab.evaluate(HTML), box.locator("select[data-do=variant]")
    for number in range(choices.count()):
        choices.nth(number).select_option(index=1)
    box.get_by_role("button", name="Reset this lab").click()
    assert tab.evaluate(HTML) == before


BAD = {
    "": "Type a number", "abc": "is no number", "NaN": "is no number", "1 2 3": "a list of 3", "[1, 2]": "a list of 2",
    "1e308": "below a billion",
    "1/0": "divided by 0", "<b>1</b>": "no number", "\t1\t2": "a list of 2",
}  # fmt: skip


def bad_input_says_what_is_wrong_and_the_last_good_numbers_stay(lab, box, tab, first_given):
    field = cell(box, first_given, 0)
    part = box.locator(f".pencil-part:has([data-name='{first_given}'])")
    own = [one.show for one in lab.variants[lab.variant].steps[lab.step].parts].index(first_given)

    def others(parts):
        return parts[:own] + parts[own + 1 :]

    field.fill("0,5")
    put(lab, first_given, 0, 0.5)
    assert others(shown(box)) == others(expected(lab)), "a comma is as good as a point"
    for typed, answer in BAD.items():
        field.fill(typed)
        assert answer in part.locator(".wrong").inner_text(), typed
        assert field.get_attribute("aria-invalid") == "true"
        assert others(shown(box)) == others(expected(lab))
    field.fill("−0")
    assert part.locator(".wrong").inner_text() == "" and field.get_attribute("aria-invalid") is None
    put(lab, first_given, 0, 0)
    assert others(shown(box)) == others(expected(lab))


CHECKS = (
    the_keyboard_alone,
    at_first_the_pencil_numbers_stand,
    the_script_draws_what_python_draws,
    a_number_is_typed_into_a_cell,
    the_pointer_drags_a_number,
    every_variant_takes_the_reader_s_numbers_along,
    it_goes_forwards_and_back,
    reset_brings_back_what_could_not_be_read,
    reset_brings_back_the_choices,
    bad_input_says_what_is_wrong_and_the_last_good_numbers_stay,
)
TYPES_BELOW_ZERO = (a_number_is_typed_into_a_cell, bad_input_says_what_is_wrong_and_the_last_good_numbers_stay)  # a face has a part above zero
IN_WHOLE_NUMBERS = (at_first_the_pencil_numbers_stand, the_script_draws_what_python_draws)  # or one by one; driven in test_lab_moves.py as well
COUNTS_FIRST = tuple(check for check in CHECKS if check is not the_keyboard_alone)  # or has a number above zero there; the keyboard begins with it
CHECKS_OF = {"dice": tuple(check for check in CHECKS if check not in TYPES_BELOW_ZERO)}
CHECKS_OF |= dict.fromkeys(("cache", "keep", "pages", "ring", "bits"), IN_WHOLE_NUMBERS) | dict.fromkeys(
    ("sparse", "state", "rotary", "valley"), COUNTS_FIRST
)


def choose(box, lab, number):
    """Go to a variant by its controls, as a reader does."""
    from_chosen = lab.chosen()
    lab.variant = number
    for k, choice in enumerate(lab.choices):
        was, wanted = (choice.options.index(chosen[choice.label]) for chosen in (from_chosen, lab.chosen()))
        if choice.add:
            for _ in range(abs(wanted - was)):
                box.get_by_role("button", name=choice.add if wanted > was else choice.remove, exact=True).click()
        else:
            box.locator(".pencil-controls select").nth(k).select_option(label=choice.options[wanted])
    says = lab.variants[number].steps[lab.step].label
    if len(lab.variants[number].steps) > 1:
        there = box.locator(".pencil-moves strong").inner_text()
        lab.step = int(there.split()[0]) - 1
        assert lab.variants[number].steps[lab.step].label in there, says


def test_numbers_that_break_a_sum_are_refused_by_the_cell(bare):
    with bare("softmax") as (lab, box, _):
        cell(box, "scores", 0).fill("99999")
        assert "needs e to a power above 709" in box.locator(".wrong").first.inner_text()
        assert shown(box)[2:] == expected(lab)[2:]


def test_what_a_cell_refuses_leaves_the_number_as_it_was(bare):
    with bare("softmax") as (lab, box, tab):
        one = cell(box, "scores", 0)
        for typed, answer in (("4,096", "can mean two numbers"), ("2e9", "below a billion"), ("7e", "is no number")):
            one.fill("")
            one.press_sequentially(typed)
            assert shown(box) != expected(lab)
            tab.keyboard.press("Enter")
            assert shown(box) == expected(lab) and answer in box.locator(".wrong").first.inner_text(), typed
        one.fill("3")
        tab.keyboard.press("Enter")
        put(lab, "scores", 0, 3)
        one.press_sequentially("e")
        tab.keyboard.press("Tab")
        assert shown(box) == expected(lab)


def test_the_slider_and_its_cell_go_together(bare):
    with bare("softmax") as (lab, box, tab):
        slider = box.locator("input[type=range]")
        slider.focus()
        tab.keyboard.press("ArrowRight")
        put(lab, "temperature", 0, 1.1)
        assert shown(box) == expected(lab)
        cell(box, "temperature", 0).fill("0.3")
        put(lab, "temperature", 0, 0.3)
        assert shown(box) == expected(lab) and slider.input_value() == "0.3"
        assert "second.slope = 1.000·(1 − 1.000) = 0.000" in shown(box)[-1]  # saturated


def test_a_number_of_a_lab_opens_down_to_a_given_one_and_that_one_changes(bare):
    with bare("attention") as (lab, box, tab):
        box.locator(".pencil-lab-live .pencil-number[data-value='nolan.weights[ended]']").first.click()
        card = tab.locator(".pencil-card")
        assert "nolan.share[ended]" in card.inner_text()
        for reference in ("nolan.exp[ended]", "nolan.scaled[ended]", "nolan.scores[ended]", "nolan.query[0]", "params.query[0, 0]"):
            card.locator(f".pencil-number[data-value='{reference}']").first.click()
        assert "W_Q row 1, number 1" in card.inner_text()
        card.locator("input").fill("0.5")
        put(lab, "params.query", 0, 0.5)
        assert shown(box) == expected(lab)


def test_a_card_refuses_a_number_in_the_words_of_its_cell(bare):
    with bare("sampling") as (_, box, tab):
        before = shown(box)
        box.locator(".pencil-lab-live .pencil-number[data-value='temperature']").first.click()
        card = tab.locator(".pencil-card")
        for typed in ("0", "0.000000000000001"):
            card.locator("input").fill(typed)
            assert card.locator(".wrong").inner_text() == T_REFUSED and shown(box) == before


def test_the_card_of_a_count_goes_by_ones_and_reads_its_thousands(bare):
    with bare("cache") as (lab, box, tab):
        box.locator(".pencil-lab-live .pencil-number[data-value='words']").first.click()
        card = tab.locator(".pencil-card")
        field = card.locator("input")
        field.fill("32,768")
        field.press("ArrowUp")
        assert field.input_value() == "32769"
        field.press("Shift+ArrowDown")
        put(lab, "words", 0, 32768)
        assert (field.input_value(), card.locator(".wrong").inner_text()) == ("32768", "") and shown(box) == expected(lab)
        card.get_by_role("button", name="Close").click()
        box.locator(".pencil-lab-live .pencil-number[data-value='size']").first.click()
        field.press("Shift+ArrowUp")
        assert field.input_value() == "2.1"


def test_shares_against_plain_python(bare):
    """No book code on this side: the shares of an edited sheet, by loops."""
    from math import exp, sqrt

    from pencil.examples import REVIEW_PARAMS, ROWS

    with bare("attention") as (_, box, tab):
        cell(box, "params.query", 2).fill("0.5")
        cell(box, "embedding", 5).fill("−1")
        exact = []
        for number in box.locator(".pencil-lab-live .pencil-part.heat").nth(2).locator(".pencil-number").all():
            number.click()
            exact.append(float(tab.locator(".pencil-card .exact").inner_text().split("exactly ")[1]))
    rows, query = ROWS.tolist(), REVIEW_PARAMS.query.tolist()
    query[0][2], rows[1][1] = 0.5, -1

    def dot(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True))

    wants, haves = ([[dot(g, row) for g in grid] for row in rows] for grid in (query, REVIEW_PARAMS.key.tolist()))
    for w, found in zip(wants, (exact[:2], exact[2:]), strict=True):
        raised = [exp(dot(w, h) / sqrt(4)) for h in haves]
        assert found == pytest.approx([r / sum(raised) for r in raised], abs=1e-6)
