"""What a question that stands without its page has to give: the values that its answer is worked from and that it does not say itself."""

from functools import cache

from pencil.trace.names import Value, positions
from pencil.worked.origin import made_of, source


def missing_inputs(question, library):  # ExerciseSource, Library -> ["nolan.query = [2, 0, 1, 0]", ...]
    """Every value that the worked answer starts from and that the question does not say, a line each with its label.

    They are those that the box names itself (`:from:`), and what else the answer takes. A value between what is said and the answer is left
    to the reader; any other stands as it is written on paper. Of a plain figure, and of a choice, the run says nothing.
    """
    if question.alone:
        return []
    started = [library.find(reference) for reference in question.start]
    lines = [line for other in started for line in _lines(other, question)]
    found = library.find(question.answer) if question.answer else None
    if found is None or not found.worked:
        return lines
    worked = found.worked[_track(question)]
    said = {entry for other in [*started, *map(library.find, question.given)] for entry in _said(other, worked.trace)}
    needed = {}
    for array, at in missing_entries(worked.trace.find(found.local), said):
        needed.setdefault(array, []).append(at)
    return lines + [_line(worked, part) for array, places in needed.items() for part in _parts(array, places)]


def _track(question):  # on which it is worked
    return "paper" if question.lines == "paper" else "exact"


def _lines(found, question):
    worked = found.worked[_track(question)]
    value = worked.trace.find(found.local)
    is_whole = all(isinstance(i, slice) for i in value.index)
    return [_line(worked, part) for part in (_parts(value.array, positions(value)) if is_whole else [value])]


def _said(found, trace):  # Found, Trace -> the entries of this run that it is
    if not found.worked or found.reference.mode == "count" or found.worked["paper"].trace is not trace:
        return []
    value = trace.find(found.local)
    return [(value.array, at) for at in positions(value)]


def missing_entries(value, said):  # Value, {(array, index)} -> {(array, index): None}, in the order in which the answer takes them
    """The entries that a value is worked from and that neither are `said` nor stand on one that is."""

    @cache
    def behind(entry):  # the named entries that this one is computed from; one that is only copied is as good as its copy
        before = dict.fromkeys((array, tuple(map(int, at))) for array, at in made_of(*entry))
        return tuple(dict.fromkeys(e for one in before for e in ([one] if one in said or (one[0].name and not _is_copy(one)) else behind(one))))

    @cache
    def stands_on_said(entry):
        return entry in said or any(map(stands_on_said, behind(entry)))

    asked = {(value.array, at): None for at in positions(value)}
    level, seen = [e for entry in asked for e in (behind(entry) if _is_copy(entry) else [entry])], set()
    found = {entry: None for entry in level if entry[0].op == "given" and entry not in asked}
    while level:
        before = [e for e in dict.fromkeys(e for entry in level for e in behind(entry)) if e not in seen and e not in said]
        seen |= set(before)
        found |= dict.fromkeys(entry for entry in before if not stands_on_said(entry))
        level = [entry for entry in before if stands_on_said(entry)]
    return found


def _is_copy(entry):  # of a value that has a name of its own
    array, at = entry
    return array.op == "note" and bool(source(array.args[0], at)[0].name)


def _parts(array, places):  # -> the single numbers of a labelled row that are needed, or each row of words, or all of it
    whole = Value(array.name, array, (slice(None),) * array.ndim)
    if array.ndim and array.axes[-1] and len({at[-1] for at in places}) < array.shape[-1]:
        return [whole.at(at) for at in sorted(set(places))]
    if array.ndim > 1 and array.axes[0]:
        return [whole.at((row, *whole.index[1:])) for row in sorted({at[0] for at in places})]
    return [whole]


def _line(worked, value):
    return f"{worked.label_of(value)} = {worked.written(value)}"
