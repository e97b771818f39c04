"""Other numbers, drawn anew at each commit: what a page claims of them holds, or is crossed out.

`PENCIL_SEED=7` before the tests draws others; a failure names its seed.
"""

import os
import re
import subprocess

import numpy as np
import pytest
from conftest import CHAPTERS, SETTLED
from live_page import replayed

from pencil.checker import claims
from pencil.paths import ROOT
from pencil.publish import Published
from pencil.trace import Trace

DRAWS = 2  # numbers that a page takes, one after the other
TRIES = 8  # for each of them: a page refuses some
CHANGE = """async ([run, reference, value]) => {
  const problem = pencil.runs.get(run) ? pencil.change(run, reference, value) : "no run of the page"
  await pencil.binding.settled()
  return problem }"""
CLAIMS = (
    "() => [...document.querySelectorAll('article [data-when]:not(.pencil-lab *)')].map(one => [one.dataset.when, one.hasAttribute('data-untrue')])"
)
PROSE = "article .pencil-number[data-value]:not(.pencil-worked *, .pencil-picture *, .pencil-drawing *, .pencil-lab *, .pencil-given *)"
NUMBERS = f"() => [...document.querySelectorAll('{PROSE}')].map(number => number.textContent)"
UNMARKED = """before => {  // sentences with another number than before, and no line beside them
  const dashed = block => [getComputedStyle(block, "::before"), getComputedStyle(block)].some(style => style.borderLeftStyle === "dashed")
  const isBeside = element => element && element.tagName !== "ARTICLE" && (dashed(element) || isBeside(element.parentElement))
  return [...document.querySelectorAll("PROSE")].filter((number, k) => number.textContent !== before[k] && !isBeside(number))
    .map(number => number.closest("p, li, td, dt, dd").textContent) }""".replace("PROSE", PROSE)
WORDS = """() => [...document.querySelectorAll('article :is(p, li, dd):not(.pencil-worked *, .pencil-lab *)')].map(block => {
  const copy = block.cloneNode(true)
  copy.querySelectorAll('[data-untrue]').forEach(words => words.replaceWith('…'))
  return copy.textContent.replace(/\\s+/g, ' ') })"""
NUMBER = r"(−?\d[\d,]*(?:\.\d+)?)(?: ?%)?"
SAYS = {  # how a sentence outside claims compares two numbers, and what is so then
    rf"\b(?:rises?|grows?|climbs?) from {NUMBER} to {NUMBER}": lambda a, b: a < b,
    rf"\b(?:falls?|sinks?|drops?|shrinks?) from {NUMBER} to {NUMBER}": lambda a, b: a > b,
}  # fmt: skip


def seed():
    """What is asked for, or else another one for each commit."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    return int(os.environ.get("PENCIL_SEED") or int(head.strip() or "0", 16) % 10**6)


def givens(page):
    """The given numbers of a page, as (run, name, array)."""
    runs = {run: Trace.load(stored["program"]) for run, stored in Published.read((ROOT / page).with_suffix(".ipynb")).content["runs"].items()}
    return [(run, name, array.exact) for run, trace in runs.items() for name, array in trace.names.items() if array.op == "given"]


def drawn(rng, arrays):
    """One of these numbers, as (run, name, place, reference), and another in its place."""
    run, name, was = arrays[rng.integers(len(arrays))]
    place = int(rng.integers(was.size))
    at = np.unravel_index(place, was.shape)
    kinds = {0, -was.flat[place], 2 * was.flat[place], int(rng.integers(0, 10)), round(float(rng.normal()) * 3, 2), was.flat[place] + 1}
    kinds = sorted(kinds - {was.flat[place]})
    return run, name, place, f"{name}[{', '.join(map(str, at))}]" if at else name, float(kinds[rng.integers(len(kinds))]) + 0.0


def judged(runs, claim):
    """Whether a claim holds, by Python; None for one of figures, which no change reaches."""

    def value_of(term):
        first, _, rest = term.leaf.partition(".")
        run, reference = (first, rest) if rest and first in runs else ("", term.leaf)
        value = runs[run][0].find(reference)
        return np.array(value.exact if term.exact else value.paper, float)

    try:
        return all(claims.holds(comparison, value_of) for comparison in claims.read(claim))
    except KeyError:
        return None


def misread(words):
    """Sentences that compare two numbers, and not as these are."""
    for says, is_so in SAYS.items():
        for found in re.finditer(says, words):
            if not is_so(*(float(digits.replace("−", "-").replace(",", "")) for digits in found.groups())):
                yield words[max(0, found.start() - 60) : found.end() + 30]


@pytest.mark.parametrize("page", CHAPTERS)
def test_what_a_page_says_of_any_numbers_holds_or_is_crossed_out(book, page):
    rng, (tab, log) = np.random.default_rng([seed(), CHAPTERS.index(page)]), book.visit(page)
    before, taken, arrays = tab.evaluate(NUMBERS), 0, givens(page)
    for _ in range(DRAWS * TRIES):
        run, name, place, reference, value = drawn(rng, arrays)
        if taken == DRAWS or tab.evaluate(CHANGE, [run, reference, value]):
            continue
        taken += 1
        said = f"PENCIL_SEED={seed()} {page}#pencil:{run}/{name}:{place}={value:g}"
        runs = replayed(page, name, place, value, run)
        shown = tab.evaluate(CLAIMS)
        assert tab.evaluate(UNMARKED, before) == [], said
        assert [claim for claim, is_struck in shown if is_struck != (judged(runs, claim) is False)] == [], said
        assert [wrong for words in tab.evaluate(WORDS) for wrong in misread(words)] == [], said
        tab.evaluate(f"() => {{ pencil.reset(); return {SETTLED} }}")
        assert not any(is_struck for _, is_struck in tab.evaluate(CLAIMS)), said
    assert taken == DRAWS, f"PENCIL_SEED={seed()} {page}: it refuses {DRAWS * TRIES - taken} of {DRAWS * TRIES} numbers; draw more, if it is right to"
    assert log.wrong == []
