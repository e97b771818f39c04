"""Random programs in fractions, against sympy."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

from pencil.trace import TraceError
from pencil.trace.logarithm import Log
from pencil.trace.readings import NumberSystem, evaluate

sys.path.append(str(Path(__file__).resolve().parents[1] / "web"))

from engine_programs import MANY, Author


class Sympy(NumberSystem):
    """Its numbers and its functions. A mask beside a number counts as 0 and 1."""

    def run(self, step, args):
        as_mask = step.op in ("where", "gather", "note")
        return super().run(step, [a if as_mask or a.dtype != bool else TO_SYMPY(a) for a in args])


def each(f):
    return np.vectorize(f, otypes=[object])


FUNCTIONS = {name: each(getattr(sympy, name)) for name in ("exp", "log", "sqrt", "tanh", "sin", "cos")}
SYMPY = Sympy("sympy", read=lambda x: TO_SYMPY(x), constant=lambda x: x if x.dtype == bool else TO_SYMPY(x), rules=FUNCTIONS | {
    "log": each(lambda x: sympy.log(x) if x != 0 else -sympy.oo),  # of 0 it says an infinity without a sign
    "tanh": each(lambda x: sympy.tanh(x).rewrite(sympy.exp)),  # so that tanh(ln 2) becomes 3/5
    "absolute": each(sympy.Abs),
    "rint": each(lambda x: sympy.Integer(round(Fraction(int(x.p), int(x.q))))),
    "mean": lambda x, axis, keepdims: np.sum(x, axis=axis, keepdims=keepdims) / sympy.Integer(int(np.prod([x.shape[a] for a in axis]))),
    "argsort": lambda x, axis: TO_SYMPY(np.argsort(x, axis[0], kind="stable")),
})  # fmt: skip


def to_sympy(x):
    if isinstance(x, Log):
        return sympy.log(to_sympy(x.of)) if x.of else -sympy.oo
    if isinstance(x, Fraction):
        return sympy.Rational(x.numerator, x.denominator)
    return x if isinstance(x, sympy.Basic) else -sympy.oo if x == -np.inf else sympy.Rational(str(x) if isinstance(x, float) else int(x))


TO_SYMPY = each(to_sympy)


def held_against_sympy(seed):  # -> how many named values were equal
    """A random program of the whole language on fractions, worked here and by sympy; what is refused here is left."""
    trace, rng, equal = Author(seed).write().trace, np.random.default_rng(seed), 0
    given = {}
    for name, step in trace.names.items():
        if step.op == "given" and not name.startswith("ids"):
            parts = [Fraction(int(a), int(b)) for a, b in zip(rng.integers(-6, 7, step.size), rng.integers(1, 6, step.size), strict=True)]
            given[name] = np.array([*parts, None], object)[:-1].reshape(step.shape)
    ours, done = trace.fractions(given), {trace.names[name].id: TO_SYMPY(x) for name, x in given.items()}
    for name, step in trace.names.items():
        try:
            here = ours.numbers(step)
        except (TraceError, ValueError):  # an irrational step, or an id that is no row
            continue
        there = evaluate(step, SYMPY, done)
        for x, y in zip(here.ravel().tolist(), there.ravel().tolist(), strict=True):
            assert sympy.simplify(to_sympy(x) - y) == 0 if np.isfinite(float(x)) else y == -sympy.oo, (seed, name, x, y)
        equal += step.op == "note"
    return equal


def test_random_programs_against_a_computer_algebra_system():
    assert sum(held_against_sympy(seed) for seed in range(40)) > 150


@pytest.mark.slow
def test_many_random_programs_against_a_computer_algebra_system():
    assert sum(held_against_sympy(seed) for seed in range(MANY // 10)) > 4 * (MANY // 10)
