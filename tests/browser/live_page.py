"""Helpers for the tests of the interactive page: changing and opening numbers, and what Python writes."""

import numpy as np
from conftest import OPEN_LINES, SETTLED

from pencil.paths import ROOT
from pencil.publish import Published
from pencil.trace import Trace
from pencil.worked import Worked

LOOK = "notebooks/06_look_across.html"


def sheets(tab):
    """Every block of worked lines that is bound to a run: what it shows, and its lines."""
    tab.evaluate(SETTLED)
    return tab.evaluate(
        """() => [...document.querySelectorAll("article .pencil-worked[data-show]")].map(sheet =>
        [{...sheet.dataset}, [...sheet.querySelectorAll("p")].map(p => p.textContent)])"""
    )


def replayed(page, name, place, value, run=""):
    """The runs of a chapter with one given changed, by Python: wherever that name was given the same numbers as in this run."""
    published = Published.read((ROOT / page).with_suffix(".ipynb")).content["runs"]
    plain = {run: Trace.load(stored["program"]) for run, stored in published.items()}
    before = plain[run].names[name].exact
    runs = {}
    for other, stored in published.items():
        given = plain[other].names.get(name)
        alike = given is not None and given.op == "given" and np.array_equal(given.exact, before)
        changed = np.array(before)
        changed.flat[place] = value
        runs[other] = (Trace.load(stored["program"], {name: changed}) if alike else plain[other]), stored
    return runs


def written(runs, shown):
    """The lines that Python writes for what a sheet shows."""
    trace, stored = runs[shown.get("run", "")]
    whole = shown.get("whole") != "no"
    worked = Worked(trace, stored["labels"], whole, shown.get("track", "paper"), shown.get("run", ""))
    return [line for reference in shown["show"].split(" ") for line in worked.lines(reference, shown.get("by"))]


def change(tab, name, place, value, run=""):
    """Change a given number as a link does."""
    tab.evaluate("fragment => { location.hash = fragment }", f"#pencil:{run}/{name}:{place}={value}")
    tab.locator(".pencil-changed").wait_for(state="visible")


def open_card(tab, reference, inside=".pencil-worked"):
    tab.evaluate(OPEN_LINES)
    number = tab.locator(f"article {inside} .pencil-number[data-value='{reference}']").first
    number.scroll_into_view_if_needed()
    number.click()
    return tab.locator(".pencil-card")
