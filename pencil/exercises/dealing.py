"""Fresh numbers: a seed deals a sheet that can be worked on paper, and that no rounding can make doubtful."""

import math
from functools import cache

import numpy as np

from pencil.exercises.topics import FULL, GAIN, PLAIN, SMALL, TOPICS, TRUTH
from pencil.note import GRAD
from pencil.random import Mulberry32
from pencil.reference import layer_norm
from pencil.rounding import FIGURES, PLACES
from pencil.trace import Trace

HIGHEST, MOST = 3, 12  # a given number; a score
WHOLES = 2 * HIGHEST + 1  # from −3 to 3
SMALLEST_WEIGHT = 0.02
SMALLEST_SLOPE = 0.005  # a smaller one is written as 0 or nearly so, and hides what is multiplied by it
FROM_A_TIE = 1e-6
APART = 0.01  # so far at most a number on paper lies from the true one; of a number beyond ten, a thousandth of it
SHEETS = 10_007  # so many seeds in a row deal so many different sheets; no multiple of 2 or 3, or the seed would say what the digits add up to
TRIES = 100_000
WEIGHTS, GATES, SCORES, VALUE = ("weights",), ("forget_gate", "input_gate", "output_gate", "prob"), ("scores", "scaled"), "value"
PROJECTIONS = ("query", "key", "value", "candidate")  # of zeros alone they say nothing
ALIKE = (("error", f"{GRAD}.logit"), ("short_way", f"{GRAD}.scaled"))  # a short rule, and the whole walk: on paper they give the same digits


def deal(topic, seed):  # str, whole number -> Trace
    """The worked sheet of a seed: the first of its throws that keeps the rules. The same on every machine, and in the page.

    Its plain numbers bear the seed (see `bears`), so no two that are nearer than SHEETS deal one sheet.
    Given entries are whole and from −3 to 3, no score is beyond ±12, every weight and gate lies between 0.02 and 0.98, no projection is all
    0, the values do not cancel, no number that is written down is within a millionth of a rounding tie, and none lies farther than 0.01,
    or beyond ten a thousandth of itself, from what it would be without rounding. No slope is nearly 0, and where there are a short way
    and a long one to it, both give the same digits. Raises ValueError for a topic that there is not.
    """
    if topic not in TOPICS:
        raise ValueError(f"there is no sheet on {topic!r}; take one of {', '.join(TOPICS)}")
    kind, rng = TOPICS[topic], Mulberry32(seed)
    numbers = {name: np.empty(given.shape) for name, given in kind.givens.items()}  # each throw is written over the last
    compute = kind.build(numbers)
    for _ in range(TRIES):
        _draw(kind, rng, seed, numbers)
        if _can_be_normalized(numbers.get(kind.normalized)) and _promises(compute):
            trace = _traced(kind, numbers)
            if fits(trace):
                return trace
    raise ValueError(f"seed {seed} deals no sheet on {topic} in {TRIES} throws; take another")


