"""The browser's engine and NumPy: the same paper digits on random programs and on the book's own, with any givens.

What is held, for each run: every paper value equal; every exact value within 1e-9 of its array's scale; the same refusal at the
same name. For each single operation, fed NumPy's own inputs: every bit where IEEE 754 leaves no choice, else 1e-12.

The exceptions, by rule, counted, and few (MOST_EXCEPTIONS):
- noise: between a value and the named ones before it, a difference that cancelled (below 1e-10 of what was taken off) is divided
  by, put under a root or a logarithm, or compared with its like. Its digits are the last bits of floats, on either side.
- noise, exact: an unrounded value is itself such a rest, or a multiple of one; it is held to 1e-12 of what it was taken from.
- overflow: a product inside a matmul is beyond all numbers; fused with its sum, as some machines do, it is not, and ∞ − ∞ is −∞.
- wild: from 1e9 on nothing is cut, so the twelfth digit stands as it settled, and may differ by one.
"""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from engine_oracle import EXACT_BY_THE_STANDARD, overflows, rests_on_noise, says, scales, size_of_terms
from engine_programs import MANY, Author
from node_runner import ask

from pencil import examples
from pencil.paths import chapter_number, chapter_sources
from pencil.publish import Published
from pencil.reference import block
from pencil.rounding import as_given, show
from pencil.trace import Trace, backward
from pencil.trace.limits import LIMITS
from pencil.trace.operations import OPERATIONS
from pencil.widgets import BitsLab, CacheLab, DiceLab, KeepLab, MaskLab, ModernLab, PagesLab, PatchLab, RingLab, SamplingLab, SparseLab, StateLab

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 500  # in one Node process
MOST_EXCEPTIONS = 1e-3  # of the runs


def floats(numbers, shape=(-1,)):
    return np.array([float(x) for x in numbers]).reshape(shape)


# ---- one operation at a time


def computed(trace):
    return [s for s in trace.steps if s.args and s.op != "note"]


def as_question(step):
    attrs = {key: value if key == "keepdims" else np.ravel(value).tolist() for key, value in step.attrs.items() if key != "shape"}
    return {"step": {"op": step.op, "shape": step.shape, **attrs}, "shapes": [a.shape for a in step.args], "args": [a.exact for a in step.args]}


def agree(here, there):  # -> (...) bool; what a known mistake gives may be no number, and is none on both sides then
    return (here == there) | (np.isnan(here) & np.isnan(there))


def check_operation(step, answer):
    """Raises AssertionError where an operation, fed NumPy's inputs, gives something else than NumPy."""
    here, there = np.asarray(step.exact, float), floats(answer, step.shape)
    if step.op in EXACT_BY_THE_STANDARD:
        assert np.array_equal(here, there, equal_nan=True), (step.op, here, there)
        return
    scale = size_of_terms(step)
    beyond = ~np.isfinite(scale) & (step.op == "matmul")  # ∞ − ∞, or ∞ where a fused product never overflowed: no number either way
    assert not np.isfinite(here[beyond]).any() and not np.isfinite(there[beyond]).any(), (step.op, here, there)
    with np.errstate(all="ignore"):
        same = agree(here, there) | (np.abs(here - there) <= 1e-12 * scale + 1e-320) | beyond
    assert same.all(), (step.op, here, there)


# ---- whole runs


def check_run(program, given, answer, digits=False):  # -> Counter of what was seen
    """Compares one run, and with `digits` the text of every number as well. Raises AssertionError for a difference that no rule allows."""
    trace, name, wrong_id = says(program, given)
    if name or wrong_id or "refused" in answer:
        return check_refusal(trace, name, wrong_id, answer)
    seen, sizes = Counter(runs=1), scales(trace)
    for noted_name, noted in trace.names.items():
        exact, paper = (floats(answer["values"][noted_name][track], noted.shape) for track in ("exact", "paper"))
        seen["values"] += noted.size
        if overflows(noted) and not (agree(paper, noted.paper).all() and agree(exact, noted.exact).all()):
            return seen + Counter(overflow=1)
        if not agree(paper, noted.paper).all():
            return seen + Counter({paper_exception(noted, paper): 1})  # what follows is worked out from it
        if digits:
            assert same_digits(noted.paper, paper) and same_digits(noted.exact, exact), (noted_name, noted.exact, exact)
        if exception := exact_exception(noted, exact, sizes):
            seen[exception] += 1
            if exception == "noise":
                return seen
    return seen


def check_refusal(trace, name, wrong_id, answer):
    there = answer.get("refused")
    if wrong_id.startswith("id "):
        number, rest = re.match(r"id (\S+) (.*)", wrong_id).groups()
        assert answer.get("message") == f"id {as_given(float(number))} {rest}", (wrong_id, answer)
    elif wrong_id:  # a given number outside its limits
        assert answer.get("message") == wrong_id and " must be a " in wrong_id, (wrong_id, answer)
        return Counter(runs=1, outside=1)
    elif there != name:  # which of several reasons is said first is all one; test_engine.mjs has them one by one
        early = [v for v in trace.names.values() if v.name in (there, name) and v.op == "note"]  # what divides is noise here, and 0 there
        noise, overflow = (any(map(rule, early)) for rule in (lambda v: rests_on_noise(v) or rests_on_noise(v, "exact"), overflows))
        assert noise or overflow, (name, answer)
        return Counter(runs=1, refused=1, **{"noise" if noise else "overflow": 1})
    return Counter(runs=1, refused=1)


