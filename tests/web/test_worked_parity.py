"""Worked lines in the browser are Python's, character for character: text, HTML, digits, references, on any givens.

For each run: named values in every layout, and parts of them, on both tracks, with whole numbers bare or not, under labels and
run names; then the same again after the givens have been redrawn. Of a chapter's runs every value in one layout, and of its parts
one in ONE_IN.
"""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from worked_oracle import LAYOUTS, ask, check, compare, drawn, question

from pencil.paths import chapter_sources
from pencil.publish import Published
from pencil.trace import Trace
from pencil.worked import Worked, export

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / folder) for folder in ("worked", "trace")]

from engine_programs import Author  # noqa: E402
from random_traces import MACHINES, traces  # noqa: E402
from trace_runs import RUNS  # noqa: E402

ONE_IN = 8
PLAINLY = [{"track": track, "whole": True, "run": "", "labels": {}} for track in ("paper", "exact")]


# ---- the runs


def labels(trace, rng):
    """Names in capitals, and some that only a page that escapes them can show."""
    odd = ['<b title="x">A & B</b>', "it's", "</script>", "WANT grid", "= 5"]
    return {name: name.upper() if rng.random() < 0.7 else odd[rng.integers(len(odd))] for name in trace.names if rng.random() < 0.8}


def ways(trace, seed):
    """Both tracks: one of them plainly, the other under labels and a run name, with whole numbers bare or not."""
    rng = np.random.default_rng(seed)
    odd = {"whole": bool(rng.integers(2)), "run": str(rng.choice(["", "turn"])), "labels": labels(trace, rng)}
    return [PLAINLY[seed % 2], {"track": PLAINLY[1 - seed % 2]["track"], **odd}]


def recorded(run):
    trace = Trace()
    run.function(run.given(trace), trace)
    return trace


