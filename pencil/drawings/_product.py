"""A matrix product: each number of the result is where its row and its column cross."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas

WIDE, HIGH, GAP, TOP = 70, 36, 22, 26  # px: width and height of a cell; between the matrices; y of the first


def product(worked, left, right, out, title):  # Worked, the names of two matrices and of their product, caption -> Drawing
    """The left factor at the bottom left, the right factor at the top right, and the product in the corner, with a step for each number.

    Raises ValueError for matrices that are too wide for a phone.
    """
    canvas = Canvas(worked, title)
    rows, inner = canvas.value(left).shape
    columns = canvas.value(right).shape[1]
    corner, foot = WIDE * inner + GAP, TOP + HIGH * inner + GAP
    if corner + WIDE * columns > WIDTH:
        raise ValueError(f"{inner + columns} columns beside each other; {(WIDTH - GAP) // WIDE} fit on a phone")
    for i in range(rows):
        canvas.box(0, foot + HIGH * i + 3, corner + WIDE * columns, HIGH - 6, BLUE, 0.1, border=False)
    for j in range(columns):
        canvas.box(corner + WIDE * j + 3, TOP, WIDE - 6, foot - TOP + HIGH * rows, AMBER, 0.1, border=False)
    canvas.cells(0, foot, left, WIDE, HIGH, colour=BLUE)
    canvas.cells(corner, TOP, right, WIDE, HIGH, colour=AMBER)
    canvas.text(corner + WIDE * columns / 2, TOP - 9, canvas.called(right), quiet=True)
    canvas.text(WIDE * inner / 2, foot - 9, canvas.called(left), quiet=True)
    for i in range(rows):
        for j in range(columns):
            canvas.step(*_said(left, right, out, i, j, inner))
            x, y = corner + WIDE * j, foot + HIGH * i
            canvas.box(x + 2, y + 2, WIDE - 4, HIGH - 4, QUIET, 0.12)
            canvas.number(x + WIDE / 2, y + HIGH / 2 + 5, f"{out}[{i}, {j}]", size=14)
    canvas.text(corner + WIDE * columns / 2, foot + HIGH * rows + 16, canvas.called(out), quiet=True)
    return canvas.drawing(height=foot + HIGH * rows + 24)


def _said(left, right, out, i, j, inner):  # -> the words of a step: a number of the product as a sum of products
    words = []
    for k in range(inner):
        words += [" plus " if k else f"Row {i + 1}, column {j + 1}: ", [f"{left}[{i}, {k}]"], " times ", [f"{right}[{k}, {j}]"]]
    return *words, " is ", [f"{out}[{i}, {j}]"], "."
