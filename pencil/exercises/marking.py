"""Marking: right, cut short, or wrong, and then what the reader seems to have done."""

import re
from contextlib import nullcontext

import numpy as np

from pencil.exercises.answers import PLACES, Typed, Unreadable, readings
from pencil.exercises.evidence import hedged
from pencil.exercises.exercise import Choice, Exercise, Mark, Numbers
from pencil.exercises.explaining import OWN, also_slipped, bent, each_told, explained, nearly, opposed, partly, slipped, stopped
from pencil.exercises.given_numbers import note_made_of_given
from pencil.exercises.miscounted import miscounted
from pencil.exercises.mistakes import OF_ROWS, is_slope, note_mistakes
from pencil.exercises.nearby import GIVEN, HERE, in_other_runs, nearby_values, part_of
from pencil.exercises.one_move import one_move_off
from pencil.exercises.some_right import in_part, of_shares
from pencil.exercises.unrecognised import not_yet, related, turned, unknown
from pencil.exercises.upstream import upstream_values
from pencil.exercises.wording import worded
from pencil.note import WRONG
from pencil.trace.names import positions

PERCENT = re.compile(r"%|\bper ?cent\b", re.I)


def exercise_of(found, own=(), places=PLACES, far=True, percent=False, bends=True, given=(), runs=()):  # Found, ((Found, sentence), ...) -> Exercise
    """The exercise whose answer is a published value. Its mistakes: the box's own, those of the catalogue, what the question has `given`,
    the same value in the other `runs` of the chapter.

    They are worked out in the value's run, which is left as it was. Without `far` none is looked for further up.
    """
    right, travelled = _numbers(found.paper, found.exact), {}
    wrong = {f"{OWN}{k}": (_numbers(other.paper, other.exact), message) for k, (other, message) in enumerate(own, 1)}
    with found.worked["paper"].trace.scratch() if found.worked else nullcontext():
        wrong |= {key: (_of(value), message) for key, (value, message) in note_wrong_values(found).items()}
        wrong |= {key: (_numbers(other.paper, other.exact), GIVEN) for key, other in given_in(given, found).items()}
        wrong |= {key: (_numbers(other.paper, other.exact), message) for key, (other, message) in note_made_of_given(found, given).items()}
        if far:
            travelled = {key: (Numbers(paper, exact), message) for key, (paper, exact, message) in upstream_values(found, bends, given).items()}
    wrong |= {key: (_of(value), message) for key, (value, _, message) in in_other_runs(found, runs).items()}
    wrong = {key: told for key, told in wrong.items() if told[0] != right}
    return Exercise(right, wrong, rows_of(found), places, travelled, percent, shares_in(found))


def given_in(given, found):  # [Found], Found -> {key: Found}
    """What a question names, where an answer may be so: as many numbers, and others."""
    sized = {f"{HERE}given-{k}": other for k, other in enumerate(given, 1) if np.size(other.exact) == np.size(found.exact)}
    return {key: other for key, other in sized.items() if not _alike(np.ravel(other.exact), np.ravel(found.exact))}


def rows_of(found):  # Found -> the names of its rows, or of the numbers of its only row, where it has several
    """What a reader may call the parts of an answer."""
    words = found.worked["paper"].trace.find(found.local).words if found.worked else ()
    return tuple(words[0]) if words and words[0] and len(words[0]) > 1 else ()


def shares_in(found):  # Found -> int
    """How wide the rows of an answer are, where they are shares; else 0."""
    name = found.worked["paper"].trace.find(found.local).array.name if found.worked else ""
    is_share = name.rpartition(".")[2] == "weights" and not is_slope(name)
    return np.shape(found.exact)[-1] if is_share and np.ndim(found.exact) else 0


def note_wrong_values(found, harmless=False):  # Found -> {key: (Value, what to say)}
    """Note what the mistakes of the catalogue give in the place of a value; of a row, the same row. None for a plain figure.

    They stay in the value's run: the page's engine works them out with it, and they follow a number that a reader changes.
    The `harmless` are those that come out right with these numbers. Behind them stand the values that are `nearby`.
    """
    if not found.worked:
        return {}
    trace = found.worked["paper"].trace
    value, parts = trace.find(found.local), {}
    for key, message in note_mistakes(trace, value.array.name, harmless).items():
        if key in OF_ROWS and not np.ndim(value.exact):
            continue
        part = part_of(trace.names[f"{WRONG}.{key}.{value.array.name}"], value)
        if part is not None and (harmless or _of(part) != _of(value)):
            parts[key] = (part, worded(message, found.worked["paper"], value.array.name))
    stopped = [id(_source(part)) for part, _ in parts.values()]  # such a mistake says already how far the reader came
    beside = {key: (part, message) for key, (part, message) in nearby_values(found).items() if id(part.array) not in stopped}
    return parts | {key: told for key, told in beside.items() if harmless or not _alike(told[0].exact, value.exact)}


def _alike(x, y):
    return np.shape(x) == np.shape(y) and np.allclose(x, y, 1e-9, 1e-9)


def _of(value):
    at = positions(value)
    return Numbers(tuple(float(value.array.paper[p]) for p in at), tuple(float(value.array.exact[p]) for p in at))


