"""The oldest browsers that the page is written for: what newer ones brought is taken away, and the chapters work still."""

import pytest
from chapter_checks import (
    every_question_takes_the_right_answer_its_mistakes_and_nonsense,
    labs_follow_and_go_back_to_the_letter,
    labs_that_carry_their_numbers_find_them,
)
from labs import STYLES
from live_page import change, replayed, sheets, written
from number_checks import all_numbers_of_a_run_follow_save_sizes
from old_browsers import take_away, too_new, used

from pencil.cli import web

CHECKS = (
    all_numbers_of_a_run_follow_save_sizes,
    labs_follow_and_go_back_to_the_letter,
    labs_that_carry_their_numbers_find_them,
    every_question_takes_the_right_answer_its_mistakes_and_nonsense,
)


@pytest.fixture(scope="module")
def old(book):
    """A tab in which nothing newer is left."""
    with book.tab(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as (tab, log):
        tab.add_init_script(take_away())
        yield tab, log


@pytest.mark.parametrize("chapter", ["06_look_across", "14_tiny_gpt", "19_experts"])
def test_a_chapter_works_without_what_newer_browsers_brought(book, old, chapter):
    tab, log = old
    page = f"notebooks/{chapter}.html"
    tab.goto(book.url(page, "http"))
    assert {"Array.toSorted", "Array.with", "Object.groupBy", "Document.adoptedStyleSheets", "requestIdleCallback"} <= {
        one.removeprefix("Window.") for one in tab.evaluate("taken")
    }
    for check in CHECKS:
        check(tab, page)
    assert log.wrong == []
