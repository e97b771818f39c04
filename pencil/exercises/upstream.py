"""Mistakes that travel: one is made in a value before the answer, all that follows is worked well, and something else comes out."""

import numpy as np

from pencil.exercises.mistakes import note_mistakes
from pencil.exercises.nearby import label_of, named_args, part_of
from pencil.exercises.wording import worded
from pencil.note import WRONG
from pencil.trace.array import ancestors
from pencil.trace.names import positions
from pencil.trace.substitution import substituted

FURTHEST = 12  # so many named steps up mistakes are looked for: from a tick back to the first head's scores


def upstream(found):  # pencil.checker.values.Found -> {key: (paper, exact, what to say)}, both of them flat
    """What comes out where a mistake of the catalogue is made further up; the mistakes are noted in the value's run.

    Those that come out right all the same are left out, and so are those that give no number.
    """
    if not found.worked:
        return {}
    worked = found.worked["paper"]
    value, travelled = worked.trace.find(found.local), {}
    at = positions(value)
    for key, places, message in note_upstream(worked.trace, value.array):
        exact, paper = substituted(value.array, places)
        numbers = [[float(track[place]) for place in at] for track in (paper, exact)]
        if np.isfinite(numbers).all() and not np.allclose(numbers[1], np.ravel(value.exact), 1e-9, 1e-9):
            first = next(iter(places))
            said = further_up(place_of_mistake(worked, first, value), worded(message, worked, first.name), len(places))
            travelled[f"{key}.{names_of(places)}"] = (*map(tuple, numbers), said)
    return travelled


def note_upstream(trace, array):  # -> (key of the mistake, {value in which it is made: what it gives there}, what to say), the nearest first
    """The mistakes that can be made in the values that an array is computed from: each by itself, then in several places at once.

    Those are places of which none leads to another, such as two heads: what was noted in the first is then right for the second.
    """
    everywhere = {}
    for before in _above(array):
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


def further_up(label, message, times=1):  # -> sentences
    """What to say to a reader who made a mistake, once or so many times, before the value that is asked for."""
    where = ", more than once" if times > 1 else label and f", at {label}"
    return f"The slip is further up{where}: {message[0].lower()}{message[1:]}"


def _above(array):
    level, seen = [array], {}
    for _ in range(FURTHEST):
        level = list(dict.fromkeys(arg for below in level for arg in named_args(below) if arg.op != "given" and arg not in seen))
        seen |= dict.fromkeys(level)
    return seen