def paper_exception(noted, paper):  # -> the name of the rule that allows another paper value
    with np.errstate(all="ignore"):
        wild = (np.abs(noted.paper) >= 1e9) & (np.abs(paper - noted.paper) <= 1.0001e-11 * np.abs(noted.paper))
    if (agree(paper, noted.paper) | wild).all():
        return "wild"
    assert rests_on_noise(noted), (noted.name, noted.args[0].op, paper[paper != noted.paper], noted.paper[paper != noted.paper])
    return "noise"


def exact_exception(noted, exact, sizes):  # -> the name of the rule, or None where the values agree
    here = np.asarray(noted.exact, float)
    whole_scale = np.abs(here[np.isfinite(here)]).max(initial=0)
    with np.errstate(all="ignore"):
        off = ~agree(here, exact) & ~(np.abs(here - exact) <= 1e-9 * whole_scale)
        if not off.any():
            return None
        if (~off | (np.abs(here - exact) <= 1e-12 * sizes[noted.id])).all():
            return "noise, exact"
    assert rests_on_noise(noted, "exact", sizes), (noted.name, noted.args, here[off], exact[off])
    return "noise"


def written(count):  # -> authors, a chunk at a time
    for start in range(0, count, CHUNK):
        yield [Author(seed).write() for seed in range(start, min(start + CHUNK, count))]


def check_programs(folder, count):  # -> Counter
    seen = Counter()
    for authors in written(count):
        questions = []
        for author in authors:
            program, rng = author.trace.program(), np.random.default_rng([author.seed, 1])
            live = {step.get("name") for step in program["steps"]}
            givens = [{name: again(rng) for name, again in author.draws.items() if name in live}]
            questions.append({"ask": "run", "program": program, "givens": givens, "steps": [as_question(s) for s in computed(author.trace)]})
        for author, question, answer in zip(authors, questions, ask(folder, questions), strict=True):
            seen["programs"] += 1
            for step, out in zip(computed(author.trace), answer["steps"], strict=True):
                check_operation(step, out)
                seen[step.op] += 1
            for given, run in zip([{}, *question["givens"]], answer["runs"], strict=False):  # refused at once: there is no second run
                seen += check_run(question["program"], given, run)
    return seen


def hold(seen):
    print(dict(seen))
    assert set(OPERATIONS) - {"note"} <= set(seen), "an operation that no program used"
    assert seen["noise"] + seen["wild"] + seen["overflow"] <= MOST_EXCEPTIONS * seen["runs"], seen
    assert seen["noise, exact"] <= MOST_EXCEPTIONS * seen["values"], seen
    assert seen["refused"] <= 0.25 * seen["runs"], seen  # a refused run compares little


def test_random_programs(tmp_path):
    hold(check_programs(tmp_path, 100))


@pytest.mark.slow
def test_many_random_programs(tmp_path):
    hold(check_programs(tmp_path, MANY))


def test_what_a_traced_mask_strikes_out_on_either_track(tmp_path):
    trace = Trace()
    x = trace.given("x", [0.90997, 0.2])  # it is below 0.91, and written it is not
    kept = trace("kept", np.where(trace("written", x) < 0.91, x, -np.inf))
    trace("exp", np.exp(trace("shifted", kept - kept.max())))
    givens = [{"x": [0.9, 0.95]}, {"x": [0.9104, 0.2]}, {"x": [0.90997, 0.90996]}, {"x": [0.95, 0.95]}]
    [answer] = ask(tmp_path, [{"ask": "run", "program": trace.program(), "givens": givens}])
    seen = [check_run(trace.program(), given, run) for given, run in zip([{}, *givens], answer["runs"], strict=True)]
    assert [run["refused"] for run in seen] == [0, 0, 0, 1, 1]  # where nothing is kept, an infinity is taken from itself


# ---- numbers with limits


def limited_programs():
    """Those of the labs and of the chapters that have some."""
    for lab in (BitsLab, CacheLab, DiceLab, KeepLab, MaskLab, ModernLab, PagesLab, PatchLab, RingLab, SamplingLab, SparseLab, StateLab):
        for number, variant in enumerate(lab().variants):
            yield f"{lab.__name__} {number}", variant.worked.trace.program()
    for name, program in book_programs():
        if any(set(LIMITS) & set(step) for step in program["steps"] if step["op"] == "given"):
            yield name, program


