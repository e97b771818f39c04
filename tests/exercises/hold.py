"""Rules for every generated worksheet, tested independently of the generator."""

import numpy as np
from by_pencil import hold_the_key

from pencil.exercises.generation import SHEETS, encoded_seed


def halfway(x):  # whether a number is a rounding tie: its digits after the written ones are a single five
    digits = f"{abs(x):.12f}"
    places = 3 if abs(x) < 10 else 2 if abs(x) < 100 else 1
    rest = digits.split(".")[1][places:]
    return abs(int(rest) / 10 ** len(rest) - 0.5) * 10.0**-places <= 1e-6


def hold_the_rules(trace):
    for name, value in trace.names.items():
        hold_near_the_truth(name, value)
        last = name.rpartition(".")[2] if not name.startswith("grad.") else ""
        if value.op == "given":
            assert np.array_equal(value.exact, np.round(value.exact)) and np.abs(value.exact).max() <= 3
        if last in ("scores", "scaled"):
            assert np.abs(value.exact).max() <= 12
        if last in ("weights", "forget_gate", "input_gate", "output_gate", "prob"):
            assert value.exact.min() >= 0.02 and value.exact.max() <= 0.98
        if last == "candidate":
            assert value.exact.any()
        if last == "value" and value.op != "given":  # or their sum and their average would be one number
            assert np.abs(value.exact.sum(-2)).max() > 1e-6
        if value.op == "note":
            for x in (*value.args[0].exact.ravel(), *value.args[0].paper.ravel()):
                assert not halfway(float(x)), (name, x)


def hold_near_the_truth(name, value):
    """Paper values differ from exact ones by at most 0.01, or agree to four digits."""
    for paper, exact in zip(value.paper.ravel(), value.exact.ravel(), strict=True):
        assert abs(paper - exact) <= 0.01 + 1e-6 or (abs(exact) > 10 and abs(paper / exact - 1) <= 0.001 + 1e-6), (name, paper, exact)
    if name.startswith("grad."):
        assert np.abs(value.exact).min() > 0.005, name


def hold_the_sheet(sheet):
    """The rules, the encoded seed, and the solutions, computed independently."""
    hold_the_rules(sheet.trace)
    assert encoded_seed(sheet.name, {name: sheet.trace.names[name].exact for name in sheet.topic.givens}) == sheet.seed % SHEETS
    hold_the_key(sheet)
