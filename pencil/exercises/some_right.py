"""What to say of a row in which some numbers are right, or of shares that make no whole, where no known mistake explains them."""

from pencil.exercises.exercise import Mark
from pencil.exercises.miscounted import slices
from pencil.exercises.unrecognised import COUNTED, FACTORS, PER_CENT, in_numbers, is_percent, is_times

FROM_WHOLE = 0.02  # shares that were rounded are no further from a whole
TOO_OFTEN = "Was something multiplied or divided once too often, or not at all?"


def in_part(exercise, typed):  # Exercise, [Typed] -> Mark, or None where there is nothing to say of it
    """A line that was left out, a number that was written twice, or a factor that one number alone is off by."""
    right = exercise.right
    off = right.off(typed, exercise.places) if len(typed) == len(right.exact) else []
    good = [k for k in range(len(typed)) if k not in off and typed[k].value]
    if not (off and good):
        return None
    if not any(typed[k].value for k in off):
        return Mark("wrong", f"{in_numbers(off)} it is not zero. Work {'that line' if len(off) == 1 else 'those lines'} as well.")
    twice = [k for k in good if _is_told(typed[k]) and all(typed[j].value == typed[k].value for j in off)]
    if twice:
        return Mark("wrong", f"{in_numbers(off)} you have number {twice[0] + 1} once more. Each number has a line of its own.")
    return _by_a_factor(right.exact[off[0]], typed[off[0]], off[0]) if len(off) == 1 else None


def of_shares(exercise, typed):  # Exercise, [Typed] -> Mark, or None where no shares are asked for, or nothing is wrong with their sum
    """Are shares all alike, or do they make more than one whole, or less?"""
    width = exercise.shares or len(exercise.right.exact)
    if len(typed) != len(exercise.right.exact) or width < 2 or not _are_shares(exercise.right.exact, width):
        return None
    if is_percent(typed, exercise.right.exact):
        return Mark("wrong", PER_CENT)
    rows, wanted = (slices(numbers, width) for numbers in ([x.value for x in typed], exercise.right.exact))
    if all(map(_is_even, rows)) and not all(map(_is_even, wanted)):
        return Mark("wrong", "You shared out evenly. Each has a share of its own.")
    away = next((sum(row) - 1 for row in rows if abs(sum(row) - 1) > FROM_WHOLE), 0)
    return Mark("wrong", f"Shares make one whole. These add up to {'more' if away > 0 else 'less'}.") if away else None


def _are_shares(numbers, width):
    sums = map(sum, slices(numbers, width))
    return all(x >= 0 for x in numbers) and any(x % 1 for x in numbers) and all(abs(x - 1) <= FROM_WHOLE / 10 for x in sums)


def _is_even(row):
    return abs(sum(row) - 1) <= FROM_WHOLE and len({x for x in row if x}) == 1 < sum(x != 0 for x in row)


def _is_told(typed):
    return typed.value % 1 or abs(typed.value) >= COUNTED


def _by_a_factor(number, typed, k):
    beside = not number % 1 and not typed.value % 1 and abs(typed.value - number) <= 1  # which may be one too many as well
    by = next((name for by, name in FACTORS if is_times(typed, number, by) or is_times(typed, number, 1 / by)), "")
    return Mark("wrong", f"In number {k + 1} you are off by a factor of {by}. {TOO_OFTEN}") if by and number and not beside else None
