"""Python's worked lines of a run, for testing the browser's; and random new inputs."""

import json
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
from node_runner import find_node, plain

from pencil.rounding import as_given
from pencil.trace import Trace
from pencil.trace.names import positions
from pencil.worked import Worked, export, html
from pencil.worked.fragments import exact_digits
from pencil.worked.lines import YES_OR_NO
from pencil.worked.origin import operands, source
from pencil.worked.writer import rows

HERE = Path(__file__).resolve().parent
LAYOUTS = (None, "number", "row")


# ---- what Python writes


def behind(array):
    return array.args[0] if array.op == "note" else array


def in_the_page(html_text):
    """The lines as the page's script writes them: what opens on a number is asked for when it is pointed at, see `numbers`."""
    return re.sub(r' data-(?:more|(?:label|exact)="[^"]*")', "", html_text)


def opened(worked, value, unrounded):
    """The card of a number, a row or a grid; `unrounded` writes the same run with nothing rounded on the way."""
    lines = worked._lines(value, "row") if np.ndim(value.exact) else [moved(worked, value)]
    card = {
        "name": worked.label_of(value),
        "exact": exactly(value.exact),
        "isCut": any(exact_digits(x) != as_given(x) for x in np.ravel(value.exact).tolist()),
        "given": value.array.op == "given",
        "text": worked.row(as_reference(value)),
        "isRounded": unrounded.row(as_reference(value)) != worked.row(as_reference(value)),
        "html": [in_the_page(html(line)) for line in lines],
    }
    return {"opened": card}


def exactly(exact):
    """Exact digits, rows in brackets."""
    return f"[{', '.join(map(exactly, exact))}]" if np.ndim(exact) else exact_digits(float(exact))


def moved(worked, value):
    """The line of one number, which says where the number stood before if it was only moved here."""
    array, at = source(behind(value.array), value.index)
    answers = array.op in YES_OR_NO
    parts = [] if value.array.op == "given" else operands(array, at) if answers else [(array, at)]
    made = [f for part in parts for f in worked._writer.sum(*part)[0] if not isinstance(f, str)]
    if len(made) == 1 and not answers and len(worked._chain(value)) == 1:
        return [worked.label_of(value), " = ", worked.label_of(worked.trace.find(made[0].reference.removeprefix(f"{worked.run}."))), " = ", made[0]]
    return worked._line(value)


def writer(trace, way):
    worked = Worked(trace, way["labels"], way["whole"], way["track"], way["run"])
    worked._writer.number = cache(worked._writer.number)  # a number stands in many lines
    return worked


def written(worked, reference, layouts, unrounded):
    value, whole = worked.trace.find(reference), reference in worked.trace.names
    shown = [worked.show(reference, by=by) for by in layouts]
    return {
        "lines": [repr(lines).splitlines() for lines in shown],
        "html": [re.findall(r"<p [^>]*>(.*)</p>", in_the_page(lines._repr_html_())) for lines in shown],
        "sums": sorted(worked.sums(reference), key=len),
        **({"numbers": [vars(n) for n in worked.numbers(reference)], "row": worked.row(reference)} if whole else {}),
        **opened(worked, value, unrounded),
    }


def references(trace):
    """Every named value, the rows of it and the single numbers in it."""
    worked, found = Worked(trace), []
    for name in trace.names:
        value = trace.find(name)
        found += [name, *(worked._writer.reference(value.array, at) for at in positions(value))]
        while len(open_axes := [i for i, k in enumerate(value.index) if isinstance(k, slice)]) > 1:
            found += [as_reference(part) for part in rows(value)]
            value = value.at((*value.index[: open_axes[0]], 0, *value.index[open_axes[0] + 1 :]))
    return list(dict.fromkeys(found))


def as_reference(value):  # scores[0, 1]
    return f"{value.array.name}[{', '.join(':' if isinstance(k, slice) else str(k) for k in value.index)}]".replace(", :]", "]")


# ---- the comparison


