"""Every lab on a page of its own, driven by keyboard and by pointer, and held against NumPy."""

from contextlib import contextmanager

import numpy as np
import pytest
from conftest import ADDRESS, PHONE, Book
from labs import LABS, cell, expected, put, shown, write_page

every_lab = pytest.mark.parametrize("name", LABS)
FIRST = {
    "attention": "stick",
    "row": "query",
    "softmax": "scores",
    "sampling": "scores",
    "block": "x",
    "heads": "stick",
    "position": "stick",
    "pooling": "stick",
    "patch": "class_token",
    "stepper": "summary",
}


@pytest.fixture
def opened(launched, tmp_path):
    """A function that opens a lab on a bare page: it yields the lab in Python, its box, the tab."""

    @contextmanager
    def open_lab(name, theme="light", fragment="", **options):
        lab = LABS[name]()
        with Book(tmp_path, "http://nowhere.invalid", launched).tab(**options) as (tab, log):
            tab.goto(write_page(tmp_path, lab, theme) + fragment)
            yield lab, tab.locator(".pencil-lab"), tab
        assert log.wrong == []

    return open_lab


@every_lab
def test_at_first_the_pencil_numbers_stand(opened, name):
    with opened(name) as (lab, box, _):
        assert shown(box) == expected(lab)
        assert box.locator(".pencil-lab-said").inner_text() == ""


@every_lab
def test_a_number_typed_into_a_cell(opened, name):
    with opened(name) as (lab, box, _):
        cell(box, FIRST[name], 1).fill("−1.5")
        put(lab, FIRST[name], 1, -1.5)
        assert shown(box) == expected(lab)
        assert "is yours" in box.locator(".pencil-lab-said").inner_text()


@every_lab
def test_the_keyboard_alone(opened, name):
    """Tab to the first cell, nudge it; walk on to every choice and every move."""
    with opened(name) as (lab, box, tab):
        first = box.locator(".pencil-cell").first
        for _ in range(40):
            tab.keyboard.press("Tab")
            if first.evaluate("cell => cell === document.activeElement"):
                break
        before = np.ravel(lab.givens[FIRST[name]])[0]
        tab.keyboard.press("ArrowUp")
        tab.keyboard.press("Shift+ArrowDown")
        put(lab, FIRST[name], 0, round(before + 0.9, 10))
        assert shown(box) == expected(lab)
        tab.keyboard.press("Escape")
        for number in range(1, len(lab.variants[lab.variant].steps)):
            box.locator("[data-do=step]").last.focus()
            tab.keyboard.press("Enter")
            lab.step = number
            assert shown(box) == expected(lab)
            if number + 1 < len(lab.variants[lab.variant].steps):
                assert box.locator("[data-do=step]").last.evaluate("button => button === document.activeElement")


@every_lab
def test_the_pointer_drags_a_number(opened, name):
    with opened(name) as (lab, box, tab):
        grabbed = cell(box, FIRST[name], 0)
        grabbed.scroll_into_view_if_needed()
        at = grabbed.bounding_box()
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + 40, y, steps=5)
        tab.mouse.up()
        put(lab, FIRST[name], 0, np.ravel(lab.givens[FIRST[name]])[0] + 3)
        assert shown(box) == expected(lab)
        assert grabbed.evaluate("cell => cell === document.activeElement && cell.selectionEnd > cell.selectionStart")


@every_lab
def test_every_variant_takes_the_reader_s_numbers_along(opened, name):
    with opened(name) as (lab, box, _):
        cell(box, FIRST[name], 0).fill("2.5")
        put(lab, FIRST[name], 0, 2.5)
        for number in range(len(lab.variants)):
            choose(box, lab, number)
            assert shown(box) == expected(lab), lab.chosen()


def choose(box, lab, number):
    """Go to a variant by its controls, as a reader does."""
    from_chosen = lab.chosen()
    lab.variant = number
    for k, choice in enumerate(lab.choices):
        was, wanted = (choice.options.index(chosen[choice.says]) for chosen in (from_chosen, lab.chosen()))
        if choice.add:
            for _ in range(abs(wanted - was)):
                box.get_by_role("button", name=choice.add if wanted > was else choice.remove, exact=True).click()
        else:
            box.locator(".pencil-controls select").nth(k).select_option(label=choice.options[wanted])
    says = lab.variants[number].steps[lab.step].says
    if len(lab.variants[number].steps) > 1:
        there = box.locator(".pencil-moves strong").inner_text()
        lab.step = int(there.split()[0]) - 1
        assert lab.variants[number].steps[lab.step].says in there, says


@every_lab
def test_forwards_and_back(opened, name):
    with opened(name) as (lab, box, _):
        moves = len(lab.variants[lab.variant].steps) - 1
        for number in [*range(1, moves + 1), *reversed(range(moves))]:
            box.locator("[data-do=step]").nth(1 if number > lab.step else 0).click()
            lab.step = number
            assert shown(box) == expected(lab)


