"""The book can be read on a phone, by keyboard, in light and in dark."""

import pytest

TOO_WIDE = """() => {
  const wide = document.documentElement.scrollWidth - window.innerWidth
  return wide > 0 ? `${wide} px too wide` : ''
}"""

# Every piece of text against what lies behind it (WCAG 2.1, 1.4.3). Colours are read off a canvas, which knows every notation.
PALE = """() => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data]
  }
  const over = ([r, g, b, a], under) => [r, g, b].map((x, i) => (x * a + under[i] * (255 - a)) / 255)
  const behind = (element) => {
    if (!element) return [255, 255, 255]
    const colour = rgba(getComputedStyle(element).backgroundColor)
    return colour[3] === 255 ? colour.slice(0, 3) : over(colour, behind(element.parentElement))
  }
  const light = (rgb) => {
    const [r, g, b] = rgb.map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const pale = []
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement
    if (!walk.currentNode.data.trim() || !element.checkVisibility({ opacityProperty: true })) continue
    const style = getComputedStyle(element), back = behind(element), front = over(rgba(style.color), back)
    const [low, high] = [light(front), light(back)].sort((x, y) => x - y)
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < (large ? 3 : 4.5)) pale.push(`${walk.currentNode.data.trim().slice(0, 40)}: ${contrast.toFixed(2)}`)
  }
  return pale
}"""

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


def test_no_page_scrolls_sideways_on_a_phone(book):
    wrong = {}
    for page in book.pages:
        with book.phone() as (tab, _):
            tab.goto(book.url(page))
            tab.evaluate(UNFOLD)
            if said := tab.evaluate(TOO_WIDE):
                wrong[page] = said
    assert wrong == {}


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
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            tab.emulate_media(media="print")
            for kept_out in (".worked-answer", "details.hide", "#jb-print-toc"):
                assert not any(tab.locator(kept_out).evaluate_all("all => all.map(one => one.checkVisibility())")), (page, kept_out)
            assert all(tab.locator(".wrong-turn > p").evaluate_all("all => all.map(one => one.checkVisibility())")), page
            tab.locator(".worked-answer").first.evaluate("answer => { answer.open = true }")
            assert tab.locator(".worked-answer").first.is_visible(), page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_paper(book, scheme):
    wrong = {}
    for page in book.pages:
        with book.tab(color_scheme=scheme) as (tab, _):
            tab.goto(book.url(page))
            tab.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
            tab.evaluate(UNFOLD)
            if said := tab.evaluate(PALE):
                wrong[page] = said
    assert wrong == {}


def test_folded_boxes_open_by_keyboard(book):
    boxes = 0
    for page in book.chapters:
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            for box in tab.locator("details.pencil-box").all():
                summary = box.locator("> summary")
                summary.focus()
                tab.keyboard.press("Enter")
                assert box.get_attribute("open") is not None, page
                tab.keyboard.press("Space")
                assert box.get_attribute("open") is None, page
                boxes += 1
    assert boxes > 0


def test_the_tab_key_reaches_a_folded_box(book):
    reached = "document.activeElement.matches('details.pencil-box > summary')"
    with book.tab() as (tab, _):
        tab.goto(book.url(book.chapters[0]))
        stops = tab.locator("a[href], button, summary, input").count()
        assert any(tab.keyboard.press("Tab") or tab.evaluate(reached) for _ in range(stops))


def test_every_question_can_be_addressed(book):
    """Each box of YOUR TURN has its key, unique on the page, and a folded answer."""
    for page in book.chapters:
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            keys = tab.locator(".your-turn").evaluate_all("boxes => boxes.map(box => box.dataset.turn)")
            answers = tab.locator(".your-turn details.worked-answer").count()
        assert keys and all(keys) and len(set(keys)) == len(keys), page
        assert answers >= len(keys), page
