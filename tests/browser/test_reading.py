"""Reading by keyboard, and with reduced motion. What holds for every chapter is in chapter_checks.py."""

import pytest
from conftest import CHAPTERS


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_who_wants_it_still(book, motion):
    with book.tab(reduced_motion=motion) as (tab, _):
        tab.goto(book.url("notebooks/09_kata.html"))  # the theme unfolds an output that was hidden with a movement
        moving = tab.evaluate("""() => {
          document.querySelectorAll("details").forEach(box => { box.open = true })
          return document.getAnimations().length
        }""")
    assert (moving == 0) == (motion == "reduce")


def test_the_tab_key_reaches_a_folded_box(book):
    reached = "document.activeElement.matches('details.pencil-box > summary')"
    tab, _ = book.visit(CHAPTERS[0])
    stops = tab.locator("a[href], button, summary, input").count()
    assert any(tab.keyboard.press("Tab") or tab.evaluate(reached) for _ in range(stops))
