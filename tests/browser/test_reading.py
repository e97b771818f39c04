"""The book can be read on a phone, by keyboard, in light and in dark."""

import pytest

# The first sign of every line that a worked line goes on in, where it is too long for the paper.
CARRIED_ON = """() => [...document.querySelectorAll('.pencil-worked p')].flatMap((line) => {
  const starts = [], walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  let top = null
  while (walk.nextNode()) {
    const text = walk.currentNode
    for (let i = 0; i < text.length; i++) {
      if (text.data[i] === ' ') continue
      const range = document.createRange()
      range.setStart(text, i)
      range.setEnd(text, i + 1)
      const box = range.getBoundingClientRect()
      if (top !== null && box.top > top + 12) starts.push(text.data[i])
      top = box.top
    }
  }
  return starts
})"""

UNFOLD = "document.querySelectorAll('details').forEach(box => { box.open = true })"


def test_a_worked_line_goes_on_with_a_sign(book):
    carried = set()
    for page in book.chapters:
        with book.phone() as (tab, _):
            tab.goto(book.url(page))
            tab.evaluate(UNFOLD)
            starts = tab.evaluate(CARRIED_ON)
            hidden = tab.locator(".pencil-worked").evaluate_all("sheets => sheets.filter(s => s.scrollWidth > s.clientWidth + 1).length")
        assert set(starts) <= set("=≈+−×·/"), page
        assert hidden == 0, page
        carried |= set(starts)
    assert len(carried) > 2  # some lines are too long for a phone


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_who_wants_it_still(book, motion):
    with book.tab(reduced_motion=motion) as (tab, _):
        tab.goto(book.url("notebooks/06_look_across.html"))
        tab.evaluate(UNFOLD)
        moving = tab.evaluate("document.getAnimations().length")
    assert (moving == 0) == (motion == "reduce")


def test_a_page_can_be_handed_out_in_print(book):
    """Folded answers, folded code and the contents stay out; what a wrong turn says is there."""
    for page in book.chapters:
        tab = book.looked_at(page)
        tab.emulate_media(media="print")
        for kept_out in (".worked-answer", "details.hide", "#jb-print-toc"):
            assert not any(tab.locator(kept_out).evaluate_all("all => all.map(one => one.checkVisibility())")), (page, kept_out)
        assert all(tab.locator(".wrong-turn > p").evaluate_all("all => all.map(one => one.checkVisibility())")), page
        answer = tab.locator(".worked-answer").first
        answer.evaluate("answer => { answer.open = true }")
        assert answer.is_visible(), page
        answer.evaluate("answer => { answer.open = false }")
        tab.emulate_media(media="screen")


def test_folded_boxes_open_by_keyboard(book):
    """Each is the browser's own, with its title as the summary; the first and the last of a page are tried."""
    native = "boxes => boxes.every(box => box.matches('details') && box.firstElementChild.matches('summary:not([tabindex])'))"
    for page in book.chapters:
        tab = book.looked_at(page)
        boxes = tab.locator("details.pencil-box")
        assert boxes.count() and boxes.evaluate_all(native), page
        for box in (boxes.first, boxes.last):
            box.locator("> summary").focus()
            tab.keyboard.press("Enter")
            assert box.get_attribute("open") is not None, page
            tab.keyboard.press("Space")
            assert box.get_attribute("open") is None, page


def test_the_tab_key_reaches_a_folded_box(book):
    reached = "document.activeElement.matches('details.pencil-box > summary')"
    with book.tab() as (tab, _):
        tab.goto(book.url(book.chapters[0]))
        stops = tab.locator("a[href], button, summary, input").count()
        assert any(tab.keyboard.press("Tab") or tab.evaluate(reached) for _ in range(stops))


def test_every_question_can_be_addressed(book):
    """Each box of YOUR TURN has its key, unique on the page, and a folded answer."""
    for page in book.chapters:
        keys = book.looked_at(page).locator(".your-turn").evaluate_all("boxes => boxes.map(box => box.dataset.turn)")
        answers = book.looked_at(page).locator(".your-turn details.worked-answer").count()
        assert keys and all(keys) and len(set(keys)) == len(keys), page
        assert answers >= len(keys), page
