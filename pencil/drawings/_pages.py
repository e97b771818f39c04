"""A paged KV cache: logical pages of texts, physical pages of the pool, and the block tables that map them. Papers call a page a block."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, Canvas

HEAD, PITCH, TALL, SLOT = 34, 34, 26, 46  # px: y of the first page; between pages; height of a page; width of a slot
LOGICAL, POOL = 24, 282  # px: x of the two columns
COLOURS = (BLUE, AMBER)  # of the texts
MOST = 2  # slots of a page that fit side by side


def pages(texts, n_blocks, block_size, title):  # {name of a text: (words, block table)}, pages, slots of a page, caption -> Drawing
    """A step for each text: its logical pages on the left, with a line from each to its physical page on the right.

    Raises ValueError for pages of more than two slots, for more than two texts, and for a page that belongs to two texts.
    """
    if block_size > MOST:
        raise ValueError(f"block_size={block_size}; up to {MOST} slots have room beside each other on a phone")
    if len(texts) > len(COLOURS):
        raise ValueError(f"{len(texts)} texts and {len(COLOURS)} colours; leave some out")
    taken = [block for _, table in texts.values() for block in table]
    if len(set(taken)) < len(taken) or not set(taken) <= set(range(n_blocks)):
        raise ValueError(f"the tables name the blocks {taken} of {n_blocks}; each belongs to one text")
    canvas, row = Canvas(None, title), 0
    canvas.text(LOGICAL + SLOT * block_size / 2, 14, "logical pages", quiet=True)
    canvas.text(POOL + SLOT * block_size / 2, 14, "physical pages", quiet=True)
    for block in range(n_blocks):
        _block(canvas, POOL, HEAD + PITCH * block, str(block), [""] * block_size, QUIET)
    for colour, (called, (words, table)) in zip(COLOURS, texts.items(), strict=False):
        left = len(table) * block_size - len(words)
        said = f", with {left} slot{'s' * (left > 1)} left over" if left else ""
        *others, last = map(str, table)
        where = f"{', '.join(others)} and {last}" if others else last
        canvas.step(f"{called}: logical pages 0 to {len(table) - 1} lie in the physical pages {where}{said}.")
        for logical, block in enumerate(table):
            part = [*words[logical * block_size : (logical + 1) * block_size], *[""] * block_size][:block_size]
            y, to = HEAD + PITCH * row, HEAD + PITCH * block
            _block(canvas, LOGICAL, y, str(logical), part, colour)
            _block(canvas, POOL, to, "", part, colour)
            canvas.line(LOGICAL + SLOT * block_size + 4, y + TALL / 2, POOL - 20, to + TALL / 2, colour)
            row += 1
    return canvas.drawing(HEAD + PITCH * max(n_blocks, row) - 4)


def _block(canvas, x, y, number, words, colour):
    canvas.text(x - 8, y + TALL / 2 + 5, number, "end", quiet=True)
    for k, word in enumerate(words):
        canvas.box(x + SLOT * k, y, SLOT, TALL, colour)
        if word:
            canvas.text(x + SLOT * (k + 0.5), y + TALL / 2 + 5, word)
