"""The diagram of a model: a vertical flow chart with skip connections, as SVG in the colours of the page, and the same in words."""

from dataclasses import dataclass
from html import escape

WIDTH, PITCH, BOX = 400, 46, 30  # px: of the drawing; from step to step; height of a box
LEFT, RIGHT, SKIP, APART = 30, 350, 372, 60  # px: the sides of a box; x of the skip connections; from lane to lane
TINTS = {  # a hue for each kind of move; its box also names it
    "look-up": "#9a6b00",
    "addition": "#2f8f5b",
    "layer norm": "#8a56c2",
    "matrix multiply": "#2f74c0",
    "division": "#c2618a",
    "softmax": "#c4632a",
    "ReLU": "#b33a3a",
}


@dataclass(frozen=True)
class Step:
    """One box: what is done, and by which kind of move; without a move it is an input or an output."""

    name: str
    move: str = ""


@dataclass(frozen=True)
class Diagram:
    """A flow chart of steps, which are counted from 0.

    - `caption`: the caption
    - `steps`: Steps, from top to bottom
    - `skip_connections`: (from, to, text): from the output of one step to another
    - `parts`: (first, last, name): a bracket round steps
    - `meets`: steps in which the rows of different tokens meet
    - `lanes`: how many rows are drawn side by side
    - `last_alone`: the step from which on only the row of the last token goes on; None if all of them do

    Raises ValueError for an unknown move, and for a skip connection or part outside the diagram.
    """

    caption: str
    steps: tuple
    skip_connections: tuple = ()
    parts: tuple = ()
    meets: tuple = ()
    lanes: int = 1
    last_alone: int | None = None

    def __post_init__(self):
        for step in self.steps:
            if step.move and step.move not in TINTS:
                raise ValueError(f"{step.name!r} is done by {step.move!r}; the moves are {', '.join(TINTS)}")
        for start, end, name in (*self.skip_connections, *self.parts):
            if not 0 <= start < end < len(self.steps):
                raise ValueError(f"{name!r} leads from step {start} to step {end}; there are steps 0 to {len(self.steps) - 1}")

    def in_words(self):
        """A line of text for each step."""
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
        skipped = "".join(f", with {text}" for _, end, text in self.skip_connections if end == i)
        return f"{begins}{step.name}{by}{skipped}{', where rows meet' * (i in self.meets)}"

    def _svg(self):
        height = PITCH * len(self.steps)
        drawn = [
            *map(self._part, self.parts),
            *(self._box(i, s) for i, s in enumerate(self.steps)),
            *map(self._skip_connection, self.skip_connections),
        ]
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
        move = f'<text x="{RIGHT - 9}" y="{middle + 4}" text-anchor="end" font-size="13" {_INK}>{step.move}</text>' if step.move else ""
        arrow = self._arrows(i, top - (PITCH - BOX), top) if i else ""
        return (
            f'{arrow}<rect x="{LEFT}" y="{top}" width="{RIGHT - LEFT}" height="{BOX}" rx="4" {frame}/>'
            f'<text x="{LEFT + 9}" y="{middle + 5}" {_INK}>{escape(step.name)}</text>{move}'
        )

    def _rails(self):  # x of the arrow of each lane
        return [(LEFT + RIGHT) // 2 + APART * k - APART * (self.lanes - 1) // 2 for k in range(self.lanes)]

    def _arrows(self, i, y1, y2):  # into a step
        rails = self._rails()
        if self.last_alone is not None and i >= self.last_alone:
            rails = rails[-1:]
        crossing = [(x1, x2) for x1 in rails for x2 in rails if x1 != x2] if i in self.meets else []
        return "".join(_arrow(x, y1, y2) for x in rails) + "".join(f'<path d="M{x1} {y1}L{x2} {y2}" stroke-width="1.8"/>' for x1, x2 in crossing)

    def _skip_connection(self, connection):  # from below its first step into the side of its last
        start, end, name = connection
        y1, y2 = PITCH * (start + 1), PITCH * end + PITCH // 2
        rails = self._rails()
        dots = "".join(f'<circle cx="{x}" cy="{y1}" r="2.5" fill="currentColor"/>' for x in rails)
        return dots + (
            f'<path d="M{rails[0]} {y1}H{SKIP - 8}q8 0 8 8V{y2 - 8}q0 8 -8 8H{RIGHT + 2}" stroke-width="1.8"/>'
            f'<path d="M{RIGHT + 7} {y2 - 4}L{RIGHT + 1} {y2}L{RIGHT + 7} {y2 + 4}" stroke-width="1.8"/>' + _along(SKIP + 16, (y1 + y2) // 2, name)
        )

    def _part(self, part):  # a bracket on the left, with its name
        start, end, name = part
        y1, y2 = PITCH * start + 8, PITCH * (end + 1) - 8
        return f'<path d="M26 {y1}H20V{y2}H26" stroke-opacity="0.6"/>' + _along(13, (y1 + y2) // 2, name)


_INK = 'fill="currentColor" stroke="none"'


def _arrow(x, y1, y2):
    return f'<path d="M{x} {y1}V{y2 - 1}M{x - 4} {y2 - 5}L{x} {y2 - 1}L{x + 4} {y2 - 5}"/>'


def _along(x, y, text):  # vertical text beside a skip connection or a bracket
    return f'<text transform="translate({x} {y}) rotate(-90)" text-anchor="middle" font-size="13" {_INK}>{escape(text)}</text>'
