"""Generated worksheets: by the rules, reproducible, and distinct."""

from dataclasses import replace

import numpy as np
import pytest
from hold import hold_the_sheet

from pencil.exercises import Worksheet
from pencil.exercises.generation import SHEETS, encoded_seed, generate, is_valid
from pencil.exercises.topics import TOPICS, Given
from pencil.trace import Trace, check_replay
from pencil.worked import Worked

# many more in `test_the_seeds_are_dealt_again`, which is slow
SEEDS = {
    "softmax": 20,
    "layernorm": 15,
    "attention": 15,
    "block": 2,
    "lstm": 8,
    "backward": 6,
}  # thousands in `test_the_seeds_are_dealt_again`, which is slow


@pytest.mark.parametrize("topic", TOPICS)
def test_every_sheet_keeps_the_rules_and_its_key_is_right(topic):
    for seed in range(SEEDS[topic]):
        sheet = Worksheet(topic, seed)
        hold_the_sheet(sheet)
        assert is_valid(sheet.trace)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_sheet_has_its_worked_lines(topic):
    sheet = Worked(generate(topic, 3), TOPICS[topic].labels)
    assert all(sheet.lines(reference) for reference in TOPICS[topic].asks)


def test_what_a_sheet_bears_is_read_off_its_plain_numbers():
    """−3 … 3 are the digits 0 … 6: two sheets that bear different numbers differ, so no two seeds of a window of SHEETS share one."""
    zeros = np.full((2, 4), -3.0)
    assert encoded_seed("softmax", {"scaled": zeros}) == 0
    zeros[0, :3] = [-1, -2, 3]  # the digits 2, 1, 6
    assert encoded_seed("softmax", {"scaled": zeros}) == 2 + 1 * 7 + 6 * 49
    assert SHEETS >= 10_000 and np.gcd(SHEETS, 6) == 1  # 7 leaves 1 by 6: with a factor of 6 the seed would fix what the digits add up to


@pytest.mark.parametrize("topic", ["softmax", "layernorm", "lstm"])
def test_a_sheet_is_the_reference_on_its_numbers(topic):
    trace = generate(topic, 11)
    assert check_replay(TOPICS[topic].run, trace) > 0


def test_a_seed_deals_one_sheet_for_ever():
    assert generate("softmax", 7).names["scaled"].exact.tolist() == generate("softmax", 7).names["scaled"].exact.tolist() == GOLDEN["softmax"]
    assert generate("layernorm", 7).names["x"].exact.tolist() == GOLDEN["layernorm"]
    assert generate("attention", 7).names["embedding"].exact.tolist() == GOLDEN["attention"]


GOLDEN = {
    "softmax": [[1.0, 3.0, 0.0, 2.0], [-3.0, -3.0, -1.0, -2.0]],
    "layernorm": [[2.0, -3.0, -1.0, 2.0], [-2.0, 2.0, -3.0, -3.0]],
    "attention": [[-1.0, 2.0, -1.0, -2.0], [3.0, -3.0, -1.0, -3.0]],
}


def test_what_is_no_topic_and_no_seed():
    with pytest.raises(ValueError, match="there is no sheet on 'heads'; take one of softmax, layernorm, attention, block, lstm, backward"):
        generate("heads", 1)
    with pytest.raises(ValueError, match="take a whole number from 0 to 4294967295"):
        generate("softmax", -1)


def test_a_topic_with_too_few_plain_numbers_deals_nothing(monkeypatch):
    """Three digits in base seven bear 343 seeds and no more."""
    few = replace(TOPICS["softmax"], givens={"scaled": Given((1, 3))})
    monkeypatch.setitem(TOPICS, "softmax", few)
    with pytest.raises(AssertionError, match="Softmax: 3 plain numbers make 343 sheets, fewer than 10007"):
        generate("softmax", 1)


def test_numbers_that_break_a_rule_do_not_fit():
    for scores, why in (([[3, 3, 3]], "even"), ([[-3, 3, 0]], "a share of 0.002")):
        trace = Trace()
        TOPICS["softmax"].run({"scaled": trace.given("scaled", scores)}, trace)
        assert not is_valid(trace), why
