"""Numbers that are one move away from the right ones: what is missing to one, a square, a root, e raised to them, their logarithm.

What is said of them is true whatever the reader did.
"""

import math

from pencil.exercises.exercise import Mark

CLEAR = 3  # significant digits that no other move comes to by chance
MOVES = (  # what was typed, of the right number; what to say
    (lambda x: 1 - x if 0 < x < 1 else math.nan, "That is one minus the answer."),
    (lambda x: x * x, "That is the square of the answer. Was a root forgotten, or something squared once too often?"),
    (lambda x: math.sqrt(x) if x > 0 else math.nan, "That is the root of the answer. Was a root taken once too often, or a square forgotten?"),
    (lambda x: math.exp(x) if x < CLEAR else math.nan, "That is e, raised to the answer. Stop a step earlier."),
    (lambda x: math.log(x) if x > 0 else math.nan, "That is the natural logarithm of the answer. Was e to be raised?"),
)


def one_move_off(exercise, typed):  # Exercise, [Typed] -> Mark, or None where no such move leads there
    """Is each number made of the right one by the same move?"""
    right = exercise.right
    if len(typed) != len(right.exact) or any(x.figures < CLEAR for x in typed):
        return None
    for move, said in MOVES:
        if all(any(x.means(move(number)) for number in pair) for x, *pair in zip(typed, right.paper, right.exact, strict=True)):
            return Mark("wrong", said)
    return None
