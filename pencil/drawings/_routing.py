"""The routing of a mixture of experts: lines from words to experts, whose thickness is the gate, and the lines of dropped words."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint

WORD, WORD_WIDE, EXPERT = 4, 66, 178  # px: x and width of the words' boxes; x of the experts
LINE, GAP, TOP, HEAD = 20, 10, 6, 22  # px: height of a word's line in an expert's box; between boxes; y of the first; height of a name
THICKEST = 9
MOST = 4


def routing(worked, title, gates="router.gates", wanted=None):  # Worked of `pencil.reference.mixture_of_experts`, caption -> Drawing
    """A box for each word and each expert, and lines between them whose thickness is the gate.

    The rows of `gates` are labelled with words; its columns are the experts. `wanted` names the gates before words are dropped: what is
    dropped is a line in grey, and a step says of each word what it wants and what it gets. Raises ValueError for more than four of either.
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
        colour, y = (BLUE, AMBER)[k % 2], height * (k + 0.5) / len(words)
        if wanted:
            canvas.step(f"“{word}” asks the experts for ", [f"{word}.{wanted}"], ", and gets ", [f"{word}.{gates}"], ".")
        else:
            canvas.step(f"How much say each expert has for “{word}”: ", [f"{word}.{gates}"], ".")
        for e in range(n_experts):
            gate, line = f"{word}.{gates}[{e}]", TOP + (tall + GAP) * e + HEAD + LINE * k + LINE / 2
            for name, hue in ((wanted, QUIET), (gates, colour)) if wanted else ((gates, colour),):
                thick = Paint("stroke-width", f"{word}.{name}[{e}]", 0, THICKEST)
                canvas.line(WORD + WORD_WIDE + 2, y, EXPERT - 2, line, hue, thick, head=False)
            canvas.text(EXPERT + 8, line + 4, word, "start", quiet=True)
            canvas.bar(EXPERT + 62, line - 6, 92, 12, gate, colour)
            canvas.number(WIDTH - 8, line + 4, gate, "end")
        canvas.box(WORD, y - 15, WORD_WIDE, 30, colour, 0.12)
        canvas.text(WORD + WORD_WIDE / 2, y + 5, word, bold=True)
    return canvas.drawing(height)
