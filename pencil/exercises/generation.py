"""Generate the inputs of a worksheet from a seed, such that it can be computed on paper and rounding cannot change an answer."""

import math
from functools import cache

import numpy as np

from pencil.errors import did_you_mean
from pencil.exercises.topics import FULL, GAIN, PLAIN, SMALL, TOPICS, TRUTH
from pencil.note import GRAD
from pencil.random import Mulberry32
from pencil.reference import layer_norm
from pencil.rounding import FIGURES, PLACES
from pencil.trace import Trace

HIGHEST, MOST = 3, 12  # maximum magnitude of an input, and of a score
WHOLES = 2 * HIGHEST + 1  # number of integers from −3 to 3
SMALLEST_WEIGHT = 0.02
SMALLEST_SLOPE = 0.005  # a smaller gradient is written as almost 0, which hides its factors
FROM_A_TIE = 1e-6
APART = 0.01  # maximum difference between paper and exact values; for values above ten, relative: a thousandth
SHEETS = 10_007  # any so many consecutive seeds give different worksheets; coprime to 2 and 3, so that the seed does not reveal sums of inputs
TRIES = 100_000
WEIGHTS, GATES, SCORES, VALUE = ("weights",), ("forget_gate", "input_gate", "output_gate", "prob"), ("scores", "scaled"), "value"
PROJECTIONS = ("query", "key", "value", "candidate")  # must not be all zeros
ALIKE = (("error", f"{GRAD}.logit"), ("short_way", f"{GRAD}.scaled"))  # two ways to compute a gradient, which must agree on paper


def generate(topic, seed):  # str, whole number -> Trace
    """Generate the worksheet of a seed by rejection sampling; the same on every machine, and in the page.

    The plain inputs encode the seed (see `encoded_seed`), so that seeds less than SHEETS apart give different worksheets.
    Inputs are integers from −3 to 3, scores are within ±12, weights and gates between 0.02 and 0.98, no projection is all 0, values do not
    cancel, no written number is within a millionth of a rounding tie, and paper values differ from exact ones by at most 0.01 (a
    thousandth if above ten). No gradient is nearly 0, and two ways to compute one give the same digits on paper.
    Raises ValueError for an unknown topic.
    """
    if topic not in TOPICS:
        raise ValueError(f"there is no sheet on {topic!r}; take one of {', '.join(TOPICS)}.{did_you_mean(topic, TOPICS)}")
    kind, rng = TOPICS[topic], Mulberry32(seed)
    numbers = {name: np.empty(given.shape) for name, given in kind.givens.items()}  # overwritten by each attempt
    compute = kind.build(numbers)
    for _ in range(TRIES):
        _sample(kind, rng, seed, numbers)
        if _can_be_normalized(numbers.get(kind.normalized)) and _promises(compute):
            trace = _traced(kind, numbers)
            if is_valid(trace):
                return trace
    raise ValueError(f"seed {seed} deals no sheet on {topic} in {TRIES} throws; take another")