@pytest.mark.slow
def test_a_number_with_limits_is_taken_or_refused_alike_in_the_same_words(tmp_path):
    programs, rng = dict(limited_programs()), np.random.default_rng(3)
    questions = [{"ask": "run", "program": p, "givens": list(bounded(p, rng))} for p in programs.values()]
    seen = Counter()
    for program, question, answer in zip(programs.values(), questions, ask(tmp_path, questions), strict=True):
        for given, run in zip([{}, *question["givens"]], answer["runs"], strict=True):
            seen += check_run(program, given, run, digits=True)
    assert seen["outside"] > seen["runs"] / 10 and seen["values"] > seen["runs"], seen


# ---- the book's own programs


def block_program(slopes=False):
    trace = Trace()
    out = block(trace.given("x", examples.ROWS, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
    if slopes:
        backward(trace("loss", (out * trace.given("pull", examples.ROWS)).sum()))
    return trace.program()


def book_programs():
    yield "block", block_program()
    yield "block and its slopes", block_program(slopes=True)
    for path in (source.with_suffix(".ipynb") for source in chapter_sources(ROOT / "notebooks")):
        for run, stored in Published.read(path).content["runs"].items():
            yield f"{chapter_number(path)} {run or 'main'}", stored["program"]


def redrawn(program, draws, rng):
    """Other givens, so many of each kind: one number of one grid changed, all nudged by hundredths, all drawn again; ids among themselves,
    and counts to counts."""
    steps = program["steps"]
    ids = {step["args"][1] for step in steps if step["op"] == "take"}
    value = {i: floats(step["value"], step["shape"]) for i, step in enumerate(steps) if step["op"] == "given"}
    counts = {i for i in value if "whole" in steps[i]}
    divided = {i for i in value if steps[i]["name"] in {step.get("divides") for step in steps}}

    def other(i, v, draw):
        if i in counts:  # one that is divided stays, or nearly every draw would be refused
            return v if {"most", "divides"} & set(steps[i]) or i in divided else v + rng.integers(0, 30, v.shape)
        return shuffled(v, rng) if i in ids else within(i, draw(v))

    def within(i, v):  # where a number has limits, inside them
        return np.clip(v, steps[i].get("least", -np.inf), steps[i].get("most", np.inf))

    free = [i for i in value if i not in ids | counts]  # a run of counts alone has none
    for _ in range(draws):
        alone = {}
        if free:
            one = int(rng.choice(free))
            changed = value[one].copy()
            changed.flat[rng.integers(changed.size)] += rng.integers(-30, 31) / 10
            alone = {steps[one]["name"]: within(one, changed)}
        yield alone
        yield {steps[i]["name"]: other(i, v, lambda v: v + rng.integers(-50, 51, v.shape) / 100) for i, v in value.items()}
        yield {steps[i]["name"]: other(i, v, lambda v: drawn_anew(v, rng)) for i, v in value.items()}


def bounded(program, rng):
    """One given number with limits at a time, changed to some that fit and to some that do not."""
    for step in program["steps"]:
        if step["op"] == "given" and set(LIMITS) & set(step):
            value = floats(step["value"], step["shape"])
            for far in (-3, -0.5, 0.5, 1, *rng.integers(2, 90, 3), 1e8, np.inf):
                yield {step["name"]: np.where(rng.permutation(value.size).reshape(value.shape) == 0, value + far, value)}


def drawn_anew(v, rng):  # where each number is a chance, chances again
    return rng.uniform(0.01, 1, v.shape) if ((v > 0) & (v < 1)).all() else rng.normal(size=v.shape)


def shuffled(ids, rng):
    return rng.permutation(ids.ravel()).reshape(ids.shape)


def hold_the_book(folder, draws):
    programs = dict(book_programs())
    assert "block" in programs and any(name.startswith("05") for name in programs) and any(name.startswith("06") for name in programs)
    questions = [{"ask": "run", "program": p, "givens": list(redrawn(p, draws, np.random.default_rng(6)))} for p in programs.values()]
    total = Counter()
    for (name, program), question, answer in zip(programs.items(), questions, ask(folder, questions), strict=True):
        seen = Counter()
        for given, run in zip([{}, *question["givens"]], answer["runs"], strict=True):
            seen += check_run(program, given, run, digits=True)
        assert seen["runs"] == 1 + 3 * draws and not seen["wild"] + seen["overflow"] + seen["outside"], (name, seen)
        assert seen["refused"] <= 2 * draws, (name, seen)  # a loss refuses the logarithm of a chance below 0, on both sides
        total += seen
    assert total["noise"] <= MOST_EXCEPTIONS * total["runs"], total  # among few runs that is none


@pytest.mark.slow
def test_every_program_of_the_book_with_redrawn_givens(tmp_path):
    hold_the_book(tmp_path, draws=1)


@pytest.mark.slow
def test_every_program_of_the_book_with_many_givens(tmp_path):
    hold_the_book(tmp_path, draws=10)


def same_digits(here, there):
    return all(show(x) == show(y) for x, y in zip(here.ravel().tolist(), there.ravel().tolist(), strict=True) if x != y)
