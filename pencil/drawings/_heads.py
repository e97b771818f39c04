"""The attention of one word in two heads, from its queries to the concatenation and the output projection."""

from pencil.drawings.canvas import BLUE, RED, WIDTH, Canvas

COLOURS = (BLUE, RED)  # of the two heads; not amber, which marks changed numbers
MIDDLES, CENTRE = (84, 316), WIDTH / 2  # px: x of the two heads, and of what they share
SIDE = 156  # px: width of a head's box
FIRST, PITCH = 94, 66  # px: y of the first word; between words
PLACE = 70  # px: width of a number in the concatenation
WIDEST = 2  # numbers of a value that fit beside its weight


def heads(worked, word, title):  # Worked, a word of its rows, caption -> Drawing
    """The attention of one word in two heads, side by side, the concatenation of their contexts, and the output projection.

    The run names its values as `pencil.reference.multi_head_attention` does. Raises ValueError unless there are two heads with values of
    at most two numbers.
    """
    canvas, lanes = Canvas(worked, title), lanes_of(worked)
    words = worked.trace.find(f"{word}.{lanes[0][0]}.weights").words[0]
    foot = FIRST + PITCH * len(words)
    canvas.text(CENTRE, 30, word, bold=True)
    for k, other in enumerate(words):
        canvas.text(CENTRE, FIRST + PITCH * k + 24, other, bold=True)
    _asked(canvas, word, lanes)
    for lane in lanes:
        _mixed(canvas, word, words, lane, foot)
    _concat(canvas, word, lanes, foot + 82)
    return canvas.drawing(height=foot + 192)


def lanes_of(worked):  # Worked -> [("head1", x, colour), ("head2", x, colour)]
    """The lanes of the two heads. Raises ValueError for another number of heads, and for values that are too wide."""
    scopes = [name.partition(".")[0] for name in worked.trace.names if name.startswith("head") and name.endswith(".weights")]
    if len(scopes) != len(COLOURS):
        raise ValueError(f"the run names {len(scopes)} heads; {len(COLOURS)} fit side by side on a phone")
    for scope in scopes:
        if (width := worked.trace.find(f"{scope}.value").exact.shape[-1]) > WIDEST:
            raise ValueError(f"{scope}.value is {width} numbers wide; {WIDEST} fit beside a share")
    return list(zip(scopes, MIDDLES, COLOURS, strict=True))


def _asked(canvas, word, lanes):  # a word, and its query in each head
    (one, *_), (two, *_) = lanes
    canvas.step(f"{word} asks twice: ", [f"{word}.{one}.query"], f" in {one}, ", [f"{word}.{two}.query"], f" in {two}.")
    for scope, x, colour in lanes:
        side = 1 if x > CENTRE else -1
        canvas.line(CENTRE + side * 18, 25, x - side * (SIDE / 2 + 3), 25, colour)
        canvas.labelled_row(x, 4, SIDE, f"{word}.{scope}.query", colour)


def _mixed(canvas, word, words, lane, foot):  # the scores, and the weighted sum of the values
    scope, x, colour = lane
    side = 1 if x > CENTRE else -1
    context, weights, scores = (f"{word}.{scope}.{name}" for name in ("context", "weights", "scores"))
    key, score, value, share = (canvas.called(f"{scope}.{name}").rpartition(".")[2] for name in ("key", "scores", "value", "weights"))
    canvas.step(f"The dot product of {word}.{canvas.called(f'{scope}.query')} with each {key} is its {score}: ", [scores], ".")
    canvas.text(x, FIRST - 28, f"{key} and {score}", quiet=True)
    for k, other in enumerate(words):
        canvas.said(x - SIDE / 2 + 4, FIRST + PITCH * k + 12, [[f"{other}.{scope}.key"]])
        canvas.number(x + SIDE / 2 - 4, FIRST + PITCH * k + 12, f"{scores}[{other}]", "end", colour=colour)
    canvas.step(f"Divided by the root of the width and put through softmax, these are {canvas.label(weights)}: ", [weights], ".")
    canvas.text(x, FIRST - 12, f"{share} · {value}", quiet=True)
    for k, other in enumerate(words):
        y = FIRST + PITCH * k
        canvas.row(x, y + 31, f"{other}.{scope}.value", times=f"{weights}[{other}]")
        canvas.bar(x - side * SIDE / 2, y + 38, side * SIDE, 8, f"{weights}[{other}]", colour)
    canvas.step(f"Each {value} times its {share}, added up, is {canvas.label(context)}: ", [context], ".")
    canvas.line(x, foot - 4, x, foot + 12, colour)
    canvas.labelled_row(x, foot + 14, SIDE, context, colour)


def _concat(canvas, word, lanes, top):  # the concatenation, and the output projection
    concat, out = f"{word}.concat", f"{word}.attn_out"
    widths = [canvas.value(f"{word}.{scope}.context").size for scope, *_ in lanes]
    left, at = CENTRE - PLACE * sum(widths) / 2, 0
    canvas.step(f"{canvas.label(concat)}: the numbers of {lanes[0][0]}, then those of {lanes[1][0]}.")
    canvas.text(CENTRE, top - 8, canvas.label(concat), quiet=True)
    for (_, x, colour), width in zip(lanes, widths, strict=True):
        middle = left + PLACE * (at + width / 2)
        canvas.line(x, top - 24, middle, top - 2, colour)
        canvas.box(middle - PLACE * width / 2, top, PLACE * width, 28, colour)
        for k in range(width):
            canvas.number(left + PLACE * (at + k + 0.5), top + 19, f"{concat}[{at + k}]", colour=colour)
        at += width
    canvas.step(f"The output projection reads all of it and writes {canvas.label(out)}: ", [out], ".")
    for middle, colour in zip((left + PLACE * widths[0] / 2, left + PLACE * (at - widths[1] / 2)), COLOURS, strict=True):
        canvas.line(middle, top + 30, CENTRE + (middle - CENTRE) * 0.6, top + 58, colour)
    canvas.labelled_row(CENTRE, top + 60, 250, out)
