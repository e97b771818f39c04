"""A ring buffer: each word takes the slot of the one that leaves the window."""

from pencil.drawings.canvas import BLUE, QUIET, WIDTH, Canvas
from pencil.reference.caching import ring_slots

HEAD, PITCH, TALL, LEFT = 24, 32, 26, 100  # px: y of the first line; between lines; height of a slot; x of the slots


def ring(words, window, title):  # list of words, window size, caption -> Drawing
    """A line and a step for each word: its position, its slot, and the contents of the ring after it."""
    canvas, held = Canvas(None, title), [""] * window
    wide = (WIDTH - LEFT) / window
    canvas.text(0, 14, "position", "start", quiet=True)
    for slot in range(window):
        canvas.text(LEFT + wide * (slot + 0.5), 14, f"slot {slot}", quiet=True)
    for position, (word, slot) in enumerate(zip(words, ring_slots(range(len(words)), window=window).tolist(), strict=True)):
        y, gone = HEAD + PITCH * position, held[slot]
        held[slot] = word
        said = f", where {gone} was" if gone else ""
        canvas.step(f"Position {position}, {word}: divided by {window} it leaves {slot}, so it takes slot {slot}{said}.")
        canvas.text(0, y + 18, f"{position}: {word}", "start", bold=True)
        for k, kept in enumerate(held):
            canvas.box(LEFT + wide * k + 2, y, wide - 4, TALL, BLUE if k == slot else QUIET, opacity=0.25 if k == slot else 0.08)
            if kept:
                canvas.text(LEFT + wide * (k + 0.5), y + 18, kept, bold=k == slot)
    return canvas.drawing(HEAD + PITCH * len(words))
