"""Folded code cells: cells with the tag `learn` are open, the others open one by one or all together."""

import pytest

CHAPTER, OTHER = "notebooks/06_look_across.html", "notebooks/07_heads.html"
SHOWN = "[...document.querySelectorAll('div.cell_input')].filter(code => code.checkVisibility()).length"
ALL = "document.querySelectorAll('div.cell_input').length"
LEARN = "document.querySelectorAll('div.cell.tag_learn').length"


@pytest.mark.parametrize("way", ["wide", pytest.param("narrow", marks=pytest.mark.slow)])
def test_one_switch_shows_all_code_and_is_remembered(book, way):
    tab, log = book.visit(CHAPTER, way, "http")
    switch = tab.get_by_role("button", name="Show all code")
    folded, learned, count = tab.evaluate(SHOWN), tab.evaluate(LEARN), tab.evaluate(ALL)
    assert 0 < folded == learned < count / 2
    switch.click()
    assert tab.evaluate(SHOWN) == count and switch.count() == 0
    tab.goto(book.url(OTHER, "http"))
    assert tab.evaluate(SHOWN) == tab.evaluate(ALL) > tab.evaluate(LEARN)
    tab.get_by_role("button", name="Fold all code").click()
    assert tab.evaluate(SHOWN) == tab.evaluate(LEARN)
    tab.goto(book.url(CHAPTER, "http"))
    assert tab.evaluate(SHOWN) == learned and log.wrong == []


def test_one_fold_opens_alone_and_from_the_keyboard(book):
    tab, log = book.visit(CHAPTER, "wide", "file")
    before, fold = tab.evaluate(SHOWN), tab.locator(".pencil-code > summary:visible").first
    fold.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate(SHOWN) == before + 1 and log.wrong == []


@pytest.mark.parametrize("page", [CHAPTER, "notebooks/13_backward.html"])
def test_each_fold_is_called_by_what_it_makes(book, page):
    tab, _ = book.visit(page)
    folds = tab.locator(".pencil-code > summary")
    names = folds.evaluate_all("all => all.map(({ ariaLabel, textContent }) => [ariaLabel, textContent])")
    assert len({name for name, _ in names}) == len(names) > 20
    assert all(name.startswith(f"{seen} {k}: ") for k, (name, seen) in enumerate(names, 1))
    assert tab.get_by_role("group", name="Its numbers").count() == tab.locator("article figure.pencil-drawing").count() > 0


def test_listings_that_scroll_are_measured_once_their_fold_is_open(book):
    """The theme's script would lay out every folded one, at the start and after each change on the page."""
    tab, log = book.visit(CHAPTER, "narrow")
    folded = tab.locator("details:not([open]) pre").evaluate_all("all => all.map(listing => listing.hasAttribute('tabindex'))")
    assert len(folded) > 20 and not any(folded)
    tab.get_by_role("button", name="Show all code").click()
    tab.wait_for_function("[...document.querySelectorAll('details[open] pre')].every(listing => listing.hasAttribute('tabindex'))")
    scrolls = "all => all.map(listing => [listing.scrollWidth > listing.clientWidth, listing.tabIndex])"
    stops = {tuple(one) for one in tab.locator("details[open] pre").evaluate_all(scrolls)}
    assert stops == {(True, 0), (False, -1)} and log.wrong == []
