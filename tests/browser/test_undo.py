"""What a reader changed is taken back step by step, by a key or in the bar; and the keyboard comes back to where it was."""

import pytest
from conftest import OPEN_LINES
from live_page import LOOK, open_card

CHANGED = "() => pencil.changes.map(({ name, place, value }) => [name, place, value])"
UNDO = "Control+z"


def undone(tab):
    """Take steps back until there is none. -> the changes after each"""
    found = [tab.evaluate(CHANGED)]
    while found[-1]:
        tab.keyboard.press(UNDO)
        found.append(tab.evaluate(CHANGED))
        assert found[-1] != found[-2]
    return found


def test_typing_is_one_step_and_each_press_of_an_arrow_is_one(book):
    tab, log = book.visit(LOOK)
    field = open_card(tab, "params.query[0, 0]").locator("input")
    field.fill("")
    field.press_sequentially("2.5")
    field.press("ArrowUp")
    field.press("ArrowUp")
    assert [row[0][2] for row in undone(tab)[:-1]] == [4.5, 3.5, 2.5]
    assert field.input_value() == "1" and not tab.locator(".pencil-changed").is_visible()
    assert tab.evaluate("document.activeElement.tagName") == "INPUT" and log.wrong == []


def test_a_drag_is_one_step_and_the_bar_takes_it_back(book):
    tab, log = book.visit("book/home.html")
    cell = tab.locator(".pencil-drawing svg .given .pencil-number").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for by in (60, -40):
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + by, y, steps=6)
        tab.mouse.up()
    first, bar = tab.evaluate(CHANGED), tab.locator(".pencil-changed")
    bar.get_by_role("button", name="Undo").click()
    second = tab.evaluate(CHANGED)
    assert len(first) == len(second) == 1 and first[0][:2] == second[0][:2] and second[0][2] - first[0][2] == 3
    bar.get_by_role("button", name="Undo").click()
    assert tab.evaluate(CHANGED) == [] and not bar.is_visible()
    assert tab.evaluate("document.activeElement.className") == "pencil-door" and log.wrong == []


def test_the_pencil_numbers_and_a_link_are_taken_back_too(book):
    tab, log = book.visit(LOOK)
    open_card(tab, "params.query[0, 0]").locator("input").fill("3")
    tab.wait_for_function("location.hash")
    tab.get_by_role("button", name="Back to the pencil numbers").click()
    assert tab.evaluate(CHANGED) == []
    tab.keyboard.press(UNDO)
    assert tab.evaluate(CHANGED) == [["params.query", 0, 3]]
    tab.wait_for_function("location.hash === '#pencil:/params.query:0=3'")
    tab.evaluate("() => { location.hash = '#pencil:/params.key:0=2' }")
    tab.wait_for_function("pencil.changes[0]?.name === 'params.key'")
    tab.keyboard.press(UNDO)
    assert tab.evaluate(CHANGED) == [["params.query", 0, 3]] and log.wrong == []


def test_the_numbers_of_a_lab_are_taken_back_and_an_answer_keeps_its_own_undo(book):
    tab, log = book.visit(LOOK)
    cell = tab.locator(".pencil-lab-live .pencil-cell").first
    stood = cell.input_value()
    cell.fill("7")
    cell.press("Tab")
    tab.locator(".pencil-lab-live .pencil-cell").nth(1).fill("8")
    tab.keyboard.press(UNDO)
    assert tab.locator(".pencil-lab-live .pencil-cell").first.input_value() == "7"
    tab.keyboard.press(UNDO)
    assert tab.locator(".pencil-lab-live .pencil-cell").first.input_value() == stood and tab.evaluate(CHANGED) == []
    open_card(tab, "params.query[0, 0]").locator("input").fill("3")
    tab.keyboard.press("Escape")
    answer = tab.locator("form.pencil-answer input[type=text]").first
    answer.click()
    answer.press_sequentially("12")
    tab.keyboard.press(UNDO)
    assert tab.evaluate(CHANGED) == [["params.query", 0, 3]] and answer.input_value() != "12"
    assert log.wrong == []


