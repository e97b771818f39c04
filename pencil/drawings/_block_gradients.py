"""The way back through a block: at each sum the slope splits, a copy by the wire and one through the branch, and where they meet they add."""

from pencil.drawings._block import APART, ROW, SIZE, SLOTS, WIDE
from pencil.drawings.canvas import AMBER, BLUE, RED, RING, Canvas
from pencil.note import GRAD

STARTS, PITCH = (4, 192), 46  # the left sides of wire and branch; from slot to slot
LANE, MIDDLE, NEAR = SLOTS * PITCH, WIDE / 2, 20  # a row's width; where the sums stand; from a row to the middle of a sign
NETWORK = (("activated", "params.feed_forward.down"), ("hidden", "ReLU"), ("norm2.normalized", "params.feed_forward.up"))
ATTENTION = (("context", "params.attention.output"), ("norm1.normalized", "attention"))  # rows, and the move that hands each back


def block_gradients(worked, word, title, *, network="network.back", attention="attention.back"):  # Worked, a word, caption -> Drawing
    """The gradients of a word's rows, from last to first, through a Pre-LN block with d_model 4.

    The run names its values as `pencil.reference.block` does, and has walked back. `network` and `attention` are what comes back by each
    branch alone: the slope where the two copies meet, less the copy of the wire.
    """
    canvas = Canvas(worked, title)
    canvas.step(f"Walk back. The slope of {word}'s last row is ", [f"{word}.{GRAD}.out"], ".")
    y = _sum(canvas, 4, f"{word}.{GRAD}.out")
    for name, rows, came, end in (("out", NETWORK, network, "residual"), ("residual", ATTENTION, attention, "x")):
        y = _apart(canvas, y, word, name, rows, came)
        y = _meet(canvas, y, f"{word}.{GRAD}.{end}")
    return canvas.drawing(height=y + 4, width=WIDE)


def _sum(canvas, y, slope):  # -> its foot; a slope where there is one way
    canvas.text(MIDDLE - LANE / 2 - 6, y + ROW / 2 + 4, _called(canvas, slope), "end", size=SIZE, bold=True)
    canvas.slots(MIDDLE - LANE / 2, y, slope, PITCH, ROW, SIZE, RED)
    return y + ROW


def _apart(canvas, y, word, name, rows, came):  # -> the foot of both ways
    slope, (wire, way), sign = f"{word}.{GRAD}.{name}", STARTS, y + NEAR
    canvas.step(f"{word}.{canvas.called(name)} was a sum, and a sum hands its slope to both, as it is. One copy takes the wire.")
    canvas.line(MIDDLE, y, MIDDLE, sign - RING, RED, head=False)
    canvas.sign(MIDDLE, sign, "+", RED)
    foot = sign + APART * (len(rows) + 1)
    canvas.wire([(MIDDLE - RING, sign), (wire + 8, sign), (wire + 8, foot - 2)], BLUE)
    canvas.text(wire + LANE - 2, foot - 6, "by the wire, as it is", "end", size=SIZE, bold=True)
    canvas.slots(wire, foot, slope, PITCH, ROW, SIZE, BLUE)
    canvas.step("The other goes through the branch, move by move, and comes back as ", [f"{word}.{came}"], ".")
    canvas.wire([(MIDDLE + RING, sign), (way + 8, sign), (way + 8, sign + APART - 2)], AMBER)
    listed = [(f"{word}.{GRAD}.{row}", by, "") for row, by in rows] + [(f"{word}.{came}", "norm1.normalized", "by the branch")]
    for k, (row, by, told) in enumerate(listed, 1):
        top = sign + APART * k
        if k > 1:
            canvas.line(way + 8, top - APART + ROW + 2, way + 8, top - 2, AMBER)
        canvas.text(way + 18, top - 6, canvas.called(by), "start", size=SIZE)
        canvas.text(way + LANE - 2, top - 6, told or _called(canvas, row), "end", size=SIZE, bold=True)
        canvas.slots(way, top, row, PITCH, ROW, SIZE, AMBER)
    return foot + ROW


def _meet(canvas, y, slope):  # -> its foot; both ways are added
    sign = y + NEAR
    canvas.step("Where the two copies meet, they are added: ", [slope], ".")
    for start, colour, side in zip(STARTS, (BLUE, AMBER), (-1, 1), strict=True):
        canvas.wire([(start + LANE / 2, y), (start + LANE / 2, sign), (MIDDLE + side * RING, sign)], colour)
    canvas.sign(MIDDLE, sign, "+", RED)
    canvas.line(MIDDLE, sign + RING, MIDDLE, sign + NEAR - 1, RED)
    return _sum(canvas, sign + NEAR, slope)


def _called(canvas, reference):  # without its word
    return canvas.label(reference).partition(".")[2]
