"""The live page: numbers opened down to the given ones, given numbers changed, and everything held against NumPy."""

import re

import numpy as np
import pytest
from conftest import ADDRESS

from pencil.clone import ROOT
from pencil.prose import Published
from pencil.trace import Trace
from pencil.worked import Worked

LOOK = "notebooks/06_look_across.html"
EDITS = {"notebooks/06_look_across.html": ("grid.query", 0, 0.5), "notebooks/10_block.html": ("grid.attention.head1.query", 2, -0.5)}

STILL = """() => { const bound = new Set(pencil.bound.map(({ element }) => element))
  return pencil.binding.find(".pencil-number[data-value]")
    .filter(n => !bound.has(n) && !bound.has(n.closest(".pencil-worked")) && pencil.binding.whose(n.dataset.value))
    .map(n => `${n.dataset.value}: ${n.textContent}`) }"""


def text(html_text):
    return re.sub(r"\s+", " ", html_text).strip()


def sheets(tab):
    """Every block of worked lines that is bound to a run: what it shows, and its lines."""
    return tab.evaluate(
        """() => [...document.querySelectorAll("article .pencil-worked[data-show]")].map(sheet =>
        [{...sheet.dataset}, [...sheet.querySelectorAll("p")].map(p => p.textContent)])"""
    )


def replayed(page, name, place, value):
    """The runs of a chapter with one given changed, by Python: wherever that name was given the same numbers."""
    published = Published.read((ROOT / page).with_suffix(".ipynb")).content["runs"]
    plain = {run: Trace.load(stored["program"]) for run, stored in published.items()}
    before = plain[""].names[name].exact
    runs = {}
    for run, stored in published.items():
        given = plain[run].names.get(name)
        alike = given is not None and given.op == "given" and np.array_equal(given.exact, before)
        changed = np.array(before)
        changed.flat[place] = value
        runs[run] = (Trace.load(stored["program"], {name: changed}) if alike else plain[run]), stored
    return runs


def written(runs, shown):
    """The lines that Python writes for what a sheet shows."""
    trace, stored = runs[shown.get("run", "")]
    whole = shown.get("whole") != "no"
    worked = Worked(trace, stored["labels"], whole, shown.get("track", "paper"), shown.get("run", ""))
    return [line for reference in shown["show"].split(" ") for line in worked.lines(reference, shown.get("by"))]


def change(tab, name, place, value):
    """Change a given number as a link does."""
    tab.evaluate("fragment => { location.hash = fragment }", f"#pencil:/{name}:{place}={value}")
    tab.locator(".pencil-changed").wait_for(state="visible")


def open_card(tab, reference, inside=".pencil-worked"):
    number = tab.locator(f"article {inside} .pencil-number[data-value='{reference}']").first
    number.scroll_into_view_if_needed()
    number.click()
    return tab.locator(".pencil-card")


@pytest.mark.parametrize("scheme", ["file", "http"])
@pytest.mark.parametrize("page", EDITS)
def test_after_a_change_every_line_of_the_page_is_the_one_that_python_writes(book, page, scheme):
    name, place, value = EDITS[page]
    with book.tab() as (tab, log):
        tab.goto(book.url(page, scheme))
        before = sheets(tab)
        change(tab, name, place, value)
        after, runs = sheets(tab), replayed(page, name, place, value)
        assert [[text(line) for line in lines] for _, lines in after] == [[text(line) for line in written(runs, shown)] for shown, _ in after]
        assert sum(a != b for a, b in zip(before, after, strict=True)) > 5
        assert log.wrong == []


def test_all_numbers_of_a_run_follow_save_sizes(book):
    """A number that stands still on a changed page would be a lie; a size is the same for any numbers."""
    for page in book.chapters:
        with book.tab() as (tab, log):
            tab.goto(book.url(page))
            for number in tab.evaluate(STILL):
                assert re.fullmatch(r"[\w.]+: \d+", number), f"{page}: {number} does not follow; show it as its run writes it"
            assert log.wrong == []


@pytest.mark.parametrize("page", EDITS)
def test_the_page_goes_back_to_the_letter(book, page):
    name, place, value = EDITS[page]
    article = "document.querySelector('article').innerHTML"
    with book.tab() as (tab, _):
        tab.goto(book.url(page))
        before = tab.evaluate(article)
        change(tab, name, place, value)
        assert tab.evaluate(article) != before
        tab.get_by_role("button", name="Back to the pencil numbers").click()
        assert tab.evaluate(article) == before
        assert "#" not in tab.evaluate(ADDRESS)
        assert not tab.locator(".pencil-changed").is_visible()
        assert tab.locator(".pencil-said").inner_text() == "The pencil numbers are back."
        assert tab.evaluate("document.activeElement.className") == "pencil-door"


