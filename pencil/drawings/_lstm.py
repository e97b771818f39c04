"""One step of an LSTM: the cell state, the three gates, and the new hidden state."""

import re

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, RING, WIDTH, Canvas

MOST_SLOTS = 4  # numbers of a state that fit on a phone
WIDE, OUTER, FUNCTION = 62, 60, (36, 22)  # px: width of a box; of a box at the edge; size of a σ or tanh
GATES = {"forget_gate": 102, "input_gate": 168, "candidate": 234, "output_gate": 300}  # px: x of each column
SHORT = re.compile(r"[ \N{NO-BREAK SPACE}](gate|state)\Z")
LEFT, RIGHT = 33, 366  # px: x of the states of the previous step, and of the new ones
TOP, CELL_WIRE = 18, 3.5  # px: y of the cell states; thickness of the line between them


def lstm(worked, step, title, rows="x"):  # Worked of `lstm`, a step counted from 1, caption, the name of the words' rows -> Drawing
    """One step in the order of computation: preactivations, gates, candidate, cell state, hidden state.

    The run names its values as `pencil.reference.lstm` does. Raises ValueError for a step that the run does not have, and for states of
    more than four numbers.
    """
    words = worked.trace.find(rows).words[0]
    if not 1 <= step <= len(words):
        raise ValueError(f"there is no step {step}; the run has the steps 1 to {len(words)}")
    slots = len(worked.trace.find(f"step{step}.cell").exact)
    if slots > MOST_SLOTS:
        raise ValueError(f"the cell state has {slots} slots; {MOST_SLOTS} fit on a phone")
    picture = _Step(worked, step, title, slots)
    picture.inputs(f"{words[step - 1]}.{rows}", words[step - 1])
    picture.preactivations()
    picture.gates()
    picture.cell_state()
    picture.output()
    return picture.canvas.drawing(height=picture.floor)


