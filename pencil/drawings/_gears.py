"""The chain rule as gears: along a path, slopes multiply."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas

TEETH, TOOTH = (48, 24, 8), 4  # of each wheel; px: half the height of a tooth
PITCH = 2.2  # px of radius for each tooth
EDGE, TOP = 14, 12  # px: left edge of the first wheel; top of the largest


def gears(worked, turns, factors, title):  # Worked, references of three turns, of two factors, caption -> Drawing
    """Three wheels that mesh, each with the angle by which it turns as an arc; neighbours turn in opposite directions.

    - `turns`: references of the three angles in radians; each is a multiple of the one before, as the teeth of the wheels are
    - `factors`: references of the two multiples, and of their product

    Raises ValueError for other numbers of references.
    """
    if (len(turns), len(factors)) != (len(TEETH), len(TEETH)):
        raise ValueError(f"{len(turns)} turns and {len(factors)} factors; three wheels have three turns, two factors and their product")
    canvas, x, before = Canvas(worked, title), EDGE, 0
    middle, under = TOP + PITCH * TEETH[0], TOP + 2 * PITCH * TEETH[0] + 24
    for k, (turn, teeth) in enumerate(zip(turns, TEETH, strict=True)):
        radius = PITCH * teeth
        x += radius + TOOTH
        if k:
            canvas.step(f"Wheel {k + 1} turns ", [factors[k - 1]], " times as far as the one before it: ", [turn], ".")
        else:
            canvas.step("The first wheel turns a little: ", [turn], ".")
        colour = (BLUE, QUIET, AMBER)[k]
        canvas.outline(_rim(x, middle, radius, teeth, k), colour)
        canvas.line(x, middle, x + radius - TOOTH, middle, QUIET, 1, head=False)
        canvas.arc(x, middle, radius * 0.62, turn, colour, 5, clockwise=k % 2 == 1)
        canvas.number(x, under, turn, colour=colour)
        if k:
            canvas.text((x + before) / 2 - 6, under, "×", quiet=True)
            canvas.number((x + before) / 2 + 2, under, factors[k - 1], "start")
        x, before = x + radius - TOOTH, x
    canvas.step("So the last turns ", [factors[-1]], " times as far as the first: along a path, slopes multiply.")
    canvas.text(WIDTH / 2, under + 24, "how far each wheel turns", quiet=True)
    return canvas.drawing(height=under + 32)


def _rim(x, y, radius, teeth, shift):  # -> the corners of a wheel with teeth; `shift` lets neighbours mesh
    corners = (np.arange(4 * teeth) + 2 * (shift % 2)) * (2 * np.pi / (4 * teeth))
    reach = radius + TOOTH * np.where(np.arange(4 * teeth) % 4 < 2, 0.5, -0.5)
    return np.stack([x + reach * np.cos(corners), y + reach * np.sin(corners)], axis=-1)
