"""A card leaves its number and the edited field in sight in whatever page a lab is put, and a press beside it is not lost."""

import pytest
from card_checks import covered
from labs import LABS

HOSTS = {
    "a bare page": "body { }",
    "a body with margins and borders": "body { border: 7px solid; margin: 40px 30px 900px; position: relative }",
    "an inner part that scrolls": "body { margin: 0 } main { height: 100vh; overflow: auto; padding: 60px 0 }",
}
NUMBERS = ".pencil-lab-live .pencil-number[data-value]"
FIELDS = ".pencil-lab-live :is(.pencil-cell, input[type=range])"
# A field whose middle no card and nothing else lies upon
FREE = f"""() => [...document.querySelectorAll("{FIELDS}")].find(field => {{
  const {{ left, top, width, height }} = field.getBoundingClientRect()
  return !field.disabled && document.elementFromPoint(left + width / 2, top + height / 2) === field
}})"""


@pytest.mark.parametrize("way", ["wide", pytest.param("narrow", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LABS)
def test_a_card_of_a_lab_covers_neither_its_number_nor_the_edited_field(bare, name, way):
    with bare(name, way=way) as (_lab, box, tab):
        fields, numbers = box.locator(".pencil-cell, .pencil-ink"), box.locator(NUMBERS)
        for at, which in ((0, numbers.count() - 1), (fields.count() - 1, 0)):  # each on its side of the other
            field = fields.nth(at)
            field.fill(field.input_value())
            number = numbers.nth(which)
            number.dispatch_event("click")
            assert covered(tab, number.element_handle(), field.element_handle()) == []
            tab.keyboard.press("Escape")


@pytest.mark.parametrize("host", HOSTS)
def test_a_press_beside_the_card_closes_it_and_reaches_what_lies_there(bare, host):
    with bare("softmax") as (_lab, box, tab):
        tab.add_style_tag(content=HOSTS[host])
        number = box.locator(NUMBERS).first
        number.click()
        assert covered(tab, number.element_handle()) == []
        field = tab.evaluate_handle(FREE).as_element()
        x, y = tab.evaluate("field => { const at = field.getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2] }", field)
        tab.mouse.click(x, y)
        assert not tab.locator(".pencil-card").is_visible() and tab.evaluate("field => field === document.activeElement", field)
        number.click()  # what lies in a card's old place is free again
        assert tab.locator(".pencil-card").is_visible()


def test_a_card_finds_its_place_when_the_edited_field_has_gone(book):
    """The rows of a sheet are new ones once another is dealt."""
    tab, log = book.visit("notebooks/09_kata.html")
    tab.get_by_role("button", name="Another one").click()
    tab.locator(".pencil-sheet form.pencil-answer input").first.fill("1")
    tab.get_by_role("button", name="Another one").click()
    number = tab.locator("article p > .pencil-number[data-value]").first
    number.click()
    assert covered(tab, number.element_handle()) == [] and log.wrong == []
