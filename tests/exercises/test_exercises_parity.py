"""The page throws numbers and works mistakes out as Python does."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from exercises_in_node import ask
from verdicts import library

from pencil.exercises import Mulberry32, exercises
from pencil.exercises.upstream import note_upstream
from pencil.trace.substitution import substituted

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"


def test_the_generator_s_first_numbers():  # as its author's C code gives them
    rng = Mulberry32(1)
    assert [rng.next_uint32() for _ in range(3)] == [2693262067, 11749833, 2265367787]


def test_a_seed_out_of_numpy_is_the_same_seed():
    assert Mulberry32(np.int64(2**32 - 1)).next_uint32() == Mulberry32(np.uint32(2**32 - 1)).next_uint32() == Mulberry32(2**32 - 1).next_uint32()


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "7"])
def test_what_is_no_seed(seed):
    with pytest.raises(ValueError, match="take a whole number from 0 to 4294967295"):
        Mulberry32(seed)


def test_every_whole_number_is_as_likely_as_the_others():
    rng, counts = Mulberry32(7), Counter()
    for _ in range(70_000):
        counts[rng.randint(-3, 3)] += 1
    assert sorted(counts) == list(range(-3, 4))
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts.values()) < 22.5  # chi-square with 6 degrees of freedom, one in a thousand


def test_python_and_the_page_throw_alike(tmp_path):
    seeds = [0, 1, 7, 2**31, 2**32 - 1, *np.random.default_rng(0).integers(0, 2**32, 200).tolist()]
    ranges = [(-3, 3), (0, 0), (1, 6), (0, 2**31), (-(2**31), 2**31 - 1)]
    questions = [{"ask": "throws", "seed": seed, "count": 20} for seed in seeds]
    questions += [{"ask": "wholes", "seed": seed, "low": low, "high": high, "count": 20} for seed in seeds for low, high in ranges]
    for question, there in zip(questions, ask(tmp_path, questions), strict=True):
        rng = Mulberry32(question["seed"])
        throw = rng.next_uint32 if question["ask"] == "throws" else lambda rng=rng, q=question: rng.randint(q["low"], q["high"])
        assert [throw() for _ in range(20)] == there, question


def test_a_range_with_nothing_in_it_or_too_much_is_refused_in_python_and_in_the_page(tmp_path):
    ranges = {(5, 3): -1, (0, 2**33): 2**33 + 1, (1, 2**32 + 1): 2**32 + 1, (4, 3): 0}
    said = ask(tmp_path, [{"ask": "outside", "low": low, "high": high} for low, high in ranges])
    for (low, high), count, there in zip(ranges, ranges.values(), said, strict=True):
        says = f"randint({low}, {high}) has {count} integers to choose from; it takes 1 to {2**32}"
        assert there == says
        with pytest.raises(ValueError, match=re.escape(says)):
            Mulberry32(1).randint(low, high)


@pytest.mark.parametrize("chapter", ["05", *(pytest.param(one, marks=pytest.mark.slow) for one in ("09", "10", "13"))])
def test_a_mistake_further_up_comes_to_the_same_in_python_and_in_the_page(chapter, tmp_path):
    cases = []
    for name, reference in exercises(NOTEBOOKS).items():
        found = library(chapter).find(reference) if name.startswith(f"{chapter}:") else None
        if found is not None and found.worked:
            trace = found.worked["paper"].trace
            array = trace.find(found.local).array
            cases += [(trace, array, places) for _, places, _ in note_upstream(trace, array)]
    assert len(cases) > 5 and (chapter in ("05", "13") or any(len(places) > 1 for *_, places in cases))
    programs = {trace: trace.program() for trace, *_ in cases}
    questions = [
        {"ask": "substituted", "program": programs[trace], "names": [array.name, *([x.name for x in side] for side in (places, places.values()))]}
        for trace, array, places in cases
    ]
    for (_, array, places), there in zip(cases, ask(tmp_path, questions), strict=True):
        here = dict(zip(("exact", "paper"), substituted(array, places), strict=True))
        for track, numbers in here.items():
            numbers = np.where(np.isfinite(numbers), numbers, np.nan)  # JSON has no infinity
            np.testing.assert_allclose(np.array(there[track], float), numbers.ravel(), rtol=1e-12, atol=1e-12, err_msg=f"{array.name} {list(places)}")