@every_lab
def test_reset_restores_the_page_to_the_letter(opened, name):
    html = "document.querySelector('article').innerHTML"
    with opened(name) as (_, box, tab):
        before, address = tab.evaluate(html), tab.evaluate(ADDRESS)
        cell(box, FIRST[name], 0).fill("7")
        cell(box, FIRST[name], 1).fill("x")
        tab.wait_for_function("location.hash.startsWith('#pencil:')")
        assert tab.evaluate(html) != before
        box.get_by_role("button", name="Reset this lab").click()
        tab.wait_for_function("location.hash === ''")
        assert tab.evaluate(html) == before and tab.evaluate(ADDRESS) == address
        assert cell(box, FIRST[name], 1).input_value() != "x"


BAD = {
    "": "Type a number", "abc": "is no number", "NaN": "is no number", "2,8": "2.8", "1 2 3": "a list of 3", "[1, 2]": "a list of 2",
    "1e308": "below a billion",
    "1/0": "divided by 0", "<b>1</b>": "no number", "\t1\t2": "a list of 2",
}  # fmt: skip


@every_lab
def test_bad_input_says_what_is_wrong_and_the_last_good_numbers_stay(opened, name):
    with opened(name) as (lab, box, _):
        field = cell(box, FIRST[name], 0)
        part = box.locator(f".pencil-part:has([data-name='{FIRST[name]}'])")
        own = [one.show for one in lab.variants[lab.variant].steps[lab.step].parts].index(FIRST[name])

        def others(parts):
            return parts[:own] + parts[own + 1 :]

        field.fill("0.5")
        put(lab, FIRST[name], 0, 0.5)
        for typed, answer in BAD.items():
            field.fill(typed)
            assert answer in part.locator(".wrong").inner_text(), typed
            assert field.get_attribute("aria-invalid") == "true"
            assert others(shown(box)) == others(expected(lab))
        field.fill("−0")
        assert part.locator(".wrong").inner_text() == "" and field.get_attribute("aria-invalid") == "false"
        put(lab, FIRST[name], 0, 0)
        assert others(shown(box)) == others(expected(lab))


def test_numbers_that_break_a_sum_are_refused_by_the_cell(opened):
    with opened("softmax") as (lab, box, _):
        cell(box, "temperature", 0).fill("0")
        assert "cooled" in box.locator(".wrong").nth(1).inner_text()
        cell(box, "scores", 0).fill("99999")
        assert "grew beyond all numbers" in box.locator(".wrong").first.inner_text()
        assert shown(box)[2:] == expected(lab)[2:]


def test_the_slider_and_its_cell_go_together(opened):
    with opened("softmax") as (lab, box, tab):
        slider = box.locator("input[type=range]")
        slider.focus()
        tab.keyboard.press("ArrowRight")
        put(lab, "temperature", 0, 1.1)
        assert shown(box) == expected(lab)
        cell(box, "temperature", 0).fill("0.3")
        put(lab, "temperature", 0, 0.3)
        assert shown(box) == expected(lab) and slider.input_value() == "0.3"
        assert "second.slope = 1.000·(1 − 1.000) = 0.000" in shown(box)[-1]  # saturated


def test_a_number_of_a_lab_opens_down_to_a_given_one_and_that_one_changes(opened):
    with opened("attention") as (lab, box, tab):
        box.locator(".pencil-lab-live .pencil-number[data-value='nolan.weights[ended]']").first.click()
        card = tab.locator(".pencil-card")
        assert "nolan.portion[ended]" in card.inner_text()
        for reference in ("nolan.raised[ended]", "nolan.scaled[ended]", "nolan.scores[ended]", "nolan.query[0]", "grid.query[0, 0]"):
            card.locator(f".pencil-number[data-value='{reference}']").first.click()
        assert "WANT grid row 1, number 1" in card.inner_text()
        card.locator("input").fill("0.5")
        put(lab, "grid.query", 0, 0.5)
        assert shown(box) == expected(lab)


def test_a_link_carries_numbers_variant_and_step(opened):
    with opened("block") as (_, box, tab):
        box.locator("select").first.select_option(label="last (Post-LN)")
        box.locator("[data-do=step]").last.click()
        box.locator(".pencil-cell").first.fill("0.75")
        tab.wait_for_function("location.hash.endsWith('=0.75')")
        link, there = tab.evaluate(ADDRESS), shown(box)
    assert link.split("#")[1] == "pencil:BlockLab/variant:0=4,BlockLab/step:0=10,BlockLab/grid.feed_forward.widen:0=0.75"
    with opened("block", fragment="#" + link.split("#")[1]) as (_, box, tab):
        assert shown(box) == there
        assert tab.evaluate("window.scrollY") >= 0


