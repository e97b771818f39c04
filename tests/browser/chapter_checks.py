"""Checks that hold for every page and every chapter, run on an open page.

`check(tab, page)` asserts it and leaves the page as it was, save those of READ_LAST.
"""

from functools import cache

from card_checks import a_card_covers_neither_its_number_nor_the_last_field
from katas import ANSWER_ALL, of_chapter, wanted_of
from labs import MOUNTED, digits_are_read, film_is_talked_about, lab_follows, writer_is_opened, writer_writes
from number_checks import (
    a_percent_opens_in_percent,
    all_numbers_of_a_run_follow_save_sizes,
    every_bound_numeral_is_a_number_of_the_page,
    hovering_shows_the_exact_value,
    numbers_are_no_stops_of_the_tab_key,
    numbers_stand_without_script,
    tapping_shows_the_exact_value,
    what_is_said_of_the_pencil_numbers_is_so,
    what_looks_alive_opens_and_nothing_else,
)

from pencil.paths import chapter_number

# The first sign of every line that a worked line goes on in, where it is too long for the paper; a block that hides a part of a line.
CARRIED_ON = """() => {
  document.querySelectorAll("details").forEach(box => { box.open = true })
  const found = [...document.querySelectorAll(".pencil-worked p")].flatMap((line) => {
    const starts = [], walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), range = document.createRange()
    let top = null
    while (walk.nextNode()) {
      const text = walk.currentNode
      for (let i = 0; i < text.length; i++) {
        if (text.data[i] === " ") continue
        range.setStart(text, i)
        range.setEnd(text, i + 1)
        const box = range.getBoundingClientRect()
        if (top !== null && box.top > top + 12) starts.push(text.data[i])
        top = box.top
      }
    }
    return starts
  })
  return [found, [...document.querySelectorAll(".pencil-worked")].filter(sheet => sheet.scrollWidth > sheet.clientWidth + 1).length]
}"""
LONG = ("notebooks/10_block.html", "notebooks/13_backward.html")  # chapters whose lines are too long for a phone


def a_worked_line_goes_on_with_a_sign(tab, page):
    starts, hidden = tab.evaluate(CARRIED_ON)
    assert set(starts) <= set("=≈+−×·/") and hidden == 0
    assert page not in LONG or len(set(starts)) > 2, "no line of this chapter goes on: is the page as narrow as a phone?"


KEPT_OUT = (".worked-answer", "details.hide", "#jb-print-toc")
VISIBLE = "all => all.map(one => one.checkVisibility())"


def it_can_be_handed_out_in_print(tab, page):
    """Folded answers, folded code and the contents stay out; what a wrong turn says is there."""
    tab.emulate_media(media="print")
    for kept_out in KEPT_OUT:
        assert not any(tab.locator(kept_out).evaluate_all(VISIBLE)), kept_out
    assert all(tab.locator(".wrong-turn > p").evaluate_all(VISIBLE))
    answer = tab.locator(".worked-answer").first
    answer.evaluate("answer => { answer.open = true }")
    assert answer.is_visible()
    answer.evaluate("answer => { answer.open = false }")
    tab.emulate_media(media="screen")


def folded_boxes_open_by_keyboard(tab, page):
    """Each is the browser's own, with its title as the summary; the first and the last of a page are tried."""
    native = "boxes => boxes.every(box => box.matches('details') && box.firstElementChild.matches('summary:not([tabindex])'))"
    boxes = tab.locator("details.pencil-box")
    assert boxes.count() and boxes.evaluate_all(native)
    for box in (boxes.first, boxes.last):
        box.locator("> summary").focus()
        tab.keyboard.press("Enter")
        assert box.get_attribute("open") is not None
        tab.keyboard.press("Space")
        assert box.get_attribute("open") is None


def every_question_can_be_addressed(tab, page):
    """Each box of YOUR TURN has its key, unique on the page, and a folded answer."""
    keys = tab.locator(".your-turn").evaluate_all("boxes => boxes.map(box => box.dataset.turn)")
    assert keys and all(keys) and len(set(keys)) == len(keys)
    assert tab.locator(".your-turn details.worked-answer").count() >= len(keys)


def labs_follow_and_go_back_to_the_letter(tab, page):
    """Every lab of the page is one that is driven here."""
    labels = tab.locator(".pencil-lab:not([data-script])").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert sorted(labels) == sorted(lab_follows(tab, *one) for one in MOUNTED.get(page, ()))


def labs_that_carry_their_numbers_find_them(tab, page):
    """Their own tests are in test_writer.py, test_open_writer.py and test_digits.py; here they find what lies beside the built page."""
    driven = {
        "notebooks/14_tiny_gpt.html": writer_writes,
        "notebooks/14b_chatbot.html": film_is_talked_about,
        "notebooks/15_vit.html": digits_are_read,
        "notebooks/22_open_gpt2.html": writer_is_opened,
    }
    assert tab.locator(".pencil-lab[data-script]").count() == (page in driven)
    if page in driven:
        driven[page](tab)


@cache
def wanted(page):
    """What is written into the boxes of a page, worked out once."""
    return list(wanted_of(page))


def every_question_takes_the_right_answer_its_mistakes_and_nonsense(tab, page):
    told = tab.evaluate(ANSWER_ALL, [pair for pair, _ in wanted(page)])
    assert [(pair, says, right) for (pair, right), says in zip(wanted(page), told, strict=True) if says not in right] == []


HINTS = """() => [...document.querySelectorAll("[data-turn] form.pencil-answer")].map(form => {
  const button = form.querySelector(".hint"), more = form.querySelector(".more"), steps = []
  const fold = form.closest("[data-turn]").querySelector("details.worked-answer")
  fold.open = false
  while (button.textContent !== "Open the worked answer" && steps.length < 9) {
    button.click()
    steps.push(more.textContent.slice(steps.join("").length))
  }
  const covered = !fold.open
  button.click()
  return [form.closest("[data-turn]").dataset.turn, steps, covered && fold.open]
})"""


