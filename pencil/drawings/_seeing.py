"""How a language model sees a photo: patches, encoder, projector, and rows in the prompt."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, Canvas

SIDE, EDGE, TOP = 20, 10, 26  # px: side of a patch; left edge; y of the photo
COLUMN, FIRST, BESIDE = 132, 22, 8  # px: x of the encoder; x of the first row of the prompt; between two rows of it
TILE, HIGH = 38, 44  # px: width and height of a row in the prompt


def seeing(title, question=("what", "is", "it", "?"), answer="cat", across=2):  # -> Drawing
    """A photo of `across` by `across` patches and a question become one prompt, which a language model goes on with."""
    canvas, count = Canvas(None, title), across * across
    canvas.step("The photo is cut into patches.")
    side = 3 * SIDE / across * 2
    for k in range(count):
        x, y = EDGE + (side + 4) * (k % across), TOP + (side + 4) * (k // across)
        canvas.box(x, y, side, side, BLUE, 0.12 + 0.1 * k)
        canvas.text(x + side / 2, y + side / 2 + 5, str(k + 1))
    canvas.text(EDGE + 3 * SIDE, TOP - 10, "photo", quiet=True)
    middle = TOP + 3 * SIDE
    _part(canvas, COLUMN + 26, middle, "encoder", BLUE, "The encoder, a vision transformer, makes a row of each patch.")
    _part(canvas, COLUMN + 152, middle, "projector", AMBER, "The projector makes each row as wide as the model’s embeddings.")
    canvas.step("The rows of the patches stand in the prompt, before the embeddings of the question’s tokens.")
    below, words = TOP + 6 * SIDE + 74, [f"patch {k + 1}" for k in range(count)] + list(question)
    canvas.wire([(COLUMN + 240, middle), (COLUMN + 256, middle), (COLUMN + 256, below - 48), (FIRST + 8, below - 48), (FIRST + 8, below - 24)], QUIET)
    for k, word in enumerate(words):
        x, colour = FIRST + (TILE + BESIDE) * k, BLUE if k < count else RED
        canvas.box(x, below, TILE, HIGH, colour, 0.15)
        canvas.text(x + TILE / 2, below - 8, word.replace("patch ", ""), colour=colour)
        for part in (1, 2, 3):
            canvas.line(x + 6, below + 11 * part, x + TILE - 6, below + 11 * part, colour, 1.2, head=False)
        canvas.line(x + TILE / 2, below + HIGH + 2, x + TILE / 2, below + HIGH + 18, QUIET)
    canvas.text(FIRST + 20, below - 30, "rows of the photo", "start", colour=BLUE)
    canvas.text(FIRST + (TILE + BESIDE) * (count + len(question) / 2), below - 30, "tokens of the question", colour=RED)
    wide, model = (TILE + BESIDE) * len(words) - BESIDE, below + HIGH + 20
    canvas.step("To the language model all of them are rows: it looks back at them alike, and goes on with the answer.")
    canvas.box(FIRST, model, wide, 30, QUIET)
    canvas.text(FIRST + wide / 2, model + 20, "language model")
    canvas.line(FIRST + wide - TILE / 2, model + 30, FIRST + wide - TILE / 2, model + 50, QUIET)
    canvas.text(FIRST + wide - TILE / 2, model + 66, answer, bold=True, size=15)
    return canvas.drawing(height=model + 74)


def _part(canvas, x, y, name, colour, says):
    canvas.step(says)
    canvas.line(x - 18, y, x - 4, y, QUIET)
    canvas.box(x, y - 22, 84, 44, colour)
    canvas.text(x + 42, y + 5, name, colour=colour)
