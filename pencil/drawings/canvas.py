"""Canvas and Drawing: SVG drawings of a run, whose numbers carry their references, with steps that a page can play.

Lengths are in pixels. A drawing is at most 400 wide, so that a phone shows it at full size.
"""

from dataclasses import replace
from html import escape
from xml.etree import ElementTree
from zlib import crc32

import numpy as np

from pencil.drawings.marks import arrow_head, element, numeral
from pencil.drawings.paint import Paint
from pencil.rounding import pixels, show
from pencil.worked.fragments import Number, html, join, plain

WIDTH = 400  # the column of a phone
SMALL = 13  # the smallest font size: eleven pixels on a phone, which scales the drawing down a little
RING = 9  # the radius of the ring around a sign
FIGURES = "font-family:var(--figures, monospace);white-space:pre"
ROOM = 7  # characters of a number, as in the page's drawn.js
FIGURE, LONG = 0.602, 6  # the width of a character in FIGURES, in em; the characters of a number such as −0.284
TIGHT = "letter-spacing:-.7px"
NARROW = f"font-family:Helvetica,Arial,sans-serif;{TIGHT}"  # in a slot: the digits of some systems' own font are as wide as the slot
CLEAR = "paint-order:stroke;stroke:var(--ground, none);stroke-width:4px"
QUIET, BLUE, RED, AMBER = "var(--quiet, #77808a)", "var(--ink, #3f7fc4)", "var(--wrong, #c4513f)", "var(--turn, #b07a1a)"


class Drawing:
    """A finished picture.

    - `title`: its caption
    - `size`: (width, height)
    - `marks`: ElementTree elements; those of a step are in a group with `data-step`
    - `steps`: the text of each step, as fragments
    """

    def __init__(self, title, size, marks, steps):
        self.title, self.size, self.marks, self.steps = title, size, marks, steps

    def __repr__(self):
        return "\n".join([self.title, *(f"  {k}. {plain(step)}" for k, step in enumerate(self.steps, 1))])

    def svg(self, role="group"):
        """The SVG element alone. Where no list of its steps stands below it, its role is img, which the title describes."""
        width, height = self.size
        attributes = {
            "viewBox": f"0 0 {width} {height}",
            "overflow": "hidden",
            "role": role,
            "aria-label": self.title,
            "font-family": "system-ui, sans-serif",
            "fill": "currentColor",
            "stroke-width": "1.2",
        }
        drawn = element("svg", *self.marks, style=f"display:block;width:100%;max-width:{width}px", **attributes)
        return ElementTree.tostring(drawn, encoding="unicode")

    def _repr_html_(self):
        steps = "\n".join(f"<li>{html(step)}</li>" for step in self.steps)
        return (
            f'<figure class="pencil-drawing" style="margin: 0">\n<figcaption>{escape(self.title)}</figcaption>\n'
            f"{self.svg()}\n<ol>\n{steps}\n</ol>\n</figure>"
        )


