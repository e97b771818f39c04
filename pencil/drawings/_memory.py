"""FlashAttention between slow and fast memory: the rows that come tile by tile, what fast memory keeps of them, and the result that goes back."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas

SLOW, CELL, WORD = 142, 36, 32  # px: width of slow memory; of a number in it; of the words beside its rows
FAST, KEPT, SLOT, TALL, PITCH = 198, 317, 40, 22, 27  # px: x of fast memory and of its numbers; their width and height; between its lines
LANE, TOP, BAND = 5, 32, 124  # px: between an arrow and what it joins; y of the query; height of a tile's band
MOST = 2


def memory(worked, word, title):  # Worked of `flash_attention` in two tiles, the word that asks, caption -> Drawing
    """Slow memory on the left and fast memory on the right, and between them what travels: a query, two tiles of keys and values, the result.

    The run names its values as `pencil.reference.flash_attention` does, in two tiles of two words. Raises ValueError for keys of more than one
    number, values of more than two, and other tiles.
    """
    width = [worked.trace.names[name].exact.shape for name in ("key", "value")]
    tiles = [worked.trace.find(f"{word}.tile{k}.exp").words[-1] for k in (1, 2)]
    if width[0][1] > 1 or width[1][1] > MOST or {*map(len, tiles)} != {2}:
        raise ValueError(
            f"keys and values of the shapes {width} in tiles of {tiles}; give keys of 1 number, values of up to 2, and 2 tiles of 2 words"
        )
    canvas, foot = Canvas(worked, title), TOP + 40 + 2 * BAND
    canvas.ground(0, 0, SLOW + 2, foot + TALL + 40, "slow memory: large")
    canvas.ground(FAST - 4, 0, WIDTH - FAST + 4, foot + TALL + 40, "fast memory: small")
    _fetched(canvas, word)
    for k, words in enumerate(tiles, 1):
        _tile(canvas, f"{word}.tile{k}", words, 2 * (k - 1), TOP + 40 + BAND * (k - 1))
    read, written = (sum(worked.trace.names[name].exact.size for name in names) for names in (("query", "key", "value"), ("context", "logsumexp")))
    _stored(canvas, word, foot, read, written)
    return canvas.drawing(foot + TALL + 40)


def _travels(canvas, y, count, back=False):
    left, right = SLOW + LANE, FAST - LANE - 4
    canvas.line(*((right, y, left, y) if back else (left, y, right, y)), BLUE if back else AMBER, 2)
    canvas.text((left + right) / 2, y - 7, str(count), bold=True)


def _said(canvas, y, reference):  # the name of a value in fast memory, beside its numbers
    canvas.said(FAST + 2, y + 16, [canvas.called(reference.partition(".")[2]).rpartition(".")[2]])


def _fetched(canvas, word):
    canvas.step("The query is read once, and stays in fast memory: ", [f"{word}.query"], ".")
    canvas.text(4, TOP + 16, canvas.called("query"), "start", quiet=True)
    canvas.slots(SLOW - CELL - 2, TOP, f"{word}.query", CELL, TALL)
    _travels(canvas, TOP + TALL / 2, 1)
    _said(canvas, TOP, f"{word}.query")
    canvas.slots(KEPT, TOP, f"{word}.query", SLOT, TALL)


def _tile(canvas, tile, words, start, y):
    quoted = " and ".join(f"“{each}”" for each in words)
    numbers = sum(canvas.value(f"{name}[{start + i}]").size for i in range(len(words)) for name in ("key", "value"))
    canvas.step(f"The keys and values of {quoted} are read: {numbers} numbers{', in the place of the first tile' if start else ''}.")
    for i, each in enumerate(words):
        row = y + 28 + 30 * i
        canvas.text(4, row + 16, each, "start", bold=True)
        canvas.box(WORD, row, CELL, TALL)  # a key: as an input it shows all its digits, for which there is no room
        canvas.slots(WORD + CELL + 2, row, f"value[{start + i}]", CELL, TALL)
    _travels(canvas, y + 68, numbers)
    stays = "the running sum ", [f"{tile}.running_sum"], " and the accumulator ", [f"{tile}.acc"], "."
    if start:
        canvas.step("Sum and accumulator of the first tile are multiplied by the factor ", [f"{tile}.rescale"], ", and this tile is added: ", *stays)
        canvas.line(KEPT + SLOT / 2, y - 5, KEPT + SLOT / 2, y + 12, AMBER)
        canvas.said(KEPT + SLOT / 2 + 9, y + 7, ["× ", [f"{tile}.rescale"]], colour=AMBER)
    else:
        canvas.step(
            "The scores are worked, become exps, and are forgotten. What stays is the running maximum ", [f"{tile}.running_max"], ", ", *stays
        )
        canvas.text(WORD + CELL / 2, y + 21, canvas.called("key"), quiet=True)
        canvas.text(WORD + CELL * 2 + 2, y + 21, canvas.called("value"), quiet=True)
    for k, (name, colour) in enumerate((("exp", QUIET), ("running_max", BLUE), ("running_sum", BLUE), ("acc", BLUE))):
        _said(canvas, y + 14 + PITCH * k, f"{tile}.{name}")
        canvas.slots(KEPT, y + 14 + PITCH * k, f"{tile}.{name}", SLOT, TALL, colour=colour)


def _stored(canvas, word, y, read, written):
    counted = f" and its logsumexp are written to slow memory. In all, {read} numbers were read and {written} written."
    canvas.step("The accumulator is divided by the sum. The context ", [f"{word}.context"], counted)
    _said(canvas, y + 10, f"{word}.context")
    canvas.slots(KEPT, y + 10, f"{word}.context", SLOT, TALL, colour=BLUE)
    _travels(canvas, y + 10 + TALL / 2, written, back=True)
    canvas.slots(WORD - 4, y + 10, f"{word}.context", CELL, TALL, colour=BLUE)
    canvas.slots(WORD - 2 + CELL * 2, y + 10, f"{word}.logsumexp", CELL, TALL, colour=BLUE)
    canvas.text(SLOW - 2, y + 10 + TALL + 16, f"{canvas.called('context')}, {canvas.called('logsumexp')}", "end", quiet=True)
