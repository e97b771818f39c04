"""The delta rule: each token reads what its key finds, subtracts it from its value, and writes the difference."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, Canvas

BEFORE, FOUND, VALUE, ERROR, AFTER = 0, 84, 164, 244, 324  # px: x of the five, of two numbers each
CELL, TALL, TOP, BAND = 36, 26, 24, 104  # px: of a number; y of the first token's band, and the height of one
MOST = 3


def delta_rule(worked, title):  # Worked of `recurrent_attention` with a beta of ones, a start and up to three tokens, caption -> Drawing
    """A band for each token: the state before it, what its key finds there, its value, the difference of both, and the state with it.

    The run names the state before the first token `start`. Raises ValueError for more tokens, and for keys or values of other than two numbers.
    """
    words, start = worked.trace.find("value").words[0], worked.trace.find("start").exact
    if len(words) > MOST or start.shape != (2, 2):
        raise ValueError(f"{len(words)} tokens and a state {start.shape}; up to {MOST} tokens and a state of 2 by 2 have room")
    canvas = Canvas(worked, title)
    for x, said in ((BEFORE, "state"), (FOUND, "found"), (VALUE, "value"), (ERROR, "error"), (AFTER, "state")):
        canvas.text(x + CELL, 14, said, quiet=True)
    for k, word in enumerate(words):
        _band(canvas, word, k + 1, TOP + BAND * k)
    return canvas.drawing(TOP + BAND * len(words) - 20)


def _band(canvas, word, token, y):
    row = y + 30
    before = "start" if token == 1 else f"token{token - 1}.state"
    found, error, after = (f"token{token}.{name}" for name in ("found", "error", "state"))
    canvas.step(f"“{word}” reads what its key finds: ", [found], ".")
    canvas.text(0, y + 16, word, "start", bold=True)
    canvas.cells(BEFORE, row, before, CELL, TALL, colour=BLUE)
    canvas.cells(FOUND, row, found, CELL, TALL, colour=AMBER)
    canvas.line(BEFORE + 2 * CELL + 1, row + TALL / 2, FOUND - 2, row + TALL / 2, AMBER)
    canvas.step("This is erased: it is subtracted from the value, and leaves the error, ", [error], ".")
    canvas.cells(VALUE, row, f"{word}.value", CELL, TALL, colour=QUIET)
    canvas.cells(ERROR, row, error, CELL, TALL, colour=RED)
    under = row + TALL + 15
    canvas.wire([(FOUND + CELL, row + TALL + 1), (FOUND + CELL, under), (ERROR + CELL, under), (ERROR + CELL, row + TALL + 2)], AMBER)
    canvas.text(ERROR + CELL + 6, under, "−", "start", colour=AMBER)
    canvas.line(VALUE + 2 * CELL + 1, row + TALL / 2, ERROR - 2, row + TALL / 2)
    canvas.step("The error is written. Now the state is ", [after], ": the key finds the new value alone.")
    canvas.cells(AFTER, row, after, CELL, TALL, colour=BLUE)
    canvas.line(ERROR + 2 * CELL + 1, row + TALL / 2, AFTER - 2, row + TALL / 2, RED)
