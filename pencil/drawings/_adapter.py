"""LoRA: a row through the frozen weight and through the two low-rank matrices beside it, and their sum."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas

FROZEN, BESIDE = 92, 306  # px: x of the path through the frozen weight, and of the low-rank path
CELL, TALL, LONG = 40, 24, 4  # the width and height of a cell; the numbers of a row
TOP, MATRICES, FOOT = 22, 92, 316  # y of the input, of the first matrix, of the results of both paths


def adapter(worked, word, title):  # Worked of `lora_linear`, a word of its rows, caption -> Drawing
    """One row on both paths, and the output.

    The run names x, weight, a and b, and the values of `pencil.reference.lora_linear`. Raises ValueError unless the rank is 1 and
    rows have four numbers.
    """
    shapes = [worked.trace.names[name].exact.shape for name in ("weight", "a", "b")]
    if shapes[1:] != [(1, LONG), (LONG, 1)] or shapes[0] != (LONG, LONG):
        raise ValueError(f"weight, a and b have the shapes {shapes}; give a matrix of {LONG} by {LONG}, and a rank of one")
    canvas, (x, base, low, delta, out) = Canvas(worked, title), (f"{word}.{name}" for name in ("x", "base", "low", "delta", "out"))
    _row(canvas, WIDTH / 2, TOP, x)
    canvas.step("The row goes through the frozen matrix: ", [base], ".")
    canvas.wire([(WIDTH / 2 - 60, TOP + TALL), (FROZEN, MATRICES + 44)], QUIET)
    _matrix(canvas, FROZEN, MATRICES + 46, "weight", QUIET)
    canvas.wire([(FROZEN, MATRICES + 46 + TALL * LONG), (FROZEN, FOOT - 2)], QUIET)
    _row(canvas, FROZEN, FOOT, base)
    canvas.step("Beside it, A makes a single number of the row: ", [low], ".")
    canvas.wire([(WIDTH / 2 + 60, TOP + TALL), (BESIDE, MATRICES - 2)], AMBER)
    _matrix(canvas, BESIDE, MATRICES, "a", AMBER)
    canvas.wire([(BESIDE, MATRICES + TALL), (BESIDE, MATRICES + 44)], AMBER)
    canvas.slots(BESIDE - CELL / 2, MATRICES + 46, low, CELL, TALL, colour=AMBER)
    canvas.step("B makes a whole row of that number again: ", [delta], ".")
    canvas.wire([(BESIDE, MATRICES + 46 + TALL), (BESIDE, MATRICES + 108)], AMBER)
    _matrix(canvas, BESIDE, MATRICES + 110, "b", AMBER)
    canvas.wire([(BESIDE, MATRICES + 110 + TALL * LONG), (BESIDE, FOOT - 2)], AMBER)
    _row(canvas, BESIDE, FOOT, delta, AMBER)
    canvas.step("Their sum: ", [out], ".")
    canvas.sign(WIDTH / 2, FOOT + 58, "+")
    for middle, side in ((FROZEN, -11), (BESIDE, 11)):
        canvas.line(middle, FOOT + TALL + 2, WIDTH / 2 + side, FOOT + 55)
    canvas.line(WIDTH / 2, FOOT + 68, WIDTH / 2, FOOT + 82)
    _row(canvas, WIDTH / 2, FOOT + 84, out, BLUE, beside=True)
    return canvas.drawing(FOOT + 84 + TALL + 4)


def _row(canvas, middle, y, reference, colour=QUIET, beside=False):
    left = middle - CELL * LONG / 2
    called = canvas.called(reference.partition(".")[2])
    at = (left - 8, y + 17, called, "end") if beside else (left + 2, y - 7, called, "start")
    canvas.text(*at, quiet=True)
    canvas.slots(left, y, reference, CELL, TALL, colour=colour)


def _matrix(canvas, middle, y, name, colour):
    columns = canvas.worked.trace.names[name].exact.shape[-1]
    left = middle - CELL * columns / 2
    at = (left - 8, y + 17, canvas.called(name), "end") if columns == 1 else (left + 2, y - 6, canvas.called(name), "start")
    canvas.text(*at, quiet=True)
    canvas.cells(left, y, name, CELL, TALL, colour=colour, stood=columns == 1)