def ask(folder, questions):
    """One Node process for all questions, see worked_parity.mjs."""
    asked, answered = folder / "questions.jsonl", folder / "answers.jsonl"
    asked.write_text("".join(json.dumps(plain(q), allow_nan=False) + "\n" for q in questions), encoding="utf-8")
    done = subprocess.run([find_node(), str(HERE / "worked_parity.mjs"), str(asked), str(answered)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in answered.read_text(encoding="utf-8").splitlines()]


def question(trace, ways, draws=(), most=None, one_in=1):
    """What to ask of a run: everything in every layout; of a sample, each named value in one layout.

    - `most`: at most so many of its named values, and of their parts
    - `one_in`: of the parts, such as single numbers, one in so many
    """
    everything = references(trace)
    names, parts = list(trace.names), [r for r in everything if r not in trace.names]
    rng = np.random.default_rng(len(everything))
    if most is not None:
        names, parts = (rng.choice(x, min(most, len(x)), replace=False).tolist() for x in (names, parts))
    if one_in > 1:
        parts = rng.choice(parts, -(-len(parts) // one_in), replace=False).tolist()
    asked = [[name, LAYOUTS if most is None and one_in == 1 else [LAYOUTS[i % 3]]] for i, name in enumerate(names)] + [
        [part, LAYOUTS[:1]] for part in parts
    ]
    labelled = [way | {"labels": Worked(trace, way["labels"]).labels} for way in ways]  # the page has the label of every name that has one
    return {"data": export(Worked(trace)), "ways": labelled, "draws": [{}, *draws], "references": asked}


def compare(folder, questions):  # -> Counter of what was compared
    """Raises AssertionError at the first thing that is written otherwise."""
    seen = Counter()
    for asked, answers in zip(questions, ask(folder, questions), strict=True):
        if "refused" in answers:  # at once, with the numbers that it was written with
            seen += Counter(refused=len(asked["draws"]))
            continue
        for given, answer in zip(asked["draws"], answers, strict=True):
            seen += check(asked, given, answer)
    return seen


def check(asked, given, answer):
    program = asked["data"]["program"]
    if "refused" in answer:  # the engine's tests say that it is right to
        return Counter(refused=1)
    trace, seen = Trace.load(program, shaped(program, given)), Counter(runs=1)
    for way, there in zip(asked["ways"], answer, strict=True):
        worked, unrounded = writer(trace, way), writer(trace, way | {"track": "exact"})
        for (reference, layouts), found in zip(asked["references"], there, strict=True):
            here = json.loads(json.dumps(written(worked, reference, layouts, unrounded)))
            for what, expected in here.items():
                assert found.get(what) == expected, (what, reference, way, given)
            assert set(found) == set(here)
            seen += Counter(lines=sum(map(len, here["lines"])), html=sum(map(len, here["html"])), references=1)
    return seen


def shaped(program, given):
    return {s["name"]: np.reshape(given[s["name"]], s["shape"]) for s in program["steps"] if s["op"] == "given" and s["name"] in given}


# ---- other givens


def redrawn(trace, rng):
    """Numbers as a reader types them: other signs, zeros, whole and broken ones. Ids stay ids, chances chances, and counts as they are."""
    ids = {step.args[1].id for step in trace.steps if step.op == "take"}
    logs = any(step.op == "log" for step in trace.steps)

    def drawn_anew(step):
        if step.attrs.get("whole"):
            return step.exact.ravel()
        if step.id in ids:
            return rng.permutation(step.exact.ravel())
        return chances(rng, step) if logs and step.ndim < 2 else typed(rng, step.exact)

    return {name: drawn_anew(step) for name, step in trace.names.items() if step.op == "given"}


def typed(rng, was):
    kinds = [
        -was, np.round(was), was * 0, was * rng.integers(0, 2, was.shape), rng.integers(-3, 4, was.shape), rng.integers(-6, 7, was.shape) / 2,
        np.round(rng.normal(size=was.shape), 1), np.round(rng.normal(size=was.shape), 3), rng.normal(size=was.shape), was * 1.5,
    ]  # fmt: skip
    return np.ravel(kinds[rng.integers(len(kinds))]).astype(float) + 0.0


def chances(rng, step):
    return (
        rng.integers(0, 2, step.size).astype(float)
        if step.exact.max() == step.exact.min() == 1 or rng.random() < 0.3
        else rng.uniform(0.01, 0.99, step.size)
    )


def drawn(trace, count, seed=0):
    rng = np.random.default_rng(seed)
    return [redrawn(trace, rng) for _ in range(count)]
