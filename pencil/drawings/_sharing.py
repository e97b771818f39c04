"""Multi-head, grouped-query and multi-query attention: which heads share a key and a value."""

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas

LEFT, TOP, APART, TALL, SIDE = 72, 30, 124, 24, 64  # px: x of the heads; y of the first row; between rows; height and width of a box


def sharing(n_heads, kv_heads, called, title):  # int, list of ints, (label of a query, label of a pair), caption -> Drawing
    """For each number of key-value heads, `n_heads` queries with lines to the pair of key and value that they share.

    Raises ValueError for more than five heads, and for a number of key-value heads that does not divide them.
    """
    canvas, (query, pair) = Canvas(None, title), called
    if n_heads > (most := int((WIDTH - LEFT) // SIDE)):
        raise ValueError(f"{n_heads} heads; {most} fit beside each other on a phone")
    for k, pairs in enumerate(kv_heads):
        if n_heads % pairs:
            raise ValueError(f"{n_heads} heads are not shared out to {pairs} pairs; take a divisor")
        group, y = n_heads // pairs, TOP + APART * k
        each = f"each head has a {pair} of its own" if group == 1 else f"one {pair} for {'all' if pairs == 1 else 'every'} {group}"
        canvas.step(f"{n_heads} heads, {pairs} {pair if pairs == 1 else pair + 's'}: {each}.")
        canvas.text(LEFT + 4, y - 10, each, "start", bold=True)
        for row, (name, count) in enumerate(((query, n_heads), (pair, pairs))):
            canvas.text(LEFT - 8, y + row * 44 + 17, name, "end")
            for i in range(count):
                canvas.box(_middle(i, count, n_heads) - SIDE / 2 + 4, y + row * 44, SIDE - 8, TALL, AMBER if row else BLUE)
        for i in range(n_heads):
            canvas.line(_middle(i // group, pairs, n_heads), y + 43, _middle(i, n_heads, n_heads), y + TALL + 2, AMBER)
    return canvas.drawing(height=TOP + APART * (len(kv_heads) - 1) + 44 + TALL + 2)


def _middle(i, count, n_heads):  # x of box i of `count`, each in the middle of its group
    return LEFT + SIDE * n_heads * (i + 0.5) / count
