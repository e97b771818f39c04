"""Fresh numbers: a seed deals a sheet that can be worked on paper, and that no rounding can make doubtful."""

import math

import numpy as np

from pencil.kata.dice import Dice
from pencil.kata.topics import GRID, TOPICS
from pencil.rounding import FIGURES, PLACES
from pencil.trace import Trace

HIGHEST, MOST = 3, 12  # a given number; a score
SMALLEST_SHARE = 0.02
FROM_A_TIE = 1e-6
TRIES = 100_000
SHARES, SCORES, TAGS, GIVE = ("weights",), ("scores", "scaled"), ("query", "key", "value"), "value"


def deal(topic, seed):  # str, whole number -> Trace
    """The worked sheet of a seed: the first of its throws that keeps the rules. The same on every machine, and in the page.

    Given entries are whole and from −3 to 3, no score is beyond ±12, every share lies between 0.02 and 0.98, no tag is all
    0, the GIVEs do not cancel, and no number that is written down is within a millionth of a rounding tie. Raises
    ValueError for a topic that there is not.
    """
    if topic not in TOPICS:
        raise ValueError(f"there is no sheet on {topic!r}; take one of {', '.join(TOPICS)}")
    dice = Dice(seed)
    for _ in range(TRIES):
        numbers = _throw(TOPICS[topic], dice)
        if _promises(TOPICS[topic], numbers):
            trace = _traced(TOPICS[topic], numbers)
            if fits(trace):
                return trace
    raise ValueError(f"seed {seed} deals no sheet on {topic} in {TRIES} throws; take another")


def _throw(topic, dice):  # -> {name: array}
    return {
        name: np.array([_entry(given.how, dice) for _ in range(math.prod(given.shape))], float).reshape(given.shape)
        for name, given in topic.givens.items()
    }


def _promises(topic, numbers):  # -> bool: a quick look, before all is traced
    try:
        topic.run(numbers, _good)
        topic.run(numbers, lambda name, value: _roughly_on_paper(_good(name, value)))
    except ValueError:  # a rule is broken; a flat row, a power beyond what a float holds
        return False
    return True


def _good(name, value):  # a value that keeps the rules. Raises ValueError for another
    last = name.rpartition(".")[2]
    broken = (
        (last in SCORES and np.abs(value).max() > MOST)
        or (last in TAGS and not np.any(value, axis=-1).all())  # a tag of noughts says nothing
        or (last == GIVE and np.abs(value.sum(-2)).max() <= FROM_A_TIE)  # what cancels has one sum and average: 0
        or (last in SHARES and not _are_good_shares(value))
        or _near_tie(value)
    )
    if broken:
        raise ValueError(f"{name} breaks a rule of the sheets: {np.asarray(value).tolist()}")
    return value


def _are_good_shares(shares):  # each counts, and some row is not even
    return shares.min() >= SMALLEST_SHARE and shares.max() <= 1 - SMALLEST_SHARE and bool(np.ptp(shares, axis=-1).max() > SMALLEST_SHARE)


def _traced(topic, numbers):
    trace = Trace()
    topic.run({name: trace.given(name, numbers[name], words=given.words) for name, given in topic.givens.items()}, trace)
    return trace


def _entry(how, dice):
    if how == GRID:  # two of three dials are 0, and the others small, or no score would stay small
        return 0 if dice.whole(0, 2) else dice.whole(-2, 2)
    return dice.whole(-HIGHEST, HIGHEST)


def fits(trace):  # Trace -> bool
    """Does every value keep the rules, exactly and on paper?"""
    try:
        for name, value in trace.names.items():
            if value.op != "given":  # a grid may well have a row of noughts
                _good(name, value.exact)
    except ValueError:
        return False
    return not any(_near_tie(value.args[0].paper) for value in trace.names.values() if value.op == "note")


def _near_tie(numbers):
    """Is a number within a millionth of one that lies half-way between two written ones, or too long to write on a sheet?"""
    x = np.abs(np.asarray(numbers, float))
    scale = 10 ** _places(x)
    return x.max() >= 10.0 ** (FIGURES - 1) or bool((np.abs(x * scale % 1 - 0.5) <= FROM_A_TIE * scale).any())


def _places(x):  # of numbers above 0: how many decimals each is written with
    with np.errstate(divide="ignore"):
        return np.where(x < 1, PLACES, np.clip(FIGURES - 1 - np.floor(np.log10(x)), 0, PLACES))


def _roughly_on_paper(value):  # what no tie is near needs no care to round
    scale = 10 ** _places(np.abs(value))
    return np.floor(value * scale + 0.5) / scale
