"""Digits as a source prints them, and of a traced value."""

import numpy as np

from pencil.rounding import on_paper


def rows(table):  # -> [(reference, digits), ...]
    parted = [line.split() for line in table.splitlines() if line.strip()]
    return [(f"{word}.{name}", [float(d) for d in digits]) for name, word, *digits in parted]


def digits(value, track):
    return np.ravel(on_paper(getattr(value, track))).tolist()
