"""A transformer block with a lane for each word; and its inputs and parameters."""

from contextlib import contextmanager

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, Canvas
from pencil.drawings.paint import Paint
from pencil.trace.array import ancestors

WIDE, SIZE = 380, 12.3  # width of the drawing; font size, which is eleven pixels on a phone
EDGES, STARTS = (2, 378), (8, 192)  # x of the residual connections; x of the lanes
SLOTS, PITCH, ROW, APART = 4, 45, 30, 50  # slots of a row; px between slots; height of a row; px between rows
LANE = SLOTS * PITCH
COLUMN, STAND = 54, 27  # px: the width of a row drawn as a column; between its numbers
ALONE = "head1."  # the scope of a single head
THICKEST, PORT, FAN, CROSSING = 10, 8, 30, 64  # px: attention lines: maximum thickness; offset of their ends from a row's centre; heights
TITLE, RING = 19, 6  # px: height of a part's title; radius of a + sign
GRID, PANEL = 22, 192  # px: a cell of a matrix; the width of the drawing of inputs and parameters


def block(worked, title):  # Worked of a block with one head -> Drawing
    """Every row of a block for two words, with the residual connections.

    Rows are two lines high, because a page writes the original number below a changed one.
    The run names its values as `pencil.reference.block` does. Raises ValueError unless there are two words with rows of four numbers.
    """
    x = worked.trace.find("x")
    if x.exact.shape != (len(STARTS), SLOTS):
        raise ValueError(f"the rows are {x.exact.shape}; {len(STARTS)} lanes of {SLOTS} slots fit on a phone")
    lanes, norm_last = Lanes(Canvas(worked, title), x.words[0]), "mlp_residual" in worked.trace.names
    _begin(lanes)
    with lanes.part("attention: here words meet"):
        if not norm_last:
            lanes.normalized("norm1.normalized")
        split(lanes, f"params.attention.{ALONE}query")
        score(lanes)
        mix(lanes)
        _projected(lanes)
    _joined(lanes, "residual", "x", lanes.called("x"))
    if norm_last:
        lanes.normalized("norm1.normalized", "residual")
    with lanes.part("feed-forward: each word alone"):
        if not norm_last:
            lanes.normalized("norm2.normalized", "residual")
        _network(lanes)
    added = "norm1.normalized" if norm_last else "residual"
    _joined(lanes, "mlp_residual" if norm_last else "out", added, lanes.called(added))
    if norm_last:
        lanes.normalized("norm2.normalized", "mlp_residual")
    return lanes.canvas.drawing(height=lanes.y + 6, width=WIDE)


class Lanes:
    """The lanes of the words, drawn from top to bottom."""

    def __init__(self, canvas, words):
        self.canvas, self.words, self.y, self.tops = canvas, list(zip(words, STARTS, EDGES, strict=True)), 0, {}
        self.foot_of_values = 0  # y at which the lines of the values continue

    def called(self, name):
        """The page's label of a value, without its scope."""
        return self.canvas.called(name).rpartition(".")[2]

    @contextmanager
    def part(self, title):
        """A context manager that draws a common background behind the rows drawn inside it."""
        top = self.y + 3
        self.y += TITLE
        yield
        self.canvas.ground(EDGES[0] + 2, top, EDGES[1] - EDGES[0] - 4, self.y + 4 - top, title, size=SIZE)
        self.y += 3

    def row(self, name, said=(), colour=QUIET, added="", brings=""):
        """Draw the next row of each lane, with its label between the lanes.

        - `name`: of the value
        - `said`: the words of the step, as in `Canvas.step`
        - `added`: the name of an earlier row that a residual connection adds; "" for none
        - `brings`: the label of the residual connection
        """
        canvas, top = self.canvas, self.y + APART - ROW
        self.tops[name] = top
        canvas.text(WIDE / 2, top - 6, self.called(name.replace("norm2", "norm1")), size=SIZE, bold=True)
        for word, start, edge in self.words:
            side = -1 if edge < start else 1  # residual connections are on the outer side of a lane
            outside = start + LANE * (side > 0)
            way, middle = outside - 8 * side, self.y + (APART - ROW) / 2
            if added:
                leaves = self.tops[added] + ROW / 2 + 4
                canvas.wire([(outside, leaves), (edge, leaves), (edge, middle), (way + side * (RING + 1), middle)], BLUE)
                canvas.sign(way, middle, "+", BLUE, ring=RING, size=SIZE)
            elif name != "x":
                canvas.line(way, self.y + 2, way, top - 2)
            words = [part if isinstance(part, str) else [f"{word}.{part[0]}"] for part in said]
            inside = "start" if side < 0 else "end"
            canvas.said(way - (16 if added else 10) * side, top - 6, [brings] if added else words, inside, SIZE, BLUE if added else "")
            self.box(start, top, f"{word}.{name}", colour)
        self.y = top + ROW

    def normalized(self, name, source=""):
        """Draw a norm of the previous rows, or of the rows `source`."""
        norm = name.partition(".")[0]
        of = f" of the {self.called(source)}" if source else ""
        self.canvas.step(f"Each row{of} is normalized by itself: its mean is subtracted, and it is divided by its standard deviation.")
        self.row(name, ["− (", [f"{norm}.mean"], ") ÷ ", [f"{norm}.std"]])

    def box(self, x, y, reference, colour):
        """Draw a row of numbers in slots."""
        self.canvas.slots(x, y, reference, PITCH, ROW, SIZE, colour)


