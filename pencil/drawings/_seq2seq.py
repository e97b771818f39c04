"""An encoder and a decoder of two RNNs, with the bottleneck between them (Sutskever et al. 2014), and with attention (Bahdanau et al. 2014)."""

from itertools import pairwise

from pencil.drawings.canvas import AMBER, BLUE, RED, WIDTH, Canvas

WIDE, HIGH, PITCH = 62, 26, 80  # px: size of a box; between words
READ, WRITE = 38, 154  # px: y of the boxes of the encoder and of the decoder
SOURCE, TARGET = ("the", "cat", "sat"), ("die", "Katze", "saß")  # their second words belong together; three and three fit on a phone


def seq2seq(title):  # caption -> Drawing
    """An encoder that reads “the cat sat” and a decoder that writes it in German; “Katze” attends most to “cat”."""
    canvas = Canvas(None, title)
    middle = WIDTH / 2
    read, write = [middle - 2 * PITCH, middle - PITCH, middle], [middle, middle + PITCH, middle + 2 * PITCH]
    canvas.step(f"The encoder reads “{' '.join(SOURCE)}”, a word at a time.")
    canvas.text(read[-1] + WIDE / 2 + 10, READ + 18, "encoder", "start", bold=True)
    for x, word in zip(read, SOURCE, strict=True):
        canvas.text(x, 16, word)
        canvas.line(x, 22, x, READ - 2)
    _states(canvas, read, READ, BLUE)
    canvas.step("All that goes across is its last hidden state and cell state.")
    canvas.line(middle, READ + HIGH + 1, middle, WRITE - 1, AMBER, 6, head=False)
    canvas.text(middle - 8, WRITE - 12, "bottleneck", "end", bold=True, colour=AMBER)
    canvas.step(f"With these the decoder begins. It writes “{' '.join(TARGET)}”, and reads each word it has written before it writes the next.")
    canvas.text(write[0] - WIDE / 2 - 10, WRITE + 18, "decoder", "end", bold=True)
    _states(canvas, write, WRITE, BLUE)
    for x, word in zip(write, TARGET, strict=True):
        canvas.line(x, WRITE + HIGH, x, WRITE + HIGH + 16)
        canvas.text(x, WRITE + HIGH + 31, word)
    for here, there in pairwise(write):  # what it has written, it reads
        canvas.wire([(here + 24, WRITE + HIGH + 26), (there - 22, WRITE + HIGH + 26), (there - 22, WRITE + HIGH + 2)], AMBER)
    canvas.step(f"With attention each word looks back at every state. “{TARGET[1]}” looks most at “{SOURCE[1]}”.")
    for k, x in enumerate(read):
        canvas.line(x + 8, READ + HIGH + 1, write[1] - 14 + 14 * k, WRITE - 2, RED, 4 if k == 1 else 1.2, head=k != 1)
    canvas.text(WIDTH - 4, (READ + HIGH + WRITE) / 2 - 8, "attention", "end", bold=True, colour=RED)
    return canvas.drawing(WRITE + HIGH + 38)


def _states(canvas, places, y, colour):  # a box for each, and a line from one to the next
    for x in places:
        canvas.box(x - WIDE / 2, y, WIDE, HIGH, colour)
        canvas.text(x, y + 17, "state")
    for here, there in pairwise(places):
        canvas.line(here + WIDE / 2, y + HIGH / 2, there - WIDE / 2 - 1, y + HIGH / 2, colour)
