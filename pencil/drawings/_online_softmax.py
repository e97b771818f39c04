"""Online softmax: running maximum, running sum and accumulator of two tiles, and the factor that rescales them."""

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas

LEFT, WIDE, SIDE = 84, 178, 46  # px: x of the first tile; between tiles; side of an exponential's square
WORDS, EXPS, MAXIMUM, SUM, MIXED, FOOT = 14, 24, 100, 142, 184, 250  # px: y of each line
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
    for y, name in ((EXPS + 16, "exp"), (MAXIMUM, "running_max"), (SUM, "running_sum"), (MIXED, "acc")):
        lines = canvas.called(f"tile1.{name}").rpartition(".")[2].split()
        for k, line in enumerate(lines):
            canvas.text(0, y + 17 + 14 * (k - (len(lines) - 1) / 2), line, "start", quiet=True)
    for k in (1, 2):
        tile, x = f"{word}.tile{k}", LEFT + WIDE * (k - 1)
        words = worked.trace.find(f"{tile}.exp").words[-1]
        quoted = " and ".join(f"“{each}”" for each in words)
        canvas.step(f"Tile {k}, {quoted}: the running maximum is now ", [f"{tile}.running_max"], ".")
        for i, each in enumerate(words):
            canvas.text(x + SIDE * (i + 0.5), WORDS, each, bold=True)
            canvas.pixel(x + SIDE * i, EXPS, SIDE - 2, f"{tile}.exp[{each}]")
        canvas.slots(x, MAXIMUM, f"{tile}.running_max", SLOT, TALL)
        if k == 2:
            _carried(canvas, word, width)
        canvas.step("Added up: the running sum is ", [f"{tile}.running_sum"], ", and the accumulator ", [f"{tile}.acc"], ".")
        canvas.slots(x, SUM, f"{tile}.running_sum", SLOT, TALL, colour=BLUE)
        canvas.slots(x, MIXED, f"{tile}.acc", SLOT, TALL, colour=BLUE)
    canvas.step("There are no more tiles. The accumulator is divided by the sum, once: ", [f"{word}.context"], ".")
    canvas.line(LEFT + WIDE + SLOT, MIXED + TALL + 2, LEFT + WIDE + SLOT, FOOT - 2, BLUE)
    canvas.text(LEFT + WIDE - 8, FOOT + 17, canvas.called("context"), "end", quiet=True)
    canvas.slots(LEFT + WIDE, FOOT, f"{word}.context", SLOT, TALL, colour=BLUE)
    return canvas.drawing(FOOT + TALL + 4, WIDTH)


def _carried(canvas, word, width):  # the running values, rescaled from the first tile to the second
    factor, end = f"{word}.tile2.rescale", LEFT + WIDE - 4
    canvas.step("Sum and accumulator of the first tile are multiplied by the factor: ", [factor], ".")
    for y, slots in ((SUM, 1), (MIXED, width)):
        canvas.line(LEFT + SLOT * slots + 4, y + TALL / 2, end, y + TALL / 2, AMBER)
    canvas.said(LEFT + SLOT * width + 8, SUM - 4, [f"× {canvas.called('tile2.rescale').rpartition('.')[2]} ", [factor]])
