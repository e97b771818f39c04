"""Backpropagation through a block: at each residual sum the gradient is copied to both branches, and they are added where the branches begin."""

from pencil.drawings._block import APART, ROW, SIZE, SLOTS, WIDE
from pencil.drawings.canvas import AMBER, BLUE, RED, RING, Canvas
from pencil.note import GRAD

STARTS, PITCH = (4, 192), 46  # px: x of the residual connection and of the branch; between slots
LANE, MIDDLE, NEAR = SLOTS * PITCH, WIDE / 2, 20  # px: width of a row; x of the sums; from a row to the centre of a sign
NETWORK = (("activated", "params.feed_forward.down"), ("hidden", "ReLU"), ("norm2.normalized", "params.feed_forward.up"))
ATTENTION = (("context", "params.attention.output"), ("norm1.normalized", "attention"))  # (row, the operation that its gradient comes from)


def block_gradients(worked, word, title, *, network="network.back", attention="attention.back"):  # Worked, a word, caption -> Drawing
    """The gradients of a word's rows, from last to first, through a Pre-LN block with d_model 4.

    The run names its values as `pencil.reference.block` does, and includes the gradients of `backward`. `network` and `attention` name
    the gradients of each branch alone, that is the total minus that of the residual connection.
    """
    canvas = Canvas(worked, title)
    canvas.step(f"Backwards: the gradient of {word}'s last row is ", [f"{word}.{GRAD}.out"], ".")
    y = _sum(canvas, 4, f"{word}.{GRAD}.out")
    for name, rows, came, end in (("out", NETWORK, network, "residual"), ("residual", ATTENTION, attention, "x")):
        y = _apart(canvas, y, word, name, rows, came)
        y = _meet(canvas, y, f"{word}.{GRAD}.{end}")
    return canvas.drawing(height=y + 4, width=WIDE)


def _sum(canvas, y, gradient):  # -> y of its foot; the gradient of a row before the two branches, or after both
    canvas.text(MIDDLE - LANE / 2 - 6, y + ROW / 2 + 4, _called(canvas, gradient), "end", size=SIZE, bold=True)
    canvas.slots(MIDDLE - LANE / 2, y, gradient, PITCH, ROW, SIZE, RED)
    return y + ROW


def _apart(canvas, y, word, name, rows, came):  # -> y of the foot; the gradients of both branches
    gradient, (skip, way), sign = f"{word}.{GRAD}.{name}", STARTS, y + NEAR
    canvas.step(
        f"{word}.{canvas.called(name)} was a sum, and a sum passes its gradient on to both parts as it is. One copy takes the residual connection."
    )
    canvas.line(MIDDLE, y, MIDDLE, sign - RING, RED, head=False)
    canvas.sign(MIDDLE, sign, "+", RED)
    foot = sign + APART * (len(rows) + 1)
    canvas.wire([(MIDDLE - RING, sign), (skip + 8, sign), (skip + 8, foot - 2)], BLUE)
    canvas.text(skip + LANE - 2, foot - 6, "residual", "end", size=SIZE, bold=True)
    canvas.slots(skip, foot, gradient, PITCH, ROW, SIZE, BLUE)
    canvas.step("The other goes back through the branch, operation by operation, and comes out as ", [f"{word}.{came}"], ".")
    canvas.wire([(MIDDLE + RING, sign), (way + 8, sign), (way + 8, sign + APART - 2)], AMBER)
    listed = [(f"{word}.{GRAD}.{row}", by, "") for row, by in rows] + [(f"{word}.{came}", "layer norm", "branch")]
    for k, (row, by, told) in enumerate(listed, 1):
        top = sign + APART * k
        if k > 1:
            canvas.line(way + 8, top - APART + ROW + 2, way + 8, top - 2, AMBER)
        canvas.text(way + 18, top - 6, canvas.called(by) or by, "start", size=SIZE)
        canvas.text(
            way + LANE - 2, top - 6, told or _called(canvas, row).removeprefix(f"{GRAD}.").removesuffix(".normalized"), "end", size=SIZE, bold=True
        )
        canvas.slots(way, top, row, PITCH, ROW, SIZE, AMBER)
    return foot + ROW


def _meet(canvas, y, gradient):  # -> y of the foot; the gradients of both branches are added
    sign = y + NEAR
    canvas.step("Where the two copies meet, they are added: ", [gradient], ".")
    for start, colour, side in zip(STARTS, (BLUE, AMBER), (-1, 1), strict=True):
        canvas.wire([(start + LANE / 2, y), (start + LANE / 2, sign), (MIDDLE + side * RING, sign)], colour)
    canvas.sign(MIDDLE, sign, "+", RED)
    canvas.line(MIDDLE, sign + RING, MIDDLE, sign + NEAR - 1, RED)
    return _sum(canvas, sign + NEAR, gradient)


def _called(canvas, reference):  # without its word
    return canvas.label(reference).partition(".")[2]
