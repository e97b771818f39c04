"""What comes of the numbers that a question gives, put together in a plain way: added, taken away, multiplied, divided, or one of them alone.

What is said of it is true whatever the reader did: that the number is such a sum, or such a product.
"""

import re
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from pencil.note import WRONG
from pencil.rounding import round_half_up

MOST = 4  # of so many numbers that a question gives, two are put together
LONGEST = 8  # numbers of a row of which one, or the sum, may be taken
ASK = "What does the question ask of them?"
IN_ANY_ORDER = {
    "plus": (lambda a, b: a + b, f"That is the sum of two numbers that are given. {ASK}"),
    "times": (lambda a, b: a * b, f"That is the product of two numbers that are given. {ASK}"),
    "between": (lambda a, b: (a + b) / 2, f"That is the average of two numbers that are given. {ASK}"),
}
IN_ORDER = {
    "minus": (lambda a, b: a - b, f"That is the difference of two numbers that are given. {ASK}"),
    "over": (lambda a, b: a / b, f"That is one of the given numbers divided by another. {ASK}"),
}
OF_ONE = {
    "squared": (lambda a: a * a, "That is the square of a number that is given."),
    "half": (lambda a: a / 2, "That is half of a number that is given."),
    "double": (lambda a: a * 2, "That is twice a number that is given."),
}
BY_CHANCE = tuple(f"near-{way}-" for way in ("between", *OF_ONE))  # one digit may come out of these in any other way as well
OF_A_ROW = {
    "sum": (lambda a: a.sum(), f"That is the sum of the numbers that are given. {ASK}"),
    "mean": (lambda a: a.mean(), f"That is the average of the numbers that are given. {ASK}"),
    "greatest": (lambda a: a.max(), "That is the greatest of the numbers that are given."),
}
ONE_OF_THEM = "That is one of the numbers that are given. Work with it, and with the others."


def note_made_of_given(found, given):  # PublishedValue, [PublishedValue] -> {key: (PublishedValue, what to say)}
    """Of an answer of one number alone. What is made of numbers of its own run is noted there, so that it follows a number that a reader
    changes; a plain figure stays as it is.
    """
    if np.size(found.exact) != 1:
        return {}
    trace = found.worked["paper"].trace if found.worked else None
    inside = {other.reference: _number(other, trace) for other in given if _is_within(other, found)}
    numbers = {reference.name: row[0] for reference, row in inside.items() if row.shape == (1,)}
    rows = {reference.name: row for reference, row in inside.items() if 1 < row.shape[0] <= LONGEST}
    with np.errstate(all="ignore"):
        made = dict(_of_numbers(dict(list(numbers.items())[:MOST])))
        for name, row in rows.items():
            made |= dict(_of_row(name, row))
    told = {key: made[key] for key in made if not (key.startswith(BY_CHANCE) and _is_one_digit(made[key][0]))}
    noted = {key: (_found(found, key, array), said) for key, (array, said) in told.items()}
    return {key: (other, said) for key, (other, said) in noted.items() if other is not None}


def _is_within(other, found):  # in the run of the answer, or a figure, which nobody changes
    is_figure = not other.worked or other.reference.mode == "count"
    return is_figure or (found.worked and other.worked["paper"].trace is found.worked["paper"].trace)


def _is_one_digit(number):
    size = abs(float(getattr(number, "exact", number)))
    return size < 10 and size == round_half_up(size, figures=1)


def _number(other, trace):  # laid flat: of the run, where it is of one
    if other.worked and other.reference.mode != "count":
        value = trace.find(other.local)
        return np.ravel(value.array[value.index] if value.index else value.array)
    plain = np.ravel(other.exact).astype(float)
    return trace.as_traced(plain) if trace else plain


def _found(found, key, array):  # -> PublishedValue; None for what is no number, or what is right
    if not found.worked:
        ok = np.isfinite(array) and not np.allclose(array, found.exact)
        return replace(found, exact=np.array(array), paper=np.array(array)) if ok else None
    trace = found.worked["paper"].trace
    if not np.isfinite([array.exact, array.paper]).all() or np.allclose(array.exact, np.ravel(found.exact)[0]):
        return None
    name = f"{WRONG}.{re.sub('[^a-z0-9_]+', '_', key.lower()).strip('_')}"
    noted = trace.names[name] if name in trace.names else trace.note(name, array)
    return replace(found, exact=noted.exact, paper=noted.paper, local=name)


def _of_numbers(numbers):  # {name: traced number} -> (key, (traced number, what to say))
    for ways, pairs in ((IN_ORDER, permutations(numbers, 2)), (IN_ANY_ORDER, combinations(numbers, 2))):
        for one, other in pairs:
            for way, (work, said) in ways.items():
                yield f"near-{way}-{one}-{other}", (work(numbers[one], numbers[other]), said)
    for name, number in numbers.items():
        for way, (work, said) in OF_ONE.items():
            yield f"near-{way}-{name}", (work(number), said)


def _of_row(name, row):
    for k in range(row.shape[0]):
        yield f"near-one-{name}-{k}", (row[k] * 1, ONE_OF_THEM)
    for way, (work, said) in OF_A_ROW.items():
        yield f"near-{way}-{name}", (work(row), said)
