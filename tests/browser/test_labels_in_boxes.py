"""Every label of every drawing stands in its box, in the frame, and on no other label: in the field's words and in the source's, at two widths.

All is measured from the text as the browser sets it, in em of its own type, so it hangs neither on a pixel nor on the fonts of a machine.
"""

import re

import pytest
from conftest import CHAPTERS

MIRRORED = ("notebooks/06_look_across.html", "notebooks/09_kata.html", "notebooks/10_block.html", "notebooks/10b_real_block.html")
WIDTHS = (390, 1280)
# Letters reach 0.36 em above the middle of a text's box and 0.3 em below it; beyond a box they may reach by 0.15 em, over each other by 0.3 em.
MEASURE = """() => {
  const told = (one) => one.textContent.trim().replace(/\\s+/g, " ")
  const found = []
  for (const svg of document.querySelectorAll("article .pencil-drawing svg")) {
    if (!svg.getClientRects().length) continue
    const { a: scale, e: x0, f: y0 } = svg.getScreenCTM()
    const { x, y, width, height } = svg.viewBox.baseVal
    const frame = new DOMRect(x0 + x * scale, y0 + y * scale, width * scale, height * scale)
    const measured = (one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const [em, y] = [Number.parseFloat(getComputedStyle(one).fontSize) * scale, (top + bottom) / 2]
      return { one, em, left, right, top: y - 0.36 * em, bottom: y + 0.3 * em, x: (left + right) / 2, y }
    }
    const placed = (text) => (text.querySelector(":scope > tspan[x]") ? [...text.querySelectorAll(":scope > tspan[x]")] : [text])
    const parts = [...svg.querySelectorAll("text")].flatMap(placed).filter(told).map(measured)
    const boxes = [...svg.querySelectorAll("rect:not([data-paint])")].map((rect) => rect.getBoundingClientRect())
    boxes.sort((a, b) => a.width * a.height - b.width * b.height)
    for (const part of parts) {
      const own = boxes.find((box) => box.left < part.x && part.x < box.right && box.top < part.y && part.y < box.bottom)
      for (const [kind, box] of [["frame", frame], ["box", own]]) {
        if (!box) continue
        const beyond = Math.max(box.left - part.left, part.right - box.right, box.top - part.top, part.bottom - box.bottom) / part.em
        if (beyond > 0.15) found.push(`${told(part.one)}: ${beyond.toFixed(2)} em beyond its ${kind}`)
      }
    }
    parts.forEach((a, k) => parts.slice(0, k).forEach((b) => {
      const em = Math.min(a.em, b.em)
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (wide > 0.3 * em && tall > 0.15 * em) found.push(`${told(a.one)}: on ${told(b.one)}, by ${(wide / em).toFixed(2)} em`)
    }))
  }
  return found
}"""
DRAWINGS = "document.querySelectorAll('article .pencil-drawing svg').length"
PAGES = ("book/home.html", "book/machine.html", "book/slides_today.html", *CHAPTERS)


def measured(tab):
    """What is wrong on an open page, at each width."""
    found = []
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        found += [f"{width} px: {said}" for said in tab.evaluate(MEASURE)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_label_stands_in_its_box(book, page):
    with book.tab(viewport={"width": 1280, "height": 900}) as (tab, log):
        tab.goto(book.url(page))
        tab.locator("html.pencil-started").wait_for(state="attached")
        tab.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
        found = measured(tab)
        switch = tab.locator(".pencil-box.words .pencil-switch")
        if page in MIRRORED:
            switch.click()
            found += [f"in the source's words, {said}" for said in measured(tab)]
        assert found == [] and log.wrong == [] and switch.count() == (page in MIRRORED)


TYPE_LONG = """async () => {  // every given number of a drawing, at once where the sums allow it
  const whose = [...document.querySelectorAll("article .pencil-drawing .pencil-number[data-value]:not(.pencil-lab *)")]
    .map(number => pencil.binding.whose(number.dataset.value)).filter(Boolean)
  const given = ({ run, reference }) => pencil.runs.get(run).pencil.has(pencil.binding.writer(run).find(reference).name)
  let typed = 0
  for (const { run, reference } of whose.filter(given)) {
    const row = pencil.binding.writer(run).places(reference).map(() => -12.345)
    typed += pencil.change(run, reference, ...row) ? 0 : row.length
  }
  await pencil.binding.settled()
  return typed
}"""
NOT_GIVEN = ["08", "09", "10", "12", "14", "14c", "17", "17c", "19", "21", "22"]  # nothing is given there
ROOMY = ["02", "13", "13b", "14b"]  # no drawing of a given number has too little room


@pytest.mark.slow
@pytest.mark.parametrize("page", ("book/home.html", "book/machine.html", *CHAPTERS))
def test_what_a_reader_types_stays_in_its_box(book, page):
    """The type gets smaller where digits get more, and is as it was once the pencil numbers are back."""
    tab, log = book.visit(page)
    chapter = page.partition("/")[2].partition("_")[0]
    tab.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
    sizes = "() => [...document.querySelectorAll('[data-room]')].map(held => held.getAttribute('font-size'))"
    before = tab.evaluate(sizes)
    assert (tab.evaluate(TYPE_LONG) > 1) is (chapter not in NOT_GIVEN)
    beyond = [said for said in tab.evaluate(MEASURE) if "beyond" in said and re.match("[^:]*[0-9]", said)]
    assert beyond == []
    assert (tab.evaluate(sizes) != before) is (chapter not in NOT_GIVEN + ROOMY)
    tab.evaluate("pencil.reset()")
    assert tab.evaluate(sizes) == before and log.wrong == []


WRONG = """() => {
  document.querySelector("article .pencil-drawing svg").innerHTML = `<rect x="100" y="20" width="60" height="30"/>
    <text x="130" y="40" font-size="13" text-anchor="middle">a long label</text><text x="380" y="40" font-size="13" text-anchor="start">beyond</text>
    <g font-size="13" text-anchor="start"><text x="2" y="90">here</text><text x="4" y="91">there</text></g>`
}"""


def test_a_label_that_leaves_its_box_and_one_on_another_are_found(book):
    with book.tab(viewport={"width": 1280, "height": 900}) as (tab, _):
        tab.goto(book.url(MIRRORED[0]))
        before = len(tab.evaluate(MEASURE))
        tab.evaluate(WRONG)
        found = [re.sub(r"[\d.]+ em", "some", said) for said in tab.evaluate(MEASURE)]
        assert before == 0 and found == ["a long label: some beyond its box", "beyond: some beyond its frame", "there: on here, by some"]
