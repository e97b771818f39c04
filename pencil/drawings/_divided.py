"""Probabilities as stacked bars: one bar for each distribution over the same two or three words."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint
from pencil.worked.fragments import join

LEFT, LONG, TALL, PITCH = 1, WIDTH - 2, 22, 78  # px: x, length and height of a bar; between bars
KEY = 11  # px: the side of a legend's square
COLOURS = (AMBER, BLUE, QUIET)  # of the words, in order
STRONG = 0.75


def divided(worked, ways, title):  # Worked, {label of a bar: name of a row}, caption -> Drawing
    """Each distribution as a bar divided among its words. A word has the same colour in all bars.

    The first part is drawn from the left, the third from the right, and the second is the rest. Raises ValueError unless each
    value is a row of two or three numbers labelled with words.
    """
    canvas, order = Canvas(worked, title), {}
    for k, (said, reference) in enumerate(ways.items()):
        row = worked.trace.find(reference)
        words = row.words[0] if len(row.words) == 1 and row.words[0] else ()
        if len(words) not in (2, 3):
            raise ValueError(f"{reference} has the shape {np.shape(row.exact)} and the words {list(words)}; give two or three shares with words")
        parts = [(word, f"{reference}[{word}]", COLOURS[order.setdefault(word, len(order)) % len(COLOURS)]) for word in words]
        canvas.step(f"{said}: ", *join([[f"{word} ", [share]] for word, share, _ in parts], ", "), ".")
        _bar(canvas, PITCH * k, said, parts)
    return canvas.drawing(PITCH * len(ways) - 8)


def _bar(canvas, top, said, parts):
    canvas.text(0, top + 14, said, "start")
    (_, first, left), (_, _, between), *third = parts
    canvas.stretch(LEFT, LONG, top + 22, TALL, between, STRONG)
    for share, colour, start in [(first, left, LEFT), *((s, c, Paint("x", s, LEFT + LONG, -LONG)) for _, s, c in third)]:
        canvas.stretch(start, Paint("width", share, 0, LONG), top + 22, TALL, colour, 1)
    for k, (word, share, colour) in enumerate(parts):
        x, y = WIDTH / 3 * k, top + 22 + TALL
        canvas.tiles([(x, y + 9)], KEY, colour, STRONG if colour == between else 1)
        canvas.said(x + KEY + 6, y + 19, [f"{word} ", [share]])
