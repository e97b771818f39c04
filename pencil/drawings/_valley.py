"""The paths of optimizers on a quadratic loss of two parameters, with contour lines."""

from itertools import pairwise

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint

COLOURS = (BLUE, RED, AMBER)
HEAD, TALL, GAP, EDGE = 20, 136, 16, 3  # px: space above a panel; its height; space below it; minimum distance of a point from its edge
REACH, SPOT = 156, 2.6  # px: half the width of the outermost contour; radius of a point


def valley(worked, paths, title, rings="rings", height="height"):  # Worked, {scope: label}, caption, names -> Drawing
    """A panel for each optimizer, with its path from the common start towards the minimum in the middle.

    The run names the half-axes of each contour (`rings`), the loss at the start (`height`), and in each scope `path`, the points of the
    path, `lr`, and `loss`, the loss at the last point. Raises ValueError unless points have two numbers, and for more than three paths.
    """
    if not 0 < len(paths) <= len(COLOURS):
        raise ValueError(f"{len(paths)} paths in {list(paths)}; 1 to {len(COLOURS)} have a colour of their own")
    canvas = Canvas(worked, title)
    scale = REACH / float(np.max(canvas.value(rings)[:, 0]))
    for k, (scope, word) in enumerate(paths.items()):
        spots = canvas.value(f"{scope}.path")
        if spots.ndim != 2 or spots.shape[1] != 2:
            raise ValueError(f"{scope}.path has the shape {spots.shape}; a path is a row of spots of two numbers")
        top = (HEAD + TALL + GAP) * k
        taken = f"{len(spots) - 1} step{'s' * (len(spots) != 2)}"
        canvas.step(f"{word}, learning rate ", [f"{scope}.lr"], f": {taken}, and the loss goes from ", [height], " to ", [f"{scope}.loss"], ".")
        canvas.text(4, top + 15, word, "start", bold=True, colour=COLOURS[k])
        canvas.text(WIDTH - 52, top + 15, "loss at the end", "end", quiet=True)
        canvas.number(WIDTH - 4, top + 15, f"{scope}.loss", "end")
        _panel(canvas, _Panel(top + HEAD, scale), rings, f"{scope}.path", COLOURS[k])
    return canvas.drawing((HEAD + TALL + GAP) * len(paths) - GAP + 1)


class _Panel:
    """The coordinate system of a panel: makes Paints that follow a point."""

    def __init__(self, top, scale):
        self.top, self.scale, self.middle = top, scale, (WIDTH / 2, top + TALL / 2)

    def follow(self, attributes, spot):  # names of two attributes, reference of a point -> their values
        (x, y), s = self.middle, self.scale
        far, high = (x - EDGE) / s, (TALL / 2 - EDGE) / s
        return Paint(attributes[0], f"{spot}0]", x, s, -far, far), Paint(attributes[1], f"{spot}1]", y, -s, -high, high)


def _panel(canvas, panel, rings, path, colour):
    x, y = panel.middle
    canvas.box(0.6, panel.top, WIDTH - 1.2, TALL, QUIET)
    for k in range(len(canvas.value(rings))):
        across, up = (
            Paint(name, f"{rings}[{k}, {axis}]", 0, panel.scale, 0, room / panel.scale) for name, axis, room in (("rx", 0, x), ("ry", 1, TALL / 2))
        )
        canvas.ring(x, y, across, up)
    canvas.text(x, y + 5, "×", quiet=True)
    spots = [f"{path}[{k}, " for k in range(len(canvas.value(path)))]
    for here, there in pairwise(spots):
        canvas.line(*panel.follow(("x1", "y1"), here), *panel.follow(("x2", "y2"), there), colour, 1.6, head=False)
    for spot in spots:
        canvas.ring(*panel.follow(("cx", "cy"), spot), SPOT, SPOT, colour, filled=True)
