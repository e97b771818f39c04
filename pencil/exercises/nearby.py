"""Values that stand beside an answer in its run. A reader who gives one of them went astray, and can be told where they are."""

import re

import numpy as np

from pencil.exercises.exercise import BESIDE, VALUE
from pencil.note import WRONG

WAS_GIVEN = "This was given. Work with it."
ELSEWHERE = "{} another example in this chapter. The numbers here are different."
IN_A_SCOPE = re.compile(r"\.(?!head)([a-z]+)(\d+)\.(.+)$")  # of a label
FARTHEST_ON = 2  # so many named steps behind an answer a reader may have gone on
UP = {1: 2, 2: 4}  # so many named steps up are looked at: of an answer of one number, and of more numbers, which rarely agree by chance


def nearby_values(found):  # pencil.checker.values.PublishedValue -> {key: (kind, Value, what to say)}
    """What a reader may give in the place of a value: a step before it, what was given, the step after it, another word's row."""
    if not found.worked:
        return {}
    worked = found.worked["paper"]
    value = worked.trace.find(found.local)
    beside = {}
    for array, level in _before(value).items():
        part = part_of(array, value)
        beside[f"near-{array.name}"] = (VALUE if level == 1 else BESIDE, part, _said_before(array, label_of(worked, part)))
    for array in _after(value):
        part = part_of(array, value)
        if (label := label_of(worked, part)) or not is_bare(value.exact):
            beside[f"near-{array.name}"] = (BESIDE, part, f"You have gone a step too far{label and f': this is {label}'}.")
    for array in _siblings(value):
        if label := label_of(worked, part_of(array, value)):
            beside[f"near-{array.name}"] = (BESIDE, part_of(array, value), f"This is {label}. The question asks for {label_of(worked, value)}.")
    for word, asked, part in _other_words(value):
        beside[f"near-{word}"] = (BESIDE, part, f"This belongs to {word}. The question asks for {asked}.")
    return beside


def in_other_runs(found, runs):  # PublishedValue, [Worked] -> {key: (Value, Worked, what to say)}
    """The same value in the other examples of a chapter: a row, or a number that is not whole; these rarely agree by chance."""
    if not found.worked:
        return {}
    own = found.worked["paper"]
    value, others = own.trace.find(found.local), {}
    for worked in runs:
        array = worked.trace.names.get(value.array.name) if worked.run != own.run else None
        for k, part in enumerate(_rows(array, value) if array is not None else ()):
            known = [value, *(other for other, *_ in others.values())]  # runs of a chapter have many numbers in common
            if _is_telling(part.exact) and not any(np.allclose(part.exact, other.exact, 1e-6, 1e-6) for other in known):
                label = label_of(worked, part)
                said = ELSEWHERE.format(f"This is {label} of" if label else "That belongs to")
                others[f"near-run-{worked.run or 'main'}-{k}"] = (part, worked, said)
    return others


def _rows(array, value):  # each part of another run's array that looks as the value does
    if array.ndim != value.array.ndim:
        return
    first = next((axis for axis, i in enumerate(value.index) if not isinstance(i, slice)), None)
    for k in range(array.shape[first]) if first is not None else (None,):
        index = value.index if k is None else (*value.index[:first], k, *value.index[first + 1 :])
        if all(isinstance(i, slice) or i < n for i, n in zip(index, array.shape, strict=True)):
            part = type(value)(array.name, array, index)
            if np.shape(part.exact) == np.shape(value.exact):
                yield part


def is_bare(numbers):
    """One whole number alone: it comes out of many a wrong sum."""
    return np.size(numbers) == 1 and not np.ravel(numbers)[0] % 1


def _is_telling(numbers):
    return len({abs(x) for x in np.ravel(numbers) if x}) > 1 or (np.size(numbers) == 1 and not is_bare(numbers))


def label_of(worked, part):  # Worked, Value -> nolan.score; "" where it has no word
    """What a page calls a value: ask.total of tile 1, where the run says ask.tile1.total; the heads are called so on the page."""
    return IN_A_SCOPE.sub(r".\3 of \1 \2", worked.label_of(part)) if worked.has_word(part.array.name) else ""


def _said_before(array, label):
    if array.op == "given":
        return f"This is {label}, which was given." if label else WAS_GIVEN
    return f"You have come as far as {label}. Go on from there." if label else "You are on the way: at least one step is left."


def part_of(array, value):  # TracedArray, Value -> Value, or None where the array has no such part
    """The part of another array at the places of a value: of a row, the same row."""
    if array.ndim != value.array.ndim:
        return None
    pairs = zip(value.index, array.shape, value.array.shape, strict=True)
    if any(n != m for i, n, m in pairs if not isinstance(i, slice)):
        return None
    return type(value)(value.reference, array, value.index)


def named_args(array):  # -> the named values right behind an array, in the order in which it takes them
    """What it was computed from, in names."""
    for arg in array.args:
        if arg.name:
            yield arg
        else:
            yield from named_args(arg)


def _before(value):  # -> {array: how many steps up}, a number for a number and rows for rows: what was given, then the nearest
    level, seen = [value.array], {}
    for up in range(1, 1 + UP[min(2, np.size(value.exact))]):
        level = list(dict.fromkeys(arg for array in level for arg in named_args(array)))
        seen = dict.fromkeys(level, up) | seen
    return {
        array: up
        for array, up in sorted(seen.items(), key=lambda found: (found[0].op != "given", found[1]))
        if _alike(array, value, np.ndim(value.exact) > 0)
    }


def _after(value):
    named = [array for name, array in value.array.trace.names.items() if not name.startswith(f"{WRONG}.")]
    reached = {value.array: None}
    for _ in range(FARTHEST_ON):
        reached |= dict.fromkeys(array for array in named if any(arg in reached for arg in named_args(array)))
    return [array for array in reached if array is not value.array and _alike(array, value)]


def _siblings(value):  # what is made of the same values in the same way, as query and key are of an embedding
    def kind(array):
        step = array.args[0] if array.args else array
        return step.op, step.args[0] if step.args else None

    named = [array for name, array in value.array.trace.names.items() if not name.startswith(f"{WRONG}.") and array.op != "given"]
    op, source = kind(value.array)
    same = [array for array in named if array is not value.array and kind(array)[0] == op and kind(array)[1] is source and source is not None]
    return [array for array in same if _alike(array, value)]


def _alike(array, value, of_any_length=False):
    part = part_of(array, value)
    if part is None or np.ndim(part.exact) != np.ndim(value.exact) or not np.isfinite([part.exact, part.paper]).all():
        return False
    return of_any_length or np.shape(part.exact) == np.shape(value.exact)


def _other_words(value):  # -> (word, word that is asked for, Value): the same number or row of each other word
    for axis, (words, index) in enumerate(zip(value.array.axes, value.index, strict=True)):
        if words and not isinstance(index, slice):
            for k in set(range(len(words))) - {index}:
                yield words[k], words[index], value.at((*value.index[:axis], k, *value.index[axis + 1 :]))
