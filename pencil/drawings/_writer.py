"""A whole GPT, from the letters that are there to the one that is drawn and joins them."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, Canvas

LEFT, RIGHT, NARROW = 20, 300, 66  # px: edges of the columns of letters; pitch of a letter
WIDE, TALL, GAP, TOP = 280, 26, 20, 44  # px: a layer across all letters: width and height; gap between two layers; y of the first


def writer(title, letters=("c", "a", "t", "␣"), drawn="s", n_blocks=2):  # -> Drawing
    """The layers of a decoder from top to bottom, and the way back from the letter that is drawn to the text.

    Raises ValueError for more letters than fit on a phone.
    """
    if not 0 < len(letters) <= WIDE // NARROW:
        raise ValueError(f"{len(letters)} letters in {list(letters)}: 1 to {WIDE // NARROW} fit beside each other on a phone")
    canvas, across = Canvas(None, title), [LEFT + NARROW * (k + 0.5) for k in range(len(letters))]
    canvas.step("The text so far. Each letter is a number, its id.")
    for x, letter in zip(across, letters, strict=True):
        canvas.text(x, 26, letter, bold=True, size=16)
    y = _layer(canvas, TOP, "embedding + position embedding", "The table of letters and the table of positions give each place a row.")
    for number in range(1, n_blocks + 1):
        says = f"Block {number}: attention, which looks back only, then the feed-forward layer. Each adds to the row."
        y = _layer(canvas, y, f"block {number}: attention, feed-forward", says, BLUE, across)
    y = _layer(canvas, y, "layer norm", "The rows are normalized once more.")
    y = _layer(canvas, y, "logits, one for each letter", "The table of letters again: a logit for every letter that may come next.", RED)
    x = across[-1]
    canvas.step("In training each row is asked. In writing only the last: softmax makes probabilities of its logits, and one letter is drawn.")
    canvas.line(x, y - GAP, x, y + 6, QUIET)
    canvas.box(x - 70, y + 8, 140, TALL, AMBER)
    canvas.text(x, y + 25, "softmax, then draw", colour=AMBER)
    canvas.text(x, y + 62, drawn, bold=True, size=16, colour=AMBER)
    canvas.line(x, y + 34, x, y + 46, AMBER)
    canvas.step("The new letter joins the text, and all begins again.")
    canvas.wire([(x + 14, y + 57), (RIGHT + 60, y + 57), (RIGHT + 60, 20), (across[-1] + 34, 20)], AMBER)
    return canvas.drawing(height=y + 74)


def _layer(canvas, y, name, says, colour=QUIET, looks=()):  # -> y of the next one; `looks` are the columns that look back
    canvas.step(says)
    for x in looks or [LEFT + WIDE / 2]:
        canvas.line(x, y - GAP + 4, x, y - 2, QUIET)
    tall = TALL + (24 if looks else 0)
    canvas.box(LEFT, y, WIDE, tall, colour)
    canvas.text(LEFT + WIDE / 2, y + 17, name, colour="" if colour == QUIET else colour)
    for k, x in enumerate(looks):  # from each place to itself and those before it
        for earlier in looks[: k + 1]:
            canvas.line(x, y + tall - 2, earlier, y + 23, colour, 0.8, head=False)
    return y + tall + GAP
