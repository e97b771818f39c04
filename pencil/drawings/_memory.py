"""FlashAttention between slow and fast memory: the rows that come tile by tile, what fast memory has of them at each moment, and what goes back."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas

SLOW, FAST = 144, 198  # px: width of slow memory; x of fast memory
WORD, CELL, TALL = 34, 36, 22  # px: width of the words beside the rows; of a number; its height
KEPT, SLOT = 317, 40  # px: x of the numbers that stay in fast memory; their width
EXP = KEPT + SLOT  # px: x of the exps
LANE = 5  # px: between an arrow and what it joins
LINE, ROW, HEAD, GAP = 27, 28, 22, 24  # px: between lines; between the rows of a tile; the title of a moment; between two moments
TILE = HEAD + LINE + 18 + 2 * ROW + 3 * LINE + 4  # px: height of fast memory with a tile in it
MOST = 2


def memory(worked, word, title):  # Worked of `flash_attention` in two tiles, the word that asks, caption -> Drawing
    """Slow memory on the left, fast memory on the right once for each moment, from above to below, and between them what travels.

    Fast memory is empty at first; then it has the query and the first tile, the query and the second, and at last the result. The run names its
    values as `pencil.reference.flash_attention` does, in two tiles of two words. Raises ValueError for keys of more than one number, values of
    more than two, and other tiles.
    """
    width = [worked.trace.names[name].exact.shape for name in ("key", "value")]
    tiles = [worked.trace.find(f"{word}.tile{k}.exp").words[-1] for k in (1, 2)]
    if width[0][1] > 1 or width[1][1] > MOST or {*map(len, tiles)} != {2}:
        raise ValueError(
            f"keys and values of the shapes {width} in tiles of {tiles}; give keys of 1 number, values of up to 2, and 2 tiles of 2 words"
        )
    canvas, tops = Canvas(worked, title), [2 * HEAD + GAP, 2 * HEAD + TILE + 2 * GAP]
    foot = tops[1] + TILE + GAP
    height = foot + HEAD + 2 * LINE
    canvas.ground(0, 0, SLOW, height, "slow memory: large")
    _moment(canvas, 0, 2 * HEAD, "fast memory: small")
    _in_slow(canvas, word, tiles, tops)
    canvas.step("At first all rows are in slow memory. Fast memory is empty.")
    canvas.text((FAST + WIDTH) / 2, HEAD + 14, "some megabytes, empty", quiet=True)
    for k, (words, top) in enumerate(zip(tiles, tops, strict=True), 1):
        _moment(canvas, top, TILE, f"fast memory: {('first', 'second')[k - 1]} tile")
        _read(canvas, word, k, words, top)
        _worked(canvas, word, k, words, top)
    _moment(canvas, foot, HEAD + 2 * LINE, "fast memory: the end")
    _stored(canvas, word, foot)
    return canvas.drawing(height)


def _moment(canvas, y, height, title):
    canvas.ground(FAST, y, WIDTH - FAST, height, title)


def _in_slow(canvas, word, tiles, tops):
    line, first = tops[0] + HEAD, tops[0] + HEAD + LINE + 12
    canvas.text(SLOW / 2, HEAD + 14, "many gigabytes", quiet=True)
    canvas.text(4, line + 16, canvas.called("query"), "start", quiet=True)
    canvas.slots(WORD + CELL + 2, line, f"{word}.query", CELL, TALL)
    canvas.text(WORD + CELL / 2, first, canvas.called("key"), quiet=True)
    canvas.text(WORD + CELL * 2 + 2, first, canvas.called("value"), quiet=True)
    for k, (words, top) in enumerate(zip(tiles, tops, strict=True)):
        for i, each in enumerate(words):
            y = _row(top, i)
            canvas.text(4, y + 16, each, "start", bold=True)
            _key_and_value(canvas, WORD, y, 2 * k + i, QUIET)


def _row(top, i):  # the y of a tile's row
    return top + HEAD + LINE + 18 + ROW * i


def _key_and_value(canvas, x, y, i, colour):
    canvas.slots(x, y, f"key[{i}]", CELL, TALL, colour=colour)
    canvas.slots(x + CELL + 2, y, f"value[{i}]", CELL, TALL, colour=colour)


def _travels(canvas, y, count, back=False):
    left, right = SLOW + LANE, FAST - LANE
    canvas.line(*((right, y, left, y) if back else (left, y, right, y)), BLUE if back else AMBER, 2)
    canvas.text((left + right) / 2, y - 7, str(count), bold=True)


def _stays(canvas, y, reference, colour=BLUE):  # a value in fast memory with its name
    canvas.said(FAST + 4, y + 16, [canvas.called(reference.partition(".")[2]).rpartition(".")[2]])
    canvas.slots(KEPT, y, reference, SLOT, TALL, colour=colour)


def _read(canvas, word, k, words, top):
    start, quoted = 2 * (k - 1), " and ".join(f"“{each}”" for each in words)
    numbers = sum(canvas.value(f"{name}[{start + i}]").size for i in range(len(words)) for name in ("key", "value"))
    if k == 1:
        canvas.step("The query is read: ", [f"{word}.query"], f". So are the keys and values of {quoted}: {numbers} numbers.")
        _travels(canvas, top + HEAD + TALL / 2, 1)
    else:
        canvas.step(f"The query stays. The keys and values of {quoted} are read in the place of the first tile: {numbers} numbers.")
    _stays(canvas, top + HEAD, f"{word}.query", AMBER if k == 1 else BLUE)
    _travels(canvas, _row(top, 1) - 3, numbers)
    canvas.text(FAST + 4 + CELL / 2, _row(top, 0) - 6, canvas.called("key"), quiet=True)
    canvas.text(FAST + 6 + CELL * 2, _row(top, 0) - 6, canvas.called("value"), quiet=True)
    for i in range(len(words)):
        _key_and_value(canvas, FAST + 4, _row(top, i), start + i, AMBER)


def _worked(canvas, word, k, words, top):
    tile, below = f"{word}.tile{k}", _row(top, 2)
    state = "the running sum ", [f"{tile}.running_sum"], " and the accumulator ", [f"{tile}.acc"], "."
    if k == 1:
        canvas.step("The scores become exps. What stays is the running maximum ", [f"{tile}.running_max"], ", ", *state)
    else:
        canvas.step(
            *("The new running maximum is ", [f"{tile}.running_max"], ". Sum and accumulator of the first tile are multiplied by the factor "),
            *([f"{tile}.rescale"], ", and this tile is added: ", *state),
        )
        canvas.line(KEPT + 2 * SLOT - 12, top - GAP + 1, KEPT + 2 * SLOT - 12, top - 1, AMBER)
        canvas.said(KEPT + 2 * SLOT - 22, top - GAP / 2 + 5, ["sum, accumulator × ", [f"{tile}.rescale"]], "end", colour=AMBER)
    canvas.text(EXP + SLOT / 2, _row(top, 0) - 6, canvas.called(f"{tile}.exp").rpartition(".")[2], quiet=True)
    for i, each in enumerate(words):
        canvas.slots(EXP, _row(top, i), f"{tile}.exp[{each}]", SLOT, TALL)
    for k, name in enumerate(("running_max", "running_sum", "acc")):
        _stays(canvas, below + LINE * k, f"{tile}.{name}")


def _stored(canvas, word, foot):
    names = ("query", "key", "value"), ("context", "logsumexp")
    read, written = (sum(canvas.worked.trace.names[name].exact.size for name in each) for each in names)
    counted = f" and its logsumexp are written to slow memory. In all, {read} numbers were read and {written} written."
    canvas.step("The accumulator is divided by the sum. The context ", [f"{word}.context"], counted)
    canvas.line(KEPT + 2 * SLOT - 12, foot - GAP + 1, KEPT + 2 * SLOT - 12, foot - 1, AMBER)
    canvas.said(KEPT + 2 * SLOT - 22, foot - GAP / 2 + 5, ["accumulator / ", [f"{word}.tile2.running_sum"]], "end", colour=AMBER)
    for k, name in enumerate(("context", "logsumexp")):
        reference, y = f"{word}.{name}", foot + HEAD + LINE * k
        _stays(canvas, y, reference)
        canvas.text(4, y + 16, canvas.called(name), "start", quiet=True)
        size = canvas.value(reference).size
        canvas.slots(SLOW - 4 - CELL * size, y, reference, CELL, TALL, colour=BLUE)
    _travels(canvas, foot + HEAD + LINE - 3, written, back=True)
