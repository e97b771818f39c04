"""Checks of the numbers of an open page: what is written stands, what looks alive opens, and nothing else does."""

import re
from contextlib import contextmanager

from gates import WIDE

# Numbers, and worked lines as a whole; a lab adds its own beside those that stand without script
OF_THE_PAGE = ":is(.pencil-number, .pencil-worked[data-show] p):not(.pencil-worked span, .pencil-lab > :not(.pencil-lab-still) *)"
OPENED = "number => getComputedStyle(number, '::after').content"
AS_WRITTEN = """async numbers => {
  const written = new DOMParser().parseFromString(SOURCE, "text/html")
  return [written, document].map(page => [...page.querySelectorAll(numbers)].map(number => number.textContent))
}""".replace("SOURCE", "await (await fetch(location.href)).text()")


def numbers_stand_without_script(tab, page):
    """What was written into the file is what stands on the live page."""
    plain, live = tab.evaluate(AS_WRITTEN, OF_THE_PAGE)
    assert plain == live and plain and all(text.strip() for text in plain)


def every_bound_numeral_is_a_number_of_the_page(tab, page):
    assert tab.locator("p > span[data-value]:not(.pencil-number)").all_text_contents() == []


@contextmanager
def first_number(tab):
    """The first number of the text that has an exact value; a box that it stands folded in is open meanwhile."""
    number = tab.locator("p > .pencil-number[data-exact]").first
    box = number.locator("xpath=ancestor::details[not(@open)]")
    opened = box.count()
    assert opened < 2
    if opened:
        box.evaluate("box => { box.open = true }")
    number.scroll_into_view_if_needed()
    yield number
    if opened:
        number.locator("xpath=ancestor::details").evaluate("box => { box.open = false }")


def hovering_shows_the_exact_value(tab, page):
    with first_number(tab) as number:
        assert number.evaluate(OPENED) == "none"
        number.hover()
        assert number.get_attribute("data-exact") in number.evaluate(OPENED)
    tab.mouse.move(0, 0)


def tapping_shows_the_exact_value(tab, page):
    """A tap focuses the number, so the value stays until the next tap; the page grows no wider for it."""
    with first_number(tab) as number:
        number.tap()
        assert number.evaluate("number => number.matches(':focus')")
        assert number.get_attribute("data-exact") in number.evaluate(OPENED)
        assert tab.evaluate(WIDE) == []
        number.blur()
        tab.keyboard.press("Escape")


SHARES = "notebooks/10_block.html"  # it has numbers in percent
# Of all numbers of the text, save in links, which lead elsewhere: those that look as if they opened, with what they are called if they do.
# A given number has a frame, any other a line
# All looks are read before the first click, for each click has the page laid out anew; of numbers that say and look the same, one is clicked.
ALIVE = """() => {
  const look = number => {
    const { textDecorationStyle, textDecorationLine, borderTopStyle, cursor } = getComputedStyle(number)
    const dotted = textDecorationStyle === "dotted" && textDecorationLine === "underline"
    return { looks: borderTopStyle === "solid" ? "given" : dotted ? "number" : "", cursor }
  }
  const numbers = [...document.querySelectorAll("article .pencil-number")].filter(number =>
    !number.closest(".pencil-worked, .pencil-picture, .pencil-drawing, .pencil-lab, a")).map(number => [number, look(number)])
  const kinds = new Map(numbers.map(([number, seen]) => [number.outerHTML + JSON.stringify(seen), [number, seen]]))
  return [...kinds.values()].map(([number, { looks, cursor }]) => {
    if (looks || cursor !== "auto" || number.tabIndex >= 0 || number.hasAttribute("tabindex")) number.click()
    const card = document.querySelector(".pencil-card:not([hidden])")
    const { name, given } = card ? { name: card.querySelector(".name").textContent, given: !card.querySelector("label").hidden } : {}
    card?.querySelector("[data-do=close]").click()
    number.blur()
    return { said: number.outerHTML, looks: looks || (number.dataset.track && name && "number") || cursor.replace("auto", ""), name, given }
  })
}"""


def what_looks_alive_opens_and_nothing_else(tab, page):
    """A number of the text on a dotted line, in a frame or with a pointer opens a card; a frame means that it can be typed over."""
    numbers = tab.evaluate(ALIVE)
    assert [one for one in numbers if bool(one["looks"]) != bool(one.get("name"))] == []
    assert [one for one in numbers if one["looks"] == "number" and one["given"]] == []
    tab.evaluate("scrollTo(0, 0)")


SAID = """() => [...document.querySelectorAll("[data-when]")].map(words =>
  [words.dataset.when, ...pencil.binding.at(words).map(({ before }) => before)])"""


def what_is_said_of_the_pencil_numbers_is_so(tab, page):
    """The page reads every claim as the checker does."""
    assert [claim for claim, *before in tab.evaluate(SAID) if not all(written.startswith("true") for written in before)] == []


def a_percent_opens_in_percent(tab, page):
    percents = tab.locator(".pencil-number[data-exact]", has_text="%")
    for text, opened in percents.evaluate_all("numbers => numbers.map(number => [number.textContent, number.dataset.exact])"):
        written, exact = (float(number.rstrip(" %")) for number in (text, opened))
        assert opened.endswith(" %") and abs(written - exact) <= 0.5, text
    assert page != SHARES or percents.count()


def numbers_are_no_stops_of_the_tab_key(tab, page):
    assert tab.locator(".pencil-number[tabindex='0']:not(.pencil-card *)").count() == 0


# Lines in fractions cannot follow, and say so: test_live_claims.
STANDING = """() => { const bound = new Set(pencil.binding.places.flatMap(place => pencil.binding.at(place)).map(({ element }) => element))
  return pencil.binding.find(".pencil-number[data-value]:not(.pencil-worked:not([data-show]) *)")
    .filter(n => !bound.has(n) && !bound.has(n.closest(".pencil-worked")) && pencil.binding.whose(n.dataset.value))
    .map(n => `${n.dataset.value}: ${n.textContent}`) }"""


def all_numbers_of_a_run_follow_save_sizes(tab, page):
    """A number that stands still on a changed page would be a lie; a size is the same for any numbers."""
    for number in tab.evaluate(STANDING):
        assert re.fullmatch(r"[\w.]+: \d+", number), f"{number} does not follow; show it as its run writes it"
