"""The characters of a text that each head attends to: a strip of squares for each head, whose opacity is the weight."""

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas
from pencil.drawings.paint import Paint

TALL, PITCH = 26, 58  # px: height of a strip; between strips
WIDEST = 13  # px: maximum width of a square
FULL = 0.8


def strips(worked, reference, text, marked, title):  # Worked, name of a matrix, str, (start, end, name), caption -> Drawing
    """A strip for each row of the matrix, with a column for each character of the text.

    `marked` is the span of characters to frame, and the name of the value that has the sum of their weights for each row. Raises
    ValueError unless the matrix has a column for each character.
    """
    start, end, marked_sum = marked
    rows, columns = shape = worked.trace.find(reference).exact.shape
    if columns != len(text):
        raise ValueError(f"{reference} is {shape} and the text has {len(text)} letters: give a column for each letter")
    canvas, side = Canvas(worked, title), min(WIDEST, WIDTH / columns)
    found, left = worked.trace.find(reference), (WIDTH - side * columns) / 2
    for i, (word, called) in enumerate(zip(found.words[0], found.texts[0], strict=True)):
        y = PITCH * i + 24
        canvas.step(f"{called}: ", [f"{word}.{marked_sum}"], f" of its attention goes to {text[start:end]}.")
        canvas.text(left, y - 7, called, "start", bold=True)
        canvas.said(left + side * columns, y - 7, [f"{text[start:end]}: ", [f"{word}.{marked_sum}"]], "end")
        for k, letter in enumerate(text):
            full = Paint("fill-opacity", f"{word}.{reference}[{k}]", 0, FULL)
            canvas.box(left + side * k, y, side, TALL, BLUE, full, border=False)
            if letter != " ":
                canvas.text(left + side * (k + 0.5), y + 18, letter)
        canvas.box(left + side * start, y, side * (end - start), TALL, AMBER, 0)
    return canvas.drawing(height=PITCH * rows - 4)
