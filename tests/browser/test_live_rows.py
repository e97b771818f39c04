"""Rows and matrices of the interactive page: their cards list the numbers, and an input row can be typed over."""

import numpy as np
from conftest import SETTLED
from labs import text
from live_page import LOOK, replayed

from pencil.trace import Trace
from pencil.worked import Worked


def in_prose(tab, reference):
    return tab.locator(f"article :is(p, td) > .pencil-number[data-value='{reference}']").first


def test_a_row_opens_to_its_numbers_and_each_of_them_opens(book):
    tab, log = book.visit(LOOK)
    in_prose(tab, "nolan.context").click()
    card = tab.locator(".pencil-card")
    assert card.locator(".name").inner_text() == "nolan.context" and "[0.094, 2.859, 0.953, 0.047]" in text(card.inner_text())
    assert not card.locator("input").is_visible()
    assert card.evaluate("card => card === document.activeElement")  # the keyboard goes on from there
    card.locator(".pencil-number[data-value='nolan.context[1]']").click()
    assert card.locator(".name").inner_text() == "nolan.context number 2" and "= 2.859" in text(card.inner_text())
    card.get_by_role("button", name="Back", exact=True).click()
    assert card.locator(".name").inner_text() == "nolan.context"
    assert log.wrong == []


def test_a_grid_opens_to_its_rows(book):
    tab, _ = book.visit(LOOK)
    in_prose(tab, "scores").click()
    card = tab.locator(".pencil-card")
    assert text(card.locator(".pencil-worked").inner_text()) == "nolan.score = [2, 8] ended.score = [0, 4]"
    assert not card.locator("input").is_visible()


def test_a_given_row_is_typed_over_where_it_stands(book):
    tab, log = book.visit(LOOK)
    row = in_prose(tab, "nolan.embedding")
    row.click()
    assert tab.evaluate("[document.activeElement.tagName, String(getSelection())]") == ["INPUT", "[2, 1, 1, 0]"]
    tab.keyboard.type("3 1 1 −1")
    tab.keyboard.press("Enter")
    assert row.inner_text() == "[3, 1, 1, −1]" and "changed" in row.get_attribute("class")
    card = tab.locator(".pencil-card")
    card.locator("input").fill("3 1")
    assert "A row of 4 numbers fits here; you typed 2." in card.inner_text() and row.inner_text() == "[3, 1, 1, −1]"
    card.get_by_role("button", name="Close").click()
    tab.evaluate(SETTLED)
    trace, stored = replayed(LOOK, "embedding", 0, 3)[""]
    worked = Worked(Trace.load(trace.program(), {"embedding": np.array([[3, 1, 1, -1], [0, 1, 2, 1]], float)}), stored["labels"])
    assert in_prose(tab, "nolan.context").inner_text() == worked.row("nolan.context")
    assert "2 numbers on this page are yours" in tab.locator(".pencil-changed").inner_text()
    assert log.wrong == []
