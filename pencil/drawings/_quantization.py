"""Quantization: arrows from the numbers of a row to the nearest values of a codebook."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint

LEFT, LONG = 24, 352  # px: x of −1; distance from −1 to 1
TOP, PITCH, FALL, LOWER = 52, 148, 26, 14  # px: y of the first row; between codebooks; from a row to the codes; offset of every second number
MOST = 6


def quantization(worked, title, ways):  # Worked of `codebook_quantize` and back, caption, {scope: (words, codes)} -> Drawing
    """For each codebook its codes between −1 and 1, an arrow from each number of a row to the nearest code, and below the dequantized row.

    The run names `part`, `nearest` and `restored` in each scope, as `pencil.reference.codebook_quantize` and `codebook_dequantize` do, of one
    row. Raises ValueError for what is no such row.
    """
    canvas, middle, half = Canvas(worked, title), LEFT + LONG / 2, LONG / 2
    for k, (scope, (words, codes)) in enumerate(ways.items()):
        part, y = worked.trace.find(f"{scope}.part").exact, TOP + PITCH * k
        shape, order = part.shape, np.argsort(np.argsort(part, axis=None))  # ranks: neighbours alternate between two levels
        if len(shape) != 1 or shape[0] > MOST:
            raise ValueError(f"{scope}.part has the shape {shape}; give a row of 1 to {MOST} numbers")
        canvas.text(LEFT - 10, y - 34, words, "start", bold=True)
        canvas.step(
            f"{words[0].upper()}{words[1:]}, {len(codes)} of them. Above the line, in blue, the row divided by its scale: ", [f"{scope}.part"], "."
        )
        canvas.line(LEFT, y + FALL, LEFT + LONG, y + FALL, QUIET, head=False)
        for code in codes:
            canvas.line(middle + half * code, y + FALL, middle + half * code, y + FALL + 8, QUIET, head=False)
        for i in range(shape[0]):
            canvas.ring(Paint("cx", f"{scope}.part[{i}]", middle, half, -1, 1), y, 3.5, 3.5, BLUE, filled=True)
            canvas.number(Paint("x", f"{scope}.part[{i}]", middle, half, -1, 1), y - 9, f"{scope}.part[{i}]", colour=BLUE)
        canvas.step("Below it, each goes to the nearest place: ", [f"{scope}.nearest"], ". Times the scale that is ", [f"{scope}.restored"], ".")
        for i in range(shape[0]):
            start = Paint("x1", f"{scope}.part[{i}]", middle, half, -1, 1)
            canvas.line(start, y, Paint("x2", f"{scope}.nearest[{i}]", middle, half, -1, 1), y + FALL - 2, AMBER)
            down = y + FALL + 22 + LOWER * (order[i] % 2)
            canvas.number(Paint("x", f"{scope}.nearest[{i}]", middle, half, -1, 1), down, f"{scope}.nearest[{i}]", colour=AMBER)
        canvas.text(LEFT - 10, y + FALL + 58, canvas.called(f"{scope}.restored").rpartition(".")[2], "start", quiet=True)
        canvas.row(WIDTH / 2 + 24, y + FALL + 58, f"{scope}.restored")
    return canvas.drawing(TOP + PITCH * (len(ways) - 1) + FALL + 68)
