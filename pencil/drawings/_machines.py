"""Encoder, decoder and encoder-decoder in one style, with their attention masks as lines and as grids."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas

MOST = 3  # words of a text that fit on a phone
PITCH, TALL, LEFT, RIGHT = 60, 86, 12, 208  # px: between words; height of a box; x of the first and the second text
TILE, APART = 38, 6  # px: cell of a mask; gap between two texts in a mask
BESIDE, BELOW = 274, 120  # px: x of a mask beside a model; of the mask below the encoder-decoder
PANEL = 170  # px: between models


def machines(title, text=("the", "cat", "sat"), source=("black", "cat", "hid"), target=("begin", "tac", "kcalb")):  # -> Drawing
    """An encoder and a decoder of `text`, and an encoder-decoder that reads `source` and writes `target`.

    There is a line from each query (below a box) to each key that it may attend to (above it). In a mask a row is a query. Raises
    ValueError for a text of more than three words.
    """
    for words in (text, source, target):
        if not 0 < len(words) <= MOST:
            raise ValueError(f"{len(words)} words in {list(words)}: 1 to {MOST} fit beside each other on a phone")
    canvas = Canvas(None, title)
    canvas.step("An encoder reads: each word may look at every word.")
    _alone(canvas, 0, "encoder", text, _all(text, text))
    canvas.step("A decoder writes: each word may look at itself and at what came before it.")
    _alone(canvas, PANEL, "decoder", text, _back(text))
    return canvas.drawing(height=_two(canvas, 2 * PANEL, source, target))


def _all(asking, asked):
    return np.ones((len(asking), len(asked)), bool)


def _back(words):
    return np.tri(len(words), dtype=bool)


def _alone(canvas, top, name, words, sees):
    canvas.text(LEFT, top + 14, name, "start", bold=True)
    places = _places(words, LEFT)
    _row(canvas, top + 36, words, places)
    _row(canvas, top + 60 + TALL, words, places)
    _looks(canvas, top + 44, LEFT, PITCH * len(words), places, places, sees, BLUE)
    canvas.text(places[-1] + 30, top + 36, "asked", "start", quiet=True)
    canvas.text(places[-1] + 30, top + 60 + TALL, "asks", "start", quiet=True)
    _names(canvas, BESIDE, top + 44, words)
    _mask(canvas, BESIDE, top + 44, sees, BLUE)


def _two(canvas, top, source, target):
    first, second = _places(source, LEFT), _places(target, RIGHT)
    words, n, m = (*source, *target), len(source), len(target)
    under = top + 3 * 22 + 2 * TALL + 54  # the grid
    canvas.text(LEFT, top + 14, "encoder", "start", bold=True)
    canvas.text(RIGHT, top + 14, "and decoder", "start", bold=True)
    canvas.step("An encoder–decoder translates. Its encoder reads the first text, and nothing is masked.")
    _row(canvas, top + 36, source, first)
    _looks(canvas, top + 44, LEFT, PITCH * n, first, first, _all(source, source), BLUE)
    _row(canvas, top + 60 + TALL, source, first)
    _names(canvas, BELOW, under, words, n)
    _mask(canvas, BELOW, under, _all(source, source), BLUE)
    _mask(canvas, BELOW + n * TILE + APART, under, np.zeros((n, m), bool), BLUE)
    canvas.step("Its decoder writes the second text, and what comes later is masked.")
    _row(canvas, top + 36, target, second)
    _looks(canvas, top + 44, RIGHT, PITCH * m, second, second, _back(target), BLUE)
    _row(canvas, top + 60 + TALL, target, second)
    _mask(canvas, BELOW + n * TILE + APART, under + n * TILE + APART, _back(target), BLUE)
    canvas.step("Cross-attention: each word that is written also asks every word that was read.")
    across = top + 68 + TALL
    for x in second:
        canvas.line(x, across, x, across + TALL, QUIET, head=False)
    _looks(canvas, across, LEFT, WIDTH - 2 * LEFT, first, second, _all(target, source), AMBER)
    canvas.text(LEFT + 8, across + TALL - 10, "cross-attention", "start", colour=AMBER)
    _row(canvas, across + TALL + 16, target, second)
    _mask(canvas, BELOW, under + n * TILE + APART, _all(target, source), AMBER)
    return under + (n + m) * TILE + APART + 6


def _places(words, left):
    return [left + PITCH * (k + 0.5) for k in range(len(words))]


def _row(canvas, y, words, places):
    for x, word in zip(places, words, strict=True):
        canvas.text(x, y, word)


def _looks(canvas, y, left, width, asked, asking, sees, colour):  # a box: a line from each word below it to those that it sees
    canvas.box(left, y, width, TALL, colour)
    for i, k in np.argwhere(sees):
        canvas.line(asked[k], y, asking[i], y + TALL, colour, 1.6, head=False)


def _names(canvas, x, y, words, first=None):  # of the columns and rows of a mask; behind the first text there is a gap
    for k, word in enumerate(words):
        at = TILE * (k + 0.5) + APART * (first is not None and k >= first)
        canvas.text(x + at, y - 8, word)
        canvas.text(x - 6, y + at + 4, word, "end")


def _mask(canvas, x, y, sees, colour):  # a filled square: it may look there
    places = {seen: [(x + TILE * k, y + TILE * i) for i, k in np.argwhere(sees == seen)] for seen in (True, False)}
    canvas.tiles(places[True], TILE - 2, colour)
    canvas.tiles(places[False], TILE - 2, QUIET, 0.12)
