"""MaskLab: squares toggled by pointer, touch and keyboard."""

import pytest
from labs import cell, expected, put, shown

from pencil.widgets.mask_lab import REFUSAL


def tap(tab, square):
    """A finger comes down on it and goes."""
    square.scroll_into_view_if_needed()
    square.tap()


def click(tab, square):
    """The button goes down on it and up."""
    square.click()


def space(tab, square):
    """The keyboard is there, and turns it over."""
    square.focus()
    tab.keyboard.press("Space")


@pytest.mark.parametrize("way, turn", [("wide", click), ("narrow", tap), ("wide", space)], ids=lambda one: getattr(one, "__name__", one))
def test_a_square_is_covered_and_uncovered_and_the_shares_follow(bare, way, turn):
    with bare("mask", way=way) as (lab, box, tab):
        for place, value in ((3, 0), (1, 1), (3, 1)):  # cat may not look at the; the may look at cat; and again
            turn(tab, cell(box, "mask", place))
            put(lab, "mask", place, value)
            assert shown(box) == expected(lab)
        assert lab.trace.find("the.weights").exact.tolist() == [0.5, 0.5, 0]


def test_every_mask_it_begins_with(bare):
    with bare("mask") as (lab, box, _):
        for number, name in enumerate(lab.choices[0].options):
            box.locator("select").select_option(label=name)
            lab.variant = number
            assert shown(box) == expected(lab)


def test_a_row_covered_whole_is_refused_in_plain_words(bare):
    with bare("mask") as (lab, box, _):
        said = box.locator(".pencil-part:has(.pencil-ink) .wrong")
        cell(box, "mask", 0).click()
        assert said.inner_text() == REFUSAL and cell(box, "mask", 0).get_attribute("aria-invalid") == "true"
        assert shown(box) == expected(lab), "the last good mask stands"
        cell(box, "mask", 1).click()
        put(lab, "mask", 1, 1)
        assert said.inner_text() == "" and cell(box, "mask", 0).get_attribute("aria-invalid") is None
        assert shown(box) == expected(lab)
        cell(box, "mask", 0).fill("yes")
        assert "no number" in said.inner_text()


def test_a_mask_has_no_button_that_empties_it(bare):
    for name, count in (("mask", 0), ("patch", 1)):
        with bare(name) as (_, box, _tab):
            assert box.locator("[data-clear]").count() == count
