"""Attention: the query, scores, weights and context of one word, and the weights of all words as lines."""

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, FIGURE, RED, SMALL, WIDTH, Canvas
from pencil.drawings.paint import Paint
from pencil.worked.fragments import join, plain

THICKEST = 11  # px, of the arrow for a weight of 1
CENTRE = WIDTH / 2
MOST_COLUMNS = 3  # words beside each other on a phone
LINE = SMALL + 2  # px, between the numbers of a row that is written vertically
PORT, APART, BESIDE = 19, 16, 11  # px in `shares`: between lines on the left; between two queries; between lines on the right


def attention(worked, word, title, scope=""):  # Worked, a word of its rows, caption, "head1" -> Drawing
    """The attention of one word, from its query to its context, with a column for each key.

    The run names query, key, scores, scaled, weights, value and context, as `pencil.reference.attention` does.
    Raises ValueError for more than three words.
    """
    prefix = f"{scope}." if scope else ""
    words = worked.trace.find(f"{word}.{prefix}weights").words[0]
    if len(words) > MOST_COLUMNS:
        raise ValueError(f"{len(words)} words answer; {MOST_COLUMNS} columns fit on a phone: use shares()")
    canvas, pitch = Canvas(worked, title), WIDTH / len(words)
    columns = [(pitch * (k + 0.5), other) for k, other in enumerate(words)]
    side = min(150, pitch - 12)
    foot = _asked(canvas, word, columns, side, prefix)
    foot = _shared(canvas, word, columns, side, prefix, foot)
    return canvas.drawing(_mixed(canvas, word, columns, side, prefix, foot))


def _asked(canvas, word, columns, side, prefix):  # the query, and every key -> the y where they end
    query, key = f"{word}.{prefix}query", canvas.called(f"{prefix}key")
    alone = len(canvas.value(f"{prefix}query")) == 1  # with a single query its word is not written
    asks = f"The {canvas.called(f'{prefix}query')} " if alone else f"{word} asks. Its {canvas.called(f'{prefix}query')} "
    canvas.step(asks, [query], f" goes to every {key}.")
    canvas.labelled_row(CENTRE, 4, max(190, _width(canvas, query)), query, BLUE)
    for x, _ in columns:
        canvas.line(CENTRE + (x - CENTRE) * 0.25, 48, x, 82, BLUE)
    return _rows(canvas, columns, 84, side, f"{prefix}key", AMBER)


def _shared(canvas, word, columns, side, prefix, top):  # scores and weights -> the y where they end
    query, key, scores, weights = (canvas.called(f"{prefix}{name}") for name in ("query", "key", "scores", "weights"))
    rows = [
        ("scores", top + 26, f"{query} · {key} = {scores}: "),
        ("scaled", top + 52, f"Each is divided by the root of the width of {key}: "),
        ("weights", top + 78, f"Softmax raises e to each, and divides by the sum of all. Each {weights} is one part, and together they make 1: "),
    ]
    for name, y, said in rows:
        canvas.step(said, [f"{word}.{prefix}{name}"], ".")
        for x, other in columns:
            canvas.text(x - 6, y, canvas.called(f"{prefix}{name}"), "end", quiet=True)
            canvas.number(x + 6, y, f"{word}.{prefix}{name}[{other}]", "start", size=14)
            if name == "weights":
                canvas.bar(x - side / 2, y + 8, side, 8, f"{word}.{prefix}{name}[{other}]")
    return top + 94


def _mixed(canvas, word, columns, side, prefix, top):  # the weighted values, and their sum -> the y where they end
    value, weights, context = canvas.called(f"{prefix}value"), canvas.called(f"{prefix}weights"), f"{word}.{prefix}context"
    canvas.step(f"Each {value} times its {weights}, added up, is {canvas.label(context)}: ", [context], ".")
    foot = _rows(canvas, columns, top + 16, side, f"{prefix}value", RED)
    for x, other in columns:
        thickness = Paint("stroke-width", f"{word}.{prefix}weights[{other}]", 0.6, THICKEST)
        end = CENTRE + (x - CENTRE) * 0.3
        canvas.curve([(x, foot + 1), (x, foot + 37), (end, foot + 22), (end, foot + 62)], RED, thickness, opacity=0.8)
    canvas.labelled_row(CENTRE, foot + 62, max(290, _width(canvas, context)), context, BLUE)
    return foot + 108


def _rows(canvas, columns, y, side, name, colour):  # a row of numbers for each word, vertical if one is too long -> the y where they end
    references = [f"{other}.{name}" for _, other in columns]
    down = max(_width(canvas, reference) for reference in references) > side
    tall = 27 + LINE * canvas.value(references[0]).size if down else 42
    for (x, _), reference in zip(columns, references, strict=True):
        if down:
            canvas.box(x - side / 2, y, side, tall, colour)
            canvas.text(x, y + 17, canvas.label(reference), quiet=True)
            canvas.column(x, y + 34, reference, LINE)
        else:
            canvas.labelled_row(x, y, side, reference, colour)
    return y + tall


def _width(canvas, reference):  # px, of a row of numbers in brackets
    return FIGURE * SMALL * len(plain(canvas.worked.literal(reference))) + 6


def allowed(mask, shape, reference):  # -> (rows, columns) bool
    """The pairs that a mask allows; all if it is None. Raises ValueError unless it has the shape of the matrix `reference`."""
    sees = np.ones(shape, bool) if mask is None else np.asarray(mask, bool)
    if sees.shape != shape:
        raise ValueError(f"the mask is {sees.shape} and {reference} is {shape}: give a row for each word that asks")
    return sees


def shares(worked, reference, title, mask=None):  # Worked, the name of a matrix of weights -> Drawing
    """A line from each query to each key, whose thickness is the attention weight.

    Masked pairs have no line; the mask is as in `pencil.reference.attention`. Raises ValueError for a mask of another shape.
    """
    value = worked.trace.find(reference)
    asking, answering = value.words
    sees = allowed(mask, value.exact.shape, reference)
    canvas = Canvas(worked, title)
    left, right, asks = 130, WIDTH - 110, 74
    tops = np.concatenate([[34], 34 + np.cumsum(PORT * sees.sum(-1) + APART)])  # y of each query, and of the foot
    apart = (tops[-1] - tops[0]) / len(answering)
    canvas.text(asks, 16, "asks", "end", quiet=True)
    canvas.text(right + 10, 16, "answers", "start", quiet=True)
    for k, word in enumerate(answering):
        canvas.text(right + 10, 30 + apart * (k + 0.5), word, "start", bold=True)
    for i, word in enumerate(asking):
        seen = [(k, f"{word}.{reference}[{other}]", other) for k, other in enumerate(answering) if sees[i, k]]
        canvas.step(f"{word}: ", *join([[[share], f" to {other}"] for _, share, other in seen], ", "), ".")
        canvas.text(asks, tops[i] + PORT * len(seen) / 2 + 4, word, "end", bold=True)
        for port, (k, share, _) in enumerate(seen):
            place = sees[:i, k].sum() - (sees[:, k].sum() - 1) / 2  # position among the lines that end at this key
            y1, y2 = tops[i] + PORT * (port + 0.5), 26 + apart * (k + 0.5) + BESIDE * place
            canvas.number(left - 8, y1 + 4.5, share, "end")
            pulls = [((left + right) / 2, y1), ((left + right) / 2, y2), (right, y2)]
            canvas.curve([(left, y1), *pulls], BLUE, Paint("stroke-width", share, 0.4, THICKEST), opacity=0.8)
    return canvas.drawing(int(tops[-1]))
