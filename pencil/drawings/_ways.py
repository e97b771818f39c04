"""How a word hears a far one, by walking and by looking; and how two heads make one row."""

from itertools import pairwise

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas

MOST = 5  # words beside each other on a phone
WIDE, HIGH, FADES = 58, 26, 0.62  # a box; what a step leaves of the first word's colour
WORDS, WALK, LOOK = 84, 44, 198  # the lines of the words that walk, of their boxes, and of the words that look
SLOT, ROW, FIRST, APART = 24, 26, 4, 30  # a slot and its height; the top of the first row; from a row to the next


def ways(title, words=("not", "a", "bit", "…", "good")):  # caption, words of a text -> Drawing
    """The first word on its way to the last: through every memory between them, or straight. Raises ValueError for more words than fit."""
    if not 1 < len(words) <= MOST:
        raise ValueError(f"{len(words)} words in {list(words)}: 2 to {MOST} fit beside each other on a phone")
    canvas, pitch = Canvas(None, title), WIDTH / len(words)
    places = [pitch * (k + 0.5) for k in range(len(words))]
    canvas.step(f"Walk: what “{words[0]}” says goes from memory to memory and fades on the way; each word waits for the one before it.")
    canvas.text(6, 16, "walk: many steps, each waits for the one before", "start", bold=True)
    for k, (x, word) in enumerate(zip(places, words, strict=True)):
        canvas.box(x - WIDE / 2, WALK - HIGH / 2, WIDE, HIGH, BLUE, opacity=0.5 * FADES**k)
        canvas.text(x, WALK + 4.5, "memory")
        canvas.text(x, WORDS, word)
        canvas.line(x, WORDS - 12, x, WALK + HIGH / 2 + 2)
    for here, there in pairwise(places):
        canvas.line(here + WIDE / 2, WALK, there - WIDE / 2 - 1, WALK, BLUE)
    canvas.step(f"Look across: “{words[-1]}” looks straight at “{words[0]}”, and at every other word, in one step.")
    canvas.text(6, WORDS + 42, "look across: one step, nobody waits", "start", bold=True)
    for k, (x, word) in enumerate(zip(places, words, strict=True)):
        canvas.text(x, LOOK, word)
        if x != places[-1]:
            start, foot, high = places[-1] + 6 - 4 * k, LOOK - 14, LOOK - 28 - 0.16 * (places[-1] - x)
            canvas.curve([(start, foot), (start, high), (x, high), (x, foot)], BLUE, 1.2 if k else 2.4, head=True)
    return canvas.drawing(LOOK + 8)


def joined(title, width=4):  # caption, numbers of a row -> Drawing
    """Two heads read the same row, their results stand beside each other, and a grid makes one row of both."""
    canvas, middle = Canvas(None, title), WIDTH / 2
    canvas.step("Both heads read the same row.")
    _row(canvas, middle, FIRST, width, QUIET, "stick")
    heads = ((middle / 2, BLUE, "head one", "A"), (middle * 3 / 2, AMBER, "head two", "B"))
    canvas.step("Each has grids of its own, and makes a row of its own by the same four moves.")
    low = FIRST + ROW
    for x, colour, name, result in heads:
        canvas.line(middle + (x - middle) * 0.15, low, x, low + APART - 2, colour)
        canvas.box(x - 78, low + APART, 156, 44, colour)
        canvas.text(x, low + APART + 18, name, bold=True)
        canvas.text(x, low + APART + 35, "own grids, four moves")
        canvas.line(x, low + APART + 44, x, low + 2 * APART + 42, colour)
        _row(canvas, x, low + 2 * APART + 44, width, colour, result)
    canvas.step("Glue: B is written behind A.")
    low += 2 * APART + 44 + ROW
    for (x, colour, *_), side in zip(heads, (-1, 1), strict=True):
        canvas.line(x, low, middle + side * SLOT * width / 2, low + APART - 2, colour)
        _row(canvas, middle + side * SLOT * width / 2, low + APART, width, colour)
    canvas.text(middle + SLOT * width + 10, low + APART + 17, "glue", "start", bold=True)
    canvas.step("The output grid reads the whole glue and writes a row of the old width.")
    low += APART + ROW
    canvas.line(middle, low, middle, low + APART - 2)
    canvas.text(middle + 10, low + 19, "output grid", "start")
    _row(canvas, middle, low + APART, width, RED, "new stick")
    return canvas.drawing(low + APART + ROW + 4)


def _row(canvas, x, y, count, colour, name=""):  # empty slots, their middle at x
    for k in range(count):
        canvas.box(x - SLOT * count / 2 + SLOT * k, y, SLOT, ROW, colour, opacity=0.2)
    if name:
        canvas.text(x + SLOT * count / 2 + 10, y + 17, name, "start", bold=True)
