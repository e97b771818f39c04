"""Online softmax: running maximum, running sum and accumulator of two tiles, and the factor that rescales them."""

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas

LEFT, WIDE, SIDE = 66, 190, 46  # px: x of the first tile; between tiles; side of an exponential's square
WORDS, RAISED, HIGHEST, TOTAL, MIX, FOOT = 14, 24, 100, 142, 184, 250  # px: y of each line
SLOT, TALL, MOST = 48, 24, 2


def online_softmax(worked, word, title):  # Worked of `flash_attention` in two tiles, the word that asks, caption -> Drawing
    """The exponentials of each tile, the running values after it, and the division at the end, for the query of one word.

    The run names its values as `pencil.reference.flash_attention` does, in two tiles of at most three words. Raises ValueError for values
    of more than two numbers.
    """
    width = worked.trace.find(f"{word}.tile1.acc").exact.size
    if width > MOST:
        raise ValueError(f"{word}.tile1.acc has {width} numbers; up to {MOST} have room")
    canvas = Canvas(worked, title)
    for y, name in ((RAISED + 16, "exp"), (HIGHEST, "running_max"), (TOTAL, "running_sum"), (MIX, "acc")):
        canvas.text(0, y + 17, canvas.called(f"tile1.{name}").rpartition(".")[2], "start", quiet=True)
    for k in (1, 2):
        tile, x = f"{word}.tile{k}", LEFT + WIDE * (k - 1)
        words = worked.trace.find(f"{tile}.exp").words[-1]
        quoted = " and ".join(f"“{each}”" for each in words)
        canvas.step(f"Tile {k}, {quoted}: the highest is now ", [f"{tile}.running_max"], ".")
        for i, each in enumerate(words):
            canvas.text(x + SIDE * (i + 0.5), WORDS, each, bold=True)
            canvas.pixel(x + SIDE * i, RAISED, SIDE - 2, f"{tile}.exp[{each}]")
        canvas.slots(x, HIGHEST, f"{tile}.running_max", SLOT, TALL)
        if k == 2:
            _carried(canvas, word, width)
        canvas.step("Added up: the total is ", [f"{tile}.running_sum"], ", and the mix ", [f"{tile}.acc"], ".")
        canvas.slots(x, TOTAL, f"{tile}.running_sum", SLOT, TALL, colour=BLUE)
        canvas.slots(x, MIX, f"{tile}.acc", SLOT, TALL, colour=BLUE)
    canvas.step("There are no more tiles. The mix is divided by the total, once: ", [f"{word}.context"], ".")
    canvas.line(LEFT + WIDE + SLOT, MIX + TALL + 2, LEFT + WIDE + SLOT, FOOT - 2, BLUE)
    canvas.text(LEFT + WIDE - 8, FOOT + 17, canvas.called("context"), "end", quiet=True)
    canvas.slots(LEFT + WIDE, FOOT, f"{word}.context", SLOT, TALL, colour=BLUE)
    return canvas.drawing(FOOT + TALL + 4, WIDTH)


def _carried(canvas, word, width):  # the running values, rescaled from the first tile to the second
    factor, end = f"{word}.tile2.rescale", LEFT + WIDE - 4
    canvas.step("Total and mix of the first tile are multiplied by the factor: ", [factor], ".")
    for y, slots in ((TOTAL, 1), (MIX, width)):
        canvas.line(LEFT + SLOT * slots + 4, y + TALL / 2, end, y + TALL / 2, AMBER)
    canvas.said(LEFT + SLOT * width + 8, TOTAL - 4, [f"× {canvas.called('tile2.rescale').rpartition('.')[2]} ", [factor]])
