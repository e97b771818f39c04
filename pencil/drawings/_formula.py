"""The formula of attention as blocks of numbers, with their shapes: scores = Q·Kᵀ, shares = softmax(scores / √d_k), context = shares·V."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, SMALL, WIDTH, Canvas

TALL, NARROW, BROAD = 24, 30, 46  # px: height of a cell; width of a cell of whole numbers, and of others
BETWEEN, HEAD, FOOT = 24, 22, 18  # px: between two blocks; room for the label above a block, and for its shape below
MOST = 4  # queries, and keys, that fit on a phone
TIGHTEST = 0.85  # the part of its width that a cell keeps where three blocks are wider than a phone


def formula(worked, title):  # Worked, caption -> Drawing
    """Two products of matrices, one below the other, and softmax between them.

    The run names query, key, value, scores, weights and context, as `pencil.reference.attention` does. Raises ValueError for more than four
    queries or keys, and for vectors of more numbers than fit on a phone.
    """
    canvas = Canvas(worked, title)
    queries, keys = canvas.value("scores").shape
    if max(queries, keys) > MOST:
        raise ValueError(f"{queries} queries and {keys} keys; {MOST} of each fit on a phone")
    canvas.step(f"Each {canvas.called('query')} with each {canvas.called('key')} makes the {canvas.called('scores')}s: {queries} rows of {keys}.")
    foot = _product(canvas, 0, [("query", BLUE, False), ("key", AMBER, True), ("scores", QUIET, False)])
    canvas.step(f"Divided by the root of the width, softmax makes the {canvas.called('weights')}s of each row.")
    canvas.line(WIDTH / 2, foot + 2, WIDTH / 2, foot + 30)
    canvas.text(WIDTH / 2 + 12, foot + 20, "divide, then softmax", "start", quiet=True)
    parts = canvas.called("weights"), canvas.called("value"), canvas.called("context")
    canvas.step("The {}s times the {}s are the {}s: {} rows of {}.".format(*parts, *canvas.value("context").shape))
    return canvas.drawing(int(_product(canvas, foot + 36, [("weights", QUIET, False), ("value", RED, False), ("context", BLUE, False)])))


def _product(canvas, top, blocks):  # [(name, colour, whether it is transposed)] -> the y where it ends
    sizes = [canvas.value(name).shape[:: -1 if turned else 1] for name, _, turned in blocks]
    sides, room = [_side(canvas, name) for name, *_ in blocks], WIDTH - 2 * BETWEEN
    fit = min(1, room / sum(columns * side for (_, columns), side in zip(sizes, sides, strict=True)))
    if fit < TIGHTEST:
        names, wide = ", ".join(name for name, *_ in blocks), " + ".join(str(columns) for _, columns in sizes)
        raise ValueError(f"{names} are {wide} columns wide, too many for a phone")
    sides = [fit * side for side in sides]
    widths = [columns * side for (_, columns), side in zip(sizes, sides, strict=True)]
    left, tall = (WIDTH - sum(widths) - 2 * BETWEEN) / 2, TALL * max(rows for rows, _ in sizes)
    middle = top + HEAD + tall / 2
    for (name, colour, turned), size, side, width, sign in zip(blocks, sizes, sides, widths, ("·", "=", ""), strict=True):
        _block(canvas, name, colour, turned, size, side, (left, middle - TALL * size[0] / 2))
        if sign:
            canvas.text(left + width + BETWEEN / 2, middle + 5, sign, size=16)
        left += width + BETWEEN
    return top + HEAD + tall + FOOT


def _block(canvas, name, colour, turned, size, side, corner):
    (rows, columns), (left, top) = size, corner
    canvas.text(left + side * columns / 2, top - 8, f"{canvas.called(name)}{'ᵀ' if turned else ''}", quiet=True)
    for i in range(rows):
        for k in range(columns):
            place = f"{name}[{k}, {i}]" if turned else f"{name}[{i}, {k}]"
            canvas.box(left + side * k + 1, top + TALL * i + 1, side - 2, TALL - 2, colour)
            canvas.number(left + side * (k + 0.5), top + TALL * i + 0.68 * TALL, place, size=SMALL)
    canvas.text(left + side * columns / 2, top + TALL * rows + 14, f"{rows} × {columns}", quiet=True)


def _side(canvas, name):  # px
    return BROAD if any(len(number.text) > 2 for number in canvas.worked.numbers(name)) else NARROW