def test_the_tab_key_goes_round_in_the_card(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        card = open_card(tab, "nolan.scores[ended]")
        card.evaluate("card => card.focus()")
        here = "(at => [at.closest('.pencil-card') !== null, at.dataset.value || at.textContent])(document.activeElement)"
        seen = []
        for _ in range(12):
            tab.keyboard.press("Tab")
            seen.append(tab.evaluate(here))
        assert all(inside for inside, _ in seen)
        assert "Close" in [text for _, text in seen] and seen[0] in seen[1:]
        assert "nolan.scores[ended]" not in [text for _, text in seen]  # the number itself leads nowhere
        tab.keyboard.press("Escape")
        assert not card.is_visible()
        assert log.wrong == []


def test_a_link_that_breaks_a_sum_leaves_the_reader_s_numbers_and_says_so(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        change(tab, "grid.query", 0, 0.5)
        mine = sheets(tab)
        tab.evaluate("location.hash = '#pencil:/grid.query:0=99999'")
        tab.wait_for_function("document.querySelector('.pencil-said').textContent.includes('break a sum')")
        assert sheets(tab) == mine and tab.evaluate(ADDRESS).endswith("#pencil:/grid.query:0=0.5")
        assert log.wrong == []


def test_a_number_opens_down_to_a_given_one_and_that_one_changes(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        card = open_card(tab, "nolan.scores[ended]")
        assert "nolan.match[ended]" in card.inner_text() and "2·3 + 0·0 + 1·2 + 0·0 = 6 + 2 = 8" in text(card.inner_text())
        card.locator(".pencil-number[data-value='nolan.query[0]']").click()
        card.locator(".pencil-number[data-value='nolan.stick[0]']").click()
        assert "given number" in card.inner_text()
        card.locator("input").fill("3")
        (trace, stored), shown = replayed(LOOK, "stick", 0, 3)[""], tab.locator("article p > .pencil-number[data-value='nolan.scores']").first
        assert text(shown.inner_text()) == Worked(trace, stored["labels"]).row("nolan.scores") == "[3, 11]"
        card.get_by_role("button", name="Back", exact=True).click()
        assert "1·3 + 0·1 + 0·1 + 0·0 = 3" in text(card.inner_text())
        assert log.wrong == []


def test_the_keyboard_alone_opens_changes_and_leaves(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        tab.locator("article h1").evaluate("title => { title.tabIndex = -1; title.focus() }")
        tab.keyboard.press("Tab")
        tab.keyboard.press("Tab")
        if "Open the numbers" not in tab.evaluate("document.activeElement.textContent"):
            tab.locator(".pencil-door").focus()
        tab.keyboard.press("Enter")
        first = tab.evaluate("document.activeElement.dataset.value")
        tab.keyboard.press("ArrowRight")
        assert tab.evaluate("document.activeElement.dataset.value") != first or tab.evaluate("document.activeElement.className") == "pencil-number"
        tab.evaluate("""document.querySelector("article .pencil-worked .pencil-number[data-value='grid.query[0, 0]']").focus()""")
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.tagName") == "INPUT"
        tab.keyboard.press("ArrowUp")
        assert tab.locator(".pencil-card input").input_value() == "2"
        assert tab.locator(".pencil-changed").is_visible()
        tab.keyboard.press("Escape")
        assert not tab.locator(".pencil-card").is_visible()
        tab.keyboard.press("Escape")
        assert tab.evaluate("document.activeElement.className") == "pencil-door"
        assert log.wrong == []


def test_arrows_keep_the_digits_that_a_number_has(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        field = open_card(tab, "grid.query[0, 0]").locator("input")
        for typed, key, shown in (
            ("0.25", "ArrowUp", "1.25"),
            ("0.25", "Shift+ArrowDown", "0.15"),
            ("0.2", "Shift+ArrowUp", "0.3"),
            ("0.5", "ArrowDown", "−0.5"),
        ):
            field.fill(typed)
            field.press(key)
            assert field.input_value() == shown


def test_the_button_back_leaves_the_focus_in_the_card(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        card = open_card(tab, "nolan.scores[ended]")
        card.locator(".pencil-number").first.click()
        card.get_by_role("button", name="Back").click()
        assert tab.evaluate("document.activeElement.className") == "pencil-card"


@pytest.mark.parametrize("typed", ["1/70", "1/700000", "1/70000000", "−1/3"])
def test_a_link_carries_whatever_can_be_typed(book, typed):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        open_card(tab, "grid.query[0, 0]").locator("input").fill(typed)
        link, after = tab.evaluate(ADDRESS), sheets(tab)
    with book.tab() as (tab, log):
        tab.goto(link)
        tab.locator(".pencil-changed").wait_for(state="visible")
        assert sheets(tab) == after
        assert log.wrong == []


def test_outside_the_door_numbers_are_no_tab_stops(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        assert tab.locator("article .pencil-number[tabindex='0']").count() == 0
        change(tab, "grid.query", 0, 0.5)
        assert tab.locator("article .pencil-number[tabindex='0']").count() == 0


@pytest.mark.parametrize(
    "typed, answer",
    [
        ("", "Type a number"),
        ("abc", "is no number"),
        ("NaN", "is no number"),
        ("2,8", "2.8"),
        ("1 2 3", "a list of 3"),
        ("[1, 2]", "a list of 2"),
        ("1/0", "divided by 0"),
        ("1e308", "below a billion"),
        ("99999", "grew beyond all numbers"),
        ("<b>1</b>", "no number"),
    ],
)
def test_what_cannot_be_read_says_why_and_the_last_good_numbers_stay(book, typed, answer):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        card = open_card(tab, "grid.query[0, 0]")
        card.locator("input").fill("0.5")
        good = sheets(tab)
        card.locator("input").fill(typed)
        assert answer in card.locator(".wrong").inner_text()
        assert card.locator("input").get_attribute("aria-invalid") == "true"
        assert sheets(tab) == good
        card.locator("input").fill("−0")
        assert card.locator(".wrong").inner_text() == ""
        assert log.wrong == []


HOSTILE = [
    "#pencil:",
    "#pencil:/grid.query:0=1e999",
    "#pencil:/grid.query:0=NaN",
    "#pencil:/grid.query:99=1",
    "#pencil:/nothing:0=1",
    "#pencil:__proto__/constructor:0=1",
    "#pencil:/__proto__:0=1",
    "#pencil:/toString:0=1",
    "#pencil:/grid.query:0=<script>alert(1)</script>",
    "#pencil:/grid.query:0=1,",
    "#pencil:%",
    "#pencil:/grid.query:0=999999",
    "#pencil:" + "/grid.query:0=1," * 600 + "/grid.query:0=1",
    "#no-such-place",
]


@pytest.mark.parametrize("fragment", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_link_changes_nothing(book, fragment):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        before = sheets(tab)
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK) + fragment)
        assert sheets(tab) == before
        assert not tab.locator(".pencil-changed").is_visible()
        assert log.wrong == []


def test_a_link_carries_the_change(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        open_card(tab, "grid.query[0, 0]").locator("input").fill("−1.5")
        changed, link = sheets(tab), tab.evaluate(ADDRESS)
    with book.tab() as (tab, _):
        tab.goto(link)
        assert link.endswith("#pencil:/grid.query:0=-1.5")
        assert sheets(tab) == changed


def test_in_print_the_pencil_numbers_stand(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        before = sheets(tab)
        change(tab, "grid.query", 0, 0.5)
        changed = sheets(tab)
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert sheets(tab) == before
        tab.evaluate("dispatchEvent(new Event('afterprint'))")
        assert sheets(tab) == changed


def test_on_a_phone_the_card_is_at_the_foot_and_the_page_no_wider(book):
    with book.phone() as (tab, _):
        tab.goto(book.url(LOOK))
        number = tab.locator("article .pencil-worked .pencil-number[data-value='nolan.weights[ended]']").first
        number.scroll_into_view_if_needed()
        number.tap()
        box = tab.locator(".pencil-card").bounding_box()
        assert box["x"] >= 0 and box["width"] <= 390 and box["y"] + box["height"] <= 845
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_shades_and_bars_follow(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        levels = "() => [...document.querySelectorAll(\"article .pencil-picture [style*='--v']\")].map(cell => cell.getAttribute('style'))"
        before = tab.evaluate(levels)
        change(tab, "grid.query", 0, 0.5)
        after = tab.evaluate(levels)
        assert len(before) == len(after) > 4 and before != after
        bars = tab.locator(".pencil-bars").first
        shares = [float(v) for v in bars.locator("td:not(.bar)").all_inner_texts()]
        assert [f"--v:{share:.3f}" for share in shares] == [bar.get_attribute("style") for bar in bars.locator(".bar span").all()]
