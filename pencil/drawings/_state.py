"""Linear attention twice: its square of scores row by row, and beside it the state that each token writes into and reads from."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas

LEFT, SIDE, TALL = 38, 38, 26  # px: from the left edge to the square; a cell
STATE, EDGE = 296, 390  # px: x of the state, and of the line along which it is carried on
BAND, TOP = 108, 44  # px: height of a token's band; y of the first
MOST = 3


def state(worked, title):  # Worked, caption -> Drawing
    """A band for each token: on the left its row of the square, on the right its key, its value and the state after it, between them what both give.

    The run has `linear_attention` under the scope "square" and `recurrent_attention` beside it. Up to three tokens, keys and values of two
    numbers; raises ValueError for more.
    """
    value = worked.trace.find("value")
    words, width = value.words[0], value.exact.shape[1]
    if len(words) > MOST or {width, worked.trace.find("key").exact.shape[1]} != {2}:
        raise ValueError(f"{len(words)} tokens with values of {width} numbers; up to {MOST} tokens, keys and values of 2 have room")
    canvas, reads = Canvas(worked, title), LEFT + SIDE * MOST + 12
    for x, said in ((LEFT + SIDE * len(words) / 2, "the square"), (STATE + SIDE, "the state")):
        canvas.text(x, 14, said, bold=True)
    for k, word in enumerate(words):
        canvas.text(LEFT + SIDE * (k + 0.5), 34, word, quiet=True)
    for t, word in enumerate(words):
        band = TOP + BAND * t
        middle = band + TALL + 4
        canvas.text(LEFT - 6, middle + 17, word, "end", bold=True)
        canvas.tiles([(LEFT + SIDE * k, middle) for k in range(len(words))], SIDE - 2, QUIET, 0.08)
        _writes(canvas, word, f"token{t + 1}.state", band, carried=t > 0)
        reads_by = f"“{word}” reads with its query ", [f"{word}.query"], ". The state gives what its row of the square gives: "
        canvas.step(*reads_by, [f"token{t + 1}.context"], ".")
        for k, other in enumerate(words[: t + 1]):
            canvas.box(LEFT + SIDE * k, middle, SIDE - 2, SIDE - 2, RED, 0.12)
            canvas.number(LEFT + SIDE * (k + 0.5) - 1, middle + 23, f"{word}.square.weights[{other}]")
        canvas.cells(reads, middle + 6, f"token{t + 1}.context", SIDE - 4, TALL, colour=AMBER)
        canvas.line(LEFT + SIDE * (t + 1), middle + 19, reads - 2, middle + 19, RED)
        canvas.line(STATE - 36, middle + 19, reads + 2 * (SIDE - 4) + 3, middle + 19, BLUE)
    canvas.text(STATE - 6, TOP + 17, canvas.called("value"), "end", quiet=True)
    canvas.text(STATE - 17, TOP + 3 * TALL + 18, canvas.called("key"), quiet=True)
    return canvas.drawing(TOP + BAND * len(words) - 14, WIDTH)


def _writes(canvas, word, state, band, carried):  # the key on the left of the state, the value above it
    canvas.step(f"“{word}” writes: its key times its value is added to the state. It is now ", [state], ".")
    canvas.cells(STATE - 30, band + TALL + 4, f"{word}.key", 26, TALL, colour=QUIET, stood=True)
    canvas.cells(STATE, band, f"{word}.value", SIDE, TALL, colour=QUIET)
    canvas.cells(STATE, band + TALL + 4, state, SIDE, TALL, colour=BLUE)
    if carried:  # from the state in the band above
        right, y = STATE + 2 * SIDE + 2, band + 2 * TALL + 4
        canvas.wire([(right, y - BAND + 13), (EDGE, y - BAND + 13), (EDGE, y - 13), (right, y - 13)], BLUE)