def _begin(lanes):  # the input rows
    canvas = lanes.canvas
    rows, width = canvas.value("x").shape
    canvas.step(f"Each word has a lane. Its row comes in: {rows} rows of {width} numbers.")
    for word, start, _ in lanes.words:
        canvas.text(start + LANE / 2, 15, word, size=15, bold=True)
    lanes.y = 18
    summed = [f"{lanes.called('embedding')} + {lanes.called('positions')}"] if "positions" in canvas.worked.trace.names else []
    lanes.row("x", summed)


def split(lanes, weight):  # Lanes, the name of the query weight
    """Draw query, key and value of each row."""
    canvas, called = lanes.canvas, lanes.called
    rows, columns = canvas.value(weight).shape
    canvas.step(
        f"Three weight matrices, {rows} by {columns}, turn each row into its {called('query')}, its {called('key')} and its {called('value')}."
    )
    top = lanes.y + FAN + 14
    # a label may be wider than its column: the outer ones begin and end with theirs
    parts = (("query", BLUE, "start", 0.02), ("key", AMBER, "middle", 0.41), ("value", RED, "end", 0.98))  # label: anchor and position
    for word, start, _ in lanes.words:
        for k, (name, colour, anchor, place) in enumerate(parts):
            x = start + LANE * (k + 0.5) / 3
            canvas.line(start + LANE / 2 + 8 * (k - 1), lanes.y + 2, x, top - 15, colour)
            canvas.text(start + LANE * place, top - 3, called(name), anchor, size=SIZE, bold=True, clear=True)
            canvas.box(x - COLUMN / 2, top, COLUMN, STAND * SLOTS + 2, colour)
            canvas.column(x, top + 18, f"{word}.{name}", STAND, SIZE)
    lanes.y = top + STAND * SLOTS + 2


def score(lanes):  # Lanes
    """Draw the scores of every query with every key."""
    canvas, called = lanes.canvas, lanes.called
    many, width = canvas.value("key").shape
    canvas.step(f"Here words meet: each {called('query')} is dotted with every {called('key')}. That makes {many} by {many} {called('scores')}s.")
    top = lanes.y + FAN + 12
    middles = [start + LANE / 2 for _, start, _ in lanes.words]
    for word, start, _ in lanes.words:
        places = [start + COLUMN * (k + 0.5) for k in range(len(lanes.words))]
        for (other, *_), middle, x in zip(lanes.words, middles, places, strict=True):
            canvas.line(middle, lanes.y + 1, x + 3, top - 13, AMBER, thickness=1, head=False)
            canvas.line(start + LANE / 6, lanes.y + 1, x - 3, top - 13, BLUE, thickness=1, head=False)
            canvas.text(x, top - 3, other, size=SIZE, quiet=True, clear=True)
            canvas.slots(x - COLUMN / 2, top, f"{word}.scores[{other}]", COLUMN, ROW, SIZE, BLUE)
        canvas.text(start + LANE - 18, top + 19.5, called("scores"), "end", size=SIZE, bold=True)
    canvas.step(
        f"Divide each {called('scores')} by the root of {width}. Softmax makes {called('weights')}s of them, and those of a word add up to one."
    )
    for word, start, _ in lanes.words:
        for k, (other, *_) in enumerate(lanes.words):
            share, x = f"{word}.weights[{other}]", start + COLUMN * k
            canvas.bar(x, top + ROW + 4, COLUMN, ROW, share, RED, opacity=0.3)
            canvas.slots(x, top + ROW + 4, share, COLUMN, ROW, SIZE, RED)
        canvas.text(start + LANE - 18, top + ROW + 23.5, called("weights"), "end", size=SIZE, bold=True)
    lanes.y, lanes.foot_of_values = top + 2 * ROW + 4, lanes.y


