"""Two residual streams: what a layer reads of them, how they are mixed, and what the layer adds to each."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, Canvas
from pencil.drawings.paint import Paint

LANES, LAYER = (4, 140), 296  # px: x of the two streams; x of the layer
SLOT, TALL, MOST, THICKEST = 48, 26, 2, 8
STREAMS, MIXED, NEW = 60, 176, 262  # px: y of the streams before, mixed and after


def streams(worked, title):  # Worked of `pencil.reference.mix_streams` for one word, caption -> Drawing
    """The two streams of a word side by side, a layer beside them; the thickness of the lines between is the mixing.

    The run names streams, read, write, collapsed, layer, mixed and new_streams, and the mixing matrix after two Sinkhorn steps, mixing.columns2.
    Raises ValueError unless there are two streams of two numbers.
    """
    if (shape := worked.trace.find("streams").exact.shape) != (2, MOST):
        raise ValueError(f"the streams are {shape}; two streams of {MOST} numbers have room")
    canvas, middles, layer = Canvas(worked, title), [x + SLOT for x in LANES], LAYER + SLOT
    for k, x in enumerate(LANES):
        canvas.text(x, STREAMS - 8, ("one", "two")[k], "start", bold=True)
        canvas.slots(x, STREAMS, f"streams[{k}]", SLOT, TALL, colour=RED)
    canvas.step("The layer reads some of each stream: ", ["collapsed"], ".")
    for k, x in enumerate(middles):
        canvas.wire([(x + 30, STREAMS - 2), (x + 30, 22), (layer, 22), (layer, STREAMS - 4)], AMBER)
        canvas.said(x + 34, 38, ["× ", [f"read[{k}]"]], colour=AMBER)
    canvas.slots(LAYER, STREAMS, "collapsed", SLOT, TALL, colour=AMBER)
    canvas.line(layer, STREAMS + TALL + 2, layer, 112)
    canvas.box(LAYER, 114, 2 * SLOT, 30, QUIET)
    canvas.text(layer, 134, "layer")
    canvas.line(layer, 146, layer, MIXED - 2)
    canvas.slots(LAYER, MIXED, "layer", SLOT, TALL, colour=AMBER)
    canvas.step("The streams are mixed; the thicker the line, the larger the share: ", ["mixed"], ".")
    for k, start in enumerate(middles):
        for j, end in enumerate(middles):
            canvas.line(start, STREAMS + TALL + 2, end, MIXED - 3, BLUE, Paint("stroke-width", f"mixing.columns2[{k}, {j}]", 0, THICKEST), head=False)
    for k, x in enumerate(LANES):
        canvas.slots(x, MIXED, f"mixed[{k}]", SLOT, TALL, colour=BLUE)
    canvas.step("What the layer has written is added, times the stream’s own weight: ", ["new_streams"], ".")
    for k, x in enumerate(middles):
        canvas.line(x, MIXED + TALL + 2, x, NEW - 3, RED)
        canvas.wire([(layer, MIXED + TALL + 2), (layer, 228), (x + 11, 228)], AMBER)
        canvas.sign(x, 228, "+", RED)
        canvas.said(x + 18, 222, ["× ", [f"write[{k}]"]], colour=AMBER)
        canvas.slots(LANES[k], NEW, f"new_streams[{k}]", SLOT, TALL, colour=RED)
    return canvas.drawing(NEW + TALL + 4)
