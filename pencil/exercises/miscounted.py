"""What to say of too many numbers, or too few: parts that were not added up, a row too much, a number alone."""

from pencil.exercises.answers import Typed
from pencil.exercises.exercise import Mark, Numbers
from pencil.exercises.unrecognised import PARTS, both, in_numbers


def miscounted(exercise, typed):  # Exercise, [Typed] -> Mark, or None where they are as many as are wanted
    """What is said of too many numbers, or too few."""
    right, wanted, count = exercise.right, len(exercise.right.paper), len(typed)
    if count == wanted:
        return None
    if _is_in_parts(typed, right, exercise.places):
        return Mark("wrong", f"These are the parts. Add them up{', number by number' * (wanted > 1)}.", PARTS)
    width = wanted // max(1, len(exercise.rows))
    if 1 < count == width < wanted and _rows_summed(right, width).is_meant(typed, exercise.places):
        return Mark("wrong", "These are the rows, added up. Write the rows themselves.", PARTS)
    if 1 < count < wanted and not wanted % count and (said := _taken_together(right, typed, exercise.places)):
        return Mark("wrong", said, PARTS)
    told = f"You typed {_count(count)}; {wanted} {'is' if wanted == 1 else 'are'} wanted.{_asked_which(right, typed, exercise.places)}"
    if count < wanted and _first(right, count).is_meant(typed, exercise.places):
        return Mark("short", f"So far, so good. {told}", read=False)
    if count == 1 and not exercise.shares and _rows_summed(right, 1).is_meant(typed, exercise.places):
        return Mark("wrong", f"That is the sum of all. Write the {wanted} numbers themselves.", PARTS)
    if count == 1 and typed[0].value % 1 and typed[0].means(sum(right.exact) / wanted):
        return Mark("wrong", f"That is the average of all. Write the {wanted} numbers themselves.", PARTS)
    kept = [k for k, number in enumerate(right.exact) if number]
    if count == len(kept) < wanted and _at(right, kept).is_meant(typed, exercise.places):
        return Mark("wrong", f"You left the zeros out. Write them in their places: {wanted} numbers are wanted.", PARTS)
    picked = _picked(right, typed, exercise.places) if count < wanted else []
    if len(picked) == count and any(x.value if count > 1 else x.value % 1 for x in typed):
        return Mark(
            "wrong",
            f"{'These are' if count > 1 else 'This is'} n{in_numbers(picked)[4:]} alone. Write {'both' if wanted == 2 else f'all {wanted}'}.",
            PARTS,
        )
    return Mark("wrong", told, read=False)


def _taken_together(right, typed, places):  # parts of a row, each as long as what was typed
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
    width = len(right.exact)
    rows = [typed[k : k + width] for k in range(0, len(typed), width)] if not len(typed) % width else []
    if width > 1 < len(rows) and all(row == rows[0] for row in rows):
        return " You wrote the same more than once: once is enough."
    return " Which of these does the question ask for?" if any(right.is_meant(row, places) for row in rows) else ""


def _is_in_parts(typed, right, places):  # two numbers that are not whole come to a whole one by chance, and zeros change nothing
    wanted, times = len(right.exact), len(typed) // len(right.exact)
    by_chance = wanted == 1 and any(right.is_meant([x]) if right.exact[0] % 1 else x.value % 1 for x in typed)
    if len(typed) <= wanted or len(typed) % wanted or by_chance:
        return False
    ways = (
        (typed[k::wanted] for k in range(wanted)),
        (typed[k * times : (k + 1) * times] for k in range(wanted)),
    )  # row by row, or each in its products
    return any(right.is_meant([_added(parts) for parts in way], places) for way in ways)


def _added(parts):
    return Typed(sum(x.value for x in parts), max(x.places or 0 for x in parts))


def _rows_summed(right, width):
    return Numbers(*(tuple(sum(track[k::width]) for k in range(width)) for track in (right.paper, right.exact)))


def _first(right, count):
    return _at(right, range(count))


def _at(right, places):
    return Numbers(*(tuple(track[k] for k in places) for track in (right.paper, right.exact)))


def _count(n):
    return f"{n} number{'s' * (n != 1)}"
