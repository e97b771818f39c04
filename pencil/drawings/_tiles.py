"""The score matrix of flash attention as tiles, in the order of computation; tiles that are masked entirely stay empty."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas

LEFT, TOP, RIGHT = 56, 26, 64  # px: space for the labels on the left and at the top, and for the outputs on the right


def tiles(todo, words, title, made="context"):  # result of `reference.tiles`, words, caption, label of an output -> Drawing
    """The score matrix, with a step for each tile; after the last tile of a row its output is complete.

    At most eight words label both sides. Raises ValueError unless the tiles cover as many rows as there are words.
    """
    count = len(words)
    if todo[-1][0].stop != count or count > 8:
        raise ValueError(f"tiles of {todo[-1][0].stop} rows and {count} words; give one word a row, eight at most")
    canvas, side = Canvas(None, title), (WIDTH - LEFT - RIGHT) / count
    for k, word in enumerate(words):
        canvas.text(LEFT - 6, TOP + side * (k + 0.5) + 4, word, "end")
        canvas.text(LEFT + side * (k + 0.5), TOP - 8, word)
    canvas.tiles([(LEFT + side * j, TOP + side * i) for i, j in np.ndindex(count, count)], side - 2, QUIET, 0.1)
    for rows, row_tiles in todo:
        for columns, mask in row_tiles:
            here, there = _of(words, rows), _of(words, columns)
            last = columns is row_tiles[-1][0]
            canvas.step(f"{here} ask {there}" + (f"; their last tile: divide, and write each {made}." if last else "."))
            _frame(canvas, side, rows, columns, mask)
            if last:
                y, tall = TOP + side * rows.start, side * (rows.stop - rows.start) - 2
                canvas.box(WIDTH - RIGHT + 8, y, RIGHT - 10, tall, AMBER, 0.3)
                canvas.text(WIDTH - RIGHT / 2 + 3, y + tall / 2 + 4, made)
    return canvas.drawing(TOP + side * count + 4)


def _of(words, block):
    return " and ".join(f"“{word}”" for word in words[block])


def _frame(canvas, side, rows, columns, mask):
    seen = np.ones((rows.stop - rows.start, columns.stop - columns.start), bool) if mask is None else mask
    places = [(LEFT + side * (columns.start + j), TOP + side * (rows.start + i)) for i, j in np.argwhere(seen)]
    canvas.tiles(places, side - 2, BLUE, 0.6)
    wide, tall = side * seen.shape[1] - 1, side * seen.shape[0] - 1
    canvas.box(LEFT + side * columns.start - 0.5, TOP + side * rows.start - 0.5, wide, tall, BLUE, 0.05)