class Canvas:
    """Collects the marks of a drawing of a run (`worked`; None for a drawing without values).

    What is drawn after a call of `step` belongs to that step.
    """

    def __init__(self, worked, title):
        self.worked, self.title = worked, title
        self._steps, self._groups = [], [[]]  # marks before the first step are always shown
        self._heads = {}  # (colour, whether it grows with the line): id of the arrow head

    def step(self, *words):
        """Begin the next step. `words` are strings, and lists with a reference: ("The score is ", ["nolan.scores"], ".")."""
        fragments = []
        for word in words:
            fragments += [word] if isinstance(word, str) else self.worked.literal(word[0])
        self._steps.append(fragments)
        self._groups.append([])

    def drawing(self, height, width=WIDTH):
        """The finished drawing."""
        still, *moving = self._groups
        marks = [*still, *(element("g", *marks, data_step=k) for k, marks in enumerate(moving, 1))]
        return Drawing(self.title, (width, height), marks, self._steps)

    def value(self, reference):
        """The exact value, an array."""
        return np.asarray(self.worked.trace.find(reference).exact, float)

    def label(self, reference):
        """The page's label of a value, with the word of its row: nolan.WANT."""
        return self.worked.label_of(self.worked.trace.find(reference)).replace("\xa0", " ")

    def called(self, name):
        """The page's label of a name: WANT."""
        return self.worked.label(name).replace("\xa0", " ")

    def text(self, x, y, words, anchor="middle", size=SMALL, quiet=False, bold=False, colour="", clear=False):
        """A text; with `clear` it has an outline in the background colour, to be readable over lines. x or y may be a Paint."""
        look = ({"font_weight": 600} if bold else {}) | ({"style": CLEAR} if clear else {}) | _filled(colour)
        look |= {"fill_opacity": 0.75} if quiet else {}
        self._add("text", words, **self._painted(x=x, y=y), text_anchor=anchor, font_size=size, **look)

    def number(self, x, y, reference, anchor="middle", size=SMALL, colour=""):
        """A single number. x or y may be a Paint."""
        (number,) = self.worked.numbers(reference)
        self._add("text", self._numeral(number), **self._painted(x=x, y=y), text_anchor=anchor, font_size=size, **_filled(colour))

    def said(self, x, y, words, anchor="start", size=SMALL, colour=""):
        """Words as in `step`, with narrow letter spacing."""
        parts = [[word] if isinstance(word, str) else self.worked.literal(word[0]) for word in words]
        written = [self._numeral(part) if isinstance(part, Number) else part for line in parts for part in line]
        self._add("text", *written, x=x, y=y, text_anchor=anchor, font_size=size, style=TIGHT, **_filled(colour))

    def slots(self, x, y, reference, pitch, height, size=SMALL, colour=QUIET):
        """A row of numbers in a box, each in a slot of width `pitch`; x and y are the upper left corner."""
        numbers, base = self.worked.numbers(reference), y + height / 2 + 0.36 * size
        self.box(x, y, pitch * len(numbers), height, colour)
        between = "".join(f"M{pixels(x + pitch * k)} {pixels(y)}v{pixels(height)}" for k in range(1, len(numbers)))
        if between:
            self._add("path", d=between, stroke=colour, stroke_opacity=0.35)
        all_at, each_at = ({"class": "roomy"}, {"y": base}) if _is_roomy(height, size) else ({"y": base}, {})
        written = [self._numeral(number, x=x + pitch * (k + 0.5), **each_at) for k, number in enumerate(numbers)]
        self._add("text", *written, text_anchor="middle", font_size=size, style=NARROW, **all_at)

    def row(self, x, y, reference, size=SMALL, colour="", times=""):
        """A row of numbers in brackets, centred at x; `times` is the reference of a factor in front of it."""
        written = join(map(self.worked.literal, filter(None, [times, reference])), " · ")
        parts = [self._numeral(part) if isinstance(part, Number) else part for part in written]
        self._add("text", *parts, x=x, y=y, text_anchor="middle", font_size=size, style=FIGURES, **_filled(colour))

    def typed(self, x, y, text, new="", size=SMALL, colour=AMBER):
        """Monospaced text from x on, followed by `new` in a colour."""
        self._add("text", text, element("tspan", new, font_weight=700, fill=colour), x=x, y=y, font_size=size, style=FIGURES)

    def column(self, x, y, reference, pitch=SMALL + 2, size=SMALL):
        """A row of numbers as a column, centred at x, the first number at y; there is room for numbers of six characters."""
        numbers = self.worked.numbers(reference)
        edge = x + max(max(len(number.text) for number in numbers), LONG - 1) * FIGURE * size / 2
        numbers = [self._numeral(number, x=edge, y=y + pitch * k) for k, number in enumerate(numbers)]
        roomy = {"class": "roomy"} if _is_roomy(pitch, size) else {}
        self._add("text", *numbers, text_anchor="end", font_size=size, style=FIGURES, **roomy)

    def cells(self, x, y, reference, width=36, height=26, size=14, colour=QUIET, stood=False):
        """A row or matrix of numbers, each in a cell; x and y are the upper left corner. With `stood` a row is drawn as a column.

        Inputs get the class "given": on a page they can be dragged.
        """
        value = self.worked.trace.find(reference)
        columns, given = 1 if stood else np.shape(value.exact)[-1], {"class": "given"} if value.array.op == "given" else {}
        for k, number in enumerate(self.worked.numbers(reference)):
            left, top = x + k % columns * width, y + k // columns * height
            frame = {"rx": 3, "fill": colour, "fill_opacity": 0.08, "stroke": colour, "stroke_width": 1}
            written = {"x": left + width / 2, "y": top + height / 2 + 0.36 * size, "text_anchor": "middle", "font_size": size}
            box = element("rect", x=left + 1, y=top + 1, width=width - 2, height=height - 2, **frame)
            self.group(box, element("text", self._numeral(number), **written), **given)

    def box(self, x, y, width, height, colour=QUIET, opacity=0.08, border=True):
        """A rounded box; x and y are the upper left corner. The opacity may be a Paint."""
        line = {"stroke": colour} if border else {}
        self._add("rect", x=x, y=y, width=width, height=height, rx=5, fill=colour, **self._painted(fill_opacity=opacity), **line)

    def ground(self, x, y, width, height, title, size=SMALL):
        """A tinted background with a title at its upper edge, visible at every step."""
        ground = element("rect", x=x, y=y, width=width, height=height, rx=8, fill=QUIET, fill_opacity=0.08)
        said = element("text", title, x=x + width / 2, y=y + size + 1, text_anchor="middle", font_size=size, font_style="italic")
        self._groups[0] += [ground, said]

    def labelled_row(self, x, y, width, reference, colour=QUIET):
        """A box with a row of numbers and its label, centred at x."""
        self.box(x - width / 2, y, width, 42, colour)
        self.text(x, y + 17, self.label(reference), quiet=True)
        self.row(x, y + 34, reference)

    def line(self, x1, y1, x2, y2, colour=QUIET, thickness=1.2, head=True, dashed=False):
        """A line, by default with an arrow head. Coordinates and the thickness may be Paints.

        If the thickness is a Paint, a second head grows with it beyond the end of the line; the fixed one marks the end of a thin line.
        """
        grows = isinstance(thickness, Paint)
        follows = grows or any(isinstance(end, Paint) for end in (x1, y1, x2, y2))
        carried = {"marker_end": f"url(#{self._head_of(colour, grows)})"} if head and follows else {}
        carried |= {"stroke_dasharray": "5 3"} if dashed else {}
        self._add("line", **self._painted(x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=thickness), **carried)
        if head and (grows or not follows):
            self._add("path", d=arrow_head(x1, y1, x2, y2), fill=colour)

    def wire(self, points, colour=QUIET, thickness=1.6):
        """A line through points, with an arrow head at its end."""
        *_, before, end = points
        way = "M" + "L".join(f"{pixels(x)} {pixels(y)}" for x, y in points)
        self._add("path", d=way, fill="none", stroke=colour, stroke_width=thickness, stroke_linejoin="round")
        self._add("path", d=arrow_head(*before, *end), fill=colour)

    def curve(self, points, colour=QUIET, thickness=1.6, head=False, opacity=1.0):
        """A line through points; the last three are the control points and the end of a cubic Bézier curve. The thickness may be a Paint."""
        *straight, control1, control2, end = [f"{pixels(x)} {pixels(y)}" for x, y in points]
        look = {"fill": "none", "stroke": colour, "stroke_opacity": opacity}
        self._add("path", d=f"M{'L'.join(straight)}C{control1} {control2} {end}", **look, **self._painted(stroke_width=thickness))
        if head:
            self._add("path", d=arrow_head(*points[-2], *points[-1]), fill=colour)

    def bar(self, x, y, width, height, reference, colour=BLUE, opacity=0.75):
        """A number from 0 to 1 as the filled part of a bar. With a negative width it is filled from x to the left."""
        filled = self._painted(width=Paint("width", reference, 0, abs(width)))
        if width < 0:
            filled["transform"] = f"rotate(180 {pixels(x)} {pixels(y + height / 2)})"
        self._add("rect", x=min(x, x + width), y=y, width=abs(width), height=height, rx=2, fill=colour, fill_opacity=0.12)
        self._add("rect", x=x, y=y, height=height, rx=2, fill=colour, fill_opacity=opacity, **filled)

    def ring(self, x, y, across, up, colour=QUIET, filled=False):
        """An ellipse with its centre at x and y and the radii `across` and `up`; each may be a Paint."""
        look = {"fill": colour} if filled else {"fill": "none", "stroke": colour, "stroke_width": 0.8}
        self._add("ellipse", **self._painted(cx=x, cy=y, rx=across, ry=up), **look)

    def outline(self, corners, colour=QUIET):
        """A closed, lightly filled line through corners, such as the rim of a wheel."""
        way = "M" + "L".join(f"{pixels(x)} {pixels(y)}" for x, y in corners) + "z"
        self._add("path", d=way, fill=colour, fill_opacity=0.08, stroke=colour, stroke_width=1)

    def arc(self, x, y, radius, reference, colour=QUIET, thickness=2.2, clockwise=False):
        """An angle in radians as an arc round x and y: from the right, counterclockwise unless `clockwise`, one full turn at most."""
        around = 2 * np.pi * radius
        seen = self._painted(stroke_dashoffset=Paint("stroke-dashoffset", reference, around, -radius, 0, 2 * np.pi))
        look = {"fill": "none", "stroke": colour, "stroke_width": thickness, "stroke_dasharray": f"{pixels(around)} {pixels(around)}"}
        mirrored = {} if clockwise else {"transform": f"matrix(1 0 0 -1 0 {pixels(2 * y)})"}
        self._add("circle", cx=x, cy=y, r=radius, **mirrored, **look, **seen)

    def pixel(self, x, y, side, reference, edge=QUIET):
        """A number from 0 to 1 in a square whose opacity follows it; x and y are the upper left corner."""
        full = self._painted(fill_opacity=Paint("fill-opacity", reference, 0, 0.45))
        self._add("rect", x=x, y=y, width=side, height=side, fill=BLUE, **full)
        self._add("rect", x=x, y=y, width=side, height=side, fill="none", stroke=edge, stroke_width=1.2)
        self.number(x + side / 2, y + side / 2 + 4, reference)

    def stretch(self, start, length, y, height, colour=BLUE, opacity=0.3):
        """A horizontal bar; start and length may be Paints."""
        self._add("rect", **self._painted(x=start, width=length), y=y, height=height, fill=colour, fill_opacity=opacity, stroke=colour)

    def tiles(self, places, side, colour=QUIET, opacity=0.75):
        """Squares of one colour with these upper left corners."""
        if places:
            way = "".join(f"M{pixels(x)} {pixels(y)}h{pixels(side)}v{pixels(side)}h-{pixels(side)}z" for x, y in places)
            self._add("path", d=way, fill=colour, fill_opacity=opacity)

    def sign(self, x, y, sign, colour=QUIET, ring=RING, size=15):
        """A sign such as × or + in a ring, where two lines join."""
        self._add("circle", cx=x, cy=y, r=ring, fill=colour, fill_opacity=0.08, stroke=colour, stroke_width=1.2)
        self.text(x, y + size / 3, sign, size=size)

    def _numeral(self, number, **place):  # a long input is rounded
        if len(number.text) > ROOM and "." in number.text:
            number = replace(number, text=show(self.value(number.reference.removeprefix(f"{self.worked.run}."))))
        return numeral(number, **place)

    def group(self, *marks, **look):
        """Marks of `element` in one group, with the attributes that they share."""
        self._add("g", *marks, **look)

    def _painted(self, **attributes):  # replace Paints by their values, and list them in data_paint for the page's script
        paints = [paint for paint in attributes.values() if isinstance(paint, Paint)]
        written = {name: self._comes_to(x) if isinstance(x, Paint) else x for name, x in attributes.items()}
        run = self.worked.run if paints else ""  # a drawing without a run has no Paints
        return written | ({"data_paint": ";".join(str(paint.of(run)) for paint in paints)} if paints else {})

    def _comes_to(self, paint):
        return paint.at(*(float(self.value(one.reference)) for one in (paint, paint.mate) if one))

    def _head_of(self, colour, grows):  # -> the id of an arrow head, drawn once for each colour and kind
        if (colour, grows) not in self._heads:
            called = self._heads[colour, grows] = f"head-{crc32(self.title.encode()):x}-{len(self._heads)}"
            size = {"markerWidth": 9, "markerHeight": 8, "refX": 7.5, "refY": 4, "markerUnits": "userSpaceOnUse"}
            if grows:  # in units of the line's thickness
                size = {"markerWidth": 1.6, "markerHeight": 2.1, "refX": 0.2, "refY": 4, "viewBox": "0 0 9 8", "preserveAspectRatio": "none"}
            path = element("path", d="M0 0L9 4L0 8Z", fill=colour)
            self._groups[0].append(element("marker", path, id=called, orient="auto", **size))
        return self._heads[colour, grows]

    def _add(self, tag, *inside, **attributes):
        self._groups[-1].append(element(tag, *inside, **attributes))


def _filled(colour):  # "" inherits the colour of the drawing
    return {"fill": colour} if colour else {}


def _is_roomy(height, size):  # whether two lines fit: the page writes the original number below a changed one
    return height >= 2 * size
