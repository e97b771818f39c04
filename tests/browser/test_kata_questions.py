"""The YOUR TURNs of the built pages, driven as a reader does: right answers, known mistakes, nonsense; by mouse and by keyboard alone."""

import json

from katas import ANSWER_ALL, KATA, LOOK, NONSENSE, NOTEBOOKS, NOTHING, RIGHT, answer, box, of_chapter, wanted_of

from pencil.kata import exercise_of
from pencil.kata.exercises import turns
from pencil.prose.library import Library


def test_every_question_takes_the_right_answer_its_mistakes_and_nonsense(book):
    asked, mistakes = 0, 0
    with book.tab() as (tab, log):
        for page in book.chapters:
            tab.goto(book.url(page))
            wanted = list(wanted_of(page))
            told = tab.evaluate(ANSWER_ALL, [pair for pair, _ in wanted])
            wrong = [(page, pair, says, right) for (pair, right), says in zip(wanted, told, strict=True) if says not in right]
            assert not wrong and log.wrong == []
            asked += sum(right in (NONSENSE, NOTHING) for _, right in wanted)
            mistakes += sum(right not in (RIGHT, NONSENSE, NOTHING) for _, right in wanted)
    assert asked == len(turns(NOTEBOOKS)) and mistakes >= asked


HINTS = """() => [...document.querySelectorAll("[data-turn] form.pencil-answer")].map(form => {
  const button = form.querySelector(".hint"), more = form.querySelector(".more"), steps = []
  while (button.textContent !== "Open the worked answer" && steps.length < 9) {
    button.click()
    steps.push(more.textContent.slice(steps.join("").length))
  }
  const fold = form.closest("[data-turn]").querySelector("details.worked-answer"), covered = !fold.open
  button.click()
  return [form.closest("[data-turn]").dataset.turn, steps, covered && fold.open]
})"""


def test_every_question_gives_hints_in_steps_and_then_its_answer(book):
    asked = 0
    for page in book.chapters:
        with book.tab() as (tab, log):
            tab.goto(book.url(page))
            for key, steps, opened in tab.evaluate(HINTS):
                assert len(steps) >= 2 and len(set(steps)) == len(steps) and all(steps) and opened, (page, key, steps)
                asked += 1
            assert log.wrong == []
    assert asked == len(turns(NOTEBOOKS))


def test_a_choice_by_mouse(book):
    turn = of_chapter("09")["gap-dots"]
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        form = box(tab, "gap-dots").locator("form")
        for word in turn.choices:
            form.get_by_label(word, exact=True).check()
            form.get_by_role("button", name="Check").click()
            assert form.locator(".says").text_content() == ("Right." if word == turn.right else dict(turn.wrong)[word])
        assert log.wrong == []


def test_right_brings_the_worked_lines_and_a_hint_covers_the_result(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        turn = box(tab, "match")
        turn.get_by_role("button", name="Hint").click()
        assert turn.locator(".more").text_content() == "Multiply number by number, and add. You need: query and key."
        turn.get_by_role("button", name="Another hint").click()
        line = turn.locator(".more .pencil-worked")
        assert line.text_content().replace("\u00a0", " ") == "nolan.query · another.key = 2·1 + 0·0 + 1·1 + 0·0 = …"
        assert not turn.locator("details").evaluate("d => d.open")
        turn.get_by_role("button", name="Open the worked answer").click()
        assert turn.locator("details").evaluate("d => d.open && d.contains(document.activeElement)")
        assert answer(tab, "match", "3") == "Right."
        assert line.text_content().replace("\u00a0", " ").endswith("2·1 + 0·0 + 1·1 + 0·0 = 2 + 1 = 3")
        turn.get_by_role("button", name="Hint", exact=True).click()  # the hints begin anew
        assert turn.locator(".more").text_content() == "Multiply number by number, and add. You need: query and key."
        assert answer(tab, "match", "0,5") == "A comma separates two numbers; the decimal mark is a point: 0.5."
        assert line.count() == 0 and turn.get_by_role("button", name="Hint", exact=True).is_visible() and log.wrong == []


def test_the_key_follows_a_changed_number(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        assert answer(tab, "ended-tags", "3 0 2 0") == "Right."
        tab.evaluate("location.hash = '#pencil:/grid.key:0=1'")
        tab.locator(".pencil-changed").wait_for(state="visible")
        assert box(tab, "ended-tags").locator(".says").text_content() == ""  # what was said holds no longer
        tab.evaluate("location.hash = '#pencil:/stick:4=2,/grid.key:0=1'")
        tab.locator(".pencil-number.changed").first.wait_for()
        assert answer(tab, "ended-tags", "3 0 2 0") != "Right."
        assert answer(tab, "ended-tags", "5 0 2 0") == "Right."
        assert log.wrong == []


def test_with_the_keyboard_alone(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        box(tab, "scale").locator("xpath=preceding::a[1]").focus()
        for _ in range(40):
            tab.keyboard.press("Tab")
            if tab.evaluate("document.activeElement.matches('.pencil-answer input')"):
                break
        key = tab.evaluate("document.activeElement.closest('[data-turn]').dataset.turn")
        tab.keyboard.type("12")
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
        for name in ("Check", "Hint"):
            tab.keyboard.press("Tab")
            assert tab.evaluate("document.activeElement.textContent") == name
        tab.keyboard.press("Space")
        assert "You need" in box(tab, key).locator(".more").text_content()
        assert log.wrong == []


def test_no_box_is_wider_than_a_phone(book):
    with book.phone() as (tab, log):
        tab.goto(book.url(LOOK))
        assert answer(tab, "mix", "2 2") == "Right."
        for scheme in ("light", "dark"):
            tab.emulate_media(color_scheme=scheme)
            assert tab.evaluate("document.documentElement.scrollWidth") <= 390
            assert box(tab, "mix").evaluate("b => b.scrollWidth <= b.clientWidth")
        assert log.wrong == []


def test_marks_agree_with_python_s_check(book):
    """One exercise by both ways, in the words of each."""
    exercise = exercise_of(Library(NOTEBOOKS, "05").find("even.weights"))
    with book.tab() as (tab, _):
        tab.goto(book.url("notebooks/05_soft_lookup.html"))
        for numbers, says in exercise.wrong.values():
            assert answer(tab, "softmax", json.dumps(numbers.exact)) == says
