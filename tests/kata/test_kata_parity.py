"""The page marks and deals as Python does."""

import json
import subprocess
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from node_runner import find_node

from pencil.kata import Dice, exercise_of, exercises, mark
from pencil.prose.library import Library
from pencil.rounding import show

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"


def ask(folder, questions):
    asked, answered = folder / "questions.jsonl", folder / "answers.jsonl"
    asked.write_text("".join(json.dumps(question, allow_nan=False) + "\n" for question in questions), encoding="utf-8")
    done = subprocess.run([find_node(), str(HERE / "kata_parity.mjs"), str(asked), str(answered)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in answered.read_text(encoding="utf-8").splitlines()]


def test_the_generator_s_first_numbers():  # as its author's C code gives them
    dice = Dice(1)
    assert [dice.throw() for _ in range(3)] == [2693262067, 11749833, 2265367787]


def test_a_seed_out_of_numpy_is_the_same_seed():
    assert Dice(np.int64(2**32 - 1)).throw() == Dice(np.uint32(2**32 - 1)).throw() == Dice(2**32 - 1).throw()


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "7"])
def test_what_is_no_seed(seed):
    with pytest.raises(ValueError, match="take a whole number from 0 to 4294967295"):
        Dice(seed)


def test_every_whole_number_is_as_likely_as_the_others():
    dice, counts = Dice(7), Counter()
    for _ in range(70_000):
        counts[dice.whole(-3, 3)] += 1
    assert sorted(counts) == list(range(-3, 4))
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts.values()) < 22.5  # chi-square with 6 degrees of freedom, one in a thousand


def test_python_and_the_page_throw_alike(tmp_path):
    seeds = [0, 1, 7, 2**31, 2**32 - 1, *np.random.default_rng(0).integers(0, 2**32, 200).tolist()]
    ranges = [(-3, 3), (0, 0), (1, 6), (0, 2**31), (-(2**31), 2**31 - 1)]
    questions = [{"ask": "throws", "seed": seed, "count": 20} for seed in seeds]
    questions += [{"ask": "wholes", "seed": seed, "low": low, "high": high, "count": 20} for seed in seeds for low, high in ranges]
    for question, there in zip(questions, ask(tmp_path, questions), strict=True):
        dice = Dice(question["seed"])
        throw = dice.throw if question["ask"] == "throws" else lambda dice=dice, q=question: dice.whole(q["low"], q["high"])
        assert [throw() for _ in range(20)] == there, question


def ways_to_write(numbers, rng):
    """One answer in many forms: right ones, cut ones, spoilt ones, and no answer at all."""
    exact = list(numbers.exact)
    yield " ".join(show(x) for x in numbers.paper)
    yield "[" + ", ".join(repr(x) for x in exact) + "]"
    yield "; ".join(f"{x:.2f}" for x in exact)
    yield "[[" + "], [".join(f"{x:.3f}" for x in exact) + "]]"
    yield ", ".join(f"{100 * x:.1f} %" for x in exact)
    yield from (f"{between} ".join(f"{x:.3f}".replace(".", ",") for x in exact) for between in " ,;")
    yield ", ".join(repr(x * 1.01) for x in exact)
    yield ", ".join(repr(x) for x in exact[:-1])
    yield ", ".join(repr(x) for x in rng.normal(size=len(exact)).tolist())
    yield " ".join(f"{int(n)}/{int(d)}" for n, d in rng.integers(1, 9, (len(exact), 2)))
    yield from ("", ", ;", "2,8", "1/0", "√2", "−√2/2", "- 1", "seven", "1e3", "1.5e-3", "NaN", "<script>", "３", "1 000", "0,5 0,25", "½")
    yield from ("10,001", "0,953", "1,2,3", "0,5 ten", "26,9 % 73,1 %")


def test_python_and_the_page_mark_alike(tmp_path):
    rng, cases, libraries = np.random.default_rng(1), [], {}
    for name, reference in exercises(NOTEBOOKS).items():
        exercise = exercise_of(libraries.setdefault(name[:2], Library(NOTEBOOKS, name[:2])).find(reference))
        for numbers in (exercise.right, *(numbers for numbers, _ in exercise.wrong.values())):
            cases += [(exercise, text) for text in ways_to_write(numbers, rng)]
    questions = [
        {"ask": "mark", "answer": text, "exercise": {"right": asdict(e.right), "wrong": {k: [asdict(n), says] for k, (n, says) in e.wrong.items()}}}
        for e, text in cases
    ]
    seen = Counter()
    for (exercise, text), there in zip(cases, ask(tmp_path, questions), strict=True):
        here = mark(exercise, text)
        assert asdict(here) == there, text
        seen["right" if here.right else here.wrong or "other"] += 1
    assert len(seen) > 10 and seen["right"] > 100, seen
