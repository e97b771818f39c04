"""Number formats in the page agree with Python's and torch's, bit for bit: single numbers, and random programs."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from engine_programs import MANY, Author
from node_runner import ask
from worked_oracle import ask as ask_lines
from worked_oracle import compare, drawn, question

from pencil.formats import FORMATS
from pencil.rounding import show
from pencil.trace import Trace
from pencil.trace.costs import OPERATION_COUNTS
from pencil.worked import Worked, export

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "trace")]

from format_numbers import DTYPES, bits, equal_bits, ties  # noqa: E402
from format_programs import Plain, equal, in_torch  # noqa: E402
from trace_runs import RUNS  # noqa: E402


def floats(numbers, shape=(-1,)):
    return np.array([float(x) for x in numbers]).reshape(shape)


def test_single_numbers(tmp_path):
    with np.errstate(invalid="ignore"):
        every = np.concatenate([bits(4000, seed=5), *(ties(dtype, 1500) for dtype in DTYPES.values())]).astype(float)
        numbers = np.concatenate([every, np.random.default_rng(6).normal(size=2000) * 1e300, [5e-324, -5e-324, 1.7e308]])
    [answer] = ask(tmp_path, [{"ask": "rounded", "numbers": numbers}])
    for name, form in FORMATS.items():
        with np.errstate(all="ignore"):
            here, there = form.nearest(numbers), floats(answer[name])
        same = equal_bits(here, there) if name in DTYPES else equal(here, there)
        assert same.all(), (name, numbers[~same][:3], here[~same][:3], there[~same][:3])


def test_whole_numbers_with_a_scale_for_each_array(tmp_path):
    rng = np.random.default_rng(7)
    arrays = [rng.normal(size=9) * 10.0 ** rng.integers(-6, 6) for _ in range(300)] + [np.zeros(3), np.array([np.inf, 2.0, -np.inf])]
    arrays += [np.array([0.0, -most, most / 3]) for most in (1e-36, 1e-38, 1e-44, 1e-46, 1e-300, 5e-324)]
    for array, answer in zip(arrays, ask(tmp_path, [{"ask": "rounded", "numbers": a} for a in arrays]), strict=True):
        for name in ("int8", "int4", "nf4"):
            here = FORMATS[name].nearest(array)
            assert equal(here, floats(answer[name])).all() and not np.isnan(here[np.isfinite(array)]).any(), (name, array)


# ---- programs


def recorded(run):
    trace = Trace()
    run.function(run.given(trace), trace)
    return trace


def as_plain(number):
    return Plain(number).write()


def held(folder, numbers):  # -> how many numbers agree in Python, in the page and in torch
    """Random programs whose steps leave IEEE 754 no choice."""
    agreed, traces = 0, [as_plain(number) for number in numbers]
    for number, trace, answer in zip(numbers, traces, ask(folder, [{"ask": "inFormats", "program": t.program()} for t in traces]), strict=True):
        for name in FORMATS:
            reading, there = trace.in_format(name), in_torch(trace, DTYPES[name]) if name in DTYPES else {}
            for said, numbers_there in zip(answer[0]["names"], answer[0]["values"][name], strict=True):
                here = reading.numbers(trace.names[said])
                assert equal(here, floats(numbers_there, here.shape)).all(), (number, name, said, here, numbers_there)
                if there:
                    assert equal(here, there[said].double().numpy()).all(), (number, name, said, here, there[said])
                agreed += here.size
    return agreed


def test_random_programs_in_python_the_page_and_torch(tmp_path):
    assert held(tmp_path, range(200)) > 20_000


@pytest.mark.slow
def test_many_random_programs_in_python_the_page_and_torch(tmp_path):
    for start in range(0, MANY, 500):
        assert held(tmp_path, range(start, start + 500)) > 50_000


def of_the_whole_language(folder, seeds):  # -> Counter
    """Programs with powers of e, sums and look-ups: a sum's last bit may tip a tie, so a few may differ, and are counted."""
    authors = [Author(seed).write() for seed in seeds]
    questions = []
    for author in authors:
        rng = np.random.default_rng([author.seed, 1])
        given = {name: again(rng) for name, again in author.draws.items() if name in author.trace.names}
        questions.append({"ask": "inFormats", "program": author.trace.program(), "givens": [given]})
    seen = Counter()
    for asked, answers in zip(questions, ask(folder, questions), strict=True):
        for given, answer in zip([{}, *asked["givens"]], answers, strict=False):
            if "refused" in answer:
                seen["refused"] += 1
                continue
            trace = Trace.load(asked["program"], given)
            for name in FORMATS:
                reading, values = trace.in_format(name), zip(answer["names"], answer["values"][name], strict=True)
                same = all(close(reading.numbers(trace.names[n]), floats(x, trace.names[n].shape)) for n, x in values)
                seen["same" if same else "tipped"] += 1
    return seen