class _Step:
    """The layout of the drawing; each public method draws one of its steps."""

    def __init__(self, worked, step, title, slots):
        self.canvas, self.step, self.here = Canvas(worked, title), step, f"step{step}"
        self.tall = tall = 22 + 15 * slots
        self.cell_y = TOP + tall / 2  # y of the line between the cell states
        self.crush = TOP + tall + 16  # y of the upper edges of the rows below
        self.crushed = self.crush + FUNCTION[1] + 14
        self.gate = self.crushed + tall
        self.function = self.gate + tall + 14
        self.sum = self.function + FUNCTION[1] + 14
        self.bus = self.sum + tall + 22
        self.word = self.bus + 22
        self.floor = self.word + tall + 6

    def named(self, name):
        return f"{self.here}.{name}"

    def called(self, name):
        return self.canvas.called(self.named(name)).rpartition(".")[2]  # without the step, which is in the title

    def short(self, name):
        """What fits into a box: a gate and a state without these words."""
        return SHORT.sub("", self.called(name))

    def before(self, name):  # the reference of the value in the previous step, or None
        reference = f"step{self.step - 1}.{name}"
        return reference if reference in self.canvas.worked.trace.names else None

    def inputs(self, row, word):
        canvas, cell, hidden = self.canvas, self.before("cell"), self.before("hidden")
        empty = f" The {self.called('hidden')} and the {self.called('cell')} are empty."
        canvas.step(f"{word} comes in: ", [row], "." if cell else f".{empty}", *self._old("hidden", hidden), *self._old("cell", cell))
        canvas.line(0, self.cell_y, LEFT - OUTER / 2, self.cell_y, AMBER, CELL_WIRE, head=False)
        canvas.line(0, self.bus, LEFT - OUTER / 2, self.bus, BLUE, head=False)
        self._box(LEFT, self.cell_y - self.tall / 2, cell, self.short("cell"), AMBER, "old")
        self._box(LEFT, self.bus - self.tall / 2, hidden, self.short("hidden"), BLUE, "old")
        self._box(GATES["input_gate"], self.word, row, word)

    def _old(self, name, reference):  # the words of a step
        return [f" The old {self.called(name)}: ", [reference], "."] if reference else []

    def preactivations(self):
        canvas, first, last = self.canvas, GATES["input_gate"], GATES["output_gate"]
        canvas.step(f"Four times over, what is read of the word and of the {self.called('hidden')} is added up.")
        canvas.line(LEFT + OUTER / 2, self.bus, last, self.bus, BLUE, 1.6, head=False)
        canvas.line(first, self.word, first, self.bus, QUIET, 1.6, head=False)
        for name, x in GATES.items():
            part = f"{name}.preactivation"
            canvas.line(x, self.bus, x, self.sum + self.tall + 3, BLUE)
            self._box(x, self.sum, self.named(part), self.called(part))

    def gates(self):
        gates = [name for name in GATES if name != "candidate"]
        said = [part for name in gates for part in (f"{', ' * (name != gates[0])}{self.called(name)} ", [self.named(name)])]
        self.canvas.step("Sigmoid (σ) makes three gates of three of the sums: ", *said, ".")
        for name in gates:
            self._through(GATES[name], "σ", name, QUIET)
        self.canvas.step(f"tanh makes the {self.called('candidate')} of the fourth: ", [self.named("candidate")], ".")
        self._through(GATES["candidate"], "tanh", "candidate", RED)

    def cell_state(self):
        canvas, y, called = self.canvas, self.cell_y, self.called
        forget, input_, candidate = (GATES[name] for name in ("forget_gate", "input_gate", "candidate"))
        canvas.step(f"The old {called('cell')} times the {called('forget_gate')}: what is not kept is gone.")
        canvas.line(LEFT + OUTER / 2, y, forget - RING - 2, y, AMBER, CELL_WIRE)
        canvas.line(forget, self.gate, forget, y + RING + 3)
        canvas.sign(forget, y, "×", AMBER)
        middle = (self.crush + self.gate) / 2
        canvas.step(
            f"The {called('candidate')} times the {called('input_gate')}, added to that, is the new {called('cell')}: ", [self.named("cell")], "."
        )
        canvas.wire([(input_, self.gate), (input_, middle), (candidate - RING - 3, middle)], QUIET, 1.2)
        canvas.line(candidate, self.gate, candidate, middle + RING + 3, RED)
        canvas.sign(candidate, middle, "×", RED)
        canvas.line(candidate, middle - RING, candidate, y + RING + 3, RED)
        canvas.line(forget + RING, y, candidate - RING - 2, y, AMBER, CELL_WIRE)
        canvas.sign(candidate, y, "+", AMBER)
        canvas.line(candidate + RING, y, RIGHT - OUTER / 2 - 2, y, AMBER, CELL_WIRE)
        self._box(RIGHT, y - self.tall / 2, self.named("cell"), self.short("cell"), AMBER, "new")
        canvas.line(RIGHT + OUTER / 2, y, WIDTH - 1, y, AMBER, CELL_WIRE, head=False)  # a head would cover the numbers

    def output(self):
        canvas, called, y = self.canvas, self.called, self.gate + self.tall / 2
        canvas.step(f"A copy of the {called('cell')} goes through tanh: ", [self.named("cell_tanh")], ".")
        canvas.line(RIGHT, TOP + self.tall, RIGHT, self.crush - 2, AMBER)
        self._function(RIGHT, self.crush, "tanh")
        canvas.line(RIGHT, self.crush + FUNCTION[1], RIGHT, self.crushed - 2, AMBER)
        self._box(RIGHT, self.crushed, self.named("cell_tanh"), "tanh")
        canvas.step(f"That, times the {called('output_gate')}, is the new {called('hidden')}: ", [self.named("hidden")], ".")
        canvas.line(RIGHT, self.crushed + self.tall, RIGHT, y - RING - 3, AMBER)
        canvas.line(GATES["output_gate"] + WIDE / 2, y, RIGHT - RING - 3, y)
        canvas.sign(RIGHT, y, "×", BLUE)
        below = y + RING + 20
        canvas.line(RIGHT, y + RING, RIGHT, below - 2, BLUE)
        self._box(RIGHT, below, self.named("hidden"), self.short("hidden"), BLUE, "new")
        canvas.line(RIGHT + OUTER / 2, below + self.tall / 2, WIDTH - 1, below + self.tall / 2, BLUE, head=False)

    def _through(self, x, function, name, colour):  # from a preactivation through σ or tanh
        self.canvas.line(x, self.sum, x, self.function + FUNCTION[1] + 2)
        self._function(x, self.function, function)
        self.canvas.line(x, self.function, x, self.gate + self.tall + 2, colour)
        self._box(x, self.gate, self.named(name), self.short(name), colour)

    def _function(self, x, y, name):
        self.canvas.box(x - FUNCTION[0] / 2, y, *FUNCTION, BLUE)
        self.canvas.text(x, y + 15, name)

    def _box(self, x, y, reference, name, colour=QUIET, age=""):
        width = OUTER if x in (LEFT, RIGHT) else WIDE
        self.canvas.box(x - width / 2, y, width, self.tall, colour)
        self.canvas.said(x, y + 15, [name], anchor="middle")
        if age:
            self.canvas.text(x - width / 2 - 2, y - 4, age, "start", quiet=True)
        if reference:
            self.canvas.column(x, y + 31, reference)
        else:
            self.canvas.text(x, y + 31, "empty")
