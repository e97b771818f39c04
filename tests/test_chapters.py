"""Rules for every chapter: its boxes, its cells, and programs that follow their inputs."""

import json
import re
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from pencil.paths import chapter_number
from pencil.publish import Published
from pencil.trace import Trace
from pencil.trace.limits import LIMITS

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))
every_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)


def code_cells(chapter):
    cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def programs(chapter):
    found = {run: stored["program"] for run, stored in Published.read(chapter).content["runs"].items()}
    assert found and all(program["steps"] for program in found.values())
    return found


def test_there_are_chapters():
    assert {chapter_number(path) for path in CHAPTERS} >= {"05", "06", "13b"}


@every_chapter
def test_a_chapter_opens_with_its_promise_asks_and_ends_in_one_breath(chapter):
    text = chapter.with_suffix(".md").read_text(encoding="utf-8")
    for part in ("{you-will}", "{one-breath}", "\n## Sources"):
        assert text.count(part) == 1, f"write one {part.strip()}; there are {text.count(part)}"
    for box in ("{your-turn}", "{wrong-turn}"):
        assert text.count(box) >= 4, f"write at least 4 {box}; there are {text.count(box)}"
    turns, answers = text.count("{your-turn}"), text.count("{worked-answer}")
    assert answers == turns, f"give every {{your-turn}} one {{worked-answer}}; there are {answers} for {turns}"


@every_chapter
def test_the_words_of_a_chapter_have_their_partners_in_the_field(chapter):
    text = chapter.with_suffix(".md").read_text(encoding="utf-8")
    (box,) = re.findall(r"^:::\{words\}\n\| here \| in the field \|\n\|---\|---\|\n(.+?)\n:::$", text, re.M | re.S)
    rows = [[side.replace("*", "").split(",") for side in row.strip("| ").split("|")] for row in box.splitlines()]
    assert len(rows) <= 3, "three lines are the most"
    for here, there in rows:
        assert len(here) == len(there), f"{here} are not as many words as {there}"


@every_chapter
def test_cells_are_small(chapter):
    lengths = [len(cell.splitlines()) for cell in code_cells(chapter)]
    assert median(lengths) <= 4, f"cut long cells in two until half have 4 lines or fewer; their lines are {lengths}"
    assert max(lengths) <= 20, f"a cell has at most 20 lines; the longest has {max(lengths)}"


@every_chapter
def test_no_cell_shows_a_value_of_the_trace_as_python_writes_it(chapter):
    cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
    seen = [cell for cell in cells if cell["cell_type"] == "code" and "remove-cell" not in cell["metadata"].get("tags", [])]
    alone = [output["data"] for cell in seen for output in cell["outputs"] if output.get("data", {}).keys() == {"text/plain"}]
    bare = ["".join(data["text/plain"]) for data in alone]
    assert not [text for text in bare if re.search(r"<[\w.]+ \([\d, ]*\)>", text)], "end such a cell with a line that shows, or with `_ = ...`"


def test_a_given_number_with_limits_has_a_name_on_the_page():
    """Otherwise the page would say "This number must be …". So has what it divides."""
    limited = set()
    for chapter in CHAPTERS:
        for run, stored in Published.read(chapter).content["runs"].items():
            held = [step for step in stored["program"]["steps"] if step["op"] == "given" and set(LIMITS) & set(step)]
            needed = {name for step in held for name in (step["name"], step.get("divides")) if name}
            assert needed <= set(stored["labels"]), f"{chapter.name}, {run or 'main run'}: {needed - set(stored['labels'])} need a label of Worked"
            limited |= needed
    assert limited


@every_chapter
def test_no_grid_is_baked_into_a_program(chapter):
    """A grid that was passed plain would stand still while a reader changes it; masks alone may."""
    for run, program in programs(chapter).items():
        for step in program["steps"]:
            if step["op"] == "constant" and len(step["value"]) > 1:
                assert set(step["value"]) <= {0, 1, "-Infinity"}, (
                    f"{run or 'main run'}: take this grid by trace.given, so that it can be changed: {step}"
                )


@every_chapter
def test_every_value_that_was_worked_out_follows_some_given(chapter):
    """Nudge each given by itself: every named value that is no given must move with at least one of them.

    What jumps, as a count does, stands still under a small nudge; so what is left is nudged again, and farther. A count that a reader
    may not break is nudged all the same: its limits are left out.
    """
    for run, held in programs(chapter).items():
        program = held | {"steps": [{key: value for key, value in step.items() if key not in LIMITS} for step in held["steps"]]}
        before = Trace.load(program)
        still = {name for name, value in before.names.items() if value.op != "given"}
        given = [n for n, value in before.names.items() if value.op == "given"]
        for far, name in [(far, name) for far in (0.01, 3) for name in given]:
            places = np.arange(1, before.names[name].size + 1).reshape(before.names[name].shape)
            after = Trace.load(program, {name: before.names[name].exact + far * places}) if still else before
            still -= {n for n in still if not np.array_equal(after.names[n].exact, before.names[n].exact)}
        assert not still, f"{run or 'main run'}: {sorted(still)} follow nothing given; work them out from a trace.given"
