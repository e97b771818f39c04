"""Worked lines in number formats are Python's, before and after a change; cards show a number in each format."""

import re

import numpy as np
import pytest
from live_page import LOOK, change, open_card, replayed, sheets, written
from playwright.sync_api import expect

from pencil.paths import ROOT
from pencil.publish import Published
from pencil.rounding import show
from pencil.trace import Trace

LOOKUP = "notebooks/05_soft_lookup.html"
FEWER = "notebooks/20_fewer_bits.html"
SWITCH = "article .pencil-track-switch select"


def turn(tab, track):
    tab.locator(SWITCH).select_option(track)


def hold(tab, runs, track):  # -> how many sheets are written otherwise than on paper
    differ = 0
    for shown, lines in sheets(tab):
        here = written(runs, shown | ({} if "track" in shown or not track else {"track": track}))
        assert [line.replace("\xa0", " ") for line in lines] == [line.replace("\xa0", " ") for line in here], shown
        differ += here != written(runs, shown)
    return differ


@pytest.mark.parametrize("track", ["bf16", pytest.param("int4", marks=pytest.mark.slow)])
def test_the_sheets_in_a_format_as_python_writes_them(book, track):
    tab, log = book.visit(LOOK)
    turn(tab, track)
    assert hold(tab, replayed(LOOK, "embedding", 0, 2.0), track) > 5
    said = tab.locator(".pencil-track-said")
    first = Trace.load(Published.read((ROOT / LOOK).with_suffix(".ipynb")).content["runs"][""]["program"]).in_format(track).first_change()
    assert f"in {track} {show(first.here)}." in said.inner_text()
    change(tab, "embedding", 0, 1.7)
    runs = replayed(LOOK, "embedding", 0, 1.7)
    assert hold(tab, runs, track) > 5
    turn(tab, "")
    assert hold(tab, runs, "") == 0 and said.inner_text() == ""
    assert log.wrong == []


LINES = "() => [...document.querySelectorAll('article .pencil-worked:not(.pencil-lab *)')].map(lines => lines.textContent)"


@pytest.mark.parametrize("page", [LOOKUP, LOOK])
def test_the_message_counts_the_lines_that_follow(book, page):
    """Blocks in exact digits and in fractions stay, and so do prose and pictures."""
    tab, log = book.visit(page)
    before, follow = tab.evaluate(LINES), sum("track" not in shown for shown, _ in sheets(tab))
    turn(tab, "int4")
    said, after = tab.locator(".pencil-track-said").inner_text(), tab.evaluate(LINES)
    assert re.match(rf"In {follow} of {len(before)} groups of lines .* the rest stays as it is\.", said)
    assert 0 < sum(a != b for a, b in zip(before, after, strict=True)) <= follow <= len(before)
    assert page == LOOK or follow < len(before)
    assert log.wrong == []


def test_the_menu_has_its_help_beside_it(book):
    tab, log = book.visit(LOOK)
    tab.get_by_role("link", name="? Ways to write numbers").click()
    tab.wait_for_url("**/book/costs.html#are-three-places-enough")
    assert tab.locator("#are-three-places-enough h2").is_visible() and log.wrong == []


def test_a_card_opens_its_formats_and_its_bill(book):
    tab, log = book.visit(LOOK)
    card = open_card(tab, "nolan.weights[ended]")
    card.locator("summary").click()
    trace = Trace.load(Published.read((ROOT / LOOK).with_suffix(".ipynb")).content["runs"][""]["program"])
    expect(card.locator("tr")).to_have_count(7)
    rows = dict(card.locator("table").evaluate("table => Array.from(table.rows, (row) => Array.from(row.cells, (cell) => cell.innerText))"))
    assert set(rows) == {"fp16", "bf16", "fp8_e4m3", "fp8_e5m2", "int8", "int4", "nf4"}  # behind e^4 there is no fraction
    assert rows["bf16"] == f"{trace.in_format('bf16')['weights'][0, 1]:.3f}"
    bill = trace.bill("weights")
    assert f"{bill.divisions} divisions; {bill.reads} numbers read, {bill.writes} written." in card.locator(".bill").inner_text()
    assert log.wrong == []


def test_a_card_opens_a_fraction_which_follows_a_changed_number(book):
    tab, log = book.visit(LOOKUP)
    program = Published.read((ROOT / LOOKUP).with_suffix(".ipynb")).content["runs"][""]["program"]
    card = open_card(tab, "asked.scores[northeast]")
    card.locator("summary").click()
    fraction = card.locator("tr", has_text="fraction").locator("td")
    assert fraction.inner_text() == str(Trace.load(program).fractions()["scores"][0, 2]) == "1"
    change(tab, "query", 0, 0.35)
    open_card(tab, "asked.scores[northeast]")
    assert str(Trace.load(program, {"query": [[0.35, 0]]}).fractions()["scores"][0, 2]) == "7/20"
    expect(fraction).to_have_text("7/20")
    assert log.wrong == []


def test_a_number_of_the_prose_that_is_bound_to_a_format_follows(book):
    tab, log = book.visit(LOOKUP)
    row = tab.locator('article .pencil-number[data-value="plain.weights"][data-track="int4"]')
    assert row.inner_text().replace("\N{NO-BREAK SPACE}", " ") == "[0.000, 1.000]"
    change(tab, "scores", 0, 3.5, run="plain")
    program = Published.read((ROOT / LOOKUP).with_suffix(".ipynb")).content["runs"]["plain"]["program"]
    here = Trace.load(program, {"scores": [3.5, 4]}).in_format("int4")["weights"]
    expect(row).to_have_text("[" + ", ".join(show(x) for x in here) + "]")
    assert log.wrong == []


def test_what_a_format_divides_by_zero_is_said_in_words(book):
    tab, log = book.visit(FEWER)
    row = tab.locator('article .pencil-number[data-value="pair.logits"][data-track="int4"]')
    change(tab, "x", 1, 20, run="pair")
    program = Published.read((ROOT / FEWER).with_suffix(".ipynb")).content["runs"]["pair"]["program"]
    reading = Trace.load(program, {"x": [[2, 20, 1, 0], [0, 1, 2, 1]]}).in_format("int4")
    assert reading["norm1.std"][1] == 0 and np.isnan(reading["logits"]).all()
    expect(row).to_have_text("[no number, no number, no number]")
    assert log.wrong == []