STANDS = "() => { const { dataset, role, ariaLabel, textContent } = document.activeElement; return [dataset.value, role, ariaLabel, textContent] }"


def test_a_number_that_can_be_pressed_is_called_by_its_label(book):
    tab, log = book.visit(LOOK)
    card = open_card(tab, "nolan.scores[ended]")
    buttons = card.locator(".pencil-number[role=button]")
    assert buttons.count() > 2
    for button in buttons.all():
        name = button.get_attribute("aria-label")
        assert name.startswith("nolan.") or name.startswith("ended."), name
        assert name.endswith(f", {button.inner_text()}")
    tab.keyboard.press("Escape")
    tab.locator(".pencil-door").focus()
    tab.keyboard.press("Enter")
    _, role, name, text = tab.evaluate(STANDS)
    assert role == "button" and name.endswith(f", {text}") and len(name) > len(text) + 4 and log.wrong == []


@pytest.mark.parametrize("ending", ["Enter", "Escape", "refusal"])
def test_the_keyboard_comes_back_to_the_number_where_it_was(book, ending):
    """To the very number, where a line has its value twice."""
    tab, log = book.visit(LOOK)
    tab.evaluate(OPEN_LINES)
    tab.locator(".pencil-door").focus()
    tab.keyboard.press("Enter")
    twice = """() => { const all = [...document.querySelectorAll("article .pencil-worked .pencil-number.pencil-number")]
      const again = all.find((one, k) => /params|embedding/.test(one.dataset.value) && all.slice(0, k).some(other =>
        other.dataset.value === one.dataset.value && other.closest(".pencil-worked") === one.closest(".pencil-worked")))
      again.tabIndex = -1; again.focus(); return again.dataset.value }"""
    which = "() => [...document.activeElement.closest('.pencil-worked').querySelectorAll('.pencil-number')].indexOf(document.activeElement)"
    value = tab.evaluate(twice)
    place = tab.evaluate(which)
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.tagName") == "INPUT"
    tab.keyboard.type({"Enter": "5", "Escape": "6", "refusal": "banana"}[ending])
    if ending != "Escape":
        tab.keyboard.press("Enter")
    tab.keyboard.press("Escape")
    reference, role, name, text = tab.evaluate(STANDS)
    assert (reference, role) == (value, "button") and tab.evaluate(which) == place
    assert text == {"Enter": "5", "Escape": "6"}.get(ending, text) and name.endswith(f", {text}")
    assert (tab.evaluate(CHANGED) == []) == (ending == "refusal")
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate(STANDS)[1] == "button" and log.wrong == []


def test_back_in_a_card_returns_to_the_number_that_was_followed(book):
    tab, _ = book.visit(LOOK)
    card = open_card(tab, "nolan.scores[ended]")
    followed = card.locator(".pencil-number[role=button]").nth(1)
    value = followed.get_attribute("data-value")
    followed.focus()
    tab.keyboard.press("Enter")
    card.get_by_role("button", name="Back", exact=True).click()
    assert tab.evaluate(STANDS)[0] == value


def test_each_key_that_moves_a_slider_is_one_step(book):
    tab, log = book.visit("notebooks/05_soft_lookup.html")
    slider = tab.locator(".pencil-lab-live input[type=range]").first
    slider.scroll_into_view_if_needed()
    slider.focus()
    stood = [slider.input_value()]
    for key in ("Home", "PageUp", "End", "PageDown"):
        tab.keyboard.press(key)
        stood.append(slider.input_value())
    assert len({*stood}) == len(stood)
    for before in reversed(stood[:-1]):
        tab.keyboard.press(UNDO)
        assert slider.input_value() == before
    assert log.wrong == []