HOSTILE = [
    "BlockLab/variant:0=99", "BlockLab/variant:0=-1", "BlockLab/step:0=1e-3", "BlockLab/step:0=9999",
    "BlockLab/variant:0=0.5", "BlockLab/__proto__:0=1",
    "BlockLab/x:99=1", "BlockLab/x:0=1e999", "BlockLab/variant:3=1", "BlockLab/x:0=99999999,BlockLab/x:1=0.0000001",
]  # fmt: skip


@pytest.mark.parametrize("fragment", HOSTILE)
def test_a_hostile_link_breaks_nothing(opened, fragment):
    with opened("block", fragment=f"#pencil:{fragment}") as (_, box, _tab):
        strong = box.locator(".pencil-moves strong").inner_text()
        assert int(strong.split()[0]) in range(1, 25)
        box.locator(".pencil-cell").first.fill("1") if box.locator(".pencil-cell").count() else None
        assert shown(box)


def test_shares_against_plain_python(opened):
    """No book code on this side: the shares of an edited sheet, by loops."""
    from math import exp, sqrt

    from pencil.examples import REVIEW_GRIDS, ROWS

    with opened("attention") as (_, box, _):
        cell(box, "grid.query", 2).fill("0.5")
        cell(box, "stick", 5).fill("−1")
        exact = (
            box.locator(".pencil-lab-live .pencil-part.heat").nth(2).locator(".pencil-number").evaluate_all("all => all.map(n => +n.dataset.exact)")
        )
    rows, query = ROWS.tolist(), REVIEW_GRIDS.query.tolist()
    query[0][2], rows[1][1] = 0.5, -1

    def dot(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True))

    wants, haves = ([[dot(g, row) for g in grid] for row in rows] for grid in (query, REVIEW_GRIDS.key.tolist()))
    for w, found in zip(wants, (exact[:2], exact[2:]), strict=True):
        raised = [exp(dot(w, h) / sqrt(4)) for h in haves]
        assert found == pytest.approx([r / sum(raised) for r in raised], abs=1e-6)


@every_lab
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_it_is_no_wider_than_the_page(opened, name, theme):
    with opened(name, theme, **PHONE) as (_, box, tab):
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert box.locator("select, button, .pencil-cell").first.is_visible()


def test_a_finger_drags_sideways(opened):
    with opened("attention", **PHONE) as (lab, box, tab):
        at = cell(box, "stick", 0).bounding_box()
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        touch = tab.context.new_cdp_session(tab)
        for kind, dx in (("touchStart", 0), ("touchMove", 15), ("touchMove", 26), ("touchEnd", None)):
            points = [] if dx is None else [{"x": x + dx, "y": y}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        put(lab, "stick", 0, 4)
        assert shown(box) == expected(lab)


def test_without_script_and_in_print_the_pencil_numbers_stand(opened):
    with opened("block", java_script_enabled=False) as (_, box, _):
        assert "cat.middle = (2 + 1 + 1 + 0) / 4 = 4 / 4 = 1" in text_of(box) and "sat.out" in text_of(box)
    with opened("block") as (_, box, tab):
        cell(box, "x", 0).fill("9")
        tab.emulate_media(media="print")
        assert "cat.middle = (2 + 1 + 1 + 0) / 4 = 4 / 4 = 1" in text_of(box) and "sat.out" in text_of(box)
        assert not box.locator(".pencil-lab-live").is_visible()


def text_of(box):
    return " ".join(box.inner_text().split())


@every_lab
def test_the_script_draws_what_python_draws(opened, name):
    """Pictures are made twice, by pencil.pictures and by pictures.js: the same tags, head and caption."""
    outline = """(lab, where) => [...lab.querySelectorAll(`${where} table`)].map(table =>
      [table.className, table.caption.textContent, [...table.querySelectorAll("th")].map(th => [th.scope, th.textContent]),
       [...table.querySelectorAll("[style]:not(input)")].map(one => one.getAttribute("style"))])"""
    with opened(name) as (lab, box, _):
        if len(lab.variants[lab.variant].steps) == 1:
            live, still = (box.evaluate(outline, where) for where in (".pencil-lab-live", ".pencil-lab-still"))
            assert live == still and live
        else:
            assert (
                box.evaluate(outline, ".pencil-lab-live")
                == box.evaluate(outline, ".pencil-lab-still")[: len(box.evaluate(outline, ".pencil-lab-live"))]
            )


def test_reduced_motion_is_honoured(opened):
    """Nothing in a lab moves by itself, whatever the reader prefers."""
    moving = """lab => [...lab.querySelectorAll('*')].map(one => getComputedStyle(one))
      .filter(style => style.animationName !== 'none' || /[1-9]/.test(style.transitionDuration)).length"""
    with opened("attention", reduced_motion="reduce") as (_, box, _):
        assert box.evaluate(moving) == 0
