"""An RNN unrolled: the shared weights, and for each step the input and the hidden state."""

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas

CELL, HIGH, SIZE = 40, 25, 13  # px: width and height of a weight's cell; font size
WORD, MIDDLE, HALF = 64, 262, 110  # px: x of the inputs and of the hidden states; half the width of a step
PITCH, BOX, MEMORY = 130, 28, 42  # px: between steps; height of an intermediate row, and of a hidden state
MOST = 3  # numbers of a hidden state that fit


def unrolled(worked, title):  # Worked of run_rnn -> Drawing
    """The weights, and a step for each word: from its input and the old hidden state to the new one.

    The run names its values as `pencil.reference.rnn` does. Raises ValueError for inputs or hidden states of more than three numbers.
    """
    words = worked.trace.find("x").words[0]
    canvas = Canvas(worked, title)
    rows, columns = canvas.value("params.weight_ih").shape
    if max(rows, columns) > MOST:
        raise ValueError(f"the input has {columns} numbers and the hidden state {rows}; {MOST} fit on a phone")
    _weights(canvas, columns, rows)
    top = 24 + HIGH * rows + 16
    canvas.step("The hidden state begins empty: ", ["h0"], ".")
    _state(canvas, top, "h0")
    for k, word in enumerate(words, 1):
        _step(canvas, top + PITCH * k, k, word)
    return canvas.drawing(height=top + PITCH * len(words) + MEMORY + 8)


def _weights(canvas, *widths):  # drawn once, since all steps share them
    names = ("params.weight_ih", "params.weight_hh", "params.bias")
    widths = (*widths, widths[-1])
    gap, x = (WIDTH - CELL * sum(widths)) / 3, 0.0
    for name, width in zip(names, widths, strict=True):
        x += gap / 2
        canvas.text(x + CELL * width / 2, 14, canvas.called(name), quiet=True)
        canvas.cells(x, 22, name, CELL, HIGH, SIZE)
        x += CELL * width + gap / 2


def _step(canvas, y, k, word):  # y: the upper edge of the new hidden state
    read, recalled, total, hidden = (f"step{k}.{name}" for name in ("from_input", "from_hidden", "preactivation", "hidden"))
    called = canvas.called
    comes = [f"{word} comes in: {called(read)} ", [read], f", {called(recalled)} ", [recalled]]
    canvas.step(*comes, f". tanh of their {called(total)} is {canvas.label(hidden)}: ", [hidden], ".")
    canvas.line(MIDDLE, y - PITCH + MEMORY + 1, MIDDLE, y - 10 - BOX - 1, BLUE)
    canvas.text(MIDDLE - 10, y - 60, called(recalled), "end")
    canvas.said(MIDDLE + 10, y - 60, [[recalled]])
    canvas.text(WORD, y - 54, word, bold=True)
    canvas.row(WORD, y - 37, f"{word}.x")
    canvas.line(WORD + 46, y - 24, MIDDLE - HALF - 2, y - 24, AMBER)
    canvas.said(WORD, y - 8, [f"{called(read)} ", [read]], "middle")
    canvas.box(MIDDLE - HALF, y - 10 - BOX, 2 * HALF, BOX)
    canvas.said(MIDDLE, y - 19, ["tanh ", [total]], "middle")
    canvas.line(MIDDLE, y - 10, MIDDLE, y - 1, BLUE, head=False)
    _state(canvas, y, hidden)


def _state(canvas, y, reference):
    canvas.box(MIDDLE - 90, y, 180, MEMORY, BLUE)
    canvas.text(MIDDLE, y + 17, canvas.label(reference), quiet=True)
    canvas.row(MIDDLE, y + 34, reference)
