"""The switch between the field's words and those of the chapter's source: numbers stay, and follow a change as before."""

import pytest
from conftest import OPEN_LINES, SETTLED

CHAPTER = "notebooks/06_look_across.html"
SAID = """[...document.querySelectorAll("article :is(.pencil-worked, .pencil-drawing, .pencil-lab)")]
  .map(part => part.textContent.replaceAll("\\u00a0", " "))"""
PROSE = '[...document.querySelectorAll("article .pencil-w")].map(word => word.textContent)'
CHANGE = 'location.hash = "#pencil:/params.key:0=1"'
TO_SOURCE, TO_FIELD = "Show the source’s words", "Show the field’s words"


def test_the_words_of_the_source_and_back(book):
    tab, log = book.visit(CHAPTER, "wide", "http")
    before, prose = tab.evaluate(SAID), tab.evaluate(PROSE)
    assert any("nolan.query = [2, 0, 1, 0]" in part for part in before) and {"query", "keys", "a share"} <= {*prose}
    tab.get_by_role("button", name=TO_SOURCE).click()
    said, marked = tab.evaluate(SAID), tab.evaluate(PROSE)
    assert any("nolan.WANT = [2, 0, 1, 0]" in part for part in said) and not any("query" in part or "share" in part for part in said)
    assert {"WANT", "HAVEs", "a portion"} <= {*marked} and not {"query", "keys", "a share"} & {*marked}
    tab.goto(book.url(CHAPTER, "http"))
    assert tab.evaluate(SAID)[0] == said[0], "the browser remembers it"
    tab.get_by_role("button", name=TO_FIELD).click()
    assert tab.evaluate(SAID) == before and tab.evaluate(PROSE) == prose and log.wrong == []


def test_a_question_says_them_too(book):
    tab, log = book.visit(CHAPTER, "wide", "file")
    tab.get_by_role("button", name=TO_SOURCE).click()
    turn = tab.locator("#your-turn-score")
    assert "WANT is" in turn.text_content()
    turn.locator("input").fill("2")
    turn.get_by_role("button", name="Check").click()
    assert "You dotted a HAVE with a HAVE." in turn.locator(".says").text_content().replace("you dotted", "You dotted")
    tab.get_by_role("button", name=TO_FIELD).click()
    assert "a key with a key." in turn.locator(".says").text_content() and log.wrong == []


@pytest.mark.slow
def test_on_paper_they_are_beside_the_first_mention(book):
    tab, log = book.visit(CHAPTER, "wide", "file")
    beside = tab.locator(".pencil-source", has_text="WANT").first
    assert beside.is_hidden()
    tab.emulate_media(media="print")
    assert beside.is_visible() and beside.text_content() == " (the source: WANT)"
    assert beside.evaluate("one => getComputedStyle(one).display") == "inline", "in its sentence"
    tab.get_by_role("button", name=TO_SOURCE, include_hidden=True).dispatch_event("click")
    assert beside.is_hidden(), "where the text has the source's words, once is enough"
    tab.get_by_role("button", name=TO_FIELD, include_hidden=True).dispatch_event("click")
    assert beside.is_visible() and log.wrong == []


LABELS = """() => [...document.querySelectorAll("article :is([data-label], [aria-label])")].filter(one => !one.closest("button, summary"))
  .map(one => `${one.dataset.label} ${one.ariaLabel}`).filter(label => /nolan|ended/.test(label))"""


@pytest.mark.slow
def test_tooltips_and_labels_say_them_whenever_they_are_made(book):
    tab, log = book.visit(CHAPTER, "wide", "file")
    tab.get_by_role("button", name=TO_SOURCE).click()
    tab.evaluate(OPEN_LINES)
    number = tab.locator(".pencil-worked .pencil-number[data-value^='nolan.scores']").first
    number.hover()
    tab.locator(".pencil-door").focus()
    tab.keyboard.press("Enter")
    number.focus()
    number.press("Enter")
    tab.evaluate(CHANGE)
    tab.locator(".pencil-changed").wait_for(state="visible")
    number.hover()
    assert any("nolan.match" in label for label in tab.evaluate(LABELS))
    assert not any(word in label for label in tab.evaluate(LABELS) for word in ("score", "query", "key"))
    tab.get_by_role("button", name=TO_FIELD).click()
    assert any("nolan.score" in label for label in tab.evaluate(LABELS)) and not any("match" in label for label in tab.evaluate(LABELS))
    assert log.wrong == []


def test_what_follows_a_change_says_them_too(book):
    tab, log = book.visit(CHAPTER, "wide", "file")
    tab.get_by_role("button", name=TO_SOURCE).click()
    source = tab.evaluate(SAID)
    tab.evaluate(CHANGE)
    tab.locator(".pencil-changed").wait_for(state="visible")
    tab.evaluate(SETTLED)
    changed = tab.evaluate(SAID)
    assert changed != source and not any("key" in part for part in changed)
    tab.get_by_role("button", name=TO_FIELD).click()
    own = tab.evaluate(SAID)
    assert "nolan.key = [3, 0, 0, 0]" in "".join(own) and log.wrong == []
