"""Worksheets in the page: generated as in Python, on every topic; marked, timed, printed; by keyboard only."""

import json
import re

import pytest
from katas import KATA, awaited, box, curled, deal, of_chapter

from pencil.exercises import Worksheet, mark
from pencil.exercises.topics import TOPICS
from pencil.rounding import show

SEEDS = {topic: (7,) for topic in TOPICS} | {"attention": (0, 7, 4294967295)}
SOLVE = """asks => asks.map(([k, text]) => {
  const form = document.querySelectorAll(".pencil-sheet form.pencil-answer")[k]
  form.querySelector("input").value = text
  form.requestSubmit()
  return form.querySelector(".says").textContent
})"""
GIVENS = "tables => tables.map(table => [...table.rows].map(row => [...row.cells].filter(c => c.matches('td')).map(c => c.textContent)))"


@pytest.fixture(scope="module")
def page(book):
    """The page of the kata, opened once: every test deals a sheet of its own."""
    with book.tab() as (tab, log):  # a tab of its own: it stays open while other tests go elsewhere
        tab.goto(book.url(KATA))
        yield tab
        assert log.wrong == []


def dealt(tab, topic, seed):
    """Deal a sheet on the page. -> its given grids as rows of digits"""
    tab.get_by_role("combobox", name="Topic").select_option(topic)
    tab.get_by_role("textbox", name="Seed").fill(str(seed))
    deal(tab)
    return tab.locator(".pencil-sheet .pencil-given-grid").evaluate_all(GIVENS)


def says(tab):
    return tab.locator(".pencil-sheet > .says").text_content()


@pytest.mark.parametrize("topic, seed", [(topic, seed) for topic, seeds in SEEDS.items() for seed in seeds])
def test_a_seed_deals_the_sheet_of_python_marks_it_and_keeps_the_time(page, topic, seed):
    sheet = Worksheet(topic, seed)
    page.get_by_label("Time me").check()
    assert dealt(page, topic, seed) == [rows for _, _, rows in sheet.givens]
    times = page.locator(".pencil-sheet .history tbody tr").count()
    exercises = [sheet.exercise(asked) for asked in sheet.asks]
    mistakes = [(k, known.numbers) for k, each in enumerate(exercises) for known in (*each.mistakes, *each.far)[:2]]
    wrong = [(k, json.dumps(numbers.exact)) for k, numbers in mistakes]
    alone = [row for k, typed in wrong for row in ((k, typed), (k, "unread"))]  # what cannot be read is not carried to the next answers
    assert page.evaluate(SOLVE, alone)[::2] == [curled(mark(exercises[k], typed).message) for k, typed in wrong]
    right = [(k, " ".join(map(show, exercise.right.paper))) for k, exercise in enumerate(exercises)]
    assert set(page.evaluate(SOLVE, right[:-1])) == {"Right."}
    assert "The clock runs." in says(page)
    assert page.evaluate(SOLVE, right[-1:]) == ["Right."]
    assert re.match(r"The whole sheet is right, in \d:", says(page))
    assert page.locator(".pencil-sheet .history tbody tr").count() == times + 1
    lines = page.locator(".pencil-sheet .pencil-worked").last.locator("p").all_text_contents()
    assert lines == sheet.key(sheet.asks[-1])


def test_what_is_no_seed_is_told_so(page):
    before = dealt(page, "softmax", 3)
    for text in ("", "seven", "-1", "4294967296", "1e3"):
        assert dealt(page, "softmax", text) == before
        assert says(page) == "A seed is a whole number from 0 to 4294967295."
    page.get_by_role("button", name="Another one").click()
    awaited(page)
    assert "is dealt." in says(page)


def test_with_the_keyboard_alone(page):
    """Choose a topic, type a seed, answer the first question; what is said is read out, for it has the role of a status."""
    dealt(page, "softmax", 3)
    page.get_by_role("combobox", name="Topic").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".pencil-sheet strong").text_content() == "Softmax."  # to look at the list costs nobody an answer
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    awaited(page)
    assert page.locator(".pencil-sheet strong").text_content() == "LayerNorm."
    assert says(page).startswith("Sheet 8 is dealt.") and page.locator(".pencil-sheet > .says").get_attribute("role") == "status"
    for name in ("Deal this sheet", "Another one", "Print it, with its key"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == name
    page.keyboard.press("Tab")  # the clock
    page.keyboard.press("Tab")
    first = Worksheet("layernorm", 8)
    assert page.evaluate("document.activeElement.labels[0].textContent") == f"{first.label(first.asks[0])} ="
    page.keyboard.type(" ".join(map(show, first.exercise(first.asks[0]).right.paper)))
    page.keyboard.press("Enter")
    told = page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent")
    assert told == "Right."


@pytest.mark.parametrize("topic", TOPICS)
def test_the_sheet_prints_with_its_key_and_nothing_else(page, topic):
    dealt(page, topic, 7)
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="Print it, with its key").click()
    page.emulate_media(media="print")
    assert page.locator(".pencil-print .key").is_visible() and not page.locator("article").is_visible()
    assert page.locator(".pencil-print .key li").count() == page.locator(".pencil-print .task li").count() == len(TOPICS[topic].asks)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".pencil-print").count() == 0 and page.locator("article").is_visible()
    page.emulate_media(media="screen")


def test_print_keeps_what_is_asked(page):
    """Of a choice its words, of a sheet its givens and what to fill in; no button, no field."""
    dealt(page, "attention", 7)
    sheet = Worksheet("attention", 7)
    page.emulate_media(media="print")
    for key, turn in of_chapter("09").items():
        assert all(box(page, key).get_by_text(curled(word), exact=True).first.is_visible() for word in turn.choices)
    assert page.locator(".pencil-sheet li label:visible").all_text_contents() == [f"{sheet.label(asked)} =" for asked in sheet.asks]
    assert page.locator(".pencil-sheet .pencil-given-grid:visible").count() == len(sheet.givens)
    assert page.locator(":is(.pencil-answer, .pencil-sheet) :is(button, input[type=text], select):visible").count() == 0
    page.emulate_media(media="screen")


@pytest.mark.slow
def test_sheets_on_a_phone(book):
    tab, log = book.visit(KATA, "narrow")
    for topic in TOPICS:
        dealt(tab, topic, 7)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, topic
    assert log.wrong == []
