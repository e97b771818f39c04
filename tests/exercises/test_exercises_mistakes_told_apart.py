"""The mistakes of every worksheet can be told apart, for the seeds of the record."""

import os
from collections import Counter
from dataclasses import replace

import pytest
from hold import hold_the_sheet

from pencil.examples import PAIR, REVIEW
from pencil.exercises import Worksheet, mark
from pencil.exercises.mistakes import MISTAKES, spoils
from pencil.exercises.topics import TOPICS, TWO
from pencil.experiments import records
from pencil.experiments.facts.worksheets import SEEDS, measure, told_apart

FEW = {"softmax": 60, "layernorm": 60, "attention": 40, "lstm": 40, "block": 4, "backward": 12}
QUICK = [pytest.param(topic, marks=pytest.mark.slow) if topic in ("attention", "lstm", "backward") else topic for topic in TOPICS]
MANY = int(os.environ.get("PENCIL_SHEETS", 0))  # how many seeds of each topic, in place of those below
AGAIN = {topic: max(seeds // 50, 60) for topic, seeds in SEEDS.items()}  # of the recorded seeds so many are dealt again
EACH = {"softmax": 400, "layernorm": 300, "attention": 100, "lstm": 100, "block": 60, "backward": 60}  # every word is looked at by itself
LEAST, LEAST_OF_EACH = 0.95, 0.9


def hold(counts, seeds, strays=0):
    """What the sheets of that many seeds have to come to; of few sheets less the strays of a count, which chance alone brings."""
    assert counts["valid"] == counts["different"] == seeds
    for mistake, times in counts["mistakes"].items():
        stray = (times["met"] * LEAST * (1 - LEAST)) ** 0.5
        assert times["told"] >= LEAST * times["met"] - strays * stray, (mistake, times)


@pytest.mark.parametrize("topic", TOPICS)
def test_the_record_holds(topic):
    counts = records.read("worksheets")[topic]
    hold(counts, SEEDS[topic])


def test_every_wrong_turn_of_the_catalogue_is_met():
    recorded = [mistake.split() for topic in TOPICS for mistake in records.read("worksheets")[topic]["mistakes"]]
    met = {(one.value, one.key) for one in MISTAKES for name, key in recorded if key == one.key and spoils(one, name)}
    words = {*REVIEW, *PAIR, *TWO}
    asked_for = {ask.partition(".")[2] if ask.partition(".")[0] in words else ask for topic in TOPICS.values() for ask in topic.asks}
    of_two = {("pooled", "one_less")}  # of two words, one less is one: that is the sum, which was not divided
    no_bias_there = {("hidden", "no_bias")}  # on no worksheet has that layer a bias
    no_mask_there = {("weights", key) for key in ("forgot_mask", "masked_after", "masked_with_zero")}
    no_rnn_there = {("hidden", key) for key in ("sigmoid_for_tanh", "not_crushed")}
    not_there = of_two | no_bias_there | no_mask_there | no_rnn_there
    assert (
        met
        == {(mistake.value, mistake.key) for mistake in MISTAKES if any(spoils(mistake, name) for name in asked_for) and not mistake.far} - not_there
    )


@pytest.mark.parametrize("topic", QUICK)
def test_the_first_sheets_have_the_recorded_mistakes_and_tell_them_apart(topic):
    counts = measure({topic: FEW[topic]})[topic]
    recorded = records.read("worksheets")[topic]["mistakes"]
    assert counts["valid"] == counts["different"] == FEW[topic] and counts["mistakes"].keys() <= recorded.keys()
    met, told = (sum(times[what] for times in counts["mistakes"].values()) for what in ("met", "told"))
    assert told >= LEAST * met > 0


@pytest.mark.slow
@pytest.mark.parametrize("topic", QUICK)
def test_a_mistake_that_is_told_apart_is_named_by_the_marks(topic):
    for seed in range(FEW[topic] // 4):
        sheet = Worksheet(topic, seed)
        apart = [place for place, is_apart in told_apart(sheet).items() if is_apart]
        assert apart
        exercises = {asked: sheet.exercise(asked) for asked, _ in apart}
        for asked, key in apart:
            exercise = exercises[asked]
            says = mark(exercise, list(exercise.known(key).numbers.exact))
            assert says.wrong == key and not says.right, (seed, asked, key, says)


def test_what_two_mistakes_give_alike_is_not_told_apart():
    sheet = Worksheet("softmax", 7)
    assert all(told_apart(sheet).values())
    exercise = sheet.exercise("first.exp_sum")
    twins = tuple(replace(exercise.mistakes[0], key=key) for key in "ab")
    sheet.asks, sheet.exercise = ("first.exp_sum",), lambda asked, far: type(exercise)(exercise.right, twins)
    assert told_apart(sheet) == {("first.exp_sum", "a"): False, ("first.exp_sum", "b"): False}


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_the_seeds_are_dealt_again(topic):
    seeds = MANY or AGAIN[topic]
    hold(measure({topic: seeds}, also=hold_the_sheet)[topic], seeds, strays=0 if MANY else 2)


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_no_word_has_a_mistake_that_is_often_taken_for_another(topic):
    met, told = Counter(), Counter()
    for seed in range(MANY or EACH[topic]):
        apart = told_apart(Worksheet(topic, seed))
        met.update(apart.keys())
        told.update(place for place, is_apart in apart.items() if is_apart)
    assert met
    for place, times in met.items():
        assert told[place] >= LEAST_OF_EACH * times, (place, told[place], times)
