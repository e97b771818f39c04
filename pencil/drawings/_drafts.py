"""Speculative decoding: the overlap of draft and target probabilities, and a round of drafts with the probability that each is accepted."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint

LEFT, LONG, HALF = 54, 286, 0.5  # px: x of the bars; length of a bar for the probability HALF, at which bars are clipped
TOP, PITCH, THIN = 30, 40, 13  # px: y of the first row; between rows; height of a bar
KEY, KEYS = 10, {BLUE: 54, AMBER: 150, QUIET: 246}  # px: side of a legend's square; its x by colour
MOST = 8
BOX, HIGH = 66, 44  # px: size of a token's box


def overlap(worked, title, draft="draft_probs", target="target_probs"):  # Worked of `output_probs`, caption, names -> Drawing
    """For each token its draft and target probabilities as bars, their overlap, and the target's excess over the draft.

    The run names both rows of probabilities, labelled with words, and the values of `pencil.reference.output_probs`. Raises ValueError
    unless the probabilities are rows of one to eight labelled numbers.
    """
    value = worked.trace.find(target)
    words = value.words[-1] if len(value.exact.shape) == 1 else ()
    if not words or len(words) > MOST:
        raise ValueError(f"{target} has the shape {value.exact.shape} and the words {list(words or ())}; give a row of 1 to {MOST} with words")
    canvas, scale = Canvas(worked, title), LONG / HALF
    for k, word in enumerate(words):
        canvas.text(LEFT - 8, TOP + PITCH * k + THIN + 4, word, "end", bold=True)
    for name, colour, down, bars in ((draft, BLUE, 0, "upper"), (target, AMBER, THIN, "lower")):
        canvas.step(f"The {bars} bars, the {canvas.called(name)}: ", [name], ".")
        _key(canvas, colour, canvas.called(name))
        for k in range(len(words)):
            y = TOP + PITCH * k + down
            canvas.stretch(LEFT, Paint("width", f"{name}[{k}]", 0, scale, 0, HALF), y, THIN, colour, 0.12)
            canvas.number(WIDTH - 4, y + THIN - 1, f"{name}[{k}]", "end", colour=colour)
    canvas.step("Grey is what both have in common; added up: ", ["acceptance_rate"], ".")
    _key(canvas, QUIET, "both")
    for k in range(len(words)):
        canvas.stretch(LEFT, Paint("width", f"overlap[{k}]", 0, scale, 0, HALF), TOP + PITCH * k, 2 * THIN, QUIET, 0.45)
    canvas.step(f"What the {canvas.called(target)} has above the {canvas.called(draft)}: ", ["excess"], ".")
    for k in range(len(words)):
        start = Paint("x", f"overlap[{k}]", LEFT, scale, 0, HALF)
        canvas.stretch(start, Paint("width", f"excess[{k}]", 0, scale, 0, HALF), TOP + PITCH * k + THIN, THIN, AMBER, 0.6)
    return canvas.drawing(TOP + PITCH * len(words) - 6)


def _key(canvas, colour, said):
    canvas.tiles([(KEYS[colour], 4)], KEY, colour)
    canvas.text(KEYS[colour] + KEY + 6, 14, said, "start")


def rounds(worked, title, n_drafts=4):  # Worked of `expected_tokens`, caption -> Drawing
    """The drafts of a round side by side, whose opacity is the probability of acceptance, and the token that is always added.

    The run names the values of `pencil.reference.expected_tokens`. Raises ValueError unless there are 1 to 4 drafts.
    """
    if not 1 <= n_drafts <= 4:
        raise ValueError(f"n_drafts={n_drafts}; 1 to 4 have room")
    canvas, pitch = Canvas(worked, title), WIDTH / (n_drafts + 1)
    names = ["acceptance_rate", *(f"draft{k}.all_accepted" for k in range(2, n_drafts + 1))]
    middle = [pitch * (k + 0.5) for k in range(n_drafts + 1)]
    for k, (x, name) in enumerate(zip(middle, names, strict=False)):
        said = f"The {('first', 'second', 'third', 'fourth')[k]} draft is accepted{', and all before it,' if k else ''} with the probability "
        canvas.step(said, [name], ".")
        if k:
            canvas.line(middle[k - 1] + BOX / 2, 20 + HIGH / 2, x - BOX / 2 - 1, 20 + HIGH / 2, QUIET)
        canvas.box(x - BOX / 2, 20, BOX, HIGH, BLUE, Paint("fill-opacity", name, 0, 0.7))
        canvas.text(x, 14, f"draft {('one', 'two', 'three', 'four')[k]}", quiet=True)
        canvas.number(x, 20 + HIGH / 2 + 5, name)
    canvas.step("One more token is always written: in place of the first rejected draft, or after the last.")
    canvas.box(middle[-1] - BOX / 2, 20, BOX, HIGH, AMBER, 0.4)
    canvas.text(middle[-1], 14, "one more", quiet=True)
    canvas.text(middle[-1], 20 + HIGH / 2 + 5, "1")
    canvas.step("In all: ", ["expected_tokens"], " tokens per round, on average.")
    canvas.said(WIDTH / 2, 20 + HIGH + 24, [f"{canvas.called('expected_tokens')}: ", ["expected_tokens"]], "middle")
    return canvas.drawing(20 + HIGH + 34)
