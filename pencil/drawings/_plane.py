"""Rows as arrows in a plane spanned by two of their columns, and differences as arrows from tip to tip."""

from dataclasses import replace

import numpy as np

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint
from pencil.rounding import as_given

ROOM, MARGIN = (310, 260), 28  # px: area of the arrows; margin around it
FAR = 1e5  # px: limit of coordinates outside the frame, which clips arrows
SQUARE, LETTER, LINE = 26, 8, 13  # px: minimum side of a grid square; approximate width and height of a character
CLEAR = np.array([9, 6])  # px: from a tip to its label
ALONG, AWAY = (0.5, 0.35, 0.65, 0.2, 0.8), 4  # positions of a label along an arrow; penalty of a label farther from it
SWAPPED = 20  # penalty of two labels that would stand in each other's place
BESIDE, ABOVE, CORNERS = [(1, 0), (-1, 0)], [(0, -1), (0, 1)], [(1, -1), (-1, -1), (1, 1), (-1, 1)]  # directions in which a label may be placed


def plane(worked, arrows, title, slots=(0, 1), closing=(), answer=""):  # Worked, arrows, caption, two slots of the rows -> Drawing
    """Arrows from the origin, and arrows from tip to tip.

    - `arrows`: for each the reference of a row, (reference, label), or (reference, start, label) for an arrow from the tip of the row `start`
    - `slots`: the two columns to draw
    - `closing`: the words of a last step
    - `answer`: the reference of the arrow from the origin that answers the title; it has a colour of its own

    Raises ValueError for a row without these columns, if all rows are zero, for no arrows, and for an `answer` that is none of those from
    the origin.
    """
    if not arrows:
        raise ValueError("a plane with no arrows; name a row at least")
    canvas = Canvas(worked, title)
    drawn = [_read(canvas, arrow) for arrow in arrows]
    from_origin = [end for end, start, _ in drawn if not start]
    if answer and answer not in from_origin:
        raise ValueError(f"answer={answer!r} is no arrow from the origin; these are: {', '.join(from_origin)}")
    tips = tips_of(canvas, [reference for arrow in drawn for reference in arrow[:2] if reference], slots)
    view = View(list(tips.values()), slots)
    ways = [(tips.get(start, (0.0, 0.0)), tips[end]) for end, start, _ in drawn]
    words = Words(view, ways)
    view.squares(canvas, words, worked.trace.find(drawn[0][0]).words[0])
    labels = {end: label for end, start, label in drawn if not start}
    for way in drawn:
        joined = [labels[row] for row in (way[1], way[0])] if {*way[:2]} <= {*labels} else []
        arrow(canvas, view, words, tips, way, RED if way[1] else AMBER if way[0] == answer else BLUE, joined)
    if closing:
        canvas.step(*closing)
    return canvas.drawing(view.height)


def arrow(canvas, view, words, tips, way, colour, joined=()):  # way: the row at its tip, the row at its start or None, the label
    """Draw a step with one arrow: from the origin, or a thinner one from the tip of another row; `joined` names the rows at its ends."""
    end, start, word = way
    if joined:
        canvas.step(f"{word} joins {' and '.join(joined)}.")
    else:
        canvas.step(f"{word} leads to " if start else f"{word}: ", [end], ".")
    canvas.line(*view.follow(("x1", "y1"), start), *view.follow(("x2", "y2"), end), colour, 1.6 if start else 2.2)
    tip = view.at(tips[end])
    near = [tip + share * (view.at(tips[start]) - tip) for share in ALONG] if start else [tip]
    place = words.free(near, word)
    canvas.text(*view.beside(end, place - tip, word), word, bold=not start, clear=True)


def _read(canvas, arrow):  # -> the row at its tip, the row at its start or None, the label
    if not isinstance(arrow, str) and len(arrow) == 3:
        return arrow
    reference, word = named(canvas, arrow)
    return reference, None, word


def named(canvas, row):  # reference, or (reference, label) -> reference, label
    """The default label is the word of the row."""
    return (row, canvas.label(row).partition(".")[0]) if isinstance(row, str) else row


def tips_of(canvas, references, slots):  # -> {reference: (2,)}
    """The tips of rows. Raises ValueError for a row without these columns, and if all rows are zero."""
    tips = {}
    for reference in references:
        row = canvas.value(reference)
        if row.ndim != 1 or not all(0 <= slot < len(row) for slot in slots):
            raise ValueError(f"{reference} has the shape {row.shape}; an arrow takes the slots {slots[0]} and {slots[1]} of a row")
        tips[reference] = row[list(slots)]
    if not np.any(list(tips.values())):
        raise ValueError(f"{', '.join(tips)}: nothing but zeros in the slots {slots[0]} and {slots[1]}; choose two others")
    return tips


