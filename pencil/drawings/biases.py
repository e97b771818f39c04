"""Attention biases by relative position: ALiBi's, a number for each pair, and T5's, a learned number for each distance."""

import numpy as np

from pencil.drawings._attention import allowed
from pencil.drawings.canvas import BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint
from pencil.worked.fragments import join

BELOW = "rgb(var(--below-zero, 196, 96, 20))"
LEFT, TOP, TALL, FULL = 50, 24, 30, 0.7  # px: position of the cells; height of a cell; opacity of the strongest colour
MOST = 6  # words that fit along each side


def bias(worked, reference, title, mask=None):  # Worked, the name of a matrix, caption -> Drawing
    """A matrix as a grid with one hue for negative and one for positive numbers; a row for each query.

    Masked pairs stay empty; the mask is as in `pencil.reference.attention`. Raises ValueError for a mask of another shape, and for more
    than six words.
    """
    value = worked.trace.find(reference)
    asking, asked = value.words
    _refuse(max(len(asking), len(asked)))
    sees = allowed(mask, value.exact.shape, reference)
    canvas, side = Canvas(worked, title), (WIDTH - LEFT) / len(asked)
    most = float(np.abs(value.exact[sees]).max()) or 1.0
    _names(canvas, side, asked)
    for i, word in enumerate(asking):
        y = TOP + TALL * i
        seen = [other for k, other in enumerate(asked) if sees[i, k]]
        canvas.step(f"“{word}” asks: ", *join([[[f"{word}.{reference}[{other}]"], f" for “{other}”"] for other in seen], ", "), ".")
        canvas.text(LEFT - 8, y + 19, word, "end")
        for k, other in enumerate(asked):
            if not sees[i, k]:
                continue
            cell, x = f"{word}.{reference}[{other}]", LEFT + side * k
            for colour, low, high in ((BELOW, -most, 0.0), (BLUE, 0.0, most)):
                full = Paint("fill-opacity", cell, 0.0, FULL / most * (1 if high else -1), low, high)
                canvas.box(x, y, side - 3, TALL - 3, colour, full, border=False)
            canvas.number(x + side / 2 - 1, y + 18, cell)
    return canvas.drawing(height=TOP + TALL * len(asking))


def gaps(words, near, title):  # words, int, caption -> Drawing
    """The buckets of T5's relative positions: a bucket for each distance below `near`, and one for all larger ones on each side.

    Raises ValueError for more than six words, and unless there are distances below and from `near` on.
    """
    _refuse(len(words))
    if not 0 < near < len(words) - 1:
        raise ValueError(f"near={near} with {len(words)} words, whose gaps are 0 to {len(words) - 1}; take 1 to {len(words) - 2}")
    canvas, side = Canvas(None, title), (WIDTH - LEFT) / len(words)
    _names(canvas, side, words)
    gap = np.arange(len(words)) - np.arange(len(words))[:, None]
    for i, word in enumerate(words):
        canvas.text(LEFT - 8, TOP + TALL * i + 19, word, "end")
    steps = [(np.abs(gap) == k, f"{_positions(k)} apart: one number for each side.") for k in range(1, near)]
    far = (np.abs(gap) >= near, f"{_positions(near)} or more: one number for each side as well.")
    for cells, said in ((gap == 0, "A word and itself: one number. \N{LEFTWARDS ARROW} looks back, \N{RIGHTWARDS ARROW} looks on."), *steps, far):
        canvas.step(said)
        for i, k in np.argwhere(cells):
            size = min(abs(int(gap[i, k])), near)
            colour = BLUE if gap[i, k] < 0 else BELOW if gap[i, k] else QUIET
            x, y = LEFT + side * k, TOP + TALL * i
            canvas.box(x, y, side - 3, TALL - 3, colour, 0.15 + FULL * size / (near + 1), border=False)
            canvas.text(x + side / 2 - 1, y + 18, _way(gap[i, k], near))
    return canvas.drawing(height=TOP + TALL * len(words))


def _refuse(count):
    if count > MOST:
        raise ValueError(f"{count} words along a side; {MOST} fit on a phone")


def _names(canvas, side, words):
    for k, word in enumerate(words):
        canvas.text(LEFT + side * (k + 0.5) - 1, TOP - 8, word)


def _positions(count):
    return "One position" if count == 1 else f"{count} positions"


def _way(gap, near):  # 2 positions back: ←2; 3 or more positions ahead: 3+→
    many = f"{near}+" if abs(gap) >= near else str(abs(gap))
    return f"\N{LEFTWARDS ARROW}\N{THIN SPACE}{many}" if gap < 0 else f"{many}\N{THIN SPACE}\N{RIGHTWARDS ARROW}" if gap else "0"
