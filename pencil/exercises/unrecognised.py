"""What to say of an answer that is neither right nor a known mistake: cut short, a sign, another order. Too many numbers or too few: miscounted."""

from dataclasses import replace
from math import floor, isfinite

from pencil.exercises.answers import PLACES, places_written
from pencil.exercises.exercise import Mark

NEAR, NEARBY = 0.005, 0.0015  # an answer that is off by no more than this share of a number, and this much besides, may have been rounded
ALMOST = 0.03  # and where nothing else is known, no more than this share of the largest number
ROUNDED = 0.001  # a mistake that is off by no more than this share, and NEARBY besides, may have been rounded on the way
TENTH = 0.1  # a share that is no less than this is left out, and not rounded; no number is rounded by more of itself
TOO_ROUGH = "Whole numbers are too rough here. Carry three decimals."
POINT = "The digits are right. Count the zeros, and look where the point stands."
ROUND = "Round at the end of each line, and carry on with what you wrote."
PER_CENT = "Is this per cent? Then write the sign behind it, or divide by a hundred."
ONCE_TOO_OFTEN = ": something was multiplied or divided once too often, or not at all."
FACTORS = (2, "two"), (3, "three"), (4, "four")  # that are told by their names
COUNTED = 10  # a smaller number by itself may be off by one for any reason
PARTS = "parts"  # the key of a sum that was not added up, or of rows that were
MIN_FIGURES = 2  # significant digits that tell a number from its neighbours


def unknown(exercise, typed, explained=False):  # Exercise, [Typed] -> Mark, or None where there is nothing to say of it
    """The verdict on an answer that no mistake explains, or one further up alone."""
    right, wanted = exercise.right, len(exercise.right.paper)
    if len(typed) != wanted:
        return None
    off = right.off(typed, exercise.places)
    if not _uncut(right, typed, off):
        return _cut_short(exercise, typed, off, explained)
    if signs := turned(exercise, typed):
        return Mark("wrong", signs)
    if wanted > 1 and _reordered(typed, right):
        return Mark("wrong", "The numbers stand in another order.")
    if said := _miswritten(exercise, typed, off):
        return Mark("wrong", said)
    if _are_near(right, typed, off, lambda size: NEAR * size + NEARBY):
        return _close(typed, off)
    if is_rough(typed, right):
        left = [x for x, number in zip(typed, right.exact, strict=True) if not x.value and number >= TENTH]
        alone = left and [x.value for x in typed if x.value] == [1] and abs(sum(right.exact) - 1) <= NEARBY
        return Mark("wrong", "You gave everything to one. Another has a share as well. Carry three decimals." if alone else TOO_ROUGH)
    return Mark("wrong", POINT) if wanted > 1 and _is_moved(_factor(typed, right)) else None


def _close(typed, off):  # three decimals were carried already, where as many were typed
    where = "Close." if len(off) == len(typed) else f"{in_numbers(off)} you are close."
    carried = all((PLACES if typed[k].places is None else typed[k].places) >= PLACES for k in off)
    return Mark("wrong", f"{where} Was a number rounded too soon? {'' if carried else 'Carry three decimals. '}{ROUND}")


def _miswritten(exercise, typed, off):  # digits that were cut off where the book rounds, or that have changed places
    right, where = exercise.right, f" in {numbered(off)}" if len(typed) > 1 else ""
    if all(any(_is_cut_off(typed[k], x) for x in both(right, k)) for k in off):
        return f"You cut the digits off{where}. Round: the first digit that is left out says whether to round up."
    if all(any(_has_changed_places(typed[k], x) for x in both(right, k)) for k in off):
        return f"Two digits have changed places{where}. Look at what you wrote down."
    return ""


def _is_cut_off(typed, number):
    places = places_written(number) if isfinite(number) else 0
    is_less = typed.places == places > 0 and typed.value * number > 0
    return is_less and 0 <= abs(number) - abs(typed.value) < 10.0**-places * (1 - 1e-6)


def _has_changed_places(typed, number):
    if typed.places is None or not isfinite(number) or typed.places < places_written(number):
        return False
    if typed.figures < PLACES or typed.value * number <= 0:
        return False
    digits, others = (str(floor(abs(x) * 10.0**typed.places + 0.5)) for x in (typed.value, number))
    return len(digits) == len(others) and sorted(digits) == sorted(others) and sum(a != b for a, b in zip(digits, others, strict=True)) == 2


