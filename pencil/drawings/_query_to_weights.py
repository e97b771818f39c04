"""One query, the keys, and arrows whose thickness is the attention weight."""

from pencil.drawings.canvas import AMBER, BLUE, Canvas
from pencil.drawings.paint import Paint

WIDE, CELL, TALL = 380, 40, 36  # px: width of the drawing; width and height of a cell
CENTRE = WIDE / 2
THICKEST = 15  # px: thickness of an arrow for a weight of 1
ASKED, HEARD = 58, 157  # px: y of the start and of the end of an arrow
MOST_COLUMNS = 2  # words that fit on a phone


def query_to_weights(worked, title):  # Worked of one query and a key for each word -> Drawing
    """The first word's query, every key, and the attention weights as arrows between them.

    The run names query, key, scores and weights, as `pencil.reference.attention` does. Raises ValueError for more than two keys.
    """
    (asks, *_), words = worked.trace.find("weights").words
    width = len(worked.trace.find(f"{asks}.query").exact)
    if len(words) > MOST_COLUMNS or width * CELL * len(words) > WIDE:
        raise ValueError(f"{len(words)} words answer with {width} numbers each; {MOST_COLUMNS} times 4 fit on a phone")
    canvas, columns = Canvas(worked, title), [(WIDE * (k + 0.5) / len(words), word) for k, word in enumerate(words)]
    _asked(canvas, asks, columns, width)
    _met(canvas, asks, columns)
    _shared(canvas, asks, columns)
    return canvas.drawing(height=266, width=WIDE)


def _asked(canvas, asks, columns, width):
    query, key, left = canvas.called("query"), canvas.called("key"), width * CELL / 2
    canvas.step(f"{asks} has a {query}, ", [f"{asks}.query"], f", and each word a {key}.")
    canvas.text(CENTRE, 14, f"{query} of {asks}", size=14, bold=True)
    canvas.cells(CENTRE - left, 20, f"{asks}.query", CELL, TALL, 17, BLUE)
    for x, word in columns:
        canvas.text(x, 202, f"{key} of {word}", size=14, bold=True)
        canvas.cells(x - left, 208, f"{word}.key", CELL, TALL, 17, AMBER)


def _met(canvas, asks, columns):
    query, key, scores = (canvas.called(name) for name in ("query", "key", "scores"))
    canvas.step(f"{query} times {key}, number by number and added up, is the {scores}: ", [f"{asks}.scores"], ".")
    for x, word in columns:
        canvas.text(x - 4, 262, scores, "end", size=14, quiet=True)
        canvas.number(x + 4, 262, f"{asks}.scores[{word}]", "start", size=16)


def _shared(canvas, asks, columns):
    scores, weights = canvas.called("scores"), canvas.called("weights")
    canvas.step(f"The higher the {scores}, the larger the {weights}: ", [f"{asks}.weights"], ". Together they make one whole.")
    for x, word in columns:
        side = -1 if x < CENTRE else 1
        share = f"{asks}.weights[{word}]"
        canvas.line(CENTRE + side * 34, ASKED, x + side * 4, HEARD, BLUE, Paint("stroke-width", share, 0.8, THICKEST))
        canvas.text(x + side * 10, 92, weights, "end" if side < 0 else "start", size=14, quiet=True)
        canvas.number(x + side * 10, 116, share, "end" if side < 0 else "start", size=22)
