"""Projections of rows on other rows, drawn as shadows."""

from pencil.drawings._plane import View, Words, arrow, named, tips_of
from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, Canvas

SHADOW = 5  # px: thickness


def projections(worked, falls, title, slots=(0, 1), unit=False, closing=()):  # Worked, [(row, axis, foot)], caption -> Drawing
    """Rows as arrows in a plane, and their projections.

    - `falls`: (row, axis, foot) for each projection: the projected row, the row on which it is projected, and the projection. A row is a
      reference, or (reference, label)
    - `slots`: the two columns to draw
    - `unit`: whether to draw the unit circle
    - `closing`: the words of a last step

    Raises ValueError for a row without these columns, and for no projections.
    """
    if not falls:
        raise ValueError("no shadows; give (row, axis, foot) at least once")
    canvas = Canvas(worked, title)
    read = [(named(canvas, row), named(canvas, axis), foot) for row, axis, foot in falls]
    tips = tips_of(canvas, [reference for (row, _), (axis, _), foot in read for reference in (row, axis, foot)], slots)
    view = View([*tips.values(), *([(-1.0, -1.0), (1.0, 1.0)] if unit else [])], slots)
    words = Words(view, [((0.0, 0.0), tip) for tip in tips.values()] + [(tips[foot], tips[row]) for (row, _), _, foot in read])
    view.squares(canvas, words, worked.trace.find(read[0][0][0]).words[0])
    if unit:
        canvas.ring(*map(float, view.origin), view.scale, view.scale)
    drawn = set()
    for (row, said), (axis, name), foot in read:
        for reference, word, colour in ((row, said, BLUE), (axis, name, RED)):
            if reference not in drawn:
                arrow(canvas, view, words, tips, (reference, None, word), colour)
                drawn.add(reference)
        canvas.step(f"Straight down from {said} to the line of {name}. The shadow ends at ", [foot], ".")
        canvas.line(*view.follow(("x1", "y1"), row), *view.follow(("x2", "y2"), foot), QUIET, 1.2, head=False)
        canvas.line(*view.follow(("x1", "y1"), None), *view.follow(("x2", "y2"), foot), AMBER, SHADOW, head=False)
    if closing:
        canvas.step(*closing)
    return canvas.drawing(view.height)
