"""Rows of two numbers as clock hands that turn counterclockwise: sinusoids of two frequencies; rotary queries and keys; the keys of a state."""

from dataclasses import replace

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint

CLOCKS = ("first pair", "second pair")
RADIUS, FACE = 66, 98  # px: radius of a clock; y of its centre
AROUND, APART = 15, 16  # px: from a tip to its number; minimum distance between two numbers
FACES, HAND = 3, 54  # clocks that fit side by side; px: length of the longest hand
HANDS = {"query": (BLUE, 26, 20), "key": (RED, 44, 13)}  # colour; px: offset of the label below the clock; radius of the angle's arc
ENDS = ("x1", "y1"), ("x2", "y2")  # the ends of a line
BEYOND = 1.3  # how much longer a changed hand may become


def clocks(worked, title):  # Worked, caption -> Drawing
    """A clock for each of two pairs of columns, with a hand for each position: cosine to the right, sine up, as two legs show at one hand.

    The run names positions, angle, sin and cos, as `pencil.reference.sinusoidal` does. Raises ValueError for another number of pairs.
    """
    rows = worked.trace.find("sin").words[0]
    pairs = worked.trace.find("sin").exact.shape[-1]
    if pairs != len(CLOCKS):
        raise ValueError(f"{pairs} pairs of slots; {len(CLOCKS)} clocks fit beside each other on a phone")
    canvas, taken, centres = Canvas(worked, title), [[], []], (WIDTH / 4, 3 * WIDTH / 4)
    for x, name in zip(centres, CLOCKS, strict=True):
        canvas.ring(x, FACE, RADIUS, RADIUS)
        canvas.text(x, FACE + RADIUS + 34, name, quiet=True)
    _legs(canvas, [f"{rows[1]}.{name}[0]" for name in ("cos", "sin")], (centres[0], FACE))
    for row in rows:
        canvas.step("Position ", [f"{row}.positions"], ": the two angles are ", [f"{row}.angle"], ".")
        for pair, x in enumerate(centres):
            tip = [f"{row}.{name}[{pair}]" for name in ("cos", "sin")]
            _hand(canvas, row, tip, (x, FACE), taken[pair], is_last=row == rows[-1])
    return canvas.drawing(height=FACE + RADIUS + 44)


def _hand(canvas, row, tip, middle, taken, is_last):  # if hands are crowded, only the first and the last are thick and numbered
    place = (RADIUS + AROUND) * np.array([float(canvas.value(one)) for one in tip])
    crowded = any(np.hypot(*(place - other)) < APART for other in taken)
    alone = not crowded or is_last
    canvas.line(*middle, *_at(("x2", "y2"), tip, middle, RADIUS), BLUE, 1.8 if alone else 0.3, head=False)
    if alone:
        taken.append(place)
        x, y = middle[0], middle[1] + 4 - APART * crowded  # above the tip: beside it a number could leave the drawing
        canvas.number(*_at(("x", "y"), tip, (x, y), RADIUS + AROUND), f"{row}.positions")


def _legs(canvas, tip, middle):  # how far a hand points to the right, and from there up
    (x, y), (right, up) = middle, _at(("x", "y"), tip, middle, RADIUS)
    canvas.line(x, y, replace(right, attribute="x2"), y, AMBER, 3, head=False)
    canvas.line(replace(right, attribute="x1"), y, *_at(("x2", "y2"), tip, middle, RADIUS), AMBER, 1.8, head=False)
    canvas.text(replace(right, offset=x - 3), y - 4, "right", "end", colour=AMBER)
    canvas.text(replace(right, offset=x + 5), replace(up, factor=up.factor / 3), "up", "start", colour=AMBER)


def turns(worked, title):  # Worked, caption -> Drawing
    """A query and a key of two numbers each as hands, rotated by their positions: a clock for each row of the run.

    An arc shows by how much each is rotated. A line joins their tips: congruent triangles have equal angles.

    The run names positions, angle and rotated of query and of key, one angle a row, and scores.
    Raises ValueError for wider rows, and for more than three rows.
    """
    value = worked.trace.find("query.rotated")
    rows, (count, width) = value.words[0], value.exact.shape
    if width != 2 or count > FACES:
        raise ValueError(f"{count} rows of {width} numbers; up to {FACES} rows of 2 fit beside each other on a phone")
    canvas, pitch = Canvas(worked, title), WIDTH / count
    longest = max(float(np.hypot(*canvas.value(f"{row}.{name}.rotated"))) for row in rows for name in HANDS)
    query, key, scores = (canvas.called(name) for name in (*HANDS, "scores"))
    for k, row in enumerate(rows):
        x, y = pitch * (k + 0.5), HAND + 20
        at = [[f"{row}.{name}.positions"] for name in HANDS]
        canvas.step(f"The {query} is at position ", at[0], f", the {key} at ", at[1], f". Their dot product, the {scores}: ", [f"{row}.scores"], ".")
        canvas.ring(x, y, HAND, HAND)
        tips = {name: [f"{row}.{name}.rotated[{slot}]" for slot in (0, 1)] for name in HANDS}
        ends = [_at(where, tip, (x, y), HAND / longest, BEYOND * longest) for where, tip in zip(ENDS, tips.values(), strict=True)]
        canvas.line(*ends[0], *ends[1], AMBER, 1.6, head=False)
        for name, (colour, down, radius) in HANDS.items():
            canvas.arc(x, y, radius, f"{row}.{name}.angle[0]", colour)
            canvas.line(x, y, *_at(ENDS[1], tips[name], (x, y), HAND / longest, BEYOND * longest), colour, 2.2)
            _said(canvas, x + 22, y + HAND + down, f"{canvas.called(name)} at", f"{row}.{name}.positions", colour)
        _said(canvas, x + 1, y + HAND + 64, scores, f"{row}.scores", QUIET)
    return canvas.drawing(height=2 * HAND + 94)


