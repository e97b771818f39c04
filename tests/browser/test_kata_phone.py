"""The exercises on a phone, by touch only: five answers, a repeated question, a timed worksheet."""

import re
from itertools import pairwise

import pytest
from conftest import PHONE
from katas import KATA, LOOK, box

from pencil.exercises import Worksheet
from pencil.rounding import show

FITS = "document.documentElement.scrollWidth <= innerWidth"
BIG_ENOUGH = 16  # pixels: into smaller letters a phone zooms when they are tapped
CURSOR_AT_THE_END = "field => field.select()"
LINES = {  # question -> what is typed or tapped, and what is said to it
    "scale": [("12", "Perhaps you left the scores as they were."), ("3", "Perhaps you divided by the width."), ("6", "Right.")],
    "score": [("2 0 1 0", "These are the parts. Add them up."), ("3", "Right.")],
    "ended-key": [("0 3 1 0", "This is ended.value."), ("3 0 2", "So far, so good."), ("3 0 2 0", "Right.")],
    "average-of-three": [("6 3 6", "You added the rows and stopped."), ("2 1 2", "Right.")],
    "why-still-a-share": [("the shares were rounded up", ""), ("e to the power of zero is above zero", "Right.")],
}
KEYBOARD = {"scale": "decimal", "score": "decimal", "ended-key": None, "average-of-three": None}


def tapped(tab, key, text):
    """Answer by touch. -> what is said"""
    form = box(tab, key).locator("form.pencil-answer")
    choice = form.get_by_label(text, exact=True)
    if key in KEYBOARD:
        field = form.locator("input[type=text]")
        field.tap()
        field.evaluate(CURSOR_AT_THE_END)
        tab.keyboard.type(text)
    else:
        choice.tap()
    form.get_by_role("button", name="Check").tap()
    return form.locator(".says").text_content()


def test_five_questions_from_the_first_tap_to_right(book):
    tab, log = book.visit(LOOK, "narrow")
    for key, steps in LINES.items():
        field = box(tab, key).locator("form.pencil-answer input").first
        if key in KEYBOARD:
            assert field.get_attribute("inputmode") == KEYBOARD[key], key
            assert float(field.evaluate("field => getComputedStyle(field).fontSize").removesuffix("px")) >= BIG_ENOUGH
        for text, says in steps:
            assert tapped(tab, key, text).startswith(says), (key, text)
            assert tab.evaluate(FITS), key
        assert box(tab, key).locator(".solved").count() == 1
    assert log.wrong == []


@pytest.mark.slow
def test_the_hints_come_one_by_one_then_the_line_with_its_blanks_and_the_answer(book):
    with book.tab(**PHONE) as (tab, log):
        tab.goto(book.url(LOOK))
        assert tapped(tab, "score", "9").startswith("Not yet.")
        asked, more = box(tab, "score"), box(tab, "score").locator(".more")
        asked.get_by_role("button", name="Show the line with its blanks").tap()
        assert "= …" in more.text_content() and "3" not in re.findall(r"\d+$", more.text_content())
        asked.get_by_role("button", name="Open the worked answer").tap()
        assert asked.locator("details.worked-answer").get_attribute("open") is not None
        seen = []
        for name in ("Hint", "Another hint"):
            first = box(tab, "ended-key").get_by_role("button", name=name)
            first.tap()
            seen.append(box(tab, "ended-key").locator(".more").text_content())
        assert all(later.startswith(before) and later != before for before, later in pairwise(seen))
        assert tab.evaluate(FITS) and log.wrong == []


@pytest.mark.slow
def test_a_slip_comes_back_on_a_phone_until_it_is_not_wanted(book):
    with book.tab(**PHONE) as (tab, log):
        tab.clock.install(time="2026-11-30T20:00:00")
        tab.goto(book.url(LOOK, "http"))
        tapped(tab, "scale", "3")
        line = tab.locator(".pencil-review")
        for day, comes in (("2026-11-30", False), ("2026-12-01", True)):
            tab.clock.set_fixed_time(f"{day}T22:00:00")
            tab.reload()
            assert line.count() == comes
        line.get_by_role("link").tap()
        tab.wait_for_url("**#your-turn-scale")
        assert tapped(tab, "scale", "6") == "Right." and line.count() == 0
        for day, comes in (("2026-12-03", False), ("2026-12-04", True)):  # once more three days after it went well
            tab.clock.set_fixed_time(f"{day}T22:00:00")
            tab.reload()
            assert line.count() == comes
        assert tab.evaluate(FITS)
        line.get_by_role("button", name="Do not bring them back").tap()
        tab.reload()
        assert line.count() == 0 and log.wrong == []


@pytest.mark.slow
def test_a_sheet_against_the_clock_by_touch(book):
    sheet = Worksheet("softmax", 7)
    with book.tab(**PHONE) as (tab, log):
        tab.clock.install(time="2026-11-30T20:00:00")
        tab.goto(book.url(KATA, "http"))
        place = tab.locator(".pencil-sheet")
        place.get_by_label("Time me").tap()
        seed = place.get_by_role("textbox", name="Seed")
        assert seed.get_attribute("inputmode") == "numeric"
        seed.tap()
        seed.evaluate(CURSOR_AT_THE_END)
        tab.keyboard.type("7")
        place.get_by_role("combobox", name="Topic").select_option("softmax")
        place.get_by_role("button", name="Deal this sheet").tap()
        place.get_by_text("is dealt").wait_for()
        assert place.locator("> .says").text_content() == "Sheet 7 is dealt. The clock runs."
        tab.clock.fast_forward(65_000)
        for k, ask in enumerate(sheet.asks):
            form = place.locator("form.pencil-answer").nth(k)
            form.locator("input").tap()
            tab.keyboard.type(" ".join(map(show, sheet.exercise(ask).right.paper)))
            form.get_by_role("button", name="Check").tap()
            assert form.locator(".says").text_content() == "Right."
        assert re.match(r"The whole sheet is right, in 1:\d\d\.$", place.locator("> .says").text_content())
        assert place.locator(".history tbody tr").all_text_contents()[0].startswith("2026-11-30")
        assert tab.evaluate(FITS) and log.wrong == []
