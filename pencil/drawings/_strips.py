"""The letters of a text that each head attends to: a strip of squares for each head, whose opacity follows the weights."""

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas
from pencil.drawings.paint import Paint

TALL, PITCH = 26, 58  # of a strip; from strip to strip
WIDEST = 13  # of a letter's square
FULL = 0.8


def strips(worked, reference, text, marked, title):  # Worked, the name of a matrix, str, (start, end, sum's name), caption -> Drawing
    """A strip for each row of the matrix, which has a column for each letter of the text; a frame round the letters from start to end.

    `marked` names the value that has their sum, one for each row. Raises ValueError for a matrix that does not fit the text.
    """
    start, end, total = marked
    rows, columns = shape = worked.trace.find(reference).exact.shape
    if columns != len(text):
        raise ValueError(f"{reference} is {shape} and the text has {len(text)} letters: give a column for each letter")
    canvas, side = Canvas(worked, title), min(WIDEST, WIDTH / columns)
    words, left = worked.trace.find(reference).words[0], (WIDTH - side * columns) / 2
    for i, word in enumerate(words):
        y = PITCH * i + 24
        canvas.step(f"{word}: ", [f"{word}.{total}"], f" of its share goes to {text[start:end]}.")
        canvas.text(left, y - 7, word, "start", bold=True)
        canvas.said(left + side * columns, y - 7, [f"{text[start:end]}: ", [f"{word}.{total}"]], "end")
        for k, letter in enumerate(text):
            full = Paint("fill-opacity", f"{word}.{reference}[{k}]", 0, FULL)
            canvas.box(left + side * k, y, side, TALL, BLUE, full, border=False)
            if letter != " ":
                canvas.text(left + side * (k + 0.5), y + 18, letter)
        canvas.box(left + side * start, y, side * (end - start), TALL, AMBER, 0)
    return canvas.drawing(height=PITCH * rows - 4)
