"""Two heads that read one row, their concatenation, and the output projection that makes one row of it."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas

SLOT, ROW, FIRST, APART = 24, 26, 4, 30  # px: width and height of a slot; y of the first row; between rows


def multi_head(title, width=4):  # caption, numbers of a row -> Drawing
    """Two heads read the same row; their outputs are concatenated, and the output projection maps them back to the width of the row."""
    canvas, middle = Canvas(None, title), WIDTH / 2
    canvas.step("Both heads read the same row.")
    _row(canvas, middle, FIRST, width, QUIET, "embedding")
    heads = ((middle / 2, BLUE, "head one", "A"), (middle * 3 / 2, AMBER, "head two", "B"))
    canvas.step("Each has a W_Q, a W_K and a W_V of its own, and makes a row of its own by the same four moves.")
    low = FIRST + ROW
    for x, colour, name, result in heads:
        canvas.line(middle + (x - middle) * 0.15, low, x, low + APART - 2, colour)
        canvas.box(x - 78, low + APART, 156, 44, colour)
        canvas.text(x, low + APART + 18, name, bold=True)
        canvas.text(x, low + APART + 35, "own weight matrices")
        canvas.line(x, low + APART + 44, x, low + 2 * APART + 42, colour)
        _row(canvas, x, low + 2 * APART + 44, width, colour, result)
    canvas.step("Concatenate: B is written after A.")
    low += 2 * APART + 44 + ROW
    for (x, colour, *_), side in zip(heads, (-1, 1), strict=True):
        canvas.line(x, low, middle + side * SLOT * width / 2, low + APART - 2, colour)
        _row(canvas, middle + side * SLOT * width / 2, low + APART, width, colour)
    canvas.text(middle + SLOT * width + 10, low + APART + 17, "A, B", "start", bold=True)
    canvas.step("The output projection, W_O, reads all of it and writes a row of the old width.")
    low += APART + ROW
    canvas.line(middle, low, middle, low + APART - 2)
    canvas.text(middle + 10, low + 19, "W_O", "start")
    _row(canvas, middle, low + APART, width, RED, "new vector")
    return canvas.drawing(low + APART + ROW + 4)


def _row(canvas, x, y, count, colour, name=""):  # empty slots, centred at x
    for k in range(count):
        canvas.box(x - SLOT * count / 2 + SLOT * k, y, SLOT, ROW, colour, opacity=0.2)
    if name:
        canvas.text(x + SLOT * count / 2 + 10, y + 17, name, "start", bold=True)
