"""Helpers for the tests of exercises: answers to type into boxes, and the expected messages."""

import json
import sys

from pencil.checker.library import Library
from pencil.exercises import mark
from pencil.exercises.questions import all_questions, asked_by
from pencil.paths import ROOT, chapter_number
from pencil.rounding import show

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.apostrophes import curled

NOTEBOOKS = ROOT / "notebooks"
KATA = "notebooks/09_kata.html"
LOOK = "notebooks/06_look_across.html"
RIGHT, NONSENSE, NOTHING = {"Right."}, {"“banana” is no number; type one, such as 0.5, −2, 1/3 or √2."}, {"Choose one of these."}
ANSWER_ALL = """pairs => pairs.map(([key, text]) => {
  const form = document.querySelector(`[data-turn="${key}"] form.pencil-answer`), field = form.querySelector("input[type=text]")
  if (field) field.value = text
  else for (const choice of form.querySelectorAll("input")) choice.checked = choice.value === text
  form.dispatchEvent(new Event("submit", { cancelable: true }))
  return form.querySelector(".says").textContent
})"""


def deal(tab):
    """Press the button, and wait for the sheet."""
    tab.get_by_role("button", name="Deal this sheet").click()
    awaited(tab)


def awaited(tab):
    """Wait for the sheet that is being dealt."""
    tab.locator(".pencil-sheet form.pencil-answer").first.wait_for()
    tab.wait_for_function("!document.querySelector('.pencil-sheet > .says').textContent.includes('being dealt')")


def box(tab, key):
    """The box of a question."""
    return tab.locator(f"[data-turn='{key}']")


def answer(tab, key, text):
    """Write an answer and send it off with the Enter key. -> what is said"""
    field = box(tab, key).locator("form.pencil-answer input[type=text]")
    field.fill(text)
    field.press("Enter")
    return box(tab, key).locator(".says").text_content()


def of_chapter(number):
    """The questions of a chapter that take an answer: "06" -> {key: Turn}"""
    return {name.partition(":")[2]: turn for name, turn in all_questions(NOTEBOOKS).items() if name.startswith(f"{number}:")}


def wanted_of(page):
    """What is written into each box of a page, and what may be said to it: (key, text), {sentences}."""
    number = chapter_number(page)
    library = Library(NOTEBOOKS, number)
    for key, turn in of_chapter(number).items():
        yield from chosen(key, turn) if turn.choices else written(key, asked_by(turn, library))


def chosen(key, turn):
    """Nothing, then every word of a choice."""
    yield (key, None), NOTHING
    for word in turn.choices:
        yield (key, curled(word)), RIGHT if word == turn.right else {curled(dict(turn.wrong).get(word, "Not yet."))}


def written(key, exercise):
    """A number's right answer on both tracks, its first mistakes, and nonsense; tests/exercises has every mistake."""
    yield (key, " ".join(map(show, exercise.right.paper))), RIGHT
    yield (key, json.dumps(exercise.right.exact)), RIGHT
    for known in (*exercise.mistakes[:2], *exercise.far[:1]):
        typed = json.dumps(known.numbers.exact)
        yield (key, typed), {curled(mark(exercise, typed).message)}
    yield (key, "banana"), NONSENSE
