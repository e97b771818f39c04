"""The page marks answers and generates worksheets as Python does."""

from collections import Counter
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from exercises_in_node import ask
from verdicts import LISTS, asked, library

from pencil.exercises import Mulberry32, exercises, mark
from pencil.exercises.questions import all_questions
from pencil.exercises.upstream import note_upstream
from pencil.rounding import show
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


FEW = 6  # ways to write a mistake: on paper, exactly, and cut; how a number may be spelt is tried on the right answers


def ways_to_write(numbers, rng, rows=()):
    """One answer in many forms: right ones, cut ones, spoilt ones, and no answer at all."""
    exact = list(numbers.exact)
    yield " ".join(show(x) for x in numbers.paper)
    yield "[" + ", ".join(repr(x) for x in exact) + "]"
    yield from ("; ".join(f"{x:.{places}f}" for x in exact) for places in (0, 1, 2))
    yield " ".join(f"{x:,.3f}" for x in exact)
    yield from (f"{x:,.0f}".replace(",", mark) for x in exact[:1] for mark in " '.")
    if rows:
        each = np.reshape([show(x) for x in numbers.paper], (len(rows), -1)) if len(exact) % len(rows) == 0 else [[]] * len(rows)
        named = [f"{word} {' '.join(part)}" for word, part in zip(rows, each, strict=True)]
        yield from (" ".join(named), ", ".join(named[::-1]), "; ".join(named).replace(" ", ": ", 1), named[0], "and " + " ".join(named))
        yield " ".join(" ".join(part) for part in each[::-1])
    yield "[[" + "], [".join(f"{x:.3f}" for x in exact) + "]]"
    yield ", ".join(f"{100 * x:.1f} %" for x in exact)
    yield from (f"{between} ".join(f"{x:.3f}".replace(".", ",") for x in exact) for between in " ,;")
    yield ", ".join(repr(x * 1.01) for x in exact)
    yield ", ".join(repr(x) for x in exact[:-1])
    yield " ".join(repr(x) for x in exact if x)
    yield " ".join(f"{x / 2!r} {x / 2!r}" for x in exact)
    yield repr(exact[0])
    if rows:
        yield " ".join(repr(float(x)) for x in np.sum(np.reshape(exact, (len(rows), -1)), 0)) if len(exact) % len(rows) == 0 else "0"
    yield ", ".join(repr(x) for x in rng.normal(size=len(exact)).tolist())
    yield " ".join(f"{int(n)}/{int(d)}" for n, d in rng.integers(1, 9, (len(exact), 2)))
    yield from ("", ", ;", "2,8", "1/0", "√2", "−√2/2", "- 1", "seven", "1e3", "1.5e-3", "NaN", "<script>", "３", "1 000", "0,5 0,25", "½")
    yield from (
        "½ ½",
        "2½",
        "sqrt(2)",
        "sqrt 2, 0",
        "5 and 2",
        "20 million",
        "24 dials",
        "24  dials  each",
        "24 m²",
        "24 dials.",
        "twenty-four",
        "Twenty  dials each.",
        "minus three, one half",
        "half each",
        "two thirds; a third",
        "1½",
        "1 1/2",
        "−2 and a half",
        "one and one half",
        "I do not know how this works because nolan listens more to ended than to itself and to somebody else altogether",
        "a" * 60,
        "4x",
        "4 x 10",
        "cat 24",
        "he at: 10, 9",
        "about .4 a letter",
        "0.944 - 1",
        "sin 2 cos 2",
        "24 .",
        "nought",
        "0.57 per cent",
        "ln 2 exp(1)",
        "exp(1), exp(4)",
        "-inf 0.5",
        "½ cat",
        "50 percent",
        "0.982.",
        "~0.5",
        "minus 2",
        "minus 2 minus 3",
        "5 tokens and 2 tokens",
        "t 8, h: 3, at 9",
        "e: 2 x: 3",
        "e 2 x 3",
        "5 5, because both weights are equal",
        "−0.056, up",
        "0011",
        "00 11",
        "01 1",
    )
    yield from ("1+2+3", "2^3", "ln(2)", "tanh(2)", "1/(1+e^-4)", "e^1 e^4", "2 · 3", "e", "exp", "the 2, cat 1, mat 1", "seven dials", "2 − 1")
    yield " ".join(f"{np.trunc(100 * x) / 100:.2f}" for x in exact)
    yield " ".join(repr(1 / x) if x else "0" for x in exact)
    yield " ".join(repr(10 * x) for x in exact)
    yield repr(sum(exact))
    yield "".join(f"{abs(x):.0f}" for x in exact)
    yield " ".join(repr(100 * x) for x in exact)
    yield from ("10,001", "0,953", "1,2,3", "0,5 ten", "26,9 % 73,1 %")


def as_pairs(known):
    return {key: [asdict(numbers), message] for key, (numbers, message) in known.items()}


@pytest.mark.parametrize("chapter", ["05", "09", "10", "13"])
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


@pytest.mark.parametrize("share", [27, pytest.param(1, marks=pytest.mark.slow)])
def test_python_and_the_page_mark_alike(tmp_path, share):
    """Every answer of the lists, one form in `share` of each right answer, another one at each question, and so with the mistakes, one in FEW."""
    rng, cases = np.random.default_rng(1), []
    for name, question in all_questions(NOTEBOOKS).items():
        if question.choices:
            continue
        exercise = asked(name)
        cases += [(exercise, text) for text in islice(ways_to_write(exercise.right, rng, exercise.rows), len(cases) % share, None, share)]
        cases += [(exercise, text) for question_typed, text, *_ in LISTS if question_typed == name]
        mistakes = [*exercise.wrong.values(), *exercise.upstream.values()]
        for numbers, _ in mistakes if share == 1 else mistakes[len(cases) % FEW :: FEW]:
            cases += [(exercise, text) for text in islice(ways_to_write(numbers, rng), 0, FEW, share)]
    questions, known = [], None
    for exercise, text in cases:
        if exercise is not known:
            pairs = {part: as_pairs(getattr(exercise, part)) for part in ("wrong", "upstream")}
            questions.append({"ask": "exercise", "exercise": asdict(exercise) | pairs})
        questions.append({"ask": "mark", "answer": text})
        known = exercise
    answers = [answer for question, answer in zip(questions, ask(tmp_path, questions), strict=True) if question["ask"] == "mark"]
    seen = Counter()
    for (exercise, text), there in zip(cases, answers, strict=True):
        here = mark(exercise, text)
        assert asdict(here) == there, text
        seen["right" if here.right else here.wrong or "other"] += 1
    assert len(seen) > 10 and seen["right"] > 100, seen
