"""Sampling by inversion: probabilities as parts of a bar, their cumulative sums, and the uniform number u."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint

LEFT, LONG, TOP, TALL = 20, WIDTH - 40, 62, 44  # px: x, length, y and height of the bar
STRONG = (0.5, 0.28, 0.12)  # opacities, alternating so that neighbours differ
MOST = 6  # words that fit


def sampling(worked, title, weights="weights", running="running", u="u"):  # Worked of `sample`, caption, names -> Drawing
    """The probabilities as parts of a bar, the cumulative sums below it, and u above it.

    The run names a row of probabilities labelled with words, their cumulative sums and u, as `pencil.reference.sample` does. Raises
    ValueError for any other value.
    """
    shares = worked.trace.find(weights)
    words = shares.words[-1] if len(shares.exact.shape) == 1 else ()
    if not words or len(words) > MOST:
        raise ValueError(
            f"{weights} has the shape {shares.exact.shape} and the words {list(words or ())}; a draw takes a row of 1 to {MOST} with words"
        )
    canvas = Canvas(worked, title)
    called = canvas.called(weights) if canvas.called(weights) != weights else "share"
    canvas.step(f"Each {called} is a stretch. They lie end to end, from zero to one: ", [weights], ".")
    ends = [f"{running}[{k}]" for k in range(len(words))]
    for k, word in enumerate(words):
        start = Paint("x", ends[k - 1], LEFT, LONG) if k else LEFT
        canvas.stretch(start, Paint("width", f"{weights}[{k}]", 0, LONG), TOP, TALL, BLUE, STRONG[k % len(STRONG)])
        canvas.text(Paint("x", ends[k], LEFT - 5, LONG), TOP + 28, word, "end", bold=True)
    canvas.step("Each stretch ends at its running sum: ", [running], ".")
    for k, end in enumerate(ends):
        foot = TOP + TALL + 8 + 15 * (k % 2)
        canvas.line(Paint("x1", end, LEFT, LONG), TOP + TALL, Paint("x2", end, LEFT, LONG), foot, QUIET, head=False)
        canvas.number(Paint("x", end, LEFT + 8, LONG), foot + 13, end, "end")
    canvas.text(LEFT, TOP + TALL + 21, "0")
    canvas.step(f"{canvas.label(u)} falls at ", [u], ". The stretch that it falls on is drawn: the first whose running sum is above it.")
    canvas.line(Paint("x1", u, LEFT, LONG), 24, Paint("x2", u, LEFT, LONG), TOP - 2, AMBER, 2.2)
    canvas.text(Paint("x", u, LEFT - 2, LONG), 16, f"{canvas.label(u)} =", "end", colour=AMBER)
    canvas.number(Paint("x", u, LEFT + 3, LONG), 16, u, "start", colour=AMBER)
    return canvas.drawing(TOP + TALL + 42)
