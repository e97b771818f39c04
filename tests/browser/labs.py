"""What the tests of the labs share: a bare page with one lab, what stands in it, and what Python says should stand there."""

import re
from contextlib import contextmanager

import numpy as np
from conftest import Book

from pencil.clone import ROOT
from pencil.widgets import AttentionLab, BlockLab, HeadsLab, PatchLab, PoolingLab, PositionLab, RowLab, SamplingLab, SoftmaxLab, Stepper
from pencil.widgets.bundle import MODULES, page_script

STYLES = [*(MODULES / f"{name}.css" for name in ("common", "card", "lab")), ROOT / "book/_static/live.css", ROOT / "book/_static/pencil.css"]
PAGE = """<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A lab</title><style>{style}</style><main><article class="bd-article"><h1>A lab</h1><p>Before the lab.</p>{lab}</article></main>
<script type="application/json" id="pencil-runs">[]</script><script>{script}</script></html>"""

PARTS = """lab => [...lab.querySelectorAll(".pencil-lab-live .pencil-part")].map(part => part.querySelector(".pencil-worked")
  ? [...part.querySelectorAll(".pencil-worked p")].map(line => line.textContent)
  : [...part.querySelectorAll("tbody td:not(.bar)")].map(cell => cell.querySelector("input")?.value ?? cell.textContent))"""


def stepper():
    """A lab of any run: the head of the film review."""
    from pencil.examples import REVIEW_HEAD
    from pencil.reference import classify
    from pencil.trace import Trace

    trace = Trace()
    classify(trace.given("summary", [0.166, 2.751, 0.917, 0.083]), trace.given_each("head", REVIEW_HEAD), trace)
    return Stepper(trace)


LABS = {
    "attention": AttentionLab,
    "row": RowLab,
    "softmax": SoftmaxLab,
    "block": BlockLab,
    "heads": HeadsLab,
    "position": PositionLab,
    "pooling": PoolingLab,
    "patch": PatchLab,
    "sampling": SamplingLab,
    "stepper": stepper,
}


def write_page(folder, lab, theme="light"):  # -> address
    """A page with this lab and nothing else."""
    style = "\n".join(path.read_text(encoding="utf-8") for path in STYLES)
    path = folder / f"{lab.name}.html"
    path.write_text(PAGE.format(theme=theme, style=style, lab=lab._repr_html_(), script=page_script()), encoding="utf-8")
    return path.as_uri()


@contextmanager
def carried(launched, folder, lab, script, **options):
    """A page, from a file, with a lab that fetches its numbers from beside it; where `script` is None they are not there: its box and the tab."""
    for name in ("notebooks", "_static"):
        (folder / name).mkdir()
    if script:
        (folder / "_static" / script).write_text(lab.script(), encoding="utf-8")
    with Book(folder, "http://nowhere.invalid", launched).tab(**options) as (tab, log):
        tab.goto(write_page(folder / "notebooks", lab))
        yield tab.locator(".pencil-lab"), tab
    assert log.wrong == [] or not script


def text(said):
    """Blanks of every kind alike."""
    return re.sub(r"\s+", " ", said).strip()


def shown(box):
    """What stands in each part of a lab, on the page."""
    return [[text(one) for one in part] for part in box.evaluate(PARTS)]


def expected(lab):
    """The same by Python, with the numbers that the lab has."""
    worked = lab.worked
    return [[text(one) for one in _texts(part, worked)] for part in lab.variants[lab.variant].steps[lab.step].parts]


def _texts(part, worked):
    if part.kind == "lines":
        return [line for reference in part.show.split() for line in worked.lines(reference, part.by)]
    return [number.text for number in worked.numbers(part.show)]


def put(lab, name, place, value):
    """The same edit in Python."""
    changed = np.array(lab.givens[name], float)
    changed.flat[place] = value
    lab.givens = lab.givens | {name: changed}


def cell(box, name, place):
    """A given number's cell."""
    return box.locator(f":is(.pencil-cell, .pencil-ink)[data-name='{name}'][data-place='{place}']")
