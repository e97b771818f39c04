"""One word through two blocks side by side: Pre-LN and Post-LN; or a block like GPT-2's and a modern one."""

from pencil.drawings._block import APART, EDGES, LANE, PITCH, ROW, SIZE, STARTS, WIDE
from pencil.drawings.canvas import BLUE, QUIET, RED, Canvas

PRE = (("norm1.normalized", ""), ("attn_out", ""), ("residual", "x"), ("norm2.normalized", ""), ("mlp_out", ""), ("out", "residual"))
POST = (("attn_out", ""), ("residual", "x"), ("norm1.normalized", ""), ("mlp_out", ""), ("mlp_residual", "norm1.normalized"), ("out", ""))
THEN = (
    ("norm1.normalized", ""), ("head1.weights", ""), None, ("attn_out", ""), ("residual", "x"), ("norm2.normalized", ""),
    ("hidden", ""), None, ("activated", ""), ("mlp_out", ""), ("out", "residual"),
)  # fmt: skip
NOW = (
    ("norm1.normalized", ""), ("head1.weights", ""), ("head2.weights", ""), ("attn_out", ""), ("residual", "x"), ("norm2.normalized", ""),
    ("activated", ""), ("hidden", ""), ("gated", ""), ("mlp_out", ""), ("out", "residual"),
)  # fmt: skip
TITLES = ("norm first", "norm last")


def orders(pre, post, title):  # Worked of a block with the norm first, of one with the norm last -> Drawing
    """The first word's rows in both, step beside step; normalized rows are blue.

    The runs name their values as `pencil.reference.block` does.
    """
    tamed = pre.label("norm1.normalized")
    said = (
        f"Norm first: each row is {tamed} before a part reads it, and the wire carries the row past it.",
        f"Norm last: the same parts, and each sum is {tamed}. No wire leads past it.",
    )
    return _both((pre, post), (PRE, POST), TITLES, said, title)


def generations(then, now, title):  # Worked of a block of one head, of one with two heads and a gate, caption -> Drawing
    """The first word's rows in both, step beside step: one attention head and two, an MLP without a gate and with one.

    The runs name their values as `pencil.reference.block` does.
    """
    said = (
        "Then: one head mixes, and the small network bends its row.",
        "Now: two heads mix. In the network there are two wide rows: one is bent, and then multiplies the other.",
    )
    return _both((then, now), (THEN, NOW), ("then", "now"), said, title)


def _both(runs, rows, titles, said, title):
    canvas, word = Canvas(runs[0], title), runs[0].trace.find("x").words[0][0]
    for way, worked in enumerate(runs):
        canvas.worked = worked
        canvas.step(said[way])
        canvas.text(STARTS[way] + LANE / 2, 13, titles[way], size=14, bold=True)
        _walk(canvas, word, rows[way], STARTS[way], EDGES[way])
    return canvas.drawing(height=18 + APART * (len(rows[0]) + 1), width=WIDE)


def _walk(canvas, word, rows, start, edge):
    outside, side = (start, -1) if edge < start else (start + LANE, 1)
    tops, before = {}, None
    for k, row in enumerate((("x", ""), *rows)):
        if row is None:
            continue
        name, wire = row
        top = tops[name] = 34 + APART * k
        tames = "normalized" in name or (name == "out" and not wire)
        colour = BLUE if tames else RED if wire else QUIET
        name_here = _named(canvas, name)
        called = canvas.called("norm1.normalized" if "normalized" in name else name_here)
        canvas.text(start + 18, top - 5, f"+ {canvas.called(wire)}, {called}" if wire else called, "start", size=SIZE, bold=tames)
        if before is not None:
            canvas.line(start + 8, before + ROW + 2, start + 8, top - 2)
        before = top
        canvas.slots(start, top, f"{word}.{name_here}", PITCH, ROW, SIZE, colour)
        if wire:
            leaves = tops[wire] + ROW / 2 + 4
            canvas.wire([(outside, leaves), (edge, leaves), (edge, top + 8), (outside + side, top + 8)], RED)


def _named(canvas, name):
    return name if name in canvas.worked.trace.names else name.removeprefix("head1.")
