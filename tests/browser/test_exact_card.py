"""Cards of numbers in exact arithmetic show exact values, and so do the cards that they link to."""

import pytest
from conftest import OPEN_LINES

SLOPE, TAG = "grad.params.attention.head1.key[1, 0]", "nolan.weights[ended]"


def card(tab, number):
    number.scroll_into_view_if_needed()
    number.click()
    return " ".join(tab.locator(".pencil-card .pencil-worked").inner_text().split())


@pytest.mark.parametrize("inside", [".pencil-heat", pytest.param(".pencil-worked", marks=pytest.mark.slow)])
def test_a_slope_opens_on_the_digits_that_were_tapped(book, inside):
    tab, log = book.visit("notebooks/13_backward.html")
    tab.evaluate(OPEN_LINES)
    heat = tab.locator(f"article .pencil-heat .pencil-number[data-value='{SLOPE}']").first
    line = tab.locator("article .pencil-worked[data-show='cat.grad.norm1.normalized[0]'] .pencil-number").last
    number = heat if inside == ".pencil-heat" else line
    digits = number.inner_text()
    assert card(tab, number).endswith(f"≈ {digits}")
    behind = tab.locator(".pencil-card .pencil-worked .pencil-number[data-track=exact]").first
    digits = behind.inner_text()
    behind.click()
    assert " ".join(tab.locator(".pencil-card .pencil-worked").inner_text().split()).endswith(f"≈ {digits}")
    assert log.wrong == []


def test_a_number_on_paper_opens_on_paper(book):
    tab, _ = book.visit("notebooks/06_look_across.html")
    tab.evaluate(OPEN_LINES)
    assert card(tab, tab.locator(f"article .pencil-worked .pencil-number[data-value='{TAG}']").last).endswith("= 0.953")


@pytest.mark.parametrize("reference, says", [("cat.scores[sat]", "exactly 2, unrounded"), ("cat.x[0]", "exactly 2")])
def test_a_card_says_why_its_digits_are_not_the_exact_ones(book, reference, says):
    """1.999 for an exact 2: on paper each number is made of those that were written down."""
    tab, log = book.visit("notebooks/10_block.html")
    tab.evaluate(OPEN_LINES)
    card(tab, tab.locator(f"article .pencil-worked .pencil-number[data-value='{reference}']").first)
    assert tab.locator(".pencil-card .exact").inner_text() == says and log.wrong == []