def close(here, there):
    with np.errstate(all="ignore"):
        return (equal(here, there) | (np.abs(here - there) <= 1e-12 * np.abs(here).max(initial=0))).all()


def test_programs_of_the_whole_language(tmp_path):
    seen = of_the_whole_language(tmp_path, range(60))
    print(seen)
    assert seen["same"] > 400 and seen["tipped"] <= 0.005 * seen["same"]


@pytest.mark.slow
def test_many_programs_of_the_whole_language(tmp_path):
    seen = of_the_whole_language(tmp_path, range(1000, 1000 + MANY // 2))
    print(seen)
    assert seen["same"] > 3 * MANY and seen["tipped"] <= 0.005 * seen["same"]


@pytest.mark.parametrize("track", [track if track in ("bf16", "int8") else pytest.param(track, marks=pytest.mark.slow) for track in FORMATS])
def test_worked_lines_in_a_format(tmp_path, track):
    ways = [{"track": track, "whole": whole, "run": "", "labels": {}} for whole in (True, False)]
    traces = [as_plain(number) for number in range(8)]
    seen = compare(tmp_path, [question(t, ways, drawn(t, 1, i), 4) for i, t in enumerate(traces)])
    assert seen["lines"] > 100 and seen["runs"] > 2 * seen["refused"]


def said_of(trace, name):  # as the page's card says it
    if trace.names[name].op == "given":
        return ""
    bill = trace.bill(name)
    arithmetic = [f"{n} {word if n != 1 else word[:-1]}" for word in OPERATION_COUNTS if (n := getattr(bill, word))]
    label, costs = Worked(trace).label(name), ", ".join(arithmetic) or "nothing to compute"
    return f"{label}, all of it: {costs}; {bill.reads} numbers read, {bill.writes} written."


def held_cards(folder, traces):
    questions = []
    for trace in traces:
        numbers = [n.reference for name in list(trace.names)[:12] for n in Worked(trace).numbers(name)[:2]]
        questions.append({"data": export(Worked(trace)), "names": list(trace.names), "numbers": numbers, "tracks": list(FORMATS)})
    for trace, asked, answer in zip(traces, questions, ask_lines(folder, questions), strict=True):
        assert answer["bills"] == [said_of(trace, name) for name in asked["names"]]
        workers = {track: Worked(trace, track=track) for track in FORMATS}
        assert answer["formats"] == [[[track, w.number(reference)] for track, w in workers.items()] for reference in asked["numbers"]]
        for track, there in zip(FORMATS, answer["changes"], strict=True):
            here = trace.in_format(track).first_change()
            place = here and int(np.ravel_multi_index(here.index, trace.names[here.name].shape))
            assert there == (here and {"name": here.name, "place": place, "exact": show(here.exact), "here": show(here.here)})


def test_what_a_card_says_of_a_machine(tmp_path):
    held_cards(tmp_path, [recorded(run) for run in RUNS if run.name in ("block", "classifier", "look-up by traced ids", "vit")])


def test_torch_is_the_one_that_is_pinned():
    assert torch.tensor([1e9]).to(torch.float8_e4m3fn).item() == 448  # older ones say NaN