def related(exercise, typed):  # Exercise, [Typed] -> Mark; None
    """Do the numbers follow from the right ones in a way that names no step: the point, per cent, upside down, one factor for all?"""
    right, wanted = exercise.right, len(exercise.right.paper)
    if len(typed) != wanted:
        return None
    said = _related(typed[0], right.exact[0]) if wanted == 1 else _in_proportion(typed, right)
    return Mark("wrong", said) if said else None


def not_yet(exercise, typed):  # Exercise, [Typed] -> Mark
    """What is left to say: that it is close, or how many numbers are right, and which to look at first."""
    wanted, off = len(exercise.right.paper), exercise.right.off(typed, exercise.places)
    most = ALMOST * max(map(abs, exercise.right.exact))
    if _are_near(exercise.right, typed, off, lambda size: min(most, TENTH * size)):
        return _close(typed, off)
    if wanted == 1:
        return Mark("wrong", "Not yet.")
    good = wanted - len(off)
    first = _uncut(exercise.right, typed, off)[0] + 1
    if len(off) == 1 < good:
        return Mark("wrong", f"Not yet: number {first} alone differs. Work its line once more.")
    return Mark("wrong", f"Not yet: number {first} is the first that differs." + (f" {good} of {wanted} are right." if good else ""))


def turned(exercise, typed):  # Exercise, [Typed] -> sentence, "" where it is not the signs
    """Are the numbers right, but for their signs?"""
    right, off = exercise.right, exercise.right.off(typed, exercise.places) if len(typed) == len(exercise.right.paper) else []
    is_turned = off and all(typed[k].value and any(map(_opposite(typed[k]).means, both(right, k))) for k in off)
    return f"Look at the sign{f' of {numbered(off)}' * (len(typed) > 1)}." if is_turned else ""


def is_nearly(typed, numbers):  # [Typed], Numbers -> bool
    """Are these the numbers, cut to two figures or more, or a little off for what was rounded on the way?"""
    if len(typed) != len(numbers.exact) or not any(x.value % 1 and x.figures >= MIN_FIGURES for x in typed):
        return False
    return all(x.means(number) or _is_cut(x, number) or _is_rounded(x, number) for x, number in zip(typed, numbers.exact, strict=True))


def _is_cut(typed, number):
    return max(typed.figures, typed.places or 0) >= MIN_FIGURES and typed.cuts(number)


def _is_rounded(typed, number):
    return bool(typed.places and typed.places >= PLACES and number % 1) and abs(typed.value - number) <= ROUNDED * abs(number) + min(
        NEARBY, TENTH * abs(number)
    )


def _uncut(right, typed, off):
    return [k for k in off if not any(typed[k].cuts(x) for x in both(right, k))]


def _cut_short(exercise, typed, off, explained):
    right = exercise.right
    clear = (
        not explained
        and all(typed[k].figures >= MIN_FIGURES and any(map(typed[k].rounds, both(right, k))) for k in off)
        and not any(_all_cut(typed, wrong) for wrong, _ in exercise.wrong.values())
    )
    enough = "three decimals" if all(places_written(right.exact[k]) == PLACES for k in off) else "four figures"
    return Mark("short", f"{'So far, so good' if clear else 'Too short to tell'}. Write {enough}.")


def is_rough(typed, right):  # [Typed], Numbers -> bool
    """Is it the answer, rounded to whole numbers where it has none?"""
    if len(typed) != len(right.exact):
        return False
    whole = [x for x, number in zip(typed, right.exact, strict=True) if x.places == 0 and not x.means(number)]
    is_meant = any(x.value for x in whole) or (whole and not any(x.places for x in typed))  # a zero beside decimals was not rounded
    return bool(is_meant) and all(x.rounds(number) for x, number in zip(typed, right.exact, strict=True))


def both(right, k):  # Numbers, int -> on paper, exactly
    """One of the numbers, on both tracks."""
    return right.paper[k], right.exact[k]


