"""What the cells of a chapter put out, and its published runs, which have to follow a reader's changes."""

import re
from itertools import product

import numpy as np

from pencil.trace import Trace
from pencil.trace.limits import LIMITS

BARE = re.compile(r"<[\w.]+ \([\d, ]*\)>")  # a traced value, as Python writes it
CHANGES = (0.01, 3)  # what jumps, as a count does, stands still under a small change
MASK = {0, 1, "-Infinity"}


def bare_values(chapter):
    """No cell shows a value of the trace as Python writes it."""
    for cell in chapter.cells:
        alone = ["".join(out["data"]["text/plain"]) for out in cell.outputs if out.get("data", {}).keys() == {"text/plain"}]
        if "remove-cell" not in cell.tags and any(map(BARE.search, alone)):
            yield chapter.at(cell.line, "the cell shows a traced value as Python writes it: end it with a line that shows, or with `_ = ...`")


def published(chapter):
    """There is a run, whose numbers a reader can open and change."""
    if not _runs(chapter):
        yield chapter.at(1, "no run is published: end a hidden cell with publish(Worked(trace))")


def limited(chapter):
    """A given number with limits has a name on the page, and so has what it divides; or the page would say "This number must be …"."""
    for run, stored in _runs(chapter):
        held = [step for step in stored["program"]["steps"] if step["op"] == "given" and set(LIMITS) & set(step)]
        for name in dict.fromkeys(name for step in held for name in (step["name"], step.get("divides")) if name):
            if name not in stored["labels"]:
                yield _of_run(chapter, run, f"the given number {name} has limits: give it a label in Worked(trace, {{{name!r}: ...}})")


def baked(chapter):
    """No grid is a constant, which would stand still while a reader changes it; masks alone may be."""
    for run, stored in _runs(chapter):
        for step in stored["program"]["steps"]:
            if step["op"] == "constant" and len(step["value"]) > 1 and not set(step["value"]) <= MASK:
                yield _of_run(chapter, run, f"take the grid {step['value'][:8]} by trace.given, so that a reader can change it")


def following(chapter):
    """Every named value that was worked out moves with at least one given number.

    Each given is changed by itself: in a direction that no row is likely to have, or a norm would stand still, and in a rising one, for a
    rank that a sum may leave as it is. A count that a reader may not break is changed all the same: its limits are left out.
    """
    for run, stored in _runs(chapter):
        steps = [{key: value for key, value in step.items() if key not in LIMITS} for step in stored["program"]["steps"]]
        if still := _still(stored["program"] | {"steps": steps}):
            yield _of_run(chapter, run, f"{', '.join(sorted(still))} follow{'s' * (len(still) == 1)} nothing given: work it out from a trace.given")


def _still(program):  # -> the names of values that no change moves
    before = Trace.load(program)
    still = {name for name, value in before.names.items() if value.op != "given"}
    given = {name: value.exact for name, value in before.names.items() if value.op == "given"}
    for far, direction, (name, start) in product(CHANGES, (_any_way, _rising), given.items()):
        if not still:
            break
        after = Trace.load(program, {name: start + far * direction(start.shape)})
        still -= {n for n in still if not np.array_equal(after.names[n].exact, before.names[n].exact)}
    return still


def _any_way(shape):
    return np.random.default_rng(0).uniform(0.5, 1.5, shape)


def _rising(shape):
    return np.arange(1, np.prod(shape, dtype=int) + 1).reshape(shape)


def _runs(chapter):
    return chapter.published.content["runs"].items()


def _of_run(chapter, run, says):  # at the cell that publishes
    line = next((line for line, _, code in reversed(chapter.page.sources) if "publish(" in code), 1)
    return chapter.at(line, f"{f'run {run}' if run else 'main run'}: {says}")
