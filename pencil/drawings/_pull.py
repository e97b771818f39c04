"""The context of one word among its values: each value pulls at it with its share, and the query is there to be changed."""

from dataclasses import replace

from pencil.drawings._plane import View, Words, arrow, tips_of
from pencil.drawings.canvas import AMBER, BLUE, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint

LARGEST, THICKEST = 15, 9  # px: radius of the disc for a share of 1, and the width of the line with which it pulls
CELL = 44, 28  # px: size of a number of the query
GAP = 30  # px: from the right edge to the query


def pull(worked, word, title):  # Worked, the word that asks, caption -> Drawing
    """The values that a word mixes as discs in a plane, each as large as its share and pulling as strongly, and the context as an arrow among them.

    The run names query, weights, value and context, as `pencil.reference.attention` does. The numbers of a given query can be dragged.
    """
    canvas = Canvas(worked, title)
    query, weights, context = (f"{word}.{name}" for name in ("query", "weights", "context"))
    values = {item: f"{item}.value" for item in worked.trace.find(weights).words[0]}
    tips = tips_of(canvas, [*values.values(), context], (0, 1))
    view = View(list(tips.values()), (0, 1))
    words = Words(view, [(tips[context], tips[value]) for value in values.values()] + [((0.0, 0.0), tips[context])])
    view.squares(canvas, words, worked.trace.find(next(iter(values.values()))).words[0])
    left = WIDTH - GAP - CELL[0] * canvas.value(query).size
    canvas.step(f"{canvas.label(query)}: ", [query], ".")
    canvas.text((left + WIDTH - GAP) / 2, 18, canvas.label(query), quiet=True)
    canvas.cells(left, 26, query, *CELL, colour=BLUE)
    for item, value in values.items():
        share = f"{weights}[{item}]"
        canvas.step(f"{item} pulls with its {canvas.called('weights')}, ", [share], ".")
        way = *view.follow(("x1", "y1"), context), *view.follow(("x2", "y2"), value)
        canvas.line(*way, RED, Paint("stroke-width", share, 0.5, THICKEST), head=False)
        radii = (Paint(name, share, 1.5, LARGEST) for name in ("rx", "ry"))
        canvas.ring(*view.follow(("cx", "cy"), value), *radii, RED, filled=True)
        place = words.free([view.at(tips[value])], f"{item} 0.000") - view.at(tips[value])
        x, y = view.beside(value, place, f"{item} 0.000")
        canvas.text(x, y, item, "end", bold=True, clear=True)
        canvas.number(replace(x, offset=x.offset + 4), y, share, "start")
    arrow(canvas, view, words, tips, (context, None, "the context"), AMBER)
    return canvas.drawing(view.height)
