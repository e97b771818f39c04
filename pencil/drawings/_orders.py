"""One word through two blocks side by side: Pre-LN and Post-LN; or a block like GPT-2's and a modern one."""

from pencil.drawings._block import APART, EDGES, LANE, PITCH, RING, ROW, SIZE, STARTS, WIDE
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
BRANCHES = {"attn_out": ("head1.weights", "head2.weights"), "gated": ("activated", "hidden")}  # what two rows that are made side by side meet in
INDENT, CLEAR = 22, 46  # px: x of the branches, so that lines pass on both sides; of the label where they meet
TITLES = ("norm first: Pre-LN", "norm last: Post-LN")


def orders(pre, post, title):  # Worked of a block with the norm first, of one with the norm last -> Drawing
    """The first word's rows in both, step beside step; normalized rows are blue.

    The runs name their values as `pencil.reference.block` does.
    """
    said = (
        "Norm first: each row is normalized before a part reads it, and the residual connection leads past the norm.",
        "Norm last: the same parts, and each sum is normalized. No residual connection leads past the norm.",
    )
    return _both((pre, post), (PRE, POST), TITLES, said, title)


def generations(then, now, title):  # Worked of a block of one head, of one with two heads and a gate, caption -> Drawing
    """The first word's rows in both, step beside step: one attention head and two, an MLP without a gate and with one.

    The runs name their values as `pencil.reference.block` does.
    """
    said = (
        "Then: one head mixes, and the feed-forward layer applies its activation to one wide row.",
        "Now: two heads mix. The feed-forward layer has two wide rows: one goes through the activation, and then multiplies the other.",
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
    tops, before, names = {}, None, {row[0] for row in rows if row}
    meet = {end: pair for end, pair in BRANCHES.items() if names.issuperset((end, *pair))}
    branches = [name for pair in meet.values() for name in pair]
    for k, row in enumerate((("x", ""), *rows)):
        if row is None:
            continue
        name, added = row
        top = tops[name] = 34 + APART * k
        is_norm = "normalized" in name or (name == "out" and not added)
        colour = BLUE if is_norm else RED if added else QUIET
        name_here = _named(canvas, name)
        called = _called(canvas, name_here)
        if is_norm and name == "out":
            called = f"normalized = {called}"
        left = start + INDENT * (name in branches)
        canvas.text(
            start + CLEAR if name in meet else left + 18,
            top - 5,
            f"+ {_called(canvas, added)} = {called}" if added else called,
            "start",
            size=SIZE,
            bold=is_norm,
        )
        if left > start:
            is_first = branches.index(name) % 2 == 0
            _branch(canvas, is_first, start, left + PITCH * len(canvas.value(f"{word}.{name_here}")), before, top)
        elif name in meet:
            _meet(canvas, start, [tops[branch] for branch in meet[name]], top, "×" if name == "gated" else "")
        elif before is not None:
            canvas.line(start + 8, before + ROW + 2, start + 8, top - 2)
        before = top if left == start else before  # of a branch: the row that both are made of
        canvas.slots(left, top, f"{word}.{name_here}", PITCH, ROW, SIZE, colour)
        if added:
            leaves = tops[added] + ROW / 2 + 4
            canvas.wire([(outside, leaves), (edge, leaves), (edge, top + 8), (outside + side, top + 8)], RED)


def _branch(canvas, is_first, start, end, before, top):  # an arrow from the row before: to the first branch, or past it to the second
    leaves = before + ROW + 2
    if is_first:
        canvas.line(start + INDENT + 8, leaves, start + INDENT + 8, top - 2)
    else:
        past = (max(end, start + INDENT + PITCH * 3) + start + LANE) / 2
        canvas.wire([(past, leaves), (past, top + ROW / 2), (end + 2, top + ROW / 2)], thickness=1.2)


def _meet(canvas, start, tops, top, sign):  # both branches go into the next row, or into a sign above it
    (first, second), x, down = tops, start + 8, start + INDENT + 12
    y = top - 13 if sign else top
    canvas.wire([(start + INDENT, first + ROW / 2), (x, first + ROW / 2), (x, y - (RING + 2 if sign else 2))], thickness=1.2)
    canvas.wire([(down, second + ROW), (down, y), (x + RING + 2, y)] if sign else [(down, second + ROW), (down, y - 2)], thickness=1.2)
    if sign:
        canvas.sign(x, y, sign, ring=RING, size=SIZE)
        canvas.line(x, y + RING + 1, x, top - 1)


def _called(canvas, name):  # the page's label, without the name of the norm
    return canvas.called(name.replace("norm2", "norm1")).rpartition(".")[2]


def _named(canvas, name):
    return name if name in canvas.worked.trace.names else name.removeprefix("head1.")
