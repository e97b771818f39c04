"""Linear attention in chunks: inside a chunk the square of scores, and between two chunks the state."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, SMALL, Canvas

LEFT, SIDE, TOP = 46, 46, 26  # px: from the left edge to the square; a cell; y of the first row
TALL, GAP, AIR = 26, 92, 16  # px: height of a number of the state; between the rows of two chunks; above and below the state
SAID = 14  # px: from the square to what is said beside it
MOST = 4


def chunks(worked, title):  # Worked of `chunked_attention`, caption -> Drawing
    """A row for each token and a column for each key. Below the rows of a chunk is the state that it leaves, which the next chunk reads.

    Up to four tokens, keys and values of two numbers; raises ValueError for more.
    """
    words, width = worked.trace.find("value").words[0], worked.trace.find("chunk1.state").exact.shape
    if len(words) > MOST or width != (2, 2):
        raise ValueError(f"{len(words)} tokens and a state {width}; up to {MOST} tokens and a state of 2 by 2 have room")
    canvas, start, number, y = Canvas(worked, title), 0, 1, TOP
    for k, word in enumerate(words):
        canvas.text(LEFT + SIDE * (k + 0.5), TOP - 10, word, quiet=True)
    right = LEFT + SIDE * len(words) + SAID
    while start < len(words):
        scope = f"chunk{number}"
        those = words[start : start + worked.trace.find(f"{scope}.weights").exact.shape[0]]
        _rows(canvas, words, those, scope, start, y, right)
        y += SIDE * len(those)
        start += len(those)
        _state(canvas, f"{scope}.state", start, y, right, last=start == len(words))
        y, number = y + GAP, number + 1
    return canvas.drawing(y - AIR)


def _rows(canvas, words, those, scope, start, y, right):  # the square of a chunk, and on its left what comes from the state
    said = " and ".join(f"“{word}”" for word in those)
    canvas.step(f"Inside the chunk {said} meet in a square.")
    for i, word in enumerate(those):
        canvas.text(LEFT - 6, y + SIDE * (i + 0.5) + 4, word, "end", bold=True)
        canvas.tiles([(LEFT + SIDE * k, y + SIDE * i) for k in range(start, len(words))], SIDE - 2, QUIET, 0.08)
        for j, other in enumerate(those[: i + 1]):
            left = LEFT + SIDE * (start + j)
            canvas.box(left, y + SIDE * i, SIDE - 2, SIDE - 2, RED, 0.12)
            canvas.number(left + SIDE / 2 - 1, y + SIDE * (i + 0.5) + 4, f"{word}.{scope}.weights[{other}]")
    canvas.text(right, y + SIDE / 2 + 4, "a square", "start", quiet=True)
    if start == 0:
        return
    canvas.step(f"Everything before, {said} read from the state.")
    canvas.box(LEFT, y, SIDE * start - 2, SIDE * len(those) - 2, AMBER, 0.12)
    for i in range(len(those)):
        if f"{scope}.left" in canvas.worked.trace.names:
            canvas.said(LEFT + SIDE * start / 2, y + SIDE * (i + 0.5) + 4, ["× ", [f"{scope}.left[{i}, 0]"]], "middle")


def _state(canvas, reference, columns, y, right, last):  # below the columns that it stands for
    middle, top = LEFT + SIDE * columns / 2, y + AIR
    canvas.step("What they write goes into the state: ", [reference], "." if last else ". The next chunk needs nothing else of them.")
    canvas.line(middle, y + 1, middle, top - 2, BLUE)
    canvas.cells(middle - SIDE, top, reference, SIDE, TALL, SMALL, colour=BLUE)
    canvas.text(right, top + TALL + 4, "the state", "start", quiet=True)
    if not last:
        canvas.line(middle, top + 2 * TALL + 2, middle, y + GAP - 2, AMBER)
