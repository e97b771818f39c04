"""The exercise whose answer is a published value, with every wrong answer that is known of it."""

from contextlib import nullcontext

import numpy as np

from pencil.exercises.exercise import BESIDE, CATALOGUE, GIVEN, OWN, Exercise, Known, Numbers
from pencil.exercises.given_numbers import note_made_of_given
from pencil.exercises.mistakes import OF_ROWS, is_slope, note_mistakes
from pencil.exercises.nearby import WAS_GIVEN, in_other_runs, nearby_values, part_of
from pencil.exercises.upstream import travelled
from pencil.exercises.wording import worded
from pencil.note import WRONG
from pencil.rounding import PLACES
from pencil.trace.names import positions


def exercise_of(found, own=(), *, places=PLACES, far=True, percent=False, bends=True, given=(), runs=(), carried=None, harmless=False):
    """Found, ((Found, sentence), ...) -> Exercise. Its mistakes: the box's own, those of the catalogue, what the question has `given`, the
    same value in the other `runs` of the chapter.

    They are worked out in the value's run, which is left as it was, unless the page of the chapter `carried` works them out again; then each
    has its place there. Without `far` none is looked for further up. The `harmless` are those that come out right with these numbers.
    """
    with found.worked["paper"].trace.scratch() if found.worked and not _is_carried(found, carried) else nullcontext():
        mistakes = [_plain(f"own-{k}", OWN, message, other, carried) for k, (other, message) in enumerate(own, 1)]
        mistakes += note_wrong_values(found, harmless, _is_carried(found, carried))
        mistakes += [_plain(key, GIVEN, WAS_GIVEN, other, carried) for key, other in _given_in(given, found)]
        mistakes += [_plain(key, BESIDE, message, other, carried) for key, (other, message) in note_made_of_given(found, given).items()]
        up = travelled(found, bends, given) if far else []
    mistakes += [
        _known(key, BESIDE, message, value, _is_carried(found, carried) and worked)
        for key, (value, worked, message) in in_other_runs(found, runs).items()
    ]
    right = _numbers(found)
    return Exercise(right, tuple(mistakes), tuple(up), rows_of(found), places, percent, shares_in(found))


def _given_in(given, found):  # [Found], Found -> (key, Found): what a question names, where an answer may be so: as many numbers, and others
    sized = [(f"near-given-{k}", other) for k, other in enumerate(given, 1) if np.size(other.exact) == np.size(found.exact)]
    return [(key, other) for key, other in sized if not _alike(np.ravel(other.exact), np.ravel(found.exact))]


def rows_of(found):  # Found -> the names of its rows, or of the numbers of its only row, where it has several
    """What a reader may call the parts of an answer."""
    words = found.worked["paper"].trace.find(found.local).words if found.worked else ()
    return tuple(words[0]) if words and words[0] and len(words[0]) > 1 else ()


def shares_in(found):  # Found -> int
    """How wide the rows of an answer are, where they are shares; else 0."""
    name = found.worked["paper"].trace.find(found.local).array.name if found.worked else ""
    is_share = name.rpartition(".")[2] == "weights" and not is_slope(name)
    return np.shape(found.exact)[-1] if is_share and np.ndim(found.exact) else 0


def note_wrong_values(found, harmless=False, carried=False):  # Found -> [Known]
    """Note what the mistakes of the catalogue give in the place of a value; of a row, the same row. None for a plain figure.

    They stay in the value's run: the page's engine works them out with it, and they follow a number that a reader changes.
    After them come the values that are nearby.
    """
    if not found.worked:
        return []
    worked = found.worked["paper"]
    value, parts = worked.trace.find(found.local), []
    for key, message in note_mistakes(worked.trace, value.array.name, harmless).items():
        if key in OF_ROWS and not np.ndim(value.exact):
            continue
        part = part_of(worked.trace.names[f"{WRONG}.{key}.{value.array.name}"], value)
        if part is not None and (harmless or numbers_of(part) != numbers_of(value)):
            parts.append((key, CATALOGUE, part, worded(message, worked, value.array.name)))
    stopped = [id(_source(part)) for _, _, part, _ in parts]  # such a mistake says already how far the reader came
    for key, (kind, part, message) in nearby_values(found).items():
        if id(part.array) not in stopped and (harmless or not _alike(part.exact, value.exact)):
            parts.append((key, kind, part, message))
    return [_known(key, kind, message, part, carried and worked) for key, kind, part, message in parts]


def _known(key, kind, message, value, worked):  # a place in this run, if a page carries it
    return Known(key, kind, message, numbers_of(value), place_of_value(value, worked.run) if worked else None)


def _is_carried(found, chapter):  # by the page of this chapter?
    return bool(chapter is not None and found.worked and found.reference.chapter in ("", chapter))


def _plain(key, kind, message, found, carried):
    place = place_of_value(found.worked["paper"].trace.find(found.local), found.worked["paper"].run) if _is_carried(found, carried) else None
    return Known(key, kind, message, _numbers(found), place)


def place_of_value(value, run):  # Value, str -> {run, name, at}
    """Where the numbers of a value stand, for a page that has its run."""
    at = [int(np.ravel_multi_index(place, value.array.shape)) if place else 0 for place in positions(value)]
    return {"run": run, "name": value.array.name, "at": at}


def _alike(x, y):
    return np.shape(x) == np.shape(y) and np.allclose(x, y, 1e-9, 1e-9)


def numbers_of(value):  # Value -> Numbers
    """Its numbers on both tracks, flat."""
    at = positions(value)
    return Numbers(tuple(float(value.array.paper[p]) for p in at), tuple(float(value.array.exact[p]) for p in at))


def _source(part):  # what a mistake took over as it was: it is noted as the value times 1
    step = part.array.args[0]
    return step.args[0] if step.op == "multiply" and step.args[1].op == "constant" and np.all(step.args[1].exact == 1) else None


def _numbers(found):
    return Numbers(*(tuple(float(x) for x in np.ravel(track)) for track in (found.paper, found.exact)))