def every_question_gives_hints_in_steps_and_then_its_answer(tab, page):
    given = tab.evaluate(HINTS)
    for key, steps, opened in given:
        assert len(steps) >= 2 and len(set(steps)) == len(steps) and all(steps) and opened, (key, steps)
    assert sorted(key for key, *_ in given) == sorted(of_chapter(chapter_number(page)))


# What is drawn says in words what is to be seen: a figure in its alt text, a diagram in its label, a drawing in its steps, a table of shades
# or bars in its caption.
MUTE = """([shape, words, least]) => [...document.querySelectorAll(`article ${shape}`)]
  .filter(drawn => (eval(words)(drawn) || "").trim().length < least).map(drawn => drawn.outerHTML.slice(0, 100))"""
DRAWN = (
    ("img", "img => img.alt", 40),
    (".pencil-lab .pencil-drawing svg", "svg => svg.getAttribute('aria-label')", 12),
    (".pencil-drawing:not(.pencil-lab *) svg", "svg => svg.getAttribute('aria-label') && svg.parentElement.querySelector('ol').textContent", 40),
    ("svg:not(button svg, .pencil-drawing svg)", "svg => svg.getAttribute('role') === 'img' && svg.getAttribute('aria-label')", 40),
    (".pencil-picture table", "table => table.caption?.textContent", 3),
)


def every_picture_has_words(tab, page):
    for drawn in DRAWN:
        assert tab.evaluate(MUTE, drawn) == []


# Texts of a drawing that touch one another, or leave the box in which their middle lies: a number beside a number wants air.
CROWDED = """() => [...document.querySelectorAll("article .pencil-drawing svg")].flatMap(svg => {
  const box = one => one.getBoundingClientRect()
  const texts = [...svg.querySelectorAll("text")].flatMap(text => {
    const apart = [...text.querySelectorAll("tspan[x]")]
    return (apart.length ? apart : [text]).filter(one => one.textContent.trim() && one.checkVisibility()).map(one => [one, box(one)])
  })
  const isNumber = one => one.closest(".pencil-number") || one.querySelector(".pencil-number")
  const boxes = [...svg.querySelectorAll("rect:not([data-paint])")].map(box).filter(({ width, height }) => width > 12 && height > 8)
  const touching = texts.flatMap(([one, a], k) => texts.slice(k + 1).filter(([other, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > (isNumber(one) && isNumber(other) ? -0.5 : 0.5) &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * Math.min(a.height, b.height))
    .map(([other]) => `${one.textContent} | ${other.textContent}`))
  const leaving = texts.filter(([, { left, right, top, bottom }]) => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const around = boxes.filter(box => box.left < x && x < box.right && box.top < y && y < box.bottom)
    const [inner] = around.sort((a, b) => a.width * a.height - b.width * b.height)
    return inner && (left < inner.left || right > inner.right)
  }).map(([one]) => `${one.textContent} leaves its box`)
  return [...touching, ...leaving].map(said => `${svg.parentElement.textContent.trim().slice(0, 40)}: ${said}`)
})"""


def no_text_of_a_drawing_touches_another_or_leaves_its_box(tab, page):
    assert tab.evaluate(CROWDED) == []


def formulas_are_set_in_the_font_that_the_book_brings(tab, page):
    """Each sign of theirs is in it: otherwise the browser takes that sign from a font that it finds."""
    tab.evaluate("document.fonts.ready.then(() => true)")
    asks = tab.context.new_cdp_session(tab)
    asks.send("DOM.enable")
    asks.send("CSS.enable")
    root = asks.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    parts = asks.send("DOM.querySelectorAll", {"nodeId": root, "selector": "article math :is(mi, mo, mn, mtext)"})["nodeIds"]
    fonts = [font for part in parts for font in asks.send("CSS.getPlatformFontsForNode", {"nodeId": part})["fonts"]]
    asks.detach()
    assert {(font["familyName"], font["isCustomFont"]) for font in fonts} <= {("DejaVu Math TeX Gyre", True)}
    assert bool(fonts) == tab.evaluate("Boolean(document.querySelector('article math mi'))")


LABS = (labs_follow_and_go_back_to_the_letter, labs_that_carry_their_numbers_find_them)
ON_ANY_PAGE = {"wide": (a_percent_opens_in_percent, every_picture_has_words, what_looks_alive_opens_and_nothing_else), "narrow": ()}
ON_A_CHAPTER = {
    "wide": (
        formulas_are_set_in_the_font_that_the_book_brings,
        numbers_stand_without_script,
        every_bound_numeral_is_a_number_of_the_page,
        hovering_shows_the_exact_value,
        what_is_said_of_the_pencil_numbers_is_so,
        numbers_are_no_stops_of_the_tab_key,
        all_numbers_of_a_run_follow_save_sizes,
        it_can_be_handed_out_in_print,
        folded_boxes_open_by_keyboard,
        every_question_can_be_addressed,
        a_card_covers_neither_its_number_nor_the_last_field,
        *LABS,
    ),
    "narrow": (
        tapping_shows_the_exact_value,
        no_text_of_a_drawing_touches_another_or_leaves_its_box,
        a_card_covers_neither_its_number_nor_the_last_field,
        *LABS,
    ),
}
READ_LAST = {
    "wide": (every_question_gives_hints_in_steps_and_then_its_answer, every_question_takes_the_right_answer_its_mistakes_and_nonsense),
    "narrow": (a_worked_line_goes_on_with_a_sign,),
}