def _related(typed, number):  # one number that is neither right, nor near, nor a known mistake
    if is_percent([typed], [number]):
        return PER_CENT
    moved = [moved for by in (10, 100, 1000) for moved in (number * by, number / by)]
    if (number % 1 and any(map(typed.means, moved))) or (abs(number) >= 100 and typed.value in moved):  # a whole number has all of its digits
        return POINT
    if number not in (0, 1, -1) and typed.means(1 / number):
        return "The fraction is upside down: this is one divided by the answer."
    if not number % 1 and number >= COUNTED and abs(typed.value - number) == 1:
        return "You are off by one. Was the first or the last counted twice, or left out?"
    clear = typed.figures >= MIN_FIGURES if number % 1 or typed.value % 1 else abs(number) >= 100
    by = next((name for by, name in FACTORS if clear and (is_times(typed, number, by) or is_times(typed, number, 1 / by))), "")
    return by and f"You are off by a factor of {by}{ONCE_TOO_OFTEN}"


def _in_proportion(typed, right):  # numbers that are all off by the same factor, or by the same amount
    pairs = [(x.value, number) for x, number in zip(typed, right.exact, strict=True)]
    if is_percent(typed, right.exact):
        return PER_CENT
    if factor := _factor(typed, right):
        name = next((f", {name}" for by, name in FACTORS if abs(factor / by - 1) <= NEAR or abs(factor * by - 1) <= NEAR), "")
        return f"Every number is off by the same factor{name}{ONCE_TOO_OFTEN}"
    aways = [x - number for x, number in pairs]
    if len(aways) > 2 and abs(aways[0]) > NEARBY and max(aways) - min(aways) <= NEARBY:
        return "Every number is off by the same amount: something was added to all of them, or taken off."
    off = [k for k, away in enumerate(aways) if away]
    if abs(aways[off[0]] if off else 0) == 1 and all(aways[k] == aways[off[0]] and right.exact[k] >= COUNTED for k in off):
        return f"{in_numbers(off)}: you are off by one. Is something counted twice, or left out?"
    return ""


def is_percent(typed, numbers):  # [Typed], numbers -> bool
    """Are they the numbers, counted in hundredths, to two figures at least?"""
    hundredths = [replace(x, value=x.value / 100, places=None if x.places is None else x.places + 2) for x in typed]
    is_told = any(number % 1 for number in numbers) and any(x.figures >= MIN_FIGURES for x in typed)
    return is_told and all(x.means(number) or x.rounds(number) for x, number in zip(hundredths, numbers, strict=True))


def is_times(typed, number, by):
    """Is it so many times a number, and was it not a whole one that was rounded?"""
    return typed.means(number * by) and (typed.value % 1 or not (number * by) % 1)


def _factor(typed, right):  # by which all of the numbers are off; 0 where they are not, or where too few of them could tell
    pairs = [(x.value, number) for x, number in zip(typed, right.exact, strict=True)]
    largest = max(pairs, key=lambda pair: abs(pair[1]))
    factor = largest[0] / largest[1] if largest[1] else 1
    tells = len({number for _, number in pairs}) > 1 < sum(number != 0 for _, number in pairs)
    is_one = tells and abs(factor - 1) > ALMOST and all(abs(x - factor * number) <= NEARBY for x, number in pairs)
    return factor if is_one else 0


def _is_moved(factor):  # is it a power of ten?
    return any(abs(factor * 10.0**k - 1) <= NEAR for k in (-3, -2, -1, 1, 2, 3))


def _are_near(right, typed, off, within):  # what is whole on both tracks was not rounded: near it is no hint
    return all(_is_near(typed[k].value, *both(right, k), within) for k in off)


def _is_near(value, paper, exact, within):
    return isfinite(exact) and (paper % 1 or exact % 1) and value % 1 and abs(value - exact) <= within(abs(exact))


def _opposite(typed):
    return replace(typed, value=-typed.value)


def in_numbers(off):  # [0, 2] -> "In numbers 1 and 3"
    """Where among the numbers, at the beginning of a sentence."""
    return f"In {numbered(off)}"


def numbered(off):  # [0, 2] -> "numbers 1 and 3"
    """Which of the numbers are meant."""
    *first, last = (str(k + 1) for k in off)
    return f"numbers {', '.join(first)} and {last}" if first else f"number {last}"


def _reordered(typed, right):  # each typed number means one of the right ones, and no two of them the same one
    left = list(zip(right.paper, right.exact, strict=True))
    for number in typed:
        found = next((pair for pair in left if number.means(pair[0]) or number.means(pair[1])), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _all_cut(typed, numbers):
    return len(typed) == len(numbers.exact) and all(t.means(x) or t.cuts(x) for t, x in zip(typed, numbers.exact, strict=True))