def _source(part):  # what a mistake took over as it was: it is noted as the value times 1
    step = part.array.args[0]
    return step.args[0] if step.op == "multiply" and step.args[1].op == "constant" and np.all(step.args[1].exact == 1) else None


def _numbers(paper, exact):
    return Numbers(*(tuple(float(x) for x in np.ravel(track)) for track in (paper, exact)))


def choose(choice, answer):  # Choice, str -> Mark
    """Mark a choice among words, as it is written or not quite: a part of it is enough, where no other choice has it."""
    taken = _taken(choice.words, answer)
    if taken == choice.right:
        return Mark("right", "Right.")
    if taken is None:
        return Mark("wrong", f"Choose one of these: {', '.join(choice.words)}.", read=False)
    return Mark("wrong", choice.wrong.get(taken, "Not yet."), taken)


def _taken(words, answer):  # "lo+w" -> "lo + w", "bag" -> "a bag"
    bare = {word: re.findall(r"\w+", word.lower()) for word in words}
    typed = re.findall(r"\w+", str(answer).lower())
    same = [word for word in words if bare[word] == typed]
    having = [word for word in words if typed and any(bare[word][k : k + len(typed)] == typed for k in range(len(bare[word])))]
    return (same or having)[0] if len(same or having) == 1 else None


def mark(exercise, answer):  # Exercise or Choice, str or numbers -> Mark
    """Read an answer and say what it is. What cannot be read gets a sentence that says what to type."""
    if isinstance(exercise, Choice):
        return choose(exercise, answer)
    try:
        ways = _ways(exercise, _in_order(_plain(answer, exercise.percent), exercise.rows))
    except Unreadable as wrong:
        return Mark("wrong", str(wrong), read=False)
    for typed in ways:
        if exercise.right.is_meant(typed, exercise.places):
            return Mark("right", "Right.")
        if len(exercise.rows) == 2 < len(typed) and exercise.right.is_meant(_swapped(typed), exercise.places):
            return Mark("right", f"Right, in the other order: {exercise.rows[0]} comes first.")
    for typed in ways:
        if known := explained(exercise, typed):
            known |= also_slipped(exercise, typed, known)
            signs = turned(exercise, typed) if all(key.startswith(HERE) for key in known) else ""
            near = None if exercise.wrong.keys() & known else unknown(exercise, typed, explained=True)  # it may be that, too
            told = each_told([*filter(None, [signs, near and near.message]), *known.values()])
            return hedged(Mark("wrong", " Or: ".join(told[:2]), next(iter(known))), exercise, typed)
    for told in (unknown, miscounted, nearly, partly, bent, slipped, opposed, in_part, of_shares, related, one_move_off, stopped):
        for typed in ways:
            if said := told(exercise, typed):
                return hedged(said, exercise, typed)
    return not_yet(exercise, ways[0])


def _ways(exercise, answer):  # what an answer may mean, all of it written out
    right = exercise.right.exact
    ways = readings(answer, len(right))
    if alone := _digits(answer, right):
        return [*readings(alone, len(right)), *ways]
    if exercise.shares and len(ways[0]) == 1 < len(right) and all(x == right[0] for x in right):
        return [ways[0] * len(right), *ways]  # one number for each of them
    kept = _kept(right, exercise.shares)
    if len(ways[0]) == len(right) or len(kept) == len(right):
        return ways
    try:
        shorter = [way for way in readings(answer, len(kept)) if len(way) == len(kept)]
    except Unreadable:  # what is read as three numbers, such as 1-3-2, need not be two
        return ways
    fuller = [dict(zip(kept, way, strict=True)) for way in shorter]
    return [[way.get(k, Typed(0.0, 0)) for k in range(len(right))] for way in fuller] or ways


def _digits(answer, right):  # "0011", where four numbers of one digit are wanted -> "0 0 1 1"; else ""
    parts = re.findall("[0-9]+", answer) if isinstance(answer, str) and not re.search(r"[^0-9\s,;\[\](){}|]", answer) else []
    digits, alike = "".join(parts), len(set(map(len, parts))) == 1
    return " ".join(digits) if alike and len(digits) == len(right) > len(parts) and all(x in range(10) for x in right) else ""


def _kept(right, width):  # the places of a masked answer up to the last share of each row that is not zero: a triangle
    rows = [range(start, start + width) for start in range(0, len(right), width)] if width else [range(len(right))]
    ends = [max((k for k in row if right[k]), default=row[0]) if width else row[-1] for row in rows]
    return [k for row, end in zip(rows, ends, strict=True) for k in row if k <= end]


def _plain(answer, percent):  # 0.57 % of what is asked in per cent is 0.57
    return PERCENT.sub(" ", answer) if percent and isinstance(answer, str) else answer


def _in_order(answer, rows):  # "sat 0 1, cat: 2 3" -> the numbers of cat, then those of sat
    if not (isinstance(answer, str) and rows):
        return answer
    name = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, rows))})(?!\w)\s*[:=]?", re.I)
    before, *parts = name.split(answer)
    named = dict(zip((word.lower() for word in parts[::2]), parts[1::2], strict=True))
    if re.sub(r"[\s\[({,;]", "", before) or len(named) < len(rows) or len(parts) != 2 * len(rows):
        return answer
    return " ".join(named[word.lower()] for word in rows)


def _swapped(typed):
    return typed[len(typed) // 2 :] + typed[: len(typed) // 2]
