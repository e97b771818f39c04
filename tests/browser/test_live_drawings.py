"""Drawings and pictures of the interactive page: they follow a change, open, and are played step by step."""

import numpy as np
import pytest
from conftest import SETTLED
from live_page import LOOK, change, replayed

from pencil.paths import ROOT
from pencil.publish import Published
from pencil.trace import Trace
from pencil.worked import Worked


def assert_painted(marks, worked, at_least):
    assert len(marks) >= at_least
    for mark in marks:
        for paint in mark.get_attribute("data-paint").split(";"):
            own, _, mate = paint.partition(" & ")
            attribute, offset, factor, *held = own.split(" ", 3)
            numbers = [held_number(worked, text) for text in (*held, mate) if text]
            expected = float(offset) + float(factor) * numbers[0][0] * min(share for _, share in numbers)
            assert float(mark.get_attribute(attribute)) == pytest.approx(expected, abs=0.006)


def held_number(worked, text):  # "-3 3 king.embedding[0]" -> the number, and the share of it that is within its ends
    low, high, reference = text.split(" ", 2)
    x = float(worked.trace.find(reference.removeprefix(f"{worked.run}.") if worked.run else reference).exact)
    return x, np.clip(x, float(low), float(high)) / x if x else 1.0


def of_one_word(tab):
    """The drawing of what nolan asks, and of whom it listens to."""
    return tab.locator(".pencil-drawing").filter(has=tab.locator("li", has_text="nolan asks")).first


def test_a_drawing_follows_and_opens(book):
    tab, log = book.visit(LOOK)
    drawing = of_one_word(tab)
    change(tab, "params.query", 0, 0.5)
    runs = replayed(LOOK, "params.query", 0, 0.5)
    worked = Worked(runs[""][0], runs[""][1]["labels"])
    for number in drawing.locator("tspan.pencil-number").all():
        assert number.text_content() == worked.number(number.get_attribute("data-value"))
    assert_painted(tab.locator(".pencil-drawing [data-paint]").all(), worked, at_least=4)
    drawing.locator("tspan.pencil-number").last.click()
    assert tab.locator(".pencil-card .name").inner_text() == "nolan.context number 4"
    assert log.wrong == []


def test_an_arrow_follows_its_numbers(book):
    page, changed = "notebooks/02_embeddings.html", ("embedding", 1, -40)  # far out of the frame
    tab, log = book.visit(page)
    published = Published.read((ROOT / page).with_suffix(".ipynb")).content["runs"]["landing"]
    given = np.array(Trace.load(published["program"]).names["embedding"].exact)
    given.flat[changed[1]] = changed[2]
    marks = tab.locator(".pencil-drawing [data-paint*='landing.']")
    king = marks.first
    stood = king.get_attribute("y2")
    tab.evaluate("fragment => { location.hash = fragment }", "#pencil:landing/{}:{}={}".format(*changed))
    tab.locator(".pencil-changed").wait_for(state="visible")
    worked = Worked(Trace.load(published["program"], {"embedding": given}), published["labels"], run="landing")
    assert_painted(marks.all(), worked, at_least=14)
    assert float(king.get_attribute("y2")) > float(king.get_attribute("y1")) > float(stood)
    tab.evaluate("pencil.reset()")
    assert king.get_attribute("y2") == stood  # every one of its attributes is put back
    assert log.wrong == []


def test_a_drawing_is_played_step_by_step(book):
    tab, log = book.visit(LOOK)
    drawing = of_one_word(tab)
    later, now = drawing.locator("g.later"), drawing.locator("li.now")
    assert later.count() == now.count() == 0
    drawing.get_by_role("button", name="Next").click()
    assert later.count() == 4 and now.inner_text().startswith("nolan asks")
    tab.keyboard.press("ArrowRight")
    assert later.count() == 3 and "score: [2" in now.inner_text()
    assert drawing.get_by_role("status").text_content() == now.inner_text()
    tab.keyboard.press("ArrowLeft")
    assert later.count() == 4
    drawing.get_by_role("button", name="Show it all").click()
    assert later.count() == now.count() == 0
    drawing.get_by_role("button", name="Back").click()
    assert later.count() == 0 and now.inner_text().startswith("Each value")
    tab.emulate_media(media="print")
    assert drawing.locator("g[data-step]").first.evaluate("g => getComputedStyle(g).opacity") == "1"
    assert log.wrong == []


def test_the_buttons_stay_in_reach_while_a_drawing_is_played_and_lie_on_nothing_before(book):
    tab, _ = book.visit(LOOK, "narrow")
    drawing = of_one_word(tab)
    buttons = drawing.locator(".pencil-steps")
    edges = "one => { const { top, bottom } = one.getBoundingClientRect(); return [top, bottom] }"
    for far_down in (0.9, 0.6, 0.3):  # the drawing comes into sight from below
        drawing.evaluate("(drawing, share) => scrollBy(0, drawing.getBoundingClientRect().top - innerHeight * share)", far_down)
        assert buttons.evaluate(edges)[0] >= drawing.locator("svg").evaluate(edges)[1]
    buttons.get_by_role("button", name="Next").click()
    drawing.evaluate("drawing => scrollBy(0, drawing.getBoundingClientRect().top - 100)")
    assert buttons.evaluate(edges)[1] <= tab.viewport_size["height"]
    for _ in drawing.locator("li").all():
        now = drawing.locator("g.now").evaluate(edges)
        assert now[1] <= buttons.evaluate(edges)[0] + 1
        tab.keyboard.press("ArrowRight")


