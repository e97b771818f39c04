"""A lab's own Undo takes back what was changed, where no keyboard has a Ctrl+Z; and a lab speaks of the numbers that it shows."""

from conftest import PHONE
from labs import HTML, cell, expected, shown

SIDES = """lab => [...lab.querySelectorAll(".pencil-lab-live input[type=range]")]
  .map(one => one.getBoundingClientRect()).map(({left, right}) => [left, right])"""


def test_undo_takes_back_a_step_and_even_a_reset(bare):
    with bare("valley", **PHONE) as (lab, box, tab):
        undo, said = box.get_by_role("button", name="Undo"), box.locator(".pencil-lab-said")
        before = tab.evaluate(HTML)
        undo.tap()
        assert said.inner_text() == "Nothing has been changed."
        box.get_by_role("button", name="Reset this lab").tap()
        first = cell(box, "start", 0)
        first.fill("5")
        first.press("Tab")
        cell(box, "start", 1).fill("2")
        undo.tap()
        assert [cell(box, "start", place).input_value() for place in (0, 1)] == ["5", "1"]
        box.get_by_role("button", name="Reset this lab").tap()
        assert shown(box) == expected(lab)
        undo.tap()
        assert first.input_value() == "5"
        undo.tap()
        assert tab.evaluate(HTML) == before


def test_a_change_of_another_method_is_kept_and_not_told_where_nothing_follows_from_it(bare):
    with bare("valley") as (_, box, _):
        said, method = box.locator(".pencil-lab-said"), box.get_by_label("Method")
        cell(box, "plain.lr", 0).first.fill("0.2")
        assert said.inner_text() == "the learning rate is yours, and all that follows from it."
        method.select_option("momentum")
        assert said.inner_text() == ""
        method.select_option("plain descent")
        assert cell(box, "plain.lr", 0).first.input_value() == "0.2" and "is yours" in said.inner_text()


def test_the_sliders_of_a_drawing_are_in_sight_on_a_phone(bare):
    for name in ("rotary", "valley"):
        with bare(name, **PHONE) as (_, box, _):
            assert name != "valley" or box.get_by_label("Method").select_option("Adam")
            sides = box.evaluate(SIDES)
            assert len(sides) == {"rotary": 2, "valley": 3}[name]
            assert all(0 <= left < right <= 390 for left, right in sides)


def test_seven_numbers_or_more_fit_on_a_phone(bare):
    for name in ("sparse", "ring"):
        with bare(name, **PHONE) as (_, box, _):
            wide = "lab => [...lab.querySelectorAll('.pencil-lab-live .pencil-part')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
            assert box.evaluate(wide) == 0
