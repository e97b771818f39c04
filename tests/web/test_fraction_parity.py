"""Exact arithmetic in the page agrees with Python's on random programs, including errors."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from engine_programs import MANY, Author
from node_runner import ask

from pencil.trace import Trace, TraceError, ln
from pencil.trace.logarithm import Log, written

sys.path.append(str(Path(__file__).resolve().parents[1] / "trace"))

from machines_alike import tiled


def said(trace, name):  # -> list of str, or None where there is no fraction
    try:
        numbers = trace.fractions().numbers(trace.names[name])
    except (TraceError, ValueError):  # an irrational step, or an id that is no row
        return None
    return [written(Fraction(int(x)) if isinstance(x, bool | np.bool_) else x) for x in numbers.ravel().tolist()]


def exactly_given(seed):
    """A random program of the whole language whose givens are fractions, and now and then logarithms; and other givens for it."""
    author, rng = Author(seed).write(), np.random.default_rng([seed, 3])
    program = author.trace.program()
    for step in program["steps"]:
        if step["op"] == "given" and not step["name"].startswith("ids"):
            size = len(step["value"])
            parts = [Fraction(int(a), int(b)) for a, b in zip(rng.integers(-6, 7, size), rng.integers(1, 6, size), strict=True)]
            if rng.random() < 0.25:
                parts = [Log(abs(x)) if x not in (0, 1, -1) else Fraction(0) for x in parts]
            step["exactly"], step["value"] = [written(x) for x in parts], [float(x) for x in parts]
    given = {name: again(rng) for name, again in author.draws.items() if name in author.trace.names}
    return program, given


def held(folder, seeds):  # -> how many numbers are the same fraction on both sides, and how many values are none on both
    programs = [exactly_given(seed) for seed in seeds]
    questions = [{"ask": "inFractions", "program": program, "givens": [given]} for program, given in programs]
    same = none = 0
    for seed, (program, given), answers in zip(seeds, programs, ask(folder, questions), strict=True):
        for numbers, there in zip(({}, given), answers, strict=True):
            try:
                trace = Trace.load(program, numbers)
            except (ValueError, TraceError):  # its floats are refused: it says nothing of fractions
                continue
            for name in trace.names:
                here = said(trace, name)
                assert here == there[name], (seed, bool(numbers), name, here, there[name])
                same, none = same + len(here or []), none + (here is None)
    return same, none


def test_random_programs(tmp_path):
    same, none = held(tmp_path, range(150))
    assert same > 10_000 and none > 100


@pytest.mark.slow
def test_many_random_programs(tmp_path):
    for start in range(0, MANY, 500):
        same, none = held(tmp_path, range(start, start + 500))
        assert same > 20_000 and none > 300


def test_tiled_attention_from_given_powers(tmp_path):
    """By the pencil: powers 1, 3, 6 and 2 are given as their logarithms, and the program says so to the page."""
    trace = Trace()
    tiled(trace.given("scores", ln([[1, 3, 6, 2]])), trace.given("values", [[4, 0], [0, 4], [2, 2], [6, 0]]), trace, block=2)
    program = trace.program()
    assert program["steps"][0]["exactly"] == ["0", "ln 3", "ln 6", "ln 2"]
    assert Trace.load(program).fractions()["acc"].tolist() == trace.fractions()["acc"].tolist()
    ((own, other),) = ask(tmp_path, [{"ask": "inFractions", "program": program, "givens": [{"values": [0, 0, 0, 0, 3, 1, 3, 0]}]}])
    assert own["block1.max"] == ["ln 3"] and own["block2.mix"] == ["14/3", "4"] and own["acc"] == ["7/3", "2"]
    assert other["acc"] == ["2", "1/2"]  # a reader's values, and still the given powers


@pytest.mark.parametrize("factor, has", [(5_000, True), (10**9, False), (-20_000, False), (Fraction(10**9 + 1, 10**9), False)], ids=str)
def test_a_power_that_nobody_would_write_is_none_and_holds_nothing_up(tmp_path, factor, has):
    trace = Trace()
    trace("scaled", trace.given("score", ln([3])) * trace.given("factor", [Fraction(factor)]))
    ((own,),) = ask(tmp_path, [{"ask": "inFractions", "program": trace.program()}])
    assert own["scaled"] == said(trace, "scaled") and (own["scaled"] is not None) == has