def _draw(topic, rng, seed, numbers):
    """Draw the numbers of the sheet, and write them over the last ones."""
    left = seed % SHEETS + SHEETS * rng.randint(0, _sheets(topic) // SHEETS - 1)  # the digits that are still to be dealt
    for name, given in topic.givens.items():
        if given.how == PLAIN:
            for at in np.ndindex(given.shape):
                left, digit = divmod(left, WHOLES)
                numbers[name][at] = digit - HIGHEST
        else:
            numbers[name].flat = _params(given.how, numbers[name].size, rng.randint)


def _sheets(topic):  # -> how many sheets differ in their plain numbers
    plain = sum(math.prod(given.shape) for given in topic.givens.values() if given.how == PLAIN)
    assert WHOLES**plain >= SHEETS, f"{topic.title}: {plain} plain numbers make {WHOLES**plain} sheets, fewer than {SHEETS}; deal more of them"
    return WHOLES**plain


def bears(topic, numbers):  # str, {name: array} -> whole number below SHEETS
    """What a sheet tells of its seed: its plain numbers, each a digit in base seven, the first of them the lowest, are one whole
    number, and that leaves the same as the seed when it is divided by SHEETS.
    """
    digits = [x + HIGHEST for name, given in TOPICS[topic].givens.items() if given.how == PLAIN for x in np.ravel(numbers[name]).tolist()]
    return sum(int(digit) * WHOLES**k for k, digit in enumerate(digits)) % SHEETS


def _promises(compute):  # -> bool: a quick look, before all is traced
    paper = {}
    try:
        with np.errstate(divide="ignore", invalid="ignore"):  # a spread that is 0 on paper
            compute(lambda name, value: paper.setdefault(name, _roughly_on_paper(_good(name, value))))  # most ties are met there
            compute(lambda name, value: _near(name, _good(name, value), paper[name]))
    except ValueError:  # a rule is broken; a flat row, a power beyond what a float holds
        return False
    return True


def _can_be_normalized(rows):  # each row for itself, and there are not many: most throws of a sheet with a LayerNorm end here
    return rows is None or all(_row_can(tuple(row)) for row in rows.tolist())


@cache
def _row_can(row):
    return _promises(lambda note: layer_norm(np.array(row), note=note))


def _good(name, value):  # a value that keeps the rules. Raises ValueError for another
    if name.startswith(f"{GRAD}."):
        return _good_slope(name, value)
    last = name.rpartition(".")[2]
    broken = (
        not np.isfinite(value).all()
        or (last in SCORES and np.abs(value).max() > MOST)
        or (last == "scores" and (np.abs(value.sum(-1)) <= FROM_A_TIE).any())  # [2, −2] halved is what comes out of standardising
        or (last in PROJECTIONS and not np.any(value, axis=-1).all())
        or (last == VALUE and np.abs(value.sum(-2)).max() <= FROM_A_TIE)  # what cancels has one sum and average: 0
        or (last in WEIGHTS + GATES and not _all_count(value))
        or (last in WEIGHTS and np.ptp(value, axis=-1).max() <= SMALLEST_WEIGHT)  # all rows are even
        or _near_tie(value)
    )
    if broken:
        raise ValueError(f"{name} breaks a rule of the sheets: {np.asarray(value).tolist()}")
    return value


def _good_slope(name, value):
    cancel = name == f"{GRAD}.weights" and np.abs(value.sum(-1)).min() <= SMALLEST_SLOPE  # their sum and their plain average are 0
    if np.abs(value).min() <= SMALLEST_SLOPE or cancel or _near_tie(value):
        raise ValueError(f"{name} breaks a rule of the slopes: {np.asarray(value).tolist()}")
    return value


def _near(name, exact, paper):  # an exact value whose paper digits are near it. Raises ValueError for another
    if (np.abs(exact - paper) > np.maximum(APART, APART / 10 * np.abs(exact)) + FROM_A_TIE).any():
        raise ValueError(f"{name} is {np.asarray(paper).tolist()} on paper and {np.asarray(exact).tolist()} in truth")
    return exact


def _all_count(weights):
    return weights.min() >= SMALLEST_WEIGHT and weights.max() <= 1 - SMALLEST_WEIGHT


def _traced(topic, numbers):
    trace = Trace()
    topic.run({name: trace.given(name, numbers[name], words=given.words) for name, given in topic.givens.items()}, trace)
    return trace


def _params(how, count, whole):  # str, how many, whole(low, high) -> that many
    if how == GAIN:  # a zero would wipe out what was normalized
        return [whole(1, HIGHEST) for _ in range(count)]
    if how == SMALL:
        return [whole(-1, 1) for _ in range(count)]
    if how == FULL:
        return [(1 - 2 * whole(0, 1)) * whole(1, 2) for _ in range(count)]
    if how == TRUTH:
        return [whole(0, 1) for _ in range(count)]
    return [0 if whole(0, 2) else whole(-2, 2) for _ in range(count)]  # two of three are 0, and the others small, or no score would stay small


def fits(trace):  # Trace -> bool
    """Does every value keep the rules, exactly and on paper?"""
    try:
        for name, value in trace.names.items():
            if value.op != "given":  # a given matrix may well have a row of zeros
                _near(name, _good(name, value.exact), value.paper)
                _good(name, value.args[0].paper if value.op == "note" else value.paper)  # before it is rounded
    except ValueError:
        return False
    return all(_alike(trace, *names) for names in ALIKE)


def _alike(trace, short, whole):
    return whole not in trace.names or short not in trace.names or np.array_equal(trace.names[short].paper, trace.names[whole].paper)


def _near_tie(numbers):
    """Is a number within a millionth of one that lies half-way between two written ones, or too long to write on a sheet?"""
    x = np.abs(numbers)
    scale = _scale(x)
    return x.max() >= 10.0 ** (FIGURES - 1) or bool((np.abs(x * scale % 1 - 0.5) <= FROM_A_TIE * scale).any())


def _scale(x):  # of numbers from 0 on: ten to as many as each is written with decimals
    if x.max() < 10:  # most of them: what follows is slow
        return 10.0**PLACES
    return 10 ** np.clip(FIGURES - 1 - np.floor(np.log10(np.maximum(x, 1))), 0, PLACES)


def _roughly_on_paper(value):  # what no tie is near needs no care to round
    scale = _scale(np.abs(value))
    return np.floor(value * scale + 0.5) / scale
