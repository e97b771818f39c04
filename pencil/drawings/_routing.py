"""The routing of a mixture of experts: lines from words to experts, whose thickness is the gate, and a cross where a word is dropped."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint

WORD, WORD_WIDE, EXPERT = 4, 66, 178  # px: x and width of the words' boxes; x of the experts
LINE, GAP, TOP, HEAD = 20, 10, 6, 22  # px: height of a word's line in an expert's box; between boxes; y of the first; height of a name
THICKEST = 9
CROSS, LEAST = 6, 0.02  # px: half the side of a cross; the dropped gate from which on it is drawn in full
COLOURS = ("var(--will, #2f6b4f)", "#9467bd", BLUE, AMBER)  # of the last words of a text, so that they look alike in a shorter text
MOST = len(COLOURS)


def routing(worked, title, gates="router.gates", dropped=None):  # Worked of `pencil.reference.mixture_of_experts`, caption -> Drawing
    """A box for each word and each expert, and lines between them whose thickness is the gate.

    The rows of `gates` are labelled with words; its columns are the experts. `dropped` names the gates of dropped words, zero elsewhere:
    their lines are grey and end at a cross. Raises ValueError for more than four words or experts.
    """
    value = worked.trace.find(gates)
    words, n_experts = value.words[0] if value.words else (), value.exact.shape[-1]
    if not words or max(len(words), n_experts) > MOST:
        raise ValueError(f"{gates} has the shape {value.exact.shape} and the words {list(words or ())}; give up to {MOST} words and experts")
    canvas, tall = Canvas(worked, title), HEAD + LINE * len(words) + 6
    height = TOP + (tall + GAP) * n_experts
    for e in range(n_experts):
        canvas.box(EXPERT, TOP + (tall + GAP) * e, WIDTH - EXPERT - 2, tall, QUIET, 0.05)
        canvas.text(EXPERT + 8, TOP + (tall + GAP) * e + 16, f"expert {('one', 'two', 'three', 'four')[e]}", "start", bold=True)
    for k, word in enumerate(words):
        colour, y = COLOURS[MOST - len(words) + k], height * (k + 0.5) / len(words)
        lost = [", and what is dropped ", [f"{word}.{dropped}"]] if dropped else []
        canvas.step(f"How much each expert counts for “{word}”: ", [f"{word}.{gates}"], *lost, ".")
        for e in range(n_experts):
            gate, line = f"{word}.{gates}[{e}]", TOP + (tall + GAP) * e + HEAD + LINE * k + LINE / 2
            for name, hue in ((dropped, QUIET), (gates, colour)) if dropped else ((gates, colour),):
                thick = Paint("stroke-width", f"{word}.{name}[{e}]", 0, THICKEST)
                canvas.line(WORD + WORD_WIDE + 2, y, EXPERT - 2, line, hue, thick, head=False)
            if dropped:
                _cross(canvas, EXPERT - 12, line + (y - line) * 10 / (EXPERT - WORD - WORD_WIDE - 4), f"{word}.{dropped}[{e}]")
            canvas.text(EXPERT + 8, line + 4, word, "start", quiet=True)
            canvas.bar(EXPERT + 62, line - 6, 92, 12, gate, colour)
            canvas.number(WIDTH - 8, line + 4, gate, "end")
        canvas.box(WORD, y - 15, WORD_WIDE, 30, colour, 0.12)
        canvas.text(WORD + WORD_WIDE / 2, y + 5, word, bold=True)
    return canvas.drawing(height)


def _cross(canvas, x, y, reference):
    thick = Paint("stroke-width", reference, 0, 2.5 / LEAST, high=LEAST)
    for rise in (CROSS, -CROSS):
        canvas.line(x - CROSS, y - rise, x + CROSS, y + rise, RED, thick, head=False)
