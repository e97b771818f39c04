"""What to say of a row in which some numbers are right, where no known mistake explains the others."""

from pencil.exercises.exercise import Mark
from pencil.exercises.unknown import COUNTED, FACTORS, in_numbers, is_times

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


def _is_told(typed):
    return typed.value % 1 or abs(typed.value) >= COUNTED


def _by_a_factor(number, typed, k):
    beside = not number % 1 and abs(typed.value - number) <= 1  # which may be one too many as well
    by = next((name for by, name in FACTORS if is_times(typed, number, by) or is_times(typed, number, 1 / by)), "")
    return Mark("wrong", f"In number {k + 1} you are off by a factor of {by}. {TOO_OFTEN}") if by and number and not beside else None
