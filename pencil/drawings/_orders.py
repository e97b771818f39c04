"""One word through the same block twice: tamed before each part, and tamed behind each sum."""

from pencil.drawings._block import APART, EDGES, LANE, PITCH, ROW, SIZE, STARTS, WIDE
from pencil.drawings.canvas import BLUE, QUIET, RED, Canvas

PRE = (("norm1.normalized", ""), ("attn_out", ""), ("residual", "x"), ("norm2.normalized", ""), ("mlp_out", ""), ("out", "residual"))
POST = (("attn_out", ""), ("residual", "x"), ("norm1.normalized", ""), ("mlp_out", ""), ("mlp_residual", "norm1.normalized"), ("out", ""))
TITLES = ("norm first", "norm last")


def orders(pre, post, title):  # Worked of a block with the norm first, of one with the norm last -> Drawing
    """The first word's rows in both, step beside step; the taming is blue, so that one sees where it stands.

    The runs name their values as `pencil.reference.block` does.
    """
    canvas, word = Canvas(pre, title), pre.trace.find("x").words[0][0]
    tamed = canvas.called("norm1.normalized")
    said = (
        f"Norm first: each row is {tamed} before a part reads it, and the wire carries the row past it.",
        f"Norm last: the same parts, and each sum is {tamed}. No wire leads past it.",
    )
    for worked, rows, way in zip((pre, post), (PRE, POST), range(2), strict=True):
        canvas.worked = worked
        canvas.step(said[way])
        canvas.text(STARTS[way] + LANE / 2, 13, TITLES[way], size=14, bold=True)
        _walk(canvas, word, rows, STARTS[way], EDGES[way])
    return canvas.drawing(height=18 + APART * (len(PRE) + 1), width=WIDE)


def _walk(canvas, word, rows, start, edge):  # down one way
    outside, side = (start, -1) if edge < start else (start + LANE, 1)
    tops = {}
    for name, wire in (("x", ""), *rows):
        top = tops[name] = 34 + APART * len(tops)
        tames = "normalized" in name or (name == "out" and not wire)
        colour = BLUE if tames else RED if wire else QUIET
        called = canvas.called("norm1.normalized" if "normalized" in name else name)
        canvas.text(start + 18, top - 5, f"+ {canvas.called(wire)}, {called}" if wire else called, "start", size=SIZE, bold=tames)
        if name != "x":
            canvas.line(start + 8, top - APART + ROW + 2, start + 8, top - 2)
        canvas.slots(start, top, f"{word}.{name}", PITCH, ROW, SIZE, colour)
        if wire:
            leaves = tops[wire] + ROW / 2 + 4
            canvas.wire([(outside, leaves), (edge, leaves), (edge, top + 8), (outside + side, top + 8)], RED)
