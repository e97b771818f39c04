"""Attention maps: the weights of some heads on one text, a square each, whose cells are fuller for larger weights."""

import numpy as np

from pencil.drawings.canvas import BLUE, QUIET, SMALL, WIDTH, Canvas
from pencil.drawings.marks import element
from pencil.rounding import pixels

LEVELS = 3  # shades
GAP, HEAD, LABELS = 12, 22, 62  # px between maps; height of a title; width of the tokens' column


def maps(weights, title, per_line=1, tokens=()):  # {(name, what is said of it): (T, T)}, caption, maps in a line, T tokens -> Drawing
    """A map and a step for each head: a row for each token that attends, a column for each that it attends to.

    `tokens` stand beside the rows, where there is one map in a line. Raises ValueError for maps of different sizes and for tokens that do not
    fit the map.
    """
    if len(shapes := {np.shape(each) for each in weights.values()}) != 1 or len(size := next(iter(shapes))) != 2 or size[0] != size[1]:
        raise ValueError(f"the maps are {', '.join(map(str, sorted(shapes)))}; give squares of one size")
    (count, _), left = shapes.pop(), LABELS if tokens else 0
    if tokens and (per_line > 1 or len(tokens) != count):
        raise ValueError(f"{len(tokens)} tokens for maps of {count}, {per_line} in a line; tokens stand beside one map a line, one for each row")
    canvas, wide = Canvas(None, title), (WIDTH - left - GAP * (per_line - 1)) // per_line
    side = min(wide / count, SMALL)
    tall = int(np.ceil(side * count))
    corners = [(left + k % per_line * (wide + GAP), HEAD + k // per_line * (tall + HEAD + GAP)) for k in range(len(weights))]
    canvas.tiles(corners, side * count, QUIET, 0.1)  # one path for the grounds of all maps, and short ones for their cells: a page has many
    for (x, y), ((name, said), each) in zip(corners, weights.items(), strict=True):
        canvas.step(said)
        canvas.text(x, y - 6, name, "start")
        shades = (np.asarray(each, float) * LEVELS + 0.5).astype(int)
        placed = f"translate({x} {pixels(y + side / 2)}) scale({pixels(side)})"
        drawn = [element("path", d=_strokes(np.argwhere(shades == shade)), opacity=pixels(shade / LEVELS)) for shade in sorted({*shades.flat} - {0})]
        canvas.group(*drawn, transform=placed, stroke=BLUE, stroke_width=1)
        for i, token in enumerate(tokens):
            canvas.text(x - 5, y + side * (i + 0.5) + 4.5, token, "end")
    return canvas.drawing(HEAD + -(-len(weights) // per_line) * (tall + HEAD + GAP) - GAP - HEAD + 1)


def _strokes(places):  # rows and columns, in order -> the path of these cells in units of a cell, those side by side in one stroke
    strokes, end = [], None
    for i, j in places:
        if end == (i, j):
            strokes[-1][2] += 1
        else:
            strokes.append([i, j, 1])
        end = i, j + 1
    return "".join(f"M{j} {i}h{n}" for i, j, n in strokes)