class View:
    """The coordinate system of the plane: converts points to pixels, and makes Paints that follow a row."""

    def __init__(self, tips, slots):
        self.slots = slots
        low, high = np.min([*tips, (0, 0)], axis=0), np.max([*tips, (0, 0)], axis=0)
        span = np.maximum(high - low, 1e-9)
        self.scale = float(np.min(ROOM / span))
        self.origin = np.array([WIDTH / 2 - self.scale * (low + high)[0] / 2, MARGIN + self.scale * high[1]])
        self.height = int(np.ceil(self.scale * span[1])) + 2 * MARGIN
        self.unit = next(k * 10.0**e for e in range(-9, 10) for k in (1, 2, 5) if k * 10.0**e * self.scale >= SQUARE)

    def at(self, point):
        """A point of the plane, in pixels."""
        return self.origin + self.scale * np.array([point[0], -point[1]])

    def follow(self, attributes, reference):  # names of two attributes -> their values
        """The tip of a row as Paints; the origin if the reference is None."""
        if reference is None:
            return tuple(map(float, self.origin))
        held = [(-FAR / self.scale, FAR / self.scale)] * 2
        return self._paints(attributes, reference, (0, 0), held)

    def beside(self, reference, shift, word):  # -> x, y
        """The position of a label, shifted from the tip of a row as Paints; if the tip is outside the frame, from where the arrow leaves it."""
        (x, y), s, half = self.origin + shift, self.scale, LETTER * len(word) / 2
        left, right, foot, top = half - x, WIDTH - half - x, y - self.height + LINE / 6, y - LINE
        held = (min(left, 0) / s, max(right, 0) / s), (min(foot, 0) / s, max(top, 0) / s)
        across, up = self._paints(("x", "y"), reference, shift, held)
        return replace(across, mate=up), replace(up, mate=across)

    def _paints(self, attributes, reference, shift, held):
        places, signs = self.origin + shift, (1, -1)
        slots = [f"{reference}[{slot}]" for slot in self.slots]
        made = zip(attributes, slots, places, signs, held, strict=True)
        return [Paint(name, slot, float(place), sign * self.scale, low, high) for name, slot, place, sign, (low, high) in made]

    def squares(self, canvas, words, columns):
        """Draw a grid with axes through the origin, and the labels of the two columns."""
        (x, y), side = self.origin, self.unit * self.scale
        for k in range(-int(x // side), int((WIDTH - x) // side) + 1):
            canvas.line(x + k * side, 0, x + k * side, self.height, QUIET, 0.25 if k else 1, head=False)
        for k in range(-int(y // side), int((self.height - y) // side) + 1):
            canvas.line(0, y + k * side, WIDTH, y + k * side, QUIET, 0.25 if k else 1, head=False)
        names = [columns[slot] if columns else f"number {slot + 1}" for slot in self.slots]
        far = max(1, int(min(WIDTH - x, y) // side) // 2)  # where to write a number, the same on both axes: half-way along the shorter
        ends = (WIDTH - LETTER * len(names[0]) / 2 - 4, y), (x, LINE), (x + far * side, y), (x, y - far * side)
        written = [*names, *[as_given(far * self.unit)] * 2]
        for name, end, first in zip(written, ends, (ABOVE, BESIDE, ABOVE[::-1], BESIDE[::-1]), strict=True):
            canvas.text(*words.free([np.array(end)], name, first), name, quiet=True, clear=True)


class Words:
    """Places labels so that they overlap few lines and other labels."""

    def __init__(self, view, ways):
        axes = [((-WIDTH, 0), (WIDTH, 0)), ((0, -WIDTH), (0, WIDTH))]
        share = np.linspace(0, 1, 200)[:, None]
        between = [(1 - share) * view.at(a) + share * view.at(b) for a, b in ways]
        self.lines = np.concatenate(between + [(1 - share) * (view.origin + a) + share * (view.origin + b) for a, b in np.array(axes)])
        self.frame, self.words = np.array([WIDTH, view.height]), []
        self.ways = []  # from the point of each label to the label

    def free(self, points, word, first=()):  # -> centre of the label's lower edge
        """The position with the lowest penalty near one of the points; the sides `first` are preferred."""
        half = np.array([LETTER * len(word), LINE]) / 2
        sides = [np.array(side) * (half + CLEAR) for side in [*first, *BESIDE, *ABOVE, *CORNERS]]
        places = [(point + far * side, AWAY * far, point) for far in (1, 1.5, 2, 3) for point in points for side in sides]
        best, _, point = min(places, key=lambda place: self._crowd(place[0], half) + place[1] + self._swapped(place[2], place[0]))
        self.words.append((best, half))
        self.ways.append((point, best))
        return best + np.array([0, LINE / 3])

    def _swapped(self, point, place):  # the penalty of a label whose way from its point crosses that of another label
        return SWAPPED * sum(_cross(point, place, *way) for way in self.ways)

    def _crowd(self, place, half):  # the penalty of a position: points of lines and other labels inside it
        if np.any(place - half < 0) or np.any(place + half > self.frame):
            return np.inf
        crossed = np.all(np.abs(self.lines - place) < half + 3, axis=1).sum()
        return crossed + 1000 * sum(np.all(np.abs(other - place) < half + size + 3) for other, size in self.words)


def _cross(a, b, c, d):  # whether the line from a to b crosses that from c to d
    def side(p, q, r):
        return np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