def _sample(topic, rng, seed, numbers):
    """Sample the inputs in place."""
    left = seed % SHEETS + SHEETS * rng.randint(0, _sheets(topic) // SHEETS - 1)  # the remaining digits in base WHOLES
    for name, given in topic.givens.items():
        if given.how == PLAIN:
            for at in np.ndindex(given.shape):
                left, digit = divmod(left, WHOLES)
                numbers[name][at] = digit - HIGHEST
        else:
            numbers[name].flat = _params(given.how, numbers[name].size, rng.randint)


def _sheets(topic):  # -> the number of possible plain inputs
    plain = sum(math.prod(given.shape) for given in topic.givens.values() if given.how == PLAIN)
    assert WHOLES**plain >= SHEETS, f"{topic.title}: {plain} plain numbers make {WHOLES**plain} sheets, fewer than {SHEETS}; make more inputs plain"
    return WHOLES**plain


def encoded_seed(topic, numbers):  # str, {name: array} -> whole number below SHEETS
    """The seed modulo SHEETS that the plain inputs encode: read as digits in base seven, the lowest first, modulo SHEETS."""
    digits = [x + HIGHEST for name, given in TOPICS[topic].givens.items() if given.how == PLAIN for x in np.ravel(numbers[name]).tolist()]
    return sum(int(digit) * WHOLES**k for k, digit in enumerate(digits)) % SHEETS


def _promises(compute):  # -> bool: a quick check, before the run is traced
    paper = {}
    try:
        with np.errstate(divide="ignore", invalid="ignore"):  # a standard deviation may be 0 on paper
            compute(lambda name, value: paper.setdefault(name, _roughly_on_paper(_good(name, value))))
            compute(lambda name, value: _near(name, _good(name, value), paper[name]))
    except ValueError:  # a broken rule, a constant row, an overflow
        return False
    return True


def _can_be_normalized(rows):  # rejects most attempts of topics with a LayerNorm early; rows are few, so results are cached
    return rows is None or all(_row_can(tuple(row)) for row in rows.tolist())


@cache
def _row_can(row):
    return _promises(lambda note: layer_norm(np.array(row), note=note))


def _good(name, value):  # returns the value. Raises ValueError if it breaks a rule
    if name.startswith(f"{GRAD}."):
        return _good_slope(name, value)
    last = name.rpartition(".")[2]
    broken = (
        not np.isfinite(value).all()
        or (last in SCORES and np.abs(value).max() > MOST)
        or (last == "scores" and (np.abs(value.sum(-1)) <= FROM_A_TIE).any())  # [2, −2] / 2 is also its standardization
        or (last in PROJECTIONS and not np.any(value, axis=-1).all())
        or (last == VALUE and np.abs(value.sum(-2)).max() <= FROM_A_TIE)  # the sum and the mean would both be 0
        or (last in WEIGHTS + GATES and not _all_count(value))
        or (last in WEIGHTS and np.ptp(value, axis=-1).max() <= SMALLEST_WEIGHT)  # all rows are uniform
        or _near_tie(value)
    )
    if broken:
        raise ValueError(f"{name} breaks a rule of the sheets: {np.asarray(value).tolist()}")
    return value


def _good_slope(name, value):
    cancel = name == f"{GRAD}.weights" and np.abs(value.sum(-1)).min() <= SMALLEST_SLOPE  # their sum and their mean would both be 0
    if np.abs(value).min() <= SMALLEST_SLOPE or cancel or _near_tie(value):
        raise ValueError(f"{name} breaks a rule of the slopes: {np.asarray(value).tolist()}")
    return value


def _near(name, exact, paper):  # returns the exact value. Raises ValueError if the paper value is too far from it
    if (np.abs(exact - paper) > np.maximum(APART, APART / 10 * np.abs(exact)) + FROM_A_TIE).any():
        raise ValueError(f"{name} is {np.asarray(paper).tolist()} on paper and {np.asarray(exact).tolist()} in truth")
    return exact


def _all_count(weights):
    return weights.min() >= SMALLEST_WEIGHT and weights.max() <= 1 - SMALLEST_WEIGHT


def _traced(topic, numbers):
    trace = Trace()
    topic.run({name: trace.given(name, numbers[name], words=given.words) for name, given in topic.givens.items()}, trace)
    return trace


def _params(how, count, whole):  # kind, number, whole(low, high) -> list of ints
    if how == GAIN:  # not zero
        return [whole(1, HIGHEST) for _ in range(count)]
    if how == SMALL:
        return [whole(-1, 1) for _ in range(count)]
    if how == FULL:
        return [(1 - 2 * whole(0, 1)) * whole(1, 2) for _ in range(count)]
    if how == TRUTH:
        return [whole(0, 1) for _ in range(count)]
    return [0 if whole(0, 2) else whole(-2, 2) for _ in range(count)]  # sparse and small, to keep scores small


def is_valid(trace):  # Trace -> bool
    """Whether all values keep the rules, exactly and on paper."""
    try:
        for name, value in trace.names.items():
            if value.op != "given":  # the rules are for computed values
                _near(name, _good(name, value.exact), value.paper)
                _good(name, value.args[0].paper if value.op == "note" else value.paper)  # before rounding
    except ValueError:
        return False
    return all(_alike(trace, *names) for names in ALIKE)


def _alike(trace, short, whole):
    return whole not in trace.names or short not in trace.names or np.array_equal(trace.names[short].paper, trace.names[whole].paper)


def _near_tie(numbers):
    """Whether a number is within a millionth of a rounding tie, or too long to write."""
    x = np.abs(numbers)
    scale = _scale(x)
    return x.max() >= 10.0 ** (FIGURES - 1) or bool((np.abs(x * scale % 1 - 0.5) <= FROM_A_TIE * scale).any())


def _scale(x):  # 10 ** (number of written decimals) of nonnegative numbers
    if x.max() < 10:  # the fast, usual case
        return 10.0**PLACES
    return 10 ** np.clip(FIGURES - 1 - np.floor(np.log10(np.maximum(x, 1))), 0, PLACES)


def _roughly_on_paper(value):  # fast rounding, which is right except near ties
    scale = _scale(np.abs(value))
    return np.floor(value * scale + 0.5) / scale