def test_shades_and_bars_follow(book):
    tab, _ = book.visit(LOOK)
    levels = "() => [...document.querySelectorAll(\"article .pencil-picture [style*='--v']\")].map(cell => cell.getAttribute('style'))"
    before = tab.evaluate(levels)
    change(tab, "params.query", 0, 0.5)
    after = tab.evaluate(levels)
    assert len(before) == len(after) > 4 and before != after
    bars = tab.locator(".pencil-bars").first
    shares = [float(v) for v in bars.locator("td:not(.bar)").all_inner_texts()]
    assert [f"--v:{share:.3f}" for share in shares] == [bar.get_attribute("style") for bar in bars.locator(".bar span").all()]


def test_a_typed_fraction_fits_its_cell_and_its_card_does_not_call_it_exact(book):
    tab, log = book.visit("book/home.html")
    cell, card = tab.locator(".pencil-drawing svg .given .pencil-number").first, tab.locator(".pencil-card")
    cell.click()
    for typed, drawn, said in (("1/3", "0.333", "more exactly 0.333333"), ("√2", "1.414", "more exactly 1.414214"), ("0.25", "0.25", "exactly 0.25")):
        card.locator("input").fill(typed)
        assert (cell.text_content(), card.locator(".exact").inner_text()) == (drawn, said)
    card.locator("input").fill("1000")
    assert "needs e to a power above 709, a number of more than 300 digits; use smaller numbers." in card.locator(".wrong").inner_text()
    assert log.wrong == []


# What moves of a picture in the moment after a change: the width of a bar, and what a drawing has of its numbers
MOVES = """() => {
  const before = document.getAnimations().length
  pencil.change("", "params.query[0, 0]", 6)
  pencil.binding.followAll()
  const moving = document.getAnimations().filter(one => one.effect.target.closest("[data-paint], .bar"))
  return [before, [...new Set(moving.map(one => one.transitionProperty))]]
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_pictures_move_to_their_new_numbers_unless_the_reader_wants_no_motion(book, motion):
    with book.tab(viewport={"width": 1280, "height": 900}, reduced_motion=motion) as (tab, log):
        tab.goto(book.url(LOOK))
        tab.locator(".pencil-bars").first.scroll_into_view_if_needed()
        tab.evaluate(SETTLED)
        before, moving = tab.evaluate(MOVES)
        assert before == 0 and ("width" in moving) == (motion == "no-preference")
        assert motion == "no-preference" or moving == []
        assert log.wrong == []


# The first arrow of the run, just after a change: its end by its attribute and as it is drawn, in the middle of its motion and behind it
GLIDES = """async () => {
  const line = document.querySelector(".pencil-drawing line[data-paint*='landing.']")
  const svg = line.closest("svg"), seen = () => [line.y2.baseVal.value, line.y2.animVal.value]
  const before = seen()
  pencil.change("landing", "embedding[0, 1]", -1)
  pencil.binding.followAll()
  svg.pauseAnimations()
  svg.setCurrentTime(svg.getCurrentTime() + 0.1)
  const midway = seen()
  svg.setCurrentTime(svg.getCurrentTime() + 0.3)
  svg.unpauseAnimations()
  await new Promise((done) => setTimeout(done, 100))
  return [before, midway, seen(), line.children.length]
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_end_of_an_arrow_glides_to_its_new_number_unless_the_reader_wants_no_motion(book, motion):
    with book.tab(viewport={"width": 1280, "height": 900}, reduced_motion=motion) as (tab, log):
        tab.goto(book.url("notebooks/02_embeddings.html"))
        tab.evaluate(SETTLED)
        before, midway, after, left = tab.evaluate(GLIDES)
        assert before[0] == before[1] and midway[0] == after[0] == after[1] != before[0] and left == 0
        drawn = (midway[1] - before[0]) / (after[0] - before[0])
        assert 0.2 < drawn < 0.8 if motion == "no-preference" else drawn == 1
        assert log.wrong == []


# The first step of every drawing of a page: the animations of its lines and curves
STEPS = """() => [...document.querySelectorAll(".pencil-steps")].map((steps) => {
  const drawing = steps.closest(".pencil-drawing"), lines = drawing.querySelectorAll("g[data-step='1'] :is(line, path)").length
  const before = document.getAnimations().length
  steps.querySelector("[data-go='1']").click()
  const moving = document.getAnimations().filter(({ effect }) => effect.target.closest("g.now") && !effect.target.matches("g"))
  const gliding = [...drawing.querySelectorAll("animate")].map((one) => one.parentNode)
  return [lines, new Set([...moving.map(({ effect }) => effect.target), ...gliding]).size]
})"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_step_is_drawn_from_where_its_lines_begin_unless_the_reader_wants_no_motion(book, motion):
    with book.tab(viewport={"width": 1280, "height": 900}, reduced_motion=motion) as (tab, log):
        tab.goto(book.url("notebooks/06_look_across.html"))
        drawn = tab.evaluate(STEPS)
        assert len(drawn) > 3 and any(lines for lines, _ in drawn)
        assert all(moving >= lines if motion == "no-preference" else moving == 0 for lines, moving in drawn)
        assert log.wrong == []
