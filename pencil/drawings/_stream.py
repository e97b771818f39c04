"""The residual stream of one word through a stack of blocks, and what each layer adds to it."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, Canvas

WIRE, BOX, WIDE, ROW = 16, 144, 252, 150  # px: x of the stream; left edge of what is added; its width; middle of a row of the stream
TALL, STEP, HEAD = 42, 84, 34  # px: height of a box; between two additions; above the first
LAYERS = (("attn_out", "attention", BLUE), ("mlp_out", "feed-forward", AMBER))


def stream(worked, word, blocks, title, start="x"):  # Worked of a stack, word, scopes of the blocks, caption -> Drawing
    """The row of a word as a wire that passes all blocks from top to bottom; each layer reads it, and adds a row to it.

    The run names `start`, and in the scope of each block attn_out, residual, mlp_out and out.
    """
    canvas, bottom = Canvas(worked, title), HEAD + STEP * 2 * len(blocks) + 8
    canvas.step(f"The row of {word} begins as ", [f"{word}.{start}"], ".")
    canvas.text(WIRE + 12, 18, word, "start", bold=True)
    canvas.row(ROW, 18, f"{word}.{start}")
    canvas.wire([(WIRE, 4), (WIRE, bottom)], QUIET, 3)
    for k, (name, layer, colour) in enumerate(LAYERS * len(blocks)):
        scope, y = blocks[k // 2], HEAD + STEP * k
        added, after = f"{word}.{scope}.{name}", f"{word}.{scope}.{'out' if k % 2 else 'residual'}"
        called = scope.replace("block", "block ")
        canvas.step(f"The {layer} layer of {called} reads the row and adds ", [added], ". Now it is ", [after], ".")
        if k % 2 == 0:
            canvas.text(WIRE + 12, y + 36, called, "start", bold=True)
        canvas.box(BOX, y, WIDE, TALL, colour)
        canvas.text(BOX + WIDE / 2, y + 17, f"{layer} adds", colour=colour)
        canvas.row(BOX + WIDE / 2, y + 34, added)
        canvas.wire([(WIRE, y + 12), (BOX - 2, y + 12)], colour)
        canvas.wire([(BOX + 14, y + TALL), (BOX + 14, y + TALL + 12), (WIRE + 10, y + TALL + 12)], colour)
        canvas.sign(WIRE, y + TALL + 12, "+", colour)
        canvas.row(ROW, y + TALL + 31, after)
    return canvas.drawing(height=bottom + 4)
