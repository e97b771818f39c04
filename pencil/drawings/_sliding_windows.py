"""Attention masks side by side: causal, sliding window, the receptive field of several blocks with a window, and those of sparse attention."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas

GAP, HEAD, PER_LINE, FOOT = 22, 20, 2, 24  # px between masks; px of a title; masks per line; px of the line below
SAID = "a row: the word that looks · a column: a word that it sees"
KEY = ((AMBER, 1, "the needle is read"), (RED, 0.45, "it is not"))  # colour, opacity, what it says


def sliding_windows(masks, title, needle=None):  # {title of a mask: (T, T) bool}, caption -> Drawing
    """Masks as grids of squares, a row for each query, filled where it may attend. Raises ValueError for masks of different sizes.

    - `masks`: a number between 0 and 1 instead of a bool is the part that a word has in the entry that is read, and a paler square
    - `needle`: the position of a word whose column is told apart, from the row after its own on
    """
    if len(shapes := {np.shape(mask) for mask in masks.values()}) != 1:
        raise ValueError(f"the masks are {', '.join(map(str, sorted(shapes)))}; give all one size")
    canvas, (count, _) = Canvas(None, title), shapes.pop()
    side = (WIDTH - GAP * (PER_LINE - 1)) / PER_LINE / count
    for k, (said, mask) in enumerate(masks.items()):
        mask = np.asarray(mask, float)
        left, top = k % PER_LINE * (side * count + GAP), HEAD + k // PER_LINE * (side * count + HEAD + GAP)
        canvas.step(f"{said[0].upper()}{said[1:]}: the last word sees {_seen(mask[-1], needle)}.")
        canvas.text(left, top - 6, said, "start")
        sought = np.zeros(mask.shape, bool)
        if needle is not None:
            sought[needle + 1 :, needle] = True
        for level in np.unique(mask)[::-1]:
            colours = ((BLUE, AMBER), (0.7 * level, level)) if level else ((QUIET, RED), (0.12, 0.45))
            for colour, opacity, which in zip(*colours, (~sought, sought), strict=True):
                canvas.tiles([(left + side * j, top + side * i) for i, j in np.argwhere((mask == level) & which)], side - 2, colour, opacity)
    height = -(-len(masks) // PER_LINE) * (side * count + HEAD + GAP) - GAP
    canvas.text(0, height + FOOT - 6, SAID, "start", quiet=True)
    if needle is None:
        return canvas.drawing(height + FOOT)
    for k, (colour, opacity, said) in enumerate(KEY):
        canvas.tiles([(WIDTH / 2 * k, height + FOOT + 4)], 14, colour, opacity)
        canvas.text(WIDTH / 2 * k + 20, height + 2 * FOOT - 8, said, "start", quiet=True)
    return canvas.drawing(height + 2 * FOOT)


def _seen(row, needle):  # -> what is said of the last row
    seen, parted = int(row.sum() + 0.5), (row % 1).any()
    many = f"{seen} entries" if parted else f"{seen} of {len(row)}"
    if needle is None:
        return many
    return many + (", and not the needle" if row[needle] == 0 else ", the needle in one of them" if parted else ", the needle among them")
