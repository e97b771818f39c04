"""Mistakes that travel: one is made in a value before the answer, all that follows is worked well, and something else comes out."""

import numpy as np

from pencil.exercises.bends import note_bends
from pencil.exercises.exercise import CATALOGUE, Known, Numbers
from pencil.exercises.mistakes import note_mistakes
from pencil.exercises.nearby import is_bare, label_of, named_args, part_of
from pencil.exercises.wording import worded
from pencil.note import WRONG
from pencil.trace.array import ancestors
from pencil.trace.names import positions
from pencil.trace.substitution import substituted

FURTHEST = 12  # so many named steps up mistakes are looked for: from a tick back to the first head's scores


def travelled(found, bends=True, given=()):  # pencil.checker.values.Found -> [Known]
    """Each mistake that can be made before an answer, and with `bends` those that no catalogue knows, its own line's as well.

    They are noted in the value's run. Above what the question has `given` nobody works, so no mistake is made there.
    Of the bends those are left out that come to what is known already, and those that a whole number may come to by chance.
    """
    if not found.worked:
        return []
    worked = found.worked["paper"]
    value = worked.trace.find(found.local)
    told = told_arrays(given, value)
    depth = _depths(value.array)
    known = [_travelled(worked, value, depth, key, CATALOGUE, *made) for key, *made in note_upstream(worked.trace, value.array, told)]
    bends, here = note_bends(worked.trace, value.array, told) if bends else iter(()), worked.trace.here()
    for bend in bends:
        made = _travelled(worked, value, depth, *bend)
        is_new = not any(_alike(made.numbers.exact, other.numbers.exact) for other in known)
        if is_new and made.numbers.is_finite and (not made.distance or not is_bare(value.exact)):
            known.append(made)
        else:
            worked.trace.back_to(here)  # a page need not carry it
        here = worked.trace.here()
    return known


def _depths(array):  # -> {array: how many named steps before this one}
    level, depth = [array], {array: 0}
    for up in range(1, 1 + FURTHEST):
        level = [arg for arg in dict.fromkeys(arg for below in level for arg in named_args(below)) if arg not in depth]
        depth |= dict.fromkeys(level, up)
    return depth


def told_arrays(given, value):  # [Found], Value -> {array}: those that the question names, all of what the answer takes from them
    places = {}
    for other in given:
        if other.worked and other.reference.mode != "count" and other.worked["paper"].trace is value.array.trace:
            named = value.array.trace.find(other.local)
            places.setdefault(named.array, set()).update(positions(named))
    return {array for array, told in places.items() if array is not value.array and told >= set(positions(_taken(array, value)))}


def _taken(array, value):  # the row of an array that a row is worked from, or all of it
    return part_of(array, value) or type(value)(value.reference, array, (slice(None),) * array.ndim)


def _travelled(worked, value, depth, key, kind, places, message):
    exact, paper = substituted(value.array, places)
    first = next(iter(places))
    numbers = Numbers(*(tuple(float(track[place]) for place in positions(value)) for track in (paper, exact)))
    step = "" if first is value.array else place_of_mistake(worked, first, value)
    return Known(key, kind, worded(message, worked, first.name), numbers, None, names_of(places), step, depth.get(first, FURTHEST), len(places))


def _alike(numbers, others):  # as np.allclose, which takes a hundred times as long for so few numbers
    return all(one == other or abs(one - other) <= 1e-9 * (1 + abs(other)) < np.inf for one, other in zip(numbers, others, strict=True))


def note_upstream(trace, array, told=()):  # -> (key of the mistake, {value in which it is made: what it gives there}, what to say), the nearest first
    """The mistakes that can be made in the values that an array is computed from: each by itself, then in several places at once.

    Those are places of which none leads to another, such as two heads: what was noted in the first is then right for the second.
    """
    everywhere = {}
    for before in _above(array, told):
        for key, message in note_mistakes(trace, before.name, far=True).items():
            wrong = trace.names[f"{WRONG}.{key}.{before.name}"]
            if wrong.shape == before.shape:
                yield key, {before: wrong}, message
                for kind in ((key,), (key, before.name.rpartition(".")[2])):
                    everywhere.setdefault(kind, ({}, message))[0][before] = wrong
    told = set()
    for (key, *_), (places, message) in everywhere.items():
        if len(places) > 1 and (key, names_of(places)) not in told and not _lead_to_another(places):
            told.add((key, names_of(places)))
            yield key, places, message


def _lead_to_another(places):
    ids = {place.id for place in places}
    return any(before.id in ids - {place.id} for place in places for before in ancestors([place]))


def names_of(places):  # {value: ...} -> "head1.scaled head2.scaled"
    """The names of the values in which a mistake is made."""
    return " ".join(before.name for before in places)


def place_of_mistake(worked, before, value):  # Worked, TracedArray, Value -> nolan.score, "" where the page has no word for it
    """What the page calls the value in which a mistake was made."""
    return label_of(worked, part_of(before, value) or worked.trace.find(before.name))


def _above(array, told):
    level, seen = [array], {}
    for _ in range(FURTHEST):
        above = (arg for below in level if below not in told for arg in named_args(below) if arg.op != "given")
        level = list(dict.fromkeys(arg for arg in above if arg not in seen))
        seen |= dict.fromkeys(level)
    return seen
