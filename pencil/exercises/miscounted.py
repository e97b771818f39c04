"""What to say of too many numbers, or too few: parts that were not added up, a row too much, a number alone."""

from pencil.exercises.answers import Typed
from pencil.exercises.exercise import Mark, Numbers
from pencil.exercises.unrecognised import PARTS, both, numbered


def miscounted(exercise, typed):  # Exercise, [Typed] -> Mark, or None where they are as many as are wanted
    """What is said of too many numbers, or too few: the most telling case first."""
    wanted, count = len(exercise.right.paper), len(typed)
    if count == wanted:
        return None
    told = f"You typed {count} number{'s' * (count != 1)}; {wanted} {'is' if wanted == 1 else 'are'} wanted."
    return (_too_many if count > wanted else _too_few)(exercise, typed, told)


def _too_many(exercise, typed, told):
    right, wanted = exercise.right, len(exercise.right.paper)
    if _is_in_parts(typed, right, exercise.places):
        return Mark("wrong", f"These are the parts. Add them up{', number by number' * (wanted > 1)}.", PARTS)
    return Mark("wrong", told + _asked_which(right, typed, exercise.places), read=False)


def _too_few(exercise, typed, told):
    right, places, wanted, count = exercise.right, exercise.places, len(exercise.right.paper), len(typed)
    if _numbers_at(right, range(count)).is_meant(typed, places):
        return Mark("short", f"So far, so good. {told}", read=False)
    if 1 < count == wanted // max(1, len(exercise.rows)) and _rows_summed(right, count).is_meant(typed, places):
        return Mark("wrong", "These are the rows, added up. Write the rows themselves.", PARTS)
    if count > 1 and not wanted % count and (said := _summed_or_averaged(right, typed, places)):
        return Mark("wrong", said, PARTS)
    if count == 1 and not exercise.shares and _rows_summed(right, 1).is_meant(typed, places):
        return Mark("wrong", f"That is the sum of all. Write the {wanted} numbers themselves.", PARTS)
    if count == 1 and typed[0].value % 1 and typed[0].means(sum(right.exact) / wanted):
        return Mark("wrong", f"That is the average of all. Write the {wanted} numbers themselves.", PARTS)
    kept = [k for k, number in enumerate(right.exact) if number]
    if count == len(kept) and _numbers_at(right, kept).is_meant(typed, places):
        return Mark("wrong", f"You left the zeros out. Write them in their places: {wanted} numbers are wanted.", PARTS)
    picked = _picked(right, typed, places)
    if len(picked) == count and any(x.value if count > 1 else x.value % 1 for x in typed):
        these = f"{'These are' if count > 1 else 'This is'} {numbered(picked)} alone."
        return Mark("wrong", f"{these} Write {'both' if wanted == 2 else f'all {wanted}'}.", PARTS)
    return Mark("wrong", told, read=False)


def _summed_or_averaged(right, typed, places):  # parts of a row, each as long as what was typed
    summed, times = _rows_summed(right, len(typed)), len(right.exact) // len(typed)
    if summed.is_meant(typed, places):
        return "These are the parts of the answer, added up. Write the parts themselves."
    average = Numbers(*(tuple(x / times for x in track) for track in (summed.paper, summed.exact)))
    return "This is the average of the parts. Write the parts themselves." if average.is_meant(typed, places) else ""


def _picked(right, typed, places):  # the places of the numbers that were typed, in their order
    found = []
    for number in typed:
        begin = found[-1] + 1 if found else 0
        found += [k for k in range(begin, len(right.exact)) if any(number.means(x, places) for x in both(right, k))][:1]
    return found


def _asked_which(right, typed, places):  # where one of several rows, or numbers, is the one that is asked for
    meant = [right.is_meant(row, places) for row in slices(typed, len(right.exact))]
    if len(typed) % len(right.exact) or not any(meant):
        return ""
    if all(meant):
        return " You wrote the same more than once: once is enough."
    return " Keep only what you wrote first." if meant[0] else " Which of these does the question ask for?"


def _is_in_parts(typed, right, places):
    wanted, times = len(right.exact), len(typed) // len(right.exact)
    rows = slices(typed, wanted)
    is_beside = (wanted > 1 or times == 2) and any(right.is_meant(row, places) for row in rows)  # 5 0 for 5; but 0 5 0 0 may be a row's products
    by_chance = wanted == 1 and not right.exact[0] % 1 and any(x.value % 1 for x in typed)  # two that are not whole may come to a whole one
    if len(typed) % wanted or is_beside or by_chance:
        return False
    ways = (zip(*rows, strict=True), slices(typed, times))  # row by row, or each in its products
    return any(right.is_meant([_added(parts) for parts in way], places) for way in ways)


def slices(numbers, width):  # -> list of lists
    """A row cut into parts of a width."""
    return [numbers[k : k + width] for k in range(0, len(numbers), width)]


def _added(parts):
    return Typed(sum(x.value for x in parts), max(x.places or 0 for x in parts))


def _rows_summed(right, width):
    return Numbers(*(tuple(sum(track[k::width]) for k in range(width)) for track in (right.paper, right.exact)))


def _numbers_at(right, places):
    return Numbers(*(tuple(track[k] for k in places) for track in (right.paper, right.exact)))
