"""What a number's mark says: a frame, that it is given; green and a double line, that a pencil gets other digits."""

import pytest

GIVEN, ROUNDED = "notebooks/13_backward.html", "notebooks/06_look_across.html"  # nothing is rounded on the way in the first
MATRICES = ["attention.head1.query", "attention.head1.key", "attention.head1.value", "attention.output", "feed_forward.up", "feed_forward.down"]
DOUBLE = """() => [...document.querySelectorAll("article :is(.pencil-number, u)")]
  .filter(one => getComputedStyle(one).textDecorationStyle === "double").length"""


@pytest.mark.slow
def test_tables_of_given_numbers_have_frames_and_no_others(book):
    tab, log = book.visit(GIVEN, "wide", "file")
    framed = tab.locator("[data-given]")
    assert framed.evaluate_all("all => all.map(one => one.dataset.show)") == [
        "embedding", "positions", *(f"params.{name}" for name in MATRICES), "ends"
    ]  # fmt: skip
    assert all(one.is_visible() for one in framed.all())
    cell, computed = framed.locator("td"), tab.locator("[data-show='grad.params.attention.output'] td")
    frame = "one => getComputedStyle(one).borderTopWidth"
    assert (cell.first.evaluate(frame), computed.first.evaluate(frame)) == ("1px", "0px")
    cell.first.locator(".pencil-number").click(position={"x": 2, "y": 8})  # beside its digit
    assert tab.locator(".pencil-card input").is_visible() and log.wrong == []


@pytest.mark.slow
def test_digits_are_marked_as_exact_only_where_others_are_rounded(book):
    for page, is_marked in ((GIVEN, False), (ROUNDED, True)):
        tab, log = book.visit(page, "wide", "file")
        tab.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
        assert (tab.evaluate(DOUBLE) > 0) is is_marked and log.wrong == []
