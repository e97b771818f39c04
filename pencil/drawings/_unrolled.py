"""An RNN, step beside step: the same weights, a new word, and what is remembered."""

from pencil.drawings.canvas import AMBER, BLUE, Canvas


def unrolled(worked, title):  # Worked of run_rnn -> Drawing
    """The words of a run one below another, and the hidden state on its way from each to the next.

    The run names x, h0 and the values of each step, as `pencil.reference.run_rnn` does.
    """
    words = worked.trace.find("x").words[0]
    canvas = Canvas(worked, title)
    left, middle, pitch, top = 70, 240, 118, 10
    canvas.step("The memory begins empty: ", ["h0"], ".")
    _state(canvas, middle, top, "h0")
    for k, word in enumerate(words, 1):
        y = top + pitch * k
        hidden = f"step{k}.hidden"
        canvas.step(f"{word} comes in. Out of it and the memory comes a new one: ", [hidden], ".")
        canvas.line(middle, y - pitch + 44, middle, y - 40, BLUE)
        canvas.box(middle - 100, y - 38, 200, 28)
        canvas.text(middle, y - 19, f"tanh({canvas.called(f'step{k}.preactivation')})")
        canvas.text(left, y - 36, word, bold=True)
        canvas.row(left, y - 19, f"{word}.x")
        canvas.line(left + 46, y - 24, middle - 102, y - 24, AMBER)
        canvas.line(middle, y - 10, middle, y - 1, BLUE, head=False)
        _state(canvas, middle, y, hidden)
    return canvas.drawing(height=top + pitch * len(words) + 50)


def _state(canvas, x, y, reference):
    canvas.box(x - 90, y, 180, 42, BLUE)
    canvas.text(x, y + 17, canvas.label(reference), quiet=True)
    canvas.row(x, y + 34, reference)
