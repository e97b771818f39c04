"""Sinusoidal position encodings as a heat map: high frequencies on the left, low ones on the right."""

import numpy as np

from pencil.drawings.biases import BELOW
from pencil.drawings.canvas import BLUE, WIDTH, Canvas

LEFT, TOP = 24, 22  # px: position of the heat map
LEVELS, FULL = 8, 0.9  # shades of each hue; opacity of the strongest
MOST = 40  # columns that fit on a phone


def position_encodings(encoding, title):  # (positions, d_model), caption -> Drawing
    """A row for each position, with one hue for negative and one for positive numbers.

    Raises ValueError unless it is a matrix of numbers from -1 to 1 with at most 40 columns.
    """
    encoding = np.asarray(encoding, float)
    if encoding.ndim != 2 or encoding.shape[1] > MOST or np.abs(encoding).max() > 1:
        raise ValueError(f"encodings of the shape {encoding.shape}; give a row for each position, of up to {MOST} numbers from -1 to 1")
    canvas, (count, slots) = Canvas(None, title), encoding.shape
    side = (WIDTH - LEFT) / slots
    shades = (encoding * LEVELS).astype(int)
    canvas.text(LEFT + side * slots / 2, TOP - 8, "place by place: a sine, a cosine, the next pair", quiet=True)
    for position in (0, count - 1):
        canvas.text(LEFT - 6, TOP + side * (position + 0.5) + 5, str(position), "end", quiet=True)
    canvas.step("A row for each position, a column for each place. Blue is above zero, orange below it; a fuller colour is further from zero.")
    for shade in sorted(set(shades.flat) - {0}):
        places = [(LEFT + side * k, TOP + side * i) for i, k in np.argwhere(shades == shade)]
        canvas.tiles(places, side, BLUE if shade > 0 else BELOW, FULL * abs(shade) / LEVELS)
    canvas.step("On the left the fast hands turn from position to position. Further right they are slower: there even far positions look alike.")
    return canvas.drawing(int(np.ceil(TOP + side * count)) + 1)
