"""The switch between the chapter's and the field's terms: numbers stay, and follow a change as before."""

from conftest import SETTLED

CHAPTER = "notebooks/06_look_across.html"
SAID = """[...document.querySelectorAll("article :is(.pencil-worked, .pencil-drawing, .pencil-lab)")]
  .map(part => part.textContent.replaceAll("\\u00a0", " "))"""
CHANGE = 'location.hash = "#pencil:/params.key:0=1"'


def test_the_words_of_the_field_and_back(book):
    tab, log = book.visit(CHAPTER, "wide", "http")
    before = tab.evaluate(SAID)
    assert any("nolan.WANT = [2, 0, 1, 0]" in part for part in before)
    switch = tab.get_by_role("button", name="Show the field’s words")
    switch.click()
    said = tab.evaluate(SAID)
    assert any("nolan.query = [2, 0, 1, 0]" in part for part in said) and not any("WANT" in part or "share" in part for part in said)
    tab.goto(book.url(CHAPTER, "http"))
    assert tab.evaluate(SAID)[0] == said[0], "the browser remembers it"
    tab.get_by_role("button", name="Show the chapter’s words").click()
    assert tab.evaluate(SAID) == before and log.wrong == []


def test_what_follows_a_change_says_them_too(book):
    tab, log = book.visit(CHAPTER, "wide", "file")
    tab.get_by_role("button", name="Show the field’s words").click()
    field = tab.evaluate(SAID)
    tab.evaluate(CHANGE)
    tab.locator(".pencil-changed").wait_for(state="visible")
    tab.evaluate(SETTLED)
    changed = tab.evaluate(SAID)
    assert changed != field and not any("HAVE" in part for part in changed)
    tab.get_by_role("button", name="Show the chapter’s words").click()
    own = tab.evaluate(SAID)
    assert "nolan.HAVE = [3, 0, 0, 0]" in "".join(own) and log.wrong == []