def random_machines(machine, count):
    found = []

    @settings(max_examples=count, deadline=None, derandomize=True, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(traces(machine))
    def collect(trace):
        found.append(trace)

    collect()
    return found


def corners():
    """What no machine of the reference has: picked rows, batches, columns with words, masks and ids that are worked out, odd names."""
    trace = Trace()
    x = trace.given("x", [[2, -1.5, 0, 1], [0, 0.25, -2, 3]], words=["größe", "b"], columns=["p", "q", "r", "s"])
    grid = trace.given("grid", [[0.5, 0, -1, 2], [0, 0, 0, 0], [1, 1, 1, 1]])
    ids = trace.given("ids", [1, 0, 1])
    picked = trace("picked", x[0])
    trace("constructor", picked / np.sqrt(32) - 1)
    trace("__proto__", x @ grid.T)
    trace("looked", x[ids] * 2)
    trace("batch", np.stack([x, -x]).transpose(1, 0, 2) + 1)
    trace("chosen", np.where(x > 0.5, x, -0.5) * x)
    trace("prob", (x > 0) * 1)
    trace("positive", x >= 0)
    total = trace("exp_sum", x.sum(-1, keepdims=True))
    trace("high", x.max(0))
    trace("middle", np.stack([x, 2 - x]).mean(0))
    trace("all_of_it", np.exp(-(x.mean() ** 2)) / np.maximum(total, 0.125))
    trace("root", np.sqrt(np.log(total**2 + 2)) + np.tanh(-x.T @ x[:, 2:]).sum())
    trace("one", total[:, 0].max(keepdims=True))
    order = trace("order", np.argsort(-x, kind="stable"))
    trace("running", np.cumsum(np.where(x > 0, x, 0), -1))
    trace("sorted", np.take_along_axis(np.cumsum(x, 0), order, -1))
    trace("sizes", np.abs(x - 1) * (np.abs(x) + 2) ** 0.75 + 2 ** (x / 2))
    return trace


def report(seen):
    print(dict(seen))
    assert seen["lines"] > 200 and seen["runs"] > 2 * seen["refused"]


# ---- tests


@pytest.mark.slow
def test_random_machines(tmp_path):
    found = [(i, trace) for i, machine in enumerate(MACHINES) for trace in random_machines(machine, 1)]
    report(compare(tmp_path, [question(t, ways(t, i), drawn(t, 1, i), 8) for i, t in found]))


def test_every_machine_of_the_reference(tmp_path):
    found = [trace for trace in map(recorded, RUNS) if len(trace.names) < 40]
    report(compare(tmp_path, [question(t, ways(t, i)[i % 2 :][:1], drawn(t, 1, i), 6) for i, t in enumerate(found)]))


def chapters():
    notebooks = (source.with_suffix(".ipynb") for source in chapter_sources(TESTS.parent / "notebooks"))
    return [path for path in notebooks if Published.read(path).content["runs"]]


def chapter_lines(tmp_path, chapter, **how_many):
    questions = []
    for run, tracks in Published.read(chapter).replay().items():
        both = [{"track": track, "whole": w.whole, "run": run, "labels": w.labels} for track, w in tracks.items()]
        questions.append(question(tracks["paper"].trace, both, drawn(tracks["paper"].trace, 1), **how_many))
    seen = compare(tmp_path, questions)
    print(dict(seen))
    assert seen["runs"] >= len(questions)


CHAPTERS = chapters()
QUICK = ("06_look_across", "13_backward")  # forwards and back; the others, with their every value, in `make test-slow`


@pytest.mark.parametrize("chapter", [path for path in CHAPTERS if path.stem in QUICK], ids=lambda path: path.stem)
def test_the_runs_of_a_chapter_as_it_writes_them(tmp_path, chapter):
    chapter_lines(tmp_path, chapter, most=4)


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_value_of_a_chapter(tmp_path, chapter):
    chapter_lines(tmp_path, chapter, one_in=ONE_IN)


def test_corners(tmp_path):
    trace = corners()
    report(compare(tmp_path, [question(trace, ways(trace, i), drawn(trace, 1, i), 40) for i in (0, 1)]))


def random_programs(tmp_path, seeds, most):
    authors = [Author(seed).write() for seed in seeds]
    rng = np.random.default_rng(0)
    drawn_by = [(a.trace, {name: np.ravel(draw(rng)).astype(float) for name, draw in a.draws.items()}) for a in authors if a.trace.names]
    report(compare(tmp_path, [question(trace, PLAINLY, [numbers], most) for trace, numbers in drawn_by]))


@pytest.mark.slow
def test_random_programs(tmp_path):
    random_programs(tmp_path, range(12), 5)


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_many_random_machines(tmp_path, machine):
    found = random_machines(machine, 2)
    report(compare(tmp_path, [question(t, ways(t, i), drawn(t, 3, i)) for i, t in enumerate(found)]))


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_every_value_of_every_machine_of_the_reference(tmp_path, run):
    trace = recorded(run)
    seen = compare(tmp_path, [question(trace, ways(trace, 1), drawn(trace, 1), one_in=ONE_IN)])
    assert seen["runs"]


@pytest.mark.slow
def test_many_random_programs(tmp_path):
    random_programs(tmp_path, range(100, 120), 40)


@pytest.mark.parametrize("run", [r for r in RUNS if r.name in ("block", "classifier", "look-up by traced ids")], ids=lambda run: run.name)
def test_every_number_can_be_followed_down_to_the_given_ones(tmp_path, run):
    trace = recorded(run)
    worked = Worked(trace, run="turn")
    numbers = [n.reference.removeprefix("turn.") for name in trace.names for n in worked.numbers(name)]
    [[[answers]]] = ask(tmp_path, [{"data": export(worked), "ways": [{}], "draws": [{}], "references": [[r, []] for r in numbers]}])
    below, reached = {}, {}
    for reference, found in zip(numbers, answers, strict=True):
        links = re.findall('data-value="turn.([^"]*)"', "".join(found["opened"]["html"]))
        below[reference] = [] if found["opened"]["given"] else [link for link in links if link != reference]
        reached[reference] = set().union({reference}, *(reached[r] for r in below[reference]))  # a KeyError would be a line before its numbers
    for reference in numbers:
        ends = {r for r in reached[reference] if not below[r]}
        assert ends and all(trace.find(r).array.op == "given" or "∞" in worked.number(r) for r in ends)


FOUND = """x|b.x|größe.x[p]|x[1, q]|x[b,s]|x[ 1 , : ]|x[:, p]|x[]|total|b.total|total[1]|total[1, 0]|picked|picked[r]|größe.picked|größe.picked[3]
|b.looked[1]|batch[1]|b.batch[0, q]|grid[2]|all_of_it|constructor[0]|one| x |b.high[q]|__proto__[1]|b.__proto__"""
REFUSED = """y|c.x|b.b.x|b.x[1, 1]|x[4]|x[-1]|x[p]|x[q, q]|x[1.0]|x[ ]|x[|x]|x[1][1]|x y||b|b.|.x|picked[4]|toString|b.toString|x[length]|total[2]
|grid[b]|turn.x|hasOwnProperty|b.picked|größe.größe.picked.x"""
REFERENCES = (FOUND + "|" + REFUSED).replace("\n", "").split("|")


def test_the_same_references_are_understood_and_the_same_refused(tmp_path):
    trace, worked = corners(), Worked(corners())
    [[[answers]]] = ask(tmp_path, [{"data": export(worked), "ways": [{}], "draws": [{}], "references": [[r, LAYOUTS[:1]] for r in REFERENCES]}])
    for reference, found in zip(REFERENCES, answers, strict=True):
        try:
            value = trace.find(reference)
        except KeyError:
            assert list(found) == ["refused"] and found["refused"].startswith(f"{reference} names nothing"), reference
        else:
            assert found["lines"][0] == worked.lines(reference), (reference, value)


def test_what_is_written_otherwise_would_be_found(tmp_path):
    asked = question(corners(), PLAINLY, most=20)
    [[answer]] = ask(tmp_path, [asked])
    assert check(asked, {}, answer)["lines"] > 100
    answer[0][3]["html"][0][0] += " "
    with pytest.raises(AssertionError, match="html"):
        check(asked, {}, answer)
