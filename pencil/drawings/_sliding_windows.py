"""Attention masks side by side: causal, sliding window, and the receptive field of several blocks with a window."""

import numpy as np

from pencil.drawings.canvas import BLUE, QUIET, WIDTH, Canvas

GAP, HEAD, PER_LINE, FOOT = 22, 20, 2, 24  # px between masks; px of a title; masks per line; px of the line below
SAID = "a row: the word that looks · a column: a word that it hears"


def sliding_windows(masks, title):  # {title of a mask: (T, T) bool}, caption -> Drawing
    """Masks as grids of squares, a row for each query, filled where it may attend. Raises ValueError for masks of different sizes."""
    if len(shapes := {np.shape(mask) for mask in masks.values()}) != 1:
        raise ValueError(f"the masks are {', '.join(map(str, sorted(shapes)))}; give all one size")
    canvas, (count, _) = Canvas(None, title), shapes.pop()
    side = (WIDTH - GAP * (PER_LINE - 1)) / PER_LINE / count
    for k, (said, mask) in enumerate(masks.items()):
        left, top = k % PER_LINE * (side * count + GAP), HEAD + k // PER_LINE * (side * count + HEAD + GAP)
        canvas.step(f"{said[0].upper()}{said[1:]}: the last word sees {int(np.asarray(mask)[-1].sum())} of {count}.")
        canvas.text(left, top - 6, said, "start")
        for seen, colour, opacity in ((True, BLUE, 0.7), (False, QUIET, 0.12)):
            canvas.tiles([(left + side * j, top + side * i) for i, j in np.argwhere(np.asarray(mask) == seen)], side - 2, colour, opacity)
    height = -(-len(masks) // PER_LINE) * (side * count + HEAD + GAP) - GAP
    canvas.text(0, height + FOOT - 6, SAID, "start", quiet=True)
    return canvas.drawing(height + FOOT)