def mix(lanes):  # Lanes
    """Draw the weighted sums of the values."""
    canvas, called = lanes.canvas, lanes.called
    canvas.step(
        f"Here they meet again: each word mixes the {called('value')}s by its {called('weights')}s. The thicker the line, the larger the share."
    )
    top, down = lanes.y + CROSSING, lanes.y + 4
    for word, start, edge in lanes.words:
        for k, (other, begin, _) in enumerate(lanes.words):
            trunk, end = begin + LANE * 5 / 6 + COLUMN / 2 - 5, start + LANE / 2 + PORT * (2 * k - 1)
            thickness = Paint("stroke-width", f"{word}.weights[{other}]", 0.6, THICKEST)
            pulls = [(trunk, top - 6), (end, down + 6), (end, top - 1)]
            canvas.curve([(trunk, lanes.foot_of_values + 1), (trunk, down), *pulls], RED, thickness, opacity=0.8)
        outside, anchor = (start + 2, "start") if edge < start else (start + LANE - 2, "end")  # where no line runs
        canvas.text(outside, top - 6, called("context"), anchor, size=SIZE, bold=True)
        lanes.box(start, top, f"{word}.context", RED)
    lanes.y = top + ROW


def _projected(lanes):  # from here on each word goes by itself
    canvas, called = lanes.canvas, lanes.called
    weight = called("params.attention.output")
    canvas.step(f"The output projection, {weight}, makes the {called('attn_out')} of it. From here on each word goes alone again.")
    lanes.row("attn_out", [weight])


def _network(lanes):  # three rows
    lanes.canvas.step("The feed-forward layer: a weight matrix, then ReLU, which lets nothing below zero through, and a second weight matrix.")
    lanes.row("hidden", [lanes.called("params.feed_forward.up")], AMBER)
    lanes.row("activated", ["ReLU"], AMBER)
    lanes.row("mlp_out", [lanes.called("params.feed_forward.down")], AMBER)


def _joined(lanes, name, added, brings):  # the sum of a sublayer's output and of its residual
    first = added == "x"
    said = "A residual connection adds the row that came in: the" if first else "A second residual connection adds to it once more:"
    lanes.canvas.step(f"{said} {lanes.called(name)}{'' if first else ', as wide as the row that came in'}.")
    lanes.row(name, added=added, brings=brings)


def givens(worked, title, target="out"):  # Worked, caption, the name of a value -> Drawing
    """All inputs that a value depends on, as matrices whose numbers can be dragged."""
    canvas, y = Canvas(worked, title), 0
    canvas.step("These numbers are given. All others follow from them.")
    matrices = [array.name for array in ancestors([worked.trace.names[target]]) if array.op == "given"]
    for k in range(0, len(matrices), 2):
        for name, x in zip(matrices[k : k + 2], (2, PANEL - 2 - SLOTS * GRID), strict=False):
            canvas.text(x, y + 13, canvas.called(name).rpartition(".")[2], "start", size=11)
            canvas.cells(x, y + 18, name, GRID, GRID, SIZE, BLUE)
        y += 18 + GRID * max(canvas.value(name).shape[0] for name in matrices[k : k + 2]) + 10
    return canvas.drawing(height=y - 8, width=PANEL)


def result(worked, title, target="out"):  # Worked, caption, the name of a value -> Drawing
    """The output rows, one in the lane of each word."""
    canvas = Canvas(worked, title)
    words = worked.trace.find(target).words[0]
    canvas.step("What comes out of the block", *(part for word in words for part in (f"; {word}: ", [f"{word}.{target}"])), ".")
    for word, start in zip(words, STARTS, strict=True):
        canvas.text(start + LANE / 2, 13, f"{word}.{canvas.called(target)}", size=SIZE, bold=True)
        canvas.slots(start, 19, f"{word}.{target}", PITCH, ROW, SIZE)
    return canvas.drawing(height=21 + ROW, width=WIDE)
