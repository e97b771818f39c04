"""Fresh numbers: a seed deals a sheet that can be worked on paper, and that no rounding can make doubtful."""

import math

import numpy as np

from pencil.kata.dice import Dice
from pencil.kata.topics import GAIN, PLAIN, SMALL, TOPICS
from pencil.rounding import FIGURES, PLACES
from pencil.trace import Trace

HIGHEST, MOST = 3, 12  # a given number; a score
WHOLES = 2 * HIGHEST + 1  # from −3 to 3
SMALLEST_SHARE = 0.02
FROM_A_TIE = 1e-6
SHEETS = 10_007  # so many seeds in a row deal so many different sheets; no multiple of 2 or 3, or the seed would say what the digits add up to
TRIES = 100_000
SHARES, VOTES, SCORES, GIVE = ("weights",), ("keep", "admit", "show"), ("scores", "scaled"), "value"
TAGS = ("query", "key", "value", "candidate")  # of noughts alone they say nothing


def deal(topic, seed):  # str, whole number -> Trace
    """The worked sheet of a seed: the first of its throws that keeps the rules. The same on every machine, and in the page.

    Its plain numbers bear the seed (see `bears`), so no two that are nearer than SHEETS deal one sheet.
    Given entries are whole and from −3 to 3, no score is beyond ±12, every share and vote lies between 0.02 and 0.98, no tag is all
    0, the GIVEs do not cancel, and no number that is written down is within a millionth of a rounding tie. Raises
    ValueError for a topic that there is not.
    """
    if topic not in TOPICS:
        raise ValueError(f"there is no sheet on {topic!r}; take one of {', '.join(TOPICS)}")
    dice = Dice(seed)
    for _ in range(TRIES):
        numbers = _throw(TOPICS[topic], dice, seed)
        if _promises(TOPICS[topic], numbers):
            trace = _traced(TOPICS[topic], numbers)
            if fits(trace):
                return trace
    raise ValueError(f"seed {seed} deals no sheet on {topic} in {TRIES} throws; take another")


def _throw(topic, dice, seed):  # -> {name: array}
    plain = sum(math.prod(given.shape) for given in topic.givens.values() if given.how == PLAIN)
    left = seed % SHEETS + SHEETS * dice.whole(0, WHOLES**plain // SHEETS - 1)  # the digits that are still to be dealt
    thrown = {}
    for name, given in topic.givens.items():
        entries = []
        for _ in range(math.prod(given.shape)):
            if given.how == PLAIN:
                left, digit = divmod(left, WHOLES)
                entries.append(digit - HIGHEST)
            else:
                entries.append(_dial(given.how, dice))
        thrown[name] = np.array(entries, float).reshape(given.shape)
    return thrown


def bears(topic, numbers):  # str, {name: array} -> whole number below SHEETS
    """What a sheet tells of its seed: its plain numbers, each a digit in base seven, the first of them the lowest, are one whole
    number, and that leaves the same as the seed when it is divided by SHEETS.
    """
    digits = [x + HIGHEST for name, given in TOPICS[topic].givens.items() if given.how == PLAIN for x in np.ravel(numbers[name]).tolist()]
    return sum(int(digit) * WHOLES**k for k, digit in enumerate(digits)) % SHEETS


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
        or (last in TAGS and not np.any(value, axis=-1).all())
        or (last == GIVE and np.abs(value.sum(-2)).max() <= FROM_A_TIE)  # what cancels has one sum and average: 0
        or (last in SHARES + VOTES and not _all_count(value))
        or (last in SHARES and np.ptp(value, axis=-1).max() <= SMALLEST_SHARE)  # all rows are even
        or _near_tie(value)
    )
    if broken:
        raise ValueError(f"{name} breaks a rule of the sheets: {np.asarray(value).tolist()}")
    return value


def _all_count(shares):
    return shares.min() >= SMALLEST_SHARE and shares.max() <= 1 - SMALLEST_SHARE


def _traced(topic, numbers):
    trace = Trace()
    topic.run({name: trace.given(name, numbers[name], words=given.words) for name, given in topic.givens.items()}, trace)
    return trace


def _dial(how, dice):
    if how == GAIN:  # a nought would wipe out what was tamed
        return dice.whole(1, HIGHEST)
    if how == SMALL:
        return dice.whole(-1, 1)
    return 0 if dice.whole(0, 2) else dice.whole(-2, 2)  # two of three are 0, and the others small, or no score would stay small


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
