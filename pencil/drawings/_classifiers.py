"""Four text classifiers in one style: a simple RNN, an LSTM, a bidirectional LSTM and a transformer."""

from itertools import pairwise

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, Canvas

MOST = 3  # words that fit in half the width of a phone
PANEL, TALL, GAP = 196, 178, 10  # px: width and height of a panel; space below it
PITCH, FIRST = 47, 27  # px: between words; x of the first
WIDE, HIGH = 36, 24  # px: size of a box
WORDS, LOW, UPPER = 168, 112, 62  # px: y of the words, and of two rows of boxes
HEAD = 172  # px: x of the output


def classifiers(title, words=("not", "so", "good")):  # caption, words of a text -> Drawing
    """Four panels, two by two. Raises ValueError for more than three words."""
    if not 0 < len(words) <= MOST:
        raise ValueError(f"{len(words)} words in {list(words)}: 1 to {MOST} fit beside each other in half a phone")
    canvas = Canvas(None, title)
    canvas.step("SimpleRNN: one word after another changes the hidden state, and the last hidden state answers.")
    _recurrent(_panel(canvas, 0, "SimpleRNN", words), LOW)
    canvas.step("LSTM: above the hidden state runs a cell state, in which something can be kept unchanged.")
    panel = _panel(canvas, 1, "LSTM", words)
    _recurrent(panel, LOW)
    panel.cell_state()
    canvas.step("BiLSTM: a second LSTM reads from the end to the beginning, and the two answer together.")
    panel = _panel(canvas, 2, "BiLSTM", words)
    _recurrent(panel, LOW)
    panel.back()
    canvas.step("Transformer: each word looks at every word at once, and the average of their contexts answers.")
    _panel(canvas, 3, "Transformer", words).look()
    return canvas.drawing(2 * (TALL + GAP))


def _panel(canvas, k, name, words):
    return _Panel(canvas, k % 2 * (PANEL + 8), k // 2 * (TALL + GAP), name, words)


def _recurrent(panel, y):
    panel.row(y)
    panel.rise(WORDS - 14, y + HIGH / 2)
    for here, there in pairwise(panel.places):
        panel.line(here + WIDE / 2, y, there - WIDE / 2 - 2, y, BLUE)
    panel.head(y)
    panel.line(panel.places[-1] + WIDE / 2, y, HEAD - 25, y, BLUE)


class _Panel:
    """One classifier: words at the bottom, states above them, the output on the right."""

    def __init__(self, canvas, left, top, name, words):
        self.canvas, self.left, self.top = canvas, left, top
        self.places = [FIRST + PITCH * k for k in range(len(words))]
        canvas.text(left + 4, top + 16, name, "start", bold=True)
        for x, word in zip(self.places, words, strict=True):
            canvas.text(left + x, top + WORDS, word)

    def line(self, x1, y1, x2, y2, colour=QUIET, thickness=1.4, head=True):
        self.canvas.line(self.left + x1, self.top + y1, self.left + x2, self.top + y2, colour, thickness, head)

    def wire(self, points, colour, thickness=1.6):
        self.canvas.wire([(self.left + x, self.top + y) for x, y in points], colour, thickness)

    def row(self, y, colour=BLUE):
        for x in self.places:
            self.canvas.box(self.left + x - WIDE / 2, self.top + y - HIGH / 2, WIDE, HIGH, colour)

    def rise(self, low, high):  # an arrow above each word
        for x in self.places:
            self.line(x, low, x, high + 2)

    def head(self, y):
        self.canvas.box(self.left + HEAD - 23, self.top + y - 14, 46, 28, RED)
        self.canvas.text(self.left + HEAD, self.top + y + 4, "logit")

    def cell_state(self):
        y = LOW - 34
        self.line(4, y, HEAD - 27, y, AMBER, 4)
        for x in self.places:
            self.line(x - 8, LOW - HIGH / 2, x - 8, y + 4, AMBER)
            self.line(x + 8, y + 2, x + 8, LOW - HIGH / 2 - 2, AMBER)
        self.canvas.text(self.left + 4, self.top + y - 8, "cell state", "start", colour=AMBER)

    def back(self):
        self.row(UPPER, AMBER)
        for x in self.places:  # round the lower box
            points = [(x + 10, WORDS - 14), (x + 30, LOW + 20), (x + 30, LOW - 24), (x + 9, UPPER + HIGH / 2 + 2)]
            self.canvas.curve([(self.left + across, self.top + down) for across, down in points], QUIET, 1, head=True)
        for here, there in pairwise(self.places):
            self.line(there - WIDE / 2, UPPER, here + WIDE / 2 + 2, UPPER, AMBER)
        up, over, down = UPPER - HIGH / 2, UPPER - HIGH / 2 - 14, LOW - 16
        self.wire([(self.places[0], up), (self.places[0], over), (HEAD, over), (HEAD, down)], AMBER)

    def look(self):
        self.row(UPPER)
        for here in self.places:
            for there in self.places:
                self.line(here, WORDS - 14, there, UPPER + HIGH / 2, BLUE, head=False)
        over = UPPER - HIGH / 2 - 10
        for x in self.places:
            self.line(x, UPPER - HIGH / 2, x, over, head=False)
        self.wire([(self.places[0], over), (HEAD, over), (HEAD, LOW - 16)], QUIET)
        self.canvas.text(self.left + HEAD - 6, self.top + over - 5, "average", "end", quiet=True)
        self.head(LOW)
