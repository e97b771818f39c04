"""The context window of co-occurrence counts, sliding over a text."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas
from pencil.rounding import pixels

LETTER, GAP, TALL, PITCH = 7.4, 5, 24, 44  # px: approximate width of a character; between words; height of a word; between lines


def context_windows(words, size, title):  # words of a sentence, window size to each side, caption -> Drawing
    """A line for each position of the window, with the centre word and its neighbours highlighted.

    Raises ValueError for a window of size 0, and for a sentence that is too wide for a phone.
    """
    if size < 1:
        raise ValueError(f"a window of {size}; give the places to either side, 1 or more")
    widths = [LETTER * len(word) + 8 for word in words]
    left = (WIDTH - sum(widths) - GAP * (len(words) - 1)) / 2
    if left < 0:
        raise ValueError(f"{' '.join(words)!r} takes {pixels(WIDTH - 2 * left, places=0)} pixels; {WIDTH} fit on a phone")
    canvas = Canvas(None, title)
    places = [left + sum(widths[:k]) + GAP * k for k in range(len(words))]
    for middle, word in enumerate(words):
        first, last = max(0, middle - size), min(len(words) - 1, middle + size)
        near = [words[k] for k in range(first, last + 1) if k != middle]
        canvas.step(f"{word}: its neighbours are {', '.join(near)}.")
        y = PITCH * middle + 6
        canvas.box(places[first] - 4, y - 4, places[last] + widths[last] - places[first] + 8, TALL + 8, AMBER, 0.1)
        for k, (x, width) in enumerate(zip(places, widths, strict=True)):
            inside = first <= k <= last
            if k == middle:
                canvas.box(x, y, width, TALL, BLUE, 0.22)
            canvas.text(x + width / 2, y + 17, words[k], size=13, bold=k == middle, quiet=not inside, colour="" if inside else QUIET)
    return canvas.drawing(height=PITCH * len(words) - 4)
