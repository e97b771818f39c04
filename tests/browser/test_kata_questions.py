"""Questions answered by mouse and by keyboard. Every question of every chapter is tested in chapter_checks.py."""

import json

from katas import KATA, LOOK, NOTEBOOKS, answer, box, curled, of_chapter

from pencil.checker.library import Library
from pencil.exercises import mark
from pencil.exercises.questions import asked_by


def test_a_choice_by_mouse(book):
    turn = of_chapter("09")["gap-dots"]
    tab, log = book.visit(KATA)
    form = box(tab, "gap-dots").locator("form")
    for word in turn.choices:
        form.get_by_label(word, exact=True).check()
        form.get_by_role("button", name="Check").click()
        assert form.locator(".says").text_content() == ("Right." if word == turn.right else dict(turn.wrong)[word])
    assert log.wrong == []


def test_right_brings_the_worked_lines_and_a_hint_covers_the_result(book):
    tab, log = book.visit(LOOK)
    turn = box(tab, "score")
    turn.get_by_role("button", name="Hint").click()
    assert turn.locator(".more").text_content() == "Multiply number by number, and add. You need: query and key."
    turn.get_by_role("button", name="Show the line with its blanks").click()
    line = turn.locator(".more .pencil-worked")
    assert line.text_content().replace("\u00a0", " ") == "nolan.query · another.key = 2·1 + 0·0 + 1·1 + 0·0 = …"
    assert not turn.locator("details").evaluate("d => d.open")
    turn.get_by_role("button", name="Open the worked answer").click()
    assert turn.locator("details").evaluate("d => d.open && d.contains(document.activeElement)")
    assert answer(tab, "score", "3") == "Right."
    assert line.text_content().replace("\u00a0", " ").endswith("2·1 + 0·0 + 1·1 + 0·0 = 2 + 1 = 3")
    turn.get_by_role("button", name="Hint", exact=True).click()  # the hints begin anew
    assert turn.locator(".more").text_content() == "Multiply number by number, and add. You need: query and key."
    assert answer(tab, "score", "0,7") == "Not yet."
    assert line.count() == 0
    turn.get_by_role("button", name="Show the line with its blanks").click()  # offered at once where nobody knows what went wrong
    assert line.text_content().endswith("= …") and log.wrong == []


def test_what_cannot_be_read_gets_no_cross(book):
    tab, log = book.visit(LOOK)
    form = box(tab, "score").locator("form")
    for text, verdict in {"2·1 + 1·1": "unread", "three, up": "unread", "5 5": "unread", "2": "wrong", "3": "right"}.items():
        answer(tab, "score", text)
        assert form.get_attribute("data-verdict") == verdict, text
    assert log.wrong == []


def test_the_key_follows_a_changed_number(book):
    tab, log = book.visit(LOOK)
    assert answer(tab, "ended-key", "3 0 2 0") == "Right."
    tab.evaluate("location.hash = '#pencil:/params.key:0=1'")
    tab.locator(".pencil-changed").wait_for(state="visible")
    assert box(tab, "ended-key").locator(".says").text_content() == ""  # what was said holds no longer
    tab.evaluate("location.hash = '#pencil:/embedding:4=2,/params.key:0=1'")
    tab.wait_for_function("pencil.runs.changes.length === 2")  # a number was marked as changed before, so that says nothing
    assert answer(tab, "ended-key", "3 0 2 0") != "Right."
    assert answer(tab, "ended-key", "5 0 2 0") == "Right."
    assert log.wrong == []


def test_with_the_keyboard_alone(book):
    tab, log = book.visit(LOOK)
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
    tab, log = book.visit(LOOK, "narrow")
    assert answer(tab, "mix", "2 2") == "Right."
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, scheme
        assert box(tab, "mix").evaluate("b => b.scrollWidth <= b.clientWidth"), scheme
    assert log.wrong == []


def test_marks_agree_with_python_s_check(book):
    """One exercise by both ways, in the words of each."""
    exercise = asked_by(of_chapter("05")["softmax"], Library(NOTEBOOKS, "05"))
    tab, _ = book.visit("notebooks/05_soft_lookup.html")
    for known in exercise.mistakes:
        typed = json.dumps(known.numbers.exact)
        marked = mark(exercise, typed)
        assert marked.wrong and answer(tab, "softmax", typed) == curled(marked.message)
