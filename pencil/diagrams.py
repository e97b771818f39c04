"""The map of a machine: steps one below another, and the wires that lead round them.

It is drawn as SVG in the colours of the page that it stands on, narrow enough for a phone, and the
same map follows in words, for whoever does not see it.
"""

from dataclasses import dataclass
from html import escape

WIDTH, PITCH, BOX = 400, 42, 30  # of the drawing; from step to step; the height of a box
LEFT, RIGHT, WIRE = 34, 344, 370  # the sides of a box, and where the wires run
TINTS = {  # a hue for each kind of move, which is also written in its box
    "look-up": "#9a6b00",
    "addition": "#2f8f5b",
    "LayerNorm": "#8a56c2",
    "matrix multiply": "#2f74c0",
    "division": "#c2618a",
    "softmax": "#c4632a",
    "ReLU": "#b33a3a",
}


@dataclass(frozen=True)
class Step:
    """One box: what is done, and by which kind of move; a step without a move is a row that goes in or comes out."""

    name: str
    move: str = ""


@dataclass(frozen=True)
class Map:
    """Steps in a line; `wires` (from, to, text) lead the row after one step round to another; `parts` (first, last, name) group them.

    Steps are counted from 0. Raises ValueError for an unknown move, and for a wire or part that is not on the map.
    """

    caption: str
    steps: tuple
    wires: tuple = ()
    parts: tuple = ()

    def __post_init__(self):
        for step in self.steps:
            if step.move and step.move not in TINTS:
                raise ValueError(f"{step.name!r} is done by {step.move!r}; the moves are {', '.join(TINTS)}")
        for start, end, name in (*self.wires, *self.parts):
            if not 0 <= start < end < len(self.steps):
                raise ValueError(f"{name!r} leads from step {start} to step {end}; there are steps 0 to {len(self.steps) - 1}")

    def in_words(self):
        """A line for each step: what is done, by which move, where a part begins and where a wire comes in."""
        return [self._line(i, step) for i, step in enumerate(self.steps)]

    def __repr__(self):
        return "\n".join([self.caption, *(f"  {line}" for line in self.in_words())])

    def _repr_html_(self):
        lines = "\n".join(f"<li>{escape(line)}</li>" for line in self.in_words())
        return (
            f'<figure class="pencil-map" style="margin: 0">\n'
            f'<figcaption style="margin: 0 0 0.6rem; text-align: left">{escape(self.caption)}</figcaption>\n{self._svg()}\n'
            f"<details><summary>The same map in words</summary>\n<ol>\n{lines}\n</ol></details>\n</figure>"
        )

    def _line(self, i, step):
        begins = "".join(f"{name}: " for start, _, name in self.parts if start == i)
        by = f" ({step.move})" if step.move else ""
        wired = "".join(f", with {text}" for _, end, text in self.wires if end == i)
        return f"{begins}{step.name}{by}{wired}"

    def _svg(self):
        height = PITCH * len(self.steps)
        drawn = [*map(self._part, self.parts), *(self._box(i, s) for i, s in enumerate(self.steps)), *map(self._wire, self.wires)]
        return (
            f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(self.caption)}" fill="none" stroke="currentColor" '
            f'font-family="system-ui, sans-serif" font-size="14" style="display: block; width: 100%; max-width: 27rem">\n'
            + "\n".join(drawn)
            + "\n</svg>"
        )

    def _box(self, i, step):
        top, middle = PITCH * i + (PITCH - BOX) // 2, PITCH * i + PITCH // 2
        tint = TINTS.get(step.move)
        frame = f'fill="{tint}" fill-opacity="0.15" stroke="{tint}"' if tint else 'stroke-opacity="0.35" stroke-dasharray="2 3"'
        move = f'<text x="{RIGHT - 9}" y="{middle + 4}" text-anchor="end" font-size="12" {_INK}>{step.move}</text>' if step.move else ""
        arrow = _arrow((LEFT + RIGHT) // 2, top - (PITCH - BOX), top) if i else ""
        return (
            f'{arrow}<rect x="{LEFT}" y="{top}" width="{RIGHT - LEFT}" height="{BOX}" rx="4" {frame}/>'
            f'<text x="{LEFT + 9}" y="{middle + 5}" {_INK}>{escape(step.name)}</text>{move}'
        )

    def _wire(self, wire):  # out of the gap below its first step, into the side of its last
        start, end, name = wire
        y1, y2 = PITCH * (start + 1), PITCH * end + PITCH // 2
        x = (LEFT + RIGHT) // 2
        return (
            f'<circle cx="{x}" cy="{y1}" r="2.5" fill="currentColor"/>'
            f'<path d="M{x} {y1}H{WIRE - 8}q8 0 8 8V{y2 - 8}q0 8 -8 8H{RIGHT + 2}" stroke-width="1.8"/>'
            f'<path d="M{RIGHT + 7} {y2 - 4}L{RIGHT + 1} {y2}L{RIGHT + 7} {y2 + 4}" stroke-width="1.8"/>' + _along(WIRE + 16, (y1 + y2) // 2, name)
        )

    def _part(self, part):  # a bracket on the left, its name written along it
        start, end, name = part
        y1, y2 = PITCH * start + 8, PITCH * (end + 1) - 8
        return f'<path d="M26 {y1}H20V{y2}H26" stroke-opacity="0.6"/>' + _along(13, (y1 + y2) // 2, name)


_INK = 'fill="currentColor" stroke="none"'


def _arrow(x, y1, y2):
    return f'<path d="M{x} {y1}V{y2 - 1}M{x - 4} {y2 - 5}L{x} {y2 - 1}L{x + 4} {y2 - 5}"/>'


def _along(x, y, text):  # upwards, along a wire or a bracket
    return f'<text transform="translate({x} {y}) rotate(-90)" text-anchor="middle" font-size="13" {_INK}>{escape(text)}</text>'


def block_map():
    """The block of chapter 10, norm first: from a word to the row that comes out."""
    multiply = "matrix multiply"
    steps = [("a word", ""), ("fetch its row", "look-up"), ("add its seat", "addition")]
    steps += [("tame", "LayerNorm"), ("ASK, OFFER, HANDOVER", multiply), ("scores", multiply), ("shrink", "division")]
    steps += [("shares", "softmax"), ("mix the HANDOVERs", multiply), ("output projection", multiply), ("add the old row", "addition")]
    steps += [("tame", "LayerNorm"), ("first grid", multiply), ("bend", "ReLU"), ("second grid", multiply), ("add the stream", "addition")]
    return Map(
        "The whole machine, from a word to the row that comes out. Two wires lead round the work.",
        tuple(Step(*s) for s in [*steps, ("the row out", "")]),
        wires=((2, 10, "the row as it was, untamed"), (10, 15, "the stream as it was, untamed")),
        parts=((3, 10, "attention"), (11, 15, "the small worker")),
    )
