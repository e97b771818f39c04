"""The flow of information through blocks: lines from word to word, whose thickness is the attention weight, with the residual stream beside them."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint

LEFT, TOP, LEVEL, SIDE, TALL, THICKEST = 74, 26, 92, 54, 26, 8  # px: x of the words; y of the first level; between levels; size of a box


def flow(worked, heads, said, title):  # Worked, names of (T, T) weights, one text for each, caption -> Drawing
    """A level of boxes for the rows before the first head and after each, one for each word, and lines for the weights between the levels.

    `said` tells what each head does. Raises ValueError for more than six words or three heads, and unless the words label the rows of each matrix.
    """
    words = worked.trace.find(heads[0]).words[0]
    if not words or len(words) > 6 or len(heads) > 3:
        raise ValueError(f"{len(heads)} heads and the words {words}; give at most three heads whose rows are labelled with at most six words")
    for other in heads[1:]:
        if worked.trace.find(other).words[0] != words:
            raise ValueError(f"{other} is of the words {worked.trace.find(other).words[0]}, {heads[0]} of {words}")
    canvas, pitch = Canvas(worked, title), (WIDTH - LEFT) / len(words)
    middles = [LEFT + pitch * (k + 0.5) for k in range(len(words))]
    for level, name in enumerate(("before", "after one", "after two", "after three")[: len(heads) + 1]):
        canvas.text(0, TOP + LEVEL * level + 18, name, "start", quiet=True)
        for x, word in zip(middles, words, strict=True):
            canvas.box(x - SIDE / 2, TOP + LEVEL * level, SIDE, TALL, RED)
            canvas.text(x, TOP + LEVEL * level + 18, word, bold=True)
    for level, (head, what) in enumerate(zip(heads, said, strict=True)):
        canvas.step(what)
        ahead = np.triu(worked.trace.find(head).exact, 1).any()  # where no word attends to a later one, no such line is drawn
        top, foot = TOP + LEVEL * level + TALL + 1, TOP + LEVEL * (level + 1) - 1
        for i, end in enumerate(middles):
            canvas.line(end, top, end, foot, QUIET, 1, head=False)
            for j in range(len(words) if ahead else i + 1):
                thick = Paint("stroke-width", f"{words[i]}.{head}[{words[j]}]", 0, THICKEST)
                canvas.line(middles[j], top, end, foot, (AMBER, BLUE)[level % 2], thick, head=False)
    return canvas.drawing(TOP + LEVEL * len(heads) + TALL + 4)
