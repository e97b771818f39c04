"""The experts of a mixture inside their block: lines to them and back, whose thickness is the gate, and a cross where a word is dropped."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint

WORD, HIGH, LANE = 58, 26, 18  # px: width and height of a word's box; width of the gap between two experts, through which the residual stream goes
ATTENTION, SPLIT, EXPERT = 44, 84, 124  # px: y of attention, of the place where words leave for the experts, and of the experts
LINE, HEAD = 22, 40  # px: height of a word's line in an expert's box, and of the expert's name
THICKEST = 9
CROSS, LEAST = 6, 0.02  # px: half the side of a cross; the dropped gate from which on it is drawn in full
COLOURS = ("var(--will, #2f6b4f)", "#9467bd", BLUE, AMBER)  # of the last words of a text, so that they look alike in a shorter text
MOST = len(COLOURS)


def routing(worked, title, gates="router.gates", dropped=None):  # Worked of `pencil.reference.mixture_of_experts`, caption -> Drawing
    """A block with its experts side by side: each word flows to its experts and back in its colour, and beside them along the residual stream.

    The rows of `gates` are labelled with words; its columns are the experts, and the thickness of a line is the gate. `dropped` names the gates
    of dropped words, zero elsewhere: their lines are dashed and end at a cross. Raises ValueError for more than four words or experts.
    """
    value = worked.trace.find(gates)
    words, n_experts = value.words[0] if value.words else (), value.exact.shape[-1]
    if not words or max(len(words), n_experts) > MOST:
        raise ValueError(f"{gates} has the shape {value.exact.shape} and the words {list(words or ())}; give up to {MOST} words and experts")
    canvas, tall = Canvas(worked, title), HEAD + LINE * len(words) + 4
    wide, foot = (WIDTH - LANE * (n_experts + 1)) / n_experts, EXPERT + tall + 46
    left = [LANE + (wide + LANE) * e for e in range(n_experts)]
    canvas.ground(0, ATTENTION - 8, WIDTH, foot + 22 - ATTENTION, "")
    canvas.box(LANE, ATTENTION, WIDTH - 2 * LANE, 22)
    canvas.text(WIDTH / 2, ATTENTION + 16, "attention", quiet=True)
    for e, x in enumerate(left):
        canvas.box(x, EXPERT, wide, tall, QUIET, 0.05)
        canvas.text(x + wide / 2, EXPERT + 15, "expert", quiet=True)
        canvas.text(x + wide / 2, EXPERT + 31, ("one", "two", "three", "four")[e], bold=True)
    for k, word in enumerate(words):
        canvas.step(f"How much each expert counts for “{word}”: ", [f"{word}.{gates}"], ".")
        colour, x = COLOURS[MOST - len(words) + k], _middle(k, words)
        _lane(canvas, word, x, _gap(k, len(words), n_experts, wide), foot, colour)
        for e in range(n_experts):
            _visit(canvas, (word, f"{word}.{gates}[{e}]"), (x, _enters(k, words, left[e], wide), foot), (left[e], wide, tall, k), colour)
    if dropped:
        each = [part for word in words for part in (f"{', ' if word != words[0] else ''}“{word}” ", [f"{word}.{dropped}"])]
        canvas.step("What would count, but finds no room: ", *each, ".")
        for k, word in enumerate(words):
            for e in range(n_experts):
                _drop(canvas, f"{word}.{dropped}[{e}]", _middle(k, words), _enters(k, words, left[e], wide), COLOURS[MOST - len(words) + k])
    return canvas.drawing(foot + 48)


def _middle(k, words):  # the x of a word's box, of the place where it leaves for the experts, and of the one where it comes back
    return WIDTH * (k + 0.5) / len(words)


def _enters(k, words, left, wide):  # the x at which a word enters an expert
    return left + wide * (k + 1) / (len(words) + 1)


def _gap(k, n_words, n_experts, wide):  # the x of a word's residual stream: in one of the gaps beside and between the experts
    place = (k + 0.5) / n_words * (n_experts + 1)
    return (wide + LANE) * int(place) + LANE * (0.3 + 0.4 * (place % 1))


def _lane(canvas, word, x, gap, foot, colour):
    canvas.box(x - WORD / 2, 4, WORD, HIGH, colour, 0.12)
    canvas.text(x, 22, word, bold=True)
    canvas.line(x, 31, x, ATTENTION - 1, colour)
    beside = (x - 6, "end") if x > WIDTH - 60 else (x + 6, "start")
    canvas.text(beside[0], SPLIT - 4, "router", beside[1], quiet=True)
    canvas.curve([(x, ATTENTION + 22), (x, SPLIT), (x, SPLIT + 22), (gap, SPLIT + 16), (gap, EXPERT)], colour)
    canvas.curve([(gap, EXPERT), (gap, foot - 46), (gap, foot - 22), (x, foot - 30), (x, foot - 9)], colour)
    canvas.sign(x, foot, "+", colour)
    canvas.line(x, foot + 9, x, foot + 40, colour)


def _visit(canvas, names, places, expert, colour):
    (word, gate), (x, enters, foot), (left, wide, tall, k) = names, places, expert
    thick = Paint("stroke-width", gate, 0, THICKEST)
    canvas.line(x, SPLIT, enters, EXPERT, colour, thick, head=False)
    y = EXPERT + HEAD + LINE * k
    canvas.bar(left + 3, y, wide - 6, LINE - 4, gate, colour, 0.35)
    canvas.text(left + 6, y + 14, word, "start")
    canvas.number(left + wide - 6, y + 14, gate, "end")
    canvas.line(enters, EXPERT + tall, x, foot - 9, colour, thick, head=False)


def _drop(canvas, reference, x, enters, colour):
    canvas.line(x, SPLIT, enters, EXPERT - 2, colour, Paint("stroke-width", reference, 0, THICKEST), head=False, dashed=True)
    _cross(canvas, enters + (x - enters) * 0.15, EXPERT - 8, reference)


def _cross(canvas, x, y, reference):
    thick = Paint("stroke-width", reference, 0, 2.5 / LEAST, high=LEAST)
    for rise in (CROSS, -CROSS):
        canvas.line(x - CROSS, y - rise, x + CROSS, y + rise, RED, thick, head=False)
