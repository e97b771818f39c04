"""Sheets: dealt by the rules, the same every time, and every one another."""

import os
from itertools import product

import numpy as np
import pytest

from pencil.kata.deal import deal, fits
from pencil.kata.topics import TOPICS
from pencil.trace import Trace, still_true
from pencil.worked import Worked

SEEDS = {"softmax": 60, "layernorm": 60, "attention": 40, "block": 4, "lstm": 20}
MANY = int(os.environ.get("PENCIL_SHEETS", 0))  # how many seeds of each topic, in place of those below
HUNDREDS = {"softmax": 300, "layernorm": 300, "attention": 300, "block": 60, "lstm": 300}
SMALL = ("softmax", "layernorm")  # so few numbers are given that the same ones are dealt again


def halfway(x):  # the digits of a number, as a reader sees them: is what follows the last written one a five and nothing else?
    digits = f"{abs(x):.12f}"
    places = 3 if abs(x) < 10 else 2 if abs(x) < 100 else 1
    rest = digits.split(".")[1][places:]
    return abs(int(rest) / 10 ** len(rest) - 0.5) * 10.0**-places <= 1e-6


def hold_the_rules(trace):
    for name, value in trace.names.items():
        last = name.rpartition(".")[2]
        if value.op == "given":
            assert np.array_equal(value.exact, np.round(value.exact)) and np.abs(value.exact).max() <= 3
        if last in ("scores", "scaled"):
            assert np.abs(value.exact).max() <= 12
        if last == "weights":
            assert value.exact.min() >= 0.02 and value.exact.max() <= 0.98
        if last == "value" and value.op != "given":  # or their sum and their average would be one number
            assert np.abs(value.exact.sum(-2)).max() > 1e-6
        if value.op == "note":
            for x in (*value.args[0].exact.ravel(), *value.args[0].paper.ravel()):
                assert not halfway(float(x)), (name, x)


def hold_seeds(topic, seeds):
    sheets = set()
    for seed in seeds:
        trace = deal(topic, seed)
        hold_the_rules(trace)
        assert fits(trace)
        sheets.add(tuple(np.concatenate([value.exact.ravel() for value in trace.names.values() if value.op == "given"]).tolist()))
        sheet = Worked(trace, TOPICS[topic].labels)
        assert all(sheet.lines(reference) for reference in TOPICS[topic].asks)
    return sheets


@pytest.mark.parametrize("topic", TOPICS)
def test_every_sheet_keeps_the_rules(topic):
    hold_seeds(topic, range(SEEDS[topic]))


def all_sheets(topic):
    """Every sheet that there is of a topic with few given numbers: all throws of them that keep the rules."""
    ((name, given),) = TOPICS[topic].givens.items()
    found = set()
    for numbers in product(range(-3, 4), repeat=given.shape[-1]):
        trace = Trace()
        try:
            TOPICS[topic].run({name: trace.given(name, [numbers], words=given.words)}, trace)
        except ValueError:  # a flat row
            continue
        if fits(trace):
            found.add(numbers)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_many_seeds(topic):
    seeds = MANY or HUNDREDS[topic]
    sheets = hold_seeds(topic, range(seeds))
    if topic not in SMALL:
        assert len(sheets) >= 0.98 * seeds
        return
    pool = all_sheets(topic)
    assert sheets <= pool
    assert len(sheets) >= 0.95 * len(pool) * (1 - (1 - 1 / len(pool)) ** seeds)  # as many different ones as fair dice deal


@pytest.mark.parametrize("topic", ["softmax", "layernorm", "lstm"])
def test_a_sheet_is_the_reference_on_its_numbers(topic):
    trace = deal(topic, 11)
    assert still_true(TOPICS[topic].run, trace) > 0


def test_a_seed_deals_one_sheet_for_ever():
    assert deal("softmax", 7).names["scaled"].exact.tolist() == deal("softmax", 7).names["scaled"].exact.tolist() == GOLDEN["softmax"]
    assert deal("layernorm", 7).names["x"].exact.tolist() == GOLDEN["layernorm"]
    assert deal("attention", 7).names["stick"].exact.tolist() == GOLDEN["attention"]


GOLDEN = {"softmax": [[1.0, 1.0, 3.0]], "layernorm": [[0.0, -2.0, 2.0, 2.0]], "attention": [[2.0, 0.0, 0.0, 1.0], [3.0, -1.0, -1.0, -1.0]]}


def test_what_is_no_topic_and_no_seed():
    with pytest.raises(ValueError, match="there is no sheet on 'heads'; take one of softmax, layernorm, attention, block, lstm"):
        deal("heads", 1)
    with pytest.raises(ValueError, match="take a whole number from 0 to 4294967295"):
        deal("softmax", -1)


def test_numbers_that_break_a_rule_do_not_fit():
    for scores, why in (([[3, 3, 3]], "even"), ([[-3, 3, 0]], "a share of 0.002")):
        trace = Trace()
        TOPICS["softmax"].run({"scaled": trace.given("scaled", scores)}, trace)
        assert not fits(trace), why
