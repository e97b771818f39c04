"""A text classifier with attention: a lane for each word, and one column after mean pooling."""

from pencil.drawings._block import LANE, PITCH, ROW, SIZE, SLOTS, STARTS, WIDE, Lanes, mix, score, split
from pencil.drawings.canvas import AMBER, BLUE, QUIET, Canvas

MIDDLE = WIDE / 2
APART, FALL = 20, 40  # px: between rows of the column; from the lanes to it
BAR = 150  # px: length of the output's bar


def review(worked, title, poles=("not", "liked")):  # Worked, caption, labels of the outputs 0 and 1 -> Drawing
    """Every row of a classifier with one attention head, for a text of two words.

    The run names its values as `self_attention`, `mean_pool` and `mlp_head` of `pencil.reference` do, and `id`, a number for each word.
    Raises ValueError unless there are two words with rows of four numbers.
    """
    x = worked.trace.find("embedding")
    if x.exact.shape != (len(STARTS), SLOTS):
        raise ValueError(f"the rows are {x.exact.shape}; {len(STARTS)} lanes of {SLOTS} slots fit on a phone")
    lanes = Lanes(Canvas(worked, title), x.words[0])
    _begin(lanes)
    split(lanes, "params.query")
    score(lanes)
    mix(lanes)
    _average(lanes)
    _answer(lanes, poles)
    return lanes.canvas.drawing(height=lanes.y + 6, width=WIDE)


def _begin(lanes):  # each word's row
    canvas = lanes.canvas
    canvas.step(f"Each word has an id, and its id is swapped for its {lanes.called('embedding')}, a row of {SLOTS} numbers.")
    for word, start, edge in lanes.words:
        canvas.text(start + LANE / 2, 15, word, size=15, bold=True)
        outside, anchor = (start, "start") if edge < start else (start + LANE, "end")
        canvas.said(outside, 14, ["id ", [f"{word}.id"]], anchor, size=SIZE)
    lanes.y = 18
    lanes.row("embedding")


def _average(lanes):  # the lanes become one
    canvas = lanes.canvas
    canvas.step(f"The average of both is the {lanes.called('pooled')}. From here on there is one row.")
    top = lanes.y + FALL
    for _, start, _ in lanes.words:
        canvas.line(start + LANE / 2, lanes.y + 2, MIDDLE + (start + LANE / 2 - MIDDLE) * 0.4, top - 2)
    _beside(canvas, top, lanes.called("pooled"))
    canvas.slots(MIDDLE - LANE / 2, top, "pooled", PITCH, ROW, SIZE, BLUE)
    lanes.y = top + ROW


def _answer(lanes, poles):  # units, and the one number that answers
    canvas, called, answer = lanes.canvas, lanes.called, "sigmoid.prob"
    units = len(canvas.value("activated"))
    canvas.step(f"{units} units read it, each with a row of weights, and ReLU makes zero of what is below zero.")
    top = _down(lanes)
    _beside(canvas, top, called("activated"))
    canvas.slots(MIDDLE - PITCH * units / 2, top, "activated", PITCH, ROW, SIZE, AMBER)
    said = canvas.worked.label_of(canvas.worked.trace.find(answer))
    canvas.step(f"A last unit reads those, and sigmoid brings its number between 0 and 1: the {said}, ", [answer], ".")
    top = _down(lanes)
    canvas.slots(MIDDLE - PITCH / 2, top, answer, PITCH, ROW, SIZE, AMBER)
    _beside(canvas, top, said)
    left, bar = MIDDLE - BAR / 2, top + ROW + 8
    canvas.bar(left, bar, BAR, 10, answer, AMBER)
    canvas.text(left - 8, bar + 9.5, poles[0], "end", size=SIZE)
    canvas.text(left + BAR + 8, bar + 9.5, poles[1], "start", size=SIZE)
    lanes.y = bar + 10


def _beside(canvas, top, words):  # the label of a row of the column
    canvas.text(MIDDLE + LANE / 2 + 8, top + 19.5, words, "start", size=SIZE, bold=True)


def _down(lanes):  # -> y of the next row of the column
    lanes.canvas.line(MIDDLE, lanes.y + 2, MIDDLE, lanes.y + APART - 2, QUIET)
    lanes.y += APART + ROW
    return lanes.y - ROW