def pairs(worked, title, query="query.rotated[0]", key="key.rotated[0]", parts=""):  # Worked, caption, references of two rows -> Drawing
    """A rotated query and a rotated key of two pairs of numbers: a clock for each pair, whose dot product is its part of the score.

    `parts` is the reference of the two parts, if the run names them. Raises ValueError for rows of another width.
    """
    canvas = Canvas(worked, title)
    if canvas.value(query).shape != (2 * len(CLOCKS),):
        raise ValueError(f"{query} has the shape {canvas.value(query).shape}; {len(CLOCKS)} pairs fit beside each other on a phone")
    longest = max(float(np.hypot(*canvas.value(row).reshape(2, 2)[k])) for row in (query, key) for k in (0, 1))
    canvas.step("Each pair is a hand on a clock of its own: here the query is ", [query], " and the key ", [key], ".")
    for k, (name, x) in enumerate(zip(CLOCKS, (WIDTH / 4, 3 * WIDTH / 4), strict=True)):
        canvas.ring(x, FACE, RADIUS, RADIUS)
        tips = {
            called: [f"{row[:-1]}, {2 * k + slot}]" if row.endswith("]") else f"{row}[{2 * k + slot}]" for slot in (0, 1)]
            for called, row in zip(HANDS, (query, key), strict=True)
        }
        ends = [_at(where, tip, (x, FACE), RADIUS / longest, BEYOND * longest) for where, tip in zip(ENDS, tips.values(), strict=True)]
        canvas.line(*ends[0], *ends[1], AMBER, 1.6, head=False)
        for called, (colour, down, _) in HANDS.items():
            canvas.line(x, FACE, *_at(ENDS[1], tips[called], (x, FACE), RADIUS / longest, BEYOND * longest), colour, 2.2)
            canvas.text(x, FACE + RADIUS + down, canvas.called(called), colour=colour)
        canvas.text(x, FACE - RADIUS - 16, name, quiet=True)
        if parts:
            _said(canvas, x + 13, FACE + RADIUS + 64, "q · k", f"{parts}[{k}]", QUIET)
    return canvas.drawing(height=FACE + RADIUS + (74 if parts else 54))


def fan(worked, title, reference):  # Worked, caption, reference of rows of two numbers -> Drawing
    """Rows of length one as hands on one clock; a row of zeros has none. Raises ValueError for wider rows."""
    canvas, middle = Canvas(worked, title), (WIDTH / 2, RADIUS + AROUND)
    count, width = canvas.value(reference).shape
    if width != 2:
        raise ValueError(f"{reference} has rows of {width} numbers; a hand has 2")
    found = "At a right angle two of them find nothing of each other; the nearer they are to one line, the more."
    canvas.step(f"Each {canvas.called(reference)} is a hand. {found} Opposite hands find each other with a minus.")
    canvas.ring(*middle, RADIUS, RADIUS)
    for k in range(count):
        canvas.line(*middle, *_at(ENDS[1], [f"{reference}[{k}, {slot}]" for slot in (0, 1)], middle, RADIUS, BEYOND), BLUE, 2.2, head=False)
    return canvas.drawing(height=2 * (RADIUS + AROUND))


def _said(canvas, x, y, word, reference, colour):  # x: where the word ends; "query, position" fits in front of it
    canvas.text(x, y, word, "end", colour=colour)
    canvas.number(x + 6, y, reference, "start", colour=colour)


def _at(attributes, tip, middle, length, most=1.0):  # names of two attributes -> Paints of a hand's tip
    signs = zip(attributes, tip, middle, (1, -1), strict=True)
    across, up = (Paint(name, reference, place, sign * length, -most, most) for name, reference, place, sign in signs)
    return replace(across, mate=up), replace(up, mate=across)  # a hand that is too long keeps its direction
